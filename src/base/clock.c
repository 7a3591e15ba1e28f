/* Clocks.  See yuloh/clock.h and base/clock.h for the contracts.
 *
 * The monotonic clock is NULL; a struct yl_clock is always a fake one.
 *
 * Moving a fake clock calls every waiter's 'wake' without the clock's lock.  A
 * waiter in yl_cond_wait_until() joined while it held its own mutex, and
 * 'wake' takes that mutex: if the clock's lock were held too, the two threads
 * could deadlock.  Instead the waiter is pinned for the call, and
 * yl_clock_leave() waits until the pin is gone. */

#include "base/clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/bug.h"
#include "base/thread.h"

struct yl_clock {
    _Atomic yl_msec now;        /* Written with 'lock' held. */

    /* Innermost: taken with the mutexes of waiters held, and nothing is taken
     * under it. */
    struct yl_mutex lock;
    struct yl_cond changed;     /* A waiter joined, or lost a pin. */
    struct yl_list waiters YL_GUARDED;      /* In the order of joining. */
    size_t n_waiters YL_GUARDED;
    uint64_t n_joins YL_GUARDED;            /* Since the start. */
};

static yl_msec read_clock(struct yl_clock *, clockid_t);

yl_msec
yl_now(struct yl_clock *clock)
{
    return read_clock(clock, CLOCK_MONOTONIC);
}

yl_msec
yl_now_coarse(struct yl_clock *clock)
{
#ifdef CLOCK_MONOTONIC_COARSE
    return read_clock(clock, CLOCK_MONOTONIC_COARSE);
#else
    return read_clock(clock, CLOCK_MONOTONIC);
#endif
}

struct yl_clock *
yl_clock_fake_new(yl_msec start)
{
    struct yl_clock *clock = yl_zalloc(sizeof *clock);

    atomic_init(&clock->now, start);
    yl_mutex_init(&clock->lock);
    yl_cond_init(&clock->changed);
    yl_mutex_lock(&clock->lock);
    yl_list_init(&clock->waiters);
    yl_mutex_unlock(&clock->lock);
    return clock;
}

void
yl_clock_fake_advance(struct yl_clock *clock, yl_msec by)
{
    struct yl_list *node, *next;
    uint64_t last;
    yl_msec now;

    if (by < 0) {
        yl_bug("clock moved by %lld ms; it cannot go back", (long long) by);
    }
    yl_mutex_lock(&clock->lock);
    now = atomic_load_explicit(&clock->now, memory_order_relaxed);
    now = now > YL_NEVER - by ? YL_NEVER : now + by;
    atomic_store_explicit(&clock->now, now, memory_order_release);

    /* A pinned waiter cannot leave, so its link in the list stays valid across
     * the call.  Waiters that join meanwhile read the new time themselves.
     * Waking them too could go on for ever, because a thread whose deadline is
     * not reached waits again at once. */
    last = clock->n_joins;
    for (node = yl_list_front(&clock->waiters); node; node = next) {
        struct yl_clock_waiter *waiter
            = YL_CONTAINER_OF(node, struct yl_clock_waiter, node);

        if (waiter->number > last) {
            break;
        }
        waiter->n_pins++;
        yl_mutex_unlock(&clock->lock);
        waiter->wake(waiter);
        yl_mutex_lock(&clock->lock);
        next = yl_list_after(&clock->waiters, node);
        waiter->n_pins--;
        yl_cond_broadcast(&clock->changed);
    }
    yl_mutex_unlock(&clock->lock);
}

void
yl_clock_free(struct yl_clock *clock)
{
    if (clock) {
        yl_cond_destroy(&clock->changed);
        yl_mutex_destroy(&clock->lock);
        free(clock);
    }
}

void
yl_clock_join(struct yl_clock *clock, struct yl_clock_waiter *waiter)
{
    yl_mutex_lock(&clock->lock);
    waiter->number = ++clock->n_joins;
    waiter->n_pins = 0;
    yl_list_push_back(&clock->waiters, &waiter->node);
    clock->n_waiters++;
    yl_cond_broadcast(&clock->changed);
    yl_mutex_unlock(&clock->lock);
}

void
yl_clock_leave(struct yl_clock *clock, struct yl_clock_waiter *waiter)
{
    yl_mutex_lock(&clock->lock);
    while (waiter->n_pins) {
        yl_cond_wait(&clock->changed, &clock->lock);
    }
    yl_list_remove(&waiter->node);
    clock->n_waiters--;
    yl_mutex_unlock(&clock->lock);
}

void
yl_clock_fake_await_waiters(struct yl_clock *clock, size_t n)
{
    yl_mutex_lock(&clock->lock);
    while (clock->n_waiters < n) {
        yl_cond_wait(&clock->changed, &clock->lock);
    }
    yl_mutex_unlock(&clock->lock);
}

static yl_msec
read_clock(struct yl_clock *clock, clockid_t id)
{
    struct timespec now;

    if (clock) {
        return atomic_load_explicit(&clock->now, memory_order_acquire);
    }
    clock_gettime(id, &now);
    return (yl_msec) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
