/* Tests of printing as Go does. */

#include "schema/go_print.h"

#include "json/tree.h"
#include "schema/field_error.h"
#include "unit.h"
#include "yuloh/arena.h"

TEST(values_are_printed_as_go_does)
{
    static const struct {
        const char *json, *text, *type;
    } cases[] = {
        { "{\"b\":[\"x\",1,2.50,true],\"a\":null,\"c\":{}}",
          "map[a:<nil> b:[x 1 2.5 true] c:map[]]", "map[string]interface {}" },
        { "[]", "[]", "[]interface {}" },
        { "\"a\\u0062\"", "ab", "string" },
        { "1", "1", "int64" },
        { "1.0", "1", "float64" },
        { "1e21", "1e+21", "float64" },
        { "false", "false", "bool" },
        { "null", "<nil>", "%!s(<nil>)" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *node;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(yl_tree_parse(arena, yl_str_c(cases[i].json), NULL,
                                       &node, NULL), 0);
        yl_buf_clear(&buf);
        yl_go_print(&buf, node);
        assert_str_equal(yl_buf_str(&buf), cases[i].text);
        assert_string_equal(yl_go_type(node), cases[i].type);
    }
    yl_buf_clear(&buf);
    yl_go_print(&buf, NULL);
    assert_str_equal(yl_buf_str(&buf), "<nil>");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(long_values_are_cut)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *list = yl_node_new_array(arena);
    struct yl_buf buf;
    size_t i;

    for (i = 0; i < YL_FIELD_TEXT_MAX; i++) {
        yl_node_append(list, yl_node_new_string(arena,
                                                YL_STR("\xc3\xa9\xc3\xa9")));
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_go_print(&buf, list);
    assert_in_range(buf.size, YL_FIELD_TEXT_MAX, YL_FIELD_TEXT_MAX + 3);
    assert_true(yl_str_ends_with(yl_buf_str(&buf), YL_STR("\xa9...")));
    yl_buf_release(&buf);
    yl_arena_free(arena);
}
