#ifndef YL_CLIENT_H
#define YL_CLIENT_H 1

/* Client: talks to a Kubernetes API server about any resource.
 *
 *     your code -> [client] -> API server        (blocking calls, any thread)
 *     API server -> [lister-watcher] -> reflector     (on a loop's thread)
 *
 * Objects are JSON on the way in and blocks (yuloh/object.h) on the way out.
 * The client knows no kind: a struct yl_resource says which path an object
 * has, and comes from a generated kind (yl_resource_of()), from discovery
 * (yuloh/mapper.h) or from the caller.
 *
 * Guarantees
 * ==========
 *
 *   - A call that returns 0 was answered with success by the server.  A
 *     negative result is a row of the error table: for a Status that the
 *     server has sent, the row with its reason, and 'err' has its message,
 *     causes and delay.  YL_EUNAVAILABLE means that the server could not be
 *     reached or that the connection broke, YL_ETIMEOUT that the time of the
 *     call was over, YL_ECANCELED that its cancel was used.  After these
 *     three a write may or may not have been done.
 *
 *   - A list is never in memory as a whole: it comes in pages of
 *     'options->limit' [500] objects, which are read as a stream, and one
 *     object at a time is given to the caller.  All pages show one revision.
 *
 *   - Retries are client-go's: an answer 429 or 5xx that has a Retry-After is
 *     tried again after that time, at most 'max_retries' [10] times.  A delay
 *     of more than a minute is not waited for but reported.  A request on a
 *     kept connection that turns out to be closed is sent again on a new one
 *     if the server cannot have done it, or if it is a GET.  Nothing is
 *     retried after a part of a list or watch was handed out.
 *
 *   - Throttling is by one token bucket for all calls, if the configuration
 *     has a 'qps'.  It is off by default, as in controller-runtime: servers
 *     protect themselves (API priority and fairness).  A call that would have
 *     to wait past its timeout fails at once and uses no token.
 *     Lister-watchers are not throttled; reflectors back off by themselves.
 *
 *   - Warnings of the server reach the handler once for each answer that has
 *     them.  The default handler logs each text once.
 *
 *   - Answers have a ceiling: 64 MB for an object, an event or a raw body.
 *
 * Ownership
 * =========
 *
 * A client is counted.  What a call takes is borrowed for the call.  The
 * object in '*ret' is the caller's, who unrefs it; every 'ret' may be NULL.
 * Objects and events that callbacks receive are lent.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.  Each call that is under way
 * has a connection of its own, which is kept for the next call.  Callbacks
 * run on the calling thread, the handler of warnings on any thread that makes
 * calls.  A lister-watcher belongs to its loop's thread.
 *
 * Usage
 * =====
 *
 *     static const struct yl_resource pods = {
 *         { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("pods") },
 *         YL_STR_INIT("Pod"), true,
 *     };
 *     struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("web-0"));
 *     struct yl_versioned pod;
 *
 *     if (yl_client_get(client, &pods, &key, NULL, &pod, err) == 0) {
 *         ...
 *         yl_object_unref(pod.object);
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/key.h"
#include "yuloh/listwatch.h"
#include "yuloh/object.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_cancel;               /* yuloh/cancel.h */
struct yl_client;
struct yl_client_config;        /* yuloh/client_config.h */
struct yl_kind;                 /* yuloh/schema.h */
struct yl_loop;                 /* yuloh/loop.h */
struct yl_metrics;

/* Resources
 * ========= */

/* Where the objects of a kind are found. */
struct yl_resource {
    struct yl_gvr gvr;
    struct yl_str kind;         /* "Deployment"; may be empty. */
    bool namespaced;
};

/* The resource of a generated kind; its slices are constants. */
struct yl_resource yl_resource_of(const struct yl_kind *);

/* The client
 * ========== */

/* Receives a warning of the server: code (299), agent ("-") and text. */
typedef void yl_warning_fn(void *aux, int code, struct yl_str agent,
                           struct yl_str text);

/* Options.  Zero means the default. */
struct yl_client_opts {
    struct yl_metrics *metrics; /* Lent [none]. */
    struct yl_clock *clock;     /* Lent [monotonic]. */
    yl_warning_fn *warning;     /* [Logs each text once.] */
    void *warning_aux;
    int max_retries;            /* Of a call [10]; -1: none. */
};

/* The configuration and 'opts' (which may be NULL) are copied.  0, or
 * YL_EINVALID and a sentence if the configuration makes no sense.  No
 * connection is made yet. */
int yl_client_new(const struct yl_client_config *,
                  const struct yl_client_opts *opts,
                  struct yl_client **ret_client, struct yl_error *err);
struct yl_client *yl_client_ref(struct yl_client *);
struct yl_client *yl_client_unref(struct yl_client *);

/* Calls
 * ===== */

enum yl_field_validation {
    YL_VALIDATION_DEFAULT,      /* What the server does by itself. */
    YL_VALIDATION_IGNORE,
    YL_VALIDATION_WARN,
    YL_VALIDATION_STRICT,
};

/* Options of a call.  Zero means the default; those that a call has no use for
 * are passed over. */
struct yl_call_opts {
    yl_msec timeout;            /* Of the whole call, with its retries [The
                                 * configuration's; else a minute, none for
                                 * lists and watches]. */
    struct yl_cancel *cancel;   /* Ends the call from another thread. */
    const char *subresource;    /* "status", "scale", ... [none]. */
    const char *field_manager;  /* Of writes [by the user agent]. */
    bool force;                 /* Of an apply: take over fields that others
                                 * own. */
    bool dry_run;               /* Change nothing. */
    enum yl_field_validation field_validation;
    struct yl_str resource_version;     /* Of a get: "0" is any at hand. */
    int max_retries;            /* [The client's]; -1: none. */
};

/* One object
 * ==========
 *
 * 'json' is a whole object with its apiVersion and kind.  'key' may be NULL
 * where there is a 'json': then metadata says name and namespace. */

int yl_client_get(struct yl_client *, const struct yl_resource *,
                  const struct yl_key *key, const struct yl_call_opts *,
                  struct yl_versioned *ret, struct yl_error *err);
int yl_client_create(struct yl_client *, const struct yl_resource *,
                     struct yl_str namespace_, struct yl_str json,
                     const struct yl_call_opts *, struct yl_versioned *ret,
                     struct yl_error *err);

/* YL_ECONFLICT if 'json' has a resourceVersion that is not the newest. */
int yl_client_update(struct yl_client *, const struct yl_resource *,
                     const struct yl_key *key, struct yl_str json,
                     const struct yl_call_opts *, struct yl_versioned *ret,
                     struct yl_error *err);
int yl_client_update_status(struct yl_client *, const struct yl_resource *,
                            const struct yl_key *key, struct yl_str json,
                            const struct yl_call_opts *,
                            struct yl_versioned *ret, struct yl_error *err);

enum yl_patch_type {
    YL_PATCH_JSON,              /* RFC 6902. */
    YL_PATCH_MERGE,             /* RFC 7396. */
    YL_PATCH_STRATEGIC,         /* Of built-in kinds. */
    YL_PATCH_APPLY,             /* Server-side apply: see yl_client_apply(). */
};

int yl_client_patch(struct yl_client *, const struct yl_resource *,
                    const struct yl_key *key, enum yl_patch_type,
                    struct yl_str patch, const struct yl_call_opts *,
                    struct yl_versioned *ret, struct yl_error *err);

/* Server-side apply: makes the object have the fields of 'json', whose owner
 * is the field manager.  YL_EINVALID without one; YL_ECONFLICT with a cause
 * for each field that another manager owns, unless 'force'. */
int yl_client_apply(struct yl_client *, const struct yl_resource *,
                    const struct yl_key *key, struct yl_str json,
                    const struct yl_call_opts *, struct yl_versioned *ret,
                    struct yl_error *err);

/* What happens to the objects that a deleted one owns. */
enum yl_propagation {
    YL_PROPAGATION_DEFAULT,
    YL_PROPAGATION_ORPHAN,
    YL_PROPAGATION_BACKGROUND,
    YL_PROPAGATION_FOREGROUND,
};

/* Options of a deletion.  Zero means the default. */
struct yl_delete_opts {
    /* Preconditions: YL_ECONFLICT if the object has others. */
    struct yl_str uid;
    struct yl_str resource_version;

    enum yl_propagation propagation;
    const int64_t *grace_period_seconds;    /* NULL: the kind's own. */
};

/* 'ret->object' is NULL if the object is gone at once; else it is the object
 * that is on its way out.  'options' may be NULL. */
int yl_client_delete(struct yl_client *, const struct yl_resource *,
                     const struct yl_key *key,
                     const struct yl_delete_opts *options,
                     const struct yl_call_opts *, struct yl_versioned *ret,
                     struct yl_error *err);

/* How many replicas an object shall have, and has. */
struct yl_scale {
    int64_t spec_replicas;
    int64_t status_replicas;
    uint64_t revision;          /* Of the object. */
};

int yl_client_get_scale(struct yl_client *, const struct yl_resource *,
                        const struct yl_key *key, const struct yl_call_opts *,
                        struct yl_scale *ret, struct yl_error *err);

/* 'revision' is what the object must have, 0 for any. */
int yl_client_update_scale(struct yl_client *, const struct yl_resource *,
                           const struct yl_key *key, int64_t replicas,
                           uint64_t revision, const struct yl_call_opts *,
                           struct yl_scale *ret, struct yl_error *err);

/* Many objects
 * ============
 *
 * An empty namespace means all of them.  'options' may be NULL. */

/* Receives an item, which is lent.  Returns 0 to go on, 1 to end the call
 * with success, or an error, which the call returns. */
typedef int yl_client_item_fn(void *aux, const struct yl_versioned *item);

/* Calls 'item' for each object.  '*ret_page' receives the revision of the list
 * (its token is always empty) and may be NULL.  YL_EEXPIRED if the server has
 * forgotten the revision between two pages: then start over. */
int yl_client_list(struct yl_client *, const struct yl_resource *,
                   struct yl_str namespace_, const struct yl_list_options *,
                   yl_client_item_fn *item, void *aux,
                   const struct yl_call_opts *, struct yl_list_page *ret_page,
                   struct yl_error *err);

/* The same for an event, which is lent; to keep its object take it out and
 * leave NULL. */
typedef int yl_client_event_fn(void *aux, struct yl_watch_event *event);

/* Calls 'event' for each event until the server ends the watch, as it does
 * after some minutes; then go on from the last revision.  An ERROR event is
 * not given to 'event': the call returns its error. */
int yl_client_watch(struct yl_client *, const struct yl_resource *,
                    struct yl_str namespace_, const struct yl_list_options *,
                    yl_client_event_fn *event, void *aux,
                    const struct yl_call_opts *, struct yl_error *err);

/* Deletes those that 'which' selects. */
int yl_client_delete_collection(struct yl_client *, const struct yl_resource *,
                                struct yl_str namespace_,
                                const struct yl_delete_opts *options,
                                const struct yl_list_options *which,
                                const struct yl_call_opts *,
                                struct yl_error *err);

/* Anything else
 * ============= */

struct yl_client_request {
    const char *method;         /* ["GET"] */
    struct yl_str path;         /* "/healthz?verbose", as it is sent. */
    struct yl_str body;
    const char *content_type;   /* Of a body ["application/json"]. */
    const char *accept;         /* ["application/json"] */
};

struct yl_client_answer {
    int http_status;
    struct yl_str content_type;
    struct yl_str body;         /* Up to 64 MB. */
};

/* Sends a request as it is, behind the path of the server's URL.  Returns 0
 * for every answer, whatever its HTTP status is; 'arena' holds it.
 * yl_client_answer_error() says which error an answer is, 0 for a success. */
int yl_client_request(struct yl_client *, const struct yl_client_request *,
                      const struct yl_call_opts *, struct yl_arena *arena,
                      struct yl_client_answer *ret, struct yl_error *err);
int yl_client_answer_error(const struct yl_client_answer *,
                           struct yl_error *err);

/* Lister-watchers
 * =============== */

/* Options.  Zero means the default. */
struct yl_client_lister_watcher_opts {
    struct yl_str namespace_;   /* [All.] */
    bool metadata_only;         /* Ask for PartialObjectMetadata. */
    struct yl_str label_selector, field_selector;   /* For all calls, unless
                                                     * these have their own. */
};

/* A lister-watcher (yuloh/listwatch.h) whose sinks are called on the loop's
 * thread.  It holds a reference to the client; resource and options are
 * copied; 'opts' may be NULL.  All of a client's lister-watchers on one loop
 * share their connections.
 *
 * Freeing it ends all its calls without calling their sinks; not from inside
 * a sink. */
struct yl_lister_watcher *yl_client_lister_watcher_new(
    struct yl_client *, struct yl_loop *, const struct yl_resource *,
    const struct yl_client_lister_watcher_opts *opts);
void yl_client_lister_watcher_free(struct yl_lister_watcher *);

YL_C_END

#endif /* yuloh/client.h */
