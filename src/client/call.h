#ifndef CLIENT_CALL_H
#define CLIENT_CALL_H 1

/* A blocking call: throttled, sent, and sent again while the server asks for
 * that.
 *
 *     throttle -> send -> answer -> [429 or 5xx with Retry-After] -> wait -+
 *        ^                                                                 |
 *        +-----------------------------------------------------------------+
 */

#include "base/buf.h"
#include "client/client.h"

struct yl_call {
    struct yl_client *client;
    const char *method;
    struct yl_str target;       /* Path and query, the server's prefix
                                 * included. */
    struct yl_str body;         /* Null: none. */
    const char *content_type;   /* Of the body. */
    const char *accept;         /* ["application/json"] */
    const struct yl_call_opts *opts;    /* May be NULL. */
    bool is_watch;              /* How long it takes says nothing. */
    yl_msec timeout;            /* If neither these nor the configuration name
                                 * one; 0 for none. */

    /* For messages. */
    const struct yl_resource *resource;
    struct yl_str name;
};

/* Zeros but for 'body', which is initialised with its ceiling. */
struct yl_call_answer {
    int http_status;
    char content_type[128];
    char retry_after[16];
    struct yl_buf body;         /* Of an answer that failed, or of any. */
};

/* Receives a piece of the answer; a negative code ends the call. */
typedef int yl_call_body_fn(void *aux, struct yl_str piece);

/* Sends the request and waits for the answer, whatever its status is.  The
 * body of a success goes to 'body', that of a failure to 'answer', cut to the
 * ceiling.  Without 'body' all go to 'answer', and a success that is larger
 * than the ceiling is YL_ETOOBIG.  Errors are those of yl_http_call(), and
 * YL_ETIMEOUT if the throttle has no token in time. */
int yl_call_run(const struct yl_call *, yl_call_body_fn *body, void *aux,
                struct yl_call_answer *answer, struct yl_error *err);

/* The same, and an answer that is no success is an error. */
int yl_call_succeed(const struct yl_call *, yl_call_body_fn *body, void *aux,
                    struct yl_call_answer *answer, struct yl_error *err);

#endif /* client/call.h */
