/* Tests of builtin/go/go_value.h. */

#include "builtin/go/go_value.h"

#include "builtin_case.h"

static const struct yl_go_field inner[] = {
    { "X", "x", YL_GO_INT, NULL },
    { NULL, NULL, YL_GO_POINTER, NULL },
};
static const struct yl_go_field fields[] = {
    { "Name", "name", YL_GO_STRING, NULL },
    { "On", "on", YL_GO_BOOL, NULL },
    { "Ptr", "ptr", YL_GO_POINTER, NULL },
    { "In", "in", YL_GO_STRUCT, inner },
    { "InPtr", "inPtr", YL_GO_STRUCT_POINTER, inner },
    { "List", "list", YL_GO_STRUCT_SLICE, inner },
    { NULL, NULL, YL_GO_POINTER, NULL },
};

TEST(every_field_is_shown_set_or_not)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };

    assert_str_equal(yl_bad_struct(&c, NULL, fields).text,
                     "{\"Name\":\"\",\"On\":false,\"Ptr\":null,"
                     "\"In\":{\"X\":0},\"InPtr\":null,\"List\":null}");
    assert_str_equal(
        yl_bad_struct(&c, case_parse(arena, "{'name':'a','on':true,'ptr':1,"
                                            "'in':{'x':2},'inPtr':{},"
                                            "'list':[{'x':3},{}]}"),
                      fields).text,
        "{\"Name\":\"a\",\"On\":true,\"Ptr\":1,\"In\":{\"X\":2},"
        "\"InPtr\":{\"X\":0},\"List\":[{\"X\":3},{\"X\":0}]}");
    yl_arena_free(arena);
}

TEST(duplicates_can_say_why)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, &err };
    struct yl_at root = yl_at_root(NULL);
    struct yl_at at = yl_at(&root, "x");

    yl_field_duplicate_because(&c, &at, yl_bad_int(1), "twice");
    yl_field_not_found_because(&c, &at, yl_bad_int(2), "nowhere");
    assert_int_equal(err.code, YL_EINVALID);
    assert_string_equal(err.causes[0].message, "Duplicate value: 1: twice");
    assert_string_equal(err.causes[1].message, "Not found: 2: nowhere");
    assert_string_equal(err.causes[1].reason, "FieldValueNotFound");
    yl_error_clear(&err);
    yl_arena_free(arena);
}
