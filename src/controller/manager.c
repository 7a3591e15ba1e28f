/* Manager.  See yuloh/manager.h.
 *
 *     NEW --start--> RUNNING --stop--> STOPPING --stop--> STOPPING, canceled
 *                        \---failed------^
 *
 * Workers do not need the thread that started them: each waits for leadership
 * and for its caches by itself.  So a manager starts without waiting, which
 * lets it live inside of another program's loop. */

#include "controller/manager.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "controller/pages.h"
#include "controller/runner.h"
#include "yuloh/cancel.h"
#include "yuloh/informer.h"
#include "yuloh/leader_election.h"
#include "yuloh/log.h"

#define SYNC_TIMEOUT 120000
#define STOP_TIMEOUT 30000
#define LEASE_DURATION 15000
#define RENEW_DEADLINE 10000

static int find(const struct yl_manager *, const char *name);
static int start_pages(struct yl_manager *, struct yl_error *);
static int start_election(struct yl_manager *, struct yl_error *);
static void on_leading(void *manager);
static void on_not_leading(void *manager);
static bool may_work(void *manager);
static bool still_works(void *manager);
static bool may_always_work(void *manager);
static void worker_ended(void *manager);
static void fail(void *manager, const struct yl_error *);
static void wait_for_workers(struct yl_manager *);

int
yl_manager_new(const struct yl_manager_opts *opts,
               struct yl_manager **ret_manager, struct yl_error *err)
{
    struct yl_informer_factory_opts informers = { .loop = NULL };
    struct yl_manager *manager;
    int r;

    if (!opts->client) {
        return yl_error_set(err, YL_EINVALID, "a manager needs a client");
    }
    manager = yl_zalloc(sizeof *manager);
    manager->opts = *opts;
    manager->client = yl_client_ref(opts->client);
    if (!manager->opts.sync_timeout) {
        manager->opts.sync_timeout = SYNC_TIMEOUT;
    }
    if (!manager->opts.stop_timeout) {
        manager->opts.stop_timeout = STOP_TIMEOUT;
    }
    if (!manager->opts.lease_duration) {
        manager->opts.lease_duration = LEASE_DURATION;
    }
    if (!manager->opts.renew_deadline) {
        manager->opts.renew_deadline = RENEW_DEADLINE;
    }
    if (!opts->metrics) {
        manager->own_metrics = manager->opts.metrics = yl_metrics_new();
    }
    manager->cancel = yl_cancel_new();
    manager->stop = yl_cancel_new_child(manager->cancel);
    yl_mutex_init(&manager->lock);
    yl_cond_init(&manager->changed);
    if (opts->informers) {
        informers = *opts->informers;
    }
    informers.loop = opts->loop;
    informers.clock = opts->clock;
    if (!informers.metrics) {
        informers.metrics = manager->opts.metrics;
    }
    r = yl_informer_factory_new(manager->client, &informers,
                                &manager->factory, err);
    if (r < 0) {
        yl_manager_free(manager);
        return r;
    }
    *ret_manager = manager;
    return 0;
}

void
yl_manager_free(struct yl_manager *manager)
{
    size_t i;

    if (!manager) {
        return;
    }
    if (manager->started && !manager->joined) {
        yl_manager_stop(manager);
        yl_manager_stop(manager);
        yl_manager_join(manager, NULL);
    }
    yl_pages_free(manager->metrics_pages);
    yl_pages_free(manager->health_pages);
    yl_leader_election_free(yl_manager_election(manager));
    for (i = 0; i < manager->n_runners; i++) {
        yl_runner_free(manager->runners[i]);
    }
    free(manager->runners);
    yl_informer_factory_free(manager->factory);
    yl_client_unref(manager->client);
    yl_cancel_unref(manager->stop);
    yl_cancel_unref(manager->cancel);
    yl_metrics_free(manager->own_metrics);
    yl_mutex_lock(&manager->lock);
    yl_error_clear(&manager->error);
    yl_mutex_unlock(&manager->lock);
    yl_cond_destroy(&manager->changed);
    yl_mutex_destroy(&manager->lock);
    free(manager);
}

int
yl_manager_add(struct yl_manager *manager,
               const struct yl_controller *controller, struct yl_error *err)
{
    const struct yl_runner_opts opts = {
        .client = controller->client ? controller->client : manager->client,
        .factory = manager->factory,
        .cancel = manager->cancel,
        .stop = manager->stop,
        .clock = manager->opts.clock,
        .metrics = manager->opts.metrics,
        .namespace_ = manager->opts.namespace_,
        .n_workers = manager->opts.workers,
        .sync_timeout = manager->opts.sync_timeout,
        .may_work = controller->every_replica ? may_always_work : may_work,
        .still_works = controller->every_replica ? NULL : still_works,
        .ended = worker_ended,
        .failed = fail,
        .aux = manager,
    };
    struct yl_runner *runner = NULL;
    int r;

    assert(!manager->started);
    r = yl_controller_check(controller, err);
    if (r == 0 && find(manager, controller->name) >= 0) {
        r = yl_error_set(err, YL_EEXISTS, "there are two controllers %s",
                         controller->name);
    }
    if (r == 0) {
        r = yl_runner_new(controller, &opts, &runner, err);
    }
    if (r < 0) {
        return r;
    }
    manager->runners = yl_realloc_array(manager->runners,
                                        manager->n_runners + 1,
                                        sizeof *manager->runners);
    manager->runners[manager->n_runners++] = runner;
    return 0;
}

int
yl_manager_start(struct yl_manager *manager, struct yl_error *err)
{
    size_t i;
    int r = 0;

    assert(!manager->started);
    manager->started = true;
    yl_mutex_lock(&manager->lock);
    manager->leading = !manager->opts.leader_election_id;
    yl_mutex_unlock(&manager->lock);
    r = start_pages(manager, err);
    yl_informer_factory_start(manager->factory);
    for (i = 0; r == 0 && i < manager->n_runners; i++) {
        r = yl_runner_start(manager->runners[i], err);
        yl_mutex_lock(&manager->lock);
        manager->n_started += manager->runners[i]->n_workers;
        yl_mutex_unlock(&manager->lock);
    }
    if (r == 0 && manager->opts.leader_election_id) {
        r = start_election(manager, err);
    }
    if (r < 0) {
        yl_manager_stop(manager);
        yl_manager_stop(manager);
        yl_manager_join(manager, NULL);
    }
    return r;
}

int
yl_manager_run(struct yl_manager *manager, struct yl_error *err)
{
    int r = yl_manager_start(manager, err);

    if (r < 0) {
        return r;
    }
    yl_mutex_lock(&manager->lock);
    while (!manager->stopping) {
        yl_cond_wait(&manager->changed, &manager->lock);
    }
    yl_mutex_unlock(&manager->lock);
    return yl_manager_join(manager, err);
}

void
yl_manager_stop(struct yl_manager *manager)
{
    bool again;
    size_t i;

    yl_mutex_lock(&manager->lock);
    again = manager->stopping;
    manager->stopping = true;
    yl_cond_broadcast(&manager->changed);
    yl_mutex_unlock(&manager->lock);
    for (i = 0; i < manager->n_runners; i++) {
        yl_runner_stop(manager->runners[i]);
    }
    yl_cancel_now(manager->stop);
    if (again) {
        yl_cancel_now(manager->cancel);
    }
}

int
yl_manager_join(struct yl_manager *manager, struct yl_error *err)
{
    struct yl_leader_election *election;
    size_t i;
    int r;

    wait_for_workers(manager);
    for (i = 0; i < manager->n_runners; i++) {
        yl_runner_join(manager->runners[i]);
    }
    /* Nobody works any more, so somebody else may lead. */
    election = yl_manager_election(manager);
    if (election) {
        yl_leader_election_stop(election);
    }
    yl_informer_factory_stop(manager->factory);
    manager->joined = true;
    yl_mutex_lock(&manager->lock);
    r = manager->error.code;
    if (r < 0) {
        yl_error_set(err, r, "%s", yl_error_message(&manager->error));
    }
    yl_mutex_unlock(&manager->lock);
    return r;
}

struct yl_client *
yl_manager_client(const struct yl_manager *manager)
{
    return manager->client;
}

struct yl_informer_factory *
yl_manager_factory(const struct yl_manager *manager)
{
    return manager->factory;
}

struct yl_metrics *
yl_manager_metrics(const struct yl_manager *manager)
{
    return manager->opts.metrics;
}

bool
yl_manager_is_ready(struct yl_manager *manager)
{
    bool ready;
    size_t i;
    unsigned j;

    yl_mutex_lock(&manager->lock);
    ready = !manager->stopping;
    yl_mutex_unlock(&manager->lock);
    for (i = 0; ready && i < manager->n_runners; i++) {
        const struct yl_runner *runner = manager->runners[i];

        for (j = 0; ready && j < runner->n_sources; j++) {
            ready = yl_informer_has_synced(runner->sources[j].informer);
        }
    }
    return ready;
}

bool
yl_manager_is_idle(struct yl_manager *manager)
{
    size_t i;

    for (i = 0; i < manager->n_runners; i++) {
        if (!yl_runner_is_idle(manager->runners[i])) {
            return false;
        }
    }
    return true;
}

uint16_t
yl_manager_metrics_port(const struct yl_manager *manager)
{
    return manager->metrics_pages ? yl_pages_port(manager->metrics_pages) : 0;
}

uint16_t
yl_manager_health_port(const struct yl_manager *manager)
{
    return manager->health_pages ? yl_pages_port(manager->health_pages)
           : manager->opts.health_address ? yl_manager_metrics_port(manager)
           : 0;
}

struct yl_leader_election *
yl_manager_election(struct yl_manager *manager)
{
    struct yl_leader_election *election;

    yl_mutex_lock(&manager->lock);
    election = manager->election;
    yl_mutex_unlock(&manager->lock);
    return election;
}

/* One server is enough for both if they have one address. */
static int
start_pages(struct yl_manager *manager, struct yl_error *err)
{
    const char *metrics = manager->opts.metrics_address;
    const char *health = manager->opts.health_address;
    int r = 0;

    if (metrics) {
        r = yl_pages_new(manager, metrics, &manager->metrics_pages, err);
    }
    if (r == 0 && health && !(metrics && !strcmp(metrics, health))) {
        r = yl_pages_new(manager, health, &manager->health_pages, err);
    }
    return r;
}

static int
start_election(struct yl_manager *manager, struct yl_error *err)
{
    const struct yl_manager_opts *opts = &manager->opts;
    struct yl_leader_election *election;
    int r;

    r = yl_leader_election_start(&(struct yl_leader_election_opts) {
        .client = manager->client,
        .lease = yl_key_make(yl_str_c(opts->leader_election_namespace
                                          ? opts->leader_election_namespace
                                          : "default"),
                             yl_str_c(opts->leader_election_id)),
        .identity = opts->identity,
        .lease_duration = opts->lease_duration,
        .renew_deadline = opts->renew_deadline,
        .retry_period = opts->retry_period,
        .started = on_leading,
        .stopped = on_not_leading,
        .aux = manager,
        .metrics = opts->metrics,
        .clock = opts->clock,
    }, &election, err);
    if (r == 0) {
        yl_mutex_lock(&manager->lock);
        manager->election = election;
        yl_mutex_unlock(&manager->lock);
    }
    return r;
}

static void
on_leading(void *manager_)
{
    struct yl_manager *manager = manager_;

    yl_mutex_lock(&manager->lock);
    manager->leading = true;
    yl_cond_broadcast(&manager->changed);
    yl_mutex_unlock(&manager->lock);
}

/* Leadership was lost, or given up at the end, when nobody works any more.
 * Others take over when the Lease expires; until then all work must be
 * over. */
static void
on_not_leading(void *manager_)
{
    struct yl_manager *manager = manager_;
    struct yl_error err = YL_ERROR_INIT;
    yl_msec deadline = yl_now(manager->opts.clock)
                       + manager->opts.lease_duration
                       - manager->opts.renew_deadline;
    bool late = false, over;

    yl_mutex_lock(&manager->lock);
    over = manager->n_ended == manager->n_started;
    yl_mutex_unlock(&manager->lock);
    if (over) {
        return;
    }
    yl_error_set(&err, YL_EUNAVAILABLE, "leadership was lost");
    fail(manager, &err);
    yl_error_clear(&err);
    yl_cancel_now(manager->cancel);
    yl_mutex_lock(&manager->lock);
    while (manager->n_ended < manager->n_started && !late) {
        late = yl_cond_wait_until(&manager->changed, &manager->lock,
                                  manager->opts.clock, deadline);
    }
    yl_mutex_unlock(&manager->lock);
}

/* The place of the runner of that name; -1 if there is none. */
static int
find(const struct yl_manager *manager, const char *name)
{
    size_t i;

    for (i = 0; i < manager->n_runners; i++) {
        if (!strcmp(manager->runners[i]->controller->name, name)) {
            return (int) i;
        }
    }
    return -1;
}

/* Waits until this process leads. */
static bool
may_work(void *manager_)
{
    struct yl_manager *manager = manager_;
    bool may;

    yl_mutex_lock(&manager->lock);
    while (!manager->leading && !manager->stopping) {
        yl_cond_wait(&manager->changed, &manager->lock);
    }
    may = !manager->stopping;
    yl_mutex_unlock(&manager->lock);
    return may;
}

static bool
still_works(void *manager)
{
    struct yl_leader_election *election = yl_manager_election(manager);

    return !election || yl_leader_election_is_leader(election);
}

static bool
may_always_work(void *manager YL_UNUSED)
{
    return true;
}

static void
worker_ended(void *manager_)
{
    struct yl_manager *manager = manager_;

    yl_mutex_lock(&manager->lock);
    manager->n_ended++;
    yl_cond_broadcast(&manager->changed);
    yl_mutex_unlock(&manager->lock);
}

/* Something went wrong that ends the manager; the first error counts. */
static void
fail(void *manager_, const struct yl_error *err)
{
    struct yl_manager *manager = manager_;

    yl_mutex_lock(&manager->lock);
    if (!manager->error.code) {
        yl_error_set(&manager->error, err->code, "%s", yl_error_message(err));
    }
    yl_mutex_unlock(&manager->lock);
    yl_manager_stop(manager);
}

/* Waits until they have ended by themselves, and cancels their calls when the
 * time for that is over. */
static void
wait_for_workers(struct yl_manager *manager)
{
    yl_msec deadline = yl_now(manager->opts.clock)
                       + manager->opts.stop_timeout;
    bool late = false;

    yl_mutex_lock(&manager->lock);
    while (manager->n_ended < manager->n_started && !late) {
        late = yl_cond_wait_until(&manager->changed, &manager->lock,
                                  manager->opts.clock, deadline);
    }
    yl_mutex_unlock(&manager->lock);
    if (late) {
        yl_log_warning("Workers do not end, their calls are canceled");
        yl_cancel_now(manager->cancel);
    }
}
