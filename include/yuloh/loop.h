#ifndef YL_LOOP_H
#define YL_LOOP_H 1

/* Loop: one thread that waits for descriptors, timers and other threads.
 *
 *     epoll -> ready descriptors -> their callbacks
 *     timers that are due        -> their callbacks
 *     posts of other threads     -> run here, in order
 *
 * Watches, reflectors and informers live on a loop.  A program without a main
 * loop gives it a thread (yl_loop_run()).  One that has a main loop of its own
 * waits for yl_loop_poll_fd() there and calls yl_loop_turn().
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
 *   - A callback may remove or free its own timer or descriptor, or those of
 *     others: one that was removed is not called.
 *
 * Ownership
 * =========
 *
 * Tasks, timers and descriptors are embedded in their owners' structs; the
 * loop owns none of them.
 *
 * Threads
 * =======
 *
 * yl_loop_post() and yl_loop_stop() may be called from any thread, all else
 * only from the loop's own (or before it runs).
 *
 * Usage
 * =====
 *
 *     yl_loop_new(NULL, &loop, &err);
 *     ... start informers on it ...
 *     yl_loop_run(loop);          -- until another thread stops it
 *     yl_loop_free(loop);
 *
 * or, inside another main loop:
 *
 *     for (;;) {
 *         yl_msec left = yl_loop_next(loop) - yl_now(NULL);
 *         ... poll() yl_loop_poll_fd(loop) and the program's own descriptors,
 *             for 'left' at most (not at all if it is not positive) ...
 *         yl_loop_turn(loop, false);
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"

YL_C_BEGIN

struct yl_error;
struct yl_loop;

/* Work for the loop.  A task that is waiting must not be posted again; its own
 * 'run' may free it or post it again. */
struct yl_loop_task {
    struct yl_loop_task *next;  /* Private to the loop. */
    void (*run)(struct yl_loop_task *);
};

/* All zeros except 'fire', which may set the timer again or free it. */
struct yl_loop_timer {
    struct yl_loop_when {
        int64_t at;             /* When it fires, if it is armed. */
        uint64_t arrival;       /* Private to the loop, */
        size_t place;           /* like this. */
    } node;
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

/* For a main loop of the program's own: a descriptor that is readable when the
 * loop has something to do, and the time at which it wants a turn at the
 * latest (YL_NEVER if it can wait for the descriptor).  Ask for the time just
 * before each wait: posts of other threads make the descriptor readable only
 * after that. */
int yl_loop_poll_fd(const struct yl_loop *);
yl_msec yl_loop_next(struct yl_loop *);

/* Time as of this turn of the loop. */
yl_msec yl_loop_now(const struct yl_loop *);
struct yl_clock *yl_loop_clock(const struct yl_loop *);

void yl_loop_post(struct yl_loop *, struct yl_loop_task *);

/* Sets or moves a timer; YL_NEVER stops it, and so does cancelling it, which
 * is fine for a timer that is not set. */
void yl_loop_timer_arm(struct yl_loop *, struct yl_loop_timer *, yl_msec when);
void yl_loop_timer_cancel(struct yl_loop *, struct yl_loop_timer *);

static inline bool
yl_loop_timer_is_armed(const struct yl_loop_timer *timer)
{
    return timer->node.place != 0;
}

/* 0, or YL_EUNAVAILABLE if the system has no room for it. */
int yl_loop_add(struct yl_loop *, struct yl_loop_fd *, struct yl_error *err);
void yl_loop_change(struct yl_loop *, struct yl_loop_fd *, uint32_t events);
void yl_loop_remove(struct yl_loop *, struct yl_loop_fd *);

YL_C_END

#endif /* yuloh/loop.h */
