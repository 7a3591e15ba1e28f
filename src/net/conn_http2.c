/* HTTP/2 on a connection of the server, by nghttp2: sessions and requests.
 * See net/conn.h for its place.
 *
 * nghttp2 parses and frames; what it does not bound is bounded here: bytes of
 * heads, resets, and clients that send or read too slowly.
 *
 * nghttp2_session_del() calls no callback: who frees a session ends its
 * streams first. */

#include "net/conn_http2.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "net/conn.h"

/* What a client may send before it is told to go on. */
#define STREAM_WINDOW (256 << 10)
#define CONNECTION_WINDOW (4 << 20)

/* A head that is this many times too large ends the connection: a byte can
 * stand for 4 KB of header. */
#define MAX_EXCESS 16

/* A head may come in this many frames. */
#define MAX_CONTINUATIONS 64

/* Frames that wait to be sent, for each stream that is allowed; a client that
 * makes us answer without reading the answers makes more. */
#define MAX_WAITING 8
#define MAX_ACKS 1000           /* Of PING and SETTINGS: nghttp2's own. */

/* A head is charged in such steps. */
#define HEAD_STEP 16384

static void input(struct yl_conn *, struct yl_str bytes);
static void eof(struct yl_conn *);
static bool produce(struct yl_conn *);
static void drain(struct yl_conn *);
static yl_msec check(struct yl_conn *, yl_msec now);
static void session_free(struct yl_conn *);
static void read_body(struct yl_exchange *);

static nghttp2_session *make_session(struct yl_conn *);
static void set_callbacks(nghttp2_session_callbacks *);
static int on_begin_headers(nghttp2_session *, const nghttp2_frame *,
                            void *conn);
static int on_header(nghttp2_session *, const nghttp2_frame *,
                     const uint8_t *name, size_t name_size,
                     const uint8_t *value, size_t value_size, uint8_t flags,
                     void *conn);
static int on_data(nghttp2_session *, uint8_t flags, int32_t id,
                   const uint8_t *data, size_t size, void *conn);
static int on_frame(nghttp2_session *, const nghttp2_frame *, void *conn);
static int on_sent(nghttp2_session *, const nghttp2_frame *, void *conn);
static int on_close(nghttp2_session *, int32_t id, uint32_t error,
                    void *conn);

static void end_head(struct yl_conn *, struct yl_exchange *);
static void consume(struct yl_http2 *, const struct yl_exchange *, size_t n,
                    bool last);
static void add_header(struct yl_exchange *, struct yl_str name,
                       struct yl_str value);
static void take_path(struct yl_exchange *, struct yl_str path);
static void count_reset(struct yl_conn *);
static yl_msec check_stream(struct yl_conn *, struct yl_exchange *,
                            yl_msec now);

static const struct yl_conn_protocol protocol = {
    .input = input,
    .eof = eof,
    .produce = produce,
    .drain = drain,
    .check = check,
    .free = session_free,
    .read_body = read_body,
    .respond = yl_http2_respond,
    .resume = yl_http2_resume,
};

void
yl_conn_http2_begin(struct yl_conn *conn)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    const nghttp2_settings_entry settings[] = {
        { NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,
          (uint32_t) opts->max_streams },
        { NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, STREAM_WINDOW },
        { NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
          (uint32_t) opts->max_head },
        { NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1 },
    };
    struct yl_http2 *s = yl_zalloc(sizeof *s);

    yl_list_init(&s->streams);
    s->since = s->refilled = yl_loop_now(conn->home->loop);
    s->n_resets = 2 * opts->max_streams;
    s->session = make_session(conn);
    conn->protocol = &protocol;
    conn->session = s;
    if (nghttp2_submit_settings(s->session, NGHTTP2_FLAG_NONE, settings,
                                YL_ARRAY_SIZE(settings)) < 0
        || nghttp2_session_set_local_window_size(
            s->session, NGHTTP2_FLAG_NONE, 0, CONNECTION_WINDOW) < 0) {
        yl_conn_kill(conn);
    }
    yl_conn_check_at(conn, s->since + opts->idle_timeout);
    yl_conn_touch(conn);
}

static void
input(struct yl_conn *conn, struct yl_str bytes)
{
    size_t max_streams = conn->home->shared->opts.max_streams;
    struct yl_http2 *s = conn->session;

    yl_conn_touch(conn);
    if (nghttp2_session_mem_recv(s->session, (const uint8_t *) bytes.data,
                                 bytes.size) < 0
        || nghttp2_session_get_outbound_queue_size(s->session)
           > MAX_WAITING * (max_streams + MAX_ACKS)) {
        yl_conn_kill(conn);
    } else if (s->heading && s->heading->head_size > YL_EXCHANGE_COST) {
        /* A part of a head stays until the rest comes, if there is room. */
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
    struct yl_http2 *s = conn->session;

    if (s->n_paused && !conn->paused) {
        yl_http2_unpause(s);
    }
    if (nghttp2_session_send(s->session) < 0) {
        yl_conn_kill(conn);
    } else if (!nghttp2_session_want_read(s->session)
               && !nghttp2_session_want_write(s->session)) {
        yl_conn_close(conn, true);
    } else {
        return !yl_conn_room(conn) && nghttp2_session_want_write(s->session);
    }
    return false;
}

static void
drain(struct yl_conn *conn)
{
    struct yl_http2 *s = conn->session;
    struct yl_exchange *x;

    nghttp2_submit_goaway(s->session, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(s->session),
                          NGHTTP2_NO_ERROR, NULL, 0);
    YL_LIST_FOR_EACH (x, node, &s->streams) {
        if (x->waiting) {
            yl_http_resume(&x->request);
        }
    }
    yl_conn_touch(conn);
}

static yl_msec
check(struct yl_conn *conn, yl_msec now)
{
    struct yl_http2 *s = conn->session;
    yl_msec next = YL_NEVER;
    struct yl_exchange *x;

    if (!s->n_streams) {
        next = s->since + conn->home->shared->opts.idle_timeout;
        if (next <= now) {
            nghttp2_session_terminate_session(s->session, NGHTTP2_NO_ERROR);
            yl_conn_touch(conn);
            return YL_NEVER;
        }
        return next;
    }
    YL_LIST_FOR_EACH_SAFE (x, node, &s->streams) {
        yl_msec when = check_stream(conn, x, now);

        next = when < next ? when : next;
    }

    /* Streams are looked at together, not each at its own time. */
    return next == YL_NEVER ? next : next > now + 1000 ? next : now + 1000;
}

static void
session_free(struct yl_conn *conn)
{
    struct yl_http2 *s = conn->session;
    struct yl_list *node;

    while ((node = yl_list_pop_front(&s->streams)) != NULL) {
        struct yl_exchange *x = YL_CONTAINER_OF(node, struct yl_exchange,
                                                node);

        yl_exchange_end(x, false);
        yl_http_release(&x->request);
    }
    nghttp2_session_del(s->session);
    free(s);
}

/* Lets the client send the body, or hands over what has come. */
static void
read_body(struct yl_exchange *x)
{
    static const nghttp2_nv go_on = {
        (uint8_t *) ":status", (uint8_t *) "100", 7, 3, NGHTTP2_NV_FLAG_NONE
    };
    struct yl_conn *conn = x->conn;
    struct yl_http2 *s = conn->session;

    if (x->answer != YL_ANSWER_NONE) {
        return;
    }
    consume(s, x, x->held_back, x->half_closed);
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
        nghttp2_submit_headers(s->session, NGHTTP2_FLAG_NONE, x->stream_id,
                               NULL, &go_on, 1, NULL);
    }
    yl_conn_touch(conn);
}

static nghttp2_session *
make_session(struct yl_conn *conn)
{
    nghttp2_session_callbacks *callbacks;
    nghttp2_session *session;
    nghttp2_option *option;

    if (nghttp2_option_new(&option)
        || nghttp2_session_callbacks_new(&callbacks)) {
        yl_out_of_memory(sizeof *conn);
    }
    set_callbacks(callbacks);
    nghttp2_option_set_no_closed_streams(option, 1);
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_option_set_max_continuations(option, MAX_CONTINUATIONS);

    /* count_reset() does it, by a clock that a test can hold. */
    nghttp2_option_set_stream_reset_rate_limit(option, UINT32_MAX,
                                               UINT32_MAX);
    if (nghttp2_session_server_new2(&session, callbacks, conn, option)) {
        yl_out_of_memory(sizeof *conn);
    }
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_option_del(option);
    return session;
}

static void
set_callbacks(nghttp2_session_callbacks *callbacks)
{
    nghttp2_session_callbacks_set_on_begin_headers_callback(
        callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks,
                                                              on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks,
                                                           on_close);
    nghttp2_session_callbacks_set_send_callback(callbacks, yl_http2_on_send);
    nghttp2_session_callbacks_set_send_data_callback(callbacks,
                                                     yl_http2_send_body);
}

/* What comes in. */
static int
on_begin_headers(nghttp2_session *h2, const nghttp2_frame *frame, void *conn_)
{
    struct yl_conn *conn = conn_;
    struct yl_http2 *s = conn->session;
    struct yl_exchange *x;

    if (frame->headers.cat != NGHTTP2_HCAT_REQUEST) {
        return 0;
    }
    x = yl_exchange_new(conn);
    x->stream_id = frame->hd.stream_id;
    x->request.version = 20;
    x->since = yl_loop_now(conn->home->loop);
    nghttp2_session_set_stream_user_data(h2, x->stream_id, x);
    yl_list_push_back(&s->streams, &x->node);
    s->n_streams++;
    s->heading = x;
    yl_conn_check_at(conn, x->since
                           + conn->home->shared->opts.head_timeout);
    return 0;
}

static int
on_header(nghttp2_session *h2, const nghttp2_frame *frame,
          const uint8_t *name_, size_t name_size, const uint8_t *value_,
          size_t value_size, uint8_t flags YL_UNUSED, void *conn_)
{
    struct yl_conn *conn = conn_;
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct yl_exchange *x = nghttp2_session_get_stream_user_data(
        h2, frame->hd.stream_id);
    struct yl_str name = yl_str_n((const char *) name_, name_size);
    struct yl_str value = yl_str_n((const char *) value_, value_size);

    if (!x) {
        return 0;
    }
    x->head_size += name_size + value_size + 32;
    if (x->head_size / MAX_EXCESS > opts->max_head) {
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    if (x->head_size > opts->max_head) {
        yl_exchange_set_refusal(x, 431, "the headers are too large");
    } else if (x->refusal) {
        /* Nobody will read them. */
    } else if (x->head_size > x->charge.size
               && !yl_exchange_charge(x, HEAD_STEP)) {
        /* The same. */
    } else if (frame->headers.cat != NGHTTP2_HCAT_REQUEST) {
        /* Trailers are dropped. */
    } else if (yl_str_equal(name, YL_STR(":method"))) {
        x->request.method = yl_arena_copy(&x->arena, value);
    } else if (yl_str_equal(name, YL_STR(":path"))) {
        take_path(x, value);
    } else if (yl_str_equal(name, YL_STR(":authority"))) {
        add_header(x, YL_STR("host"), value);
    } else if (name_size && name_[0] != ':') {
        add_header(x, yl_arena_copy(&x->arena, name), value);
    }
    return 0;
}

/* What comes before somebody has asked for it uses up the windows.  What
 * nobody wants any more does not use up the connection's. */
static int
on_data(nghttp2_session *h2, uint8_t flags, int32_t id, const uint8_t *data,
        size_t size, void *conn_)
{
    struct yl_exchange *x = nghttp2_session_get_stream_user_data(h2, id);
    struct yl_conn *conn = conn_;

    if (!x || x->answer != YL_ANSWER_NONE) {
        nghttp2_session_consume_connection(h2, size);
        return 0;
    }
    if (x->wants_body) {
        consume(conn->session, x, size, flags & NGHTTP2_FLAG_END_STREAM);
    } else {
        x->held_back += size;
    }
    if (!yl_exchange_add_body(x, yl_str_n((const char *) data, size))) {
        yl_exchange_refuse(x);
    }
    return 0;
}

static int
on_frame(nghttp2_session *h2, const nghttp2_frame *frame, void *conn_)
{
    struct yl_conn *conn = conn_;
    struct yl_http2 *s = conn->session;
    struct yl_exchange *x;

    if (frame->hd.type == NGHTTP2_RST_STREAM) {
        s->reset_id = frame->hd.stream_id;
        count_reset(conn);
    }
    if (frame->hd.type != NGHTTP2_HEADERS
        && frame->hd.type != NGHTTP2_DATA) {
        return 0;
    }
    x = nghttp2_session_get_stream_user_data(h2, frame->hd.stream_id);
    if (!x) {
        return 0;
    }
    x->half_closed = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (frame->hd.type == NGHTTP2_HEADERS
        && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        end_head(conn, x);
    } else if (x->half_closed && x->wants_body
               && x->answer == YL_ANSWER_NONE) {
        yl_exchange_complete(x);
    }
    return 0;
}

/* A whole answer to a request that is not whole: the client need not go on. */
static int
on_sent(nghttp2_session *h2, const nghttp2_frame *frame, void *conn YL_UNUSED)
{
    struct yl_exchange *x;

    if ((frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA)
        && frame->hd.flags & NGHTTP2_FLAG_END_STREAM) {
        x = nghttp2_session_get_stream_user_data(h2, frame->hd.stream_id);
        if (x && !x->half_closed) {
            nghttp2_submit_rst_stream(h2, NGHTTP2_FLAG_NONE, x->stream_id,
                                      NGHTTP2_NO_ERROR);
        }
    }
    return 0;
}

static int
on_close(nghttp2_session *h2, int32_t id, uint32_t error, void *conn_)
{
    struct yl_conn *conn = conn_;
    struct yl_http2 *s = conn->session;
    struct yl_exchange *x = nghttp2_session_get_stream_user_data(h2, id);

    /* on_frame() has counted those of the client. */
    if (error != NGHTTP2_NO_ERROR && id != s->reset_id) {
        count_reset(conn);
    }
    if (!x) {
        return 0;
    }
    if (s->heading == x) {
        s->heading = NULL;
    }
    s->n_paused -= x->paused;
    nghttp2_session_set_stream_user_data(h2, id, NULL);
    nghttp2_session_consume_connection(h2, x->held_back);
    yl_list_remove(&x->node);
    s->since = yl_loop_now(conn->home->loop);
    if (--s->n_streams == 0) {
        yl_conn_check_at(conn, s->since
                               + conn->home->shared->opts.idle_timeout);
    }
    yl_exchange_end(x, x->answer == YL_ANSWER_COMPLETE
                       && error == NGHTTP2_NO_ERROR);
    yl_http_release(&x->request);
    return 0;
}

/* The head is complete: the handler's turn. */
static void
end_head(struct yl_conn *conn, struct yl_exchange *x)
{
    unsigned long long length;
    struct yl_str value;

    ((struct yl_http2 *) conn->session)->heading = NULL;
    x->has_head = true;
    x->request.headers = x->headers;
    x->request.started = x->since = yl_loop_now(conn->home->loop);
    x->is_head = yl_str_equal(x->request.method, YL_STR("HEAD"));
    value = yl_http_header(&x->request, YL_STR("content-length"));
    if (yl_str_is_null(x->request.path)) {
        yl_exchange_set_refusal(x, 400, "the request has no path");
    } else if (!yl_str_is_null(value)
               && (yl_str_to_u64(value, &length) < 0
                   || length > conn->home->shared->opts.max_body)) {
        yl_exchange_set_refusal(x, 413,
                                "the body of the request is too large");
    }
    if (x->refusal) {
        yl_exchange_refuse(x);
        return;
    }
    yl_exchange_dispatch(x);
    if (x->wants_body) {
        read_body(x);
    }
}

/* The client may send as much more as 'n'; on the stream too, unless it is the
 * end of that. */
static void
consume(struct yl_http2 *s, const struct yl_exchange *x, size_t n, bool last)
{
    nghttp2_session_consume_connection(s->session, n);
    if (!last) {
        nghttp2_session_consume_stream(s->session, x->stream_id, n);
    }
}

/* Adds a header whose name stays. */
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

/* A client that makes streams only to reset them, whatever it says the reason
 * is, or to have them reset, does so at its own leisure. */
static void
count_reset(struct yl_conn *conn)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct yl_http2 *s = conn->session;
    yl_msec now = yl_loop_now(conn->home->loop);
    yl_msec elapsed = now - s->refilled;
    size_t more = elapsed > 3600000 ? SIZE_MAX / 2
                  : (size_t) elapsed * opts->max_resets / 1000;

    if (more) {
        size_t ceiling = 2 * opts->max_streams;

        s->refilled = now;
        s->n_resets = more > ceiling - s->n_resets ? ceiling
                      : s->n_resets + more;
    }
    if (!s->n_resets) {
        nghttp2_session_terminate_session(s->session,
                                          NGHTTP2_ENHANCE_YOUR_CALM);
    } else {
        s->n_resets--;
    }
}

/* Acts if the stream is overdue; returns when it will be. */
static yl_msec
check_stream(struct yl_conn *conn, struct yl_exchange *x, yl_msec now)
{
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    struct yl_http2 *s = conn->session;
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
            yl_exchange_set_refusal(x, 408, "the body of the request did "
                                            "not come in time");
            yl_exchange_refuse(x);
        }
    } else if (x->answer == YL_ANSWER_NONE
               || (x->waiting && !x->pending.size)) {
        when = YL_NEVER;
    } else {
        when = x->since + opts->write_timeout;
        if (when <= now) {
            nghttp2_submit_rst_stream(s->session, NGHTTP2_FLAG_NONE,
                                      x->stream_id, NGHTTP2_CANCEL);
            yl_conn_touch(conn);
        }
    }
    return when <= now ? YL_NEVER : when;
}

