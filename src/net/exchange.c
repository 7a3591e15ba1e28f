/* Exchange.  See net/exchange.h for the contract. */

#include "net/exchange.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "net/conn.h"
#include "yuloh/error.h"

/* How many unused exchanges a home keeps, and how large their arenas may be:
 * one that is used for a watch keeps its arena for hours. */
#define MAX_SPARES 32
#define MAX_SPARE_ARENA ((size_t) 32 << 10)

static bool charged(struct yl_exchange *, const char *why);
static const struct yl_http_peer *copy_peer(struct yl_exchange *);
static void add(_Atomic size_t *counter, size_t n);
static void count(_Atomic uint64_t *counter);

struct yl_exchange *
yl_exchange_new(struct yl_conn *conn)
{
    struct yl_home *home = conn->home;
    struct yl_list *spare = yl_list_pop_front(&home->exchanges);
    struct yl_exchange *x;

    if (spare) {
        x = YL_CONTAINER_OF(spare, struct yl_exchange, node);
        home->n_exchanges--;
    } else {
        x = yl_zalloc(sizeof *x);
        yl_arena_init(&x->arena);
        yl_list_init(&x->node);
    }
    yl_list_init(&x->due);
    yl_buf_init(&x->body, home->shared->opts.max_body);
    yl_buf_init(&x->pending, YL_OUT_CEILING);
    x->conn = conn;
    x->home = home;
    x->n_holds = 1;
    x->request.loop = home->loop;
    x->request.arena = &x->arena;
    x->request.peer = yl_conn_peer(conn);
    x->request.started = yl_loop_now(home->loop);
    yl_charge_init(&x->charge, home->shared->budget, &conn->account);
    add(&home->n_requests, 1);
    add(&home->n_held, 1);
    yl_exchange_charge(x, YL_EXCHANGE_COST);
    return x;
}

bool
yl_exchange_charge(struct yl_exchange *x, size_t n)
{
    return charged(x, yl_charge_add(&x->charge, n));
}

bool
yl_exchange_admit(struct yl_exchange *x)
{
    if (!x->charge.owner) {
        charged(x, yl_charge_move(&x->charge,
                                  yl_share_ref(x->conn->stranger_share)));
    }
    return !x->refusal;
}

bool
yl_exchange_add_body(struct yl_exchange *x, struct yl_str piece)
{
    size_t capacity = x->body.capacity;
    size_t size = x->body.size + piece.size;

    if (size > x->body.ceiling) {
        yl_exchange_set_refusal(x, 413,
                                "the body of the request is too large");
        return false;
    }
    if (size > capacity) {
        /* Twice as much, as the buffer grows by doubling. */
        size_t want = capacity ? 2 * capacity : size;

        want = want < size ? size : want;
        want = want > x->body.ceiling ? x->body.ceiling : want;
        if (!charged(x, yl_charge_add_body(&x->charge, want - capacity))) {
            return false;
        }
        yl_buf_reserve(&x->body, want - x->body.size);
    }
    yl_buf_append_str(&x->body, piece);
    return true;
}

struct yl_str
yl_exchange_keep(struct yl_exchange *x, struct yl_str body, bool lent)
{
    if (lent) {
        return body;
    }
    yl_charge_force(&x->charge, body.size);
    return yl_arena_copy(&x->arena, body);
}

void
yl_exchange_dispatch(struct yl_exchange *x)
{
    const struct yl_http_server_opts *opts = &x->home->shared->opts;

    x->request.started = yl_loop_now(x->home->loop);
    x->is_head = yl_str_equal(x->request.method, YL_STR("HEAD"));
    if (!x->refusal) {
        x->dispatched = x->in_request = true;
        count(&x->home->requests_total);
        opts->handler->request(opts->aux, &x->request);
        x->in_request = false;
    }
    if (x->answer == YL_ANSWER_NONE && !yl_exchange_admit(x)) {
        yl_exchange_refuse(x);
    }
}

void
yl_exchange_complete(struct yl_exchange *x)
{
    const struct yl_http_server_opts *opts = &x->home->shared->opts;

    x->request.body = yl_buf_str(&x->body);
    opts->handler->body(opts->aux, &x->request);
}

void
yl_exchange_begin_answer(struct yl_exchange *x, int status,
                         struct yl_str body)
{
    bool bodiless = x->is_head || status == 204 || status == 304;

    x->answer = bodiless || (!x->source && !body.size) ? YL_ANSWER_COMPLETE
                : x->source ? YL_ANSWER_SOURCE : YL_ANSWER_WHOLE;
}

enum yl_http_pull
yl_exchange_pull(struct yl_exchange *x, struct yl_buf *out, size_t room)
{
    size_t start = out->size;
    enum yl_http_pull said;

    do {
        x->waiting = true;
        said = x->tap ? x->tap->pull(x->tap_aux, x->source, x->source_aux,
                                     out)
               : x->source->pull(x->source_aux, out);
        x->waiting = x->waiting && said == YL_HTTP_WAIT;
    } while (said == YL_HTTP_MORE && out->size - start < room);
    if (yl_buf_error(out)) {
        x->waiting = false;
        return YL_HTTP_ABORT;
    }
    return said == YL_HTTP_WAIT && !x->waiting ? YL_HTTP_MORE : said;
}

void
yl_exchange_set_refusal(struct yl_exchange *x, int status, const char *why)
{
    if (!x->refusal) {
        x->refusal = status;
        x->why = why;
    }
}

void
yl_exchange_set_late(struct yl_exchange *x)
{
    yl_exchange_set_refusal(x, 408, x->dispatched
                            ? "the body of the request did not come in time"
                            : "the head of the request did not come in time");
}

void
yl_exchange_refuse(struct yl_exchange *x)
{
    const struct yl_http_server_opts *opts = &x->home->shared->opts;
    const char *type = "text/plain; charset=utf-8";
    struct yl_http_header headers[2];
    size_t n_headers = 0;
    struct yl_buf body;

    count(&x->home->requests_refused);
    if (x->refusal == 429) {
        count(&x->home->requests_throttled);
        headers[n_headers++] = (struct yl_http_header) {
            YL_STR("retry-after"), YL_STR("1")
        };
    }
    yl_buf_init(&body, YL_HTTP_PIECE);
    if (opts->handler->refuse) {
        opts->handler->refuse(opts->aux, x->refusal, x->why, &type, &body);
    } else {
        yl_buf_printf(&body, "%s\n", x->why);
    }
    headers[n_headers++] = (struct yl_http_header) {
        YL_STR("content-type"), yl_str_c(type)
    };
    x->refused = true;
    x->request.refused = x->refusal;
    x->conn->protocol->respond(x, x->refusal, headers, n_headers,
                               yl_buf_str(&body), false);
    yl_buf_release(&body);
}

void
yl_exchange_end(struct yl_exchange *x, bool finished)
{
    const struct yl_http_server_opts *opts = &x->home->shared->opts;

    yl_list_remove(&x->due);
    if (x->dispatched) {
        opts->handler->end(opts->aux, &x->request, finished);
    }
    if (x->n_holds > 1) {
        x->request.peer = copy_peer(x);
    }
    yl_charge_leave(&x->charge);
    x->conn = NULL;
    x->source = NULL;
    add(&x->home->n_requests, (size_t) -1);
}

void
yl_exchange_free(struct yl_exchange *x)
{
    yl_arena_release(&x->arena);
    free(x);
}

void
yl_http_hold(struct yl_http_request *request)
{
    YL_CONTAINER_OF(request, struct yl_exchange, request)->n_holds++;
}

void
yl_http_release(struct yl_http_request *request)
{
    struct yl_exchange *x = YL_CONTAINER_OF(request, struct yl_exchange,
                                            request);
    struct yl_home *home = x->home;

    if (--x->n_holds) {
        return;
    }
    yl_arena_clear(&x->arena);
    yl_buf_release(&x->body);
    yl_buffers_give_back(&home->buffers, &x->pending);
    if (x->reader) {
        yl_http1_reader_release(x->reader);
        free(x->reader);
    }
    yl_charge_clear(&x->charge);
    add(&home->n_held, (size_t) -1);
    if (atomic_load_explicit(&home->shared->draining,
                             memory_order_relaxed)) {
        home->shared->gone(home->shared);
    }
    if (home->n_exchanges < MAX_SPARES
        && yl_arena_footprint(&x->arena) <= MAX_SPARE_ARENA) {
        struct yl_arena arena = x->arena;

        memset(x, 0, sizeof *x);
        x->arena = arena;
        yl_list_push_front(&home->exchanges, &x->node);
        home->n_exchanges++;
    } else {
        yl_exchange_free(x);
    }
}

/* Refuses the request if 'why' says that a charge was too much. */
static bool
charged(struct yl_exchange *x, const char *why)
{
    if (why) {
        yl_exchange_set_refusal(x, 429, why);
    }
    return !why;
}

/* Copies the peer of a request that outlives its connection. */
static const struct yl_http_peer *
copy_peer(struct yl_exchange *x)
{
    const struct yl_http_peer *peer = x->request.peer;
    struct yl_http_peer *copy = yl_arena_alloc(&x->arena, sizeof *copy);
    struct yl_str *names = yl_arena_array(&x->arena, peer->n_organizations,
                                          sizeof *names);

    *copy = *peer;
    copy->identity = NULL;
    copy->address = yl_arena_copy(&x->arena, peer->address);
    for (size_t i = 0; i < peer->n_organizations; i++) {
        names[i] = yl_arena_copy(&x->arena, peer->organizations[i]);
    }
    copy->organizations = names;
    if (!yl_str_is_null(peer->common_name)) {
        copy->common_name = yl_arena_copy(&x->arena, peer->common_name);
        copy->fingerprint = yl_arena_copy(&x->arena, peer->fingerprint);
    }
    return copy;
}

/* Each counter has one writer, so no locked instruction is needed. */
static void
add(_Atomic size_t *counter, size_t n)
{
    size_t old = atomic_load_explicit(counter, memory_order_relaxed);

    atomic_store_explicit(counter, old + n, memory_order_relaxed);
}

static void
count(_Atomic uint64_t *counter)
{
    uint64_t old = atomic_load_explicit(counter, memory_order_relaxed);

    atomic_store_explicit(counter, old + 1, memory_order_relaxed);
}
