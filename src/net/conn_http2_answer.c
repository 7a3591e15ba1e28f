/* Answers in HTTP/2.  See net/conn_http2.h for its place.
 *
 * An answer's bytes are pulled when nghttp2 has a window for them, and go from
 * where the source has put them to the connection's 'out' (NO_COPY). */

#include "net/conn_http2.h"

#include "net/conn.h"

/* What a slow reader of a stream has to read in 'write_timeout'. */
#define MIN_PROGRESS 16384

/* A buffer of this size is not worth changing. */
#define SMALL 1024

/* Headers of answers that are added here. */
#define N_OWN_HEADERS 3

static ssize_t read_body(nghttp2_session *, int32_t id, uint8_t *buf,
                         size_t length, uint32_t *ret_flags,
                         nghttp2_data_source *, void *conn);
static void pull(struct yl_exchange *, size_t length);
static size_t unsent(const struct yl_exchange *);
static void charge_pending(struct yl_exchange *);
static void shrink_pending(struct yl_exchange *);
static size_t window(const struct yl_http2 *, const struct yl_exchange *);
static struct yl_str decimal(struct yl_arena *, size_t n);
static size_t add_nv(nghttp2_nv *, struct yl_arena *, struct yl_str name,
                     struct yl_str value);

void
yl_http2_respond(struct yl_exchange *x, int status,
                 const struct yl_http_header *headers, size_t n_headers,
                 struct yl_str body, bool lent)
{
    struct yl_conn *conn = x->conn;
    struct yl_http2 *s = conn->session;
    nghttp2_data_provider provider = {
        .source.ptr = x, .read_callback = read_body
    };
    nghttp2_nv *nva = yl_arena_array(&x->arena, n_headers + N_OWN_HEADERS,
                                     sizeof *nva);
    bool bodiless;
    size_t n = 0;

    /* There was no room for the request: an answer that would stay because
     * its client has closed the window goes without its body. */
    if (x->refusal == 429 && window(s, x) < body.size) {
        body = YL_STR("");
    }
    bodiless = x->is_head || status == 204 || status == 304
               || (!x->source && !body.size);
    n += add_nv(nva, &x->arena, YL_STR(":status"),
                decimal(&x->arena, (size_t) status));
    n += add_nv(nva + n, &x->arena, YL_STR("date"), yl_home_date(conn->home));
    if (!x->source && status != 204 && status != 304) {
        n += add_nv(nva + n, &x->arena, YL_STR("content-length"),
                    decimal(&x->arena, body.size));
    }
    for (size_t i = 0; i < n_headers; i++) {
        n += add_nv(nva + n, &x->arena, headers[i].name, headers[i].value);
    }
    if (bodiless) {
        x->answer = YL_ANSWER_COMPLETE;
    } else if (x->source) {
        x->answer = YL_ANSWER_SOURCE;
    } else {
        x->answer = YL_ANSWER_WHOLE;
        x->rest = yl_exchange_keep(x, body, lent);
    }
    x->since = yl_loop_now(conn->home->loop);
    yl_conn_check_at(conn, x->since
                           + conn->home->shared->opts.write_timeout);
    if (nghttp2_submit_response(s->session, x->stream_id, nva, n,
                                bodiless ? NULL : &provider) < 0) {
        yl_conn_kill(conn);
    }
    yl_conn_touch(conn);
}

void
yl_http2_resume(struct yl_exchange *x)
{
    struct yl_http2 *s = x->conn->session;

    x->last = YL_HTTP_MORE;
    if (!unsent(x)) {
        x->since = yl_loop_now(x->home->loop);
        yl_conn_check_at(x->conn, x->since
                                  + x->home->shared->opts.write_timeout);
    }
    nghttp2_session_resume_data(s->session, x->stream_id);
    yl_conn_defer(x->conn);
}

void
yl_http2_unpause(struct yl_http2 *s)
{
    struct yl_exchange *x;

    s->n_paused = 0;
    YL_LIST_FOR_EACH (x, node, &s->streams) {
        if (x->paused) {
            x->paused = false;
            nghttp2_session_resume_data(s->session, x->stream_id);
        }
    }
}

ssize_t
yl_http2_on_send(nghttp2_session *h2 YL_UNUSED, const uint8_t *data,
                 size_t size, int flags YL_UNUSED, void *conn_)
{
    struct yl_conn *conn = conn_;

    if (!yl_conn_room(conn)) {
        return NGHTTP2_ERR_WOULDBLOCK;
    }
    yl_buf_append(yl_conn_out(conn), data, size);
    return (ssize_t) size;
}

int
yl_http2_send_body(nghttp2_session *h2, nghttp2_frame *frame YL_UNUSED,
                   const uint8_t *head, size_t length,
                   nghttp2_data_source *source, void *conn_)
{
    struct yl_conn *conn = conn_;
    struct yl_exchange *x = source->ptr;
    struct yl_buf *out = yl_conn_out(conn);

    yl_buf_append(out, head, 9);
    if (x->source) {
        struct yl_str pending = yl_buf_str(&x->pending);

        yl_buf_append(out, yl_str_skip(pending, x->pending_sent).data,
                      length);
        x->pending_sent += length;
    } else {
        yl_buf_append(out, x->rest.data, length);
        x->rest = yl_str_skip(x->rest, length);
    }
    if (yl_buf_error(out)) {
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    x->progress += length;
    if (x->progress >= MIN_PROGRESS || !unsent(x)) {
        x->progress = 0;
        x->since = yl_loop_now(conn->home->loop);
    }
    if (x->source && !unsent(x)) {
        yl_buffers_give_back(&conn->home->buffers, &x->pending);
        x->pending_sent = 0;
    }
    charge_pending(x);
    if (unsent(x) && yl_charge_excess(&x->charge)) {
        /* The window was too small for what was pulled, perhaps on purpose. */
        nghttp2_submit_rst_stream(h2, NGHTTP2_FLAG_NONE, x->stream_id,
                                  NGHTTP2_ENHANCE_YOUR_CALM);
    }
    return yl_conn_room(conn) ? 0 : NGHTTP2_ERR_PAUSE;
}

static ssize_t
read_body(nghttp2_session *h2 YL_UNUSED, int32_t id YL_UNUSED,
          uint8_t *buf YL_UNUSED, size_t length, uint32_t *ret_flags,
          nghttp2_data_source *source, void *conn YL_UNUSED)
{
    struct yl_exchange *x = source->ptr;
    size_t n = unsent(x);

    if (x->source && !n && x->last == YL_HTTP_MORE) {
        if (!yl_conn_may_pull(x->conn, &x->charge)) {
            struct yl_http2 *s = x->conn->session;

            x->paused = true;
            s->n_paused++;
            return NGHTTP2_ERR_DEFERRED;
        }
        pull(x, length);
        n = unsent(x);
    }
    if (!n && x->last == YL_HTTP_WAIT) {
        return NGHTTP2_ERR_DEFERRED;
    } else if (!n && x->last == YL_HTTP_ABORT) {
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    *ret_flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (n <= length && (!x->source || x->last == YL_HTTP_END)) {
        *ret_flags |= NGHTTP2_DATA_FLAG_EOF;
        x->answer = YL_ANSWER_COMPLETE;
    }
    return (ssize_t) (n < length ? n : length);
}

/* Fills 'pending', which is empty. */
static void
pull(struct yl_exchange *x, size_t length)
{
    struct yl_buf *out = yl_buffers_borrow(&x->home->buffers, &x->pending);

    do {
        x->waiting = true;
        x->last = x->source->pull(x->source_aux, out);
        x->waiting = x->waiting && x->last == YL_HTTP_WAIT;
    } while (x->last == YL_HTTP_MORE && out->size < length);
    if (x->last == YL_HTTP_WAIT && !x->waiting) {
        x->last = YL_HTTP_MORE;
    }
    if (yl_buf_error(out)) {
        x->last = YL_HTTP_ABORT;
    }
    if (!out->size) {
        yl_buffers_give_back(&x->home->buffers, out);
    }
}

static size_t
unsent(const struct yl_exchange *x)
{
    return x->source ? x->pending.size - x->pending_sent : x->rest.size;
}

/* Charges what waits for the client. */
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

/* A few bytes that wait for a window must not keep a large buffer. */
static void
shrink_pending(struct yl_exchange *x)
{
    size_t n = unsent(x);
    struct yl_buf small;

    if (x->source && n && x->pending.capacity / 4 > n + SMALL) {
        yl_buf_init(&small, YL_OUT_CEILING);
        yl_buf_append_str(&small, yl_str_skip(yl_buf_str(&x->pending),
                                              x->pending_sent));
        yl_buffers_give_back(&x->home->buffers, &x->pending);
        x->pending = small;
        x->pending_sent = 0;
    }
}

/* Bytes that the client lets us send on a stream. */
static size_t
window(const struct yl_http2 *s, const struct yl_exchange *x)
{
    int32_t all = nghttp2_session_get_remote_window_size(s->session);
    int32_t own = nghttp2_session_get_stream_remote_window_size(
        s->session, x->stream_id);
    int32_t smaller = all < own ? all : own;

    return smaller > 0 ? (size_t) smaller : 0;
}

/* 'n' in digits; printf costs as much as all else here. */
static struct yl_str
decimal(struct yl_arena *arena, size_t n)
{
    enum { MAX_DIGITS = 20 };
    char *end = (char *) yl_arena_alloc_fast(arena, MAX_DIGITS) + MAX_DIGITS;
    char *start = end;

    do {
        *--start = (char) ('0' + n % 10);
        n /= 10;
    } while (n);
    return yl_str_range(start, end);
}

/* Makes 'nv' of a header: 1.  Control characters in the value become spaces;
 * a name that is no name is left out: 0. */
static size_t
add_nv(nghttp2_nv *nv, struct yl_arena *arena, struct yl_str name,
       struct yl_str value)
{
    const uint8_t *text = (const uint8_t *) value.data;

    if (name.data[0] != ':'
        && !nghttp2_check_header_name((const uint8_t *) name.data,
                                      name.size)) {
        return 0;
    }
    if (!nghttp2_check_header_value(text, value.size)) {
        char *copy = yl_arena_strdup(arena, value);

        for (size_t i = 0; i < value.size; i++) {
            if ((unsigned char) copy[i] < ' ' || copy[i] == 0x7f) {
                copy[i] = ' ';
            }
        }
        text = (const uint8_t *) copy;
    }
    *nv = (nghttp2_nv) {
        .name = (uint8_t *) (uintptr_t) name.data,
        .namelen = name.size,
        .value = (uint8_t *) (uintptr_t) text,
        .valuelen = value.size,
    };
    return 1;
}
