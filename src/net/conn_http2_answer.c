/* Answers in HTTP/2.  See net/conn_http2.h for its place.
 *
 * A source is pulled when the stream's window has room, and the bytes that it
 * has written wait in 'pending' until all of them are sent. */

#include "net/conn_http2.h"

#include "net/conn.h"

/* Buffers up to this size are not replaced by smaller ones. */
#define SMALL 1024

/* Headers that are added to each answer, and the number of headers that fit on
 * the stack. */
#define N_OWN_HEADERS 2
#define FEW_HEADERS 16

static void count_progress(struct yl_exchange *, size_t n);
static size_t unsent(const struct yl_exchange *);
static void charge_pending(struct yl_exchange *);
static void shrink_pending(struct yl_exchange *);
static struct yl_str decimal(char *end, size_t n);
static struct yl_exchange *exchange_of(struct yl_http2_stream *);

void
yl_conn_http2_respond(struct yl_exchange *x, int status,
                      const struct yl_http_header *headers, size_t n_headers,
                      struct yl_str body, bool lent)
{
    struct yl_conn *conn = x->conn;
    struct yl_conn_http2 *s = conn->session;
    size_t n_all = n_headers + N_OWN_HEADERS;
    struct yl_http_header few[FEW_HEADERS];
    struct yl_http_header *all = n_all <= FEW_HEADERS ? few
                                 : yl_arena_array(&x->arena, n_all,
                                                  sizeof *all);
    char digits[20];
    size_t n = 0;

    /* There was no room for the request.  If the client has closed the window,
     * the answer is sent without its body, so that it need not be kept. */
    if (x->refusal == 429
        && yl_http2_window(s->h2, &x->stream) < body.size) {
        body = YL_STR("");
    }
    all[n++] = (struct yl_http_header) {
        YL_STR("date"), yl_home_date(conn->home)
    };
    if (!x->source && status != 204 && status != 304) {
        all[n++] = (struct yl_http_header) {
            YL_STR("content-length"),
            decimal(digits + sizeof digits, body.size)
        };
    }
    for (size_t i = 0; i < n_headers; i++) {
        all[n++] = headers[i];
    }
    yl_exchange_begin_answer(x, status, body);
    if (x->answer == YL_ANSWER_WHOLE) {
        x->rest = yl_exchange_keep(x, body, lent);
    }
    x->since = yl_loop_now(conn->home->loop);
    yl_conn_check_at(conn, x->since
                           + conn->home->shared->opts.write_timeout);
    if (yl_http2_respond(s->h2, &x->stream, status, all, n,
                         x->answer != YL_ANSWER_COMPLETE) < 0) {
        yl_conn_kill(conn);
    }
    yl_conn_touch(conn);
}

void
yl_conn_http2_resume(struct yl_exchange *x)
{
    struct yl_conn_http2 *s = x->conn->session;

    x->last = YL_HTTP_MORE;

    /* The timeout of bytes that wait is running already; new ones do not
     * prolong it. */
    if (!unsent(x)) {
        x->since = yl_loop_now(x->home->loop);
        yl_conn_check_at(x->conn, x->since
                                  + x->home->shared->opts.write_timeout);
    }
    yl_http2_resume(s->h2, &x->stream);
    yl_conn_defer(x->conn);
}

void
yl_conn_http2_unpause(struct yl_conn_http2 *s)
{
    struct yl_http2_stream *stream;

    s->n_paused = 0;
    YL_LIST_FOR_EACH (stream, node, yl_http2_streams(s->h2)) {
        struct yl_exchange *x = exchange_of(stream);

        if (x->paused) {
            x->paused = false;
            yl_http2_resume(s->h2, stream);
        }
    }
}

ptrdiff_t
yl_conn_http2_ready(void *conn_, struct yl_http2_stream *stream, size_t max,
                    bool *ret_last)
{
    struct yl_exchange *x = exchange_of(stream);
    struct yl_conn *conn = conn_;
    struct yl_conn_http2 *s = conn->session;
    size_t n = unsent(x);

    if (x->source && !n && x->last == YL_HTTP_MORE) {
        if (!yl_conn_may_pull(conn, &x->charge)) {
            x->paused = true;
            s->n_paused++;
            return YL_HTTP2_WAIT;
        }
        yl_buffers_borrow(&x->home->buffers, &x->pending);
        x->last = yl_exchange_pull(x, &x->pending, max);
        n = unsent(x);
        if (!n) {
            yl_buffers_give_back(&x->home->buffers, &x->pending);
        }
    }
    if (!n && x->source && x->last == YL_HTTP_MORE) {
        /* It was resumed while it was pulled, before it could be deferred: it
         * is pulled again in the next turn. */
        x->paused = true;
        s->n_paused++;
    }
    if (!n && x->source && x->last != YL_HTTP_END) {
        return x->last == YL_HTTP_ABORT ? YL_HTTP2_ABORT : YL_HTTP2_WAIT;
    }
    if (n <= max && (!x->source || x->last == YL_HTTP_END)) {
        *ret_last = true;
        x->answer = YL_ANSWER_COMPLETE;
    }
    return (ptrdiff_t) (n < max ? n : max);
}

void
yl_conn_http2_append(void *conn_, struct yl_http2_stream *stream,
                     struct yl_buf *out, size_t n)
{
    struct yl_exchange *x = exchange_of(stream);
    struct yl_conn *conn = conn_;
    struct yl_conn_http2 *s = conn->session;

    if (!x->source) {
        yl_buf_append(out, x->rest.data, n);
        x->rest = yl_str_skip(x->rest, n);
        count_progress(x, n);
        return;
    }
    yl_buf_append(out, x->pending.data + x->pending_sent, n);
    x->pending_sent += n;
    count_progress(x, n);
    if (!unsent(x)) {
        yl_buffers_give_back(&conn->home->buffers, &x->pending);
        x->pending_sent = 0;
    }
    charge_pending(x);
    if (unsent(x) && yl_charge_excess(&x->charge)) {
        /* The window was too small for what was pulled, perhaps on purpose. */
        yl_http2_reset(s->h2, stream, YL_HTTP2_ENHANCE_YOUR_CALM);
    }
}

/* Restarts the timeout if the client has read enough, or all there is. */
static void
count_progress(struct yl_exchange *x, size_t n)
{
    x->progress += n;
    if (x->progress >= YL_MIN_PROGRESS || !unsent(x)) {
        x->progress = 0;
        x->since = yl_loop_now(x->home->loop);
    }
}

static size_t
unsent(const struct yl_exchange *x)
{
    return x->source ? x->pending.size - x->pending_sent : x->rest.size;
}

/* Charges the bytes that wait for the client. */
static void
charge_pending(struct yl_exchange *x)
{
    size_t held;

    shrink_pending(x);
    held = x->pending.capacity;
    if (held > x->pending_charged) {
        yl_charge_force(&x->charge, held - x->pending_charged);
    } else {
        yl_charge_drop(&x->charge, x->pending_charged - held);
    }
    x->pending_charged = held;
}

/* Replaces a large buffer in which only a few bytes wait for a window. */
static void
shrink_pending(struct yl_exchange *x)
{
    size_t n = unsent(x);
    struct yl_buf small;

    if (n && x->pending.capacity / 4 > n + SMALL) {
        yl_buf_init(&small, YL_OUT_CEILING);
        yl_buf_append_str(&small, yl_str_skip(yl_buf_str(&x->pending),
                                              x->pending_sent));
        yl_buffers_give_back(&x->home->buffers, &x->pending);
        x->pending = small;
        x->pending_sent = 0;
    }
}

/* Writes 'n' in digits before 'end'; printf would cost as much as everything
 * else here. */
static struct yl_str
decimal(char *end, size_t n)
{
    char *start = end;

    do {
        *--start = (char) ('0' + n % 10);
        n /= 10;
    } while (n);
    return yl_str_range(start, end);
}

static struct yl_exchange *
exchange_of(struct yl_http2_stream *stream)
{
    return YL_CONTAINER_OF(stream, struct yl_exchange, stream);
}
