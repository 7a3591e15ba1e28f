#ifndef NET_HTTP2_PARTS_H
#define NET_HTTP2_PARTS_H 1

/* HTTP/2: what http2.c (receiving) and http2_send.c (sending) share.  Nothing
 * else includes nghttp2. */

#include <nghttp2/nghttp2.h>
#include <sys/types.h>

#include "net/http2.h"

struct yl_http2 {
    nghttp2_session *session;
    const struct yl_http2_events *events;
    void *aux;
    enum yl_http2_role role;
    struct yl_list streams;     /* Oldest first. */
    size_t n_streams;
    yl_msec now;                /* As of the running call. */
    bool settled;               /* The other side's SETTINGS have come. */

    /* Limits. */
    size_t max_streams, max_resets, max_head;
    size_t n_resets;            /* Resets that are still allowed. */
    yl_msec refilled;           /* When 'n_resets' was last raised. */
    int32_t reset_id;           /* The last stream that the other side
                                 * reset. */

    /* The head that is being received; there is one at a time. */
    size_t head_size;           /* Bytes so far. */
    bool in_trailers;           /* It is trailers, not a head. */

    /* For yl_http2_produce(). */
    struct yl_buf *out;
    size_t end;                 /* Where 'out' should end. */
};

/* Callbacks of nghttp2. */
ssize_t yl_http2_on_send(nghttp2_session *, const uint8_t *data, size_t size,
                         int flags, void *h2);
int yl_http2_send_data(nghttp2_session *, nghttp2_frame *, const uint8_t *head,
                       size_t length, nghttp2_data_source *, void *h2);

#endif /* net/http2_parts.h */
