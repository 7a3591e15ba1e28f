#ifndef NET_CLIENT_CONN_H
#define NET_CLIENT_CONN_H 1

/* A client's connection: exchanges of requests and answers over a transport.
 *
 *     exchange -> [HTTP/1.1: one at a time | HTTP/2: streams] -> transport
 *     head, data, done <-------------------------------------- transport
 *
 * It is what net/http_pool.h, which waits in poll(), and net/http_fetcher.h,
 * which lives on a loop, have in common.  It waits for nothing and reads no
 * clock: its owner waits for the socket, calls it when there is something to
 * do, and passes the time.
 *
 *     OPENING --handshake--> OPEN --GOAWAY, "connection: close"--> no room
 *        \---------------------\----- broken, silent, malformed --> over
 *
 * Guarantees
 * ==========
 *
 *   - An exchange that was started gets exactly one 'done', its last event, at
 *     the latest in yl_client_conn_release(); 'done' may free it.
 *
 *   - An exchange that was stopped gets no 'head' and no 'data' any more.
 *
 *   - No event comes from inside yl_client_conn_start() or
 *     yl_client_conn_stop().
 *
 *   - The other side cannot send more than the windows allow before data is
 *     consumed.
 *
 * Ownership
 * =========
 *
 * The owner embeds the struct and its exchanges, and lends the options.
 *
 * Threads
 * =======
 *
 * One at a time, the one that owns the struct yl_buffers. */

#include "base/arena.h"
#include "net/http1.h"
#include "net/http2.h"
#include "net/http_client.h"
#include "net/transport.h"
#include "yuloh/error.h"

struct yl_client_conn;
struct yl_client_exchange;

/* A negative result of 'head' or 'data' ends the exchange with that code. */
struct yl_client_events {
    int (*head)(struct yl_client_exchange *, const struct yl_http_answer *);
    int (*data)(struct yl_client_exchange *, struct yl_str piece);
    void (*done)(struct yl_client_exchange *, int code,
                 const struct yl_error *err);
};

/* A request and its answer.  The owner sets the first two to start it. */
struct yl_client_exchange {
    const struct yl_http_call *call;
    const struct yl_client_events *events;

    /* Read them in 'done'. */
    bool heard;                 /* A part of the answer has come. */
    bool unprocessed;           /* The server has certainly not looked at the
                                 * request. */

    /* Private to the connection. */
    struct yl_http2_stream stream;
    struct yl_client_conn *conn;
    size_t n_sent;              /* Bytes of the request's body. */
    uint64_t n_received;        /* Bytes of the answer's body. */
    size_t n_unconsumed;        /* Of these, not consumed yet. */
    struct yl_arena arena;      /* Has the headers. */
    struct yl_http_header *headers;
    size_t n_headers, headers_capacity;
    size_t head_size;
    int status;
    bool has_head;              /* The final head was given to 'head'. */
    bool complete;              /* All of the answer has come. */
    int code;                   /* Why it is stopped, or 0. */
    const char *why;            /* A sentence for that, or NULL. */
};

/* Filled in by the owner; no defaults. */
struct yl_client_conn_opts {
    struct yl_str scheme;       /* "http" or "https". */
    struct yl_str authority;
    bool http2;                 /* Without TLS: HTTP/2 at once. */
    size_t stream_window, connection_window;
    yl_msec tls_timeout;
    yl_msec ping_after, ping_timeout;
};

struct yl_client_conn {
    struct yl_transport transport;
    const struct yl_client_conn_opts *opts;
    struct yl_error err;        /* Why it is over. */
    bool over;
    bool open;                  /* The handshake is complete. */
    bool last;                  /* No other request may follow. */
    yl_msec began;
    yl_msec heard;              /* When the last byte came. */
    yl_msec pinged;             /* When a PING was sent that is not answered,
                                 * or YL_NEVER. */
    size_t n_exchanges;         /* That have not ended. */
    struct yl_http2 *h2;        /* NULL with HTTP/1.1. */

    /* HTTP/1.1. */
    struct yl_http1_reader reader;
    struct yl_client_exchange *exchange;    /* The one that runs, or NULL. */
};

/* Takes what 'dialed' has. */
struct yl_dialed;
void yl_client_conn_init(struct yl_client_conn *, struct yl_buffers *,
                         const struct yl_dialed *dialed,
                         const struct yl_client_conn_opts *, yl_msec now);

/* Closes the connection.  Exchanges that have not ended end with its error, or
 * with YL_ECANCELED if it has none. */
void yl_client_conn_release(struct yl_client_conn *);

/* How many exchanges can be started now: 0 unless it is open.  With HTTP/2 the
 * number may grow when the server's SETTINGS come: until then it is not
 * 'settled'. */
size_t yl_client_conn_room(const struct yl_client_conn *);
bool yl_client_conn_is_settled(const struct yl_client_conn *);

/* 0, or YL_EINVALID or YL_ETOOBIG (64 MB) for a request that cannot be sent,
 * or YL_EUNAVAILABLE if there is no room: no event follows then. */
int yl_client_conn_start(struct yl_client_conn *, struct yl_client_exchange *,
                         struct yl_error *err);

/* Ends an exchange with 'code'; its 'done' follows in a flush or in the
 * release.  An HTTP/1.1 connection is over then.  'why' is constant, or
 * NULL. */
void yl_client_conn_stop(struct yl_client_exchange *, int code,
                         const char *why);

/* 'n' bytes of data were processed.  Flush afterwards. */
void yl_client_conn_consume(struct yl_client_exchange *, size_t n);

/* Reads the socket once and calls events (true if bytes came, so that there
 * may be more); sends what there is to be sent.  Call them when the socket is
 * ready, flush also after all other calls.  Afterwards look at 'over'. */
bool yl_client_conn_receive(struct yl_client_conn *, yl_msec now);
void yl_client_conn_flush(struct yl_client_conn *, yl_msec now);

/* What to wait for: POLLIN and POLLOUT (EPOLLIN and EPOLLOUT are the same),
 * and until when; yl_client_conn_tick() checks what has taken too long. */
uint32_t yl_client_conn_wants(const struct yl_client_conn *);
yl_msec yl_client_conn_next(const struct yl_client_conn *);
void yl_client_conn_tick(struct yl_client_conn *, yl_msec now);

#endif /* net/client_conn.h */
