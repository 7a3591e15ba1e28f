#ifndef YL_WORKQUEUE_H
#define YL_WORKQUEUE_H 1

/* Work queue: which objects need attention, and when.
 *
 *     informer -> handler -> [workqueue] -> worker -> client
 *
 * Guarantees
 * ==========
 *
 *   - Fair.  Keys come out in the order in which they became ready; those of
 *     a higher priority come out first.
 *
 *   - Stingy.  A key is never out at two workers at once.  A key added five
 *     times before it comes out, comes out once.
 *
 *   - Forgetful only on request.  A key added while a worker has it comes
 *     out again after yl_workqueue_done().
 *
 *   - Early bird.  Of several times asked for one key, the earliest wins, and
 *     of several priorities the highest.
 *
 *   - Silent after the end.  After a shutdown nothing is taken in.  What was
 *     ready before it, or was asked for at once while a worker had the key,
 *     still comes out; then workers get NULL.
 *
 * Ownership
 * =========
 *
 * The queue copies each key it is given.  The key that yl_workqueue_get()
 * lends belongs to the queue and dies at the matching yl_workqueue_done().
 *
 * The queue remembers how often a key has failed until yl_workqueue_forget():
 * a controller that never forgets its keys keeps a little memory for each.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that
 * yl_workqueue_free() must come last.  The queue starts no thread of its
 * own: the worker that waits for a key also keeps its time.
 *
 * Usage
 * =====
 *
 *     const struct yl_key *key;
 *     for (; (key = yl_workqueue_get(q)) != NULL; yl_workqueue_done(q, key)) {
 *         if (work_on(key) < 0) {
 *             yl_workqueue_add_rate_limited(q, key);
 *         } else {
 *             yl_workqueue_forget(q, key);
 *         }
 *     } */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/key.h"

YL_C_BEGIN

struct yl_arena;                /* yuloh/arena.h */
struct yl_metrics;              /* yuloh/metrics.h */
struct yl_rate_limiter;         /* yuloh/rate_limiter.h */
struct yl_workqueue;

/* Something that happened in a queue, for a trace. */
enum yl_workqueue_event_type {
    YL_WORKQUEUE_ADDED,         /* Somebody asked for the key. */
    YL_WORKQUEUE_GOT,           /* It was lent to a worker. */
    YL_WORKQUEUE_DONE,          /* The worker is about to give it back. */
    YL_WORKQUEUE_FORGOTTEN,     /* Its failures no longer count. */
};

struct yl_workqueue_event {
    enum yl_workqueue_event_type type;
    const struct yl_key *key;   /* Lent for the call. */
    yl_msec delay;              /* Of ADDED: how long it is to wait. */
    int priority;               /* Of ADDED and GOT. */
    unsigned n_requeues;        /* Of ADDED with a rate limit: failures. */
};

typedef void yl_workqueue_trace_fn(void *aux,
                                   const struct yl_workqueue_event *);

/* Options.  Zero means the default, so name only what you change. */
struct yl_workqueue_opts {
    const char *name;           /* For logs and metrics ["workqueue"]. */
    yl_msec retry_min;          /* Delay after the first failure [5]. */
    yl_msec retry_max;          /* Longest delay [1000000]. */
    struct yl_clock *clock;     /* Lent; a test passes a fake [monotonic]. */

    /* Lent.  Says how long failed keys wait [exponential by key, from
     * 'retry_min' to 'retry_max', and 10 a second with a burst of 100 for all
     * keys together]. */
    struct yl_rate_limiter *limiter;

    /* Lent; where the metrics workqueue_* of this queue are kept, with the
     * queue's name as a label [none]. */
    struct yl_metrics *metrics;

    /* Called with 'trace_aux' after each event, on the thread that caused it,
     * with no lock held [none]. */
    yl_workqueue_trace_fn *trace;
    void *trace_aux;
};

struct yl_workqueue *yl_workqueue_new(const struct yl_workqueue_opts *);

/* Frees a queue that nobody uses any more: no key may be out, and no thread in
 * one of the functions below. */
void yl_workqueue_free(struct yl_workqueue *);

const char *yl_workqueue_name(const struct yl_workqueue *);

/* Asks for 'key' now, after 'delay', or after its own growing back-off.
 * After yl_workqueue_shut_down() they do nothing. */
void yl_workqueue_add(struct yl_workqueue *, const struct yl_key *key);
void yl_workqueue_add_after(struct yl_workqueue *, const struct yl_key *key,
                            yl_msec delay);
void yl_workqueue_add_rate_limited(struct yl_workqueue *,
                                   const struct yl_key *key);

/* The same with a priority.  Among the keys that are ready, one of a higher
 * priority comes out first; the functions above ask for priority 0.  A good
 * use is a negative one for keys of a first list or a resync, so that real
 * changes overtake them. */
struct yl_workqueue_add_opts {
    yl_msec delay;              /* How long to wait [0]. */
    bool rate_limited;          /* Wait for the back-off too, if longer. */
    int priority;               /* [0]. */
};

void yl_workqueue_add_with(struct yl_workqueue *, const struct yl_key *key,
                           const struct yl_workqueue_add_opts *);

/* Resets the back-off of 'key'.  Call it when a key succeeds. */
void yl_workqueue_forget(struct yl_workqueue *, const struct yl_key *key);

/* How often 'key' was added with a rate limit since it was forgotten. */
unsigned yl_workqueue_num_requeues(struct yl_workqueue *,
                                   const struct yl_key *key);

/* Waits for a key that is ready and lends it to the caller, who must return
 * it with yl_workqueue_done().  Returns NULL when the queue is shut down and
 * nothing is ready. */
const struct yl_key *yl_workqueue_get(struct yl_workqueue *);
void yl_workqueue_done(struct yl_workqueue *, const struct yl_key *lent);

/* For programs with a main loop of their own: as yl_workqueue_get(), but NULL
 * at once if no key is ready.  yl_workqueue_next() then says when one will be
 * (YL_NEVER: when somebody adds one). */
const struct yl_key *yl_workqueue_try_get(struct yl_workqueue *);
yl_msec yl_workqueue_next(struct yl_workqueue *);

/* The priority with which 'lent' came out.  A worker that fails passes it to
 * yl_workqueue_add_with(), so that the key keeps it. */
int yl_workqueue_priority(const struct yl_workqueue *,
                          const struct yl_key *lent);

/* Stops intake and drops what is not ready yet.  Wakes every waiter. */
void yl_workqueue_shut_down(struct yl_workqueue *);

/* The same, and returns only when workers have taken every key that was ready
 * and have given all of them back.  So it must not be called by a worker, nor
 * without one.  A yl_workqueue_shut_down() from another thread makes it
 * return at once. */
void yl_workqueue_shut_down_with_drain(struct yl_workqueue *);

bool yl_workqueue_shutting_down(struct yl_workqueue *);

/* How many keys are ready.  By the time you read it, it may be wrong. */
size_t yl_workqueue_len(struct yl_workqueue *);

/* What the queue holds, for status pages and for tests that wait until nothing
 * is left to do. */
struct yl_workqueue_stats {
    size_t n_ready;             /* Wait for a worker. */
    size_t n_waiting;           /* Wait for their time. */
    size_t n_out;               /* Lent to workers. */
    size_t n_idle;              /* Kept only for their number of failures. */
    yl_msec next;               /* When the first that waits is ready. */
};

void yl_workqueue_get_stats(struct yl_workqueue *,
                            struct yl_workqueue_stats *ret);

enum yl_workqueue_state {
    YL_WORKQUEUE_OUT,           /* Lent to a worker. */
    YL_WORKQUEUE_READY,         /* Waits for a worker. */
    YL_WORKQUEUE_WAITING,       /* Waits for its time. */
    YL_WORKQUEUE_IDLE,          /* Kept only for its number of failures. */
};

struct yl_workqueue_entry {
    const struct yl_key *key;
    enum yl_workqueue_state state;
    yl_msec when;               /* Of WAITING: when it is ready.  Of OUT: when
                                 * it comes out again, or YL_NEVER. */
    yl_msec since;              /* Of OUT: when it was lent. */
    int priority;
    unsigned n_requeues;        /* Failures since it was forgotten. */
};

/* Copies at most 'max' entries to 'arena': first the keys that are out, then
 * the ready ones, then the waiting ones by time, then the idle ones.  Returns
 * how many.  'since' is known only to a queue with metrics; it is YL_NEVER
 * otherwise. */
size_t yl_workqueue_snapshot(struct yl_workqueue *, size_t max,
                             struct yl_arena *arena,
                             const struct yl_workqueue_entry **ret_entries);

YL_C_END

#endif /* yuloh/workqueue.h */
