/* Tests of threads, mutexes and condition variables. */

#include "base/thread.h"

#include <signal.h>

#include "base/clock.h"
#include "unit.h"

static struct yl_mutex static_mutex = YL_MUTEX_INIT;

struct counter {
    struct yl_mutex lock;
    int n YL_GUARDED;
};

static void
count(void *counter_)
{
    struct counter *counter = counter_;
    int i;

    for (i = 0; i < 1000; i++) {
        yl_mutex_lock(&counter->lock);
        counter->n++;
        yl_mutex_unlock(&counter->lock);
    }
}

TEST(mutex_excludes)
{
    struct counter counter = { .n = 0 };
    struct yl_thread threads[4];
    int i;

    yl_mutex_init(&counter.lock);
    for (i = 0; i < 4; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "count", count,
                                         &counter), 0);
    }
    for (i = 0; i < 4; i++) {
        yl_thread_join(&threads[i]);
    }
    yl_mutex_lock(&counter.lock);
    assert_int_equal(counter.n, 4000);
    yl_mutex_unlock(&counter.lock);
    yl_mutex_destroy(&counter.lock);
}

static void
try_lock(void *ret_locked)
{
    bool *locked = ret_locked;

    *locked = false;
    if (yl_mutex_trylock(&static_mutex)) {
        *locked = true;
        yl_mutex_unlock(&static_mutex);
    }
}

TEST(trylock_says_whether_it_locked)
{
    struct yl_thread thread;
    bool locked = true;

    yl_mutex_lock(&static_mutex);
    assert_non_null(strstr(static_mutex.where, "thread_test.c:"));
    assert_int_equal(yl_thread_start(&thread, "try", try_lock, &locked), 0);
    yl_thread_join(&thread);
    assert_false(locked);
    yl_mutex_unlock(&static_mutex);
    try_lock(&locked);
    assert_true(locked);
}

static void
lock_twice(void *mutex_) YL_NO_THREAD_SAFETY
{
    struct yl_mutex *mutex = mutex_;

    yl_mutex_lock(mutex);
    yl_mutex_lock(mutex);
}

static void
unlock_unlocked(void *mutex_) YL_NO_THREAD_SAFETY
{
    struct yl_mutex *mutex = mutex_;

    yl_mutex_unlock(mutex);
}

static void
destroy_locked(void *mutex_) YL_NO_THREAD_SAFETY
{
    struct yl_mutex *mutex = mutex_;

    yl_mutex_lock(mutex);
    yl_mutex_destroy(mutex);
}

TEST(misuse_ends_the_process_and_names_the_place)
{
    struct yl_mutex mutex;

    yl_mutex_init(&mutex);
    assert_aborts(lock_twice, &mutex, "thread_test.c:");
    assert_aborts(lock_twice, &mutex, "locking a mutex: Resource deadlock");
    assert_aborts(lock_twice, &static_mutex, "locking a mutex");
    assert_aborts(unlock_unlocked, &mutex, "unlocking a mutex");
    assert_aborts(destroy_locked, &mutex, "destroying a mutex");
    yl_mutex_destroy(&mutex);
}

/* A gate that one thread opens and another waits for. */
struct gate {
    struct yl_mutex lock;
    struct yl_cond changed;
    bool open YL_GUARDED;
    struct yl_clock *clock;
    yl_msec deadline;
    bool timed_out YL_GUARDED;
};

static void
gate_init(struct gate *gate, struct yl_clock *clock, yl_msec deadline)
    YL_NO_THREAD_SAFETY
{
    memset(gate, 0, sizeof *gate);
    yl_mutex_init(&gate->lock);
    yl_cond_init(&gate->changed);
    gate->clock = clock;
    gate->deadline = deadline;
}

static void
gate_release(struct gate *gate)
{
    yl_cond_destroy(&gate->changed);
    yl_mutex_destroy(&gate->lock);
}

static void
gate_open(void *gate_)
{
    struct gate *gate = gate_;

    yl_mutex_lock(&gate->lock);
    gate->open = true;
    yl_cond_signal(&gate->changed);
    yl_mutex_unlock(&gate->lock);
}

static void
gate_wait(void *gate_)
{
    struct gate *gate = gate_;

    yl_mutex_lock(&gate->lock);
    while (!gate->open && !gate->timed_out) {
        gate->timed_out = yl_cond_wait_until(&gate->changed, &gate->lock,
                                             gate->clock, gate->deadline);
    }
    yl_mutex_unlock(&gate->lock);
}

static bool
gate_timed_out(struct gate *gate) YL_NO_THREAD_SAFETY
{
    return gate->timed_out;
}

TEST(signal_ends_a_wait)
{
    struct gate gate;
    struct yl_thread opener;
    yl_msec deadlines[] = { YL_NEVER, yl_now(NULL) + 3600 * 1000 };
    int i;

    for (i = 0; i < 2; i++) {
        gate_init(&gate, NULL, deadlines[i]);
        assert_int_equal(yl_thread_start(&opener, "opener", gate_open, &gate),
                         0);
        gate_wait(&gate);
        yl_thread_join(&opener);
        assert_false(gate_timed_out(&gate));
        gate_release(&gate);
    }
}

TEST(wait_ends_when_the_monotonic_clock_shows_the_time)
{
    struct gate gate;

    gate_init(&gate, NULL, yl_now(NULL) + 3);
    gate_wait(&gate);
    assert_true(gate_timed_out(&gate));
    assert_true(yl_now(NULL) >= gate.deadline);

    yl_mutex_lock(&gate.lock);
    assert_true(yl_cond_wait_until(&gate.changed, &gate.lock, NULL, -1));
    assert_true(yl_cond_wait_until(&gate.changed, &gate.lock, NULL,
                                   yl_now(NULL)));
    yl_mutex_unlock(&gate.lock);
    gate_release(&gate);
}

TEST(moving_a_fake_clock_past_the_time_ends_the_wait)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_thread waiter;
    struct gate gate;

    gate_init(&gate, clock, 2000);
    assert_int_equal(yl_thread_start(&waiter, "waiter", gate_wait, &gate), 0);
    yl_clock_fake_await_waiters(clock, 1);
    yl_clock_fake_advance(clock, 999);
    yl_clock_fake_await_waiters(clock, 1);
    yl_mutex_lock(&gate.lock);
    assert_false(gate.timed_out);
    yl_mutex_unlock(&gate.lock);
    yl_clock_fake_advance(clock, 1);
    yl_thread_join(&waiter);
    assert_true(gate_timed_out(&gate));
    gate_wait(&gate);
    gate_release(&gate);
    yl_clock_free(clock);
}

TEST(signal_ends_a_wait_on_a_fake_clock)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_thread waiter;
    struct gate gate;

    gate_init(&gate, clock, YL_NEVER);
    assert_int_equal(yl_thread_start(&waiter, "waiter", gate_wait, &gate), 0);
    yl_clock_fake_await_waiters(clock, 1);
    yl_clock_fake_advance(clock, 1000000);
    gate_open(&gate);
    yl_thread_join(&waiter);
    assert_false(gate_timed_out(&gate));

    yl_mutex_lock(&gate.lock);
    assert_true(yl_cond_wait_until(&gate.changed, &gate.lock, clock, 1));
    yl_mutex_unlock(&gate.lock);
    gate_release(&gate);
    yl_clock_free(clock);
}

static void
advance_much(void *clock)
{
    int i;

    for (i = 0; i < 500; i++) {
        yl_clock_fake_advance(clock, 1);
    }
}

/* Each waits for many deadlines in a row, while two threads move the clock. */
static void
wait_often(void *gate_)
{
    struct gate *gate = gate_;
    yl_msec when;

    yl_mutex_lock(&gate->lock);
    for (when = 0; when <= 1000; when += 7) {
        while (!yl_cond_wait_until(&gate->changed, &gate->lock, gate->clock,
                                   when)) {
            continue;
        }
    }
    yl_mutex_unlock(&gate->lock);
}

TEST(no_move_of_a_fake_clock_is_lost)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct yl_thread waiters[4], movers[2];
    struct gate gates[2];
    int i;

    for (i = 0; i < 2; i++) {
        gate_init(&gates[i], clock, 0);
    }
    for (i = 0; i < 4; i++) {
        assert_int_equal(yl_thread_start(&waiters[i], "waiter", wait_often,
                                         &gates[i % 2]), 0);
    }
    for (i = 0; i < 2; i++) {
        assert_int_equal(yl_thread_start(&movers[i], "mover", advance_much,
                                         clock), 0);
    }
    for (i = 0; i < 2; i++) {
        yl_thread_join(&movers[i]);
    }
    for (i = 0; i < 4; i++) {
        yl_thread_join(&waiters[i]);
    }
    assert_int_equal(yl_now(clock), 1000);
    gate_release(&gates[0]);
    gate_release(&gates[1]);
    yl_clock_free(clock);
}

struct look {
    char name[64];
    sigset_t mask;
};

static void
look_around(void *look_)
{
    struct look *look = look_;
    FILE *f = fopen("/proc/thread-self/comm", "r");

    if (f) {
        if (!fgets(look->name, sizeof look->name, f)) {
            look->name[0] = '\0';
        }
        fclose(f);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &look->mask);
}

TEST(thread_shows_its_name_and_blocks_signals)
{
    struct yl_thread thread;
    struct look look;
    sigset_t mask;

    memset(&look, 0, sizeof look);
    assert_int_equal(yl_thread_start(&thread, "a-name-that-is-too-long",
                                     look_around, &look), 0);
    yl_thread_join(&thread);
    assert_string_equal(look.name, "a-name-that-is-\n");
    assert_true(sigismember(&look.mask, SIGTERM));
    assert_true(sigismember(&look.mask, SIGCHLD));
    assert_false(sigismember(&look.mask, SIGSEGV));
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_false(sigismember(&mask, SIGTERM));
}

static int n_once;

static void
once(void)
{
    n_once++;
}

static struct yl_once the_once = YL_ONCE_INIT;

static void
call_once_function(void *unused YL_UNUSED)
{
    yl_once(&the_once, once);
}

TEST(once_runs_once)
{
    struct yl_thread threads[3];
    int i;

    for (i = 0; i < 3; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "once",
                                         call_once_function, NULL), 0);
    }
    for (i = 0; i < 3; i++) {
        yl_thread_join(&threads[i]);
    }
    call_once_function(NULL);
    assert_int_equal(n_once, 1);
}
