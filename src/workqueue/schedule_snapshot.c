/* A copy of what a schedule holds.  See workqueue/schedule.h.
 *
 * A heap's array is only partly in order.  To list its first nodes without
 * sorting all of them, a second heap holds those that may be next: the top,
 * and then the two children of each that was listed. */

#include "workqueue/schedule.h"

#include "yuloh/arena.h"

#define NSEC_PER_MSEC 1000000

struct snapshot {
    const struct yl_schedule *schedule;
    struct yl_arena *arena;
    struct yl_workqueue_entry *entries;
    size_t n;
    size_t max;
};

/* A node of the heap that is listed, as a node of the second one. */
struct candidate {
    struct yl_heap_node node;
    size_t index;
};

static void add_work(struct snapshot *, const struct yl_work *);
static void add_heap(struct snapshot *, const struct yl_heap *,
                     int64_t at_least, int64_t at_most);

size_t
yl_schedule_snapshot(const struct yl_schedule *schedule, size_t max,
                     struct yl_arena *arena,
                     const struct yl_workqueue_entry **ret_entries)
{
    struct snapshot snapshot = { .schedule = schedule, .arena = arena };
    const struct yl_work *work;

    snapshot.max = yl_map_count(&schedule->works);
    if (snapshot.max > max) {
        snapshot.max = max;
    }
    snapshot.entries = yl_arena_array(arena, snapshot.max,
                                      sizeof *snapshot.entries);
    YL_LIST_FOR_EACH (work, in_list, &schedule->out) {
        add_work(&snapshot, work);
    }
    add_heap(&snapshot, &schedule->ranked, INT64_MIN, -1);
    YL_LIST_FOR_EACH (work, in_list, &schedule->ready) {
        if (snapshot.n == snapshot.max) {
            break;
        }
        add_work(&snapshot, work);
    }
    add_heap(&snapshot, &schedule->ranked, 1, INT64_MAX);
    add_heap(&snapshot, &schedule->waiting, INT64_MIN, INT64_MAX);
    if (snapshot.n < snapshot.max) {
        YL_MAP_FOR_EACH (work, by_key, &schedule->works) {
            if (work->state == YL_WORKQUEUE_IDLE) {
                add_work(&snapshot, work);
            }
        }
    }
    *ret_entries = snapshot.entries;
    return snapshot.n;
}

static void
add_work(struct snapshot *snapshot, const struct yl_work *work)
{
    struct yl_workqueue_entry *entry;

    if (snapshot->n == snapshot->max) {
        return;
    }
    entry = &snapshot->entries[snapshot->n++];
    *entry = (struct yl_workqueue_entry) {
        .key = yl_key_copy(&work->key, snapshot->arena),
        .state = work->state,
        .when = YL_NEVER,
        .since = YL_NEVER,
        .priority = work->priority,
        .n_requeues = work->n_requeues,
    };
    if (work->state == YL_WORKQUEUE_WAITING) {
        entry->when = work->in_heap.at;
    } else if (work->state == YL_WORKQUEUE_OUT) {
        entry->when = work->again;
        if (snapshot->schedule->metrics) {
            entry->since = work->out_since / NSEC_PER_MSEC;
        }
    }
}

/* Adds what 'heap' has from 'at_least' to 'at_most', in order. */
static void
add_heap(struct snapshot *snapshot, const struct yl_heap *heap,
         int64_t at_least, int64_t at_most)
{
    struct yl_heap next = YL_HEAP_INIT;
    struct candidate *candidate;
    struct yl_heap_node *node;
    size_t index = 0;

    for (;;) {
        size_t i;

        for (i = index; i < index + 2 && i < heap->count; i++) {
            /* The top has no sibling. */
            if (heap->nodes[i]->at <= at_most) {
                candidate = yl_arena_zalloc(snapshot->arena,
                                            sizeof *candidate);
                candidate->index = i;
                yl_heap_push(&next, &candidate->node, heap->nodes[i]->at);
            }
            if (i == 0) {
                break;
            }
        }
        if (snapshot->n == snapshot->max
            || (node = yl_heap_pop(&next)) == NULL) {
            break;
        }
        candidate = YL_CONTAINER_OF(node, struct candidate, node);
        if (node->at >= at_least) {
            add_work(snapshot, YL_CONTAINER_OF(heap->nodes[candidate->index],
                                               struct yl_work, in_heap));
        }
        index = 2 * candidate->index + 1;
    }
    yl_heap_release(&next);
}
