/* Tests of the intrusive binary heap. */

#include "base/heap.h"

#include "base/alloc.h"
#include "unit.h"

/* A small generator, so that a failure repeats. */
static uint32_t
next_number(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static void
check_order(const struct yl_heap *heap)
{
    size_t i;

    for (i = 0; i < heap->count; i++) {
        const struct yl_heap_node *node = heap->nodes[i];
        const struct yl_heap_node *parent = heap->nodes[i ? (i - 1) / 2 : 0];

        assert_int_equal(node->place, i + 1);
        assert_true(parent->at < node->at
                    || (parent->at == node->at
                        && parent->arrival <= node->arrival));
    }
}

TEST(zeros_are_an_empty_heap)
{
    struct yl_heap heap = YL_HEAP_INIT;
    struct yl_heap_node node = { 0, 0, 0 };

    assert_null(yl_heap_top(&heap));
    assert_null(yl_heap_pop(&heap));
    assert_int_equal(yl_heap_count(&heap), 0);
    assert_false(yl_heap_node_is_in(&node));
    yl_heap_release(&heap);
}

TEST(nodes_come_out_by_time_and_equal_ones_by_arrival)
{
    static const int64_t times[] = { 5, 3, 5, INT64_MIN, 3, INT64_MAX, 5 };
    static const int expected[] = { 3, 1, 4, 0, 2, 6, 5 };
    struct yl_heap_node nodes[7];
    struct yl_heap heap;
    int i;

    memset(nodes, 0, sizeof nodes);
    yl_heap_init(&heap);
    for (i = 0; i < 7; i++) {
        yl_heap_push(&heap, &nodes[i], times[i]);
        assert_true(yl_heap_node_is_in(&nodes[i]));
    }
    for (i = 0; i < 7; i++) {
        assert_ptr_equal(yl_heap_top(&heap), &nodes[expected[i]]);
        assert_ptr_equal(yl_heap_pop(&heap), &nodes[expected[i]]);
        assert_false(yl_heap_node_is_in(&nodes[expected[i]]));
    }
    assert_null(yl_heap_pop(&heap));
    yl_heap_release(&heap);
}

TEST(changed_node_arrives_anew_but_an_unchanged_one_stays)
{
    struct yl_heap_node a = { 0 }, b = { 0 }, c = { 0 };
    struct yl_heap heap = YL_HEAP_INIT;

    yl_heap_push(&heap, &a, 10);
    yl_heap_push(&heap, &b, 20);
    yl_heap_push(&heap, &c, 20);
    yl_heap_change(&heap, &b, 20);
    yl_heap_change(&heap, &a, 20);
    assert_ptr_equal(yl_heap_pop(&heap), &b);
    assert_ptr_equal(yl_heap_pop(&heap), &c);
    assert_ptr_equal(yl_heap_pop(&heap), &a);
    yl_heap_release(&heap);
}

TEST(random_pushes_removes_and_changes_keep_the_order)
{
    enum { N = 300 };
    struct yl_heap_node *nodes = yl_zalloc(N * sizeof *nodes);
    struct yl_heap heap = YL_HEAP_INIT;
    uint32_t seed = 1;
    int64_t last = INT64_MIN;
    size_t n_in = 0;
    int i;

    for (i = 0; i < 5000; i++) {
        struct yl_heap_node *node = &nodes[next_number(&seed) % N];
        int64_t at = (int64_t) (next_number(&seed) % 50) - 25;

        if (!yl_heap_node_is_in(node)) {
            yl_heap_push(&heap, node, at);
            n_in++;
        } else if (next_number(&seed) % 3) {
            yl_heap_change(&heap, node, at);
        } else {
            yl_heap_remove(&heap, node);
            n_in--;
        }
        assert_int_equal(yl_heap_count(&heap), n_in);
        if (i % 50 == 0) {
            check_order(&heap);
        }
    }
    while (yl_heap_top(&heap)) {
        assert_true(last <= yl_heap_top(&heap)->at);
        last = yl_heap_pop(&heap)->at;
        n_in--;
    }
    assert_int_equal(n_in, 0);
    yl_heap_release(&heap);
    free(nodes);
}

TEST(release_lets_the_nodes_go)
{
    struct yl_heap_node node = { 0 };
    struct yl_heap heap = YL_HEAP_INIT;

    yl_heap_push(&heap, &node, 1);
    yl_heap_release(&heap);
    assert_false(yl_heap_node_is_in(&node));
    yl_heap_push(&heap, &node, 2);
    assert_ptr_equal(yl_heap_top(&heap), &node);
    yl_heap_release(&heap);
}
