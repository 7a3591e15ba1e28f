/* Tests of policies: reading, copying, writing; what rules allow is tested
 * with RBAC's index. */

#include "apiserver/auth/policy.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

static struct yl_policy
read_policy(struct yl_arena *arena, const char *text)
{
    return yl_policy_read(arena, yl_json(yl_str_c(text)));
}

static const char *
text_of(struct yl_arena *arena, const struct yl_policy_rule *rule)
{
    const char *text;
    struct yl_buf out;

    yl_buf_init(&out, 4096);
    yl_policy_rule_write(rule, &out);
    text = yl_arena_strdup(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return text;
}

TEST(what_is_no_rule_allows_nothing)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_policy policy;

    assert_int_equal(read_policy(arena, "null").n, 0);
    assert_int_equal(read_policy(arena, "{}").n, 0);
    assert_int_equal(yl_policy_read(arena, yl_json_none()).n, 0);
    policy = read_policy(arena, "[1,{\"verbs\":\"get\"},"
                                "{\"resourceNames\":[1,\"a\"]}]");
    assert_int_equal(policy.n, 3);
    assert_int_equal(policy.all[1].verbs.n, 0);

    /* A list of names must not become empty: that means any. */
    assert_int_equal(policy.all[2].names.n, 2);
    assert_str_equal(policy.all[2].names.all[0], "");
    yl_arena_free(arena);
}

TEST(a_tree_says_the_same_as_its_text)
{
    static const char *const texts[] = {
        "null", "{}", "[]", "[1,null,{}]",
        "[{\"verbs\":\"get\"},{\"resourceNames\":[1,\"a\"],\"verbs\":[]}]",
        "[{\"verbs\":[\"g\\u0065t\"],\"apiGroups\":[\"\",\"x\"]}]",
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i, k;

    assert_int_equal(yl_policy_from_tree(arena, NULL).n, 0);
    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        struct yl_policy a = read_policy(arena, texts[i]), b;
        struct yl_node *root;

        assert_int_equal(yl_tree_parse(arena, yl_str_c(texts[i]), NULL, &root,
                                       NULL), 0);
        b = yl_policy_from_tree(arena, root);
        assert_int_equal(a.n, b.n);
        for (k = 0; k < a.n; k++) {
            assert_string_equal(text_of(arena, &a.all[k]),
                                text_of(arena, &b.all[k]));
        }
    }
    yl_arena_free(arena);
}

TEST(a_copy_stands_alone)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_policy policy = read_policy(
        arena, "[{\"verbs\":[\"get\",\"\"],\"apiGroups\":[\"\"],"
        "\"resources\":[\"a\"]},{\"verbs\":[\"g\\u0065t\"],"
        "\"nonResourceURLs\":[\"/x\"]}]");
    struct yl_policy *copy = yl_policy_copy(policy);
    struct yl_buf out;

    yl_arena_free(arena);
    yl_buf_init(&out, 4096);
    yl_policy_rule_write(&copy->all[0], &out);
    yl_policy_rule_write(&copy->all[1], &out);
    assert_str_equal(yl_buf_str(&out),
                     "{\"verbs\":[\"get\",\"\"],\"apiGroups\":[\"\"],"
                     "\"resources\":[\"a\"]}"
                     "{\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/x\"]}");
    yl_buf_release(&out);
    free(copy);
}

TEST(a_url_may_end_in_stars)
{
    assert_true(yl_url_covers(YL_STR("*"), YL_STR("/any")));
    assert_true(yl_url_covers(YL_STR("/a**"), YL_STR("/a/b")));
    assert_true(yl_url_covers(YL_STR("/a"), YL_STR("/a")));
    assert_false(yl_url_covers(YL_STR("/a"), YL_STR("/a/b")));
    assert_false(yl_url_covers(YL_STR("/a*b"), YL_STR("/axb")));
    assert_false(yl_url_covers(YL_STR(""), YL_STR("/a")));
}
