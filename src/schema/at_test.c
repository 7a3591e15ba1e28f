/* Tests of schema/at.h. */

#include "schema/at.h"

#include "builtin_case.h"
#include "json/member.h"

TEST(null_and_wrong_types_read_as_absent)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_at root = yl_at_root(case_parse(
        arena, "{'a':null,'n':'x','s':1,'b':0,'o':[1],'t':true,'i':7}"));
    struct yl_at a = yl_at(&root, "a");

    assert_false(yl_at_has(&a));
    assert_false(yl_at_get_has(&root, "none"));
    assert_int_equal(yl_at_get_int(&root, "n"), 0);
    assert_str_equal(yl_at_get_str(&c, &root, "s"), "");
    assert_false(yl_at_get_bool(&root, "b"));
    assert_true(yl_at_get_bool(&root, "t"));
    assert_int_equal(yl_at_get_int(&root, "i"), 7);
    assert_true(yl_at_get_is(&root, "none", ""));
    assert_true(yl_at_get_is(&root, "n", "x"));
    assert_null(yl_member_object(root.node, "o"));
    assert_non_null(yl_member_array(root.node, "o"));
    assert_null(yl_member_array(root.node, "n"));
    assert_null(yl_member_object(NULL, "n"));
    yl_arena_free(arena);
}

TEST(paths_name_where_a_field_stands)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_at root = yl_at_root(case_parse(
        arena, "{'spec':{'list':[{},{}],'map':{'k':1}}}"));
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at list = yl_at(&spec, "list");
    struct yl_at map = yl_at(&spec, "map");
    struct yl_at none = yl_at(&spec, "none");
    struct yl_buf buf;
    int n = 0;

    yl_buf_init(&buf, 1000);
    YL_AT_FOR_EACH (item, &list) {
        struct yl_at name = yl_at(&item, "name");

        yl_field_path_write(&buf, yl_at_path(&name));
        yl_buf_append_char(&buf, ' ');
    }
    YL_AT_FOR_EACH (item, &map) {
        yl_field_path_write(&buf, yl_at_path(&item));
    }
    YL_AT_FOR_EACH (item, &none) {
        n++;
    }
    assert_str_equal(yl_buf_str(&buf),
                     "spec.list[0].name spec.list[1].name spec.map[k]");
    assert_int_equal(n, 0);
    assert_null(yl_at_path(&root));
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(a_check_ends_when_there_is_no_room_for_causes)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_at list = yl_at_root(case_parse(arena, "[1,2,3]"));
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { arena, &err }, unheard = { arena, NULL };
    size_t n = 0;

    YL_CHECK_FOR_EACH (&unheard, item, &list) {
        n++;
    }
    YL_CHECK_FOR_EACH (&c, item, &list) {
        n++;
    }
    assert_int_equal(n, 6);
    while (err.n_causes < YL_MAX_CAUSES - 1) {
        yl_error_add_cause(&err, YL_STR("r"), YL_STR("m"), YL_STR("f"));
    }
    YL_CHECK_FOR_EACH (&c, item, &list) {
        yl_error_add_cause(&err, YL_STR("r"), YL_STR("m"), YL_STR("f"));
        n++;
    }
    assert_int_equal(n, 7);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(quantities_are_read_from_texts_and_numbers)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *o = case_parse(arena, "{'a':' 1Gi "
                                          "','b':2,'c':'x','d':[]}");
    struct yl_quantity q;

    assert_true(yl_node_quantity(arena, yl_node_get(o, YL_STR("a")), &q));
    assert_int_equal(yl_quantity_value(&q), 1 << 30);
    assert_true(yl_node_quantity(arena, yl_node_get(o, YL_STR("b")), &q));
    assert_int_equal(yl_quantity_value(&q), 2);
    assert_false(yl_node_quantity(arena, yl_node_get(o, YL_STR("c")), &q));
    assert_false(yl_node_quantity(arena, yl_node_get(o, YL_STR("d")), &q));
    yl_arena_free(arena);
}
