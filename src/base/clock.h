#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H 1

/* Clock internals, for those who wait on a clock.  See yuloh/clock.h for the
 * contract of clocks.
 *
 * A thread that waits with yl_cond_wait_until() needs nothing from here.  An
 * event loop sleeps in the kernel instead, so it joins a fake clock with a
 * function that wakes it.
 *
 * Ownership
 * =========
 *
 * A waiter is lent to the clock from join to leave.  yl_clock_leave() returns
 * only when no call of its 'wake' is running or will come, so that the waiter
 * can be freed.
 *
 * Threads
 * =======
 *
 * 'wake' is called from the thread that moves the clock, with no lock of the
 * clock held, because it may take locks of its own.  So yl_clock_leave() must
 * not be called while holding a lock that 'wake' takes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "yuloh/clock.h"

struct yl_clock_waiter {
    struct yl_list node;        /* In the clock's 'waiters'. */
    uint64_t number;            /* In the order of joining. */
    unsigned n_pins;            /* Calls of 'wake' that are running. */
    void (*wake)(struct yl_clock_waiter *);     /* The clock has moved. */
};

static inline bool
yl_clock_is_fake(const struct yl_clock *clock)
{
    return clock != NULL;
}

/* The time as of the last tick of the kernel: up to some milliseconds behind
 * yl_now(), in a fifth of its time.  For a fake clock they are the same. */
yl_msec yl_now_coarse(struct yl_clock *);

/* Joins or leaves a fake clock.  Read the time after joining: a move after
 * that calls 'wake', one before it is seen in the time. */
void yl_clock_join(struct yl_clock *, struct yl_clock_waiter *);
void yl_clock_leave(struct yl_clock *, struct yl_clock_waiter *);

/* Blocks until at least 'n' waiters have joined the fake clock, so that a test
 * can move it without racing with the threads it tests. */
void yl_clock_fake_await_waiters(struct yl_clock *, size_t n);

#endif /* base/clock.h */
