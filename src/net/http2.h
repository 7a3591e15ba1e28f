#ifndef NET_HTTP2_H
#define NET_HTTP2_H 1

/* HTTP/2 as a pure machine, for both ends: bytes in, events out; heads and
 * bodies in, bytes out.
 *
 *     bytes of a socket -> [receive] -> open, header, head, data, end, close
 *     bytes for a socket <- [produce] <- respond, request, and bodies that are
 *                                        asked for when a window takes them
 *
 * It knows no socket and no clock: 'now' is an argument where time matters.
 * nghttp2 parses and makes frames; nothing outside of this header's files uses
 * it.  What it does not limit is limited here: bytes of heads, resets, frames
 * that wait to be sent.  How long a stream may take is up to the caller.
 *
 * Guarantees
 * ==========
 *
 *   - A stream that was opened, by the other side ('open') or by us
 *     (yl_http2_request()), gets exactly one 'close', at the latest in
 *     yl_http2_free(), and no event after it.
 *
 *   - Before that, in this order: headers and 'head' (for a client perhaps
 *     several heads, those of 1xx first), 'data', 'end'.  Malformed messages
 *     cause none of these events; trailers are dropped.
 *
 *   - Well-formed messages cause the same events, however their bytes are
 *     divided among the calls; only a body may come in other pieces.
 *
 *   - The other side can send no more than its windows allow: they grow only
 *     by what is consumed.
 *
 *   - A head that is 16 times larger than 'max_head', a flood of CONTINUATION,
 *     PING or SETTINGS, and provoked answers that are never read end the
 *     connection.  A client that resets streams too often, or provokes resets,
 *     gets a GOAWAY (ENHANCE_YOUR_CALM).
 *
 *   - Bodies are not copied on the way from the caller's memory to 'out'.
 *
 * Ownership
 * =========
 *
 * The caller owns a struct yl_http2_stream, which must stay until its 'close'.
 * Texts in events are lent for the call; headers that are sent are copied.
 *
 * Threads
 * =======
 *
 * A machine belongs to one thread at a time.
 *
 * Usage
 * =====
 *
 *     h2 = yl_http2_new(YL_HTTP2_CLIENT, &opts, &events, aux, now);
 *     yl_http2_request(h2, &stream, &request);
 *     for (;;) {
 *         more = yl_http2_produce(h2, out, 65536, now);
 *         ... send 'out'; read the socket ...
 *         yl_http2_receive(h2, bytes, now);
 *         if (yl_http2_is_over(h2)) {
 *             break;
 *         }
 *     }
 *     yl_http2_free(h2); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/list.h"
#include "net/http.h"
#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_http2;

/* The codes that end a stream or a connection, as far as they are used. */
enum yl_http2_error {
    YL_HTTP2_NO_ERROR = 0,
    YL_HTTP2_PROTOCOL_ERROR = 1,
    YL_HTTP2_INTERNAL_ERROR = 2,
    YL_HTTP2_REFUSED_STREAM = 7,        /* The request was not processed: try
                                         * again. */
    YL_HTTP2_CANCEL = 8,
    YL_HTTP2_ENHANCE_YOUR_CALM = 11,
};

enum yl_http2_role {
    YL_HTTP2_SERVER,
    YL_HTTP2_CLIENT,
};

/* Zero means the default. */
struct yl_http2_opts {
    size_t max_streams;         /* Streams that a client may have at once
                                 * [1,024]. */
    size_t max_resets;          /* Streams that may be reset in a second, in
                                 * the long run; twice 'max_streams' at once
                                 * [200]. */
    size_t max_head;            /* The limit that the other side is told [128
                                 * KB]. */
    size_t stream_window;       /* Bytes that the other side may send on a
                                 * stream [256 KB] */
    size_t connection_window;   /* and on all streams, before any byte is
                                 * consumed [4 MB]. */
};

/* A request and its answer. */
struct yl_http2_stream {
    struct yl_list node;        /* In the machine's 'streams'. */
    int32_t id;                 /* Positive. */
};

/* Results of 'ready' other than a number of bytes. */
#define YL_HTTP2_WAIT (-1)      /* yl_http2_resume() follows. */
#define YL_HTTP2_ABORT (-2)     /* The stream is reset, so that the body does
                                 * not look complete. */

/* Callbacks.  Constant.  None of them may free the machine. */
struct yl_http2_events {
    /* Servers only: a client begins a request. */
    struct yl_http2_stream *(*open)(void *aux);

    /* A header of a head; a name with a colon in front is a pseudo header. */
    void (*header)(void *aux, struct yl_http2_stream *, struct yl_str name,
                   struct yl_str value);

    /* The head is complete; 'last' if nothing follows it. */
    void (*head)(void *aux, struct yl_http2_stream *, bool last);

    /* A piece of the body.  The windows do not grow before it is consumed.
     * Nothing follows the 'last' one. */
    void (*data)(void *aux, struct yl_http2_stream *, struct yl_str piece,
                 bool last);

    /* The other side has sent everything.  Not called after a last 'head'. */
    void (*end)(void *aux, struct yl_http2_stream *);

    /* Returns how many bytes of our body there are now, at most 'max' (more
     * than 0), and sets '*ret_last' (false before) if they are the last.  0
     * bytes only with the last. */
    ptrdiff_t (*ready)(void *aux, struct yl_http2_stream *, size_t max,
                       bool *ret_last);

    /* Appends that many bytes of the body.  Follows 'ready' unless that
     * waits. */
    void (*append)(void *aux, struct yl_http2_stream *, struct yl_buf *out,
                   size_t n);

    /* The stream is over, without an error or with one. */
    void (*close)(void *aux, struct yl_http2_stream *, uint32_t error);

    /* The other side goes away.  Streams of ours above 'last_id' were not
     * processed; they are closed with REFUSED_STREAM.  May be NULL. */
    void (*goaway)(void *aux, int32_t last_id, uint32_t error);

    /* The answer to yl_http2_ping().  May be NULL. */
    void (*pong)(void *aux);
};

/* 'events' and 'aux' are lent until yl_http2_free(). */
struct yl_http2 *yl_http2_new(enum yl_http2_role,
                              const struct yl_http2_opts *,
                              const struct yl_http2_events *, void *aux,
                              yl_msec now);
void yl_http2_free(struct yl_http2 *);

/* Takes all of 'bytes'.  0, or YL_EINVALID: drop the connection at once. */
int yl_http2_receive(struct yl_http2 *, struct yl_str bytes, yl_msec now);

/* Appends frames to 'out' until they have about 'room' bytes.  1 if there is
 * more to send now, 0 if not, or YL_EINVALID as above. */
int yl_http2_produce(struct yl_http2 *, struct yl_buf *out, size_t room,
                     yl_msec now);

/* Whether neither side will send anything any more. */
bool yl_http2_is_over(const struct yl_http2 *);

/* The open streams, oldest first: struct yl_http2_stream. */
const struct yl_list *yl_http2_streams(const struct yl_http2 *);
size_t yl_http2_n_streams(const struct yl_http2 *);

/* Sending heads
 * =============
 *
 * Names are lower case.  Control characters in values become spaces, and a
 * header whose name is not valid is left out.  With 'has_body' the body is
 * fetched through 'ready'. */

/* Servers: the answer.  A client that has not sent its whole body when all of
 * the answer was sent need not send the rest: the stream is reset with
 * NO_ERROR. */
int yl_http2_respond(struct yl_http2 *, struct yl_http2_stream *, int status,
                     const struct yl_http_header *headers, size_t n_headers,
                     bool has_body);

/* Servers: "100 Continue". */
void yl_http2_continue(struct yl_http2 *, struct yl_http2_stream *);

/* A head to be sent by a client. */
struct yl_http2_request {
    struct yl_str method, scheme, authority;
    struct yl_str target;       /* Path and query. */
    const struct yl_http_header *headers;
    size_t n_headers;
    bool has_body;
};

/* Clients: opens a stream.  One beyond what the server allows at once is kept
 * until others have ended.  0, or YL_EUNAVAILABLE if the connection takes no
 * more streams: there are no events then. */
int yl_http2_request(struct yl_http2 *, struct yl_http2_stream *,
                     const struct yl_http2_request *);

/* Clients: how many more streams the server allows at this moment, and whether
 * it has said so itself (before its SETTINGS come, 100 are assumed). */
size_t yl_http2_room(const struct yl_http2 *);
bool yl_http2_is_settled(const struct yl_http2 *);

/* Streams and windows
 * =================== */

/* A body that waited has more bytes. */
void yl_http2_resume(struct yl_http2 *, struct yl_http2_stream *);

/* 'n' bytes of bodies were processed: the other side may send as many more, on
 * the stream and on the connection, or on the connection alone. */
void yl_http2_consume(struct yl_http2 *, struct yl_http2_stream *, size_t n);
void yl_http2_consume_connection(struct yl_http2 *, size_t n);

/* Bytes that the other side accepts on this stream now. */
size_t yl_http2_window(const struct yl_http2 *,
                       const struct yl_http2_stream *);

/* Ends a stream; 'close' follows when the frame was produced. */
void yl_http2_reset(struct yl_http2 *, struct yl_http2_stream *,
                    enum yl_http2_error);

/* The connection
 * ============== */

/* Accepts no new streams; those that are open go on. */
void yl_http2_go_away(struct yl_http2 *);

/* The same, and the connection is over when the frame was produced. */
void yl_http2_terminate(struct yl_http2 *, enum yl_http2_error);

/* Checks whether the other side is there: 'pong' is called if it answers. */
void yl_http2_ping(struct yl_http2 *);

#endif /* net/http2.h */
