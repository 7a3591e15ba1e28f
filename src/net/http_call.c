/* HTTP pool: a call.  See net/http_pool.h for the contract. */

#include "net/http_pool.h"

#include <poll.h>
#include <stdlib.h>

#include "net/pool_parts.h"
#include "net/wait.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* Attempts at most: a connection that was idle, then new ones. */
#define MAX_ATTEMPTS 4

/* A connection that has more to say than fits in so many reads (of 64 KB)
 * while it is idle is not used again. */
#define MAX_IDLE_READS 2

/* A call that waits. */
struct attempt {
    struct yl_client_exchange exchange;
    const struct yl_http_sink *sink;
    void *aux;
    bool started;               /* 'exchange' was given to a connection. */
    bool done;
    int code;                   /* The result, after 'done', */
    struct yl_error err;        /* and its words. */
    int64_t n_sent_before;      /* Bytes that the connection had sent. */
};

static int on_head(struct yl_client_exchange *, const struct yl_http_answer *);
static int on_data(struct yl_client_exchange *, struct yl_str piece);
static void on_done(struct yl_client_exchange *, int code,
                    const struct yl_error *err);

static const struct yl_client_events call_events = {
    on_head, on_data, on_done
};

static struct yl_pool_conn *find_idle(struct yl_http_pool *);
static int dial(struct yl_http_pool *, const struct yl_http_call *,
                yl_msec deadline, struct yl_pool_conn **ret_conn,
                struct yl_error *err);
static int run(struct yl_pool_conn *, struct attempt *, yl_msec deadline,
               struct yl_error *err);
static int step(struct yl_pool_conn *, const struct yl_http_call *,
                yl_msec deadline, struct yl_error *err);
static int too_late(const struct yl_http_call *, struct yl_error *err);
static bool may_retry(const struct yl_pool_conn *, const struct attempt *,
                      int code);
static bool is_safe(struct yl_str method);
static void count(struct yl_http_pool *, uint64_t calls, uint64_t dials,
                  uint64_t retries);

int
yl_http_call(struct yl_http_pool *pool, const struct yl_http_call *call,
             const struct yl_http_sink *sink, void *aux, struct yl_error *err)
{
    yl_msec deadline = call->timeout ? yl_now(NULL) + call->timeout
                       : YL_NEVER;

    count(pool, 1, 0, 0);
    for (int n = 1; ; n++) {
        struct attempt attempt = {
            .exchange.call = call,
            .exchange.events = &call_events,
            .sink = sink,
            .aux = aux,
        };
        struct yl_pool_conn *c = n == 1 ? find_idle(pool) : NULL;
        bool again;
        int r = 0;

        if (!c) {
            r = dial(pool, call, deadline, &c, err);
            if (r < 0) {
                return r;
            }
        }
        r = run(c, &attempt, deadline, err);
        if (r == 0) {
            yl_pool_give_back(pool, c);
            return 0;
        }
        again = n < MAX_ATTEMPTS && may_retry(c, &attempt, r);
        yl_pool_close(pool, c);
        if (!again) {
            yl_error_clear(&attempt.err);
            return r;
        }
        yl_error_clear(&attempt.err);
        yl_error_clear(err);
        count(pool, 0, 0, 1);
    }
}

/* An idle connection that is still good.  What the server sent meanwhile
 * (pings, a GOAWAY, its end) is looked at now.  A server that sends without a
 * pause must not keep us here, so such a connection is not good. */
static struct yl_pool_conn *
find_idle(struct yl_http_pool *pool)
{
    struct yl_pool_conn *c;

    while ((c = yl_pool_take_idle(pool)) != NULL) {
        struct pollfd fd = { .fd = c->conn.transport.fd, .events = POLLIN };
        yl_msec now = yl_now(NULL);
        int n = 0;

        while (!c->conn.over && n < MAX_IDLE_READS && poll(&fd, 1, 0) > 0) {
            yl_client_conn_receive(&c->conn, now);
            yl_client_conn_flush(&c->conn, now);
            n++;
        }
        c->conn.heard = now;
        if (n < MAX_IDLE_READS && yl_client_conn_room(&c->conn)) {
            return c;
        }
        yl_pool_close(pool, c);
    }
    return NULL;
}

static int
dial(struct yl_http_pool *pool, const struct yl_http_call *call,
     yl_msec deadline, struct yl_pool_conn **ret_conn, struct yl_error *err)
{
    struct yl_dialed dialed;
    int r = yl_http_dial(pool->dialer, deadline, call->cancel, &dialed, err);

    if (r == 0) {
        count(pool, 0, 1, 0);
        *ret_conn = yl_pool_add(pool, &dialed);
    }
    return r;
}

/* Sends the request on 'c' and waits for the whole answer. */
static int
run(struct yl_pool_conn *c, struct attempt *attempt, yl_msec deadline,
    struct yl_error *err)
{
    const struct yl_http_call *call = attempt->exchange.call;
    struct yl_client_conn *conn = &c->conn;
    int r = 0;

    while (!conn->over && !conn->open && r == 0) {
        r = step(c, call, deadline, err);
    }
    if (r == 0 && conn->over) {
        r = yl_error_set(err, conn->err.code, "%s",
                         yl_error_message(&conn->err));
    }
    if (r == 0) {
        attempt->n_sent_before = conn->transport.n_sent;
        r = yl_client_conn_start(conn, &attempt->exchange, err);
        attempt->started = r == 0;
    }
    while (r == 0 && !attempt->done) {
        yl_client_conn_flush(conn, yl_now(NULL));
        if (conn->over && !attempt->done) {
            /* The answer may have come before the end. */
            r = yl_error_set(err, conn->err.code, "%s",
                             yl_error_message(&conn->err));
        } else if (!attempt->done) {
            r = step(c, call, deadline, err);
        }
    }
    if (r == 0 && attempt->code) {
        r = yl_error_set(err, attempt->code, "%s",
                         yl_error_message(&attempt->err));
    }
    return r;
}

/* Waits for the socket, and receives or sends. */
static int
step(struct yl_pool_conn *c, const struct yl_http_call *call,
     yl_msec deadline, struct yl_error *err)
{
    struct yl_client_conn *conn = &c->conn;
    yl_msec next = yl_client_conn_next(conn);
    yl_msec until = next < deadline ? next : deadline;
    struct pollfd fd = {
        .fd = conn->transport.fd,
        .events = (short) yl_client_conn_wants(conn),
    };
    int r = yl_wait(&fd, 1, until, call->cancel, err);
    yl_msec now = yl_now(NULL);

    if (r == YL_ETIMEOUT && until < deadline) {
        yl_error_clear(err);
    } else if (r == YL_ETIMEOUT) {
        return too_late(call, err);
    } else if (r < 0) {
        return r;
    } else if (now >= deadline) {
        /* A server that sends without a pause cannot make it last longer. */
        return too_late(call, err);
    }
    yl_client_conn_tick(conn, now);
    if (fd.revents & (POLLIN | POLLERR | POLLHUP)) {
        yl_client_conn_receive(conn, now);
    }
    yl_client_conn_flush(conn, now);
    return 0;
}

static int
too_late(const struct yl_http_call *call, struct yl_error *err)
{
    return yl_error_set(err, YL_ETIMEOUT,
                        "the server has not answered in %lld ms",
                        (long long) call->timeout);
}

static int
on_head(struct yl_client_exchange *x, const struct yl_http_answer *answer)
{
    struct attempt *attempt = YL_CONTAINER_OF(x, struct attempt, exchange);

    return attempt->sink->head(attempt->aux, answer);
}

static int
on_data(struct yl_client_exchange *x, struct yl_str piece)
{
    struct attempt *attempt = YL_CONTAINER_OF(x, struct attempt, exchange);
    int r = attempt->sink->body(attempt->aux, piece);

    yl_client_conn_consume(x, piece.size);
    return r;
}

static void
on_done(struct yl_client_exchange *x, int code, const struct yl_error *err)
{
    struct attempt *attempt = YL_CONTAINER_OF(x, struct attempt, exchange);

    attempt->done = true;
    attempt->code = code;
    if (code) {
        yl_error_set(&attempt->err, code, "%s", yl_error_message(err));
    }
}

/* Whether a failed attempt can be repeated without the risk that the server
 * does something twice. */
static bool
may_retry(const struct yl_pool_conn *c, const struct attempt *attempt,
          int code)
{
    const struct yl_client_exchange *x = &attempt->exchange;

    if (code != YL_EUNAVAILABLE || x->heard) {
        return false;
    }
    return x->unprocessed
           || (c->used
               && (!attempt->started
                   || c->conn.transport.n_sent == attempt->n_sent_before
                   || is_safe(x->call->method)));
}

static bool
is_safe(struct yl_str method)
{
    return !method.size || yl_str_equal(method, YL_STR("GET"))
           || yl_str_equal(method, YL_STR("HEAD"))
           || yl_str_equal(method, YL_STR("OPTIONS"));
}

static void
count(struct yl_http_pool *pool, uint64_t calls, uint64_t dials,
      uint64_t retries)
{
    yl_mutex_lock(&pool->lock);
    pool->stats.n_calls += calls;
    pool->stats.n_dials += dials;
    pool->stats.n_retries += retries;
    yl_mutex_unlock(&pool->lock);
}

/* A sink that keeps everything. */
struct whole {
    struct yl_arena *arena;
    struct yl_http_answer answer;
    struct yl_buf body;
};

static int
keep_head(void *aux, const struct yl_http_answer *answer)
{
    struct whole *whole = aux;
    struct yl_http_header *headers = yl_arena_array(
        whole->arena, answer->n_headers, sizeof *headers);

    for (size_t i = 0; i < answer->n_headers; i++) {
        headers[i].name = yl_arena_copy(whole->arena,
                                        answer->headers[i].name);
        headers[i].value = yl_arena_copy(whole->arena,
                                         answer->headers[i].value);
    }
    whole->answer = *answer;
    whole->answer.headers = headers;
    return 0;
}

static int
keep_body(void *aux, struct yl_str piece)
{
    struct whole *whole = aux;

    yl_buf_append_str(&whole->body, piece);
    return yl_buf_error(&whole->body);
}

int
yl_http_call_whole(struct yl_http_pool *pool, const struct yl_http_call *call,
                   struct yl_arena *arena, struct yl_http_whole *ret_whole,
                   struct yl_error *err)
{
    static const struct yl_http_sink sink = { keep_head, keep_body };
    struct whole whole = { .arena = arena };
    int r;

    yl_buf_init(&whole.body, (size_t) call->max_body + 1);
    r = yl_http_call(pool, call, &sink, &whole, err);
    if (r < 0) {
        yl_buf_release(&whole.body);
        return r;
    }
    ret_whole->answer = whole.answer;
    ret_whole->body = YL_STR("");
    if (whole.body.size) {
        size_t size = whole.body.size;
        char *bytes = yl_buf_detach(&whole.body);

        yl_arena_attach(arena, free, bytes);
        ret_whole->body = yl_str_n(bytes, size);
    }
    yl_buf_release(&whole.body);
    return 0;
}
