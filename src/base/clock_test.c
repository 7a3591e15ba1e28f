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

    assert_aborts(move_back, clock, "clock moved by -1 ms; it cannot go back");
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

/* A waiter in whose place another one waits as soon as it is woken, as that of
 * a thread which finds its time not yet come. */
struct again {
    struct yl_clock_waiter waiter;
    struct yl_clock *clock;
    struct again *next;
    int n_wakes;
};

static void
wait_again(struct yl_clock_waiter *waiter)
{
    struct again *again = YL_CONTAINER_OF(waiter, struct again, waiter);

    again->n_wakes++;
    if (again->next) {
        yl_clock_join(again->clock, &again->next->waiter);
    }
}

TEST(moving_does_not_wake_who_joins_meanwhile)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct again c = { { .wake = wait_again }, clock, NULL, 0 };
    struct again b = { { .wake = wait_again }, clock, &c, 0 };
    struct again a = { { .wake = wait_again }, clock, &b, 0 };

    yl_clock_join(clock, &a.waiter);
    yl_clock_fake_advance(clock, 1);
    assert_int_equal(a.n_wakes, 1);
    assert_int_equal(b.n_wakes, 0);
    a.next = NULL;
    yl_clock_fake_advance(clock, 1);
    assert_int_equal(a.n_wakes, 2);
    assert_int_equal(b.n_wakes, 1);
    assert_int_equal(c.n_wakes, 0);
    yl_clock_leave(clock, &a.waiter);
    yl_clock_leave(clock, &b.waiter);
    yl_clock_leave(clock, &c.waiter);
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

TEST(the_coarse_clock_is_not_ahead)
{
    struct yl_clock *clock = yl_clock_fake_new(5);
    yl_msec before = yl_now(NULL), coarse = yl_now_coarse(NULL);

    assert_true(coarse <= yl_now(NULL));
    assert_true(coarse > before - 1000);
    assert_int_equal(yl_now_coarse(clock), 5);
    yl_clock_free(clock);
}
