/* Tests of scalars; the forms are tested with normalising. */

#include "schema/scalar.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

TEST(zeros_are_what_go_writes)
{
    static const struct {
        enum yl_value_kind kind;
        const char *json;
    } cases[] = {
        { YL_VALUE_BOOL, "false" },     { YL_VALUE_INT32, "0" },
        { YL_VALUE_INT64, "0" },        { YL_VALUE_DOUBLE, "0" },
        { YL_VALUE_STRING, "\"\"" },    { YL_VALUE_BYTES, "null" },
        { YL_VALUE_TIME, "null" },      { YL_VALUE_MICRO_TIME, "null" },
        { YL_VALUE_DURATION, "\"0s\"" }, { YL_VALUE_QUANTITY, "\"0\"" },
        { YL_VALUE_INT_OR_STRING, "0" }, { YL_VALUE_RAW, "null" },
        { YL_VALUE_EMBEDDED, "null" },  { YL_VALUE_LIST, "null" },
        { YL_VALUE_MAP, "null" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        yl_buf_clear(&buf);
        yl_node_write(&buf, yl_scalar_zero(arena, cases[i].kind));
        assert_str_equal(yl_buf_str(&buf), cases[i].json);
    }
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(containers_are_no_scalars)
{
    assert_true(yl_scalar_is(YL_VALUE_TIME));
    assert_true(yl_scalar_is(YL_VALUE_RAW));
    assert_false(yl_scalar_is(YL_VALUE_STRUCT));
    assert_false(yl_scalar_is(YL_VALUE_LIST));
    assert_false(yl_scalar_is(YL_VALUE_MAP));
}

TEST(zeros_are_known)
{
    static const struct {
        enum yl_value_kind kind;
        const char *json;
        bool zero;
    } cases[] = {
        { YL_VALUE_BOOL, "false", true },
        { YL_VALUE_BOOL, "true", false },
        { YL_VALUE_INT32, "-0", true },
        { YL_VALUE_DOUBLE, "0.0", true },
        { YL_VALUE_DOUBLE, "0.1", false },
        { YL_VALUE_STRING, "\"\"", true },
        { YL_VALUE_STRING, "\"a\"", false },
        { YL_VALUE_DURATION, "\"0\"", true },
        { YL_VALUE_QUANTITY, "\"0Ki\"", true },
        { YL_VALUE_TIME, "\"0001-01-01T00:00:00Z\"", true },
        { YL_VALUE_INT_OR_STRING, "0", true },
        { YL_VALUE_INT_OR_STRING, "\"\"", false },
        { YL_VALUE_BYTES, "\"\"", false },
        { YL_VALUE_RAW, "0", false },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_scalar_fault fault;
    struct yl_node *list, *node;
    size_t i;
    bool zero;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = yl_arena_printf(arena, "[%s]", cases[i].json);

        assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &list,
                                       NULL), 0);
        node = list->first;
        assert_int_equal(yl_scalar_normalize(arena, cases[i].kind, &node,
                                             &zero, &fault), YL_SCALAR_OK);
        assert_int_equal(zero, cases[i].zero);
        assert_ptr_equal(node->parent, list);
    }
    yl_arena_free(arena);
}
