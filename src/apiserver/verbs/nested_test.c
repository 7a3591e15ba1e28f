/* Tests of nested fields. */

#include "apiserver/verbs/nested.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

TEST(fields_are_read_as_upstream_reads_them)
{
    static const struct {
        const char *json;
        int64_t value;
        bool found;
        const char *error;      /* Or NULL. */
    } cases[] = {
        { "{\"a\":{\"b\":3}}", 3, true, NULL },
        { "{\"a\":{}}", 0, false, NULL },
        { "{}", 0, false, NULL },
        { "{\"a\":null}", 0, false, NULL },
        { "{\"a\":{\"b\":\"x\"}}", 0, false,
          ".a.b accessor error: x is of the type string, expected int64" },
        { "{\"a\":{\"b\":1.5}}", 0, false,
          ".a.b accessor error: 1.5 is of the type float64, expected int64" },
        { "{\"a\":{\"b\":null}}", 0, false,
          ".a.b accessor error: <nil> is of the type <nil>, expected int64" },
        { "{\"a\":[1]}", 0, false,
          ".a.b accessor error: [1] is of the type []interface {}, expected "
          "map[string]interface{}" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_node *tree;
        int64_t value = -1;
        bool found = false;
        int r;

        assert_int_equal(yl_tree_parse(arena, yl_str_c(cases[i].json), NULL,
                                       &tree, NULL), 0);
        r = yl_nested_int(tree, ".a.b", &value, &found, &err);
        if (cases[i].error) {
            assert_int_equal(r, YL_EINVALID);
            assert_string_equal(yl_error_message(&err), cases[i].error);
        } else {
            assert_int_equal(r, 0);
            assert_int_equal(value, cases[i].value);
            assert_int_equal(found, cases[i].found);
        }
        yl_error_clear(&err);
    }
    yl_arena_free(arena);
}

TEST(a_selector_is_a_text)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *tree;
    struct yl_str text;

    assert_int_equal(yl_tree_parse(arena, YL_STR("{\"s\":\"a=b\",\"t\":{}}"),
                                   NULL, &tree, NULL), 0);
    assert_int_equal(yl_nested_text(tree, ".s", arena, &text, NULL), 0);
    assert_str_equal(text, "a=b");
    assert_int_equal(yl_nested_text(tree, ".none", arena, &text, NULL), 0);
    assert_str_equal(text, "");
    assert_int_equal(yl_nested_text(tree, ".t", arena, &text, NULL),
                     YL_EINVALID);
    yl_arena_free(arena);
}
