#ifndef BASE_HEAP_H
#define BASE_HEAP_H 1

/* Intrusive binary heap: which node is due next.
 *
 * A struct that is to be scheduled embeds a struct yl_heap_node.  The node
 * with the smallest 'at' is on top; among equals, the one that arrived first.
 * 'at' is a time for most users, but may be any number.
 *
 * Guarantees
 * ==========
 *
 *   - Nodes come out in the order of (at, arrival).  A node whose 'at' changes
 *     arrives anew.
 *
 *   - Reading the top takes constant time.  Everything else takes logarithmic
 *     time, in the worst case too, except for a push that has to grow the
 *     array.
 *
 *   - A heap of zeros is empty and holds no memory; a node of zeros is in no
 *     heap.
 *
 * Ownership
 * =========
 *
 * The heap owns its array of pointers, never the nodes.
 *
 * Threads
 * =======
 *
 * None of its own: code that shares a heap between threads must lock it.
 *
 * Usage
 * =====
 *
 *     struct timer { struct yl_heap_node by_time; ... };
 *
 *     yl_heap_push(&heap, &timer->by_time, now + 100);
 *     while ((node = yl_heap_top(&heap)) != NULL && node->at <= now) {
 *         timer = YL_CONTAINER_OF(yl_heap_pop(&heap), struct timer, by_time);
 *         ...
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct yl_heap_node {
    int64_t at;                 /* Read it; yl_heap_change() writes it. */
    uint64_t arrival;           /* Breaks ties. */
    size_t place;               /* Index in the array, plus 1; 0 if in none. */
};

struct yl_heap {
    struct yl_heap_node **nodes;    /* nodes[i] <= nodes[2i+1], nodes[2i+2]. */
    size_t count;
    size_t capacity;            /* Pointers that 'nodes' has room for. */
    uint64_t n_arrivals;        /* Pushes and changes so far. */
};

#define YL_HEAP_INIT { NULL, 0, 0, 0 }

void yl_heap_init(struct yl_heap *);

/* Frees the array.  Nodes that are still in it are forgotten, and count as in
 * no heap afterwards. */
void yl_heap_release(struct yl_heap *);

static inline size_t
yl_heap_count(const struct yl_heap *heap)
{
    return heap->count;
}

/* Whether 'node' is in a heap. */
static inline bool
yl_heap_node_is_in(const struct yl_heap_node *node)
{
    return node->place != 0;
}

/* The first node, or NULL; pop also takes it out. */
static inline struct yl_heap_node *
yl_heap_top(const struct yl_heap *heap)
{
    return heap->count ? heap->nodes[0] : NULL;
}

struct yl_heap_node *yl_heap_pop(struct yl_heap *);

/* Adds 'node', which must be in no heap. */
void yl_heap_push(struct yl_heap *, struct yl_heap_node *node, int64_t at);

/* Takes 'node' out; it must be in this heap. */
void yl_heap_remove(struct yl_heap *, struct yl_heap_node *node);

/* Changes the 'at' of 'node', which must be in this heap.  It comes after the
 * nodes that have the same 'at' already; if its own 'at' does not change, it
 * keeps its place. */
void yl_heap_change(struct yl_heap *, struct yl_heap_node *node, int64_t at);

#endif /* base/heap.h */
