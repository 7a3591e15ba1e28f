#ifndef NET_DIALER_H
#define NET_DIALER_H 1

/* Dialer: what pools and fetchers need of it.  See net/http_client.h for the
 * contract. */

#include "net/http_client.h"

struct yl_tls;

/* A connection to a server, or to a proxy that has connected to it. */
struct yl_dialed {
    int fd;                     /* Non-blocking. */
    struct yl_tls *tls;         /* For the server; its handshake has not begun.
                                 * NULL without TLS. */
    struct yl_tls *tunnel;      /* Of an https proxy, open; around all else.
                                 * NULL without one. */
    uint64_t generation;        /* Of the certificates. */
};

/* Connects, and blocks until that is done: 0, or YL_EUNAVAILABLE, YL_ETIMEOUT
 * (also at 'deadline'), YL_ECANCELED, or the connect hook's error. */
int yl_http_dial(struct yl_http_dialer *, yl_msec deadline,
                 struct yl_cancel *cancel, struct yl_dialed *ret_dialed,
                 struct yl_error *err);

/* Closes a connection that nobody uses. */
void yl_dialed_release(struct yl_dialed *);

/* Grows with each yl_http_dialer_set_tls(). */
uint64_t yl_http_dialer_generation(struct yl_http_dialer *);

/* Constant for its life. */
struct yl_str yl_http_dialer_authority(const struct yl_http_dialer *);
bool yl_http_dialer_has_tls(const struct yl_http_dialer *);
bool yl_http_dialer_is_http2(const struct yl_http_dialer *);
bool yl_http_dialer_is_quick(const struct yl_http_dialer *);
yl_msec yl_http_dialer_tls_timeout(const struct yl_http_dialer *);

#endif /* net/dialer.h */
