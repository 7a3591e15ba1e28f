#ifndef NET_FETCHER_PARTS_H
#define NET_FETCHER_PARTS_H 1

/* HTTP fetcher: what its files share.
 *
 *     http_fetcher.c        fetches: start, stop, which connection takes which
 *     http_fetcher_conn.c   connections on the loop
 *     http_fetcher_dial.c   how they are made, on threads */

#include "base/list.h"
#include "base/thread.h"
#include "net/client_conn.h"
#include "net/dialer.h"
#include "net/http_fetcher.h"
#include "net/loop.h"

/* Connections that are made at the same time, if each fetch needs one. */
#define YL_FETCHER_DIALS 8

struct yl_fetcher_conn {
    struct yl_list node;        /* In the fetcher's 'conns'. */
    struct yl_http_fetcher *fetcher;
    struct yl_client_conn conn;
    struct yl_loop_fd fd;
    struct yl_loop_timer timer; /* When it has waited too long. */
    struct yl_loop_chore chore; /* Flushes it. */
    uint64_t generation;        /* Of its certificates. */
    yl_msec idle_since;         /* Meaningful without exchanges. */
    bool used;                  /* It has carried a fetch. */
};

struct yl_http_fetch {
    struct yl_client_exchange exchange;
    struct yl_http_call call;   /* What it points to is in 'copies'. */
    char *copies;
    struct yl_http_fetcher *fetcher;
    struct yl_list node;        /* In the fetcher's 'waiting'. */
    struct yl_fetcher_conn *conn;       /* NULL while it waits. */
    const struct yl_http_fetch_events *events;
    void *aux;
    struct yl_loop_timer timer; /* For 'call.timeout'. */
    int n_tries;
    bool stopped;               /* No more events. */
};

struct yl_http_fetcher {
    struct yl_loop *loop;
    struct yl_http_dialer *dialer;
    struct yl_client_conn_opts conn_opts;
    size_t max_connections;
    yl_msec idle_timeout;
    struct yl_buffers buffers;
    struct yl_list conns;       /* struct yl_fetcher_conn, oldest first. */
    size_t n_conns;
    struct yl_list waiting;     /* struct yl_http_fetch, oldest first. */
    size_t n_waiting, n_fetches;
    struct yl_loop_chore assign;        /* Gives connections to those that
                                         * wait. */
    bool http1;                 /* The server speaks HTTP/1.1 only, as far as
                                 * we know. */
    bool closing;

    /* Dials. */
    struct yl_cancel *cancel;
    struct yl_loop_fd wake;     /* An eventfd: a dial has ended. */
    size_t n_dialing;
    uint64_t n_dials;
    struct yl_mutex lock;
    struct yl_list finished YL_GUARDED; /* Dials that have ended. */
};

/* Makes a connection.  yl_fetcher_add() or yl_fetcher_dial_failed() follows,
 * later or, if the dialer never waits, at once. */
int yl_fetcher_dial_init(struct yl_http_fetcher *, struct yl_error *err);
void yl_fetcher_dial(struct yl_http_fetcher *);

/* Cancels all dials and waits for their threads. */
void yl_fetcher_dial_release(struct yl_http_fetcher *);

/* No connection could be made. */
void yl_fetcher_dial_failed(struct yl_http_fetcher *, int code,
                            const struct yl_error *err);

/* Puts a connection on the loop; ends one, and all that runs on it. */
void yl_fetcher_add(struct yl_http_fetcher *, struct yl_dialed *);
void yl_fetcher_drop(struct yl_fetcher_conn *);

/* Flushes a connection, later in this turn. */
void yl_fetcher_flush_soon(struct yl_fetcher_conn *);

/* How many more fetches it takes: none, if its certificates are old. */
size_t yl_fetcher_room(const struct yl_fetcher_conn *);

#endif /* net/fetcher_parts.h */
