#ifndef NET_HTTP_H
#define NET_HTTP_H 1

/* HTTP requests as a server's handler sees them, whatever version carried
 * them.
 *
 *     socket -> [HTTP/1.1 or HTTP/2] -> request -> handler
 *     socket <- [HTTP/1.1 or HTTP/2] <- answer  <- handler
 *
 * A handler gets a request when its head is complete.  It looks who asks for
 * what, and then asks for the body or answers without it: nobody sends us a
 * body before somebody here wants it.  It answers at once or later, in one
 * piece or with a source from which the connection pulls pieces when the
 * socket can take them: nothing is rendered that nobody reads.
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
 *     no further than what came with the head, and HTTP/2 gives the stream no
 *     window beyond the first one.  'body' follows at most once, and never
 *     from inside yl_http_read_body(): after 'request' has returned or, if
 *     the handler asks later, in the same turn of the loop.
 *
 *   - A body that is too large, malformed or late, or that the budget has no
 *     room for, is refused here (400, 408, 413, 429): 'body' is not called,
 *     an answer that the handler gives nevertheless is dropped, and 'end'
 *     follows.
 *
 *   - Every request ends in exactly one call of 'end', after the answer was
 *     handed to the connection or the client has gone, and never from inside
 *     a call of the handler's own; until then the request and its arena stay.
 *     One that is held (yl_http_hold()) stays longer.
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
 * The connection owns the request.  What is in it is lent until 'end', or
 * until the last yl_http_release(), whichever comes later.
 *
 * Threads
 * =======
 *
 * A request belongs to the loop that read it: the handler is called there and
 * all functions below must be called there.  Other threads get there with
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

/* Who is at the other end. */
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

    /* Why a certificate that was shown does not count: unknown authority,
     * expired, ...  NULL if it does or there was none. */
    const char *refused;

    /* Whom a connection from within the process acts as, the pointer that
     * yl_http_server_connect() was given.  NULL for everybody else: nothing
     * that comes over a wire can set it. */
    const void *identity;
};

struct yl_http_request {
    struct yl_loop *loop;
    struct yl_arena *arena;     /* For the handler too; cleared after 'end'. */
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
                                 * handler's stead; or 0. */
    void *user;                 /* The handler's own. */
};

/* What becomes of requests.  Constant. */
struct yl_http_handler {
    /* The head of a request is complete.  Must ask for the body or answer,
     * now or later. */
    void (*request)(void *aux, struct yl_http_request *);

    /* The body that was asked for is complete, perhaps empty.  Must answer,
     * now or later.  May be NULL if nobody ever asks for one. */
    void (*body)(void *aux, struct yl_http_request *);

    /* The answer was sent, or the client is gone ('finished' is false), or
     * the server stops.  No call for this request may follow but
     * yl_http_release(). */
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
 * A handler that answers without asking need not care for the rest: a small
 * one is read and dropped, else the connection closes (HTTP/1.1) or the stream
 * is reset with NO_ERROR (HTTP/2) behind the answer. */
void yl_http_read_body(struct yl_http_request *);

/* Tells who sends the request, when that is known (net/budget.h): from now on
 * what it costs is charged to the share of 'user', not to that of all who come
 * from the same address without a name.  Not for one who has not shown that he
 * is somebody.  0, or YL_ETHROTTLED if that user holds too much: the request
 * gets a 429, whatever is answered, and has no 'body'. */
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

/* Where the pieces of an answer come from. */
enum yl_http_pull {
    YL_HTTP_MORE,               /* Something was added; call again. */
    YL_HTTP_WAIT,               /* Nothing more now; yl_http_resume() tells. */
    YL_HTTP_END,                /* That was all; something may be added. */
    YL_HTTP_ABORT,              /* Cut the answer off: it must not look
                                 * complete. */
};

/* How many bytes a pull should add at most, about. */
#define YL_HTTP_PIECE ((size_t) 64 << 10)

struct yl_http_source {
    /* Appends the next piece to 'out', which already may hold something. */
    enum yl_http_pull (*pull)(void *aux, struct yl_buf *out);
};

/* An answer in pieces.  What has been added is sent when 'pull' waits or
 * enough has come together; nothing is held back. */
void yl_http_respond_source(struct yl_http_request *, int status,
                            const struct yl_http_header *headers,
                            size_t n_headers, const struct yl_http_source *,
                            void *aux);

/* A source that waited has more.  Pulls later, from the loop, when the socket
 * can take it. */
void yl_http_resume(struct yl_http_request *);

/* Charges 'n' more bytes, of the handler's memory, until the request's memory
 * goes.  0, or YL_ETHROTTLED if they are too many. */
int yl_http_charge(struct yl_http_request *, size_t n);

/* Gives back 'n' of the bytes that were charged, before the end. */
void yl_http_uncharge(struct yl_http_request *, size_t n);

/* Keeps the request's memory and its arena beyond 'end', for work that another
 * thread does for it.  Each hold needs its release, on the loop. */
void yl_http_hold(struct yl_http_request *);
void yl_http_release(struct yl_http_request *);

/* Whether the server is about to stop: an answer that would go on for ever
 * should end.  Sources that wait are pulled when that begins. */
bool yl_http_is_draining(const struct yl_http_request *);

#endif /* net/http.h */
