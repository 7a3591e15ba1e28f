/* Intrusive binary heap.  See base/heap.h for the contract. */

#include "base/heap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MIN_CAPACITY 16

static bool before(const struct yl_heap_node *, const struct yl_heap_node *);
static void settle(struct yl_heap *, size_t hole, struct yl_heap_node *);

void
yl_heap_init(struct yl_heap *heap)
{
    memset(heap, 0, sizeof *heap);
}

void
yl_heap_release(struct yl_heap *heap)
{
    size_t i;

    for (i = 0; i < heap->count; i++) {
        heap->nodes[i]->place = 0;
    }
    free(heap->nodes);
    yl_heap_init(heap);
}

struct yl_heap_node *
yl_heap_pop(struct yl_heap *heap)
{
    struct yl_heap_node *top = yl_heap_top(heap);

    if (top) {
        yl_heap_remove(heap, top);
    }
    return top;
}

void
yl_heap_push(struct yl_heap *heap, struct yl_heap_node *node, int64_t at)
{
    assert(!yl_heap_node_is_in(node));
    if (heap->count == heap->capacity) {
        heap->capacity = heap->capacity ? heap->capacity * 2 : MIN_CAPACITY;
        heap->nodes = yl_realloc_array(heap->nodes, heap->capacity,
                                       sizeof *heap->nodes);
    }
    node->at = at;
    node->arrival = heap->n_arrivals++;
    settle(heap, heap->count++, node);
}

void
yl_heap_remove(struct yl_heap *heap, struct yl_heap_node *node)
{
    size_t hole = node->place - 1;
    struct yl_heap_node *last;

    assert(hole < heap->count && heap->nodes[hole] == node);
    last = heap->nodes[--heap->count];
    if (last != node) {
        settle(heap, hole, last);
    }
    node->place = 0;
}

void
yl_heap_change(struct yl_heap *heap, struct yl_heap_node *node, int64_t at)
{
    size_t hole = node->place - 1;

    assert(hole < heap->count && heap->nodes[hole] == node);
    if (node->at != at) {
        node->at = at;
        node->arrival = heap->n_arrivals++;
        settle(heap, hole, node);
    }
}

static bool
before(const struct yl_heap_node *a, const struct yl_heap_node *b)
{
    return a->at != b->at ? a->at < b->at : a->arrival < b->arrival;
}

static void
put(struct yl_heap *heap, size_t i, struct yl_heap_node *node)
{
    heap->nodes[i] = node;
    node->place = i + 1;
}

/* Puts 'node' where it belongs, given a hole at index 'hole' of a heap that is
 * in order otherwise: nodes in its way move into the hole, which so travels up
 * or down. */
static void
settle(struct yl_heap *heap, size_t hole, struct yl_heap_node *node)
{
    size_t child;

    while (hole > 0 && before(node, heap->nodes[(hole - 1) / 2])) {
        put(heap, hole, heap->nodes[(hole - 1) / 2]);
        hole = (hole - 1) / 2;
    }
    while ((child = 2 * hole + 1) < heap->count) {
        if (child + 1 < heap->count
            && before(heap->nodes[child + 1], heap->nodes[child])) {
            child++;
        }
        if (!before(heap->nodes[child], node)) {
            break;
        }
        put(heap, hole, heap->nodes[child]);
        hole = child;
    }
    put(heap, hole, node);
}
