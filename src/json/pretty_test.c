/* Tests of JSON for people. */

#include "json/pretty.h"

#include "base/arena.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/error.h"

static int
pretty(const char *text, struct yl_buf *buf)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root;
    int r;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    r = yl_node_write_pretty(buf, root);
    yl_arena_free(arena);
    return r;
}

static void
expect(const char *text, const char *expected)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 16);
    assert_int_equal(pretty(text, &buf), 0);
    assert_str_equal(yl_buf_str(&buf), expected);
    yl_buf_release(&buf);
}

TEST(members_are_sorted_and_indented_by_four)
{
    expect("{\"b\":[1,{\"y\":true,\"x\":null}],\"a\":{}}",
           "{\n"
           "    \"a\": {},\n"
           "    \"b\": [\n"
           "        1,\n"
           "        {\n"
           "            \"x\": null,\n"
           "            \"y\": true\n"
           "        }\n"
           "    ]\n"
           "}\n");
}

TEST(scalars_and_empty_containers_stand_on_one_line)
{
    expect(" 1.50", "1.5\n");
    expect("[ ]", "[]\n");
    expect("{ }", "{}\n");
    expect("\"a\\/\\u0041\"", "\"a/A\"\n");
}

TEST(go_escapes_what_html_and_javascript_stumble_over)
{
    expect("{\"<&>\":\"\xe2\x80\xa8 \xe2\x80\xa9 \xe2\x80\xaa\"}",
           "{\n    \"\\u003c\\u0026\\u003e\": "
           "\"\\u2028 \\u2029 \xe2\x80\xaa\"\n}\n");
}

TEST(number_beyond_a_double_is_an_error)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 16);
    assert_int_equal(pretty("[{\"a\":1e999}]", &buf), YL_ERANGE);
    yl_buf_release(&buf);
}
