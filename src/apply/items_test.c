/* Tests of items of lists. */

#include "apply/items.h"

#include "apply/shape.h"
#include "apply_unit.h"

TEST(items_are_sorted_by_element_side_and_place)
{
    static const char schema[] =
        "{'type':'object','properties':{'l':{'type':'array',"
        "'x-kubernetes-list-type':'set','items':{'type':'integer'}}}}";
    struct yl_item items[8];
    struct yl_shape root, list;
    struct apply_unit u;
    bool declared;
    size_t n;

    apply_init(&u, schema);
    root = yl_shape_root(u.as);
    list = yl_shape_member(&root, YL_STR("l"), NULL, &declared);
    assert_true(declared);
    n = yl_items_add(u.arena, &list, apply_node(u.arena, "[80,9,80]"), 0,
                     items, NULL);
    n += yl_items_add(u.arena, &list, apply_node(u.arena, "[9,100]"), 1,
                      items + n, NULL);
    assert_int_equal(n, 5);
    yl_items_sort(items, n);
    assert_str_equal(yl_path_element_text(&items[0].element), "9");
    assert_int_equal(items[0].side, 0);
    assert_int_equal(items[0].place, 1);
    assert_int_equal(items[1].side, 1);
    assert_int_equal(yl_items_equal(items, n, 0), 2);
    assert_int_equal(yl_items_equal(items, n, 2), 2);
    assert_int_equal(items[2].place, 0);
    assert_int_equal(items[3].place, 2);
    assert_str_equal(yl_path_element_text(&items[4].element), "100");
    assert_int_equal(yl_items_add(u.arena, &list, NULL, 0, items, NULL), 0);
    apply_release(&u);
}

TEST(items_without_keys_equal_no_other)
{
    static const char schema[] =
        "{'type':'object','properties':{'l':{'type':'array',"
        "'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['a'],"
        "'items':{'type':'object','properties':{'a':{'type':'string'}}}}}}";
    struct yl_item items[8];
    struct yl_shape root, list;
    struct apply_unit u;
    bool declared;
    size_t n;

    apply_init(&u, schema);
    root = yl_shape_root(u.as);
    list = yl_shape_member(&root, YL_STR("l"), NULL, &declared);
    n = yl_items_add(u.arena, &list, apply_node(u.arena, "[{},null]"), 0,
                     items, NULL);
    n += yl_items_add(u.arena, &list, apply_node(u.arena, "[{},1]"), 1,
                      items + n, NULL);
    yl_items_sort(items, n);
    assert_int_equal(yl_items_equal(items, n, 0), 1);
    assert_int_equal(yl_items_equal(items, n, 1), 1);
    assert_int_equal(yl_items_equal(items, n, 2), 1);
    apply_release(&u);
}
