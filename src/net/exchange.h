#ifndef NET_EXCHANGE_H
#define NET_EXCHANGE_H 1

/* Exchange: a request, its answer, and the connection that carries both.
 *
 *     protocol: new -> dispatch -> add_body ... -> complete -> end -> release
 *     handler:         request -> read_body ...    body -> answer
 *
 * What a handler sees is the first member.  The protocol holds it once, from
 * yl_exchange_new() until it has ended it; then it stays as long as a handler
 * holds it.
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

/* What a request costs, a watch for instance: this struct and a small head. */
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
    struct yl_buf body;         /* The request's. */
    struct yl_http1_reader *reader;     /* Kept for the head, if held. */
    struct yl_charge charge;    /* Without an owner until it is admitted. */
    unsigned n_holds;           /* The protocol's included. */
    int refusal;                /* Status to answer when the head has come. */
    const char *why;            /* Constant. */
    bool refused;               /* It was answered so. */
    bool dispatched;            /* The handler has it. */
    bool in_request;            /* The handler's 'request' runs. */
    bool wants_body;            /* The handler has asked for it. */
    bool is_head;               /* The answer has no body. */

    enum yl_answer answer;
    struct yl_str rest;
    const struct yl_http_source *source;
    void *source_aux;
    bool waiting;               /* The source said so. */

    /* HTTP/2. */
    struct yl_http2_stream stream;
    struct yl_http_header *headers;
    size_t headers_capacity;
    size_t head_size;           /* Bytes so far. */
    bool has_head;              /* It is complete. */
    bool half_closed;           /* The client has sent all. */
    size_t held_back;           /* Bytes of the body that came before somebody
                                 * asked; the windows do not know of them. */
    enum yl_http_pull last;     /* What the source said. */
    bool paused;                /* It waits for its owner's share. */
    struct yl_buf pending;      /* Pulled and not sent. */
    size_t pending_sent;        /* Bytes of it that were. */
    size_t pending_charged;     /* What 'charge' counts for it. */
    size_t progress;            /* Bytes sent since 'since'. */
    yl_msec since;              /* When the head or the body began, or when
                                 * enough of the answer was sent. */
};

/* A new one.  If the budget has no room for it, 'refusal' says so already. */
struct yl_exchange *yl_exchange_new(struct yl_conn *);

/* Charges 'n' bytes until the exchange is freed: true, or false and a
 * refusal. */
bool yl_exchange_charge(struct yl_exchange *, size_t n);

/* Whether the request may stay.  One that nobody has put a name to is charged
 * to its peer from now on: true, or false and a refusal. */
bool yl_exchange_admit(struct yl_exchange *);

/* Adds a piece of the body: true, or false and a refusal. */
bool yl_exchange_add_body(struct yl_exchange *, struct yl_str piece);

/* The body of an answer until it is sent: itself if it is lent, else a copy
 * that is charged. */
struct yl_str yl_exchange_keep(struct yl_exchange *, struct yl_str body,
                               bool lent);

/* The head is complete, the body is: calls the handler, or answers the refusal
 * that there is.  After the former 'wants_body' tells whether to read on; when
 * the handler asks later, the protocol's 'read_body' is called. */
void yl_exchange_dispatch(struct yl_exchange *);
void yl_exchange_complete(struct yl_exchange *);

/* Begins an answer: sets 'answer', by 'source' and 'body'.  With
 * YL_ANSWER_WHOLE the body is to be sent or kept. */
void yl_exchange_begin_answer(struct yl_exchange *, int status,
                              struct yl_str body);

/* Has the source append about 'room' bytes to 'out', or what it has.  Returns
 * what it said last: YL_HTTP_MORE also if it has resumed itself meanwhile,
 * YL_HTTP_ABORT also if it did not fit. */
enum yl_http_pull yl_exchange_pull(struct yl_exchange *, struct yl_buf *out,
                                   size_t room);

/* Has the exchange refused: the first one counts.  The second is for a head or
 * a body that does not come. */
void yl_exchange_set_refusal(struct yl_exchange *, int status,
                             const char *why);
void yl_exchange_set_late(struct yl_exchange *);

/* Answers the refusal, in the handler's stead. */
void yl_exchange_refuse(struct yl_exchange *);

/* Calls the handler's 'end', if it knows of it, and leaves the connection.
 * The protocol's yl_http_release() follows. */
void yl_exchange_end(struct yl_exchange *, bool finished);

/* Frees one that is in no use, from a home's 'exchanges'. */
void yl_exchange_free(struct yl_exchange *);

#endif /* net/exchange.h */
