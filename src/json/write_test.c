/* Tests of writing a tree. */

#include "json/tree.h"

#include "base/arena.h"
#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"

static struct yl_arena arena;

static struct yl_node *
tree(const char *text, bool canonical)
{
    const struct yl_tree_opts opts = { .canonical = canonical };
    char *copy = yl_arena_strdup(&arena, yl_str_c(text));
    struct yl_node *root;
    char *p;

    for (p = copy; *p; p++) {
        if (*p == '\'') {
            *p = '"';
        }
    }
    assert_int_equal(yl_tree_parse(&arena, yl_str_c(copy), &opts, &root, NULL),
                     0);
    return root;
}

/* The canonical form must be 'expected', with ' for ". */
static void
assert_canonical(const struct yl_node *node, const char *expected)
{
    struct yl_buf buf;
    char *p;

    yl_buf_init(&buf, 1 << 20);
    assert_int_equal(yl_node_write_canonical(&buf, node), 0);
    for (p = buf.data; p < buf.data + buf.size; p++) {
        if (*p == '"') {
            *p = '\'';
        }
    }
    assert_str_equal(yl_buf_str(&buf), expected);
    yl_buf_release(&buf);
}

TEST(canonical_form)
{
    static const char *const cases[][2] = {
        { " null ", "null" },
        { "true", "true" },
        { "false", "false" },
        { "1.0", "1" },
        { "1E3", "1000" },
        { "-0.0", "0" },
        { "12345678901234567890", "12345678901234567000" },
        { "'a'", "'a'" },
        { "'\\u0061\\/'", "'a/'" },
        { "'\\u00e9\\u000A\\u001F'", "'\xc3\xa9\\n\\u001f'" },
        { "'\\ud83d\\ude00'", "'\xf0\x9f\x98\x80'" },
        { " [ 1 , 2.50 , [ ] ] ", "[1,2.5,[]]" },
        { "{ }", "{}" },
        { "{ 'b' : 1 , 'a' : { 'd' : 1 , 'c' : [ { 'z' : 1 , 'y' : 2 } ] } }",
          "{'a':{'c':[{'y':2,'z':1}],'d':1},'b':1}" },
        { "{'b':1,'a':2,'b':3}", "{'a':2,'b':3}" },
        { "{'a':1,'':2,'A':3,'aa':4,'\\u0061b':5}",
          "{'':2,'A':3,'a':1,'aa':4,'ab':5}" },
        { "{'\xc3\xa9':1,'z':2,'\\n':3}", "{'\\n':3,'z':2,'\xc3\xa9':1}" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        yl_arena_init(&arena);
        assert_canonical(tree(cases[i][0], false), cases[i][1]);

        /* Once more gives the same, read as canonical or not. */
        assert_canonical(tree(cases[i][1], false), cases[i][1]);
        assert_canonical(tree(cases[i][1], true), cases[i][1]);
        yl_arena_release(&arena);
    }
}

TEST(what_is_known_to_be_canonical_is_copied)
{
    struct yl_node *root;

    /* It is not canonical, which shows that nobody looks. */
    yl_arena_init(&arena);
    root = tree("{'b':{ 'y':1.0, 'x':2.0 },'a':[ 3.0 ]}", true);
    assert_canonical(root, "{'b':{ 'y':1.0, 'x':2.0 },'a':[ 3.0 ]}");

    /* A change costs only what is above it its bytes. */
    yl_node_append(yl_node_get(root, YL_STR("a")), yl_node_new_null(&arena));
    assert_canonical(root, "{'a':[3.0,null],'b':{ 'y':1.0, 'x':2.0 }}");

    /* Nothing is canonical unless it was said to be. */
    root = tree("[ 1.0 , true , 'a' , { } ]", false);
    assert_canonical(root, "[1,true,'a',{}]");
    yl_arena_release(&arena);
}

TEST(many_members_are_sorted)
{
    char expected[4096] = "{";
    struct yl_node *root;
    unsigned i, n;

    for (n = 1; n <= 100; n += 33) {
        yl_arena_init(&arena);
        root = yl_node_new_object(&arena);
        expected[1] = '\0';
        for (i = 0; i < n; i++) {
            char member[32];

            snprintf(member, sizeof member, "%02u", n - 1 - i);
            yl_node_set(&arena, root, yl_str_c(member),
                        yl_node_new_null(&arena));
            snprintf(expected + strlen(expected),
                     sizeof expected - strlen(expected), "%s'%02u':null",
                     i ? "," : "", i);
        }
        snprintf(expected + strlen(expected),
                 sizeof expected - strlen(expected), "}");
        assert_canonical(root, expected);
        yl_arena_release(&arena);
    }
}

TEST(numbers_out_of_range_have_no_canonical_form)
{
    static const char *const texts[] = {
        "1e400", "[1e400]", "{'b':[-1e400],'a':1}",
        "{'c':{'b':1e400},'a':1,'d':2}",
    };
    struct yl_buf buf;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        yl_arena_init(&arena);
        yl_buf_init(&buf, 1024);
        assert_int_equal(yl_node_write_canonical(&buf, tree(texts[i], false)),
                         YL_ERANGE);

        /* As its bytes it can be written. */
        yl_buf_clear(&buf);
        yl_node_write(&buf, tree(texts[i], false));
        assert_int_equal(yl_buf_error(&buf), 0);
        yl_buf_release(&buf);
        yl_arena_release(&arena);
    }
}

TEST(the_ceiling_of_the_buffer_holds)
{
    struct yl_node *root;
    struct yl_buf buf;

    yl_arena_init(&arena);
    root = tree("{'a':[1,2,3],'b':'\\u0061'}", false);
    yl_buf_init(&buf, 5);
    yl_node_write(&buf, root);
    assert_int_equal(yl_buf_error(&buf), YL_ETOOBIG);
    yl_buf_clear(&buf);
    yl_node_write_canonical(&buf, root);
    assert_int_equal(yl_buf_error(&buf), YL_ETOOBIG);
    yl_buf_release(&buf);
    yl_arena_release(&arena);
}

TEST(keys_are_escaped_when_they_are_spelled_out)
{
    struct yl_node *root;
    struct yl_buf buf;

    yl_arena_init(&arena);
    yl_buf_init(&buf, 1024);
    root = tree("{'a\\nb':1}", false);
    yl_node_set(&arena, root, YL_STR("c\"\x01"), yl_node_new_null(&arena));
    yl_node_write(&buf, root);
    assert_str_equal(yl_buf_str(&buf),
                     "{\"a\\nb\":1,\"c\\\"\\u0001\":null}");
    yl_buf_release(&buf);
    yl_arena_release(&arena);
}
