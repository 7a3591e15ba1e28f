#ifndef CONTROLLER_RUNNER_H
#define CONTROLLER_RUNNER_H 1

/* Runner: one controller at work.
 *
 *     sources (one for each watch) --> keys, workqueue --> workers
 *
 * Threads
 * =======
 *
 * Sources are called on the loop's thread.  Each worker has a thread of its
 * own, and an arena that requests use one after the other.  They meet in the
 * work queue, in 'keys' and in the stores, all of which have locks. */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/thread.h"
#include "controller/keys.h"
#include "controller/table.h"
#include "yuloh/client.h"
#include "yuloh/metrics.h"

struct yl_applied;              /* controller/applied.h */
struct yl_cancel;
struct yl_informer;
struct yl_informer_factory;
struct yl_recorder;
struct yl_runner;
struct yl_workqueue;

/* A watch at work. */
struct yl_source {
    struct yl_runner *runner;
    const struct yl_watch *watch;
    const struct yl_kind *kind;
    unsigned index;             /* In the runner's sources. */
    struct yl_resource resource;
    struct yl_informer *informer;
    struct yl_store *store;     /* Of the informer. */
    struct yl_handler_registration *registration;
    const struct yl_selector *labels;   /* NULL: all. */
    struct yl_str namespace_;   /* Empty: all. */
    struct yl_arena *arena;     /* Scratch of the loop's thread. */
};

struct yl_worker {
    struct yl_runner *runner;
    struct yl_thread thread;
    struct yl_arena *arena;
    bool started;
};

/* What runners need of their manager; all of it is lent. */
struct yl_runner_opts {
    struct yl_client *client;
    struct yl_informer_factory *factory;
    struct yl_cancel *cancel;   /* Ends reconciles at once. */
    struct yl_cancel *stop;     /* Ends the wait for caches. */
    struct yl_clock *clock;
    struct yl_metrics *metrics;
    const char *namespace_;     /* Of watches that name none [all]. */
    unsigned n_workers;         /* [The controller's.] */
    yl_msec sync_timeout;       /* YL_NEVER: none. */

    /* A worker asks before its first key: waits until it may work.  False: it
     * shall end. */
    bool (*may_work)(void *aux);

    /* Asked before each call to the server: may it still work, now?  It looks
     * at the time, because a process that was stopped (SIGSTOP) can go on
     * before the thread that watches over its leadership does.  NULL: always.
     */
    bool (*still_works)(void *aux);

    /* A worker has ended. */
    void (*ended)(void *aux);

    /* The runner cannot work: its caches do not sync. */
    void (*failed)(void *aux, const struct yl_error *);
    void *aux;
};

/* How a reconcile ended, as controller-runtime counts it. */
enum yl_result {
    YL_RESULT_SUCCESS,
    YL_RESULT_ERROR,
    YL_RESULT_REQUEUE,
    YL_RESULT_REQUEUE_AFTER,
    YL_N_RESULTS
};

struct yl_runner {
    const struct yl_controller *controller;
    const struct yl_kind *kind; /* With 'for_'. */
    struct yl_resource resource;
    struct yl_runner_opts opts;
    struct yl_arena *arena;     /* Of what lives as long as the runner. */
    struct yl_str finalizer;    /* Null: no cleanup. */
    struct yl_workqueue *queue;
    struct yl_keys keys;
    struct yl_applied *applied;
    struct yl_source *sources;
    unsigned n_sources;
    struct yl_source *own;      /* The source with 'for_'. */
    struct yl_worker *workers;
    unsigned n_workers;
    atomic_uint n_ready;        /* Workers whose caches have synced. */
    struct yl_mutex lock;
    struct yl_recorder *recorder YL_GUARDED;    /* NULL until it is needed. */

    struct yl_counter *results[YL_N_RESULTS];
    struct yl_counter *errors, *terminal_errors, *timeouts;
    struct yl_histogram *time;
    struct yl_gauge *active;
};

/* The table must have passed yl_controller_check().  0, or an error of the
 * informers. */
int yl_runner_new(const struct yl_controller *, const struct yl_runner_opts *,
                  struct yl_runner **ret_runner, struct yl_error *err);

/* Starts the workers, which wait for the caches first.  0 or
 * YL_EUNAVAILABLE. */
int yl_runner_start(struct yl_runner *, struct yl_error *err);

/* No key comes out any more; workers end after the key that they have. */
void yl_runner_stop(struct yl_runner *);

/* Waits for the workers. */
void yl_runner_join(struct yl_runner *);

/* After yl_runner_join(), and before the factory goes. */
void yl_runner_free(struct yl_runner *);

/* Is nothing ready, out or waiting for its own writes? */
bool yl_runner_is_idle(struct yl_runner *);

/* Takes one key, works on it if it may, and gives it back: what a worker does
 * in a loop, for tests too.  False if the queue is shut down, or, unless
 * 'wait', if no key is ready. */
bool yl_runner_step(struct yl_runner *, struct yl_arena *arena, bool wait);

/* Works on 'key', which is out, unless it must wait for its own writes, and
 * asks the queue for it again if it has to come out again.  The caller gives
 * it back and clears the arena. */
void yl_runner_reconcile(struct yl_runner *, const struct yl_key *key,
                         struct yl_arena *arena);

/* The recorder of the controller's events, which is made when somebody asks.
 * NULL if the system has no thread for it. */
struct yl_recorder *yl_runner_recorder(struct yl_runner *);

/* The first source of a kind; NULL if it is not watched.  And the next of the
 * same kind: a controller may watch one in several namespaces, or by several
 * selectors. */
struct yl_source *yl_runner_source(const struct yl_runner *,
                                   const struct yl_kind *);
struct yl_source *yl_source_next(const struct yl_source *);

/* Sources
 * ======= */

/* Connects 'source', whose 'runner', 'watch' and 'index' are set, with its
 * informer, and ends that. */
int yl_source_init(struct yl_source *, struct yl_error *err);
void yl_source_release(struct yl_source *);

/* Does the cache show what is awaited? */
bool yl_source_shows(const struct yl_source *, const struct yl_await *,
                     struct yl_arena *arena);

/* Can the cache show this object? */
bool yl_source_covers(const struct yl_source *, const struct yl_object *,
                      struct yl_arena *arena);

/* If the cache does not have 'key', is there no such object? */
bool yl_source_knows_all(const struct yl_source *, const struct yl_key *key);

#endif /* controller/runner.h */
