#ifndef NET_CONN_H
#define NET_CONN_H 1

/* Connections of the server: what server.c, http.c, conn.c and the two
 * protocols share.
 *
 *     readable: transport -> protocol's input -> handler
 *     end of a turn: protocol's produce -> transport's 'out' -> flushed
 *
 * Functions that a handler calls only mark a connection dirty.  Requests and
 * connections end only when the loop flushes the dirty ones, at the end of its
 * turn: everything that a turn has produced is sent with one write, and
 * nothing is freed while a handler still uses it.
 *
 * Whole answers are flushed in the turn in which they are made.  Sources that
 * go on are chores of the loop, flushed one after the other over as many turns
 * as it takes: a request does not wait for a thousand watchers to be served.
 *
 * Buffers belong to a connection only while there is something in them; empty
 * ones go back to their home, so that idle connections hold none.
 *
 * Threads
 * =======
 *
 * A home and its connections belong to one loop.  Struct yl_conn_shared is
 * constant except for its atomics and the budget. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/list.h"
#include "net/budget.h"
#include "net/exchange.h"
#include "net/http.h"
#include "net/http1.h"
#include "net/loop.h"
#include "net/server.h"
#include "net/tls.h"
#include "net/transport.h"

/* Shared by all connections of a server. */
struct yl_conn_shared {
    struct yl_http_server_opts opts;    /* Defaults filled in. */
    struct yl_tls_server *tls;          /* NULL without TLS. */
    struct yl_budget *budget;
    _Atomic size_t n_conns;
    _Atomic bool draining;
    void (*gone)(struct yl_conn_shared *);      /* Called when the last
                                                 * connection has closed, or
                                                 * when a request has ended
                                                 * during a drain. */
};

/* Bytes that a client must read in 'write_timeout'. */
#define YL_MIN_PROGRESS 16384

/* Shared by the connections of a loop. */
struct yl_home {
    struct yl_loop *loop;
    struct yl_conn_shared *shared;
    struct yl_list conns;       /* All connections of the loop. */
    struct yl_list dirty;       /* To be flushed in this turn. */
    struct yl_list bodies;      /* Exchanges whose body was asked for in this
                                 * turn. */

    struct yl_buffers buffers;
    struct yl_list exchanges;   /* Unused ones. */
    size_t n_exchanges;

    int64_t date_second;        /* The second of 'date'. */
    char date[YL_HTTP1_DATE_SIZE];

    /* Counters: written by this loop, read from any thread. */
    _Atomic size_t n_conns;     /* Including those that are being handed
                                 * over. */
    _Atomic size_t n_requests;
    _Atomic size_t n_held;      /* Requests whose memory is in use. */
    _Atomic uint64_t conns_total;
    _Atomic uint64_t requests_total;
    _Atomic uint64_t requests_refused;
    _Atomic uint64_t requests_throttled;
};

int yl_home_init(struct yl_home *, struct yl_conn_shared *,
                 struct yl_error *err);

/* Closes all connections.  The loop must not run any more. */
void yl_home_release(struct yl_home *);

/* Serves 'fd', which it takes.  'identity' is shown in the connection's
 * 'peer'. */
void yl_home_accept(struct yl_home *, int fd, const struct sockaddr *address,
                    bool tls, const void *identity);

/* Tells every connection that the server stops. */
void yl_home_drain(struct yl_home *);
void yl_home_close_all(struct yl_home *);

/* The Date header of now. */
struct yl_str yl_home_date(struct yl_home *);

/* The functions of a protocol. */
struct yl_conn_protocol {
    /* Handles plain bytes that came; consumes all of them. */
    void (*input)(struct yl_conn *, struct yl_str bytes);

    /* The client will send no more. */
    void (*eof)(struct yl_conn *);

    /* Appends to 'out' what can be sent now, while there is room
     * (yl_conn_room()).  Returns true if it stopped because there was no more
     * room. */
    bool (*produce)(struct yl_conn *);

    /* Called when the server begins to stop. */
    void (*drain)(struct yl_conn *);

    /* Handles what is overdue; returns when to call it again, or YL_NEVER. */
    yl_msec (*check)(struct yl_conn *, yl_msec now);

    /* Ends all requests and frees what 'session' points to. */
    void (*free)(struct yl_conn *);

    /* The handler has asked for the body, after its 'request' returned. */
    void (*read_body)(struct yl_exchange *);

    /* Answers; see net/http.h.  'body' is null with a source. */
    void (*respond)(struct yl_exchange *, int status,
                    const struct yl_http_header *headers, size_t n_headers,
                    struct yl_str body, bool lent);
    void (*resume)(struct yl_exchange *);
};

/* Makes 'session' for a connection whose protocol is known now. */
void yl_conn_http1_begin(struct yl_conn *);
void yl_conn_http2_begin(struct yl_conn *);

enum yl_conn_state {
    YL_CONN_OPEN,
    YL_CONN_CLOSING,            /* Closes after everything is sent. */
    YL_CONN_LINGERING,          /* All is sent; waits for the client to close.
                                 * To close at once could reset the connection
                                 * and lose the answer. */
    YL_CONN_DEAD,               /* Is freed at the end of the turn. */
};

struct yl_conn {
    struct yl_loop_fd fd;
    struct yl_loop_timer timer;
    struct yl_home *home;
    struct yl_list node;        /* In the home's 'conns'. */
    struct yl_list dirty;       /* In its 'dirty', or in none. */
    struct yl_loop_chore chore; /* Flushes it later. */
    enum yl_conn_state state;
    bool linger;                /* Unread bytes may come: linger, see above. */
    bool eof;                   /* The client will send no more. */
    bool deaf;                  /* Whether the protocol does not want to read
                                 * now. */
    bool paused;                /* A source waits for its owner's share. */
    struct yl_transport transport;
    const struct yl_conn_protocol *protocol;    /* NULL until the protocol is
                                                 * known. */
    void *session;              /* The protocol's state. */
    char sniffed[4];            /* First bytes, while too few to tell the
                                 * protocol. */
    size_t n_sniffed;

    size_t kept;                /* Bytes that the protocol holds. */
    struct yl_charge charge;    /* For these bytes and the transport's; its
                                 * owner is the last user, or the peer before
                                 * there is one. */
    size_t account;             /* Bytes charged for the connection and its
                                 * requests. */
    struct yl_share *stranger_share;    /* The share of the peer. */
    yl_msec since;              /* When it was accepted; while lingering, when
                                 * all was sent. */
    yl_msec stalled;            /* Since when something is unsent; YL_NEVER
                                 * if nothing is. */
    int64_t n_taken;            /* Bytes that the client had read by then. */

    char address[46];           /* The text of the peer's address. */
    struct yl_arena arena;      /* Holds the certificate's names in 'peer'. */
    struct yl_http_peer peer;
    struct yl_http_peer stranger;   /* The same without its certificate. */
    int64_t not_after;          /* Expiry of the certificate; 0 if there is
                                 * none, negative if it was refused. */
};

/* Has the connection flushed at the end of the turn; or, for sources that go
 * on, as a chore, after those that asked before. */
void yl_conn_touch(struct yl_conn *);
void yl_conn_defer(struct yl_conn *);

/* Flushes it: sends what can be sent, and frees the connection if it is
 * dead. */
void yl_conn_flush(struct yl_conn *);

/* Ends the connection after everything is sent, or at once.  Neither frees
 * anything before the end of the turn. */
void yl_conn_close(struct yl_conn *, bool linger);
void yl_conn_kill(struct yl_conn *);

/* Sets whether the protocol wants to read; at first it does. */
void yl_conn_listen(struct yl_conn *, bool listen);

/* Has the protocol's 'check' called at 'when' or before. */
void yl_conn_check_at(struct yl_conn *, yl_msec when);

/* The transport's 'out', for a caller that is about to append to it. */
struct yl_buf *yl_conn_out(struct yl_conn *);

/* How many bytes 'out' should still take. */
size_t yl_conn_room(const struct yl_conn *);

/* May a source be pulled whose request has that charge?  Not if its owner
 * holds too much already; the connection is flushed again soon. */
bool yl_conn_may_pull(struct yl_conn *, const struct yl_charge *);

/* The peer as of now: without a certificate that has expired, or whose
 * authority is no longer trusted. */
const struct yl_http_peer *yl_conn_peer(struct yl_conn *);

#endif /* net/conn.h */
