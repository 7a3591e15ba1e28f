/* Tests of builtin/common/checks.h that no kind's test reaches. */

#include "builtin/common/checks.h"

#include "builtin_case.h"

TEST(selectors_match_or_not)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { arena, &err };
    struct yl_node *labels = case_parse(arena, "{'a':'b'}");

    assert_true(yl_selector_node_matches(
        &c, case_parse(arena, "{'matchLabels':{'a':'b'}}"), labels));
    assert_false(yl_selector_node_matches(
        &c, case_parse(arena, "{'matchLabels':{'a':'c'}}"), labels));
    assert_true(yl_selector_node_matches(&c, case_parse(arena, "{}"), NULL));
    assert_false(yl_selector_node_matches(&c, NULL, labels));
    assert_false(yl_selector_node_matches(
        &c, case_parse(arena, "{'matchExpressions':[{'key':'a',"
                              "'operator':'X'}]}"), labels));
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(numbers_and_percentages)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { arena, &err };
    struct yl_at root = yl_at_root(case_parse(
        arena, "{'n':5,'p':'50%','x':'5','big':'99999999999999999999%'}"));
    struct yl_at n = yl_at(&root, "n"), p = yl_at(&root, "p");
    struct yl_at x = yl_at(&root, "x"), big = yl_at(&root, "big");
    bool percent;

    assert_int_equal(yl_at_int_or_percent(&c, &n, &percent), 5);
    assert_false(percent);
    assert_int_equal(yl_at_int_or_percent(&c, &p, &percent), 50);
    assert_true(percent);
    assert_int_equal(yl_at_int_or_percent(&c, &x, &percent), 5);
    assert_false(percent);
    assert_int_equal(yl_at_int_or_percent(&c, &big, &percent), 0);
    assert_true(yl_check_int_or_percent(&c, &p));
    assert_false(yl_check_int_or_percent(&c, &x));
    assert_true(yl_check_percent_at_most_100(&c, &n));
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(selectors_are_shown_in_the_order_of_go)
{
    static const struct {
        const char *selector;
        const char *want;
    } cases[] = {
        { "{}", "{}" },
        { "{'matchLabels':{'b':'c','a':'b'}}",
          "{\"matchLabels\":{\"a\":\"b\",\"b\":\"c\"}}" },
        { "{'matchExpressions':[{'operator':'Exists','key':'a'}],"
          "'matchLabels':{'a':'b'}}",
          "{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":"
          "[{\"key\":\"a\",\"operator\":\"Exists\"}]}" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_at at = yl_at_root(case_parse(arena, cases[i].selector));

        assert_str_equal(yl_bad_selector(&c, &at).text, cases[i].want);
    }
    yl_arena_free(arena);
}

TEST(a_set_takes_each_text_once)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *set = yl_node_new_object(arena);

    assert_true(yl_set_add(arena, set, YL_STR("a")));
    assert_true(yl_set_add(arena, set, YL_STR("")));
    assert_false(yl_set_add(arena, set, YL_STR("a")));
    assert_false(yl_set_add(arena, set, YL_STR("")));
    yl_arena_free(arena);
}
