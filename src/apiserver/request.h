#ifndef APISERVER_REQUEST_H
#define APISERVER_REQUEST_H 1

/* One API request on its way through the server.
 *
 *     head -> filters, one by one -> route -> body -> verb -> answer
 *
 * A request goes through a table of steps.  Each looks at it, and lets it
 * pass, answers it, or keeps it: then it goes on when what it waits for has
 * come (the body, a commit, a webhook).  Everything of a request lives in its
 * arena, which stays while somebody holds the request, even if the client is
 * gone; only 'http' and what it points to (the body, headers, the path) is
 * gone then.
 *
 * Guarantees
 * ==========
 *
 *   - A request is answered exactly once.  If its client goes away, its
 *     deadline comes, or the server stops while it is kept, 'cancel' is
 *     called once, on its loop; what it waits for may still come and must
 *     then be ignored or released (see yl_api_hold()).
 *
 *   - A body is read only for who is known to have a use for it: up to the
 *     step "body" all that a filter sees is the head, and a request that is
 *     refused before (401, 403, 404, 405, 406, 415) never gets that far.
 *
 *   - Its memory is charged as it grows: arenas that have its 'account' take
 *     from the server's budget, up to a ceiling for each request.  Beyond
 *     that, loops over what the client has sent stop early (base/account.h),
 *     and whatever failure they end in is answered as 413 (too much for one
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
    YL_STEP_WAIT,               /* Somebody continues or answers it later. */
};

/* A step: a filter, or what serves. */
typedef enum yl_step yl_step_fn(struct yl_api_request *);

/* The steps that a server has unless it was given others, in upstream's
 * order, outermost first; and NULL. */
extern yl_step_fn *const yl_api_steps[];

/* What the answer looks like, negotiated from Accept. */
enum yl_output_form {
    YL_FORM_OBJECT,
    YL_FORM_TABLE,
    YL_FORM_PARTIAL,            /* PartialObjectMetadata(List). */
};

struct yl_accept {
    enum yl_output_form form;
    bool list;                  /* "as=PartialObjectMetadataList". */
    bool v1beta1;               /* Of meta.k8s.io, for Tables and the like. */
    bool yaml;                  /* Else JSON, */
    bool protobuf;              /* or this. */
    bool pretty;
};

#define YL_MAX_WARNINGS 100

struct yl_api_request {
    struct yl_apiserver *server;
    struct yl_http_request *http;
    struct yl_arena *arena;     /* Its own, for it may outlive 'http'. */
    struct yl_account account;  /* Of that arena and others that work for
                                 * it. */
    size_t step;                /* The next one, in the table of steps. */
    bool stepping;              /* Is one of them running? */
    bool continued;             /* Was it continued meanwhile? */

    struct yl_params params;    /* The query, decoded. */
    struct yl_request_info info;
    const struct yl_user *user; /* Whom authorization judges. */
    const struct yl_user *real_user;    /* Who authenticated, if the other is
                                         * impersonated; else NULL. */
    const struct yl_api_resource *resource;     /* Held; NULL elsewhere. */
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
    size_t compress_over;       /* Larger answers may be compressed (SIZE_MAX:
                                 * none), and "vary" is up to who says so; 0:
                                 * YL_COMPRESS_MIN. */

    bool answered;
    bool ended;                 /* The connection has let go of it: 'http' is
                                 * NULL. */
    struct yl_http_request *kept;   /* What 'http' was, kept for the account
                                     * while somebody holds the request. */
    int held;                   /* See yl_api_hold(). */
    int http_status;            /* Of the answer, for audit and metrics. */
    struct yl_gauge *in_flight; /* That counts it until it ends, or NULL. */
    void (*cancel)(struct yl_api_request *);    /* Set by who keeps it. */
    void *waiter;               /* The state of a filter that keeps it. */
    struct yl_write *waiting;   /* Writes that wait in a step. */
    void *verb;                 /* The verb's own state. */
};

/* Waiting
 * =======
 *
 * A filter that has to ask somebody else (a webhook, another thread) sets
 * 'cancel' and 'waiter', returns YL_STEP_WAIT, and has the request continued
 * when it has its answer:
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
 * After 'cancel' neither may be called: stop_asking() sees to it that
 * on_answer() is not called any more; or, if another thread has the question,
 * the request is held until that has let go of it, and both do nothing.  Who
 * answers and does not want to hear of the end clears 'cancel'. */

/* Goes on with the step behind the one that waits, on the request's loop.
 * 'cancel' is forgotten.  May be called before that step has returned: it
 * counts when it does.  Does nothing for a request that was answered or has
 * ended, if it is still held. */
void yl_api_continue(struct yl_api_request *);

/* Ends the waiting for good: calls 'cancel', if there is one. */
void yl_api_cancel(struct yl_api_request *);

/* Keeps the request's memory while another thread works for it (a write that
 * was handed to the keyspace), even if the client goes away; yl_api_release()
 * afterwards, on its loop, and only then look at 'ended'. */
void yl_api_hold(struct yl_api_request *);
void yl_api_release(struct yl_api_request *);

/* Adds a Warning header to the answer, "299 - \"TEXT\"", once for each
 * text. */
void yl_api_warn(struct yl_api_request *, const char *format, ...)
    YL_PRINTF(2, 3);

/* Adds a header; both are lent until the end. */
void yl_api_add_header(struct yl_api_request *, struct yl_str name,
                       struct yl_str value);

/* Answering
 * =========
 *
 * All return YL_STEP_DONE, so that a step can end in "return yl_api_...". */

/* Any body. */
enum yl_step yl_api_respond(struct yl_api_request *, int http_status,
                            const char *content_type, struct yl_str body);

/* The same for a body that stays as long as the request's arena. */
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

/* What everybody answers who has not got it: a Status, or a line of text where
 * not even the group exists. */
enum yl_step yl_api_respond_unknown(struct yl_api_request *);
enum yl_step yl_api_respond_no_page(struct yl_api_request *);

/* Group, version and resource as Status details name them. */
struct yl_gvr yl_api_gvr(const struct yl_api_request *);

#endif /* apiserver/request.h */
