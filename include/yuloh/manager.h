#ifndef YL_MANAGER_H
#define YL_MANAGER_H 1

/* Manager: what the controllers of a process share.
 *
 *     controllers (tables) --> [manager] --> one client, one factory of
 *                                            informers, workers, metrics,
 *                                            health, leader election
 *
 * yl_main() makes one from the command line.  A program that has its own main
 * makes one itself; one with its own main loop lends that too, and nothing
 * here needs yl_main().
 *
 * Guarantees
 * ==========
 *
 *   - Informers are shared: two controllers that watch the same objects share
 *     one list, one watch and one cache.
 *
 *   - Caches first.  A controller's workers begin when all its caches have
 *     synced.  If they have not after 'sync_timeout', the manager stops with
 *     that error.
 *
 *   - One leader.  With leader election, workers begin when this process is
 *     the leader; if it loses that, the manager stops at once and
 *     yl_manager_run() fails.
 *
 *   - A graceful stop takes no new key, lets each worker finish the one that
 *     it has for 'stop_timeout', and then cancels what its calls wait for.
 *
 * Ownership
 * =========
 *
 * Options are copied, but what they point to is lent for the manager's life;
 * so are controllers.  The client is referenced.
 *
 * Threads
 * =======
 *
 * yl_manager_stop() and the functions that only look may be called from any
 * thread.  The others belong to one thread; with a loop of one's own that is
 * the loop's, and yl_manager_run(), which waits, is not for it.
 *
 * Usage
 * =====
 *
 *     r = yl_manager_new(&(struct yl_manager_opts) { .client = client },
 *                        &manager, err);
 *     r = yl_manager_add(manager, &foo_controller, err);
 *     r = yl_manager_run(manager, err);      ... until yl_manager_stop()
 *     yl_manager_free(manager);
 *
 * In a program with a main loop of its own:
 *
 *     r = yl_manager_start(manager, err);
 *     ... the program's loop runs ...
 *     yl_manager_stop(manager);
 *     yl_manager_free(manager); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_client;               /* yuloh/client.h */
struct yl_controller;           /* yuloh/controller.h */
struct yl_informer_factory;     /* yuloh/informer.h */
struct yl_informer_factory_opts;
struct yl_loop;                 /* yuloh/loop.h */
struct yl_manager;
struct yl_metrics;              /* yuloh/metrics.h */

/* Options.  Zero means the default, where there is one. */
struct yl_manager_opts {
    struct yl_client *client;   /* Needed. */
    struct yl_loop *loop;       /* Lent [its own, with a thread]. */
    const char *namespace_;     /* Of watches that name none [all]. */
    unsigned workers;           /* Of each controller [what it says]. */
    struct yl_metrics *metrics; /* Lent [its own]. */
    struct yl_clock *clock;     /* Lent; tests pass a fake [monotonic]. */
    yl_msec sync_timeout;       /* [120,000]; YL_NEVER: none. */
    yl_msec stop_timeout;       /* [30,000] */

    /* Where /metrics and the status page (/debug/controller), and /healthz and
     * /readyz, are served without TLS: "127.0.0.1:8080" [nowhere].  The same
     * address for both is fine. */
    const char *metrics_address;
    const char *health_address;

    /* Leader election [off]; see yuloh/leader_election.h. */
    const char *leader_election_id;     /* Name of the Lease. */
    const char *leader_election_namespace;  /* Of the Lease ["default"]. */
    const char *identity;       /* [Host name and a random number.] */
    yl_msec lease_duration;     /* [15,000] */
    yl_msec renew_deadline;     /* [10,000] */
    yl_msec retry_period;       /* [2,000] */

    /* Of the factory: sources of one's own, traces.  Its 'loop', 'namespace_'
     * and 'clock' are set by the manager, and 'metrics' if it has none
     * [none]. */
    const struct yl_informer_factory_opts *informers;
};

/* 0, YL_EINVALID without a client, or YL_EUNAVAILABLE. */
int yl_manager_new(const struct yl_manager_opts *,
                   struct yl_manager **ret_manager, struct yl_error *err);

/* Stops at once what still runs. */
void yl_manager_free(struct yl_manager *);

/* Adds a controller, before the start.  YL_EINVALID if its table makes no
 * sense (yl_controller_check()); YL_EEXISTS if there is one of that name. */
int yl_manager_add(struct yl_manager *, const struct yl_controller *,
                   struct yl_error *err);

/* Starts informers, workers, servers and leader election, and returns at once.
 * 0, or YL_EUNAVAILABLE if an address is in use or there is no thread. */
int yl_manager_start(struct yl_manager *, struct yl_error *err);

/* Starts, waits until somebody calls yl_manager_stop() or something fails, and
 * stops.  0 after a graceful stop, else the error. */
int yl_manager_run(struct yl_manager *, struct yl_error *err);

/* Asks for a graceful stop, and the second time for one at once.  Returns
 * immediately.  Not from a signal handler. */
void yl_manager_stop(struct yl_manager *);

/* Waits until a manager that was started and asked to stop has stopped: 0, or
 * the error that made it stop. */
int yl_manager_join(struct yl_manager *, struct yl_error *err);

/* What it has. */
struct yl_client *yl_manager_client(const struct yl_manager *);
struct yl_informer_factory *yl_manager_factory(const struct yl_manager *);
struct yl_metrics *yl_manager_metrics(const struct yl_manager *);

/* The ports that were bound; 0 if there is no such listener. */
uint16_t yl_manager_metrics_port(const struct yl_manager *);
uint16_t yl_manager_health_port(const struct yl_manager *);

/* Have all caches synced, and does nobody stop it?  What /readyz answers.  A
 * replica that waits for its turn to lead is ready too. */
bool yl_manager_is_ready(struct yl_manager *);

/* Is no key ready, out, or waiting for its own writes?  Keys that back off or
 * were asked for later do not count. */
bool yl_manager_is_idle(struct yl_manager *);

/* The status page as text: for each controller its queue, the keys that are
 * out, back off or wait, with their last error, and how far its caches are
 * behind the server, which is asked and may take a second for each.  Lives in
 * 'arena'. */
struct yl_str yl_manager_status_text(struct yl_manager *,
                                     struct yl_arena *arena);

/* Pictures of controllers that run nowhere yet
 * ============================================
 *
 * 'controllers' ends with NULL. */

/* What is watched and owned, for Graphviz. */
struct yl_str yl_controllers_graph(
    const struct yl_controller *const *controllers, struct yl_arena *arena);

/* The ClusterRole that they need, as YAML; 'name' is its name.  With
 * 'leader_election' also what that needs. */
struct yl_str yl_controllers_rbac(
    const struct yl_controller *const *controllers, const char *name,
    bool leader_election, struct yl_arena *arena);

YL_C_END

#endif /* yuloh/manager.h */
