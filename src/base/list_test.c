/* Tests of the intrusive list. */

#include "base/list.h"

#include "base/alloc.h"
#include "unit.h"

struct item {
    int value;
    struct yl_list node;
};

/* The values in order, as one decimal number. */
static int
digits(const struct yl_list *list)
{
    struct item *item;
    int n = 0;

    YL_LIST_FOR_EACH (item, node, list) {
        n = n * 10 + item->value;
    }
    assert_null(item);
    return n;
}

TEST(empty_list_has_no_front_and_no_back)
{
    struct yl_list list = YL_LIST_INIT(&list);
    struct yl_list node;

    assert_true(yl_list_is_empty(&list));
    assert_null(yl_list_front(&list));
    assert_null(yl_list_back(&list));
    assert_null(yl_list_pop_front(&list));
    assert_null(yl_list_pop_back(&list));
    assert_int_equal(yl_list_count(&list), 0);
    assert_int_equal(digits(&list), 0);
    yl_list_init(&node);
    yl_list_remove(&node);
    assert_true(yl_list_is_empty(&node));
}

TEST(both_ends_take_and_give)
{
    struct item items[4] = { { .value = 1 }, { .value = 2 }, { .value = 3 },
                             { .value = 4 } };
    struct yl_list list = YL_LIST_INIT(&list);

    yl_list_push_back(&list, &items[1].node);
    yl_list_push_back(&list, &items[3].node);
    yl_list_push_front(&list, &items[0].node);
    yl_list_insert(&items[3].node, &items[2].node);
    assert_int_equal(digits(&list), 1234);
    assert_int_equal(yl_list_count(&list), 4);

    assert_ptr_equal(yl_list_front(&list), &items[0].node);
    assert_ptr_equal(yl_list_back(&list), &items[3].node);
    assert_ptr_equal(yl_list_pop_front(&list), &items[0].node);
    assert_ptr_equal(yl_list_pop_back(&list), &items[3].node);
    assert_int_equal(digits(&list), 23);
    yl_list_remove(&items[1].node);
    assert_true(yl_list_is_empty(&items[1].node));
    yl_list_remove(&items[1].node);
    assert_int_equal(digits(&list), 3);
}

TEST(reverse_walk_goes_back)
{
    struct item items[3] = { { .value = 1 }, { .value = 2 }, { .value = 3 } };
    struct yl_list list = YL_LIST_INIT(&list);
    struct item *item;
    int i, n = 0;

    for (i = 0; i < 3; i++) {
        yl_list_push_back(&list, &items[i].node);
    }
    YL_LIST_FOR_EACH_REVERSE (item, node, &list) {
        n = n * 10 + item->value;
    }
    assert_int_equal(n, 321);
    assert_null(item);
}

TEST(safe_walk_lets_items_be_freed)
{
    struct yl_list list = YL_LIST_INIT(&list);
    struct item *item;
    int i;

    for (i = 1; i <= 5; i++) {
        item = yl_malloc(sizeof *item);
        item->value = i;
        yl_list_push_back(&list, &item->node);
    }
    YL_LIST_FOR_EACH_SAFE (item, node, &list) {
        if (item->value % 2) {
            yl_list_remove(&item->node);
            free(item);
        }
    }
    assert_null(item);
    assert_int_equal(digits(&list), 24);
    YL_LIST_FOR_EACH_SAFE (item, node, &list) {
        free(item);
    }
}

TEST(splice_appends_in_order_and_empties_the_source)
{
    struct item items[4] = { { .value = 1 }, { .value = 2 }, { .value = 3 },
                             { .value = 4 } };
    struct yl_list a = YL_LIST_INIT(&a), b = YL_LIST_INIT(&b);
    int i;

    for (i = 0; i < 4; i++) {
        yl_list_push_back(i < 2 ? &a : &b, &items[i].node);
    }
    yl_list_splice(&a, &b);
    assert_int_equal(digits(&a), 1234);
    assert_true(yl_list_is_empty(&b));
    yl_list_splice(&a, &b);
    assert_int_equal(digits(&a), 1234);
    yl_list_splice(&b, &a);
    assert_int_equal(digits(&b), 1234);
    assert_ptr_equal(yl_list_back(&b), &items[3].node);
}
