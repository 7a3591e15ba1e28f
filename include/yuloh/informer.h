#ifndef YL_INFORMER_H
#define YL_INFORMER_H 1

/* Informer: keeps a store up to date and tells handlers what has changed.
 *
 *     reflector -> deltas -> [informer] -> store
 *                                \-------> handlers, each at its own pace
 *
 * This is client-go's shared index informer.  Any number of handlers share one
 * list, one watch and one store.  A factory shares informers: whoever asks for
 * the same resource, namespace and selectors gets the same one.
 *
 * Guarantees
 * ==========
 *
 *   - The store comes first.  When a handler hears of a change, the store has
 *     it, or something newer.
 *
 *   - In order, complete.  A handler hears of each object ADDED first, then
 *     each update, then DELETED; nothing is merged or left out.  One that is
 *     added late hears ADDED for every object that is there.
 *
 *   - A slow handler delays nobody.  Each has a thread and a cursor of its own
 *     into one log of notifications.  Memory is held only for what the slowest
 *     one has not read yet.
 *
 *   - No deletion is missed.  If the watch was interrupted, handlers hear of
 *     the deletions in between, with the last known state, flagged as
 *     tombstones.  An object that was deleted and made anew under its name is
 *     DELETED and ADDED.
 *
 *   - A relist is quiet.  Objects that have not changed are not reported.
 *
 *   - Resync.  A handler with a resync period hears 'updated' for every object
 *     once in that time, with the same object as old and new.
 *
 *   - Handlers can be added and removed at any time.  When removal returns,
 *     the handler is not running and is never called again (a handler that
 *     removes itself is not called after its return).
 *
 *   - Handlers are called with no lock held.
 *
 * Ownership
 * =========
 *
 * Objects are lent to handlers for the call.  Options are copied, but what
 * they point to (sources, loops, 'aux') is lent for the informer's life.
 *
 * Threads
 * =======
 *
 * An informer lives on a loop: it lists, watches and writes its store there.
 * yl_informer_start(), _stop() and _free() belong to the loop's thread, or to
 * any while the loop does not run.  Everything else may be called from any
 * thread.  Handlers run on threads of their own; those with 'inline_' run on
 * the loop's thread and must not block: they are for putting keys into a
 * queue.
 *
 * A factory without a loop of the caller has its own, with a thread: then all
 * functions of the factory may be called from any thread.  With a loop of the
 * caller, they belong to the loop's thread.
 *
 * Usage
 * =====
 *
 *     static const struct yl_handler handler = {
 *         .added = on_added, .updated = on_updated, .deleted = on_deleted,
 *     };
 *
 *     r = yl_informer_factory_new(client, NULL, &factory, err);
 *     pods = yl_informer_factory_get(factory, &pod_resource, NULL);
 *     yl_informer_add_handler(pods, &handler, self, NULL, NULL, err);
 *     yl_informer_factory_start(factory);
 *     r = yl_informer_factory_wait(factory, 60 * 1000, cancel, err);
 *     ... yl_store_list(yl_informer_store(pods), ...) ...
 *     yl_informer_factory_free(factory); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/delta.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/object.h"
#include "yuloh/reflector.h"
#include "yuloh/store.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_cancel;               /* yuloh/cancel.h */
struct yl_client;               /* yuloh/client.h */
struct yl_handler_registration;
struct yl_informer;
struct yl_informer_factory;
struct yl_lister_watcher;       /* yuloh/listwatch.h */
struct yl_loop;                 /* yuloh/loop.h */
struct yl_metrics;              /* yuloh/metrics.h */
struct yl_resource;             /* yuloh/client.h */

/* Handlers
 * ======== */

/* What a handler does; members may be NULL. */
struct yl_handler {
    /* 'initial': it was there before the handler was, or came with the first
     * list. */
    void (*added)(void *aux, const struct yl_versioned *object, bool initial);
    void (*updated)(void *aux, const struct yl_versioned *old,
                    const struct yl_versioned *object);

    /* 'object' is the last state, with the revision of the deletion.  Of a
     * tombstone it is the last known one. */
    void (*deleted)(void *aux, const struct yl_versioned *object,
                    bool tombstone);

    /* Only of inline handlers: they have heard everything that happened up to
     * 'revision'. */
    void (*advanced)(void *aux, uint64_t revision);
};

/* Options.  Zero means the default. */
struct yl_handler_opts {
    const char *name;           /* Of its thread, and for the trace
                                 * ["handler"]. */
    yl_msec resync;             /* [The informer's]; -1: never.  Below a second
                                 * it is raised to one. */
    bool inline_;               /* Run it on the loop's thread. */
};

/* Adds a handler; 'handler' is a constant, 'aux' is lent until the removal.
 * 'opts' and 'ret' may be NULL.  0, or YL_EUNAVAILABLE if there is no thread
 * to have or the informer has stopped. */
int yl_informer_add_handler(struct yl_informer *, const struct yl_handler *,
                            void *aux, const struct yl_handler_opts *opts,
                            struct yl_handler_registration **ret,
                            struct yl_error *err);

/* Does nothing for a registration of another informer. */
void yl_informer_remove_handler(struct yl_informer *,
                                struct yl_handler_registration *);

/* Has the handler heard of everything that the first list had? */
bool yl_handler_has_synced(const struct yl_handler_registration *);

/* The informer
 * ============ */

/* Something happened to an object: a delta was applied to the store, or a
 * handler was told.  For examples, tests and status pages. */
struct yl_informer_trace {
    const char *informer;       /* Its name. */
    const char *thread;         /* "loop", or the handler's name. */
    bool told;                  /* A handler was told; else the store has
                                 * it now. */
    enum yl_delta_type type;
    const struct yl_versioned *object;
    bool initial, tombstone;
};
typedef void yl_informer_trace_fn(void *aux, const struct yl_informer_trace *);

/* Options.  Zero means the default. */
struct yl_informer_opts {
    struct yl_loop *loop;       /* Needed. */
    struct yl_lister_watcher *source;   /* Needed. */
    const char *name;           /* For errors and traces ["informer"]. */
    struct yl_gvr resource;     /* For those who ask; lent. */
    struct yl_store_opts store;
    yl_msec resync;             /* Of handlers that do not say [never]. */
    struct yl_reflector_opts reflector; /* Delays, page size and so on; the
                                         * informer sets what connects it. */

    /* The reflector failed to list or watch; it goes on by itself.  Runs on
     * the loop's thread [logs a warning; of a revision that is too old, at
     * verbosity 4]. */
    void (*error)(void *aux, const struct yl_error *);
    void *error_aux;

    /* Runs on the thread where it happens, with no lock held. */
    yl_informer_trace_fn *trace;
    void *trace_aux;

    /* Lent [none].  As client-go's: informer_queued_items,
     * informer_processing_latency_seconds, informer_store_resource_version. */
    struct yl_metrics *metrics;
};

struct yl_informer *yl_informer_new(const struct yl_informer_opts *);

/* Stops it and removes all handlers; so no handler may call it. */
void yl_informer_free(struct yl_informer *);

/* Begins to list and watch; ends it.  After a stop no call of a handler
 * begins, also not for what it has not read yet; the store stays as it is.  A
 * stopped informer cannot be started again. */
void yl_informer_start(struct yl_informer *);
void yl_informer_stop(struct yl_informer *);

const char *yl_informer_name(const struct yl_informer *);

/* What it shows, as its options said; lent as long as it lives. */
struct yl_gvr yl_informer_resource(const struct yl_informer *);

/* Its store, which lives as long as it does. */
struct yl_store *yl_informer_store(struct yl_informer *);

/* Does the store have everything that the first list had? */
bool yl_informer_has_synced(struct yl_informer *);

/* The store has everything that happened up to this revision; 0 before the
 * first list. */
uint64_t yl_informer_revision(struct yl_informer *);

/* Has every handler heard of everything that the store has? */
bool yl_informer_is_settled(struct yl_informer *);

/* For status pages. */
struct yl_informer_status {
    const char *name;
    bool started, stopped;
    bool synced;
    struct yl_store_stats store;
    enum yl_reflector_state state;
    uint64_t revision;
    uint64_t n_lists, n_watches, n_events, n_errors;
    size_t n_handlers;
    const char *last_error;     /* In 'arena'; "" if all is well. */
};
void yl_informer_status(struct yl_informer *, struct yl_arena *arena,
                        struct yl_informer_status *ret_status);

/* Waits until all of these have synced.  YL_ETIMEOUT after 'timeout' (YL_NEVER
 * waits for ever), YL_ECANCELED if 'cancel' (which may be NULL) is set, or
 * YL_EUNAVAILABLE if one is stopped; the message names a cache that has not
 * synced and its last error.  Not for the loop's own thread, for which nobody
 * would wait. */
int yl_wait_for_cache_sync(struct yl_informer *const *informers, size_t n,
                           yl_msec timeout, struct yl_cancel *cancel,
                           struct yl_error *err);

/* Factory
 * ======= */

/* What an informer of a factory shows.  Zero means the default.  Slices are
 * copied. */
struct yl_informer_scope {
    struct yl_str namespace_;   /* [The factory's.] */
    struct yl_str label_selector, field_selector;
    bool metadata_only;
    bool keep_managed_fields;
    bool never_pack;
    yl_transform_fn *transform;
    void *transform_aux;
};

/* Options.  Zero means the default. */
struct yl_informer_factory_opts {
    struct yl_loop *loop;       /* Lent [its own, with a thread]. */
    struct yl_str namespace_;   /* Copied; of kinds that have one [all]. */
    yl_msec resync;             /* Of handlers that do not say [never]. */
    bool as_is;                 /* Stores keep the blocks that come: see
                                 * struct yl_store_opts. */
    bool never_pack;

    /* Where objects come from instead of the client: makes a lister-watcher
     * on 'loop', and frees it.  Called on the loop's thread. */
    struct yl_lister_watcher *(*new_source)(void *aux, struct yl_loop *loop,
                                            const struct yl_resource *,
                                            const struct yl_informer_scope *);
    void (*free_source)(void *aux, struct yl_lister_watcher *);
    void *source_aux;

    struct yl_reflector_opts reflector; /* As in struct yl_informer_opts. */
    void (*error)(void *aux, const struct yl_error *);
    void *error_aux;
    yl_informer_trace_fn *trace;
    void *trace_aux;
    struct yl_metrics *metrics;
    struct yl_clock *clock;     /* Lent, of its own loop [monotonic]. */
};

/* 'client' is referenced, and may be NULL if there is a 'new_source'.  'opts'
 * may be NULL.  0 or YL_EUNAVAILABLE. */
int yl_informer_factory_new(struct yl_client *client,
                            const struct yl_informer_factory_opts *opts,
                            struct yl_informer_factory **ret_factory,
                            struct yl_error *err);

/* Stops everything first. */
void yl_informer_factory_free(struct yl_informer_factory *);

/* The informer for this resource and scope (NULL: the default), which lives as
 * long as the factory. */
struct yl_informer *
yl_informer_factory_get(struct yl_informer_factory *,
                        const struct yl_resource *,
                        const struct yl_informer_scope *);

/* Starts every informer that was asked for and is not started yet. */
void yl_informer_factory_start(struct yl_informer_factory *);
void yl_informer_factory_stop(struct yl_informer_factory *);

/* Waits until every informer that was started has synced: see
 * yl_wait_for_cache_sync(). */
int yl_informer_factory_wait(struct yl_informer_factory *, yl_msec timeout,
                             struct yl_cancel *cancel, struct yl_error *err);

/* The loop that its informers live on. */
struct yl_loop *yl_informer_factory_loop(struct yl_informer_factory *);

/* Calls 'fn' for each informer. */
void yl_informer_factory_each(struct yl_informer_factory *,
                              void (*fn)(void *aux, struct yl_informer *),
                              void *aux);

YL_C_END

#endif /* yuloh/informer.h */
