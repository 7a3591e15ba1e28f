/* HTTP fetcher: its connections on the loop.  See net/fetcher_parts.h.
 *
 * A connection is flushed, dropped or put to sleep in serve() alone, which
 * only the loop calls.  What an owner's event does (stop, consume, start) is
 * noted and served at the end of the turn. */

#include "net/fetcher_parts.h"

#include <stdlib.h>
#include <sys/epoll.h>

#include "base/alloc.h"

/* Reads of one connection in a turn, before others have theirs. */
#define MAX_READS 4

static void on_ready(struct yl_loop_fd *, uint32_t events);
static void on_timer(struct yl_loop_timer *);
static void on_chore(struct yl_loop_chore *);
static void serve(struct yl_fetcher_conn *);
static bool is_useless(const struct yl_fetcher_conn *);

void
yl_fetcher_add(struct yl_http_fetcher *f, struct yl_dialed *dialed)
{
    struct yl_fetcher_conn *c = yl_zalloc(sizeof *c);
    struct yl_error err = YL_ERROR_INIT;
    yl_msec now = yl_loop_now(f->loop);
    int r;

    c->fetcher = f;
    c->generation = dialed->generation;
    c->idle_since = now;
    c->fd = (struct yl_loop_fd) { dialed->fd, EPOLLIN, on_ready };
    c->timer.fire = on_timer;
    c->chore.run = on_chore;
    yl_list_init(&c->chore.node);
    r = yl_loop_add(f->loop, &c->fd, &err);
    if (r < 0) {
        yl_dialed_release(dialed);
        free(c);
        yl_fetcher_dial_failed(f, r, &err);
        yl_error_clear(&err);
        return;
    }
    yl_client_conn_init(&c->conn, &f->buffers, dialed, &f->conn_opts, now);
    yl_list_push_back(&f->conns, &c->node);
    f->n_conns++;
    yl_fetcher_flush_soon(c);
}

void
yl_fetcher_drop(struct yl_fetcher_conn *c)
{
    struct yl_http_fetcher *f = c->fetcher;
    struct yl_error err = YL_ERROR_INIT;
    bool is_current = c->generation == yl_http_dialer_generation(f->dialer);
    bool used = c->used;

    if (c->conn.over) {
        yl_error_set(&err, c->conn.err.code, "%s",
                     yl_error_message(&c->conn.err));
    } else if (is_current) {
        yl_error_set(&err, YL_EUNAVAILABLE, "the server takes no requests");
    }
    yl_list_remove(&c->node);
    f->n_conns--;
    yl_loop_remove(f->loop, &c->fd);
    yl_loop_timer_cancel(f->loop, &c->timer);
    yl_client_conn_release(&c->conn);
    yl_loop_chore_cancel(&c->chore);
    free(c);

    /* One that has ended before it could carry anything is no better than none
     * at all: if it counted as one, the next would be made at once, and so on
     * for ever. */
    if (!used && err.code) {
        yl_fetcher_dial_failed(f, err.code, &err);
    }
    yl_error_clear(&err);
    if (!f->closing) {
        yl_loop_defer(f->loop, &f->assign);
    }
}

void
yl_fetcher_flush_soon(struct yl_fetcher_conn *c)
{
    yl_loop_defer(c->fetcher->loop, &c->chore);
}

size_t
yl_fetcher_room(const struct yl_fetcher_conn *c)
{
    return c->generation == yl_http_dialer_generation(c->fetcher->dialer)
           ? yl_client_conn_room(&c->conn) : 0;
}

static void
on_ready(struct yl_loop_fd *fd, uint32_t events)
{
    struct yl_fetcher_conn *c = YL_CONTAINER_OF(fd, struct yl_fetcher_conn,
                                                fd);
    yl_msec now = yl_loop_now(c->fetcher->loop);

    if (events & (EPOLLIN | EPOLLERR | EPOLLHUP)) {
        for (int i = 0; i < MAX_READS; i++) {
            if (!yl_client_conn_receive(&c->conn, now)
                || !(yl_client_conn_wants(&c->conn) & EPOLLIN)) {
                break;
            }
        }
    }
    serve(c);
}

static void
on_timer(struct yl_loop_timer *timer)
{
    serve(YL_CONTAINER_OF(timer, struct yl_fetcher_conn, timer));
}

static void
on_chore(struct yl_loop_chore *chore)
{
    serve(YL_CONTAINER_OF(chore, struct yl_fetcher_conn, chore));
}

static void
serve(struct yl_fetcher_conn *c)
{
    struct yl_http_fetcher *f = c->fetcher;
    yl_msec now = yl_loop_now(f->loop);
    bool was_idle = !c->conn.n_exchanges;
    yl_msec next;

    yl_client_conn_tick(&c->conn, now);
    yl_client_conn_flush(&c->conn, now);
    if (c->conn.over || is_useless(c)) {
        yl_fetcher_drop(c);
        return;
    }
    if (c->conn.open) {
        f->http1 = !c->conn.h2;
    }
    if (!c->conn.n_exchanges && !was_idle) {
        c->idle_since = now;
    }
    yl_loop_change(f->loop, &c->fd, yl_client_conn_wants(&c->conn));
    next = yl_client_conn_next(&c->conn);
    if (!c->conn.n_exchanges && c->conn.open) {
        next = c->idle_since + f->idle_timeout;
    }
    yl_loop_timer_arm(f->loop, &c->timer, next);
    if (f->n_waiting) {
        yl_loop_defer(f->loop, &f->assign);
    }
}

/* Whether it has nothing to do and will not have. */
static bool
is_useless(const struct yl_fetcher_conn *c)
{
    const struct yl_http_fetcher *f = c->fetcher;

    return !c->conn.n_exchanges && c->conn.open
           && (!yl_fetcher_room(c)
               || yl_loop_now(f->loop) - c->idle_since >= f->idle_timeout);
}
