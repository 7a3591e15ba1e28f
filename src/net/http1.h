#ifndef NET_HTTP1_H
#define NET_HTTP1_H 1

/* HTTP/1.1 as a pure machine, for both ends: bytes in, events out.
 *
 *     bytes of a socket -> [reader] -> HEAD, BODY, BODY, ..., END
 *     status, headers, pieces -> [writer] -> bytes for a socket
 *
 * The reader knows no socket and no clock.  It reads one message, a request or
 * a response, and says how far it came; the bytes that follow a request are
 * the next request of a pipeline.
 *
 * Guarantees
 * ==========
 *
 *   - The events (except where a BODY is cut into pieces), the head and the
 *     error do not depend on how the bytes were divided among the calls.
 *
 *   - Strict.  A message that two parsers might read in two ways is refused,
 *     not repaired: a bare LF or CR, a folded header, a blank before a colon,
 *     control characters, more than one Content-Length or Host or
 *     Transfer-Encoding, Content-Length next to Transfer-Encoding, any
 *     transfer coding but "chunked", and the latter in HTTP/1.0.
 *
 *   - Bounded.  Each count and size has a ceiling (struct yl_http1_limits);
 *     the time is linear in the number of bytes.
 *
 *   - Names of headers are lower case, values have no white space around them.
 *     Values consist of bytes from 0x20 on except DEL, and of tabs: they need
 *     not be UTF-8.  Trailers are checked and dropped.
 *
 *   - The path starts with '/' and is printable ASCII without white space, '?'
 *     or '#'; it is not decoded.  Neither is the query.
 *
 * Ownership
 * =========
 *
 * The reader owns the head, which is lent until yl_http1_reader_next() or
 * yl_http1_reader_release().  The pieces of a body point into the bytes that
 * the caller has fed.
 *
 * Threads
 * =======
 *
 * A reader belongs to one thread at a time.
 *
 * Usage
 * =====
 *
 *     for (;;) {
 *         switch (yl_http1_read(&reader, &in, &piece)) {
 *         case YL_HTTP1_MORE:     -- feed more later
 *         case YL_HTTP1_HEAD:     -- look at reader.head, which has no body
 *                                    yet; go on
 *         case YL_HTTP1_BODY:     -- keep 'piece'; go on
 *         case YL_HTTP1_END:      -- answer; then yl_http1_reader_next()
 *         case YL_HTTP1_ERROR:    -- answer reader.status, and close
 *         }
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "net/http.h"
#include "yuloh/str.h"

/* Ceilings.  Zero means the default. */
struct yl_http1_limits {
    size_t target;              /* Bytes of a request's target; more is 414
                                 * [64 KB]. */
    size_t head;                /* Bytes of all that precedes a body; more is
                                 * 431 [128 KB]. */
    size_t n_headers;           /* More are 431 [256]. */
    uint64_t body;              /* Bytes of a body, decoded; more is 413.
                                 * UINT64_MAX for no ceiling [3 MB]. */
    size_t extras;              /* Bytes of chunk extensions and of trailers
                                 * in one body; more is 431 [8 KB]. */
};

/* How the end of a body is found. */
enum yl_http1_framing {
    YL_HTTP1_NO_BODY,
    YL_HTTP1_LENGTH,            /* 'content_length' bytes, perhaps 0. */
    YL_HTTP1_CHUNKED,
    YL_HTTP1_UNTIL_CLOSE,       /* Responses only. */
};

struct yl_http1_head {
    int version;                /* 10 or 11. */
    struct yl_str method;       /* Requests: "GET", as sent. */
    struct yl_str path;
    struct yl_str query;        /* Without the '?'; null if there is none. */
    struct yl_str host;         /* From an absolute target, else from the
                                 * header; null if there is neither
                                 * (HTTP/1.0). */
    int status;                 /* Responses: 100 to 999. */
    struct yl_str reason;       /* Responses: perhaps empty. */

    /* In the order they came.  If the target is absolute, its host is also the
     * value of this header. */
    const struct yl_http_header *headers;
    size_t n_headers;

    enum yl_http1_framing framing;
    uint64_t content_length;    /* With YL_HTTP1_LENGTH. */
    bool keep_alive;            /* Another message may follow this one. */
    bool expect_continue;       /* The client waits for YL_HTTP1_CONTINUE
                                 * before it sends a body. */
};

enum yl_http1_event {
    YL_HTTP1_MORE,              /* All was read; the message goes on. */
    YL_HTTP1_HEAD,              /* 'head' is complete. */
    YL_HTTP1_BODY,              /* A piece of the body, never empty. */
    YL_HTTP1_END,               /* The message is complete. */
    YL_HTTP1_ERROR,             /* See 'status' and 'why'.  Final. */
};

enum yl_http1_role {
    YL_HTTP1_REQUESTS,          /* What a server reads. */
    YL_HTTP1_RESPONSES,         /* What a client reads. */
};

/* Private except for 'head', 'status' and 'why'. */
struct yl_http1_reader {
    struct yl_http1_head head;  /* Valid from YL_HTTP1_HEAD on. */
    int status;                 /* After YL_HTTP1_ERROR in a request: what to
                                 * answer (400, 413, 414, 417, 431, 501 or
                                 * 505). */
    const char *why;            /* A constant phrase. */

    enum yl_http1_role role;
    struct yl_http1_limits limits;
    int state;
    bool bodiless;              /* The response answers a HEAD. */
    bool blank;                 /* An empty line came before the message. */
    struct yl_buf bytes;        /* The part of the head that has come. */
    size_t line_start;          /* Start of the last line, in 'bytes'. */
    size_t n_lines;             /* Complete lines in 'bytes'. */
    struct yl_http_header *headers;
    size_t headers_capacity;
    uint64_t left;              /* Bytes left of the body, of the chunk, or up
                                 * to the ceiling. */
    uint64_t total;             /* Bytes of all chunks so far, this one
                                 * included. */
    size_t extras;              /* Bytes of extensions and trailers so far. */
    unsigned n_digits;          /* Digits of a chunk's size. */
};

/* 'limits' may be NULL; it is copied. */
void yl_http1_reader_init(struct yl_http1_reader *, enum yl_http1_role,
                          const struct yl_http1_limits *limits);
void yl_http1_reader_release(struct yl_http1_reader *);

/* Drops the message that has ended and begins the next.  Keeps little
 * memory. */
void yl_http1_reader_next(struct yl_http1_reader *);

/* The response that comes next answers a HEAD: whatever its headers say it has
 * no body.  Call it before the first byte; yl_http1_reader_next() resets it,
 * so call it again after an interim response (1xx). */
void yl_http1_reader_bodiless(struct yl_http1_reader *);

/* Reads from the front of '*in', which becomes what is left.  A piece of the
 * body comes in '*ret_piece', which is null with every other event.  After END
 * and ERROR nothing more is read and the same event comes again. */
enum yl_http1_event yl_http1_read(struct yl_http1_reader *, struct yl_str *in,
                                  struct yl_str *ret_piece);

/* The peer has sent its last byte: END if that ends a response, ERROR if it
 * cuts a message off, MORE if none had begun.  After END and ERROR the same
 * comes again. */
enum yl_http1_event yl_http1_read_eof(struct yl_http1_reader *);

/* True from the first byte of a message until its end. */
bool yl_http1_reader_is_busy(const struct yl_http1_reader *);

/* Writing
 * =======
 *
 * All append to 'out'; the buffer records whether everything fitted.  Control
 * characters in values become spaces, and a header whose name is not a token
 * is left out, so that no text can break the framing. */

#define YL_HTTP1_CONTINUE "HTTP/1.1 100 Continue\r\n\r\n"

/* A head to be written. */
struct yl_http1_out {
    const struct yl_http_header *headers;   /* Without those that are added
                                             * below. */
    size_t n_headers;
    struct yl_str date;         /* Added unless null. */
    enum yl_http1_framing framing;  /* Adds "content-length" or
                                     * "transfer-encoding". */
    uint64_t content_length;
    bool close;                 /* Adds "connection: close". */
    bool keep_alive;            /* Adds "connection: keep-alive", which
                                 * HTTP/1.0 clients need. */
};

/* The head of a response.  Those with status 1xx, 204 and 304 get neither
 * content-length nor transfer-encoding. */
void yl_http1_write_response(struct yl_buf *out, int status,
                             const struct yl_http1_out *);

/* The head of a request.  0, or YL_EINVALID, and nothing written, if
 * 'method' is not a token or 'target' not printable ASCII. */
int yl_http1_write_request(struct yl_buf *out, struct yl_str method,
                           struct yl_str target, const struct yl_http1_out *);

/* A piece of a chunked body, below 4 GB.  An empty one adds nothing. */
void yl_http1_write_chunk(struct yl_buf *out, struct yl_str piece);

/* The same for a piece that is appended to 'out' directly: between the two
 * calls append the piece, or nothing.  'mark' is the result of the first call.
 *
 *     size_t mark = yl_http1_chunk_begin(out);
 *     pull(aux, out);
 *     yl_http1_chunk_end(out, mark); */
size_t yl_http1_chunk_begin(struct yl_buf *out);
void yl_http1_chunk_end(struct yl_buf *out, size_t mark);

/* The end of a chunked body. */
void yl_http1_write_last_chunk(struct yl_buf *out);

/* Room for a date and a NUL. */
#define YL_HTTP1_DATE_SIZE 30

/* "Sun, 06 Nov 1994 08:49:37 GMT" for seconds since 1970, from 0 up to the
 * year 9999 (else the nearest of these). */
struct yl_str yl_http1_date(char out[YL_HTTP1_DATE_SIZE], int64_t seconds);

#endif /* net/http1.h */
