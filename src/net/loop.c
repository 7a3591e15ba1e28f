/* Loop.  See yuloh/loop.h and net/loop.h for the contract.
 *
 * A turn: wait, read the clock, then run ready descriptors, due timers, posts,
 * the hooks of yl_loop_on_turn(), and finally some chores.
 *
 * Posts are a stack to which any thread pushes and which the loop takes as a
 * whole and reverses.  A thread that pushes to an empty stack then checks
 * whether the loop is asleep; the loop sets that flag before it checks the
 * stack for the last time.  Both are sequentially consistent, so at least one
 * of the two sees what the other did. */

#include "net/loop.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/heap.h"
#include "yuloh/error.h"

#define MAX_EVENTS 256

/* A timer's node is a heap's node under another name, because the header of
 * heaps is not public. */
_Static_assert(sizeof(struct yl_loop_when) == sizeof(struct yl_heap_node)
               && offsetof(struct yl_loop_when, at)
                  == offsetof(struct yl_heap_node, at)
               && offsetof(struct yl_loop_when, arrival)
                  == offsetof(struct yl_heap_node, arrival)
               && offsetof(struct yl_loop_when, place)
                  == offsetof(struct yl_heap_node, place),
               "struct yl_loop_when must be a struct yl_heap_node");

struct hook {
    void (*fn)(void *aux);
    void *aux;
};

struct yl_loop {
    struct yl_clock *clock;
    struct yl_clock_waiter waiter;  /* In 'clock', if that is a fake one. */
    int epoll_fd;
    struct yl_loop_fd wake_fd;  /* The eventfd. */
    yl_msec now;
    struct yl_heap timers;
    struct hook *hooks;
    size_t n_hooks;
    struct yl_list chores;      /* Oldest first. */
    int n_calls;                /* Other callbacks of this turn. */

    /* The ready descriptors of this turn: those from 'at' on are still to be
     * called.  One that is removed becomes NULL here. */
    struct epoll_event ready[MAX_EVENTS];
    int n_ready, at;

    _Atomic(struct yl_loop_task *) posts;   /* Newest first. */
    atomic_bool asleep;
    atomic_bool stop;
};

static void wake(struct yl_loop *);
static void woken(struct yl_loop_fd *, uint32_t events);
static void clock_moved(struct yl_clock_waiter *);
static yl_msec next(const struct yl_loop *);
static int timeout(const struct yl_loop *);
static struct yl_heap_node *heap_node(struct yl_loop_timer *);
static void call_ready(struct yl_loop *, bool wait);
static void fire_timers(struct yl_loop *);
static void run_posts(struct yl_loop *);
static void run_hooks(struct yl_loop *);
static bool run_chores(struct yl_loop *);

int
yl_loop_new(struct yl_clock *clock, struct yl_loop **ret_loop,
            struct yl_error *err)
{
    struct yl_loop *loop = yl_zalloc(sizeof *loop);

    loop->clock = clock;
    yl_list_init(&loop->chores);
    loop->wake_fd.fd = -1;
    loop->wake_fd.events = EPOLLIN;
    loop->wake_fd.ready = woken;
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd >= 0) {
        loop->wake_fd.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    }
    if (loop->wake_fd.fd < 0 || yl_loop_add(loop, &loop->wake_fd, NULL) < 0) {
        int code = yl_error_set(err, YL_EUNAVAILABLE,
                                "cannot make an event loop: %s",
                                strerror(errno));

        if (loop->wake_fd.fd >= 0) {
            close(loop->wake_fd.fd);
        }
        if (loop->epoll_fd >= 0) {
            close(loop->epoll_fd);
        }
        free(loop);
        return code;
    }
    if (yl_clock_is_fake(clock)) {
        loop->waiter.wake = clock_moved;
        yl_clock_join(clock, &loop->waiter);
    }
    loop->now = yl_now(clock);
    *ret_loop = loop;
    return 0;
}

void
yl_loop_free(struct yl_loop *loop)
{
    if (!loop) {
        return;
    }
    if (yl_clock_is_fake(loop->clock)) {
        yl_clock_leave(loop->clock, &loop->waiter);
    }
    close(loop->wake_fd.fd);
    close(loop->epoll_fd);
    yl_heap_release(&loop->timers);
    free(loop->hooks);
    free(loop);
}

void
yl_loop_run(struct yl_loop *loop)
{
    while (!atomic_exchange(&loop->stop, false)) {
        yl_loop_turn(loop, true);
    }
    run_posts(loop);
}

void
yl_loop_stop(struct yl_loop *loop)
{
    atomic_store(&loop->stop, true);
    wake(loop);
}

void
yl_loop_turn(struct yl_loop *loop, bool wait)
{
    loop->n_calls = 0;
    call_ready(loop, wait);
    fire_timers(loop);
    run_posts(loop);
    run_hooks(loop);
    if (run_chores(loop)) {
        run_hooks(loop);
    }
}

int
yl_loop_poll_fd(const struct yl_loop *loop)
{
    return loop->epoll_fd;
}

/* From here on the loop counts as asleep: the flag is set before the posts are
 * read, as in call_ready(). */
yl_msec
yl_loop_next(struct yl_loop *loop)
{
    atomic_store(&loop->asleep, true);
    return next(loop);
}

yl_msec
yl_loop_now(const struct yl_loop *loop)
{
    return loop->now;
}

struct yl_clock *
yl_loop_clock(const struct yl_loop *loop)
{
    return loop->clock;
}

void
yl_loop_post(struct yl_loop *loop, struct yl_loop_task *task)
{
    struct yl_loop_task *head = atomic_load(&loop->posts);

    do {
        task->next = head;
    } while (!atomic_compare_exchange_weak(&loop->posts, &head, task));
    if (!head && atomic_exchange(&loop->asleep, false)) {
        wake(loop);
    }
}

void
yl_loop_defer(struct yl_loop *loop, struct yl_loop_chore *chore)
{
    if (yl_list_is_empty(&chore->node)) {
        yl_list_push_back(&loop->chores, &chore->node);
    }
}

void
yl_loop_chore_cancel(struct yl_loop_chore *chore)
{
    yl_list_remove(&chore->node);
}

void
yl_loop_timer_arm(struct yl_loop *loop, struct yl_loop_timer *timer,
                  yl_msec when)
{
    if (when == YL_NEVER) {
        yl_loop_timer_cancel(loop, timer);
    } else if (yl_loop_timer_is_armed(timer)) {
        yl_heap_change(&loop->timers, heap_node(timer), when);
    } else {
        yl_heap_push(&loop->timers, heap_node(timer), when);
    }
}

void
yl_loop_timer_cancel(struct yl_loop *loop, struct yl_loop_timer *timer)
{
    if (yl_loop_timer_is_armed(timer)) {
        yl_heap_remove(&loop->timers, heap_node(timer));
    }
}

int
yl_loop_add(struct yl_loop *loop, struct yl_loop_fd *fd, struct yl_error *err)
{
    struct epoll_event event = { .events = fd->events, .data.ptr = fd };

    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd->fd, &event) < 0) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "cannot wait for a descriptor: %s",
                            strerror(errno));
    }
    return 0;
}

void
yl_loop_change(struct yl_loop *loop, struct yl_loop_fd *fd, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.ptr = fd };

    if (fd->events != events) {
        fd->events = events;
        if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, fd->fd, &event) < 0) {
            yl_bug("descriptor %d is not in its loop: %s", fd->fd,
                   strerror(errno));
        }
    }
}

void
yl_loop_remove(struct yl_loop *loop, struct yl_loop_fd *fd)
{
    for (int i = loop->at; i < loop->n_ready; i++) {
        if (loop->ready[i].data.ptr == fd) {
            loop->ready[i].data.ptr = NULL;
        }
    }
    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd->fd, NULL) < 0) {
        yl_bug("descriptor %d is not in its loop: %s", fd->fd,
               strerror(errno));
    }
}

void
yl_loop_on_turn(struct yl_loop *loop, void (*fn)(void *aux), void *aux)
{
    loop->hooks = yl_realloc_array(loop->hooks, loop->n_hooks + 1,
                                   sizeof *loop->hooks);
    loop->hooks[loop->n_hooks++] = (struct hook) { fn, aux };
}

/* If the counter is full, the write fails, but the loop wakes all the same. */
static void
wake(struct yl_loop *loop)
{
    uint64_t one = 1;

    while (write(loop->wake_fd.fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

static void
woken(struct yl_loop_fd *fd, uint32_t events YL_UNUSED)
{
    uint64_t n;

    while (read(fd->fd, &n, sizeof n) < 0 && errno == EINTR) {
    }
}

static void
clock_moved(struct yl_clock_waiter *waiter)
{
    wake(YL_CONTAINER_OF(waiter, struct yl_loop, waiter));
}

/* When the loop has something to do by itself: YL_NEVER if only a descriptor
 * can give it something. */
static yl_msec
next(const struct yl_loop *loop)
{
    const struct yl_heap_node *top = yl_heap_top(&loop->timers);

    return atomic_load(&loop->posts) || atomic_load(&loop->stop)
           || !yl_list_is_empty(&loop->chores) ? loop->now
           : top ? top->at : YL_NEVER;
}

/* How long epoll_wait() may wait. */
static int
timeout(const struct yl_loop *loop)
{
    yl_msec when = next(loop);
    yl_msec left;

    if (when == YL_NEVER) {
        return -1;
    }
    left = when - yl_now(loop->clock);
    if (left <= 0) {
        return 0;
    }
    return yl_clock_is_fake(loop->clock) ? -1
           : left < INT_MAX ? (int) left : INT_MAX;
}

static struct yl_heap_node *
heap_node(struct yl_loop_timer *timer)
{
    return (struct yl_heap_node *) (void *) &timer->node;
}

static void
call_ready(struct yl_loop *loop, bool wait)
{
    atomic_store(&loop->asleep, wait);
    loop->n_ready = epoll_wait(loop->epoll_fd, loop->ready, MAX_EVENTS,
                               wait ? timeout(loop) : 0);
    atomic_store(&loop->asleep, false);
    if (loop->n_ready < 0 && errno != EINTR) {
        yl_bug("epoll_wait failed: %s", strerror(errno));
    }
    loop->now = yl_now(loop->clock);
    for (loop->at = 0; loop->at < loop->n_ready; ) {
        const struct epoll_event *event = &loop->ready[loop->at++];
        struct yl_loop_fd *fd = event->data.ptr;

        if (fd) {
            loop->n_calls++;
            fd->ready(fd, event->events);
        }
    }
}

/* Fires the timers that were due when the turn began.  A timer that is set
 * meanwhile waits for the next turn, even if it is before others: otherwise a
 * timer that always sets itself to now would stop the loop. */
static void
fire_timers(struct yl_loop *loop)
{
    uint64_t n_arrivals = loop->timers.n_arrivals;
    struct yl_heap_node *node;

    while ((node = yl_heap_top(&loop->timers)) != NULL
           && node->at <= loop->now && node->arrival < n_arrivals) {
        struct yl_loop_timer *timer
            = YL_CONTAINER_OF(node, struct yl_loop_timer, node);

        yl_heap_pop(&loop->timers);
        loop->n_calls++;
        timer->fire(timer);
    }
}

static void
run_posts(struct yl_loop *loop)
{
    struct yl_loop_task *task = NULL;
    struct yl_loop_task *newest = atomic_load(&loop->posts);

    if (newest) {
        newest = atomic_exchange(&loop->posts, NULL);
    }
    while (newest) {
        struct yl_loop_task *older = newest->next;

        newest->next = task;
        task = newest;
        newest = older;
    }
    while (task) {
        struct yl_loop_task *next = task->next;

        loop->n_calls++;
        task->run(task);
        task = next;
    }
}

static void
run_hooks(struct yl_loop *loop)
{
    for (size_t i = 0; i < loop->n_hooks; i++) {
        loop->hooks[i].fn(loop->hooks[i].aux);
    }
}

/* Returns true if there were any. */
static bool
run_chores(struct yl_loop *loop)
{
    int max = YL_LOOP_CHORES + YL_LOOP_CHORES_EACH * loop->n_calls;
    struct yl_list *node;
    int n = 0;

    while (n < max
           && (node = yl_list_pop_front(&loop->chores)) != NULL) {
        struct yl_loop_chore *chore
            = YL_CONTAINER_OF(node, struct yl_loop_chore, node);

        chore->run(chore);
        n++;
    }
    return n > 0;
}
