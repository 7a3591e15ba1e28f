#ifndef NET_CLIENT_PARTS_H
#define NET_CLIENT_PARTS_H 1

/* A client's connection: what client_conn.c, client_conn_http1.c and
 * client_conn_http2.c share. */

#include "net/client_conn.h"

/* Limits of an answer's head. */
#define YL_CLIENT_MAX_HEAD ((size_t) 128 << 10)
#define YL_CLIENT_MAX_HEADERS 256

/* The connection is over, for this reason. */
void yl_client_fail(struct yl_client_conn *, const char *format, ...)
    YL_PRINTF(2, 3);

/* Events of an exchange, unless it is stopped.  A negative result of the
 * owner's stops it. */
void yl_client_head(struct yl_client_exchange *, int version);
void yl_client_data(struct yl_client_exchange *, struct yl_str piece);

/* The method, and whether the request is sent with a length. */
struct yl_str yl_client_method(const struct yl_http_call *);
bool yl_client_has_length(const struct yl_http_call *);

/* Its last event. */
void yl_client_done(struct yl_client_exchange *, int code,
                    const struct yl_error *err);

/* HTTP/2. */
void yl_client_http2_open(struct yl_client_conn *, yl_msec now);
int yl_client_http2_start(struct yl_client_conn *,
                          struct yl_client_exchange *);

/* HTTP/1.1. */
void yl_client_http1_start(struct yl_client_conn *,
                           struct yl_client_exchange *);
void yl_client_http1_receive(struct yl_client_conn *, struct yl_str bytes);
void yl_client_http1_eof(struct yl_client_conn *);

#endif /* net/client_parts.h */
