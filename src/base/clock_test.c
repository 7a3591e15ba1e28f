/* Tests of the clocks. */

#include "base/clock.h"

#include <stdatomic.h>

#include "base/thread.h"
#include "unit.h"

TEST(monotonic_clock_never_goes_back)
{
    yl_msec last = yl_now(NULL);
    int i;

    assert_true(last > 0);
    for (i = 0; i < 1000; i++) {
        yl_msec now = yl_now(NULL);

        assert_true(now >= last);
        last = now;
    }
    assert_false(yl_clock_is_fake(NULL));
    yl_clock_free(NULL);
}

TEST(fake_clock_stands_still_until_moved)
{
    struct yl_clock *clock = yl_clock_fake_new(-5);

    assert_true(yl_clock_is_fake(clock));
    assert_int_equal(yl_now(clock), -5);
    yl_clock_fake_advance(clock, 0);
    assert_int_equal(yl_now(clock), -5);
    yl_clock_fake_advance(clock, 1005);
    assert_int_equal(yl_now(clock), 1000);
    yl_clock_fake_advance(clock, YL_NEVER);
    assert_true(yl_now(clock) == YL_NEVER);
    yl_clock_free(clock);
}

static void
move_back(void *clock)
{
    yl_clock_fake_advance(clock, -1);
}

TEST(fake_clock_does_not_go_back)
{
    struct yl_clock *clock = yl_clock_fake_new(0);

    assert_aborts(move_back, clock, "clock moved back by 1 ms");
    yl_clock_free(clock);
}

struct counter {
    struct yl_clock_waiter waiter;
    int n_wakes;
};

static void
count_wake(struct yl_clock_waiter *waiter)
{
    YL_CONTAINER_OF(waiter, struct counter, waiter)->n_wakes++;
}

TEST(moving_wakes_everybody_who_joined_and_not_left)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct counter a = { .waiter.wake = count_wake }, b = a;

    yl_clock_join(clock, &a.waiter);
    yl_clock_join(clock, &b.waiter);
    yl_clock_fake_await_waiters(clock, 2);
    yl_clock_fake_advance(clock, 1);
    yl_clock_leave(clock, &a.waiter);
    yl_clock_fake_advance(clock, 1);
    yl_clock_leave(clock, &b.waiter);
    yl_clock_fake_advance(clock, 1);
    assert_int_equal(a.n_wakes, 1);
    assert_int_equal(b.n_wakes, 2);
    yl_clock_free(clock);
}

/* A waiter whose wake tells that it runs and then lingers until told. */
struct slow {
    struct yl_clock_waiter waiter;
    struct yl_mutex lock;
    struct yl_cond changed;
    bool running, go_on;
    atomic_bool left;           /* The leaver has come back. */
    struct yl_clock *clock;
};

static void
wake_slowly(struct yl_clock_waiter *waiter)
{
    struct slow *slow = YL_CONTAINER_OF(waiter, struct slow, waiter);

    yl_mutex_lock(&slow->lock);
    slow->running = true;
    yl_cond_broadcast(&slow->changed);
    while (!slow->go_on) {
        yl_cond_wait(&slow->changed, &slow->lock);
    }
    yl_mutex_unlock(&slow->lock);
    if (atomic_load(&slow->left)) {
        abort();                /* It left while we were running. */
    }
}

static void
advance(void *slow_)
{
    struct slow *slow = slow_;

    yl_clock_fake_advance(slow->clock, 1);
}

static void
leave(void *slow_)
{
    struct slow *slow = slow_;

    yl_clock_leave(slow->clock, &slow->waiter);
    atomic_store(&slow->left, true);
}

TEST(leaving_waits_for_a_wake_that_is_running)
{
    struct slow slow = { .waiter.wake = wake_slowly };
    struct yl_thread advancer, leaver;

    slow.clock = yl_clock_fake_new(0);
    yl_mutex_init(&slow.lock);
    yl_cond_init(&slow.changed);
    yl_clock_join(slow.clock, &slow.waiter);
    assert_int_equal(yl_thread_start(&advancer, "advancer", advance, &slow),
                     0);
    yl_mutex_lock(&slow.lock);
    while (!slow.running) {
        yl_cond_wait(&slow.changed, &slow.lock);
    }
    yl_mutex_unlock(&slow.lock);

    assert_int_equal(yl_thread_start(&leaver, "leaver", leave, &slow), 0);
    yl_mutex_lock(&slow.lock);
    slow.go_on = true;
    yl_cond_broadcast(&slow.changed);
    yl_mutex_unlock(&slow.lock);

    yl_thread_join(&advancer);
    yl_thread_join(&leaver);
    assert_true(atomic_load(&slow.left));
    yl_cond_destroy(&slow.changed);
    yl_mutex_destroy(&slow.lock);
    yl_clock_free(slow.clock);
}
