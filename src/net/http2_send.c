/* HTTP/2: sending.  See net/http2.h for the contract.
 *
 * A body's bytes are fetched when nghttp2 has a window for them, and copied
 * only from the caller's memory to 'out' (NO_COPY). */

#include "net/http2.h"

#include <string.h>

#include "base/arena.h"
#include "net/http2_parts.h"
#include "yuloh/error.h"

/* Headers that fit on the stack. */
#define FEW_HEADERS 32

/* Streams that a server is assumed to allow before its SETTINGS have come, as
 * in Go's client. */
#define ASSUMED_STREAMS 100

/* Pseudo headers of a request. */
#define N_PSEUDO 4

/* A head that is passed to nghttp2, which copies it. */
struct block {
    struct yl_arena arena;
    nghttp2_nv few[FEW_HEADERS];
    nghttp2_nv *headers;
    size_t n;
};

static ssize_t read_data(nghttp2_session *, int32_t id, uint8_t *buf,
                         size_t length, uint32_t *ret_flags,
                         nghttp2_data_source *, void *h2);
static void block_init(struct block *, size_t max);
static void add(struct block *, struct yl_str name, struct yl_str value);
static void add_all(struct block *, const struct yl_http_header *, size_t n);

int
yl_http2_produce(struct yl_http2 *h2, struct yl_buf *out, size_t room,
                 yl_msec now)
{
    int r;

    h2->now = now;
    h2->out = out;
    h2->end = out->size + room;
    r = nghttp2_session_send(h2->session);
    h2->out = NULL;
    if (r < 0) {
        return YL_EINVALID;
    }
    return out->size >= h2->end && nghttp2_session_want_write(h2->session);
}

int
yl_http2_respond(struct yl_http2 *h2, struct yl_http2_stream *stream,
                 int status, const struct yl_http_header *headers,
                 size_t n_headers, bool has_body)
{
    const char digits[] = {
        (char) ('0' + status / 100 % 10), (char) ('0' + status / 10 % 10),
        (char) ('0' + status % 10),
    };
    nghttp2_data_provider provider = {
        .source.ptr = stream, .read_callback = read_data
    };
    struct block block;
    int r;

    block_init(&block, 1 + n_headers);
    add(&block, YL_STR(":status"), yl_str_n(digits, sizeof digits));
    add_all(&block, headers, n_headers);
    r = nghttp2_submit_response(h2->session, stream->id, block.headers,
                                block.n, has_body ? &provider : NULL);
    yl_arena_release(&block.arena);
    return r < 0 ? YL_EINVALID : 0;
}

void
yl_http2_continue(struct yl_http2 *h2, struct yl_http2_stream *stream)
{
    static const nghttp2_nv go_on = {
        (uint8_t *) ":status", (uint8_t *) "100", 7, 3, NGHTTP2_NV_FLAG_NONE
    };

    nghttp2_submit_headers(h2->session, NGHTTP2_FLAG_NONE, stream->id, NULL,
                           &go_on, 1, NULL);
}

int
yl_http2_request(struct yl_http2 *h2, struct yl_http2_stream *stream,
                 const struct yl_http2_request *request)
{
    nghttp2_data_provider provider = {
        .source.ptr = stream, .read_callback = read_data
    };
    struct block block;
    int32_t id;

    if (!nghttp2_session_check_request_allowed(h2->session)) {
        return YL_EUNAVAILABLE;
    }
    block_init(&block, N_PSEUDO + request->n_headers);
    add(&block, YL_STR(":method"), request->method);
    add(&block, YL_STR(":scheme"), request->scheme);
    add(&block, YL_STR(":authority"), request->authority);
    add(&block, YL_STR(":path"), request->target);
    add_all(&block, request->headers, request->n_headers);
    id = nghttp2_submit_request(h2->session, NULL, block.headers, block.n,
                                request->has_body ? &provider : NULL, stream);
    yl_arena_release(&block.arena);
    if (id < 0) {
        return YL_EUNAVAILABLE;
    }
    stream->id = id;
    yl_list_push_back(&h2->streams, &stream->node);
    h2->n_streams++;
    return 0;
}

size_t
yl_http2_room(const struct yl_http2 *h2)
{
    size_t limit = nghttp2_session_get_remote_settings(
        h2->session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);

    if (!nghttp2_session_check_request_allowed(h2->session)) {
        return 0;
    }
    if (!h2->settled && limit > ASSUMED_STREAMS) {
        limit = ASSUMED_STREAMS;
    }
    return limit > h2->n_streams ? limit - h2->n_streams : 0;
}

bool
yl_http2_is_settled(const struct yl_http2 *h2)
{
    return h2->settled;
}

void
yl_http2_resume(struct yl_http2 *h2, struct yl_http2_stream *stream)
{
    nghttp2_session_resume_data(h2->session, stream->id);
}

size_t
yl_http2_window(const struct yl_http2 *h2,
                const struct yl_http2_stream *stream)
{
    int32_t all = nghttp2_session_get_remote_window_size(h2->session);
    int32_t own = nghttp2_session_get_stream_remote_window_size(h2->session,
                                                                stream->id);
    int32_t smaller = all < own ? all : own;

    return smaller > 0 ? (size_t) smaller : 0;
}

void
yl_http2_reset(struct yl_http2 *h2, struct yl_http2_stream *stream,
               enum yl_http2_error error)
{
    nghttp2_submit_rst_stream(h2->session, NGHTTP2_FLAG_NONE, stream->id,
                              (uint32_t) error);
}

void
yl_http2_go_away(struct yl_http2 *h2)
{
    nghttp2_session *session = h2->session;

    nghttp2_submit_goaway(session, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(session),
                          NGHTTP2_NO_ERROR, NULL, 0);
}

void
yl_http2_terminate(struct yl_http2 *h2, enum yl_http2_error error)
{
    nghttp2_session_terminate_session(h2->session, (uint32_t) error);
}

void
yl_http2_ping(struct yl_http2 *h2)
{
    nghttp2_submit_ping(h2->session, NGHTTP2_FLAG_NONE, NULL);
}

ssize_t
yl_http2_on_send(nghttp2_session *session YL_UNUSED, const uint8_t *data,
                 size_t size, int flags YL_UNUSED, void *h2_)
{
    struct yl_http2 *h2 = h2_;

    if (h2->out->size >= h2->end) {
        return NGHTTP2_ERR_WOULDBLOCK;
    }
    yl_buf_append(h2->out, data, size);
    return yl_buf_error(h2->out) ? NGHTTP2_ERR_CALLBACK_FAILURE
           : (ssize_t) size;
}

int
yl_http2_send_data(nghttp2_session *session YL_UNUSED,
                   nghttp2_frame *frame YL_UNUSED, const uint8_t *head,
                   size_t length, nghttp2_data_source *source, void *h2_)
{
    enum { FRAME_HEAD = 9 };
    struct yl_http2 *h2 = h2_;

    yl_buf_append(h2->out, head, FRAME_HEAD);
    if (length) {
        h2->events->append(h2->aux, source->ptr, h2->out, length);
    }
    if (yl_buf_error(h2->out)) {
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    return h2->out->size < h2->end ? 0 : NGHTTP2_ERR_PAUSE;
}

static ssize_t
read_data(nghttp2_session *session YL_UNUSED, int32_t id YL_UNUSED,
          uint8_t *buf YL_UNUSED, size_t length, uint32_t *ret_flags,
          nghttp2_data_source *source, void *h2_)
{
    struct yl_http2 *h2 = h2_;
    bool last = false;
    ptrdiff_t n = h2->events->ready(h2->aux, source->ptr, length, &last);

    if (n == YL_HTTP2_ABORT) {
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    } else if (n < 0) {
        return NGHTTP2_ERR_DEFERRED;
    }
    *ret_flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (last) {
        *ret_flags |= NGHTTP2_DATA_FLAG_EOF;
    }
    return n;
}

static void
block_init(struct block *block, size_t max)
{
    yl_arena_init(&block->arena);
    block->n = 0;
    block->headers = max <= FEW_HEADERS ? block->few
                     : yl_arena_array(&block->arena, max,
                                      sizeof *block->headers);
}

static void
add_all(struct block *block, const struct yl_http_header *headers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct yl_str name = headers[i].name;

        if (name.size && name.data[0] != ':'
            && nghttp2_check_header_name((const uint8_t *) name.data,
                                         name.size)) {
            add(block, name, headers[i].value);
        }
    }
}

/* Adds a header.  Control characters in the value become spaces. */
static void
add(struct block *block, struct yl_str name, struct yl_str value)
{
    const uint8_t *text = (const uint8_t *) value.data;

    if (!nghttp2_check_header_value(text, value.size)) {
        char *copy = yl_arena_strdup(&block->arena, value);

        for (size_t i = 0; i < value.size; i++) {
            if ((unsigned char) copy[i] < ' ' || copy[i] == 0x7f) {
                copy[i] = ' ';
            }
        }
        text = (const uint8_t *) copy;
    }
    block->headers[block->n++] = (nghttp2_nv) {
        .name = (uint8_t *) (uintptr_t) name.data,
        .namelen = name.size,
        .value = (uint8_t *) (uintptr_t) text,
        .valuelen = value.size,
    };
}
