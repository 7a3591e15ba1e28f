#ifndef TESTS_HTTP2_RIG_H
#define TESTS_HTTP2_RIG_H 1

/* An HTTP/2 client, made with nghttp2, for tests of src/net.
 *
 *     c = dial(65535);
 *     assert_int_equal(ask(c, "GET", "/", NULL)->status, 200);
 *     hang_up(c);
 *
 * It sends and reads when talk() is called, and gives streams the window that
 * it was created with; a window of 0 stays closed unless a test opens it. */

#include <nghttp2/nghttp2.h>

#include "http_rig.h"

#define MAX_STREAM 8192

struct answer {
    int status;
    char length[24];            /* The header, if there is one. */
    struct yl_buf body;
    bool ended;                 /* With END_STREAM. */
    bool closed;
    uint32_t error;
};

/* A client; stream ids index its answers. */
struct client {
    int fd;
    const char *user;           /* User of the next requests; NULL: none. */
    nghttp2_session *h2;
    struct answer answers[MAX_STREAM];
    bool continued;             /* A 100 came. */
    bool goaway;
    uint32_t goaway_error;
    bool closed;
};

static inline int
on_header(nghttp2_session *h2 YL_UNUSED, const nghttp2_frame *frame,
          const uint8_t *name, size_t name_size YL_UNUSED,
          const uint8_t *value, size_t value_size YL_UNUSED,
          uint8_t flags YL_UNUSED, void *aux)
{
    struct client *c = aux;
    struct answer *answer = &c->answers[frame->hd.stream_id];

    if (strcmp((const char *) name, ":status") == 0) {
        if (strcmp((const char *) value, "100") == 0) {
            c->continued = true;
        } else {
            answer->status = (int) strtol((const char *) value, NULL, 10);
        }
    } else if (strcmp((const char *) name, "content-length") == 0) {
        snprintf(answer->length, sizeof answer->length, "%s", value);
    }
    return 0;
}

static inline int
on_data(nghttp2_session *h2 YL_UNUSED, uint8_t flags YL_UNUSED, int32_t id,
        const uint8_t *data, size_t size, void *aux)
{
    yl_buf_append(&((struct client *) aux)->answers[id].body, data, size);
    return 0;
}

static inline int
on_frame(nghttp2_session *h2 YL_UNUSED, const nghttp2_frame *frame, void *aux)
{
    struct client *c = aux;

    if (frame->hd.type == NGHTTP2_GOAWAY) {
        c->goaway = true;
        c->goaway_error = frame->goaway.error_code;
    } else if ((frame->hd.type == NGHTTP2_HEADERS
                || frame->hd.type == NGHTTP2_DATA)
               && frame->hd.flags & NGHTTP2_FLAG_END_STREAM) {
        c->answers[frame->hd.stream_id].ended = true;
    }
    return 0;
}

static inline int
on_close(nghttp2_session *h2 YL_UNUSED, int32_t id, uint32_t error, void *aux)
{
    struct client *c = aux;

    c->answers[id].closed = true;
    c->answers[id].error = error;
    return 0;
}

/* Sends what the client has to send and reads from the server until both have
 * nothing more. */
static inline void
talk(struct client *c)
{
    struct yl_buf in;
    const uint8_t *data;
    ssize_t n;

    yl_buf_init(&in, 64 << 20);
    for (int quiet = 0; quiet < 2 && !c->closed; quiet++) {
        yl_buf_clear(&in);
        while ((n = nghttp2_session_mem_send(c->h2, &data)) > 0) {
            yl_buf_append(&in, data, (size_t) n);
            quiet = 0;
        }
        rig_say(c->fd, yl_buf_str(&in));
        yl_buf_clear(&in);
        c->closed = rig_hear(c->fd, &in);
        if (in.size) {
            assert_int_equal(nghttp2_session_mem_recv(
                c->h2, (const uint8_t *) in.data, in.size), in.size);
            quiet = 0;
        }
    }
    yl_buf_release(&in);
}

static inline struct client *
dial(uint32_t window)
{
    struct client *c = calloc(1, sizeof *c);
    nghttp2_session_callbacks *callbacks;
    nghttp2_settings_entry settings[] = {
        { NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window },
        { NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
    };
    nghttp2_option *option;

    for (int i = 0; i < MAX_STREAM; i++) {
        yl_buf_init(&c->answers[i].body, 64 << 20);
    }
    c->fd = rig_dial(false);
    nghttp2_option_new(&option);
    nghttp2_option_set_no_http_messaging(option, 1);
    nghttp2_option_set_no_auto_window_update(option, window == 0);
    nghttp2_option_set_max_send_header_block_length(option, 16 << 20);
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks,
                                                              on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks,
                                                           on_close);
    nghttp2_session_client_new2(&c->h2, callbacks, c, option);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_option_del(option);
    nghttp2_submit_settings(c->h2, NGHTTP2_FLAG_NONE, settings, 2);
    nghttp2_session_set_local_window_size(c->h2, NGHTTP2_FLAG_NONE, 0,
                                          64 << 20);
    talk(c);
    return c;
}

static inline void
hang_up(struct client *c)
{
    for (int i = 0; i < MAX_STREAM; i++) {
        yl_buf_release(&c->answers[i].body);
    }
    nghttp2_session_del(c->h2);
    close(c->fd);
    free(c);
}

#define NV(NAME, VALUE) \
    { (uint8_t *) NAME, (uint8_t *) (uintptr_t) (VALUE), strlen(NAME), \
      strlen(VALUE), NGHTTP2_NV_FLAG_NONE }

/* A request's body: a part of it; the rest may never be sent. */
struct upload {
    struct yl_str bytes;
    bool stuck;
};

static inline ssize_t
read_upload(nghttp2_session *h2 YL_UNUSED, int32_t id YL_UNUSED, uint8_t *buf,
            size_t length, uint32_t *flags, nghttp2_data_source *source,
            void *aux YL_UNUSED)
{
    struct upload *upload = source->ptr;
    size_t n = upload->bytes.size < length ? upload->bytes.size : length;

    if (!n && upload->stuck) {
        return NGHTTP2_ERR_DEFERRED;
    }
    memcpy(buf, upload->bytes.data, n);
    upload->bytes = yl_str_skip(upload->bytes, n);
    if (!upload->bytes.size && !upload->stuck) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
    }
    return (ssize_t) n;
}

static inline int32_t
start(struct client *c, const char *method, const char *path,
      struct upload *upload)
{
    nghttp2_nv nva[] = {
        NV(":method", method), NV(":scheme", "http"), NV(":path", path),
        NV(":authority", "h"), NV("user", c->user ? c->user : ""),
    };
    nghttp2_data_provider provider = { { .ptr = upload }, read_upload };

    return nghttp2_submit_request(c->h2, NULL, nva, c->user ? 5 : 4,
                                  upload ? &provider : NULL, NULL);
}

static inline const struct answer *
ask(struct client *c, const char *method, const char *path,
    struct upload *upload)
{
    int32_t id = start(c, method, path, upload);

    assert_true(id > 0);
    talk(c);
    return &c->answers[id];
}

#endif /* tests/http2_rig.h */
