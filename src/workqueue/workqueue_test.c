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
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock });
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
    yl_clock_free(clock);
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

TEST(a_worker_that_keeps_the_time_learns_of_an_earlier_one)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock });
    struct worker worker = { .q = q };

    add_after(q, "late", 1000);
    assert_int_equal(yl_thread_start(&worker.thread, "worker", work, &worker),
                     0);
    yl_clock_fake_await_waiters(clock, 1);
    add_after(q, "early", 10);
    yl_clock_fake_advance(clock, 10);
    while (yl_workqueue_next(q) != 1000) {
        continue;               /* Until it has taken "early". */
    }
    yl_workqueue_shut_down_with_drain(q);
    yl_thread_join(&worker.thread);
    assert_int_equal(worker.n, 1);
    yl_workqueue_free(q);
    yl_clock_free(clock);
}

/* Producers say in 'wanted' which version of a key they want before they add
 * it; a worker notes in 'seen' which one it saw.  If nothing is lost, the last
 * one is seen, and if nobody else has the key, 'is_out' is false. */
#define N_KEYS 20

struct stress {
    struct yl_workqueue *q;
    atomic_int wanted[N_KEYS], seen[N_KEYS];
    atomic_bool is_out[N_KEYS];
    atomic_int n_twice;         /* Keys that two workers had at once. */
    bool workers_add;           /* Workers add a key again that they have. */
};

static void
produce(void *stress_)
{
    struct stress *stress = stress_;
    int i;

    for (i = 0; i < 2000; i++) {
        int n = i * 7 % N_KEYS;
        char name[2] = { (char) ('a' + n), '\0' };

        atomic_fetch_add(&stress->wanted[n], 1);
        if (i % 3) {
            add(stress->q, name);
        } else {
            add_after(stress->q, name, i % 2);
        }
    }
}

static void
consume(void *stress_)
{
    struct stress *stress = stress_;
    const struct yl_key *key;
    int n_added = 0;

    for (; (key = yl_workqueue_get(stress->q)) != NULL;
         yl_workqueue_done(stress->q, key)) {
        int n = key->name.data[0] - 'a';

        if (atomic_exchange(&stress->is_out[n], true)) {
            atomic_fetch_add(&stress->n_twice, 1);
        }
        atomic_store(&stress->seen[n], atomic_load(&stress->wanted[n]));
        if (stress->workers_add && n_added < 100) {
            n_added++;
            atomic_fetch_add(&stress->wanted[n], 1);
            yl_workqueue_add(stress->q, key);
        }
        atomic_store(&stress->is_out[n], false);
    }
}

static void
run_stress(bool with_drain, bool workers_add)
{
    struct stress stress = { .q = yl_workqueue_new(NULL),
                             .workers_add = workers_add };
    struct yl_workqueue_stats stats;
    struct yl_thread producers[3], workers[4];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(workers); i++) {
        assert_int_equal(yl_thread_start(&workers[i], "worker", consume,
                                         &stress), 0);
    }
    for (i = 0; i < YL_ARRAY_SIZE(producers); i++) {
        assert_int_equal(yl_thread_start(&producers[i], "producer", produce,
                                         &stress), 0);
    }
    for (i = 0; i < YL_ARRAY_SIZE(producers); i++) {
        yl_thread_join(&producers[i]);
    }

    /* What waits for its time would be dropped, also if the key is out. */
    do {
        yl_workqueue_get_stats(stress.q, &stats);
    } while (stats.n_waiting || stats.n_out);
    if (with_drain) {
        yl_workqueue_shut_down_with_drain(stress.q);
        yl_workqueue_get_stats(stress.q, &stats);
        assert_int_equal(stats.n_ready + stats.n_out, 0);
    } else {
        yl_workqueue_shut_down(stress.q);
    }
    add(stress.q, "z");
    for (i = 0; i < YL_ARRAY_SIZE(workers); i++) {
        yl_thread_join(&workers[i]);
    }
    assert_int_equal(stress.n_twice, 0);
    assert_int_equal(yl_workqueue_len(stress.q), 0);
    for (i = 0; i < N_KEYS && !workers_add; i++) {
        assert_int_equal(stress.seen[i], stress.wanted[i]);
    }
    yl_workqueue_free(stress.q);
}

TEST(many_threads_lose_nothing_and_share_no_key)
{
    run_stress(false, false);
    run_stress(true, false);
}

TEST(workers_that_add_what_they_have_come_to_an_end)
{
    run_stress(false, true);
    run_stress(true, true);
}

static void
drain(void *q)
{
    yl_workqueue_shut_down_with_drain(q);
}

TEST(a_drain_waits_until_all_keys_are_back)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    const struct yl_key *first, *second;
    struct yl_workqueue_stats stats;
    struct yl_thread drainer;

    add(q, "foo");
    add(q, "bar");
    first = get(q, "foo");
    second = get(q, "bar");
    assert_int_equal(yl_thread_start(&drainer, "drain", drain, q), 0);
    assert_null(yl_workqueue_get(q));   /* The drain has begun. */
    yl_workqueue_done(q, first);
    yl_workqueue_get_stats(q, &stats);
    assert_int_equal(stats.n_out, 1);
    yl_workqueue_done(q, second);
    yl_thread_join(&drainer);
    yl_workqueue_free(q);
}

TEST(a_shutdown_without_drain_does_not_wait)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    const struct yl_key *first;

    add(q, "foo");
    first = get(q, "foo");
    yl_workqueue_shut_down(q);
    yl_workqueue_done(q, first);
    yl_workqueue_free(q);
}

TEST(a_shutdown_ends_a_drain_that_waits)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    const struct yl_key *first;
    struct yl_thread drainer;

    add(q, "foo");
    first = get(q, "foo");
    assert_int_equal(yl_thread_start(&drainer, "drain", drain, q), 0);
    assert_null(yl_workqueue_get(q));
    yl_workqueue_shut_down(q);
    yl_thread_join(&drainer);
    yl_workqueue_done(q, first);
    yl_workqueue_free(q);
}

TEST(a_drain_also_waits_for_keys_that_come_out_again)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    const struct yl_key *first;
    struct yl_thread drainer;

    add(q, "foo");
    first = get(q, "foo");
    add(q, "foo");
    assert_int_equal(yl_thread_start(&drainer, "drain", drain, q), 0);
    assert_null(yl_workqueue_get(q));
    yl_workqueue_done(q, first);
    expect(q, "foo");
    assert_null(yl_workqueue_get(q));
    yl_thread_join(&drainer);
    yl_workqueue_free(q);
}

TEST(a_key_that_is_done_leaves_nothing_behind)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .clock = clock });
    struct yl_key a = key_of("a");
    struct yl_workqueue_stats stats;
    const struct yl_key *key;

    add(q, "a");
    key = get(q, "a");
    yl_workqueue_add_rate_limited(q, key);
    yl_workqueue_done(q, key);
    yl_workqueue_get_stats(q, &stats);
    assert_int_equal(stats.n_waiting, 1);
    add(q, "a");
    expect(q, "a");
    yl_workqueue_get_stats(q, &stats);
    assert_int_equal(stats.n_idle, 1);
    yl_workqueue_forget(q, &a);
    yl_workqueue_get_stats(q, &stats);
    assert_int_equal(stats.n_idle + stats.n_waiting + stats.n_ready
                     + stats.n_out, 0);
    assert_int_equal(stats.next, YL_NEVER);
    yl_workqueue_free(q);
    yl_clock_free(clock);
}

static void
write_event(void *text_, const struct yl_workqueue_event *event)
{
    static const char types[] = "AGDF";
    char *text = text_, word[64];

    snprintf(word, sizeof word, "%c %.*s %lld %d %u\n", types[event->type],
             YL_STR_ARG(event->key->name), (long long) event->delay,
             event->priority, event->n_requeues);
    memcpy(text + strlen(text), word, strlen(word) + 1);
}

TEST(a_trace_tells_everything)
{
    char text[512] = "";
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q = yl_workqueue_new(&(struct yl_workqueue_opts) {
        .clock = clock, .name = "traced", .trace = write_event,
        .trace_aux = text });
    const struct yl_key *key;

    assert_string_equal(yl_workqueue_name(q), "traced");
    add(q, "a");
    key = get(q, "a");
    yl_workqueue_add_with(q, key, &(struct yl_workqueue_add_opts) {
        .rate_limited = true, .priority = 3 });
    yl_workqueue_done(q, key);
    key = yl_workqueue_try_get(q);
    assert_null(key);
    yl_workqueue_forget(q, &(struct yl_key) { YL_STR("ns"), YL_STR("a") });
    yl_workqueue_shut_down(q);
    add(q, "late");
    assert_string_equal(text, "A a 0 0 0\nG a 0 0 0\nA a 5 3 1\nD a 0 0 0\n"
                              "F a 0 0 0\n");
    yl_workqueue_free(q);
    yl_clock_free(clock);
}

static yl_msec
ask_the_queue(void *q_, const struct yl_key *key, unsigned n_requeues,
              yl_msec now)
{
    struct yl_workqueue **q = q_;

    (void) now;
    assert_int_equal(yl_workqueue_num_requeues(*q, key), n_requeues + 1);
    return 7;
}

TEST(a_limiter_may_use_the_queue)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_workqueue *q;
    struct yl_rate_limiter *limiter
        = yl_rate_limiter_custom_new(ask_the_queue, &q);

    q = yl_workqueue_new(&(struct yl_workqueue_opts) { .clock = clock,
                                                       .limiter = limiter });
    add_rate_limited(q, "a");
    assert_int_equal(yl_workqueue_next(q), 7);
    yl_workqueue_free(q);
    yl_rate_limiter_free(limiter);
    yl_clock_free(clock);
}

TEST(limiters_make_two_keys_wait_apart)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_rate_limiter *limiter = yl_rate_limiter_exponential_new(1, 1000);
    struct yl_workqueue *q = yl_workqueue_new(&(struct yl_workqueue_opts) {
        .clock = clock, .limiter = limiter });

    add_rate_limited(q, "one");
    assert_int_equal(yl_workqueue_next(q), 1);
    yl_clock_fake_advance(clock, 1);
    expect(q, "one");
    add_rate_limited(q, "one");
    add_rate_limited(q, "two");
    assert_int_equal(yl_workqueue_next(q), 2);
    yl_clock_fake_advance(clock, 1);
    expect(q, "two");
    assert_int_equal(yl_workqueue_next(q), 3);
    assert_int_equal(num_requeues(q, "one"), 2);
    assert_int_equal(num_requeues(q, "two"), 1);
    yl_workqueue_free(q);
    yl_rate_limiter_free(limiter);
    yl_clock_free(clock);
}
