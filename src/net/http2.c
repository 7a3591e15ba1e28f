/* HTTP/2: sessions and what comes in.  See net/http2.h for the contract.
 *
 * nghttp2_session_del() calls no callbacks, and for a request that could not
 * be sent there is none either: 'streams' has the streams that have not had
 * their 'close'. */

#include "net/http2.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "net/http2_parts.h"
#include "yuloh/error.h"

/* A head that is this many times too large ends the connection: one byte can
 * stand for 4 KB of header. */
#define MAX_EXCESS 16

/* A head may come in this many frames. */
#define MAX_CONTINUATIONS 64

/* Frames that may wait to be sent, for each allowed stream; only a client that
 * provokes answers and does not read them needs more. */
#define MAX_WAITING 8
#define MAX_ACKS 1000           /* Of PING and SETTINGS: nghttp2's own. */

/* The bytes that HTTP counts for a header besides its name and value. */
#define HEADER_COST 32

static nghttp2_session *make_session(struct yl_http2 *);
static void set_callbacks(nghttp2_session_callbacks *);
static void submit_settings(struct yl_http2 *, const struct yl_http2_opts *);
static int on_begin_headers(nghttp2_session *, const nghttp2_frame *,
                            void *h2);
static int on_header(nghttp2_session *, const nghttp2_frame *,
                     const uint8_t *name, size_t name_size,
                     const uint8_t *value, size_t value_size, uint8_t flags,
                     void *h2);
static int on_data(nghttp2_session *, uint8_t flags, int32_t id,
                   const uint8_t *data, size_t size, void *h2);
static int on_frame(nghttp2_session *, const nghttp2_frame *, void *h2);
static void end_block(struct yl_http2 *, struct yl_http2_stream *,
                      bool last);
static int on_sent(nghttp2_session *, const nghttp2_frame *, void *h2);
static int on_not_sent(nghttp2_session *, const nghttp2_frame *, int error,
                       void *h2);
static int on_close(nghttp2_session *, int32_t id, uint32_t error, void *h2);
static void close_stream(struct yl_http2 *, struct yl_http2_stream *,
                         uint32_t error);
static void count_reset(struct yl_http2 *);
static size_t or_default(size_t option, size_t value);

struct yl_http2 *
yl_http2_new(enum yl_http2_role role, const struct yl_http2_opts *opts,
             const struct yl_http2_events *events, void *aux, yl_msec now)
{
    struct yl_http2 *h2 = yl_zalloc(sizeof *h2);

    h2->role = role;
    h2->events = events;
    h2->aux = aux;
    h2->now = h2->refilled = now;
    h2->max_streams = or_default(opts->max_streams, 1024);
    h2->max_resets = or_default(opts->max_resets, 200);
    h2->max_head = or_default(opts->max_head, (size_t) 128 << 10);
    h2->n_resets = 2 * h2->max_streams;
    yl_list_init(&h2->streams);
    h2->session = make_session(h2);
    submit_settings(h2, opts);
    return h2;
}

void
yl_http2_free(struct yl_http2 *h2)
{
    struct yl_list *node;

    if (!h2) {
        return;
    }
    while ((node = yl_list_front(&h2->streams)) != NULL) {
        close_stream(h2, YL_CONTAINER_OF(node, struct yl_http2_stream, node),
                     YL_HTTP2_CANCEL);
    }
    nghttp2_session_del(h2->session);
    free(h2);
}

int
yl_http2_receive(struct yl_http2 *h2, struct yl_str bytes, yl_msec now)
{
    h2->now = now;
    return nghttp2_session_mem_recv(h2->session, (const uint8_t *) bytes.data,
                                    bytes.size) < 0
           || nghttp2_session_get_outbound_queue_size(h2->session)
              > MAX_WAITING * (h2->max_streams + MAX_ACKS) ? YL_EINVALID : 0;
}

bool
yl_http2_is_over(const struct yl_http2 *h2)
{
    return !nghttp2_session_want_read(h2->session)
           && !nghttp2_session_want_write(h2->session);
}

const struct yl_list *
yl_http2_streams(const struct yl_http2 *h2)
{
    return &h2->streams;
}

size_t
yl_http2_n_streams(const struct yl_http2 *h2)
{
    return h2->n_streams;
}

void
yl_http2_consume(struct yl_http2 *h2, struct yl_http2_stream *stream,
                 size_t n)
{
    nghttp2_session_consume(h2->session, stream->id, n);
}

void
yl_http2_consume_connection(struct yl_http2 *h2, size_t n)
{
    nghttp2_session_consume_connection(h2->session, n);
}

static nghttp2_session *
make_session(struct yl_http2 *h2)
{
    nghttp2_session_callbacks *callbacks;
    nghttp2_session *session;
    nghttp2_option *option;

    if (nghttp2_option_new(&option)
        || nghttp2_session_callbacks_new(&callbacks)) {
        yl_out_of_memory(sizeof *h2);
    }
    set_callbacks(callbacks);
    nghttp2_option_set_no_closed_streams(option, 1);
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_option_set_max_continuations(option, MAX_CONTINUATIONS);

    /* count_reset() limits them, with a clock that a test can control. */
    nghttp2_option_set_stream_reset_rate_limit(option, UINT32_MAX,
                                               UINT32_MAX);
    if ((h2->role == YL_HTTP2_SERVER
         ? nghttp2_session_server_new2(&session, callbacks, h2, option)
         : nghttp2_session_client_new2(&session, callbacks, h2, option))) {
        yl_out_of_memory(sizeof *h2);
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
    nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks,
                                                             on_not_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks,
                                                           on_close);
    nghttp2_session_callbacks_set_send_callback(callbacks, yl_http2_on_send);
    nghttp2_session_callbacks_set_send_data_callback(callbacks,
                                                     yl_http2_send_data);
}

static void
submit_settings(struct yl_http2 *h2, const struct yl_http2_opts *opts)
{
    size_t stream_window = or_default(opts->stream_window, 256 << 10);
    size_t window = or_default(opts->connection_window, 4 << 20);
    const nghttp2_settings_entry settings[] = {
        { NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, (uint32_t) stream_window },
        { NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, (uint32_t) h2->max_head },
        { NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1 },
        h2->role == YL_HTTP2_SERVER
        ? (nghttp2_settings_entry) { NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,
                                     (uint32_t) h2->max_streams }
        : (nghttp2_settings_entry) { NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
    };

    if (nghttp2_submit_settings(h2->session, NGHTTP2_FLAG_NONE, settings,
                                YL_ARRAY_SIZE(settings)) < 0
        || nghttp2_session_set_local_window_size(
            h2->session, NGHTTP2_FLAG_NONE, 0, (int32_t) window) < 0) {
        yl_out_of_memory(sizeof settings);
    }
}

/* What is received. */
static int
on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame,
                 void *h2_)
{
    struct yl_http2_stream *stream;
    struct yl_http2 *h2 = h2_;

    h2->head_size = 0;
    h2->in_trailers = frame->headers.cat == NGHTTP2_HCAT_HEADERS;
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        stream = h2->events->open(h2->aux);
        stream->id = frame->hd.stream_id;
        nghttp2_session_set_stream_user_data(session, stream->id, stream);
        yl_list_push_back(&h2->streams, &stream->node);
        h2->n_streams++;
    }
    return 0;
}

static int
on_header(nghttp2_session *session, const nghttp2_frame *frame,
          const uint8_t *name, size_t name_size, const uint8_t *value,
          size_t value_size, uint8_t flags YL_UNUSED, void *h2_)
{
    struct yl_http2 *h2 = h2_;
    struct yl_http2_stream *stream = nghttp2_session_get_stream_user_data(
        session, frame->hd.stream_id);
    struct yl_str text = yl_str_n((const char *) name, name_size);

    h2->head_size += name_size + value_size + HEADER_COST;
    if (h2->head_size / MAX_EXCESS > h2->max_head) {
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }

    /* After a head of 1xx comes the next head, not trailers. */
    if (h2->in_trailers && h2->role == YL_HTTP2_CLIENT
        && yl_str_equal(text, YL_STR(":status"))) {
        h2->in_trailers = false;
    }
    if (stream && !h2->in_trailers) {
        h2->events->header(h2->aux, stream, text,
                           yl_str_n((const char *) value, value_size));
    }
    return 0;
}

static int
on_data(nghttp2_session *session, uint8_t flags, int32_t id,
        const uint8_t *data, size_t size, void *h2_)
{
    struct yl_http2_stream *stream = nghttp2_session_get_stream_user_data(
        session, id);
    struct yl_http2 *h2 = h2_;

    if (stream) {
        h2->events->data(h2->aux, stream, yl_str_n((const char *) data, size),
                         flags & NGHTTP2_FLAG_END_STREAM);
    } else {
        nghttp2_session_consume_connection(session, size);
    }
    return 0;
}

static int
on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *h2_)
{
    bool last = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    struct yl_http2_stream *stream;
    struct yl_http2 *h2 = h2_;

    switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
    case NGHTTP2_DATA:
        stream = nghttp2_session_get_stream_user_data(session,
                                                      frame->hd.stream_id);
        if (stream && frame->hd.type == NGHTTP2_HEADERS) {
            end_block(h2, stream, last);
        } else if (stream && last) {
            h2->events->end(h2->aux, stream);
        }
        break;

    case NGHTTP2_RST_STREAM:
        h2->reset_id = frame->hd.stream_id;
        count_reset(h2);
        break;

    case NGHTTP2_SETTINGS:
        h2->settled = h2->settled || !(frame->hd.flags & NGHTTP2_FLAG_ACK);
        break;

    case NGHTTP2_GOAWAY:
        if (h2->events->goaway) {
            h2->events->goaway(h2->aux, frame->goaway.last_stream_id,
                               frame->goaway.error_code);
        }
        break;

    case NGHTTP2_PING:
        if (frame->hd.flags & NGHTTP2_FLAG_ACK && h2->events->pong) {
            h2->events->pong(h2->aux);
        }
        break;

    default:
        break;
    }
    return 0;
}

/* A head, or trailers, are complete. */
static void
end_block(struct yl_http2 *h2, struct yl_http2_stream *stream, bool last)
{
    if (!h2->in_trailers) {
        h2->events->head(h2->aux, stream, last);
    } else if (last) {
        h2->events->end(h2->aux, stream);
    }
}

/* The whole answer was sent before the whole request came: the client need not
 * send the rest. */
static int
on_sent(nghttp2_session *session, const nghttp2_frame *frame, void *h2_)
{
    const struct yl_http2 *h2 = h2_;

    if (h2->role == YL_HTTP2_SERVER
        && (frame->hd.type == NGHTTP2_HEADERS
            || frame->hd.type == NGHTTP2_DATA)
        && frame->hd.flags & NGHTTP2_FLAG_END_STREAM
        && nghttp2_session_get_stream_remote_close(session,
                                                   frame->hd.stream_id) == 0) {
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE,
                                  frame->hd.stream_id, NGHTTP2_NO_ERROR);
    }
    return 0;
}

/* A request that was never sent, because the server goes away or the caller
 * has reset it, gets its 'close' here. */
static int
on_not_sent(nghttp2_session *session, const nghttp2_frame *frame,
            int error YL_UNUSED, void *h2_)
{
    struct yl_http2_stream *stream;
    struct yl_http2 *h2 = h2_;

    if (frame->hd.type != NGHTTP2_HEADERS
        || frame->headers.cat != NGHTTP2_HCAT_REQUEST
        || nghttp2_session_get_stream_user_data(session,
                                                frame->hd.stream_id)) {
        return 0;
    }
    YL_LIST_FOR_EACH (stream, node, &h2->streams) {
        if (stream->id == frame->hd.stream_id) {
            close_stream(h2, stream, YL_HTTP2_REFUSED_STREAM);
            break;
        }
    }
    return 0;
}

static int
on_close(nghttp2_session *session, int32_t id, uint32_t error, void *h2_)
{
    struct yl_http2_stream *stream = nghttp2_session_get_stream_user_data(
        session, id);
    struct yl_http2 *h2 = h2_;

    /* on_frame() has counted resets by the other side. */
    if (error != NGHTTP2_NO_ERROR && id != h2->reset_id) {
        count_reset(h2);
    }
    if (stream) {
        nghttp2_session_set_stream_user_data(session, id, NULL);
        close_stream(h2, stream, error);
    }
    return 0;
}

static void
close_stream(struct yl_http2 *h2, struct yl_http2_stream *stream,
             uint32_t error)
{
    yl_list_remove(&stream->node);
    h2->n_streams--;
    h2->events->close(h2->aux, stream, error);
}

/* Counts a reset by a client, with whatever code, or one that it has provoked:
 * a client could go on with that at no cost to itself.  Resets by a server are
 * not counted: there are no more of them than requests of ours. */
static void
count_reset(struct yl_http2 *h2)
{
    yl_msec elapsed = h2->now - h2->refilled;
    size_t more = elapsed > 3600000 ? SIZE_MAX / 2
                  : (size_t) elapsed * h2->max_resets / 1000;

    if (h2->role != YL_HTTP2_SERVER) {
        return;
    }
    if (more) {
        size_t ceiling = 2 * h2->max_streams;

        h2->refilled = h2->now;
        h2->n_resets = more > ceiling - h2->n_resets ? ceiling
                       : h2->n_resets + more;
    }
    if (!h2->n_resets) {
        nghttp2_session_terminate_session(h2->session,
                                          NGHTTP2_ENHANCE_YOUR_CALM);
    } else {
        h2->n_resets--;
    }
}

/* Numbers in HTTP/2 have 31 bits. */
static size_t
or_default(size_t option, size_t value)
{
    return !option ? value : option > INT32_MAX ? INT32_MAX : option;
}
