#ifndef NET_EXCHANGE_H
#define NET_EXCHANGE_H 1

/* Exchange: a request, its answer, and the connection that carries both.
 *
 *     protocol: new -> dispatch -> add_body ... -> complete -> end -> release
 *     handler:         request -> read_body ...    body -> answer
 *
 * A handler sees the first member.  The protocol holds the exchange from
 * yl_exchange_new() until it has ended it; after that it stays as long as a
 * handler holds it.
 *
 * Threads
 * =======
 *
 * An exchange belongs to the loop of its connection. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/list.h"
#include "net/budget.h"
#include "net/http.h"
#include "net/http1.h"
#include "net/http2.h"

struct yl_conn;
struct yl_home;

/* The least that a request is charged, a watch for instance: this struct and a
 * small head. */
#define YL_EXCHANGE_COST 4096

enum yl_answer {
    YL_ANSWER_NONE,             /* The handler has not answered. */
    YL_ANSWER_WHOLE,            /* 'rest' is unsent. */
    YL_ANSWER_SOURCE,           /* 'source' has more. */
    YL_ANSWER_COMPLETE,         /* All was appended. */
};

struct yl_exchange {
    struct yl_http_request request;
    struct yl_arena arena;
    struct yl_conn *conn;       /* NULL when it has ended and is only held. */
    struct yl_home *home;
    struct yl_list node;        /* In the home's 'exchanges', unused. */
    struct yl_list due;         /* In the home's 'bodies', or in none. */
    struct yl_buf body;         /* Of the request. */
    struct yl_http1_reader *reader;     /* Kept for the head, if held. */
    struct yl_charge charge;    /* Without an owner until it is admitted. */
    unsigned n_holds;           /* Including the protocol's. */
    int refusal;                /* Status to answer when the head is
                                 * complete. */
    const char *why;            /* A constant string. */
    bool refused;               /* The refusal was answered. */
    bool dispatched;            /* The handler was called. */
    bool in_request;            /* The handler's 'request' is running. */
    bool wants_body;            /* The handler has asked for the body. */
    bool is_head;               /* The answer has no body. */

    enum yl_answer answer;
    struct yl_str rest;
    const struct yl_http_source *source;
    void *source_aux;
    bool waiting;               /* The source waits. */
    const struct yl_http_tap *tap;      /* Pulled in the source's place; or
                                         * NULL. */
    void *tap_aux;

    /* For HTTP/2. */
    struct yl_http2_stream stream;
    struct yl_http_header *headers;
    size_t headers_capacity;
    size_t head_size;           /* Bytes of the head so far. */
    bool has_head;              /* The head is complete. */
    bool half_closed;           /* The client has sent everything. */
    size_t held_back;           /* Bytes of the body that came before it was
                                 * asked for; they are not added to the windows
                                 * again yet. */
    enum yl_http_pull last;     /* The last result of the source. */
    bool paused;                /* The source waits for its owner's share. */
    struct yl_buf pending;      /* Pulled and not sent. */
    size_t pending_sent;        /* Bytes of it that are sent. */
    size_t pending_charged;     /* Bytes of it that are in 'charge'. */
    size_t progress;            /* Bytes sent since 'since'. */
    yl_msec since;              /* When the head or the body began, or when
                                 * enough of the answer was sent. */
};

/* A new exchange.  If the budget has no room for it, 'refusal' is set
 * already. */
struct yl_exchange *yl_exchange_new(struct yl_conn *);

/* Charges 'n' bytes until the exchange is freed: true, or false with 'refusal'
 * set. */
bool yl_exchange_charge(struct yl_exchange *, size_t n);

/* May the request stay?  If its user was not set, it is charged to its peer
 * from now on: true, or false with 'refusal' set. */
bool yl_exchange_admit(struct yl_exchange *);

/* Adds a piece of the body: true, or false with 'refusal' set. */
bool yl_exchange_add_body(struct yl_exchange *, struct yl_str piece);

/* The body of an answer until it is sent: the body itself if it is lent, else
 * a copy that is charged. */
struct yl_str yl_exchange_keep(struct yl_exchange *, struct yl_str body,
                               bool lent);

/* Call the handler when the head is complete, or when the body is; or answer
 * the refusal, if there is one.  After the first call 'wants_body' tells
 * whether to read on; when the handler asks later, the protocol's 'read_body'
 * is called. */
void yl_exchange_dispatch(struct yl_exchange *);
void yl_exchange_complete(struct yl_exchange *);

/* Begins an answer: sets 'answer', by 'source' and 'body'.  With
 * YL_ANSWER_WHOLE the caller has to send or keep the body. */
void yl_exchange_begin_answer(struct yl_exchange *, int status,
                              struct yl_str body);

/* Has the source append about 'room' bytes to 'out', or fewer if it has no
 * more.  Returns the source's last result: YL_HTTP_MORE also if it was resumed
 * meanwhile, YL_HTTP_ABORT also if the bytes did not fit. */
enum yl_http_pull yl_exchange_pull(struct yl_exchange *, struct yl_buf *out,
                                   size_t room);

/* Refuses the exchange; the first refusal counts.  The second function is for
 * a head or a body that does not come in time. */
void yl_exchange_set_refusal(struct yl_exchange *, int status,
                             const char *why);
void yl_exchange_set_late(struct yl_exchange *);

/* Answers the refusal, in the place of the handler. */
void yl_exchange_refuse(struct yl_exchange *);

/* Calls the handler's 'end', if the handler was called, and leaves the
 * connection.  The protocol calls yl_http_release() after it. */
void yl_exchange_end(struct yl_exchange *, bool finished);

/* Frees an unused exchange of a home's 'exchanges'. */
void yl_exchange_free(struct yl_exchange *);

#endif /* net/exchange.h */
