/* HTTP fetcher: making connections.  See net/fetcher_parts.h.
 *
 * A dial blocks (the resolver, a hook), so each runs on a thread that lives as
 * long as the dial.  It puts its result in 'finished' and writes to an
 * eventfd; the loop joins it. */

#include "net/fetcher_parts.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "yuloh/cancel.h"

struct dial {
    struct yl_list node;        /* In the fetcher's 'finished'. */
    struct yl_http_fetcher *fetcher;
    struct yl_thread thread;
    int result;
    struct yl_dialed dialed;    /* If 'result' is 0, */
    struct yl_error err;        /* else this. */
};

static void run(void *dial);
static void on_wake(struct yl_loop_fd *, uint32_t events);
static struct dial *pop_finished(struct yl_http_fetcher *);
static void end(struct dial *);

int
yl_fetcher_dial_init(struct yl_http_fetcher *f, struct yl_error *err)
{
    int r;

    f->wake = (struct yl_loop_fd) {
        eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), EPOLLIN, on_wake
    };
    if (f->wake.fd < 0) {
        return yl_error_set(err, YL_EUNAVAILABLE, "cannot make a client: %s",
                            strerror(errno));
    }
    r = yl_loop_add(f->loop, &f->wake, err);
    if (r < 0) {
        close(f->wake.fd);
        return r;
    }
    f->cancel = yl_cancel_new();
    yl_mutex_init(&f->lock);
    yl_mutex_lock(&f->lock);
    yl_list_init(&f->finished);
    yl_mutex_unlock(&f->lock);
    return 0;
}

void
yl_fetcher_dial_release(struct yl_http_fetcher *f)
{
    yl_cancel_now(f->cancel);
    while (f->n_dialing) {
        struct pollfd fd = { .fd = f->wake.fd, .events = POLLIN };

        poll(&fd, 1, -1);
        on_wake(&f->wake, EPOLLIN);
    }
    yl_loop_remove(f->loop, &f->wake);
    close(f->wake.fd);
    yl_cancel_unref(f->cancel);
    yl_mutex_destroy(&f->lock);
}

void
yl_fetcher_dial(struct yl_http_fetcher *f)
{
    struct dial *dial = yl_zalloc(sizeof *dial);

    yl_list_init(&dial->node);
    dial->fetcher = f;
    f->n_dialing++;
    f->n_dials++;
    if (yl_http_dialer_is_quick(f->dialer)) {
        dial->result = yl_http_dial(f->dialer, YL_NEVER, f->cancel,
                                    &dial->dialed, &dial->err);
        end(dial);
    } else if (yl_thread_start(&dial->thread, "yl-dial", run, dial) < 0) {
        dial->result = yl_error_set(&dial->err, YL_EUNAVAILABLE,
                                    "no thread is left to connect with");
        end(dial);
    }
}

/* On the dial's thread. */
static void
run(void *dial_)
{
    struct dial *dial = dial_;
    struct yl_http_fetcher *f = dial->fetcher;
    uint64_t one = 1;

    dial->result = yl_http_dial(f->dialer, YL_NEVER, f->cancel,
                                &dial->dialed, &dial->err);
    yl_mutex_lock(&f->lock);
    yl_list_push_back(&f->finished, &dial->node);

    /* Under the lock: when the loop has the dial, it may free the fetcher. */
    while (write(f->wake.fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
    yl_mutex_unlock(&f->lock);
}

static void
on_wake(struct yl_loop_fd *fd, uint32_t events YL_UNUSED)
{
    struct yl_http_fetcher *f = YL_CONTAINER_OF(fd, struct yl_http_fetcher,
                                                wake);
    struct dial *dial;
    uint64_t n;

    while (read(fd->fd, &n, sizeof n) < 0 && errno == EINTR) {
    }
    while ((dial = pop_finished(f)) != NULL) {
        yl_thread_join(&dial->thread);
        end(dial);
    }
}

static struct dial *
pop_finished(struct yl_http_fetcher *f)
{
    struct yl_list *node;

    yl_mutex_lock(&f->lock);
    node = yl_list_pop_front(&f->finished);
    yl_mutex_unlock(&f->lock);
    return node ? YL_CONTAINER_OF(node, struct dial, node) : NULL;
}

/* Hands the result over. */
static void
end(struct dial *dial)
{
    struct yl_http_fetcher *f = dial->fetcher;

    f->n_dialing--;
    if (dial->result < 0) {
        yl_fetcher_dial_failed(f, dial->result, &dial->err);
    } else if (f->closing) {
        yl_dialed_release(&dial->dialed);
    } else {
        yl_fetcher_add(f, &dial->dialed);
    }
    yl_error_clear(&dial->err);
    free(dial);
}
