#ifndef NET_CONN_HTTP2_H
#define NET_CONN_HTTP2_H 1

/* HTTP/2 on a connection: what conn_http2.c (requests) and conn_http2_answer.c
 * (answers) share. */

#include <stddef.h>

#include "net/exchange.h"
#include "net/http.h"
#include "net/http2.h"
#include "yuloh/clock.h"

/* A connection's session. */
struct yl_conn_http2 {
    struct yl_http2 *h2;
    struct yl_exchange *heading;    /* The exchange whose head is not complete,
                                     * or NULL. */
    size_t n_paused;            /* Exchanges with 'paused'. */
    yl_msec since;              /* When the last stream ended. */
};

/* Of struct yl_conn_protocol. */
void yl_conn_http2_respond(struct yl_exchange *, int status,
                           const struct yl_http_header *, size_t n_headers,
                           struct yl_str body, bool lent);
void yl_conn_http2_resume(struct yl_exchange *);

/* Lets sources that wait for their owner's share try again. */
void yl_conn_http2_unpause(struct yl_conn_http2 *);

/* Of struct yl_http2_events. */
ptrdiff_t yl_conn_http2_ready(void *conn, struct yl_http2_stream *,
                              size_t max, bool *ret_last);
void yl_conn_http2_append(void *conn, struct yl_http2_stream *,
                          struct yl_buf *out, size_t n);

#endif /* net/conn_http2.h */
