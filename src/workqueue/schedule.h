#ifndef WORKQUEUE_SCHEDULE_H
#define WORKQUEUE_SCHEDULE_H 1

/* Schedule: the work queue without its lock and its clock.
 *
 * A pure machine: keys and times go in, the key that is next comes out.
 * workqueue.c puts a mutex around it and makes workers wait.
 *
 *               add                 promote           take
 *     IDLE ------------> WAITING -----------> READY --------> OUT
 *       \________________________________________^             |
 *                    add without a delay         |   put_back  |
 *                                                +-------------+
 *                                         (if added meanwhile, else IDLE)
 *
 * Nearly all keys have priority 0, and ready keys of one priority need no more
 * than a list.  Only those with another priority go to a heap.  So keys of
 * priority 0 cost a constant time, however many there are.
 *
 * Guarantees
 * ==========
 *
 *   - A work is in the map from the first add until nothing is known of it:
 *     not scheduled, not out, no failures counted.  Then it is freed.
 *
 *   - yl_schedule_promote() with the present time before each add and take
 *     makes ready keys come out in the order in which they became ready.
 *
 * Threads
 * =======
 *
 * None of its own: workqueue.c locks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/list.h"
#include "base/map.h"
#include "yuloh/clock.h"
#include "yuloh/key.h"
#include "yuloh/workqueue.h"

struct yl_queue_metrics;        /* workqueue/queue_metrics.h */

/* A time before every other: "at once". */
#define YL_AT_ONCE INT64_MIN

struct yl_work {
    struct yl_key key;          /* Slices of 'text'.  It is what get lends. */
    struct yl_map_node by_key;  /* In yl_schedule's 'works'. */
    enum yl_workqueue_state state;
    int priority;               /* If WAITING, READY or OUT. */
    unsigned n_requeues;        /* Failures since it was forgotten. */
    int again_priority;         /* If OUT, and 'again' is not YL_NEVER. */

    /* It is in a heap or in a list, never in both. */
    union {
        struct yl_heap_node in_heap;    /* In 'waiting' or 'ranked'. */
        struct {
            struct yl_list in_list;     /* In 'ready' or 'out', or 'spares'. */
            yl_msec again;              /* If OUT: when it comes out again. */
        };
    };

    /* For metrics, in nanoseconds; only kept if there are any. */
    int64_t dirty_since;        /* When it was asked for. */
    int64_t out_since;          /* If OUT: when it was lent. */

    char text[];                /* Namespace and name. */
};

struct yl_schedule {
    struct yl_map works;        /* All of them, by key. */
    struct yl_list ready;       /* READY with priority 0, first come first. */
    struct yl_heap ranked;      /* READY with another priority, highest on
                                 * top: 'at' is the negative priority. */
    struct yl_heap waiting;     /* WAITING, by time. */
    struct yl_list out;         /* OUT. */
    size_t n_ready;             /* In 'ready' and 'ranked'. */
    size_t n_out;

    struct yl_list spares;      /* Freed works, to be used again: a queue
                                 * makes and frees one for each key that
                                 * passes through it. */
    size_t n_spares;

    struct yl_queue_metrics *metrics;   /* NULL: none. */
};

/* What an add has changed. */
enum yl_schedule_change {
    YL_SCHEDULE_SAME,           /* Nothing that a waiting worker must know. */
    YL_SCHEDULE_READY,          /* There is a key more to take. */
    YL_SCHEDULE_SOONER,         /* The first that waits is due earlier. */
};

void yl_schedule_init(struct yl_schedule *, struct yl_queue_metrics *);
void yl_schedule_release(struct yl_schedule *);

/* The work of 'key', whose yl_key_hash() is 'hash'.  The first returns NULL if
 * there is none, the second makes one that is IDLE. */
struct yl_work *yl_schedule_find(const struct yl_schedule *,
                                 const struct yl_key *key, size_t hash);
struct yl_work *yl_schedule_find_or_add(struct yl_schedule *,
                                        const struct yl_key *key, size_t hash);

/* Asks for 'work' at 'when', or YL_AT_ONCE.  'stamp' is the present time in
 * nanoseconds, for the metrics. */
enum yl_schedule_change yl_schedule_add(struct yl_schedule *, struct yl_work *,
                                        yl_msec when, int priority,
                                        int64_t stamp);

/* Makes those ready whose time has come. */
void yl_schedule_promote(struct yl_schedule *, yl_msec now);

/* The first that is ready, which is OUT then, or NULL. */
struct yl_work *yl_schedule_take(struct yl_schedule *, int64_t stamp);

/* Takes back what was OUT; it is freed, or comes out again if it was asked for
 * meanwhile. */
enum yl_schedule_change yl_schedule_put_back(struct yl_schedule *,
                                             struct yl_work *, yl_msec now,
                                             int64_t stamp);

/* Frees 'work' if nothing is known of it. */
void yl_schedule_free_if_unused(struct yl_schedule *, struct yl_work *);

/* Drops everything that would be ready only after 'now', also of the keys that
 * are out. */
void yl_schedule_drop_waiting(struct yl_schedule *, yl_msec now);

/* Copies at most 'max' entries to 'arena'; see yl_workqueue_snapshot(). */
size_t yl_schedule_snapshot(const struct yl_schedule *, size_t max,
                            struct yl_arena *arena,
                            const struct yl_workqueue_entry **ret_entries);

/* When the first that waits is due, or YL_NEVER. */
static inline yl_msec
yl_schedule_next(const struct yl_schedule *schedule)
{
    const struct yl_heap_node *top = yl_heap_top(&schedule->waiting);

    return top ? top->at : YL_NEVER;
}

#endif /* workqueue/schedule.h */
