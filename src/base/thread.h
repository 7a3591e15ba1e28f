#ifndef BASE_THREAD_H
#define BASE_THREAD_H 1

/* Threads, mutexes, condition variables: pthreads, with misuse detected.
 *
 * Guarantees
 * ==========
 *
 *   - A misuse that pthreads can see (locking twice, unlocking what another
 *     thread holds, destroying what is in use) ends the process with a line
 *     that names the place.  There are no results to check.
 *
 *   - clang's -Wthread-safety follows the locks; mark what they guard with
 *     YL_GUARDED and helpers with YL_REQUIRES (yuloh/compiler.h).
 *
 *   - Timed waits follow a struct yl_clock.  The monotonic one does not jump
 *     when somebody sets the time of day; a fake one wakes the waiter when it
 *     is moved.
 *
 *   - Threads started here block every signal that can be blocked, so the
 *     program's own threads receive them, and show their name in /proc and
 *     in debuggers.
 *
 * Usage
 * =====
 *
 *     yl_mutex_lock(&q->lock);
 *     while (!q->ready) {
 *         yl_cond_wait_until(&q->changed, &q->lock, q->clock, deadline);
 *         ...
 *     }
 *     yl_mutex_unlock(&q->lock); */

#include <pthread.h>
#include <stdbool.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"

/* Mutex. */
struct YL_LOCKABLE yl_mutex {
    pthread_mutex_t mutex;
    const char *where;          /* Where it was locked last, for a debugger. */
};

#ifdef PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#define YL_MUTEX_INIT { PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, NULL }
#else
#define YL_MUTEX_INIT { PTHREAD_MUTEX_INITIALIZER, NULL }
#endif

void yl_mutex_init(struct yl_mutex *);

/* For a mutex that many threads take very often and hold for less than a
 * microsecond: a thread that finds it locked looks again some times before it
 * sleeps, as waking a thread takes longer than that.  Misuse is not
 * detected. */
void yl_mutex_init_brief(struct yl_mutex *);

#define yl_mutex_destroy(MUTEX) yl_mutex_destroy_at(MUTEX, YL_WHERE)
#define yl_mutex_lock(MUTEX) yl_mutex_lock_at(MUTEX, YL_WHERE)
#define yl_mutex_unlock(MUTEX) yl_mutex_unlock_at(MUTEX, YL_WHERE)

/* Returns true if the caller has locked it now, false if it was locked
 * already. */
#define yl_mutex_trylock(MUTEX) yl_mutex_trylock_at(MUTEX, YL_WHERE)

void yl_mutex_destroy_at(struct yl_mutex *mutex, const char *where);
void yl_mutex_lock_at(struct yl_mutex *mutex, const char *where)
    YL_ACQUIRES(mutex);
void yl_mutex_unlock_at(struct yl_mutex *mutex, const char *where)
    YL_RELEASES(mutex);
bool yl_mutex_trylock_at(struct yl_mutex *mutex, const char *where)
    YL_TRY_ACQUIRES(true, mutex);

/* Condition variable.  A wait may end without cause, so wait in a loop. */
struct yl_cond {
    pthread_cond_t cond;
};

void yl_cond_init(struct yl_cond *);
void yl_cond_destroy(struct yl_cond *);
void yl_cond_signal(struct yl_cond *);
void yl_cond_broadcast(struct yl_cond *);
void yl_cond_wait(struct yl_cond *, struct yl_mutex *mutex)
    YL_REQUIRES(mutex);

/* Waits until signalled, or until 'clock' (NULL: the monotonic one) shows
 * 'when', which may be YL_NEVER.  True if it showed 'when' at the end.  A
 * 'when' that is past does not wait at all. */
bool yl_cond_wait_until(struct yl_cond *, struct yl_mutex *mutex,
                        struct yl_clock *clock, yl_msec when)
    YL_REQUIRES(mutex);

/* Thread.  The struct belongs to the caller and must stay until the join. */
typedef void yl_thread_fn(void *arg);

struct yl_thread {
    pthread_t id;
    yl_thread_fn *fn;
    void *arg;
    char name[16];              /* What the kernel keeps. */
};

/* Runs 'fn(arg)' in a new thread, which shows the first 15 bytes of 'name'.
 * 0, or YL_EUNAVAILABLE when the system has no thread left to give. */
int yl_thread_start(struct yl_thread *, const char *name, yl_thread_fn *fn,
                    void *arg) YL_MUST_CHECK;

/* Waits for its end.  Every thread that was started must be joined, once. */
void yl_thread_join(struct yl_thread *);

/* The same without a join: for calls that nobody can interrupt, whose result
 * may be of no use any more when they return.  Nothing but 'arg' may be used
 * there, and whoever started it need not exist then. */
int yl_thread_start_detached(const char *name, yl_thread_fn *fn, void *arg)
    YL_MUST_CHECK;

/* Once: 'fn' runs in the first caller; the others wait for it. */
struct yl_once {
    pthread_once_t once;
};

#define YL_ONCE_INIT { PTHREAD_ONCE_INIT }

void yl_once(struct yl_once *, void (*fn)(void));

#endif /* base/thread.h */
