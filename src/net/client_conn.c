/* A client's connection.  See net/client_conn.h for the contract. */

#include "net/client_conn.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "net/client_parts.h"
#include "net/dialer.h"
#include "net/http1_parts.h"
#include "net/tls.h"

/* Bytes that wait to be sent before no more are produced. */
#define MUCH ((size_t) 256 << 10)

/* Bytes of a request's body: all of it is in memory, with HTTP/1.1 twice. */
#define MAX_BODY ((size_t) 64 << 20)

static void open_if_ready(struct yl_client_conn *, yl_msec now);
static void lost(struct yl_client_conn *, enum yl_transport_result);
static bool is_sendable(const struct yl_http_call *);

void
yl_client_conn_init(struct yl_client_conn *conn, struct yl_buffers *buffers,
                    const struct yl_dialed *dialed,
                    const struct yl_client_conn_opts *opts, yl_msec now)
{
    memset(conn, 0, sizeof *conn);
    conn->opts = opts;
    conn->began = conn->heard = now;
    conn->pinged = YL_NEVER;
    yl_http1_reader_init(&conn->reader, YL_HTTP1_RESPONSES, NULL);
    yl_transport_init(&conn->transport, buffers, dialed->fd, dialed->tls);
    if (dialed->tunnel) {
        yl_transport_set_tunnel(&conn->transport, dialed->tunnel);
    }
    yl_transport_begin(&conn->transport);
    open_if_ready(conn, now);
    yl_client_conn_flush(conn, now);
}

void
yl_client_conn_release(struct yl_client_conn *conn)
{
    if (!conn->over) {
        conn->over = true;
        yl_error_set(&conn->err, YL_ECANCELED, "the connection was closed");
    }

    /* Ends all streams. */
    yl_http2_free(conn->h2);
    conn->h2 = NULL;
    if (conn->exchange) {
        struct yl_client_exchange *x = conn->exchange;

        conn->exchange = NULL;
        yl_client_done(x, conn->err.code, &conn->err);
    }
    yl_http1_reader_release(&conn->reader);
    yl_transport_close(&conn->transport);
    yl_transport_flush(&conn->transport);
    yl_transport_release(&conn->transport);
    yl_error_clear(&conn->err);
}

size_t
yl_client_conn_room(const struct yl_client_conn *conn)
{
    return conn->over || !conn->open || conn->last ? 0
           : conn->h2 ? yl_http2_room(conn->h2) : !conn->exchange;
}

bool
yl_client_conn_is_settled(const struct yl_client_conn *conn)
{
    return conn->over
           || (conn->open && (!conn->h2 || yl_http2_is_settled(conn->h2)));
}

int
yl_client_conn_start(struct yl_client_conn *conn,
                     struct yl_client_exchange *x, struct yl_error *err)
{
    int r = 0;

    if (!is_sendable(x->call)) {
        return yl_error_set(err, YL_EINVALID,
                            "a request has no valid method or target");
    }
    if (x->call->body.size > MAX_BODY) {
        return yl_error_set(err, YL_ETOOBIG,
                            "a request has more than %zu bytes", MAX_BODY);
    }
    if (!yl_client_conn_room(conn)) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "the connection takes no more requests");
    }
    x->conn = conn;
    x->heard = x->unprocessed = x->has_head = x->complete = false;
    x->n_sent = x->n_unconsumed = x->n_headers = x->head_size = 0;
    x->headers = NULL;
    x->headers_capacity = 0;
    x->n_received = 0;
    x->status = x->code = 0;
    x->why = NULL;
    yl_arena_init(&x->arena);
    if (conn->h2) {
        r = yl_client_http2_start(conn, x);
    } else {
        yl_client_http1_start(conn, x);
    }
    if (r < 0) {
        yl_arena_release(&x->arena);
        return yl_error_set(err, r, "the connection takes no more requests");
    }
    conn->n_exchanges++;
    return 0;
}

void
yl_client_conn_stop(struct yl_client_exchange *x, int code, const char *why)
{
    struct yl_client_conn *conn = x->conn;

    if (x->code) {
        return;
    }
    x->code = code;
    x->why = why;
    if (conn->h2) {
        if (!x->complete) {
            yl_http2_reset(conn->h2, &x->stream, YL_HTTP2_CANCEL);
        }
    } else if (!conn->over) {
        conn->over = true;
        yl_error_set(&conn->err, code, "%s", why ? why : yl_error_text(code));
    }
}

void
yl_client_conn_consume(struct yl_client_exchange *x, size_t n)
{
    n = n < x->n_unconsumed ? n : x->n_unconsumed;
    x->n_unconsumed -= n;
    if (x->conn->h2 && n) {
        yl_http2_consume(x->conn->h2, &x->stream, n);
    }
}

bool
yl_client_conn_receive(struct yl_client_conn *conn, yl_msec now)
{
    enum yl_transport_result result;
    struct yl_str bytes;

    if (conn->over) {
        return false;
    }
    result = yl_transport_receive(&conn->transport, &bytes);
    if (result != YL_TRANSPORT_OK || bytes.size || !conn->open) {
        conn->heard = now;
        conn->pinged = YL_NEVER;
    }
    open_if_ready(conn, now);
    if (bytes.size && conn->h2) {
        if (yl_http2_receive(conn->h2, bytes, now) < 0) {
            yl_client_fail(conn, "the server sent malformed HTTP/2");
        }
    } else if (bytes.size) {
        yl_client_http1_receive(conn, bytes);
    }
    if (result != YL_TRANSPORT_OK && !conn->over) {
        lost(conn, result);
    }
    return bytes.size && !conn->over;
}

void
yl_client_conn_flush(struct yl_client_conn *conn, yl_msec now)
{
    int r = 0;

    /* A connection that is over still has alerts of TLS to send, and resets of
     * streams whose 'done' comes with them. */
    do {
        if (conn->h2 && yl_transport_backlog(&conn->transport) < MUCH) {
            r = yl_http2_produce(conn->h2, yl_transport_out(&conn->transport),
                                 MUCH, now);
        }
        if (r < 0) {
            yl_client_fail(conn, "the connection cannot be used any more");
        }
        if (!yl_transport_flush(&conn->transport)) {
            yl_client_fail(conn, "the connection is broken");
        }
    } while (r > 0 && !conn->over
             && !yl_transport_is_blocked(&conn->transport));
    if (conn->h2 && yl_http2_is_over(conn->h2)) {
        yl_client_fail(conn, "the server has ended the connection");
    }
}

uint32_t
yl_client_conn_wants(const struct yl_client_conn *conn)
{
    const struct yl_client_exchange *x = conn->exchange;
    bool full = x && x->n_unconsumed >= conn->opts->stream_window;

    return (full ? 0 : POLLIN)
           | (yl_transport_is_blocked(&conn->transport) ? POLLOUT : 0);
}

yl_msec
yl_client_conn_next(const struct yl_client_conn *conn)
{
    return conn->over ? YL_NEVER
           : !conn->open ? conn->began + conn->opts->tls_timeout
           : !conn->h2 || !conn->n_exchanges ? YL_NEVER
           : conn->pinged != YL_NEVER
             ? conn->pinged + conn->opts->ping_timeout
           : conn->heard + conn->opts->ping_after;
}

void
yl_client_conn_tick(struct yl_client_conn *conn, yl_msec now)
{
    if (now < yl_client_conn_next(conn)) {
        return;
    }
    if (!conn->open) {
        yl_client_fail(conn, "the TLS handshake took too long");
    } else if (conn->pinged == YL_NEVER) {
        conn->pinged = now;
        yl_http2_ping(conn->h2);
    } else {
        yl_client_fail(conn, "the server does not answer any more");
    }
}

struct yl_str
yl_http_answer_header(const struct yl_http_answer *answer,
                      struct yl_str name)
{
    for (size_t i = 0; i < answer->n_headers; i++) {
        if (yl_str_equal(answer->headers[i].name, name)) {
            return answer->headers[i].value;
        }
    }
    return yl_str_null();
}

void
yl_client_fail(struct yl_client_conn *conn, const char *format, ...)
{
    va_list args;

    if (!conn->over) {
        conn->over = true;
        va_start(args, format);
        yl_error_vset(&conn->err, YL_EUNAVAILABLE, format, args);
        va_end(args);
    }
}

struct yl_str
yl_client_method(const struct yl_http_call *call)
{
    return call->method.size ? call->method : YL_STR("GET");
}

/* A POST without a body says so, because some servers insist on a length. */
bool
yl_client_has_length(const struct yl_http_call *call)
{
    struct yl_str method = yl_client_method(call);

    return !yl_str_is_null(call->body)
           || yl_str_equal(method, YL_STR("POST"))
           || yl_str_equal(method, YL_STR("PUT"))
           || yl_str_equal(method, YL_STR("PATCH"));
}

void
yl_client_head(struct yl_client_exchange *x, int version)
{
    struct yl_http_answer answer = {
        x->status, version, x->headers, x->n_headers
    };
    int r;

    x->has_head = true;
    if (!x->code) {
        r = x->events->head(x, &answer);
        if (r < 0) {
            yl_client_conn_stop(x, r, NULL);
        }
    }

    /* The head was lent for the event.  A watch that goes on for hours need
     * not keep it. */
    x->headers = NULL;
    x->n_headers = x->headers_capacity = 0;
    yl_arena_release(&x->arena);
    yl_arena_init(&x->arena);
}

void
yl_client_data(struct yl_client_exchange *x, struct yl_str piece)
{
    int r;

    x->n_received += piece.size;
    x->n_unconsumed += piece.size;
    if (!x->code && x->call->max_body && x->n_received > x->call->max_body) {
        yl_client_conn_stop(x, YL_ETOOBIG, "the answer is too large");
    }
    if (!x->code && piece.size) {
        r = x->events->data(x, piece);
        if (r < 0) {
            yl_client_conn_stop(x, r, NULL);
        }
    }
}

void
yl_client_done(struct yl_client_exchange *x, int code,
               const struct yl_error *err)
{
    struct yl_error own = YL_ERROR_INIT;

    x->conn->n_exchanges--;
    yl_arena_release(&x->arena);
    if (x->code) {
        code = yl_error_set(&own, x->code, "%s",
                            x->why ? x->why : yl_error_text(x->code));
        err = &own;
    }
    x->events->done(x, code, err);
    yl_error_clear(&own);
}

/* Begins HTTP when the handshake is complete. */
static void
open_if_ready(struct yl_client_conn *conn, yl_msec now)
{
    const struct yl_tls *tls = conn->transport.tls;

    if (!conn->open && yl_transport_is_open(&conn->transport)) {
        conn->open = true;
        if (tls ? yl_tls_is_h2(tls) : conn->opts->http2) {
            yl_client_http2_open(conn, now);
        }
    }
}

static void
lost(struct yl_client_conn *conn, enum yl_transport_result result)
{
    const char *why = NULL;

    if (result == YL_TRANSPORT_EOF && conn->open && !conn->h2) {
        yl_client_http1_eof(conn);
        return;
    }
    if (result == YL_TRANSPORT_FAILED && conn->transport.tls) {
        why = yl_tls_failure(conn->transport.tls);
    }
    if (!conn->open) {
        yl_client_fail(conn, "TLS handshake: %s",
                       why ? why : "the server has closed the connection");
    } else {
        yl_client_fail(conn, "%s", why ? why
                       : result == YL_TRANSPORT_EOF
                         ? "the server has closed the connection"
                       : "the connection is broken");
    }
}

static bool
is_sendable(const struct yl_http_call *call)
{
    size_t i;

    for (i = 0; i < call->target.size; i++) {
        if (!yl_http1_is_graph(call->target.data[i])) {
            return false;
        }
    }
    return i > 0 && call->target.data[0] == '/'
           && yl_http1_is_token(yl_client_method(call));
}
