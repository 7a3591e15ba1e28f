#ifndef APISERVER_REQUEST_H
#define APISERVER_REQUEST_H 1

/* One API request on its way through the server.
 *
 *     head -> filters, one by one -> route -> body -> verb -> answer
 *
 * A request goes through a table of steps.  Each step lets it pass, answers
 * it, or keeps it until what the step waits for has come (the body, a commit,
 * a webhook's answer).  All of a request's memory is in its arena, which stays
 * while the request is held, even if the client is gone; 'http' and what it
 * points to (the body, headers, the path) does not.
 *
 * Guarantees
 * ==========
 *
 *   - A request is answered exactly once.  If its client goes away, its
 *     deadline comes, or the server stops while it is kept, 'cancel' is called
 *     once, on its loop; an answer that comes after that must be ignored or
 *     released (see yl_api_hold()).
 *
 *   - A body is read only if a verb is going to use it: up to the step "body"
 *     a filter sees the head alone, and a request that is refused before (401,
 *     403, 404, 405, 406, 415) never gets that far.
 *
 *   - Its memory is charged as it grows: arenas with its 'account' are charged
 *     to the server's budget, up to a ceiling for each request.  Beyond that,
 *     loops over what the client has sent stop early (base/account.h), and
 *     whatever failure they end in is answered as 413 (too much for one
 *     request) or 429 (too much at this moment).
 *
 * Threads
 * =======
 *
 * A request belongs to its loop; see net/http.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/auth/user.h"
#include "apiserver/info.h"
#include "apiserver/params.h"
#include "apiserver/registry/registry.h"
#include "base/account.h"
#include "net/http.h"
#include "net/loop.h"
#include "yuloh/status.h"

struct yl_api_request;
struct yl_apiserver;
struct yl_audit_event;
struct yl_gauge;
struct yl_ks_write;
struct yl_object;
struct yl_write;

enum yl_step {
    YL_STEP_NEXT,               /* Go on with the next one. */
    YL_STEP_DONE,               /* It is answered. */
    YL_STEP_WAIT,               /* It is continued or answered later. */
};

/* A step: a filter, or the last one, which serves. */
typedef enum yl_step yl_step_fn(struct yl_api_request *);

/* The steps of a server unless its options name others, in upstream's order,
 * outermost first.  Ends with NULL. */
extern yl_step_fn *const yl_api_steps[];

/* The form of the answer, negotiated from Accept. */
enum yl_output_form {
    YL_FORM_OBJECT,
    YL_FORM_TABLE,
    YL_FORM_PARTIAL,            /* PartialObjectMetadata(List). */
};

struct yl_accept {
    enum yl_output_form form;
    bool list;                  /* "as=PartialObjectMetadataList". */
    bool v1beta1;               /* Of meta.k8s.io, for Tables and the like. */
    bool yaml;                  /* False: JSON, */
    bool protobuf;              /* or protobuf. */
    bool pretty;
};

#define YL_MAX_WARNINGS 100

struct yl_api_request {
    struct yl_apiserver *server;
    struct yl_http_request *http;
    struct yl_arena *arena;     /* The request's own, as it may outlive
                                 * 'http'. */
    struct yl_account account;  /* Charged for that arena and others used for
                                 * the request. */
    size_t step;                /* Index of the next step in the table. */
    bool stepping;              /* Whether a step is running. */
    bool continued;             /* Whether it was continued meanwhile. */

    struct yl_params params;    /* The query, decoded. */
    struct yl_request_info info;
    const struct yl_user *user; /* The user that authorization checks. */
    const struct yl_user *real_user;    /* The user that authenticated, if
                                         * 'user' is impersonated; else
                                         * NULL. */
    const struct yl_api_resource *resource;     /* A reference; NULL if it is
                                                 * no resource. */
    const struct yl_api_version *version;
    const struct yl_api_subresource *subresource;
    struct yl_accept accept;
    struct yl_str audit_id;
    struct yl_audit_event *audit;       /* NULL: this one is not recorded. */
    struct yl_loop_timer timer; /* The deadline. */

    struct yl_str warnings[YL_MAX_WARNINGS];
    size_t n_warnings;
    struct yl_http_header headers[8];   /* More headers for the answer. */
    size_t n_headers;
    size_t compress_over;       /* Answers larger than this may be compressed
                                 * (SIZE_MAX: none).  The code that sets it
                                 * also sets "vary".  0: YL_COMPRESS_MIN. */

    bool answered;
    bool ended;                 /* The connection is done with it: 'http' is
                                 * NULL. */
    struct yl_http_request *kept;   /* The former 'http', kept for the account
                                     * while the request is held. */
    int held;                   /* See yl_api_hold(). */
    int http_status;            /* Status of the answer, for audit and
                                 * metrics. */
    struct yl_gauge *in_flight; /* Counts the request until it ends; or
                                 * NULL. */
    void (*cancel)(struct yl_api_request *);    /* Set by the step that keeps
                                                 * it. */
    void *waiter;               /* The state of a filter that keeps it. */
    struct yl_write *waiting;   /* Writes that wait in a step. */
    void *verb;                 /* The verb's own state. */
};

/* Waiting
 * =======
 *
 * A filter that needs an answer from elsewhere (a webhook, another thread)
 * sets 'cancel' and 'waiter' and returns YL_STEP_WAIT.  When the answer has
 * come, it continues the request:
 *
 *     static enum yl_step
 *     ask(struct yl_api_request *req)
 *     {
 *         req->waiter = start_asking(req, on_answer);
 *         req->cancel = stop_asking;
 *         return YL_STEP_WAIT;
 *     }
 *
 *     static void
 *     on_answer(struct question *q)
 *     {
 *         if (q->allowed) {
 *             yl_api_continue(q->request);
 *         } else {
 *             yl_api_respond_status(q->request, &q->status);
 *         }
 *     }
 *
 * After 'cancel' neither function may be called: stop_asking() makes sure that
 * on_answer() is not called any more.  If another thread does the asking, the
 * filter holds the request until that thread is done, and both functions do
 * nothing then.  A step that answers and needs no call at the end of the
 * request clears 'cancel'. */

/* Goes on with the step behind the one that waits, on the request's loop.
 * 'cancel' is forgotten.  May be called before that step has returned; it
 * takes effect when the step returns.  Does nothing for a request that was
 * answered or has ended, if it is still held. */
void yl_api_continue(struct yl_api_request *);

/* Ends the waiting: calls 'cancel', if it is set. */
void yl_api_cancel(struct yl_api_request *);

/* Keeps the request's memory while another thread works for it (a write that
 * was handed to the keyspace), even if the client goes away; Call
 * yl_api_release() afterwards, on its loop; 'ended' can be read from then
 * on. */
void yl_api_hold(struct yl_api_request *);
void yl_api_release(struct yl_api_request *);

/* Adds a Warning header to the answer, "299 - \"TEXT\"", once for each
 * text. */
void yl_api_warn(struct yl_api_request *, const char *format, ...)
    YL_PRINTF(2, 3);

/* Adds a header; name and value must stay until the request ends. */
void yl_api_add_header(struct yl_api_request *, struct yl_str name,
                       struct yl_str value);

/* Answering
 * =========
 *
 * All return YL_STEP_DONE, so that a step can end in "return yl_api_...". */

/* Any body. */
enum yl_step yl_api_respond(struct yl_api_request *, int http_status,
                            const char *content_type, struct yl_str body);

/* The same for a body that stays valid as long as the request's arena. */
enum yl_step yl_api_respond_lent(struct yl_api_request *, int http_status,
                                 const char *content_type,
                                 struct yl_str body);

/* A JSON document; indented, as YAML or as protobuf if that was asked for (as
 * JSON if protobuf has no form for it).  'params' (may be NULL) goes behind
 * the media type: ";g=...". */
enum yl_step yl_api_respond_document(struct yl_api_request *, int http_status,
                                     const char *params, struct yl_str json);

/* A Status, in the form the client can read; clears it. */
enum yl_step yl_api_respond_status(struct yl_api_request *,
                                   struct yl_status *);

/* A failure that 'err' explains; clears it. */
enum yl_step yl_api_respond_error(struct yl_api_request *, struct yl_error *);

/* A stored object (hub version), converted to the version and form that was
 * asked for.  'revision' 0 leaves resourceVersion out (dry run). */
enum yl_step yl_api_respond_object(struct yl_api_request *, int http_status,
                                   const struct yl_object *,
                                   uint64_t revision);

/* An answer in pieces. */
enum yl_step yl_api_respond_source(struct yl_api_request *, int http_status,
                                   const char *content_type,
                                   const struct yl_http_source *, void *aux);

/* The answer for a path that leads nowhere: a Status, or a line of text where
 * not even the group exists. */
enum yl_step yl_api_respond_unknown(struct yl_api_request *);
enum yl_step yl_api_respond_no_page(struct yl_api_request *);

/* Group, version and resource as Status details name them. */
struct yl_gvr yl_api_gvr(const struct yl_api_request *);

#endif /* apiserver/request.h */
