/* A client's connection: HTTP/2.  See net/client_conn.h for the contract.
 *
 * An exchange is a stream.  Its 'done' is the stream's 'close', whatever ended
 * it, because until then the machine refers to it. */

#include "net/client_parts.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"

static struct yl_client_exchange *exchange_of(struct yl_http2_stream *);
static void on_header(void *conn, struct yl_http2_stream *,
                      struct yl_str name, struct yl_str value);
static void add_header(struct yl_client_exchange *, struct yl_str name,
                       struct yl_str value);
static void on_head(void *conn, struct yl_http2_stream *, bool last);
static void on_data(void *conn, struct yl_http2_stream *,
                    struct yl_str piece, bool last);
static void on_end(void *conn, struct yl_http2_stream *);
static ptrdiff_t on_ready(void *conn, struct yl_http2_stream *, size_t max,
                          bool *ret_last);
static void on_append(void *conn, struct yl_http2_stream *, struct yl_buf *,
                      size_t n);
static void on_close(void *conn, struct yl_http2_stream *, uint32_t error);
static void on_goaway(void *conn, int32_t last_id, uint32_t error);
static void on_pong(void *conn);

static const struct yl_http2_events http2_events = {
    .header = on_header,
    .head = on_head,
    .data = on_data,
    .end = on_end,
    .ready = on_ready,
    .append = on_append,
    .close = on_close,
    .goaway = on_goaway,
    .pong = on_pong,
};

void
yl_client_http2_open(struct yl_client_conn *conn, yl_msec now)
{
    const struct yl_http2_opts opts = {
        .max_head = YL_CLIENT_MAX_HEAD,
        .stream_window = conn->opts->stream_window,
        .connection_window = conn->opts->connection_window,
    };

    conn->h2 = yl_http2_new(YL_HTTP2_CLIENT, &opts, &http2_events, conn, now);
}

int
yl_client_http2_start(struct yl_client_conn *conn,
                      struct yl_client_exchange *x)
{
    const struct yl_http_call *call = x->call;
    struct yl_http2_request request = {
        .method = yl_client_method(call),
        .scheme = conn->opts->scheme,
        .authority = conn->opts->authority,
        .target = call->target,
        .headers = call->headers,
        .n_headers = call->n_headers,
        .has_body = call->body.size > 0,
    };

    if (yl_client_has_length(call)) {
        struct yl_http_header *headers = yl_arena_array(
            &x->arena, call->n_headers + 1, sizeof *headers);

        for (size_t i = 0; i < call->n_headers; i++) {
            headers[i] = call->headers[i];
        }
        headers[call->n_headers] = (struct yl_http_header) {
            YL_STR("content-length"),
            yl_str_c(yl_arena_printf(&x->arena, "%zu", call->body.size)),
        };
        request.headers = headers;
        request.n_headers++;
    }
    return yl_http2_request(conn->h2, &x->stream, &request);
}

static struct yl_client_exchange *
exchange_of(struct yl_http2_stream *stream)
{
    return YL_CONTAINER_OF(stream, struct yl_client_exchange, stream);
}

static void
on_header(void *conn YL_UNUSED, struct yl_http2_stream *stream,
          struct yl_str name, struct yl_str value)
{
    struct yl_client_exchange *x = exchange_of(stream);
    size_t max = x->call->max_head ? x->call->max_head : YL_CLIENT_MAX_HEAD;

    x->heard = true;
    if (x->code || x->has_head) {
        return;
    }
    x->head_size += name.size + value.size;
    if (x->head_size > max || x->n_headers == YL_CLIENT_MAX_HEADERS) {
        yl_client_conn_stop(x, YL_ETOOBIG, "the answer's head is too large");
    } else if (name.size && name.data[0] == ':') {
        unsigned long long status;

        /* nghttp2 has checked that it is the only one, and three digits. */
        if (yl_str_to_u64(value, &status) == 0) {
            x->status = (int) status;
        }
    } else {
        add_header(x, name, value);
    }
}

static void
add_header(struct yl_client_exchange *x, struct yl_str name,
           struct yl_str value)
{
    if (x->n_headers == x->headers_capacity) {
        size_t capacity = x->headers_capacity ? 2 * x->headers_capacity : 16;
        struct yl_http_header *headers = yl_arena_array(&x->arena, capacity,
                                                        sizeof *headers);

        for (size_t i = 0; i < x->n_headers; i++) {
            headers[i] = x->headers[i];
        }
        x->headers = headers;
        x->headers_capacity = capacity;
    }
    x->headers[x->n_headers++] = (struct yl_http_header) {
        yl_arena_copy(&x->arena, name), yl_arena_copy(&x->arena, value)
    };
}

static void
on_head(void *conn, struct yl_http2_stream *stream, bool last)
{
    struct yl_client_exchange *x = exchange_of(stream);

    /* The head that counts follows those of 1xx. */
    if (x->status < 200) {
        x->n_headers = 0;
        return;
    }
    if (!x->code) {
        yl_client_head(x, 20);
    }
    if (last) {
        on_end(conn, stream);
    }
}

static void
on_data(void *conn, struct yl_http2_stream *stream, struct yl_str piece,
        bool last YL_UNUSED)
{
    struct yl_client_exchange *x = exchange_of(stream);

    x->heard = true;
    if (x->code) {
        yl_http2_consume_connection(((struct yl_client_conn *) conn)->h2,
                                    piece.size);
        return;
    }
    yl_client_data(x, piece);
}

static void
on_end(void *conn, struct yl_http2_stream *stream)
{
    struct yl_client_exchange *x = exchange_of(stream);

    x->complete = true;
    if (x->n_sent < x->call->body.size) {
        /* Nobody reads the rest of the request. */
        yl_http2_reset(((struct yl_client_conn *) conn)->h2, stream,
                       YL_HTTP2_NO_ERROR);
    }
}

static ptrdiff_t
on_ready(void *conn YL_UNUSED, struct yl_http2_stream *stream, size_t max,
         bool *ret_last)
{
    const struct yl_client_exchange *x = exchange_of(stream);
    size_t left = x->call->body.size - x->n_sent;

    *ret_last = left <= max;
    return (ptrdiff_t) (left < max ? left : max);
}

static void
on_append(void *conn YL_UNUSED, struct yl_http2_stream *stream,
          struct yl_buf *out, size_t n)
{
    struct yl_client_exchange *x = exchange_of(stream);

    yl_buf_append(out, x->call->body.data + x->n_sent, n);
    x->n_sent += n;
}

static void
on_close(void *conn_, struct yl_http2_stream *stream, uint32_t error)
{
    struct yl_client_exchange *x = exchange_of(stream);
    struct yl_client_conn *conn = conn_;
    struct yl_error err = YL_ERROR_INIT;
    int code = 0;

    /* What was received and never consumed must not reduce the connection's
     * window for good. */
    if (conn->h2 && x->n_unconsumed) {
        yl_http2_consume_connection(conn->h2, x->n_unconsumed);
    }
    if (x->complete && x->has_head) {
        code = 0;
    } else if (conn->over) {
        yl_client_done(x, conn->err.code, &conn->err);
        return;
    } else if (error == YL_HTTP2_REFUSED_STREAM && !x->heard) {
        /* After a part of the answer it is a lie, and the owner has that part
         * already. */
        x->unprocessed = true;
        code = yl_error_set(&err, YL_EUNAVAILABLE,
                            "the server has refused the request unread");
    } else {
        code = yl_error_set(&err, YL_EUNAVAILABLE, "the server has ended the "
                            "answer (HTTP/2 error %" PRIu32 ")", error);
    }
    yl_client_done(x, code, &err);
    yl_error_clear(&err);
}

static void
on_goaway(void *conn_, int32_t last_id YL_UNUSED, uint32_t error YL_UNUSED)
{
    struct yl_client_conn *conn = conn_;

    conn->last = true;
}

static void
on_pong(void *conn_)
{
    struct yl_client_conn *conn = conn_;

    conn->pinged = YL_NEVER;
}
