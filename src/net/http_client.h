#ifndef NET_HTTP_CLIENT_H
#define NET_HTTP_CLIENT_H 1

/* HTTP client: what its two faces share.
 *
 *     worker -> net/http_pool.h    -\
 *                                   > dialer -> socket, proxy, TLS -> server
 *     loop   -> net/http_fetcher.h -/
 *
 * A pool sends the requests of threads that wait for their answers; a fetcher
 * keeps the long answers of a loop: watches and streamed lists.  Both get
 * their connections from a dialer, which knows how to reach one server.
 *
 * Guarantees
 * ==========
 *
 *   - HTTP/2 or HTTP/1.1, as the server chooses (ALPN).  Without TLS it is
 *     HTTP/1.1, unless 'http2' says otherwise.
 *
 *   - All addresses of a name are tried: IPv6 and IPv4 by turns, the next one
 *     250 ms after the one before or as soon as that has failed.  The first
 *     that answers wins.
 *
 *   - A proxy reaches the server with CONNECT ("http", "https") or SOCKS5
 *     ("socks5", "socks5h"; the proxy resolves the name with both, as in Go).
 *     The server's certificate is checked all the same.
 *
 *   - A connection that was made keeps the certificates it began with.  After
 *     yl_http_dialer_set_tls() no request goes to an older one, except that
 *     answers that are being received go on.
 *
 * Ownership
 * =========
 *
 * A dialer is counted.  Texts of the options are copied.
 *
 * Threads
 * =======
 *
 * Any thread may use a dialer. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/http.h"
#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_cancel;
struct yl_error;
struct yl_tls_client;

/* Connects: 0 and a connected stream socket that the dialer takes, or an
 * error.  'cancel' is set when nobody waits for the result any more; it may be
 * NULL. */
typedef int yl_connect_fn(void *aux, struct yl_cancel *cancel, int *ret_fd,
                          struct yl_error *err);

/* Options.  Zero means the default. */
struct yl_http_dialer_opts {
    const char *host;           /* A name, or an address without brackets. */
    uint16_t port;              /* [443 with TLS, 80 without.] */
    const char *authority;      /* What the server is told to be called
                                 * ["host", or "host:port" if that is not the
                                 * default]. */

    struct yl_tls_client *tls;  /* Taken, even on failure; NULL: no TLS. */
    bool http2;                 /* Without TLS: speak HTTP/2 at once, which the
                                 * server must know ("prior knowledge"). */

    /* "http://user:password@proxy:3128", and https, socks5, socks5h.  Whether
     * one is to be used for this host (NO_PROXY) is up to the caller
     * [None]. */
    const char *proxy;
    struct yl_tls_client *proxy_tls;    /* For https proxies, with 'http1'.
                                         * Taken, even on failure. */

    /* Takes the place of TCP and of the proxy; TLS goes on top.  With
     * 'connect_is_quick' it never waits, and is called on the loop itself;
     * otherwise a fetcher calls it on a thread of its own. */
    yl_connect_fn *connect;
    void *aux;
    bool connect_is_quick;

    yl_msec connect_timeout;    /* Until the connection is there, proxy
                                 * included [30,000], */
    yl_msec tls_timeout;        /* and for the handshake of TLS [10,000]. */
};

struct yl_http_dialer;

/* 0, or YL_EINVALID with what is wrong with the options. */
int yl_http_dialer_new(const struct yl_http_dialer_opts *,
                       struct yl_http_dialer **ret_dialer,
                       struct yl_error *err);
struct yl_http_dialer *yl_http_dialer_ref(struct yl_http_dialer *);
struct yl_http_dialer *yl_http_dialer_unref(struct yl_http_dialer *);

/* New certificates or authorities, for new connections.  Takes 'tls'. */
void yl_http_dialer_set_tls(struct yl_http_dialer *,
                            struct yl_tls_client *tls);

/* A request.  Borrowed until its answer has ended. */
struct yl_http_call {
    struct yl_str method;       /* ["GET"] */
    struct yl_str target;       /* Path and query, escaped. */
    const struct yl_http_header *headers;   /* Names in lower case, without
                                             * those that frame the message. */
    size_t n_headers;
    struct yl_str body;         /* Sent with a content-length if it is not
                                 * null. */

    /* Ceilings of the answer; exceeding one is YL_ETOOBIG. */
    uint64_t max_body;          /* Bytes [no ceiling]. */
    size_t max_head;            /* Bytes [128 KB]. */

    yl_msec timeout;            /* From the beginning to the last byte
                                 * [never]. */

    /* Pools only. */
    struct yl_cancel *cancel;   /* Ends the call with YL_ECANCELED [none]. */
};

/* The head of an answer, lent for the call that gives it. */
struct yl_http_answer {
    int status;                 /* 200 to 999. */
    int version;                /* 11 or 20. */
    const struct yl_http_header *headers;   /* Names in lower case. */
    size_t n_headers;
};

/* The value of a header, null if there is none. */
struct yl_str yl_http_answer_header(const struct yl_http_answer *,
                                    struct yl_str name);

#endif /* net/http_client.h */
