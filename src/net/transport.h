#ifndef NET_TRANSPORT_H
#define NET_TRANSPORT_H 1

/* Transport: a socket, with or without TLS, and the bytes that wait to be
 * sent.  For both ends of a connection.
 *
 *     socket -> [TLS] -> yl_transport_receive() -> HTTP
 *     socket <- [TLS] <- yl_transport_flush() <- 'out' <- HTTP
 *
 * It knows neither a loop nor a clock: its user waits for the socket and calls
 * it when there is something to do.  Nothing here blocks.  If the socket leads
 * to a proxy that itself speaks TLS, all of this goes through a tunnel: TLS
 * inside of TLS.
 *
 * Guarantees
 * ==========
 *
 *   - What is in 'out' leaves in records of up to 16 KB and with as few
 *     system calls as the socket allows.
 *
 *   - A transport with nothing to send holds no buffers: they are lent by a
 *     struct yl_buffers, which keeps a few.
 *
 *   - No write raises SIGPIPE.
 *
 * Ownership
 * =========
 *
 * A transport owns its descriptor and its struct yl_tls.  Received bytes are
 * valid until the next receive with the same buffers.
 *
 * Threads
 * =======
 *
 * A struct yl_buffers and all transports that use it belong to one thread.
 *
 * Usage
 * =====
 *
 *     yl_transport_init(&t, &buffers, fd, yl_tls_connect(client, host));
 *     yl_transport_begin(&t);
 *     yl_buf_append_c(yl_transport_out(&t), "GET / HTTP/1.1\r\n...");
 *     yl_transport_flush(&t);
 *     ... when the socket is ready ...
 *     switch (yl_transport_receive(&t, &bytes)) { ... }
 *     yl_transport_flush(&t);     -- handshakes answer
 *     ...
 *     yl_transport_release(&t); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_tls;

/* The ceiling of a connection's buffer: an object may be larger than a piece
 * of an answer, but nothing is as large as this. */
#define YL_OUT_CEILING ((size_t) 256 << 20)

#define YL_MAX_SPARES 8

/* Buffers for the transports of one thread. */
struct yl_buffers {
    char *received;             /* Target of a socket's read. */
    struct yl_buf plain;        /* The same, decrypted. */
    struct yl_buf spares[YL_MAX_SPARES];    /* Empty ones. */
    size_t n_spares;
};

void yl_buffers_init(struct yl_buffers *);
void yl_buffers_release(struct yl_buffers *);

/* Gives an empty buffer memory that was used before; the other function takes
 * it back. */
struct yl_buf *yl_buffers_borrow(struct yl_buffers *, struct yl_buf *);
void yl_buffers_give_back(struct yl_buffers *, struct yl_buf *);

/* The TLS of a proxy, around everything. */
struct yl_tunnel {
    struct yl_tls *tls;         /* Open. */
    struct yl_buf plain;        /* What the last receive decrypted. */
    struct yl_buf wire;         /* What is to be sent, encrypted. */
};

struct yl_transport {
    int fd;
    struct yl_buffers *buffers;
    struct yl_tls *tls;         /* NULL without TLS. */
    struct yl_tunnel *tunnel;   /* NULL without one. */
    struct yl_buf out;          /* Plain bytes. */
    struct yl_buf wire;         /* With TLS: the same, encrypted. */
    size_t sent;                /* Bytes that the socket has accepted of the
                                 * last of 'out', 'wire' and the tunnel's
                                 * 'wire' that there is. */
    int64_t n_sent;             /* Bytes that it has accepted since the
                                 * beginning. */
};

/* Takes 'fd' and 'tls' (which may be NULL). */
void yl_transport_init(struct yl_transport *, struct yl_buffers *, int fd,
                       struct yl_tls *tls);
void yl_transport_release(struct yl_transport *);

/* Sends everything through 'tls', whose handshake is complete.  Takes it.
 * Call it before anything is sent. */
void yl_transport_set_tunnel(struct yl_transport *, struct yl_tls *tls);

/* Like a release, but '*ret_fd' and '*ret_tls' become the caller's. */
void yl_transport_detach(struct yl_transport *, int *ret_fd,
                         struct yl_tls **ret_tls);

/* Begins a client's handshake; does nothing without TLS. */
void yl_transport_begin(struct yl_transport *);

/* Whether plain bytes can go both ways: at once without TLS, after the
 * handshake with it.  Bytes that are in 'out' before that wait. */
bool yl_transport_is_open(const struct yl_transport *);

enum yl_transport_result {
    YL_TRANSPORT_OK,            /* There may be more later. */
    YL_TRANSPORT_EOF,           /* The other side sends no more. */
    YL_TRANSPORT_FAILED,        /* TLS has failed (yl_tls_failure()): flush and
                                 * close. */
    YL_TRANSPORT_BROKEN,        /* The socket has failed. */
};

/* Reads the socket once.  Whatever the result, '*ret_bytes' is what came,
 * perhaps nothing. */
enum yl_transport_result yl_transport_receive(struct yl_transport *,
                                              struct yl_str *ret_bytes);

/* The buffer to append to what is to be sent. */
struct yl_buf *yl_transport_out(struct yl_transport *);

/* Sends what the socket accepts: true, or false if it is broken. */
bool yl_transport_flush(struct yl_transport *);

/* Sends close_notify of TLS, after all that is in 'out'.  Flush it. */
void yl_transport_close(struct yl_transport *);

/* The buffer from which the socket is fed. */
static inline const struct yl_buf *
yl_transport_last(const struct yl_transport *t)
{
    return t->tunnel ? &t->tunnel->wire : t->tls ? &t->wire : &t->out;
}

/* Bytes that the socket has not accepted. */
static inline size_t
yl_transport_backlog(const struct yl_transport *t)
{
    return t->out.size + t->wire.size - t->sent
           + (t->tunnel ? t->tunnel->wire.size : 0);
}

/* Whether to wait until the socket can accept more. */
static inline bool
yl_transport_is_blocked(const struct yl_transport *t)
{
    return yl_transport_last(t)->size > t->sent;
}

/* Memory that it holds for bytes to be sent. */
static inline size_t
yl_transport_held(const struct yl_transport *t)
{
    return t->out.capacity + t->wire.capacity;
}

/* Bytes that the other side has acknowledged since the beginning.  The socket
 * becomes writable only when much of its buffer is free: by that a slow reader
 * would look like one that does not read. */
int64_t yl_transport_taken(const struct yl_transport *);

/* For TCP sockets: no delay for small writes; a peer whose machine is gone is
 * detected in about 90 seconds.  Does nothing to others. */
void yl_transport_set_options(int fd);

#endif /* net/transport.h */
