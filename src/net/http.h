#ifndef NET_HTTP_H
#define NET_HTTP_H 1

/* HTTP requests as a server's handler sees them, whatever version carried
 * them.
 *
 *     socket -> [HTTP/1.1 or HTTP/2] -> request -> handler
 *     socket <- [HTTP/1.1 or HTTP/2] <- answer  <- handler
 *
 * A handler gets a request when its head is complete.  It checks the user and
 * the target, and then asks for the body or answers without it: no body is
 * read that the handler does not want.  It answers at once or later, in one
 * piece or with a source from which the connection pulls pieces when the
 * socket can take them: nothing is rendered before the client can read it.
 *
 * Guarantees
 * ==========
 *
 *   - Header names are lower case; pseudo headers of HTTP/2 are taken apart
 *     into method, path and "host".  A request that is ambiguous (two
 *     lengths, folded headers, both kinds of framing) never gets here.
 *
 *   - The path is as it was sent, without the query; it starts with '/' and
 *     has neither control characters nor white space.
 *
 *   - Until a handler asks for the body (yl_http_read_body()) HTTP/1.1 reads
 *     no further than what came with the head, and HTTP/2 does not extend the
 *     stream's initial window.  'body' follows at most once, and never from
 *     inside yl_http_read_body(): after 'request' has returned or, if the
 *     handler asks later, in the same turn of the loop.
 *
 *   - A body that is too large, malformed or late, or that the budget has no
 *     room for, is refused here (400, 408, 413, 429): 'body' is not called,
 *     an answer that the handler gives nevertheless is dropped, and 'end'
 *     follows.
 *
 *   - Every request ends in exactly one call of 'end', after the answer was
 *     given to the connection or the client has gone, and never from inside a
 *     function that the handler has called; until then the request and its
 *     arena stay.  One that is held (yl_http_hold()) stays longer.
 *
 *   - Requests of one HTTP/1.1 connection are handled and answered one after
 *     the other, those of HTTP/2 side by side.
 *
 *   - Sizes are bounded (net/server.h).  What a request holds is charged to
 *     its connection, its user or peer, and the whole server (net/budget.h).
 *
 * Ownership
 * =========
 *
 * The connection owns the request.  Its contents are valid until 'end', or
 * until the last yl_http_release(), whichever comes later.
 *
 * Threads
 * =======
 *
 * A request belongs to the loop that read it: the handler is called there and
 * all functions below must be called there.  Other threads reach it with
 * yl_loop_post(). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_loop;

struct yl_http_header {
    struct yl_str name;         /* Lower case. */
    struct yl_str value;        /* Without white space around it. */
};

/* The other end of a connection. */
struct yl_http_peer {
    struct yl_str address;      /* "192.0.2.1", "2001:db8::1". */
    uint16_t port;
    bool tls;

    /* Of a client certificate that a trusted authority has signed, and that
     * is valid now: its subject's common name, its organizations, and the
     * SHA-256 of the certificate in hexadecimal.  Null without one. */
    struct yl_str common_name;
    const struct yl_str *organizations;
    size_t n_organizations;
    struct yl_str fingerprint;

    /* Why a certificate that was sent is not accepted: unknown authority,
     * expired, ...  NULL if it is accepted or there was none. */
    const char *refused;

    /* The identity that a connection from within the process acts as, the
     * pointer that yl_http_server_connect() was given.  NULL for all others:
     * nothing that comes over a network can set it. */
    const void *identity;
};

struct yl_http_request {
    struct yl_loop *loop;
    struct yl_arena *arena;     /* The handler may use it, too; cleared after
                                 * 'end'. */
    struct yl_str method;       /* "GET". */
    struct yl_str path;
    struct yl_str query;        /* Without the '?'; empty if there is none. */
    const struct yl_http_header *headers;
    size_t n_headers;
    struct yl_str body;         /* Empty before 'body'. */
    const struct yl_http_peer *peer;
    int version;                /* 10, 11 or 20. */
    yl_msec started;            /* When the head was complete. */
    int refused;                /* The status that was answered here, in the
                                 * place of the handler; or 0. */
    void *user;                 /* The handler's own. */
};

/* The functions that handle requests.  Constant. */
struct yl_http_handler {
    /* The head of a request is complete.  Must ask for the body or answer,
     * now or later. */
    void (*request)(void *aux, struct yl_http_request *);

    /* The body that was asked for is complete, perhaps empty.  Must answer,
     * now or later.  May be NULL if no body is ever asked for. */
    void (*body)(void *aux, struct yl_http_request *);

    /* The answer was sent, or the client is gone ('finished' is false), or the
     * server stops.  After that only yl_http_release() may be called for this
     * request. */
    void (*end)(void *aux, struct yl_http_request *, bool finished);

    /* Writes the body and content type of an answer that HTTP itself makes
     * (400, 408, 413, 414, 417, 429, 431, 501, 505), so that it looks like
     * the application's own.  May be NULL: a line of text then. */
    void (*refuse)(void *aux, int status, const char *why,
                   const char **ret_content_type, struct yl_buf *body);
};

/* The value of the first header of that (lower case) name; null if there is
 * none. */
struct yl_str yl_http_header(const struct yl_http_request *,
                             struct yl_str name);

/* Asks for the body: 'body' is called when it is complete, or soon if there is
 * none.  The time that a client has to send it begins now.  Asking again, or
 * after the answer, does nothing.
 *
 * A handler that answers without asking for the body need not do anything
 * about it: after the answer a small body is read and dropped; otherwise the
 * connection closes (HTTP/1.1) or the stream is reset with NO_ERROR
 * (HTTP/2). */
void yl_http_read_body(struct yl_http_request *);

/* Sets the user that sends the request, when it is known (net/budget.h): from
 * now on its memory is charged to the share of 'user', not to that of all
 * unauthenticated requests from the same address.  Not to be called for an
 * unauthenticated request.  0, or YL_ETHROTTLED if that user holds too much:
 * the request gets a 429, whatever is answered, and 'body' is not called. */
int yl_http_set_user(struct yl_http_request *, struct yl_str user);

/* Answering
 * =========
 *
 * 'headers' must hold no content-length, transfer-encoding, connection or
 * date: they are added.  Names are lower case.  Both are copied. */

/* The whole answer; the body is copied unless it is lent. */
void yl_http_respond(struct yl_http_request *, int status,
                     const struct yl_http_header *headers, size_t n_headers,
                     struct yl_str body);

/* The same for a body that stays until 'end' (in the request's arena or
 * constant). */
void yl_http_respond_lent(struct yl_http_request *, int status,
                          const struct yl_http_header *headers,
                          size_t n_headers, struct yl_str body);

/* The results of a source. */
enum yl_http_pull {
    YL_HTTP_MORE,               /* Something was added; pull again. */
    YL_HTTP_WAIT,               /* Nothing more now; yl_http_resume()
                                 * follows. */
    YL_HTTP_END,                /* That was all; something may be added. */
    YL_HTTP_ABORT,              /* Cut the answer off, so that it does not look
                                 * complete. */
};

/* How many bytes a pull should add at most, about. */
#define YL_HTTP_PIECE ((size_t) 64 << 10)

struct yl_http_source {
    /* Appends the next piece to 'out', which already may hold something. */
    enum yl_http_pull (*pull)(void *aux, struct yl_buf *out);
};

/* An answer in pieces.  What was added is sent when 'pull' waits or enough has
 * been added; nothing is held back. */
void yl_http_respond_source(struct yl_http_request *, int status,
                            const struct yl_http_header *headers,
                            size_t n_headers, const struct yl_http_source *,
                            void *aux);

/* A tap stands between the answer to a request and its connection, so that a
 * test can cut an answer off or hold it back wherever it likes. */
struct yl_http_tap {
    /* In the place of the source's 'pull', which it may call. */
    enum yl_http_pull (*pull)(void *aux, const struct yl_http_source *,
                              void *source_aux, struct yl_buf *out);
};

/* Puts a tap on the answer, which must not have begun; a whole answer goes
 * through it like that of a source. */
void yl_http_set_tap(struct yl_http_request *, const struct yl_http_tap *,
                     void *aux);

/* Says that a source that waited has more.  It is pulled later, from the loop,
 * when the socket can take more. */
void yl_http_resume(struct yl_http_request *);

/* Charges 'n' more bytes, of the handler's memory, until the request's memory
 * is freed.  0, or YL_ETHROTTLED if they are too many. */
int yl_http_charge(struct yl_http_request *, size_t n);

/* Gives back 'n' of the bytes that were charged, before the end. */
void yl_http_uncharge(struct yl_http_request *, size_t n);

/* Keeps the request's memory and its arena beyond 'end', for work that another
 * thread does for it.  Each hold needs a release, on the loop. */
void yl_http_hold(struct yl_http_request *);
void yl_http_release(struct yl_http_request *);

/* Whether the server is about to stop: an answer that would go on for ever
 * should end.  Sources that wait are pulled when that begins. */
bool yl_http_is_draining(const struct yl_http_request *);

#endif /* net/http.h */
