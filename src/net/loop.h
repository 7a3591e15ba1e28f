#ifndef NET_LOOP_H
#define NET_LOOP_H 1

/* Loop: one thread that waits for descriptors, timers and other threads.
 *
 *     epoll -> ready descriptors -> their callbacks
 *     timers that are due        -> their callbacks
 *     posts of other threads     -> run here, in order
 *     chores                     -> a few in each turn, in order
 *
 * Guarantees
 * ==========
 *
 *   - Callbacks run one at a time, on the thread that runs the loop.
 *
 *   - Posts of one thread run in the order they were made.  A post costs one
 *     atomic exchange and, if the loop sleeps, one write to an eventfd.  A
 *     post that is made while posts run is run in the next turn, and so is a
 *     timer that is set to a time in the past.
 *
 *   - Chores do not delay other work for long, nor other work the chores: in a
 *     turn, YL_LOOP_CHORES of them run, and YL_LOOP_CHORES_EACH more for each
 *     other callback of that turn, those first that have waited longest; the
 *     loop does not sleep while there are more.
 *
 *   - A callback may remove or free its own timer or descriptor, or those of
 *     others: one that was removed is not called.
 *
 * Ownership
 * =========
 *
 * Tasks, chores, timers and descriptors are embedded in their owners' structs;
 * the loop owns none of them.
 *
 * Threads
 * =======
 *
 * yl_loop_post() and yl_loop_stop() may be called from any thread, all else
 * only from the loop's own (or before it runs). */

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/list.h"
#include "yuloh/clock.h"

struct yl_error;
struct yl_loop;

/* Work for the loop.  A task that is waiting must not be posted again; its own
 * 'run' may free it or post it again. */
struct yl_loop_task {
    struct yl_loop_task *next;  /* Private to the loop. */
    void (*run)(struct yl_loop_task *);
};

/* Work that can wait behind other work of its kind, such as serving one of a
 * thousand watchers.  'node' is initialised by its owner; 'run' may free the
 * chore or ask for it again. */
struct yl_loop_chore {
    struct yl_list node;        /* Private to the loop; in no list if it does
                                 * not wait. */
    void (*run)(struct yl_loop_chore *);
};

/* How many chores run before descriptors are polled again: about 0.2 ms'
 * worth, compared with which a poll costs nothing; and how many more for each
 * callback, which take about as long as a request, so that a loop with many
 * requests still has half of its time for them. */
#define YL_LOOP_CHORES 16
#define YL_LOOP_CHORES_EACH 8

/* All zeros except 'fire', which may set the timer again or free it. */
struct yl_loop_timer {
    struct yl_heap_node node;   /* Private to the loop. */
    void (*fire)(struct yl_loop_timer *);
};

struct yl_loop_fd {
    int fd;
    uint32_t events;            /* EPOLLIN, EPOLLOUT, ...; level triggered. */
    void (*ready)(struct yl_loop_fd *, uint32_t events);
};

/* 0 or YL_EUNAVAILABLE.  'clock' may be NULL. */
int yl_loop_new(struct yl_clock *clock, struct yl_loop **ret_loop,
                struct yl_error *err);
void yl_loop_free(struct yl_loop *);

/* Runs until yl_loop_stop(); posts that were made before it are run. */
void yl_loop_run(struct yl_loop *);
void yl_loop_stop(struct yl_loop *);

/* Runs one turn, for callers that drive the loop themselves: waits for
 * something to do if 'wait', and does what there is to do. */
void yl_loop_turn(struct yl_loop *, bool wait);

/* Time as of this turn of the loop. */
yl_msec yl_loop_now(const struct yl_loop *);
struct yl_clock *yl_loop_clock(const struct yl_loop *);

void yl_loop_post(struct yl_loop *, struct yl_loop_task *);

/* Runs a chore once, in a later turn; one that waits already keeps its place.
 * Cancelling one that does not wait does nothing. */
void yl_loop_defer(struct yl_loop *, struct yl_loop_chore *);
void yl_loop_chore_cancel(struct yl_loop_chore *);

/* Sets or moves a timer; YL_NEVER stops it, and so does cancelling it, which
 * is fine for a timer that is not set. */
void yl_loop_timer_arm(struct yl_loop *, struct yl_loop_timer *, yl_msec when);
void yl_loop_timer_cancel(struct yl_loop *, struct yl_loop_timer *);

static inline bool
yl_loop_timer_is_armed(const struct yl_loop_timer *timer)
{
    return yl_heap_node_is_in(&timer->node);
}

/* 0, or YL_EUNAVAILABLE if the system has no room for it. */
int yl_loop_add(struct yl_loop *, struct yl_loop_fd *, struct yl_error *err);
void yl_loop_change(struct yl_loop *, struct yl_loop_fd *, uint32_t events);
void yl_loop_remove(struct yl_loop *, struct yl_loop_fd *);

/* Calls 'fn' at the end of each turn, after all callbacks: the place to flush
 * what a turn has produced.  Chores come after that, and if there were any,
 * 'fn' is called again.  It cannot be removed. */
void yl_loop_on_turn(struct yl_loop *, void (*fn)(void *aux), void *aux);

#endif /* net/loop.h */
