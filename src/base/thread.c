/* Threads, mutexes, condition variables.  See base/thread.h. */

#include "base/thread.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/bug.h"
#include "base/clock.h"
#include "yuloh/error.h"

static void init_mutex(struct yl_mutex *, int type);
static void check(int error, const char *where, const char *what);
static bool wait_on_fake(struct yl_cond *, struct yl_mutex *mutex,
                         struct yl_clock *, yl_msec when)
    YL_REQUIRES(mutex);
static int create(pthread_t *, const pthread_attr_t *, void *(*main)(void *),
                  void *thread);
static void *thread_main(void *thread);
static void *detached_main(void *thread);

/* The functions below lock and unlock in ways that clang's analysis cannot
 * follow, so it is turned off for them. */

void
yl_mutex_init(struct yl_mutex *mutex)
{
    /* The error-checking type costs a comparison of thread ids for each lock,
     * and reports what would otherwise be a silent hang. */
    init_mutex(mutex, PTHREAD_MUTEX_ERRORCHECK);
}

void
yl_mutex_init_brief(struct yl_mutex *mutex)
{
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
    init_mutex(mutex, PTHREAD_MUTEX_ADAPTIVE_NP);
#else
    init_mutex(mutex, PTHREAD_MUTEX_NORMAL);
#endif
}

static void
init_mutex(struct yl_mutex *mutex, int type)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    check(pthread_mutex_init(&mutex->mutex, &attr), YL_WHERE,
          "pthread_mutex_init");
    pthread_mutexattr_destroy(&attr);
    mutex->where = NULL;
}

void
yl_mutex_destroy_at(struct yl_mutex *mutex, const char *where)
{
    check(pthread_mutex_destroy(&mutex->mutex), where, "destroying a mutex");
}

void
yl_mutex_lock_at(struct yl_mutex *mutex, const char *where) YL_NO_THREAD_SAFETY
{
    check(pthread_mutex_lock(&mutex->mutex), where, "locking a mutex");
    mutex->where = where;
}

void
yl_mutex_unlock_at(struct yl_mutex *mutex,
                   const char *where) YL_NO_THREAD_SAFETY
{
    check(pthread_mutex_unlock(&mutex->mutex), where, "unlocking a mutex");
}

bool
yl_mutex_trylock_at(struct yl_mutex *mutex,
                    const char *where) YL_NO_THREAD_SAFETY
{
    int error = pthread_mutex_trylock(&mutex->mutex);

    if (error == EBUSY) {
        return false;
    }
    check(error, where, "locking a mutex");
    mutex->where = where;
    return true;
}

void
yl_cond_init(struct yl_cond *cond)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    check(pthread_cond_init(&cond->cond, &attr), YL_WHERE,
          "pthread_cond_init");
    pthread_condattr_destroy(&attr);
}

void
yl_cond_destroy(struct yl_cond *cond)
{
    check(pthread_cond_destroy(&cond->cond), YL_WHERE,
          "pthread_cond_destroy");
}

void
yl_cond_signal(struct yl_cond *cond)
{
    check(pthread_cond_signal(&cond->cond), YL_WHERE, "pthread_cond_signal");
}

void
yl_cond_broadcast(struct yl_cond *cond)
{
    check(pthread_cond_broadcast(&cond->cond), YL_WHERE,
          "pthread_cond_broadcast");
}

void
yl_cond_wait(struct yl_cond *cond, struct yl_mutex *mutex)
{
    check(pthread_cond_wait(&cond->cond, &mutex->mutex), YL_WHERE,
          "pthread_cond_wait");
}

bool
yl_cond_wait_until(struct yl_cond *cond, struct yl_mutex *mutex,
                   struct yl_clock *clock, yl_msec when)
{
    struct timespec until;
    int error;

    if (yl_clock_is_fake(clock)) {
        return wait_on_fake(cond, mutex, clock, when);
    }
    if (when == YL_NEVER) {
        yl_cond_wait(cond, mutex);
        return false;
    }
    if (yl_now(NULL) >= when) {
        return true;
    }
    until.tv_sec = (time_t) (when / 1000);
    until.tv_nsec = (long) (when % 1000) * 1000000;
    error = pthread_cond_timedwait(&cond->cond, &mutex->mutex, &until);
    if (error != ETIMEDOUT) {
        check(error, YL_WHERE, "pthread_cond_timedwait");
    }
    return yl_now(NULL) >= when;
}

int
yl_thread_start(struct yl_thread *thread, const char *name, yl_thread_fn *fn,
                void *arg)
{
    thread->fn = fn;
    thread->arg = arg;
    snprintf(thread->name, sizeof thread->name, "%s", name);
    return create(&thread->id, NULL, thread_main, thread);
}

int
yl_thread_start_detached(const char *name, yl_thread_fn *fn, void *arg)
{
    struct yl_thread *thread = yl_zalloc(sizeof *thread);
    pthread_attr_t attr;
    pthread_t id;
    int r;

    thread->fn = fn;
    thread->arg = arg;
    snprintf(thread->name, sizeof thread->name, "%s", name);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    r = create(&id, &attr, detached_main, thread);
    pthread_attr_destroy(&attr);
    if (r < 0) {
        free(thread);
    }
    return r;
}

void
yl_thread_join(struct yl_thread *thread)
{
    check(pthread_join(thread->id, NULL), YL_WHERE, "pthread_join");
}

void
yl_once(struct yl_once *once, void (*fn)(void))
{
    check(pthread_once(&once->once, fn), YL_WHERE, "pthread_once");
}

static void
check(int error, const char *where, const char *what)
{
    if (YL_UNLIKELY(error)) {
        yl_bug("%s: %s: %s", where, what, strerror(error));
    }
}

/* A thread that waits on a fake clock. */
struct fake_wait {
    struct yl_clock_waiter waiter;
    struct yl_cond *cond;
    struct yl_mutex *mutex;
};

/* Called when the clock has moved.  Taking the mutex makes sure that the
 * waiting thread either sleeps already or has not read the time yet, so that
 * the wake-up cannot be lost. */
static void
wake_fake(struct yl_clock_waiter *waiter)
{
    struct fake_wait *wait = YL_CONTAINER_OF(waiter, struct fake_wait, waiter);

    yl_mutex_lock(wait->mutex);
    yl_cond_broadcast(wait->cond);
    yl_mutex_unlock(wait->mutex);
}

static bool
wait_on_fake(struct yl_cond *cond, struct yl_mutex *mutex,
             struct yl_clock *clock, yl_msec when)
{
    struct fake_wait wait = { .waiter.wake = wake_fake, .cond = cond,
                              .mutex = mutex };

    if (when != YL_NEVER && yl_now(clock) >= when) {
        return true;
    }
    yl_clock_join(clock, &wait.waiter);
    if (when == YL_NEVER || yl_now(clock) < when) {
        yl_cond_wait(cond, mutex);
    }

    /* The thread that moves the clock may be waiting for this mutex in
     * wake_fake(), and leaving the clock waits for that thread: so unlock
     * first. */
    yl_mutex_unlock(mutex);
    yl_clock_leave(clock, &wait.waiter);
    yl_mutex_lock(mutex);
    return when != YL_NEVER && yl_now(clock) >= when;
}

static int
create(pthread_t *id, const pthread_attr_t *attr, void *(*main)(void *),
       void *thread)
{
    sigset_t blocked, old;
    int error;

    /* The new thread inherits the signal mask, so there is no moment in which
     * it could receive a signal.  Signals for faults stay unblocked: blocked,
     * they would kill the process without calling a handler. */
    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    sigdelset(&blocked, SIGFPE);
    sigdelset(&blocked, SIGILL);
    sigdelset(&blocked, SIGABRT);
    sigdelset(&blocked, SIGTRAP);
    pthread_sigmask(SIG_SETMASK, &blocked, &old);
    error = pthread_create(id, attr, main, thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error ? YL_EUNAVAILABLE : 0;
}

static void *
thread_main(void *thread_)
{
    struct yl_thread *thread = thread_;

    pthread_setname_np(pthread_self(), thread->name);
    thread->fn(thread->arg);
    return NULL;
}

static void *
detached_main(void *thread)
{
    thread_main(thread);
    free(thread);
    return NULL;
}
