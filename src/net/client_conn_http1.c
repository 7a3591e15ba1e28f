/* A client's connection: HTTP/1.1.  See net/client_conn.h for the contract.
 *
 * One exchange at a time.  Whatever is not clean (an answer before the whole
 * request was sent, bytes after an answer) ends the connection after the
 * exchange. */

#include "net/client_parts.h"

#include <assert.h>

static void on_head(struct yl_client_conn *, struct yl_client_exchange *);
static void end_message(struct yl_client_conn *, struct yl_client_exchange *);

void
yl_client_http1_start(struct yl_client_conn *conn,
                      struct yl_client_exchange *x)
{
    const struct yl_http_call *call = x->call;
    const struct yl_http1_limits limits = {
        .head = call->max_head ? call->max_head : YL_CLIENT_MAX_HEAD,
        .n_headers = YL_CLIENT_MAX_HEADERS,
        .body = call->max_body ? call->max_body : UINT64_MAX,
    };
    struct yl_http_header *headers = yl_arena_array(
        &x->arena, call->n_headers + 1, sizeof *headers);
    struct yl_http1_out head = {
        .headers = headers,
        .n_headers = call->n_headers + 1,
        .framing = yl_client_has_length(call) ? YL_HTTP1_LENGTH
                   : YL_HTTP1_NO_BODY,
        .content_length = call->body.size,
    };
    struct yl_buf *out = yl_transport_out(&conn->transport);
    int r;

    headers[0] = (struct yl_http_header) {
        YL_STR("host"), conn->opts->authority
    };
    for (size_t i = 0; i < call->n_headers; i++) {
        headers[i + 1] = call->headers[i];
    }
    r = yl_http1_write_request(out, yl_client_method(call), call->target,
                               &head);
    assert(r == 0);
    (void) r;
    yl_buf_append_str(out, call->body);

    /* Each request has its own limits. */
    yl_http1_reader_release(&conn->reader);
    yl_http1_reader_init(&conn->reader, YL_HTTP1_RESPONSES, &limits);
    if (yl_str_equal(yl_client_method(call), YL_STR("HEAD"))) {
        yl_http1_reader_bodiless(&conn->reader);
    }
    conn->exchange = x;
}

void
yl_client_http1_receive(struct yl_client_conn *conn, struct yl_str in)
{
    struct yl_client_exchange *x = conn->exchange;
    struct yl_str piece;

    while (in.size && !conn->over) {
        if (!x) {
            yl_client_fail(conn, "the server sent bytes that nobody asked "
                                 "for");
            return;
        }
        x->heard = true;
        switch (yl_http1_read(&conn->reader, &in, &piece)) {
        case YL_HTTP1_MORE:
            break;

        case YL_HTTP1_HEAD:
            on_head(conn, x);
            break;

        case YL_HTTP1_BODY:
            yl_client_data(x, piece);
            break;

        case YL_HTTP1_END:
            end_message(conn, x);
            x = conn->exchange;
            break;

        case YL_HTTP1_ERROR:
            if (conn->reader.status == 413 || conn->reader.status == 431) {
                yl_client_conn_stop(x, YL_ETOOBIG, conn->reader.why);
            } else {
                yl_client_fail(conn, "the answer is malformed: %s",
                               conn->reader.why);
            }
            break;
        }

        /* A message without a body ends with its head, after the last byte. */
        if (!in.size && !conn->over && x
            && yl_http1_read(&conn->reader, &in, &piece) == YL_HTTP1_END) {
            end_message(conn, x);
            x = conn->exchange;
        }
    }
}

void
yl_client_http1_eof(struct yl_client_conn *conn)
{
    struct yl_client_exchange *x = conn->exchange;

    if (x && yl_http1_read_eof(&conn->reader) == YL_HTTP1_END) {
        conn->last = true;
        end_message(conn, x);
    }
    yl_client_fail(conn, "the server has closed the connection");
}

static void
on_head(struct yl_client_conn *conn, struct yl_client_exchange *x)
{
    const struct yl_http1_head *head = &conn->reader.head;

    if (head->status < 200) {
        return;
    }
    x->status = head->status;
    x->headers = yl_arena_array(&x->arena, head->n_headers,
                                sizeof *x->headers);
    x->n_headers = head->n_headers;
    for (size_t i = 0; i < head->n_headers; i++) {
        x->headers[i] = head->headers[i];
    }
    if (!head->keep_alive) {
        conn->last = true;
    }
    yl_client_head(x, 11);
}

/* The reader has come to the end of a message: an interim one (1xx), or the
 * answer. */
static void
end_message(struct yl_client_conn *conn, struct yl_client_exchange *x)
{
    int status = conn->reader.head.status;

    yl_http1_reader_next(&conn->reader);
    if (status < 200) {
        if (yl_str_equal(yl_client_method(x->call), YL_STR("HEAD"))) {
            yl_http1_reader_bodiless(&conn->reader);
        }
        return;
    }
    if (yl_transport_backlog(&conn->transport)) {
        conn->last = true;
    }
    x->complete = true;
    conn->exchange = NULL;
    yl_client_done(x, 0, NULL);
}
