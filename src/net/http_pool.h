#ifndef NET_HTTP_POOL_H
#define NET_HTTP_POOL_H 1

/* HTTP pool: requests of threads that wait for the answer.
 *
 *     worker -> yl_http_call() -> [a connection that is idle, or a new one]
 *     worker <- head, body in pieces <-/
 *
 * Each call has a connection to itself while it runs, so that workers never
 * wait for each other, not even for a lock of OpenSSL's or nghttp2's.
 *
 * Guarantees
 * ==========
 *
 *   - The sink gets the head once and then the body in order; if the call
 *     fails before the head, the sink is never called.
 *
 *   - A connection is used again if the server allows it.  One that turns out
 *     to be closed is replaced without the caller's notice, if the request
 *     cannot have been processed: it was not sent, or the server says that it
 *     has not looked at it (GOAWAY, REFUSED_STREAM), or the method is one that
 *     changes nothing (GET, HEAD, OPTIONS) and no byte of the answer came.
 *
 *   - A server that has gone without a word is noticed, with HTTP/2: after
 *     30 s without a byte it is sent a PING, and must answer in 15 s.
 *
 *   - At most 'max_idle' connections are kept.  One that was idle for
 *     'idle_timeout' is not used again; the next call closes it.
 *
 * Threads
 * =======
 *
 * Any thread may call.  The sink is called on the thread that calls.  The pool
 * must be freed last. */

#include "net/http_client.h"

struct yl_arena;
struct yl_http_pool;

/* Options.  Zero means the default. */
struct yl_http_pool_opts {
    size_t max_idle;            /* [64] */
    yl_msec idle_timeout;       /* [90,000] */
    yl_msec ping_after;         /* Silence before a PING [30,000], */
    yl_msec ping_timeout;       /* and how long its answer may take
                                 * [15,000]. */
};

/* Takes a reference of 'dialer'.  'opts' may be NULL. */
struct yl_http_pool *yl_http_pool_new(struct yl_http_dialer *dialer,
                                      const struct yl_http_pool_opts *opts);
void yl_http_pool_free(struct yl_http_pool *);

/* Receives an answer.  Either may return a negative code, with which the call
 * ends then; the connection is closed in that case. */
struct yl_http_sink {
    int (*head)(void *aux, const struct yl_http_answer *);
    int (*body)(void *aux, struct yl_str piece);    /* Never empty. */
};

/* Sends a request and waits for the end of the answer.  0, whatever the status
 * of the answer is; YL_EUNAVAILABLE if there is no connection or it broke,
 * YL_ETIMEOUT, YL_ECANCELED, YL_ETOOBIG, YL_EINVALID (a method or target that
 * cannot be sent), or what the sink returned. */
int yl_http_call(struct yl_http_pool *, const struct yl_http_call *,
                 const struct yl_http_sink *, void *aux,
                 struct yl_error *err);

/* The same, with the whole answer in 'arena'.  'max_body' must be set. */
struct yl_http_whole {
    struct yl_http_answer answer;
    struct yl_str body;
};

int yl_http_call_whole(struct yl_http_pool *, const struct yl_http_call *,
                       struct yl_arena *arena, struct yl_http_whole *ret_whole,
                       struct yl_error *err);

/* Closes all idle connections, for example because credentials have
 * changed. */
void yl_http_pool_close_idle(struct yl_http_pool *);

/* Since the start, except for the first. */
struct yl_http_pool_stats {
    size_t n_idle;              /* Connections now. */
    uint64_t n_dials;
    uint64_t n_calls;
    uint64_t n_retries;         /* On a new connection, unnoticed. */
};

void yl_http_pool_stats(struct yl_http_pool *, struct yl_http_pool_stats *);

#endif /* net/http_pool.h */
