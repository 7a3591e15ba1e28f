/* Tests of finding and ordering the elements of lists. */

#include "schema/strategic_list.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

static struct yl_node *
parse(struct yl_arena *arena, const char *text)
{
    struct yl_node *node;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &node, NULL),
                     0);
    return node;
}

TEST(scalars_are_equal_as_in_go)
{
    static const char text[] = "[null,true,false,1,1.0,2.5,\"a\",\"\\u0061\","
                               "[],{},1e400]";
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *list = parse(arena, text);
    struct yl_node *a, *b;
    size_t i = 0, j;

    YL_NODE_FOR_EACH (a, list) {
        j = 0;
        YL_NODE_FOR_EACH (b, list) {
            bool strings = i >= 6 && i <= 7 && j >= 6 && j <= 7;
            bool comparable = i < 8;

            assert_int_equal(yl_scalar_equal(a, b),
                             strings || (i == j && comparable));
            j++;
        }
        i++;
    }
    assert_false(yl_scalar_equal(NULL, NULL));
    yl_arena_free(arena);
}

TEST(first_of_equals_is_found)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *list = parse(arena, "[{\"k\":1},{\"k\":1},{\"k\":{}},{},"
                                        "{\"k\":-0.0},5]");
    struct yl_node *zero = parse(arena, "0.0");
    struct yl_elements elements;
    struct yl_element *element;

    yl_elements_init(&elements, arena, YL_STR("k"));
    yl_elements_add_list(&elements, list);
    element = yl_elements_find(&elements, yl_node_new_int64(arena, 1));
    assert_ptr_equal(element->node, yl_node_at(list, 0));
    assert_ptr_equal(element->equal->node, yl_node_at(list, 1));
    assert_null(element->equal->equal);
    assert_int_equal(yl_elements_find(&elements, zero)->rank, 4);
    assert_null(yl_elements_find(&elements, yl_node_new_object(arena)));
    assert_null(yl_elements_find(&elements, NULL));
    yl_elements_remove(&elements, element);
    assert_null(yl_elements_find(&elements, yl_node_new_int64(arena, 1)));
    yl_elements_release(&elements);
    yl_arena_free(arena);
}

TEST(long_lists_are_ordered)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *list = yl_node_new_array(arena);
    struct yl_node *order = yl_node_new_array(arena);
    struct yl_elements wanted, server;
    struct yl_node *node;
    int64_t i, n = 0, value;

    for (i = 0; i < 1000; i++) {
        yl_node_append(list, yl_node_new_int64(arena, i));
        yl_node_append(order, yl_node_new_int64(arena, 999 - i));
    }
    yl_elements_init(&wanted, arena, yl_str_null());
    yl_elements_init(&server, arena, yl_str_null());
    yl_elements_add_list(&wanted, order);
    yl_elements_order(list, &wanted, &server);
    YL_NODE_FOR_EACH (node, list) {
        yl_node_int64(node, &value);
        assert_int_equal(value, 999 - n);
        n++;
    }
    assert_int_equal(n, 1000);
    yl_elements_release(&wanted);
    yl_elements_release(&server);
    yl_arena_free(arena);
}
