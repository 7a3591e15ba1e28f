/* HTTP/1.1 on a connection of the server.  See net/conn.h for its place.
 *
 *     IDLE -> HEAD -> HELD -> BODY -> RUNNING -> IDLE
 *
 * or the connection closes.  A handler that answers before it has the body
 * leads from HELD or BODY to RUNNING at once, and from there to DROP: what is
 * left of the body is read and dropped after the answer, if it is small.
 *
 * One request is handled at a time: the next requests of a pipeline wait in
 * 'in', and the socket is not read until that is empty.  So answers are in
 * order, and a client cannot queue up more than one read of its socket. */

#include <stdlib.h>

#include "base/alloc.h"
#include "net/conn.h"
#include "net/exchange.h"
#include "net/http1.h"

/* More than one read of a socket. */
#define IN_CEILING ((size_t) 1 << 20)

/* How much of an unwanted body is read and dropped; if there is more, the
 * connection closes.  As in Go. */
#define MAX_DROPPED ((size_t) 256 << 10)

enum phase {
    IDLE,                       /* Between requests. */
    HEAD,                       /* A part of a head has come. */
    HELD,                       /* The handler has not asked for the body. */
    BODY,
    RUNNING,                    /* The request is complete, or answered. */
    DROP,                       /* The answer was sent before the body came. */
};

struct session {
    struct yl_http1_reader reader;
    struct yl_exchange *exchange;   /* From HELD to RUNNING. */
    enum phase phase;
    yl_msec since;              /* When the phase began. */
    bool close;                 /* Close after this answer. */
    bool refused;               /* It was refused; the client may go on
                                 * sending. */
    size_t n_dropped;           /* Bytes of a body, in DROP. */
    struct yl_buf in;           /* Bytes that follow a head that is held or a
                                 * request that runs. */
    size_t in_read;             /* How many of them are parsed. */
};

static void input(struct yl_conn *, struct yl_str bytes);
static void eof(struct yl_conn *);
static bool produce(struct yl_conn *);
static void drain(struct yl_conn *);
static yl_msec check(struct yl_conn *, yl_msec now);
static void session_free(struct yl_conn *);
static void read_body(struct yl_exchange *);
static void respond(struct yl_exchange *, int status,
                    const struct yl_http_header *, size_t n_headers,
                    struct yl_str body, bool lent);
static void resume(struct yl_exchange *);
static bool is_reading(const struct session *);
static void read_on(struct yl_conn *);
static void parse(struct yl_conn *, struct yl_str *bytes);
static void wait_for_more(struct yl_conn *);
static void hold_head(struct yl_conn *);
static void begin_request(struct yl_conn *);
static void begin_body(struct yl_conn *);
static void add_body(struct yl_conn *, struct yl_str piece);
static void end_body(struct yl_conn *);
static void need_exchange(struct yl_conn *);
static void refuse(struct yl_conn *);
static void leave_body(struct yl_conn *);
static void append_rest(struct yl_conn *, struct yl_exchange *, size_t room);
static void pull(struct yl_conn *, struct yl_exchange *, size_t room);
static void finish(struct yl_conn *);
static bool let_go(struct session *, bool finished);
static void keep(struct yl_conn *, struct yl_str bytes);
static void count_kept(struct yl_conn *);
static void enter(struct yl_conn *, enum phase);

static const struct yl_conn_protocol protocol = {
    .input = input,
    .eof = eof,
    .produce = produce,
    .drain = drain,
    .check = check,
    .free = session_free,
    .read_body = read_body,
    .respond = respond,
    .resume = resume,
};

void
yl_conn_http1_begin(struct yl_conn *conn)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct yl_http1_limits limits = {
        .target = opts->max_target,
        .head = opts->max_head,
        .n_headers = opts->max_headers,
        .body = opts->max_body,
    };
    struct session *s = yl_zalloc(sizeof *s);

    yl_http1_reader_init(&s->reader, YL_HTTP1_REQUESTS, &limits);
    yl_buf_init(&s->in, IN_CEILING);
    conn->protocol = &protocol;
    conn->session = s;
    enter(conn, IDLE);
}

static void
input(struct yl_conn *conn, struct yl_str bytes)
{
    struct session *s = conn->session;

    if (is_reading(s)) {
        parse(conn, &bytes);
    }
    if (bytes.size && !s->refused && conn->state == YL_CONN_OPEN) {
        keep(conn, bytes);
    }
}

static void
eof(struct yl_conn *conn)
{
    struct session *s = conn->session;

    /* A client may shut down its sending side and still read the answer; but
     * if the answer is an endless one, such a client counts as gone. */
    if (is_reading(s)
        || (s->phase == HELD && yl_http1_reader_is_busy(&s->reader)
            && !s->in.size)) {
        yl_conn_close(conn, false);
    } else if (s->exchange->waiting) {
        yl_conn_kill(conn);
    }
}

static bool
produce(struct yl_conn *conn)
{
    struct session *s = conn->session;
    struct yl_exchange *x;

    while ((x = s->exchange) != NULL && conn->state == YL_CONN_OPEN) {
        size_t room = yl_conn_room(conn);

        if (x->answer == YL_ANSWER_NONE || x->waiting) {
            return false;
        } else if (!room) {
            return true;
        } else if (x->answer == YL_ANSWER_WHOLE) {
            append_rest(conn, x, room);
        } else if (x->answer == YL_ANSWER_SOURCE) {
            if (!yl_conn_may_pull(conn, &x->charge)) {
                return false;
            }
            pull(conn, x, room);
        } else {
            finish(conn);
        }
    }
    return false;
}

static void
drain(struct yl_conn *conn)
{
    struct session *s = conn->session;

    if (s->phase == IDLE || s->phase == DROP) {
        yl_conn_close(conn, false);
        return;
    }
    s->close = true;
    if (s->exchange && s->exchange->waiting) {
        yl_http_resume(&s->exchange->request);
    }
}

static yl_msec
check(struct yl_conn *conn, yl_msec now)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct session *s = conn->session;
    yl_msec when = s->phase == IDLE ? s->since + opts->idle_timeout
                   : s->phase == HEAD ? s->since + opts->head_timeout
                   : s->phase == BODY || s->phase == DROP
                   ? s->since + opts->body_timeout : YL_NEVER;

    if (when > now) {
        return when;
    } else if (s->phase == IDLE || s->phase == DROP) {
        yl_conn_close(conn, false);
    } else {
        need_exchange(conn);
        yl_exchange_set_late(s->exchange);
        refuse(conn);
    }
    return YL_NEVER;
}

static void
session_free(struct yl_conn *conn)
{
    struct session *s = conn->session;

    if (s->exchange) {
        let_go(s, false);
    }
    yl_http1_reader_release(&s->reader);
    yl_buf_release(&s->in);
    free(s);
}

static void
read_body(struct yl_exchange *x)
{
    struct session *s = x->conn->session;

    if (s->phase == HELD) {
        begin_body(x->conn);
        read_on(x->conn);
    }
}

static void
respond(struct yl_exchange *x, int status,
        const struct yl_http_header *headers, size_t n_headers,
        struct yl_str body, bool lent)
{
    struct yl_conn *conn = x->conn;
    struct session *s = conn->session;
    bool old = x->request.version < 11;
    struct yl_http1_out head = {
        .headers = headers,
        .n_headers = n_headers,
        .date = yl_home_date(conn->home),
        .framing = !x->source ? YL_HTTP1_LENGTH
                   : old ? YL_HTTP1_UNTIL_CLOSE : YL_HTTP1_CHUNKED,
        .content_length = body.size,
    };

    if (s->phase == HELD || s->phase == BODY) {
        leave_body(conn);
    }

    /* There is no room, and the client goes on asking without reading. */
    if (x->refusal == 429 && yl_transport_backlog(&conn->transport)) {
        s->close = s->refused = true;
    }
    s->close = s->close || head.framing == YL_HTTP1_UNTIL_CLOSE
               || atomic_load(&conn->home->shared->draining);
    head.close = s->close;
    head.keep_alive = old && !s->close;
    yl_http1_write_response(yl_conn_out(conn), status, &head);
    yl_exchange_begin_answer(x, status, body);
    if (x->answer == YL_ANSWER_WHOLE) {
        if (body.size <= YL_HTTP_PIECE) {
            yl_buf_append_str(yl_conn_out(conn), body);
            x->answer = YL_ANSWER_COMPLETE;
        } else {
            x->rest = yl_exchange_keep(x, body, lent);
        }
    }
    yl_conn_touch(conn);
}

static void
resume(struct yl_exchange *x)
{
    yl_conn_defer(x->conn);
}

/* Whether the reader takes bytes now. */
static bool
is_reading(const struct session *s)
{
    return s->phase != HELD && s->phase != RUNNING;
}

/* Parses the bytes that were kept, and then reads the socket again. */
static void
read_on(struct yl_conn *conn)
{
    struct session *s = conn->session;
    struct yl_str bytes = yl_str_skip(yl_buf_str(&s->in), s->in_read);

    parse(conn, &bytes);
    s->in_read = s->in.size - bytes.size;
    if (!bytes.size || s->refused) {
        yl_buf_release(&s->in);
        s->in_read = 0;
        yl_conn_listen(conn, true);
    }
    count_kept(conn);
}

/* Parses bytes until there is a request to be handled. */
static void
parse(struct yl_conn *conn, struct yl_str *bytes)
{
    struct session *s = conn->session;
    struct yl_str piece;

    while (is_reading(s) && conn->state == YL_CONN_OPEN) {
        switch (yl_http1_read(&s->reader, bytes, &piece)) {
        case YL_HTTP1_MORE:
            wait_for_more(conn);
            return;

        case YL_HTTP1_HEAD:
            begin_request(conn);
            break;

        case YL_HTTP1_BODY:
            add_body(conn, piece);
            break;

        case YL_HTTP1_END:
            end_body(conn);
            break;

        case YL_HTTP1_ERROR:
            if (s->phase == DROP) {
                yl_conn_close(conn, true);
                return;
            }
            need_exchange(conn);
            yl_exchange_set_refusal(s->exchange, s->reader.status,
                                    s->reader.why);
            refuse(conn);
            break;
        }
    }
}

/* Sets the time by which more bytes must have come, if bytes are awaited. */
static void
wait_for_more(struct yl_conn *conn)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct session *s = conn->session;

    if (s->phase == IDLE && yl_http1_reader_is_busy(&s->reader)) {
        enter(conn, HEAD);
    }
    if (s->phase == HEAD) {
        hold_head(conn);
        yl_conn_check_at(conn, s->since + opts->head_timeout);
    } else if (s->phase == BODY || s->phase == DROP) {
        yl_conn_check_at(conn, s->since + opts->body_timeout);
    }
    if (conn->eof) {
        yl_conn_close(conn, false);
    }
}

/* Keeps a part of a head until the rest comes, if there is room for it. */
static void
hold_head(struct yl_conn *conn)
{
    struct session *s = conn->session;
    size_t before = conn->kept;
    const char *why;

    count_kept(conn);
    if (conn->kept > before) {
        why = yl_charge_excess(&conn->charge);
        if (why) {
            need_exchange(conn);
            yl_exchange_set_refusal(s->exchange, 429, why);
            refuse(conn);
        }
    }
}

/* The head is complete: calls the handler. */
static void
begin_request(struct yl_conn *conn)
{
    struct session *s = conn->session;
    const struct yl_http1_head *head = &s->reader.head;
    struct yl_exchange *x = yl_exchange_new(conn);

    s->exchange = x;
    s->close = s->close || !head->keep_alive;
    count_kept(conn);
    enter(conn, HELD);
    x->request.method = head->method;
    x->request.path = head->path;
    x->request.query = yl_str_is_null(head->query) ? YL_STR("") : head->query;
    x->request.headers = head->headers;
    x->request.n_headers = head->n_headers;
    x->request.version = head->version;
    yl_exchange_dispatch(x);
    if (s->phase == HELD && x->wants_body) {
        begin_body(conn);
    }
}

/* The handler wants the body. */
static void
begin_body(struct yl_conn *conn)
{
    struct session *s = conn->session;

    enter(conn, BODY);
    if (s->reader.head.expect_continue) {
        yl_buf_append_c(yl_conn_out(conn), YL_HTTP1_CONTINUE);
        yl_conn_touch(conn);
    }
}

static void
add_body(struct yl_conn *conn, struct yl_str piece)
{
    struct session *s = conn->session;

    if (s->phase == DROP) {
        s->n_dropped += piece.size;
        if (s->n_dropped > MAX_DROPPED) {
            yl_conn_close(conn, true);
        }
    } else if (!yl_exchange_add_body(s->exchange, piece)) {
        refuse(conn);
    }
}

static void
end_body(struct yl_conn *conn)
{
    struct session *s = conn->session;

    if (s->phase == DROP) {
        yl_http1_reader_next(&s->reader);
        enter(conn, IDLE);
    } else {
        enter(conn, RUNNING);
        yl_exchange_complete(s->exchange);
    }
}

/* Makes an exchange for a request whose head is not complete. */
static void
need_exchange(struct yl_conn *conn)
{
    struct session *s = conn->session;

    if (!s->exchange) {
        s->exchange = yl_exchange_new(conn);
        s->exchange->request.version = 11;
    }
}

/* Answers a request that no handler gets to see, and closes. */
static void
refuse(struct yl_conn *conn)
{
    struct session *s = conn->session;

    s->close = s->refused = true;
    enter(conn, RUNNING);
    yl_exchange_refuse(s->exchange);
}

/* The answer is there before the body.  The rest of the body is read and
 * dropped after the answer if it is small and the client was not told to wait
 * for "100 Continue": a client that waits may send the body or not, so it
 * could not be told from the next request. */
static void
leave_body(struct yl_conn *conn)
{
    struct session *s = conn->session;
    const struct yl_http1_head *head = &s->reader.head;
    bool waits = head->expect_continue && s->phase == HELD;

    if (waits || (head->framing == YL_HTTP1_LENGTH
                  && head->content_length > MAX_DROPPED)) {
        s->close = s->refused = true;
    }
    enter(conn, RUNNING);
}

static void
append_rest(struct yl_conn *conn, struct yl_exchange *x, size_t room)
{
    size_t n = x->rest.size < room ? x->rest.size : room;

    yl_buf_append(yl_conn_out(conn), x->rest.data, n);
    x->rest = yl_str_skip(x->rest, n);
    if (!x->rest.size) {
        x->answer = YL_ANSWER_COMPLETE;
    }
}

/* Has the source write to 'out' directly; what it adds is one chunk. */
static void
pull(struct yl_conn *conn, struct yl_exchange *x, size_t room)
{
    struct yl_buf *out = yl_conn_out(conn);
    bool chunked = x->request.version >= 11;
    size_t mark = chunked ? yl_http1_chunk_begin(out) : 0;
    enum yl_http_pull more = yl_exchange_pull(x, out, room);

    if (chunked) {
        yl_http1_chunk_end(out, mark);
    }
    if (more == YL_HTTP_END) {
        if (chunked) {
            yl_http1_write_last_chunk(out);
        }
        x->answer = YL_ANSWER_COMPLETE;
    } else if (more == YL_HTTP_ABORT && chunked) {
        yl_conn_close(conn, false);
    } else if (more == YL_HTTP_ABORT || (x->waiting && conn->eof)) {
        yl_conn_kill(conn);
    }
    if (yl_buf_error(out)) {
        yl_conn_kill(conn);
    }
}

/* The answer is complete: goes on with the rest of the body, or with the next
 * request. */
static void
finish(struct yl_conn *conn)
{
    struct session *s = conn->session;
    bool is_cut = yl_http1_reader_is_busy(&s->reader);
    bool is_new = let_go(s, true);

    /* If the reader was left to the held exchange, nothing knows where the
     * body ends. */
    if (s->close || (is_cut && is_new)) {
        yl_conn_close(conn, s->refused || is_cut);
        yl_http1_reader_release(&s->reader);
        yl_buf_release(&s->in);
        count_kept(conn);
        return;
    }
    if (is_cut) {
        s->n_dropped = 0;
        enter(conn, DROP);
    } else {
        if (!is_new) {
            yl_http1_reader_next(&s->reader);
        }
        enter(conn, IDLE);
    }
    read_on(conn);
}

/* Ends the exchange.  If it is held, it keeps the reader, which has the head:
 * returns true if there is a new reader. */
static bool
let_go(struct session *s, bool finished)
{
    struct yl_exchange *x = s->exchange;
    bool is_held;

    s->exchange = NULL;
    yl_exchange_end(x, finished);
    is_held = x->n_holds > 1;
    if (is_held) {
        x->reader = yl_malloc(sizeof *x->reader);
        *x->reader = s->reader;
        yl_charge_force(&x->charge, s->reader.bytes.capacity);
        yl_http1_reader_init(&s->reader, YL_HTTP1_REQUESTS,
                             &x->reader->limits);
    }
    yl_http_release(&x->request);
    return is_held;
}

/* Keeps bytes until the request that runs has ended. */
static void
keep(struct yl_conn *conn, struct yl_str bytes)
{
    struct session *s = conn->session;

    yl_buf_append_str(&s->in, bytes);
    count_kept(conn);
    yl_conn_listen(conn, false);
}

/* Charges the bytes that are kept: the head, unless it is so small that the
 * exchange's own charge covers it, and the bytes that follow it. */
static void
count_kept(struct yl_conn *conn)
{
    const struct session *s = conn->session;
    size_t head = s->reader.bytes.capacity;

    conn->kept = (head > YL_EXCHANGE_COST ? head : 0) + s->in.capacity;
    yl_conn_touch(conn);
}

static void
enter(struct yl_conn *conn, enum phase phase)
{
    struct session *s = conn->session;

    s->phase = phase;
    s->since = yl_loop_now(conn->home->loop);
    if (phase == IDLE) {
        yl_conn_check_at(conn, s->since
                               + conn->home->shared->opts.idle_timeout);
    }
}
