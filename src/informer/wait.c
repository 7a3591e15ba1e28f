/* Waiting until caches have synced.  See yuloh/informer.h for the contract.
 *
 * The waiter has an eventfd, which informers write to, so that it can wait for
 * them and for the descriptor of a struct yl_cancel at once. */

#include "informer/informer_parts.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "yuloh/cancel.h"

static void enter(struct yl_informer *, struct yl_sync_waiter *, int fd);
static void leave(struct yl_informer *, struct yl_sync_waiter *);
static struct yl_informer *find_unsynced(struct yl_informer *const *, size_t n,
                                         bool *ret_stopped);
static void wait_until(int fd, struct yl_cancel *, yl_msec deadline);
static int fail(struct yl_informer *, int code, const char *why,
                struct yl_error *);

int
yl_wait_for_cache_sync(struct yl_informer *const *informers, size_t n,
                       yl_msec timeout, struct yl_cancel *cancel,
                       struct yl_error *err)
{
    yl_msec now = yl_now(NULL);
    yl_msec deadline = timeout < YL_NEVER - now ? now + timeout : YL_NEVER;
    struct yl_sync_waiter *waiters;
    struct yl_informer *unsynced;
    struct yl_arena arena;
    bool stopped;
    size_t i;
    int fd, r = 0;

    fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "no descriptor to wait for caches with");
    }
    yl_arena_init(&arena);
    waiters = yl_arena_array(&arena, n, sizeof *waiters);
    for (i = 0; i < n; i++) {
        enter(informers[i], &waiters[i], fd);
    }
    while ((unsynced = find_unsynced(informers, n, &stopped)) != NULL) {
        if (stopped) {
            r = fail(unsynced, YL_EUNAVAILABLE, "was stopped", err);
            break;
        } else if (yl_cancel_is_set(cancel)) {
            r = fail(unsynced, YL_ECANCELED, "had not synced when the wait "
                     "was canceled", err);
            break;
        } else if (yl_now(NULL) >= deadline) {
            r = fail(unsynced, YL_ETIMEOUT, "has not synced in time", err);
            break;
        }
        wait_until(fd, cancel, deadline);
    }
    for (i = 0; i < n; i++) {
        leave(informers[i], &waiters[i]);
    }
    yl_arena_release(&arena);
    close(fd);
    return r;
}

void
yl_informer_wake_waiters(struct yl_informer *informer)
{
    const struct yl_sync_waiter *waiter;
    uint64_t one = 1;

    YL_LIST_FOR_EACH (waiter, node, &informer->waiters) {
        /* It can only fail if it is readable already. */
        if (write(waiter->fd, &one, sizeof one) < 0) {
            continue;
        }
    }
}

static void
enter(struct yl_informer *informer, struct yl_sync_waiter *waiter, int fd)
{
    waiter->fd = fd;
    yl_mutex_lock(&informer->lock);
    yl_list_push_back(&informer->waiters, &waiter->node);
    yl_mutex_unlock(&informer->lock);
}

static void
leave(struct yl_informer *informer, struct yl_sync_waiter *waiter)
{
    yl_mutex_lock(&informer->lock);
    yl_list_remove(&waiter->node);
    yl_mutex_unlock(&informer->lock);
}

/* The first that has not synced, one that was stopped before others. */
static struct yl_informer *
find_unsynced(struct yl_informer *const *informers, size_t n,
              bool *ret_stopped)
{
    struct yl_informer *found = NULL;
    bool stopped = false;
    size_t i;

    for (i = 0; i < n && !stopped; i++) {
        struct yl_informer *informer = informers[i];

        yl_mutex_lock(&informer->lock);
        if (!informer->synced) {
            stopped = informer->life == YL_INFORMER_STOPPED;
            found = stopped || !found ? informer : found;
        }
        yl_mutex_unlock(&informer->lock);
    }
    *ret_stopped = stopped;
    return found;
}

static void
wait_until(int fd, struct yl_cancel *cancel, yl_msec deadline)
{
    struct pollfd fds[2] = {
        { .fd = fd, .events = POLLIN },
        { .fd = yl_cancel_fd(cancel), .events = POLLIN },
    };
    yl_msec left = deadline - yl_now(NULL);
    uint64_t count;

    poll(fds, 2, deadline == YL_NEVER ? -1
                 : left < 0 ? 0 : left < INT_MAX ? (int) left : INT_MAX);
    if (read(fd, &count, sizeof count) < 0) {
        return;                 /* Nothing was written. */
    }
}

static int
fail(struct yl_informer *informer, int code, const char *why,
     struct yl_error *err)
{
    yl_mutex_lock(&informer->lock);
    if (informer->last_error) {
        yl_error_set(err, code, "cache of %s %s; its last error: %s",
                     informer->opts.name, why, informer->last_error);
    } else {
        yl_error_set(err, code, "cache of %s %s", informer->opts.name, why);
    }
    yl_mutex_unlock(&informer->lock);
    return code;
}
