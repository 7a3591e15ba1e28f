#ifndef NET_HTTP_FETCHER_H
#define NET_HTTP_FETCHER_H 1

/* HTTP fetcher: long answers on a loop, such as watches and streamed lists.
 *
 *     start -> [waits for room] -> a stream of a connection -> head
 *                                                           -> data, data, ...
 *     stop  -> the stream is reset                          -> done
 *
 * Guarantees
 * ==========
 *
 *   - A fetch that was started gets exactly one 'done', the last of its
 *     events, unless it was stopped: then there are no more events at all.  No
 *     event comes from inside yl_http_fetch_start() or yl_http_fetch_stop().
 *
 *   - With HTTP/2 all fetches share one connection, up to the number of
 *     streams that the server allows; then there is a second one, and so on.
 *     With HTTP/1.1 each has one of its own.
 *
 *   - Back-pressure.  The server can send 4 MB on a stream, and 16 MB on a
 *     connection, before data was consumed; with HTTP/1.1 nothing is read
 *     while more than 4 MB is not consumed.
 *
 *   - A connection without a byte for 30 s is sent a PING; if there is no
 *     answer in 15 s, its fetches end with YL_EUNAVAILABLE (HTTP/1.1 relies on
 *     TCP, which takes 90 s).
 *
 *   - A fetch whose connection fails or goes away before the server has looked
 *     at the request (GOAWAY, REFUSED_STREAM) is sent again on another,
 *     without notice, at most three times.
 *
 * Ownership
 * =========
 *
 * What struct yl_http_call points to is copied.  A fetch is freed by its
 * 'done', or by yl_http_fetch_stop().
 *
 * Threads
 * =======
 *
 * All on the loop's thread.  Names are resolved and connections made on short
 * threads of their own, because resolving blocks.
 *
 * Usage
 * =====
 *
 *     fetch = yl_http_fetch_start(fetcher, &call, &events, watch);
 *     ...
 *     static void
 *     on_data(void *watch, struct yl_http_fetch *fetch, struct yl_str piece)
 *     {
 *         decode(watch, piece);
 *         yl_http_fetch_consume(fetch, piece.size);
 *     } */

#include "net/http_client.h"

struct yl_http_fetch;
struct yl_http_fetcher;
struct yl_loop;

/* Options.  Zero means the default. */
struct yl_http_fetcher_opts {
    size_t stream_window;       /* [4 MB] */
    size_t connection_window;   /* [16 MB] */
    size_t max_connections;     /* Fetches beyond that wait [1,000]. */
    yl_msec idle_timeout;       /* Of a connection without fetches
                                 * [90,000]. */
    yl_msec ping_after;         /* [30,000] */
    yl_msec ping_timeout;       /* [15,000] */
};

/* Takes a reference of 'dialer'; 'loop' must outlive the fetcher.  'opts' may
 * be NULL.  0, or YL_EUNAVAILABLE if there is no descriptor left. */
int yl_http_fetcher_new(struct yl_loop *loop, struct yl_http_dialer *dialer,
                        const struct yl_http_fetcher_opts *opts,
                        struct yl_http_fetcher **ret_fetcher,
                        struct yl_error *err);

/* Not from inside an event.  Fetches that still run get 'done' with
 * YL_ECANCELED. */
void yl_http_fetcher_free(struct yl_http_fetcher *);

/* Constant.  Any of them may stop this fetch or others and start new ones. */
struct yl_http_fetch_events {
    void (*head)(void *aux, struct yl_http_fetch *,
                 const struct yl_http_answer *);

    /* Never empty.  Consume it, now or later. */
    void (*data)(void *aux, struct yl_http_fetch *, struct yl_str piece);

    /* 0 after a complete answer; else YL_EUNAVAILABLE, YL_ETIMEOUT,
     * YL_ETOOBIG, YL_EINVALID or YL_ECANCELED, with 'err'. */
    void (*done)(void *aux, struct yl_http_fetch *, int code,
                 const struct yl_error *err);
};

struct yl_http_fetch *yl_http_fetch_start(struct yl_http_fetcher *,
                                          const struct yl_http_call *,
                                          const struct yl_http_fetch_events *,
                                          void *aux);
void yl_http_fetch_stop(struct yl_http_fetch *);

/* 'n' bytes of data were processed; the server may send as many more. */
void yl_http_fetch_consume(struct yl_http_fetch *, size_t n);

struct yl_http_fetcher_stats {
    size_t n_connections;       /* Open ones and those that are being made. */
    size_t n_fetches;           /* That have not ended. */
    size_t n_waiting;           /* Of those, without a connection yet. */
    uint64_t n_dials;           /* Since the start. */
};

void yl_http_fetcher_stats(const struct yl_http_fetcher *,
                           struct yl_http_fetcher_stats *);

#endif /* net/http_fetcher.h */
