/* Tests of json/member.h. */

#include "json/member.h"

#include "builtin_case.h"

TEST(defaults_do_not_touch_what_is_set)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *o =
        case_parse(arena, "{'z':0,'e':'','s':'x','n':null,'f':false}");
    struct yl_buf buf;

    yl_member_default_int(arena, o, "z", 1);
    yl_member_default_str(arena, o, "e", "d");
    yl_member_default_str(arena, o, "s", "d");
    yl_member_default_int_ptr(arena, o, "n", 2);
    yl_member_default_bool_ptr(arena, o, "f", true);
    yl_member_default_str_ptr(arena, o, "new", "");
    assert_non_null(yl_member_make(arena, o, "obj"));
    assert_null(yl_member_make(arena, o, "s"));
    assert_null(yl_member_make(arena, NULL, "s"));
    yl_member_default_str(arena, NULL, "s", "d");
    yl_member_drop(o, "obj");
    yl_member_drop(NULL, "obj");
    yl_buf_init(&buf, 1000);
    yl_node_write_canonical(&buf, o);
    assert_str_equal(yl_buf_str(&buf),
                     "{\"e\":\"d\",\"f\":false,\"n\":2,\"new\":\"\","
                     "\"s\":\"x\",\"z\":1}");
    assert_true(yl_member_is_zero(o, "f"));
    assert_false(yl_member_is_zero(o, "z"));
    assert_false(yl_member_is_absent(o, "f"));
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

/* Most containers have no probes, and there can be a million containers. */
TEST(what_has_no_object_to_go_to_is_not_made)
{
    struct yl_arena *none = NULL;

    yl_member_default_int(none, NULL, "a", 1);
    yl_member_default_int_ptr(none, NULL, "a", 1);
    yl_member_default_bool_ptr(none, NULL, "a", true);
    yl_member_default_str(none, NULL, "a", "b");
    yl_member_default_str_ptr(none, NULL, "a", "b");
    yl_member_set_str(none, NULL, "a", "b");
}
