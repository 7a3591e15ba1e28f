/* Resolve.  See net/resolve.h for the contract.
 *
 * A lookup belongs to two: the thread that asks and the one that waits.
 * Whoever lets go last frees it. */

#include "net/resolve.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ref.h"
#include "base/thread.h"
#include "net/wait.h"
#include "yuloh/error.h"

struct lookup {
    struct yl_ref ref;
    char *host;
    uint16_t port;
    int fd;                     /* An eventfd: the rest is there. */
    int result;
    struct yl_error err;        /* If 'result' is not 0, else */
    struct yl_address addresses[YL_DIAL_MAX];   /* these. */
    size_t n;
};

static atomic_size_t n_running;

static int start(struct lookup *, struct yl_error *err);
static void ask(void *lookup);
static void unref(struct lookup *);

int
yl_resolve(const char *host, uint16_t port, yl_msec deadline,
           struct yl_cancel *cancel,
           struct yl_address addresses[YL_DIAL_MAX], size_t *ret_n,
           struct yl_error *err)
{
    struct lookup *lookup = yl_zalloc(sizeof *lookup);
    int r;

    yl_ref_init(&lookup->ref);
    lookup->host = yl_strdup(yl_str_c(host));
    lookup->port = port;
    lookup->fd = eventfd(0, EFD_CLOEXEC);
    r = lookup->fd < 0 ? yl_error_set(err, YL_EUNAVAILABLE, "%s",
                                      strerror(errno))
        : start(lookup, err);
    if (r == 0) {
        struct pollfd fd = { .fd = lookup->fd, .events = POLLIN };

        r = yl_wait(&fd, 1, deadline, cancel, err);
    }
    if (r < 0) {
        yl_error_prefix(err, "cannot resolve \"%s\"", host);
    } else {
        uint64_t one;

        while (read(lookup->fd, &one, sizeof one) < 0 && errno == EINTR) {
        }
        r = lookup->result;
        if (r < 0) {
            yl_error_set(err, r, "%s", yl_error_message(&lookup->err));
        } else {
            memcpy(addresses, lookup->addresses,
                   lookup->n * sizeof *addresses);
            *ret_n = lookup->n;
        }
    }
    unref(lookup);
    return r;
}

size_t
yl_resolve_n_running(void)
{
    return atomic_load(&n_running);
}

static int
start(struct lookup *lookup, struct yl_error *err)
{
    if (atomic_fetch_add(&n_running, 1) >= YL_RESOLVE_MAX) {
        atomic_fetch_sub(&n_running, 1);
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "the resolver has not answered %d other questions",
                            YL_RESOLVE_MAX);
    }
    yl_ref_get(&lookup->ref);
    if (yl_thread_start_detached("yl-resolve", ask, lookup) < 0) {
        unref(lookup);
        atomic_fetch_sub(&n_running, 1);
        return yl_error_set(err, YL_EUNAVAILABLE, "no thread is left");
    }
    return 0;
}

/* On a thread of its own. */
static void
ask(void *lookup_)
{
    struct lookup *lookup = lookup_;
    uint64_t one = 1;

    lookup->result = yl_dial_resolve(lookup->host, lookup->port,
                                     lookup->addresses, &lookup->n,
                                     &lookup->err);
    while (write(lookup->fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
    unref(lookup);
    atomic_fetch_sub(&n_running, 1);
}

static void
unref(struct lookup *lookup)
{
    if (yl_ref_put(&lookup->ref)) {
        if (lookup->fd >= 0) {
            close(lookup->fd);
        }
        yl_error_clear(&lookup->err);
        free(lookup->host);
        free(lookup);
    }
}
