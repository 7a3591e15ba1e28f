#ifndef YL_CONTROLLER_H
#define YL_CONTROLLER_H 1

/* Controller: a constant table that says what is watched and what to do.
 *
 *     informers -> events -> [which key?] -> workqueue -> worker
 *                                                           |
 *     API server <- writes <- your reconcile(request) <-----'
 *
 * A controller is about the objects of one kind, the one with '.for_'.  An
 * event of such an object, of one that it owns, or of another one that 'map'
 * leads from, puts the object's key into a work queue.  A worker takes the key
 * out and calls 'reconcile', which compares what should be with what is and
 * acts.  It is told which object to look at, not what has happened to it.
 *
 * Guarantees
 * ==========
 *
 *   - One at a time.  No two workers of a controller have the same key.
 *
 *   - Nothing is missed.  After the last event of an object its key comes out
 *     at least once, and what 'reconcile' reads then is not older than that
 *     event.
 *
 *   - Own writes are seen.  A key whose reconcile has written objects of
 *     watched kinds does not come out again before the caches have these
 *     writes, so that it never acts on its own past.  A cache that never shows
 *     a write (a selector hides the object) delays the key by
 *     'own_write_timeout' at most.
 *
 *   - Errors follow the table of yuloh/error.h: YL_RETRY_NEVER ends the key's
 *     work until its next event; NOW tries again as soon as the cache has
 *     something newer; AS_TOLD waits as long as the server said; BACKOFF and
 *     RELIST wait for the key's own growing delay.  Each is logged, counted
 *     and shown to the error hook.
 *
 *   - Cleanup is not forgotten.  With 'cleanup' an object has a finalizer
 *     before 'reconcile' sees it for the first time; it is taken away after
 *     'cleanup' has returned 0.
 *
 *   - Nonsense is refused before anything is connected: see
 *     yl_controller_check().
 *
 * Ownership
 * =========
 *
 * A table, and all that it points to, is borrowed for as long as a manager has
 * it; most are constants.  Everything that a request lends dies when
 * 'reconcile' or 'cleanup' returns; they free nothing.
 *
 * Threads
 * =======
 *
 * 'reconcile' and 'cleanup' run on the controller's workers, as many at once
 * as 'workers' says, and may block.  'map' and 'filter' run on the loop's
 * thread and must not.  A request belongs to the thread that it was given to.
 *
 * Usage
 * =====
 *
 *     static int
 *     foo_reconcile(struct yl_request *req)
 *     {
 *         const struct foo *foo = foo_of(req);
 *         ...
 *         return foo_update_status(req, &status);
 *     }
 *
 *     static const struct yl_controller foo_controller = {
 *         .name = "foo",
 *         .reconcile = foo_reconcile,
 *         .watches = YL_WATCHES({ .for_ = &foo_kind,
 *                                 .changed = YL_GENERATION },
 *                               { .owns = &apps_v1_deployment_kind }),
 *     };
 *
 *     int
 *     main(int argc, char *argv[])
 *     {
 *         return yl_main(argc, argv, YL_CONTROLLERS(&foo_controller));
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/object.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_call_opts;            /* yuloh/client.h */
struct yl_cancel;               /* yuloh/cancel.h */
struct yl_client;               /* yuloh/client.h */
struct yl_kind;                 /* yuloh/schema.h */
struct yl_rate_limiter;         /* yuloh/rate_limiter.h */
struct yl_request;
struct yl_store;                /* yuloh/store.h */

/* The table
 * ========= */

/* Brings the object of the request to where it should be: 0, or an error of
 * the table. */
typedef int yl_reconcile_fn(struct yl_request *);

/* Says which keys of the controller an event of 'object' is about, by calling
 * yl_enqueue() once for each.  'old' is what was known of it before; NULL if
 * nothing. */
struct yl_enqueuer;
typedef void yl_map_fn(struct yl_enqueuer *, const struct yl_object *object,
                       const struct yl_object *old, void *aux);
void yl_enqueue(struct yl_enqueuer *, const struct yl_key *key);

/* Does an update matter? */
typedef bool yl_filter_fn(const struct yl_object *old,
                          const struct yl_object *object, void *aux);

/* What of an object must differ for its update to be an event; several may be
 * joined with '|'.  Additions, deletions, and the moment from which on an
 * object is being deleted, are always events. */
enum yl_changed {
    YL_GENERATION = 1 << 0,     /* Its spec.  Kinds whose objects have no
                                 * generation: anything. */
    YL_LABELS = 1 << 1,
    YL_ANNOTATIONS = 1 << 2,
    YL_OWNERS = 1 << 3,         /* Its owner references. */
    YL_FINALIZERS = 1 << 4,
};

/* What is watched.  Exactly one of 'for_', 'owns' and 'other' is set, and
 * exactly one watch of a controller has 'for_'. */
struct yl_watch {
    const struct yl_kind *for_;     /* The controller's own objects. */
    const struct yl_kind *owns;     /* What they own: an event is about the
                                     * owner. */
    const struct yl_kind *other;    /* What else matters; needs 'map'. */

    yl_map_fn *map;             /* Of 'other'. */
    unsigned changed;           /* enum yl_changed [any change]. */
    yl_filter_fn *filter;       /* Asked after 'changed' [none]. */

    /* Which objects are watched and cached. */
    const char *namespace_;     /* [The manager's; else all.] */
    const char *label_selector; /* [All.] */
    const char *field_selector; /* [All.] */
    bool metadata_only;         /* Cache their metadata only. */

    bool any_owner;             /* Of 'owns': also owners that are not the
                                 * object's controller. */
    yl_msec resync;             /* Each object is an event again after this
                                 * time [never]. */
};

#define YL_WATCHES(...) \
    ((const struct yl_watch[]) { __VA_ARGS__, { .for_ = NULL } })

/* Zero means the default, so name only what you change. */
struct yl_controller {
    const char *name;           /* In logs, metrics, as field manager; lower
                                 * case, as a label's value. */
    yl_reconcile_fn *reconcile;
    const struct yl_watch *watches;     /* YL_WATCHES(...) */

    /* Undoes what an object that is being deleted has caused outside of the
     * API; what it owns inside is garbage collected [nothing to do]. */
    yl_reconcile_fn *cleanup;
    const char *finalizer;      /* Of 'cleanup' ["GROUP/NAME"]. */

    unsigned workers;           /* Threads [1]. */
    yl_msec timeout;            /* Of one reconcile: its calls end then with
                                 * YL_ETIMEOUT [none]. */

    /* Back-off of keys whose reconcile has failed; see yuloh/workqueue.h. */
    yl_msec retry_min;          /* After the first failure [5]. */
    yl_msec retry_max;          /* The longest [1,000,000]. */
    struct yl_rate_limiter *limiter;    /* In place of both [client-go's
                                         * default]. */

    yl_msec own_write_timeout;  /* How long a key waits for its own writes at
                                 * most [10,000]. */
    bool every_replica;         /* Runs without leadership too. */
    struct yl_client *client;   /* Lent; sends its requests, so that it can
                                 * have an identity of its own [the
                                 * manager's]. */
    void *aux;                  /* For yl_request_aux(), 'map', 'filter'. */
};

#define YL_CONTROLLERS(...) \
    ((const struct yl_controller *const[]) { __VA_ARGS__, NULL })

/* Does the table make sense?  0, or YL_EINVALID with one sentence for the
 * first fault: no name or one that is no label value, no 'reconcile', no watch
 * or two with 'for_', a watch of nothing or of two kinds, 'map' without
 * 'other' or 'other' without 'map', unknown bits in 'changed', a selector that
 * does not parse, a namespace on a kind that has none, a kind watched twice in
 * the same way, a finalizer that is not qualified or that nobody cleans up,
 * times below 0. */
int yl_controller_check(const struct yl_controller *, struct yl_error *err);

/* The kind with 'for_'; NULL if there is none. */
const struct yl_kind *yl_controller_kind(const struct yl_controller *);

/* The request: what a reconcile is about
 * ====================================== */

const struct yl_key *yl_request_key(const struct yl_request *);

/* The object as the cache has it, or NULL if there is none any more; and its
 * revision.  With 'cleanup' there always is one. */
const struct yl_object *yl_request_object(const struct yl_request *);
uint64_t yl_request_revision(const struct yl_request *);

/* The object as a record, for generated wrappers (foo_of()); NULL if there is
 * no object.  'kind' is the one with 'for_'.  It was decoded before
 * 'reconcile' was called: an object that does not decode fails with that
 * error and never reaches it. */
const void *yl_request_record(const struct yl_request *,
                              const struct yl_kind *kind);

/* Memory that dies with the request. */
struct yl_arena *yl_request_arena(struct yl_request *);

/* Why the key came out, as one line: "Deployment default/web modified", and
 * how many more events there were. */
const char *yl_request_reason(const struct yl_request *);

/* How often the key has failed since it last succeeded. */
unsigned yl_request_n_failures(const struct yl_request *);

const struct yl_controller *
yl_request_controller(const struct yl_request *);
void *yl_request_aux(const struct yl_request *);
struct yl_client *yl_request_client(const struct yl_request *);

/* The cache of a kind that the controller watches; NULL if it watches none. */
struct yl_store *yl_request_store(const struct yl_request *,
                                  const struct yl_kind *kind);

/* Where the details of an error go: pass it to functions that take an error,
 * and return their code.  yl_request_fail() sets it and returns 'code'. */
struct yl_error *yl_request_error(struct yl_request *);
int yl_request_fail(struct yl_request *, int code, const char *format, ...)
    YL_PRINTF(3, 4);

/* Options for calls of one's own: with the time that is left of 'timeout', the
 * request's cancel and the controller as field manager.  They are lent until
 * the next call of this function. */
const struct yl_call_opts *yl_request_call_opts(struct yl_request *);

/* Set when the manager stops at once.  And how long the reconcile may still
 * take: YL_NEVER without a 'timeout', 0 when its time is over. */
struct yl_cancel *yl_request_cancel(const struct yl_request *);
yl_msec yl_request_time_left(const struct yl_request *);

/* The key comes out again after 'delay', if the reconcile succeeds; of several
 * delays the shortest counts. */
void yl_requeue_after(struct yl_request *, yl_msec delay);

/* Writing
 * =======
 *
 * These send what the typed wrappers and your own code build.  They are
 * remembered as the key's own writes; an error's details are in
 * yl_request_error().  'ret' may be NULL; what it receives lives as long as
 * the request. */

int yl_request_create(struct yl_request *, const struct yl_kind *,
                      struct yl_str json, struct yl_versioned *ret);
int yl_request_update(struct yl_request *, const struct yl_kind *,
                      struct yl_str json, struct yl_versioned *ret);

/* 'subresource' may be NULL.  A merge patch; an apply that takes fields over
 * from other managers. */
int yl_request_patch(struct yl_request *, const struct yl_kind *,
                     const struct yl_key *key, const char *subresource,
                     struct yl_str merge_patch, struct yl_versioned *ret);
int yl_request_apply(struct yl_request *, const struct yl_kind *,
                     const struct yl_key *key, const char *subresource,
                     struct yl_str json, struct yl_versioned *ret);

/* 0 also if there is no such object any more.  'uid' may be empty: any. */
int yl_request_delete(struct yl_request *, const struct yl_kind *,
                      const struct yl_key *key, struct yl_str uid);

/* Makes the object of the request have this status, given as a record of the
 * kind's status type or as JSON.  Nothing is sent if it has it already.
 * Members that the type of the record does not know are kept, but not inside
 * of a list that changes, which is replaced; JSON says everything, and what it
 * does not have goes.  YL_ECONFLICT if the object is newer than what the
 * request has seen: the key is retried with that. */
int yl_request_update_status(struct yl_request *, const struct yl_kind *,
                             const void *status);
int yl_request_update_status_json(struct yl_request *, struct yl_str status);

/* Applies 'want', a record of 'kind', as the request's own: it gets an owner
 * reference to the object of the request, and its namespace if it names none.
 * '*ret_have' (which may be NULL) receives the record as the server has it.
 * YL_EINVALID if the object of the request cannot own it: it is in another
 * namespace, or in none while the owner is in one.  Nothing is sent if this
 * controller has applied the same before and the cache still shows all of
 * it. */
int yl_request_apply_owned(struct yl_request *, const struct yl_kind *kind,
                           const void *want, const void **ret_have);

/* Creates or changes an object: 'mutate' gets it as a record (zeros but for
 * its name and namespace if there is none) in the request's arena, and changes
 * it.  Nothing is sent if nothing changed.  Returns 1 if it was created or
 * changed, 0 if not. */
typedef int yl_mutate_fn(struct yl_request *, void *record, void *aux);
int yl_request_create_or_update(struct yl_request *,
                                const struct yl_kind *kind,
                                const struct yl_key *key,
                                yl_mutate_fn *mutate, void *aux,
                                const void **ret_have);

/* An owner reference to the object of the request, as JSON. */
struct yl_str yl_request_owner_json(struct yl_request *);

/* Records an Event about the object of the request: 'type' is "Normal" or
 * "Warning", 'reason' a word in CamelCase. */
void yl_request_event(struct yl_request *, const char *type,
                      const char *reason, const char *format, ...)
    YL_PRINTF(4, 5);

/* The process
 * =========== */

/* Called for each failed reconcile of the process, after it was logged, on the
 * worker's thread.  NULL: none.  The arguments are lent. */
typedef void yl_error_hook_fn(const struct yl_controller *,
                              const struct yl_key *, const struct yl_error *);
void yl_set_error_hook(yl_error_hook_fn *);

/* A whole program: flags, signals, logs, metrics, health, leader election and
 * a manager (yuloh/manager.h) with these controllers.  Returns the exit
 * status: 0 after a graceful stop, 1 if it cannot run or has lost its
 * leadership, 2 for flags that make no sense.  '--help' lists the flags. */
int yl_main(int argc, char *argv[],
            const struct yl_controller *const *controllers);

YL_C_END

#endif /* yuloh/controller.h */
