#ifndef NET_SERVER_H
#define NET_SERVER_H 1

/* HTTP server: listens, and passes requests to a handler.
 *
 *     listener -> least loaded loop -> connection -> net/http.h's handler
 *
 * There is one loop, with a thread of its own, for each core.  HTTP/2 and
 * HTTP/1.1 are spoken on the same port: ALPN chooses in TLS, the client's
 * first bytes without TLS.
 *
 * Guarantees
 * ==========
 *
 *   - Every limit below holds for every client.  A client that exceeds one
 *     gets the answer that is named there, if it still can be answered, and
 *     loses its connection or stream; other clients are not affected.
 *
 *   - Memory is bounded by the budget, the number of connections (some 30 KB
 *     each, 55 KB with HTTP/2) and what is allowed on each.
 *
 *   - The cleartext listener is bound to a loopback address or refused, unless
 *     the options allow others.
 *
 * Ownership
 * =========
 *
 * Strings of the options are copied; handler, aux and clock are borrowed until
 * yl_http_server_free().
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread but the loops' own; with
 * 'manual' from one thread.  yl_http_server_free() comes last.
 *
 * Usage
 * =====
 *
 *     r = yl_http_server_new(&opts, &server, &err);
 *     ...
 *     yl_http_server_drain(server, 10000);
 *     ... stop whatever posts to the loops ...
 *     yl_http_server_free(server); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/tls.h"
#include "yuloh/clock.h"

struct yl_error;
struct yl_http_handler;
struct yl_http_server;

/* Options.  Zero means the default. */
struct yl_http_server_opts {
    const struct yl_http_handler *handler;
    void *aux;                  /* For the handler. */
    struct yl_clock *clock;     /* [The monotonic one.] */

    /* "127.0.0.1:6443", "[::]:6443", ":6443" (every address); port 0 lets
     * the system choose.  NULL: none. */
    const char *listen;         /* With TLS. */
    const char *listen_clear;   /* Without TLS; loopback only, */
    bool clear_anywhere;        /* except with this: for health and metrics,
                                 * which are no secrets. */
    struct yl_tls_files tls;    /* Needed for 'listen'. */

    unsigned n_loops;           /* [One for each core.] */
    bool manual;                /* No threads: the caller calls
                                 * yl_http_server_turn(). */

    /* Limits of connections.  One connection more is closed at once. */
    size_t max_connections;     /* [20,000] */
    size_t max_streams;         /* HTTP/2 streams on a connection at once; one
                                 * more is refused [1,024]. */
    size_t max_resets;          /* Streams that a client may reset in a second,
                                 * in the long run; twice 'max_streams' at
                                 * once.  GOAWAY for more [200]. */

    /* Limits of requests. */
    size_t max_target;          /* Bytes of path and query; 414 [64 KB]. */
    size_t max_head;            /* Bytes of a request's head; 431 [128 KB]. */
    size_t max_headers;         /* Number of headers; 431 [256]. */
    size_t max_body;            /* Bytes; 413 [3 MB]. */

    /* Bytes of heads, bodies, unsent answers and what handlers charge, of all
     * connections together; 429.  net/budget.h says how much of it each client
     * may hold.  A stranger who does not read his answers while strangers hold
     * all that they may loses his connection [256 MB]. */
    size_t budget;

    /* Times, in milliseconds. */
    yl_msec head_timeout;       /* For the handshake and a request's head; 408
                                 * if a part of it came [32,000]. */
    yl_msec body_timeout;       /* For a request's body; 408 [60,000]. */
    yl_msec write_timeout;      /* A client that reads less than 16 KB of what
                                 * it was sent, and not all of it, in this time
                                 * is dropped [30,000]. */
    yl_msec idle_timeout;       /* Between requests [180,000]. */
};

/* Sets the defaults of members that are zero. */
void yl_http_server_set_defaults(struct yl_http_server_opts *);

/* Listens and serves.  0, YL_EINVALID (options, certificates) or
 * YL_EUNAVAILABLE (address in use, no loop left). */
int yl_http_server_new(const struct yl_http_server_opts *,
                       struct yl_http_server **ret_server,
                       struct yl_error *err);

/* Stops at once: ends all running requests, runs what was posted to the loops,
 * and joins the threads. */
void yl_http_server_free(struct yl_http_server *);

/* The ports that were bound; 0 if there is no such listener. */
uint16_t yl_http_server_port(const struct yl_http_server *);
uint16_t yl_http_server_clear_port(const struct yl_http_server *);

/* Reads certificates, key and authorities again, for new connections.  0, or
 * YL_EINVALID: the old ones stay in use. */
int yl_http_server_reload(struct yl_http_server *, struct yl_error *err);

/* Stops listening, ends connections that are idle, tells the others to close
 * after their running requests, and pulls sources that wait.  Returns at
 * once. */
void yl_http_server_begin_drain(struct yl_http_server *);

/* The same, and waits until all connections have ended and no request is held
 * (yl_http_hold()), for 'limit' at most; requests that still run then are cut
 * off, and those that are held get 5 seconds more.  True if nothing was cut
 * off: then no request needs the loops any more.  The loops go on until
 * yl_http_server_free(), for other code that posts to them.  Not with
 * 'manual'. */
bool yl_http_server_drain(struct yl_http_server *, yl_msec limit);

/* The state at this moment, and counts since the start. */
struct yl_http_server_stats {
    size_t n_connections;
    size_t n_requests;          /* Requests that have not ended. */
    size_t budget_used;         /* Bytes. */
    size_t budget_strangers;    /* Of these, charged to unauthenticated
                                 * requests. */
    size_t budget;
    uint64_t connections_total;
    uint64_t connections_refused;       /* Because there were too many. */
    uint64_t requests_total;
    uint64_t requests_refused;  /* By a limit, not by the handler. */
    uint64_t requests_throttled;        /* Of those, by the budget. */
};

void yl_http_server_stats(const struct yl_http_server *,
                          struct yl_http_server_stats *);

/* Makes a connection to the server from within the process, as if it came from
 * 127.0.0.1; with TLS or without.  'identity', whose meaning is up to the
 * handler, is borrowed until the connection has ended: it is in the peer of
 * its requests, so that the handler knows whom they act as.  NULL for none.
 * With an identity, 'max_connections' does not hold.  '*ret_fd' is a blocking
 * socket that the caller owns.  0 or YL_EUNAVAILABLE. */
int yl_http_server_connect(struct yl_http_server *, bool tls,
                           const void *identity, int *ret_fd,
                           struct yl_error *err);

/* One turn of every loop of a server with 'manual'; waits for something to do
 * if 'wait' (on the first loop only). */
void yl_http_server_turn(struct yl_http_server *, bool wait);

#endif /* net/server.h */
