/* Tests of the loop. */

#include "net/loop.h"

#include <poll.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "unit.h"
#include "yuloh/error.h"

static struct yl_loop *loop;

static void
make_loop(struct yl_clock *clock)
{
    assert_int_equal(yl_loop_new(clock, &loop, NULL), 0);
}

/* A task that notes when it ran. */
struct note {
    struct yl_loop_task task;
    int id;
    bool again;
};

static int order[64];
static int n_order;

static void
run_note(struct yl_loop_task *task)
{
    struct note *note = YL_CONTAINER_OF(task, struct note, task);

    order[n_order++] = note->id;
    if (note->again) {
        note->again = false;
        yl_loop_post(loop, task);
    }
}

TEST(posts_run_in_order_and_those_they_make_in_the_next_turn)
{
    struct note a = { { NULL, run_note }, 1, true };
    struct note b = { { NULL, run_note }, 2, false };

    n_order = 0;
    make_loop(NULL);
    yl_loop_post(loop, &a.task);
    yl_loop_post(loop, &b.task);
    yl_loop_turn(loop, true);
    assert_int_equal(n_order, 2);
    yl_loop_turn(loop, true);
    assert_int_equal(n_order, 3);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 1);
    yl_loop_free(loop);
}

TEST(what_was_posted_before_a_stop_runs)
{
    struct note a = { { NULL, run_note }, 1, false };

    n_order = 0;
    make_loop(NULL);
    yl_loop_post(loop, &a.task);
    yl_loop_stop(loop);
    yl_loop_run(loop);
    assert_int_equal(n_order, 1);
    yl_loop_free(loop);
}

/* Timers. */
struct alarm {
    struct yl_loop_timer timer;
    struct yl_loop_timer *victim;
    int n_fired;
    yl_msec again;
};

static void
ring(struct yl_loop_timer *timer)
{
    struct alarm *alarm = YL_CONTAINER_OF(timer, struct alarm, timer);

    alarm->n_fired++;
    if (alarm->victim) {
        yl_loop_timer_cancel(loop, alarm->victim);
    }
    if (alarm->again) {
        yl_loop_timer_arm(loop, timer, alarm->again);
    }
}

TEST(timers_follow_the_clock)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct alarm a = { .timer.fire = ring };
    struct alarm b = { .timer.fire = ring };

    make_loop(clock);
    assert_ptr_equal(yl_loop_clock(loop), clock);
    yl_loop_timer_arm(loop, &a.timer, 1500);
    yl_loop_timer_arm(loop, &b.timer, 1400);
    yl_loop_timer_arm(loop, &b.timer, 3000);
    yl_loop_turn(loop, false);
    assert_int_equal(a.n_fired, 0);
    yl_clock_fake_advance(clock, 500);
    yl_loop_turn(loop, true);
    assert_int_equal(yl_loop_now(loop), 1500);
    assert_int_equal(a.n_fired, 1);
    assert_int_equal(b.n_fired, 0);
    assert_false(yl_loop_timer_is_armed(&a.timer));
    assert_true(yl_loop_timer_is_armed(&b.timer));
    yl_loop_timer_arm(loop, &b.timer, YL_NEVER);
    assert_false(yl_loop_timer_is_armed(&b.timer));
    yl_loop_free(loop);
    yl_clock_free(clock);
}

TEST(a_timer_that_is_always_due_does_not_stop_the_loop)
{
    struct alarm a = { .timer.fire = ring, .again = 1 };

    make_loop(NULL);
    yl_loop_timer_arm(loop, &a.timer, 1);
    yl_loop_turn(loop, true);
    assert_int_equal(a.n_fired, 1);
    yl_loop_turn(loop, true);
    assert_int_equal(a.n_fired, 2);
    yl_loop_free(loop);
}

TEST(a_cancelled_timer_is_not_called)
{
    struct alarm a = { .timer.fire = ring };
    struct alarm b = { .timer.fire = ring };

    make_loop(NULL);
    a.victim = &b.timer;
    yl_loop_timer_arm(loop, &a.timer, 1);
    yl_loop_timer_arm(loop, &b.timer, 1);
    yl_loop_turn(loop, true);
    assert_int_equal(a.n_fired, 1);
    assert_int_equal(b.n_fired, 0);
    yl_loop_free(loop);
}

TEST(the_real_clock_wakes_the_loop)
{
    struct alarm a = { .timer.fire = ring };

    make_loop(NULL);
    yl_loop_timer_arm(loop, &a.timer, yl_loop_now(loop) + 3);
    while (!a.n_fired) {
        yl_loop_turn(loop, true);
    }
    yl_loop_free(loop);
}

/* Descriptors. */
struct reader {
    struct yl_loop_fd fd;
    struct reader *victim;
    int n_called;
};

static void
be_ready(struct yl_loop_fd *fd, uint32_t events)
{
    struct reader *reader = YL_CONTAINER_OF(fd, struct reader, fd);

    assert_true(events & EPOLLIN);
    reader->n_called++;
    if (reader->victim) {
        yl_loop_remove(loop, &reader->victim->fd);
        reader->victim = NULL;
    }
}

TEST(a_removed_descriptor_is_not_called)
{
    struct reader readers[2];
    int pipes[2][2];

    make_loop(NULL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pipe(pipes[i]), 0);
        assert_int_equal(write(pipes[i][1], "x", 1), 1);
        readers[i] = (struct reader) {
            .fd = { .fd = pipes[i][0], .events = EPOLLIN, .ready = be_ready },
            .victim = &readers[!i],
        };
        assert_int_equal(yl_loop_add(loop, &readers[i].fd, NULL), 0);
    }
    yl_loop_turn(loop, true);
    assert_int_equal(readers[0].n_called + readers[1].n_called, 1);
    yl_loop_turn(loop, true);
    assert_int_equal(readers[0].n_called + readers[1].n_called, 2);

    for (int i = 0; i < 2; i++) {
        if (readers[i].n_called == 2) {
            yl_loop_change(loop, &readers[i].fd, 0);
            yl_loop_turn(loop, false);
            assert_int_equal(readers[i].n_called, 2);
        }
        close(pipes[i][0]);
        close(pipes[i][1]);
    }
    yl_loop_free(loop);
}

TEST(a_descriptor_that_cannot_be_waited_for_is_an_error)
{
    struct yl_loop_fd fd = { .fd = -1, .events = EPOLLIN };
    struct yl_error err = YL_ERROR_INIT;

    make_loop(NULL);
    assert_int_equal(yl_loop_add(loop, &fd, &err), YL_EUNAVAILABLE);
    assert_non_null(strstr(yl_error_message(&err), "cannot wait"));
    yl_error_clear(&err);
    yl_loop_free(loop);
}

static void
count(void *aux)
{
    ++*(int *) aux;
}

TEST(hooks_run_once_in_a_turn)
{
    int a = 0;
    int b = 0;

    make_loop(NULL);
    yl_loop_on_turn(loop, count, &a);
    yl_loop_on_turn(loop, count, &b);
    yl_loop_turn(loop, false);
    yl_loop_turn(loop, false);
    assert_int_equal(a, 2);
    assert_int_equal(b, 2);
    yl_loop_free(loop);
}

/* Chores. */
struct chore {
    struct yl_loop_chore chore;
    int id;
    struct yl_loop_chore *also; /* Deferred when it runs. */
};

static void
run_chore(struct yl_loop_chore *chore_)
{
    struct chore *chore = YL_CONTAINER_OF(chore_, struct chore, chore);

    order[n_order++] = chore->id;
    if (chore->also) {
        yl_loop_defer(loop, chore->also);
        chore->also = NULL;
    }
}

static void
make_chores(struct chore *chores, int n)
{
    n_order = 0;
    for (int i = 0; i < n; i++) {
        chores[i] = (struct chore) { .chore.run = run_chore, .id = i };
        yl_list_init(&chores[i].chore.node);
        yl_loop_defer(loop, &chores[i].chore);
    }
}

TEST(some_chores_run_in_each_turn_in_order_and_the_loop_stays_awake)
{
    struct chore chores[YL_LOOP_CHORES + 2];

    make_loop(NULL);
    make_chores(chores, YL_LOOP_CHORES + 2);
    yl_loop_defer(loop, &chores[0].chore);      /* Keeps its place. */
    yl_loop_turn(loop, true);
    assert_int_equal(n_order, YL_LOOP_CHORES);
    yl_loop_turn(loop, true);
    assert_int_equal(n_order, YL_LOOP_CHORES + 2);
    for (int i = 0; i < n_order; i++) {
        assert_int_equal(order[i], i);
    }
    yl_loop_turn(loop, false);
    assert_int_equal(n_order, YL_LOOP_CHORES + 2);
    yl_loop_free(loop);
}

TEST(a_turn_with_much_else_to_do_runs_more_chores)
{
    struct chore chores[YL_LOOP_CHORES + 3 * YL_LOOP_CHORES_EACH];
    struct note notes[2];

    make_loop(NULL);
    make_chores(chores, YL_ARRAY_SIZE(chores));
    for (int i = 0; i < 2; i++) {
        notes[i] = (struct note) { { NULL, run_note }, -1, false };
        yl_loop_post(loop, &notes[i].task);
    }
    yl_loop_turn(loop, false);
    assert_int_equal(n_order, 2 + YL_LOOP_CHORES + 2 * YL_LOOP_CHORES_EACH);
    yl_loop_turn(loop, false);
    assert_int_equal(n_order, 2 + YL_ARRAY_SIZE(chores));
    yl_loop_free(loop);
}

TEST(a_chore_that_asks_again_stands_behind_the_others)
{
    struct chore chores[2];

    make_loop(NULL);
    make_chores(chores, 2);
    chores[0].also = &chores[0].chore;
    yl_loop_turn(loop, false);
    assert_int_equal(n_order, 3);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 0);
    yl_loop_free(loop);
}

TEST(a_chore_that_was_cancelled_does_not_run)
{
    struct chore chores[2];

    make_loop(NULL);
    make_chores(chores, 2);
    yl_loop_chore_cancel(&chores[0].chore);
    yl_loop_chore_cancel(&chores[0].chore);
    yl_loop_turn(loop, false);
    assert_int_equal(n_order, 1);
    assert_int_equal(order[0], 1);
    yl_loop_free(loop);
}

TEST(hooks_are_called_before_and_after_chores)
{
    struct chore chore;
    int a = 0;

    make_loop(NULL);
    yl_loop_on_turn(loop, count, &a);
    make_chores(&chore, 1);
    yl_loop_turn(loop, false);
    assert_int_equal(a, 2);
    yl_loop_turn(loop, false);
    assert_int_equal(a, 3);
    yl_loop_free(loop);
}

/* Other threads. */
#define N_POSTS 10000

struct poster {
    struct yl_thread thread;
    struct number {
        struct yl_loop_task task;
        struct poster *poster;
        int n;
    } *numbers;
    int next;                   /* Expected by the loop. */
};

static int n_left;

static void
run_number(struct yl_loop_task *task)
{
    struct number *number = YL_CONTAINER_OF(task, struct number, task);

    assert_int_equal(number->n, number->poster->next++);
    if (--n_left == 0) {
        yl_loop_stop(loop);
    }
}

static void
post_all(void *aux)
{
    struct poster *poster = aux;

    for (int i = 0; i < N_POSTS; i++) {
        yl_loop_post(loop, &poster->numbers[i].task);
    }
}

TEST(posts_of_each_thread_keep_their_order_and_none_is_lost)
{
    struct poster posters[3];

    make_loop(NULL);
    n_left = 3 * N_POSTS;
    for (int i = 0; i < 3; i++) {
        posters[i].next = 0;
        posters[i].numbers = malloc(N_POSTS * sizeof *posters[i].numbers);
        for (int j = 0; j < N_POSTS; j++) {
            posters[i].numbers[j] = (struct number) {
                { NULL, run_number }, &posters[i], j
            };
        }
        assert_int_equal(yl_thread_start(&posters[i].thread, "poster",
                                         post_all, &posters[i]), 0);
    }
    yl_loop_run(loop);
    assert_int_equal(n_left, 0);
    for (int i = 0; i < 3; i++) {
        yl_thread_join(&posters[i].thread);
        free(posters[i].numbers);
    }
    yl_loop_free(loop);
}

static void
advance(void *clock)
{
    yl_clock_fake_advance(clock, 100);
}

static void
ring_and_stop(struct yl_loop_timer *timer)
{
    ring(timer);
    yl_loop_stop(loop);
}

TEST(moving_a_fake_clock_wakes_a_loop_that_sleeps)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    struct alarm a = { .timer.fire = ring_and_stop };
    struct yl_thread thread;

    make_loop(clock);
    yl_loop_timer_arm(loop, &a.timer, 100);
    assert_int_equal(yl_thread_start(&thread, "time", advance, clock), 0);
    yl_loop_run(loop);
    assert_int_equal(a.n_fired, 1);
    yl_thread_join(&thread);
    yl_loop_free(loop);
    yl_clock_free(clock);
}

/* A main loop of somebody else waits for the loop's descriptor. */
static bool
poll_loop(yl_msec wait)
{
    struct pollfd poll_fd = { .fd = yl_loop_poll_fd(loop), .events = POLLIN };

    return poll(&poll_fd, 1, (int) wait) == 1;
}

TEST(another_main_loop_is_told_when_the_loop_wants_a_turn)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct note note = { { NULL, run_note }, 7, false };
    struct alarm alarm = { .timer.fire = ring };

    n_order = 0;
    make_loop(clock);
    assert_int_equal(yl_loop_next(loop), YL_NEVER);
    assert_false(poll_loop(0));

    /* A timer. */
    yl_loop_timer_arm(loop, &alarm.timer, 1500);
    assert_int_equal(yl_loop_next(loop), 1500);
    yl_loop_timer_cancel(loop, &alarm.timer);

    /* A post that is made before the loop was asked, and one after. */
    yl_loop_turn(loop, false);
    yl_loop_post(loop, &note.task);
    assert_true(yl_loop_next(loop) <= yl_now(clock));
    yl_loop_turn(loop, false);
    assert_int_equal(n_order, 1);
    assert_int_equal(yl_loop_next(loop), YL_NEVER);
    yl_loop_post(loop, &note.task);
    assert_true(poll_loop(-1));
    yl_loop_turn(loop, false);
    assert_int_equal(n_order, 2);
    yl_loop_next(loop);
    assert_false(poll_loop(0));
    yl_loop_free(loop);
    yl_clock_free(clock);
}
