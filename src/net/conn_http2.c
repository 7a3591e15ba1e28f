/* HTTP/2 on a connection of the server: sessions and requests.  See net/conn.h
 * for its place.
 *
 * The machine of net/http2.h parses, makes frames, and limits what a client
 * can do; here streams become exchanges, and clients that send or read too
 * slowly are dropped. */

#include "net/conn_http2.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "net/conn.h"

/* A head is charged in steps of this size. */
#define HEAD_STEP 16384

static void input(struct yl_conn *, struct yl_str bytes);
static void eof(struct yl_conn *);
static bool produce(struct yl_conn *);
static void drain(struct yl_conn *);
static yl_msec check(struct yl_conn *, yl_msec now);
static void session_free(struct yl_conn *);
static void read_body(struct yl_exchange *);

static struct yl_http2_stream *on_open(void *conn);
static void on_header(void *conn, struct yl_http2_stream *,
                      struct yl_str name, struct yl_str value);
static void on_head(void *conn, struct yl_http2_stream *, bool last);
static void on_data(void *conn, struct yl_http2_stream *,
                    struct yl_str piece, bool last);
static void on_end(void *conn, struct yl_http2_stream *);
static void on_close(void *conn, struct yl_http2_stream *, uint32_t error);

static bool charge_head(struct yl_exchange *);
static void check_head(struct yl_exchange *);
static void consume(struct yl_exchange *, size_t n, bool last);
static void add_header(struct yl_exchange *, struct yl_str name,
                       struct yl_str value);
static void take_path(struct yl_exchange *, struct yl_str path);
static yl_msec check_stream(struct yl_conn *, struct yl_exchange *,
                            yl_msec now);
static struct yl_exchange *exchange_of(struct yl_http2_stream *);

static const struct yl_conn_protocol protocol = {
    .input = input,
    .eof = eof,
    .produce = produce,
    .drain = drain,
    .check = check,
    .free = session_free,
    .read_body = read_body,
    .respond = yl_conn_http2_respond,
    .resume = yl_conn_http2_resume,
};

static const struct yl_http2_events events = {
    .open = on_open,
    .header = on_header,
    .head = on_head,
    .data = on_data,
    .end = on_end,
    .ready = yl_conn_http2_ready,
    .append = yl_conn_http2_append,
    .close = on_close,
};

void
yl_conn_http2_begin(struct yl_conn *conn)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct yl_http2_opts limits = {
        .max_streams = opts->max_streams,
        .max_resets = opts->max_resets,
        .max_head = opts->max_head,
    };
    struct yl_conn_http2 *s = yl_zalloc(sizeof *s);

    s->since = yl_loop_now(conn->home->loop);
    s->h2 = yl_http2_new(YL_HTTP2_SERVER, &limits, &events, conn, s->since);
    conn->protocol = &protocol;
    conn->session = s;
    yl_conn_check_at(conn, s->since + opts->idle_timeout);
    yl_conn_touch(conn);
}

static void
input(struct yl_conn *conn, struct yl_str bytes)
{
    struct yl_conn_http2 *s = conn->session;

    yl_conn_touch(conn);
    if (yl_http2_receive(s->h2, bytes, yl_loop_now(conn->home->loop)) < 0) {
        yl_conn_kill(conn);
    } else if (s->heading && s->heading->head_size > YL_EXCHANGE_COST) {
        /* Keeps a part of a head until the rest comes, if there is room. */
        yl_exchange_admit(s->heading);
    }
}

static void
eof(struct yl_conn *conn)
{
    yl_conn_kill(conn);
}

static bool
produce(struct yl_conn *conn)
{
    struct yl_conn_http2 *s = conn->session;
    int r;

    if (s->n_paused && !conn->paused) {
        yl_conn_http2_unpause(s);
    }
    r = yl_http2_produce(s->h2, yl_conn_out(conn), yl_conn_room(conn),
                         yl_loop_now(conn->home->loop));
    if (r < 0) {
        yl_conn_kill(conn);
    } else if (yl_http2_is_over(s->h2)) {
        yl_conn_close(conn, true);
    }
    return r > 0;
}

static void
drain(struct yl_conn *conn)
{
    struct yl_conn_http2 *s = conn->session;
    struct yl_http2_stream *stream;

    yl_http2_go_away(s->h2);
    YL_LIST_FOR_EACH (stream, node, yl_http2_streams(s->h2)) {
        struct yl_exchange *x = exchange_of(stream);

        if (x->waiting) {
            yl_http_resume(&x->request);
        }
    }
    yl_conn_touch(conn);
}

static yl_msec
check(struct yl_conn *conn, yl_msec now)
{
    struct yl_conn_http2 *s = conn->session;
    struct yl_http2_stream *stream;
    yl_msec next = YL_NEVER;

    if (!yl_http2_n_streams(s->h2)) {
        next = s->since + conn->home->shared->opts.idle_timeout;
        if (next <= now) {
            yl_http2_terminate(s->h2, YL_HTTP2_NO_ERROR);
            yl_conn_touch(conn);
            return YL_NEVER;
        }
        return next;
    }
    YL_LIST_FOR_EACH (stream, node, yl_http2_streams(s->h2)) {
        yl_msec when = check_stream(conn, exchange_of(stream), now);

        next = when < next ? when : next;
    }

    /* All streams are checked together, at most once a second. */
    return next == YL_NEVER ? next : next > now + 1000 ? next : now + 1000;
}

static void
session_free(struct yl_conn *conn)
{
    struct yl_conn_http2 *s = conn->session;

    yl_http2_free(s->h2);
    free(s);
}

/* Opens the window for the body, or delivers what has come of it. */
static void
read_body(struct yl_exchange *x)
{
    struct yl_conn *conn = x->conn;
    struct yl_conn_http2 *s = conn->session;

    if (x->answer != YL_ANSWER_NONE) {
        return;
    }
    consume(x, x->held_back, x->half_closed);
    x->held_back = 0;
    if (x->half_closed) {
        yl_exchange_complete(x);
        return;
    }
    x->since = yl_loop_now(conn->home->loop);
    yl_conn_check_at(conn, x->since
                           + conn->home->shared->opts.body_timeout);
    if (yl_str_equal(yl_http_header(&x->request, YL_STR("expect")),
                     YL_STR("100-continue"))) {
        yl_http2_continue(s->h2, &x->stream);
    }
    yl_conn_touch(conn);
}

/* Events of the machine. */
static struct yl_http2_stream *
on_open(void *conn_)
{
    struct yl_conn *conn = conn_;
    struct yl_conn_http2 *s = conn->session;
    struct yl_exchange *x = yl_exchange_new(conn);

    s->heading = x;
    x->request.version = 20;
    x->since = yl_loop_now(conn->home->loop);
    yl_conn_check_at(conn, x->since
                           + conn->home->shared->opts.head_timeout);
    return &x->stream;
}

static void
on_header(void *conn, struct yl_http2_stream *stream, struct yl_str name,
          struct yl_str value)
{
    struct yl_exchange *x = exchange_of(stream);
    const struct yl_http_server_opts *opts = &x->home->shared->opts;

    (void) conn;
    x->head_size += name.size + value.size + 32;
    if (x->head_size > opts->max_head) {
        yl_exchange_set_refusal(x, 431, "the headers are too large");
    } else if (x->refusal) {
        /* The header is dropped, as the request is refused. */
    } else if (!charge_head(x)) {
        /* The same. */
    } else if (yl_str_equal(name, YL_STR(":method"))) {
        x->request.method = yl_arena_copy(&x->arena, value);
    } else if (yl_str_equal(name, YL_STR(":path"))) {
        take_path(x, value);
    } else if (yl_str_equal(name, YL_STR(":authority"))) {
        add_header(x, YL_STR("host"), value);
    } else if (name.size && name.data[0] != ':') {
        add_header(x, yl_arena_copy(&x->arena, name), value);
    }
}

/* The head is complete: calls the handler. */
static void
on_head(void *conn_, struct yl_http2_stream *stream, bool last)
{
    struct yl_exchange *x = exchange_of(stream);
    struct yl_conn *conn = conn_;

    ((struct yl_conn_http2 *) conn->session)->heading = NULL;
    x->has_head = true;
    x->half_closed = last;
    x->request.headers = x->headers;
    check_head(x);
    yl_exchange_dispatch(x);
    if (x->wants_body) {
        read_body(x);
    }
}

/* Bytes that come before the body is asked for use up both windows.  Bytes of
 * a body that is no longer wanted do not use up the connection's window. */
static void
on_data(void *conn_, struct yl_http2_stream *stream, struct yl_str piece,
        bool last)
{
    struct yl_exchange *x = exchange_of(stream);
    struct yl_conn *conn = conn_;
    struct yl_conn_http2 *s = conn->session;

    if (x->answer != YL_ANSWER_NONE) {
        yl_http2_consume_connection(s->h2, piece.size);
        return;
    }
    if (x->wants_body) {
        consume(x, piece.size, last);
    } else {
        x->held_back += piece.size;
    }
    if (!yl_exchange_add_body(x, piece)) {
        yl_exchange_refuse(x);
    }
}

static void
on_end(void *conn, struct yl_http2_stream *stream)
{
    struct yl_exchange *x = exchange_of(stream);

    (void) conn;
    x->half_closed = true;
    if (x->wants_body && x->answer == YL_ANSWER_NONE) {
        yl_exchange_complete(x);
    }
}

static void
on_close(void *conn_, struct yl_http2_stream *stream, uint32_t error)
{
    struct yl_exchange *x = exchange_of(stream);
    struct yl_conn *conn = conn_;
    struct yl_conn_http2 *s = conn->session;

    if (s->heading == x) {
        s->heading = NULL;
    }
    s->n_paused -= x->paused;
    yl_http2_consume_connection(s->h2, x->held_back);
    s->since = yl_loop_now(conn->home->loop);
    if (!yl_http2_n_streams(s->h2)) {
        yl_conn_check_at(conn, s->since
                               + conn->home->shared->opts.idle_timeout);
    }
    yl_exchange_end(x, x->answer == YL_ANSWER_COMPLETE
                       && error == YL_HTTP2_NO_ERROR);
    yl_http_release(&x->request);
}

/* Charges what the head has grown by: true, or false and a refusal. */
static bool
charge_head(struct yl_exchange *x)
{
    size_t lack = x->head_size > x->charge.size
                  ? x->head_size - x->charge.size : 0;

    return !lack || yl_exchange_charge(x, (lack + HEAD_STEP - 1) / HEAD_STEP
                                          * HEAD_STEP);
}

/* Refuses a complete head that is not valid. */
static void
check_head(struct yl_exchange *x)
{
    struct yl_str length = yl_http_header(&x->request,
                                          YL_STR("content-length"));
    unsigned long long n;

    if (yl_str_is_null(x->request.path)) {
        yl_exchange_set_refusal(x, 400, "the request has no path");
    } else if (!yl_str_is_null(length)
               && (yl_str_to_u64(length, &n) < 0
                   || n > x->home->shared->opts.max_body)) {
        yl_exchange_set_refusal(x, 413,
                                "the body of the request is too large");
    }
}

/* Lets the client send 'n' more bytes on the connection, and on the stream
 * unless it has ended. */
static void
consume(struct yl_exchange *x, size_t n, bool last)
{
    struct yl_conn_http2 *s = x->conn->session;

    if (last) {
        yl_http2_consume_connection(s->h2, n);
    } else {
        yl_http2_consume(s->h2, &x->stream, n);
    }
}

/* Adds a header; the name is not copied. */
static void
add_header(struct yl_exchange *x, struct yl_str name, struct yl_str value)
{
    size_t n = x->request.n_headers;

    if (n == x->headers_capacity) {
        size_t capacity = n ? 2 * n : 16;
        struct yl_http_header *headers = yl_arena_array(
            &x->arena, capacity, sizeof *headers);

        if (n) {
            memcpy(headers, x->headers, n * sizeof *headers);
        }
        x->headers = headers;
        x->headers_capacity = capacity;
    }
    if (n == x->home->shared->opts.max_headers) {
        yl_exchange_set_refusal(x, 431, "there are too many headers");
        return;
    }
    x->headers[n].name = name;
    x->headers[n].value = yl_arena_copy(&x->arena, value);
    x->request.n_headers++;
}

static void
take_path(struct yl_exchange *x, struct yl_str path)
{
    struct yl_str copy = yl_arena_copy(&x->arena, path);

    if (path.size > x->home->shared->opts.max_target) {
        yl_exchange_set_refusal(x, 414, "the path is too long");
        return;
    }
    if (!path.size || path.data[0] != '/') {
        yl_exchange_set_refusal(x, 400,
                                "the path does not start with a slash");
        return;
    }
    for (size_t i = 0; i < path.size; i++) {
        unsigned char c = (unsigned char) path.data[i];

        if (c <= ' ' || c > '~' || c == '#') {
            yl_exchange_set_refusal(x, 400, "the path has a character that "
                                            "it must not have");
            return;
        }
    }
    x->request.query = YL_STR("");
    if (!yl_str_cut(copy, '?', &x->request.path, &x->request.query)) {
        x->request.path = copy;
    }
}

/* Resets the stream if it is overdue; otherwise returns when it will be. */
static yl_msec
check_stream(struct yl_conn *conn, struct yl_exchange *x, yl_msec now)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct yl_conn_http2 *s = conn->session;
    yl_msec when;

    if (!x->has_head) {
        when = x->since + opts->head_timeout;
        if (when <= now) {
            yl_conn_kill(conn);
        }
    } else if (!x->half_closed && x->wants_body
               && x->answer == YL_ANSWER_NONE) {
        when = x->since + opts->body_timeout;
        if (when <= now) {
            yl_exchange_set_late(x);
            yl_exchange_refuse(x);
        }
    } else if (x->answer == YL_ANSWER_NONE
               || (x->waiting && !x->pending.size)) {
        when = YL_NEVER;
    } else {
        when = x->since + opts->write_timeout;
        if (when <= now) {
            yl_http2_reset(s->h2, &x->stream, YL_HTTP2_CANCEL);
            yl_conn_touch(conn);
        }
    }
    return when <= now ? YL_NEVER : when;
}

static struct yl_exchange *
exchange_of(struct yl_http2_stream *stream)
{
    return YL_CONTAINER_OF(stream, struct yl_exchange, stream);
}
