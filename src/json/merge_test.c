/* Tests of JSON Merge Patch. */

#include "json/merge.h"

#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/error.h"

static struct yl_arena arena;

/* Parses a text in which ' stands for ". */
static struct yl_node *
tree(const char *text)
{
    char *copy = yl_arena_strdup(&arena, yl_str_c(text));
    struct yl_node *root;
    char *p;

    for (p = copy; *p; p++) {
        if (*p == '\'') {
            *p = '"';
        }
    }
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(copy), NULL, &root, NULL),
                     0);
    return root;
}

/* The tree must be written as 'expected', with ' for ". */
static void
assert_written(const struct yl_node *node, const char *expected)
{
    struct yl_buf buf;
    char *p;

    yl_buf_init(&buf, 1 << 20);
    yl_node_write(&buf, node);
    for (p = buf.data; p < buf.data + buf.size; p++) {
        if (*p == '"') {
            *p = '\'';
        }
    }
    assert_str_equal(yl_buf_str(&buf), expected);
    yl_buf_release(&buf);
}

static void
assert_merges(const char *doc, const char *patch, const char *expected,
              bool kubernetes)
{
    const struct yl_merge_opts opts = { .kubernetes = kubernetes };
    struct yl_node *root, *change;

    yl_arena_init(&arena);
    root = tree(doc);
    change = tree(patch);
    assert_int_equal(yl_merge_apply(&arena, &root, change, &opts, NULL), 0);
    assert_written(root, expected);
    assert_written(change, patch);
    yl_arena_release(&arena);
}

TEST(rfc_7386_appendix)
{
    static const char *const cases[][3] = {
        { "{'a':'b'}", "{'a':'c'}", "{'a':'c'}" },
        { "{'a':'b'}", "{'b':'c'}", "{'a':'b','b':'c'}" },
        { "{'a':'b'}", "{'a':null}", "{}" },
        { "{'a':'b','b':'c'}", "{'a':null}", "{'b':'c'}" },
        { "{'a':['b']}", "{'a':'c'}", "{'a':'c'}" },
        { "{'a':'c'}", "{'a':['b']}", "{'a':['b']}" },
        { "{'a':{'b':'c'}}", "{'a':{'b':'d','c':null}}", "{'a':{'b':'d'}}" },
        { "{'a':[{'b':'c'}]}", "{'a':[1]}", "{'a':[1]}" },
        { "['a','b']", "['c','d']", "['c','d']" },
        { "{'a':'b'}", "['c']", "['c']" },
        { "{'a':'foo'}", "null", "null" },
        { "{'a':'foo'}", "'bar'", "'bar'" },
        { "{'e':null}", "{'a':1}", "{'e':null,'a':1}" },
        { "[1,2]", "{'a':'b','c':null}", "{'a':'b'}" },
        { "{}", "{'a':{'bb':{'ccc':null}}}", "{'a':{'bb':{}}}" },
        /* The example of section 3. */
        { "{'title':'Goodbye!','author':{'givenName':'John',"
          "'familyName':'Doe'},'tags':['example','sample'],"
          "'content':'This will be unchanged'}",
          "{'title':'Hello!','phoneNumber':'+01-123-456-7890',"
          "'author':{'familyName':null},'tags':['example']}",
          "{'title':'Hello!','author':{'givenName':'John'},"
          "'tags':['example'],'content':'This will be unchanged',"
          "'phoneNumber':'+01-123-456-7890'}" },
        /* Nulls in arrays are values. */
        { "{}", "{'a':[null,{'b':null}]}", "{'a':[null,{'b':null}]}" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_merges(cases[i][0], cases[i][1], cases[i][2], false);
    }
}

TEST(kubernetes_dialect)
{
    assert_merges("{'a':1}", "{'a':2,'b':{'c':null,'d':1}}",
                  "{'a':2,'b':{'d':1}}", true);
    assert_merges("{}", "{'a':[null,{'b':null,'c':1}]}",
                  "{'a':[null,{'c':1}]}", true);
    assert_merges("{'a':[1]}", "{'a':[null,{'b':null,'c':[{'d':null}]}]}",
                  "{'a':[null,{'c':[{}]}]}", true);
    assert_merges("{'a':{'x':1}}", "{'a':[null,{'b':null,'c':1}]}",
                  "{'a':[null,{'b':null,'c':1}]}", true);
    assert_merges("{'a':null}", "{'a':[{'b':null}]}",
                  "{'a':[{}]}", true);
    assert_merges("{'a':null}", "{'a':{'b':null}}",
                  "{'a':{}}", true);
    assert_merges("{'a':null}", "{'a':null}",
                  "{}", true);
    assert_merges("{'a':{'b':{'c':1}}}", "{'a':{'b':null}}",
                  "{'a':{}}", true);
    assert_merges("{'a':5}", "{'a':{'b':[{'c':null}],'d':null}}",
                  "{'a':{'b':[{}]}}", true);
    assert_merges("[1,2]", "{'a':'b','c':null}",
                  "{'a':'b'}", true);
    assert_merges("{'a':{'b':1}}", "{'a':5}",
                  "{'a':5}", true);
}

TEST(kubernetes_refuses_patches_that_are_no_objects)
{
    static const char *const cases[][2] = {
        { "null", "Invalid JSON Patch" },
        { "5", "error decoding patch: json: cannot unmarshal number into Go "
          "value of type map[string]interface {}" },
        { "'text'", "error decoding patch: json: cannot unmarshal string into "
          "Go value of type map[string]interface {}" },
        { "true", "error decoding patch: json: cannot unmarshal bool into Go "
          "value of type map[string]interface {}" },
        { "[{}]", "error decoding patch: json: cannot unmarshal array into Go "
          "value of type map[string]interface {}" },
    };
    const struct yl_merge_opts opts = { .kubernetes = true };
    struct yl_error err = YL_ERROR_INIT;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_node *root;

        yl_arena_init(&arena);
        root = tree("{'a':1}");
        assert_int_equal(yl_merge_apply(&arena, &root, tree(cases[i][0]),
                                        &opts, &err), YL_EBADREQUEST);
        assert_string_equal(yl_error_message(&err), cases[i][1]);
        assert_written(root, "{'a':1}");
        yl_error_clear(&err);
        yl_arena_release(&arena);
    }
}

TEST(what_the_patch_does_not_name_keeps_its_bytes)
{
    struct yl_node *root;

    yl_arena_init(&arena);
    root = tree("{ 'a' : [ 1 ] , 'b' : { 'c' : { 'd' :  2 } , 'e' : 3 } }");
    assert_int_equal(yl_merge_apply(&arena, &root, tree("{'b':{'e':4}}"),
                                    NULL, NULL), 0);
    assert_written(root, "{'a':[ 1 ],'b':{'c':{ 'd' :  2 },'e':4}}");

    /* A patch that changes nothing touches nothing. */
    root = tree("{ 'b' : { 'c' : 1 } }");
    assert_int_equal(yl_merge_apply(&arena, &root,
                                    tree("{'b':{'x':null},'y':null}"), NULL,
                                    NULL), 0);
    assert_written(root, "{ 'b' : { 'c' : 1 } }");
    yl_arena_release(&arena);
}

/* The diff of 'a' and 'b' must be 'expected' and turn 'a' into 'b'. */
static void
assert_diff(const char *a, const char *b, const char *expected)
{
    struct yl_node *patch, *root;

    yl_arena_init(&arena);
    root = tree(a);
    assert_int_equal(yl_merge_diff(&arena, root, tree(b), &patch, NULL), 0);
    assert_written(patch, expected);
    assert_written(root, a);
    assert_int_equal(yl_merge_apply(&arena, &root, patch, NULL, NULL), 0);
    assert_true(yl_node_equal(root, tree(b)));
    yl_arena_release(&arena);
}

TEST(diff_is_the_smallest_patch)
{
    assert_diff("{}", "{}", "{}");
    assert_diff("{'a':1}", "{'a':1}", "{}");
    assert_diff("{'a':1}", "{'a':1.0}", "{}");
    assert_diff("{'a':1}", "{'a':2}", "{'a':2}");
    assert_diff("{'a':1,'b':2}", "{'b':2}", "{'a':null}");
    assert_diff("{'a':1}", "{'b':2,'a':1}", "{'b':2}");
    assert_diff("{'a':{'b':1,'c':{'d':[1,2],'e':1}}}",
                "{'a':{'b':1,'c':{'d':[1,3],'e':1}}}",
                "{'a':{'c':{'d':[1,3]}}}");
    assert_diff("{'a':{'b':1}}", "{'a':{}}", "{'a':{'b':null}}");
    assert_diff("{'a':{'b':1}}", "{'a':[]}", "{'a':[]}");
    assert_diff("{'a':[]}", "{'a':{'b':1}}", "{'a':{'b':1}}");
    assert_diff("{'a':[{'b':null}]}", "{'a':[{'b':null},null]}",
                "{'a':[{'b':null},null]}");
    assert_diff("[1]", "[2]", "[2]");
    assert_diff("[1]", "{'a':1}", "{'a':1}");
    assert_diff("{'a':1}", "5", "5");
    assert_diff("5", "5", "5");

    /* A null on both sides stays where it is. */
    assert_diff("{'a':null,'b':1}", "{'a':null,'b':2}", "{'b':2}");
}

TEST(diff_cannot_set_a_null)
{
    struct yl_node *root, *patch;

    yl_arena_init(&arena);
    root = tree("{'a':1,'b':{}}");
    assert_int_equal(yl_merge_diff(&arena, root,
                                   tree("{'a':null,'b':{'c':null},'d':null}"),
                                   &patch, NULL), 0);
    assert_int_equal(yl_merge_apply(&arena, &root, patch, NULL, NULL), 0);
    assert_true(yl_node_equal(root, tree("{'b':{}}")));
    yl_arena_release(&arena);
}

/* A random value without null members, a few levels deep. */
static struct yl_node *
random_value(unsigned depth, unsigned *seed)
{
    struct yl_node *node;
    unsigned i, n;

    *seed = *seed * 1103515245u + 12345u;
    n = *seed >> 16 & 7;
    switch (depth ? *seed >> 20 & 3 : 0) {
    case 0:
        return yl_node_new_int64(&arena, (int64_t) (n & 1));
    case 1:
        node = yl_node_new_array(&arena);
        for (i = 0; i < n / 2; i++) {
            yl_node_append(node, random_value(depth - 1, seed));
        }
        return node;
    default:
        node = yl_node_new_object(&arena);
        for (i = 0; i < n; i++) {
            char key[2] = { (char) ('a' + i + (*seed >> 24 & 1)), '\0' };

            yl_node_set(&arena, node, yl_str_c(key),
                        random_value(depth - 1, seed));
        }
        return node;
    }
}

TEST(applying_a_diff_gives_the_other)
{
    unsigned seed = 1;
    int i;

    for (i = 0; i < 2000; i++) {
        struct yl_node *a, *b, *patch;

        yl_arena_init(&arena);
        a = random_value(4, &seed);
        b = random_value(4, &seed);
        assert_int_equal(yl_merge_diff(&arena, a, b, &patch, NULL), 0);
        assert_int_equal(yl_merge_apply(&arena, &a, patch, NULL, NULL), 0);
        assert_true(yl_node_equal(a, b));
        yl_arena_release(&arena);
    }
}

/* An object of 'n' members "k0" to "k<n-1>", or all nulls. */
static struct yl_node *
large_object(size_t n, bool nulls)
{
    struct yl_node *object = yl_node_new_object(&arena);
    size_t i;

    for (i = 0; i < n; i++) {
        char key[32];

        snprintf(key, sizeof key, "k%zu", i);
        yl_node_set(&arena, object, yl_str_c(key),
                    nulls ? yl_node_new_null(&arena)
                          : yl_node_new_int64(&arena, (int64_t) i));
    }
    return object;
}

TEST(large_objects_merge_in_linear_time)
{
    struct yl_node *root, *patch, *other;

    yl_arena_init(&arena);
    root = large_object(100000, false);
    other = yl_node_copy(&arena, root);
    assert_int_equal(yl_merge_apply(&arena, &other,
                                    large_object(100000, false), NULL, NULL),
                     0);
    assert_true(yl_node_equal(root, other));
    assert_int_equal(yl_merge_diff(&arena, root, other, &patch, NULL), 0);
    assert_int_equal(patch->n, 0);
    assert_int_equal(yl_merge_apply(&arena, &other,
                                    large_object(100000, true), NULL, NULL),
                     0);
    assert_int_equal(other->n, 0);
    assert_int_equal(yl_merge_diff(&arena, root, other, &patch, NULL), 0);
    assert_int_equal(patch->n, 100000);
    yl_arena_release(&arena);
}

/* 'n' objects inside each other. */
static struct yl_node *
deep_object(unsigned n)
{
    struct yl_node *root = yl_node_new_object(&arena);
    struct yl_node *node = root;

    while (--n) {
        struct yl_node *child = yl_node_new_object(&arena);

        yl_node_set(&arena, node, YL_STR("a"), child);
        node = child;
    }
    return root;
}

TEST(depth_has_a_ceiling)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root, *patch;

    yl_arena_init(&arena);
    root = deep_object(YL_JSON_MAX_DEPTH);
    assert_int_equal(yl_merge_apply(&arena, &root,
                                    deep_object(YL_JSON_MAX_DEPTH), NULL,
                                    NULL), 0);
    root = tree("{}");
    assert_int_equal(yl_merge_apply(&arena, &root,
                                    deep_object(YL_JSON_MAX_DEPTH + 1), NULL,
                                    &err), YL_ETOODEEP);
    assert_string_equal(yl_error_message(&err), "exceeded max depth of 1000");
    assert_written(root, "{}");
    yl_error_clear(&err);
    assert_int_equal(yl_merge_diff(&arena, root,
                                   deep_object(YL_JSON_MAX_DEPTH + 1), &patch,
                                   &err), YL_ETOODEEP);
    yl_error_clear(&err);
    yl_arena_release(&arena);
}
