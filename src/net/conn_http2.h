#ifndef NET_CONN_HTTP2_H
#define NET_CONN_HTTP2_H 1

/* HTTP/2 on a connection: what conn_http2.c (requests) and conn_http2_answer.c
 * (answers) share.  Nothing else sees nghttp2. */

#include <nghttp2/nghttp2.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/list.h"
#include "net/exchange.h"
#include "net/http.h"
#include "yuloh/clock.h"

/* A connection's session. */
struct yl_http2 {
    nghttp2_session *session;
    struct yl_list streams;     /* Exchanges, oldest first. */
    size_t n_streams;
    size_t n_paused;            /* Of these, with 'paused'. */
    struct yl_exchange *heading;    /* Whose head is not complete, or NULL. */
    int32_t reset_id;           /* The stream that the client reset last. */
    yl_msec since;              /* When the last stream ended. */
    size_t n_resets;            /* That are still allowed. */
    yl_msec refilled;           /* When 'n_resets' was right. */
};

/* Of struct yl_conn_protocol. */
void yl_http2_respond(struct yl_exchange *, int status,
                      const struct yl_http_header *, size_t n_headers,
                      struct yl_str body, bool lent);
void yl_http2_resume(struct yl_exchange *);

/* Lets sources that wait for a share try again. */
void yl_http2_unpause(struct yl_http2 *);

/* Callbacks of nghttp2. */
ssize_t yl_http2_on_send(nghttp2_session *, const uint8_t *data, size_t size,
                         int flags, void *conn);
int yl_http2_send_body(nghttp2_session *, nghttp2_frame *,
                       const uint8_t *head, size_t length,
                       nghttp2_data_source *, void *conn);

#endif /* net/conn_http2.h */
