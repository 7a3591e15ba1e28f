/* HTTP fetcher: fetches.  See net/http_fetcher.h for the contract.
 *
 *     start -> WAITING --assign--> RUNNING on a connection -> done
 *                 ^------ unprocessed ------/
 *
 * A new fetch waits until the chore 'assign' runs, at the end of the turn at
 * the latest: so no event comes from inside start, and a thousand fetches that
 * are started together wait for one connection, not for a thousand. */

#include "net/http_fetcher.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "net/fetcher_parts.h"
#include "yuloh/error.h"

/* A request that the server has not looked at is sent so often. */
#define MAX_TRIES 4

static struct yl_http_fetcher_opts
with_defaults(const struct yl_http_fetcher_opts *);
static void copy_call(struct yl_http_fetch *, const struct yl_http_call *);
static struct yl_str copy(char **end, struct yl_str);
static void queue(struct yl_http_fetch *);
static void unqueue(struct yl_http_fetch *);
static void assign(struct yl_loop_chore *);
static struct yl_fetcher_conn *find_room(struct yl_http_fetcher *);
static void dial_more(struct yl_http_fetcher *);
static int on_head(struct yl_client_exchange *, const struct yl_http_answer *);
static int on_data(struct yl_client_exchange *, struct yl_str piece);
static void on_done(struct yl_client_exchange *, int code,
                    const struct yl_error *err);
static void on_timeout(struct yl_loop_timer *);
static void finish(struct yl_http_fetch *, int code, const struct yl_error *);
static void finish_waiting(struct yl_http_fetcher *, int code,
                           const struct yl_error *);
static void free_fetch(struct yl_http_fetch *);

static const struct yl_client_events fetch_events = {
    on_head, on_data, on_done
};

int
yl_http_fetcher_new(struct yl_loop *loop, struct yl_http_dialer *dialer,
                    const struct yl_http_fetcher_opts *given,
                    struct yl_http_fetcher **ret_fetcher,
                    struct yl_error *err)
{
    struct yl_http_fetcher_opts opts = with_defaults(given);
    struct yl_http_fetcher *f = yl_zalloc(sizeof *f);
    int r;

    f->loop = loop;
    r = yl_fetcher_dial_init(f, err);
    if (r < 0) {
        free(f);
        return r;
    }
    f->dialer = yl_http_dialer_ref(dialer);
    f->conn_opts = (struct yl_client_conn_opts) {
        .scheme = yl_http_dialer_has_tls(dialer) ? YL_STR("https")
                  : YL_STR("http"),
        .authority = yl_http_dialer_authority(dialer),
        .http2 = yl_http_dialer_is_http2(dialer),
        .stream_window = opts.stream_window,
        .connection_window = opts.connection_window,
        .tls_timeout = yl_http_dialer_tls_timeout(dialer),
        .ping_after = opts.ping_after,
        .ping_timeout = opts.ping_timeout,
    };
    f->max_connections = opts.max_connections;
    f->idle_timeout = opts.idle_timeout;
    f->http1 = !yl_http_dialer_has_tls(dialer)
               && !yl_http_dialer_is_http2(dialer);
    yl_buffers_init(&f->buffers);
    yl_list_init(&f->conns);
    yl_list_init(&f->waiting);
    yl_list_init(&f->assign.node);
    f->assign.run = assign;
    *ret_fetcher = f;
    return 0;
}

void
yl_http_fetcher_free(struct yl_http_fetcher *f)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_list *node;

    if (!f) {
        return;
    }
    f->closing = true;
    yl_fetcher_dial_release(f);
    while ((node = yl_list_front(&f->conns)) != NULL) {
        yl_fetcher_drop(YL_CONTAINER_OF(node, struct yl_fetcher_conn, node));
    }
    yl_error_set(&err, YL_ECANCELED, "the client was closed");
    finish_waiting(f, YL_ECANCELED, &err);
    yl_error_clear(&err);
    yl_loop_chore_cancel(&f->assign);
    yl_buffers_release(&f->buffers);
    yl_http_dialer_unref(f->dialer);
    free(f);
}

struct yl_http_fetch *
yl_http_fetch_start(struct yl_http_fetcher *f,
                    const struct yl_http_call *call,
                    const struct yl_http_fetch_events *events, void *aux)
{
    struct yl_http_fetch *fetch = yl_zalloc(sizeof *fetch);

    fetch->fetcher = f;
    fetch->events = events;
    fetch->aux = aux;
    fetch->exchange.events = &fetch_events;
    fetch->exchange.call = &fetch->call;
    fetch->timer.fire = on_timeout;
    yl_list_init(&fetch->node);
    copy_call(fetch, call);
    if (call->timeout) {
        yl_loop_timer_arm(f->loop, &fetch->timer,
                          yl_loop_now(f->loop) + call->timeout);
    }
    f->n_fetches++;
    queue(fetch);
    return fetch;
}

void
yl_http_fetch_stop(struct yl_http_fetch *fetch)
{
    if (fetch->stopped) {
        return;
    }
    fetch->stopped = true;
    yl_loop_timer_cancel(fetch->fetcher->loop, &fetch->timer);
    if (fetch->conn) {
        /* It is freed when its stream is closed. */
        yl_client_conn_stop(&fetch->exchange, YL_ECANCELED, NULL);
        yl_fetcher_flush_soon(fetch->conn);
    } else if (!yl_list_is_empty(&fetch->node)) {
        unqueue(fetch);
        free_fetch(fetch);
    }
}

void
yl_http_fetch_consume(struct yl_http_fetch *fetch, size_t n)
{
    if (fetch->conn && n) {
        yl_client_conn_consume(&fetch->exchange, n);
        yl_fetcher_flush_soon(fetch->conn);
    }
}

void
yl_http_fetcher_stats(const struct yl_http_fetcher *f,
                      struct yl_http_fetcher_stats *stats)
{
    stats->n_connections = f->n_conns + f->n_dialing;
    stats->n_fetches = f->n_fetches;
    stats->n_waiting = f->n_waiting;
    stats->n_dials = f->n_dials;
}

/* Those that wait have nothing else to wait for, unless another connection is
 * under way. */
void
yl_fetcher_dial_failed(struct yl_http_fetcher *f, int code,
                       const struct yl_error *err)
{
    if (!f->n_dialing && !f->closing) {
        finish_waiting(f, code, err);
    }
}

static struct yl_http_fetcher_opts
with_defaults(const struct yl_http_fetcher_opts *given)
{
    struct yl_http_fetcher_opts opts = { 0 };

    if (given) {
        opts = *given;
    }
    opts.stream_window = opts.stream_window ? opts.stream_window
                         : (size_t) 4 << 20;
    opts.connection_window = opts.connection_window ? opts.connection_window
                             : (size_t) 16 << 20;
    opts.max_connections = opts.max_connections ? opts.max_connections : 1000;
    opts.idle_timeout = opts.idle_timeout ? opts.idle_timeout : 90000;
    opts.ping_after = opts.ping_after ? opts.ping_after : 30000;
    opts.ping_timeout = opts.ping_timeout ? opts.ping_timeout : 15000;
    return opts;
}

/* Copies all that 'call' points to into one block: an arena would take ten
 * times as much for each of a thousand watches. */
static void
copy_call(struct yl_http_fetch *fetch, const struct yl_http_call *call)
{
    size_t size = call->n_headers * sizeof *call->headers + call->method.size
                  + call->target.size + call->body.size;
    struct yl_http_header *headers;
    char *end;

    for (size_t i = 0; i < call->n_headers; i++) {
        size += call->headers[i].name.size + call->headers[i].value.size;
    }
    fetch->copies = yl_malloc(size);
    headers = (struct yl_http_header *) (void *) fetch->copies;
    end = fetch->copies + call->n_headers * sizeof *headers;
    fetch->call = *call;
    fetch->call.cancel = NULL;
    fetch->call.headers = headers;
    fetch->call.method = copy(&end, call->method);
    fetch->call.target = copy(&end, call->target);
    fetch->call.body = copy(&end, call->body);
    for (size_t i = 0; i < call->n_headers; i++) {
        headers[i].name = copy(&end, call->headers[i].name);
        headers[i].value = copy(&end, call->headers[i].value);
    }
}

/* Copies 's' to '*end', which moves on.  The null slice stays null. */
static struct yl_str
copy(char **end, struct yl_str s)
{
    char *start = *end;

    if (s.size) {
        memcpy(start, s.data, s.size);
        *end += s.size;
    }
    return s.data ? yl_str_n(start, s.size) : s;
}

static void
queue(struct yl_http_fetch *fetch)
{
    struct yl_http_fetcher *f = fetch->fetcher;

    /* One that comes back stands in front of those that have never run. */
    if (fetch->n_tries) {
        yl_list_push_front(&f->waiting, &fetch->node);
    } else {
        yl_list_push_back(&f->waiting, &fetch->node);
    }
    f->n_waiting++;
    yl_loop_defer(f->loop, &f->assign);
}

static void
unqueue(struct yl_http_fetch *fetch)
{
    yl_list_remove(&fetch->node);
    fetch->fetcher->n_waiting--;
}

static void
assign(struct yl_loop_chore *chore)
{
    struct yl_http_fetcher *f = YL_CONTAINER_OF(chore, struct yl_http_fetcher,
                                                assign);
    struct yl_fetcher_conn *c;
    struct yl_list *node;

    while ((node = yl_list_front(&f->waiting)) != NULL
           && (c = find_room(f)) != NULL) {
        struct yl_http_fetch *fetch
            = YL_CONTAINER_OF(node, struct yl_http_fetch, node);
        struct yl_error err = YL_ERROR_INIT;
        int r;

        unqueue(fetch);
        fetch->n_tries++;
        r = yl_client_conn_start(&c->conn, &fetch->exchange, &err);
        if (r == 0) {
            fetch->conn = c;
            c->used = true;
            yl_fetcher_flush_soon(c);
        } else {
            finish(fetch, r, &err);
        }
        yl_error_clear(&err);
    }
    dial_more(f);
}

/* The oldest connection that takes another fetch, so that those that are not
 * needed any more become idle. */
static struct yl_fetcher_conn *
find_room(struct yl_http_fetcher *f)
{
    struct yl_fetcher_conn *c;

    YL_LIST_FOR_EACH (c, node, &f->conns) {
        if (yl_fetcher_room(c)) {
            return c;
        }
    }
    return NULL;
}

/* With HTTP/2 one connection at a time is made: how many fetches it takes is
 * known only after the server's SETTINGS. */
static void
dial_more(struct yl_http_fetcher *f)
{
    struct yl_fetcher_conn *c;
    size_t n_coming = f->n_dialing;
    size_t n_wanted;

    YL_LIST_FOR_EACH (c, node, &f->conns) {
        n_coming += !yl_client_conn_is_settled(&c->conn);
    }
    n_wanted = !f->n_waiting ? 0 : !f->http1 ? 1
               : f->n_waiting < YL_FETCHER_DIALS ? f->n_waiting
               : YL_FETCHER_DIALS;
    while (n_coming < n_wanted && f->n_conns + f->n_dialing
                                  < f->max_connections) {
        n_coming++;
        yl_fetcher_dial(f);
    }
}

static int
on_head(struct yl_client_exchange *x, const struct yl_http_answer *answer)
{
    struct yl_http_fetch *fetch = YL_CONTAINER_OF(x, struct yl_http_fetch,
                                                  exchange);

    fetch->events->head(fetch->aux, fetch, answer);
    return 0;
}

static int
on_data(struct yl_client_exchange *x, struct yl_str piece)
{
    struct yl_http_fetch *fetch = YL_CONTAINER_OF(x, struct yl_http_fetch,
                                                  exchange);

    fetch->events->data(fetch->aux, fetch, piece);
    return 0;
}

static void
on_done(struct yl_client_exchange *x, int code, const struct yl_error *err)
{
    struct yl_http_fetch *fetch = YL_CONTAINER_OF(x, struct yl_http_fetch,
                                                  exchange);

    fetch->conn = NULL;
    yl_loop_defer(fetch->fetcher->loop, &fetch->fetcher->assign);
    if (x->unprocessed && !fetch->stopped && !x->code
        && fetch->n_tries < MAX_TRIES && !fetch->fetcher->closing) {
        queue(fetch);
    } else {
        finish(fetch, code, err);
    }
}

static void
on_timeout(struct yl_loop_timer *timer)
{
    struct yl_http_fetch *fetch = YL_CONTAINER_OF(timer, struct yl_http_fetch,
                                                  timer);
    struct yl_error err = YL_ERROR_INIT;

    if (fetch->conn) {
        yl_client_conn_stop(&fetch->exchange, YL_ETIMEOUT,
                            "the server has not answered in time");
        yl_fetcher_flush_soon(fetch->conn);
        return;
    }
    unqueue(fetch);
    yl_error_set(&err, YL_ETIMEOUT,
                 "there was no connection to the server in time");
    finish(fetch, YL_ETIMEOUT, &err);
    yl_error_clear(&err);
}

/* The last event, and the end of the fetch. */
static void
finish(struct yl_http_fetch *fetch, int code, const struct yl_error *err)
{
    yl_loop_timer_cancel(fetch->fetcher->loop, &fetch->timer);
    if (!fetch->stopped) {
        fetch->stopped = true;
        fetch->events->done(fetch->aux, fetch, code, err);
    }
    free_fetch(fetch);
}

/* Ends those that wait now; their owners may start others meanwhile, which
 * wait behind them. */
static void
finish_waiting(struct yl_http_fetcher *f, int code,
               const struct yl_error *err)
{
    struct yl_list ending = YL_LIST_INIT(&ending);
    struct yl_list *node;

    yl_list_splice(&ending, &f->waiting);
    while ((node = yl_list_front(&ending)) != NULL) {
        struct yl_http_fetch *fetch
            = YL_CONTAINER_OF(node, struct yl_http_fetch, node);

        unqueue(fetch);
        finish(fetch, code, err);
    }
}

static void
free_fetch(struct yl_http_fetch *fetch)
{
    fetch->fetcher->n_fetches--;
    free(fetch->copies);
    free(fetch);
}
