/* Tests of the work queue. */

#include "yuloh/workqueue.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/thread.h"
#include "unit.h"
#include "yuloh/rate_limiter.h"

static struct yl_key
key_of(const char *name)
{
    return yl_key_make(YL_STR("ns"), yl_str_c(name));
}

static void
add(struct yl_workqueue *q, const char *name)
{
    struct yl_key key = key_of(name);

    yl_workqueue_add(q, &key);
}

static void
add_after(struct yl_workqueue *q, const char *name, yl_msec delay)
{
    struct yl_key key = key_of(name);

    yl_workqueue_add_after(q, &key, delay);
}

static void
add_rate_limited(struct yl_workqueue *q, const char *name)
{
    struct yl_key key = key_of(name);

    yl_workqueue_add_rate_limited(q, &key);
}

static unsigned
num_requeues(struct yl_workqueue *q, const char *name)
{
    struct yl_key key = key_of(name);

    return yl_workqueue_num_requeues(q, &key);
}

static const struct yl_key *
get(struct yl_workqueue *q, const char *name)
{
    const struct yl_key *key = yl_workqueue_get(q);

    assert_non_null(key);
    assert_str_equal(key->name, name);
    return key;
}

static void
expect(struct yl_workqueue *q, const char *name)
{
    yl_workqueue_done(q, get(q, name));
}

TEST(fair_keys_come_out_in_the_order_in_which_they_became_ready)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock });

    add_after(q, "later", 20);
    add_after(q, "soon", 10);
    add(q, "first");
    yl_clock_fake_advance(clock, 10);

    /* "soon" is due before "second" is added, although nobody looked. */
    add(q, "second");
    expect(q, "first");
    expect(q, "soon");
    expect(q, "second");
    assert_null(yl_workqueue_try_get(q));
    assert_int_equal(yl_workqueue_next(q), 1020);
    yl_clock_fake_advance(clock, 10);
    assert_int_equal(yl_workqueue_len(q), 1);
    expect(q, "later");
    yl_workqueue_free(q);
    yl_clock_free(clock);
}

TEST(stingy_a_key_added_five_times_comes_out_once)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    const struct yl_key *key;
    int i;

    for (i = 0; i < 5; i++) {
        add(q, "a");
    }
    add(q, "b");
    assert_int_equal(yl_workqueue_len(q), 2);
    key = get(q, "a");
    assert_int_equal(yl_workqueue_len(q), 1);
    yl_workqueue_done(q, key);
    expect(q, "b");
    assert_null(yl_workqueue_try_get(q));
    yl_workqueue_free(q);
}

TEST(a_key_added_while_it_is_out_comes_out_again_after_done)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    const struct yl_key *key;

    add(q, "a");
    key = get(q, "a");
    add(q, "a");
    add(q, "a");
    assert_int_equal(yl_workqueue_len(q), 0);
    assert_null(yl_workqueue_try_get(q));
    yl_workqueue_done(q, key);
    expect(q, "a");
    assert_null(yl_workqueue_try_get(q));
    yl_workqueue_free(q);
}

TEST(early_bird_of_several_times_the_earliest_wins)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock });

    add_after(q, "a", 50);
    add_after(q, "a", 30);
    add_after(q, "a", 70);
    yl_clock_fake_advance(clock, 29);
    assert_null(yl_workqueue_try_get(q));
    yl_clock_fake_advance(clock, 1);
    expect(q, "a");
    yl_clock_fake_advance(clock, 1000);
    assert_null(yl_workqueue_try_get(q));

    add_after(q, "a", 50);
    add(q, "a");
    add_after(q, "a", 10);
    expect(q, "a");
    yl_clock_fake_advance(clock, 1000);
    assert_null(yl_workqueue_try_get(q));
    add_after(q, "never", YL_NEVER);
    add_after(q, "past", -5);
    expect(q, "past");
    yl_workqueue_free(q);
    yl_clock_free(clock);
}

TEST(rate_limited_keys_wait_longer_each_time_until_forgotten)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock });
    struct yl_key a = key_of("a");
    yl_msec delay = 5;
    unsigned i;

    for (i = 1; i <= 4; i++) {
        add_rate_limited(q, "a");
        assert_int_equal(num_requeues(q, "a"), i);
        assert_int_equal(yl_workqueue_next(q), yl_now(clock) + delay);
        yl_clock_fake_advance(clock, delay - 1);
        assert_null(yl_workqueue_try_get(q));
        yl_clock_fake_advance(clock, 1);
        expect(q, "a");
        delay *= 2;
    }
    add_rate_limited(q, "b");
    assert_int_equal(num_requeues(q, "b"), 1);
    yl_workqueue_forget(q, &a);
    assert_int_equal(num_requeues(q, "a"), 0);
    assert_int_equal(num_requeues(q, "b"), 1);
    add_rate_limited(q, "a");
    assert_int_equal(yl_workqueue_next(q), yl_now(clock) + 5);
    yl_workqueue_free(q);
    yl_clock_free(clock);
}

TEST(priorities_survive_a_failure_if_the_worker_passes_them_on)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock, .retry_min = 100 });
    const struct yl_workqueue_add_opts low = { .priority = -100 };
    struct yl_key a = key_of("a");
    const struct yl_key *key;

    yl_workqueue_add_with(q, &a, &low);
    add(q, "b");
    expect(q, "b");
    key = get(q, "a");
    assert_int_equal(yl_workqueue_priority(q, key), -100);
    yl_workqueue_add_with(q, key, &(struct yl_workqueue_add_opts) {
        .rate_limited = true, .delay = 10,
        .priority = yl_workqueue_priority(q, key) });
    yl_workqueue_done(q, key);
    assert_int_equal(yl_workqueue_next(q), 100);
    yl_clock_fake_advance(clock, 100);
    add(q, "b");
    expect(q, "b");
    key = get(q, "a");
    assert_int_equal(yl_workqueue_priority(q, key), -100);
    yl_workqueue_done(q, key);
    yl_workqueue_free(q);
    yl_clock_free(clock);
}

TEST(after_a_shutdown_what_was_ready_comes_out_and_nothing_else)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    const struct yl_key *out;

    add(q, "out");
    out = get(q, "out");
    add(q, "ready");
    add(q, "out");
    add_after(q, "waiting", 1);
    assert_false(yl_workqueue_shutting_down(q));
    yl_workqueue_shut_down(q);
    assert_true(yl_workqueue_shutting_down(q));
    add(q, "late");
    add_after(q, "late", 1);
    add_rate_limited(q, "late");
    assert_int_equal(num_requeues(q, "late"), 0);
    expect(q, "ready");
    assert_null(yl_workqueue_get(q));
    yl_workqueue_done(q, out);
    out = get(q, "out");
    add(q, "out");
    yl_workqueue_done(q, out);
    assert_null(yl_workqueue_get(q));
    yl_workqueue_shut_down(q);
    yl_workqueue_free(q);
}

/* A worker that takes keys until there are no more. */
struct worker {
    struct yl_thread thread;
    struct yl_workqueue *q;
    int n;
};

static void
work(void *worker_)
{
    struct worker *worker = worker_;
    const struct yl_key *key;

    for (; (key = yl_workqueue_get(worker->q)) != NULL;
         yl_workqueue_done(worker->q, key)) {
        worker->n++;
    }
}

TEST(waiting_workers_wake_when_the_time_comes)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock });
    struct worker workers[3] = { { .q = q }, { .q = q }, { .q = q } };
    int i, n = 0;

    for (i = 0; i < 3; i++) {
        assert_int_equal(yl_thread_start(&workers[i].thread, "worker", work,
                                         &workers[i]), 0);
    }
    yl_clock_fake_await_waiters(clock, 3);
    add_after(q, "a", 100);
    add_after(q, "b", 50);
    add_after(q, "c", 100);
    yl_clock_fake_advance(clock, 100);
    yl_workqueue_shut_down_with_drain(q);
    for (i = 0; i < 3; i++) {
        yl_thread_join(&workers[i].thread);
        n += workers[i].n;
    }
    assert_int_equal(n, 3);
    yl_workqueue_free(q);
    yl_clock_free(clock);
}
