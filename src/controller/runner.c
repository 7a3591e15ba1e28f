/* Runner: one controller at work.  See controller/runner.h. */

#include "controller/runner.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "controller/applied.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/error.h"
#include "yuloh/informer.h"
#include "yuloh/log.h"
#include "yuloh/recorder.h"
#include "yuloh/workqueue.h"

/* How long events may take to reach the server at the end. */
#define FLUSH_TIMEOUT 1000

static void add_metrics(struct yl_runner *);
static struct yl_metric *add_metric(struct yl_metrics *, enum yl_metric_type,
                                    const char *name, const char *help,
                                    size_t n_labels);
static struct yl_source *find_source(const struct yl_runner *,
                                     const struct yl_kind *, unsigned i);
static bool is_queue_idle(void *queue);
static unsigned n_workers(const struct yl_runner *);
static void work(void *worker);
static bool wait_for_caches(struct yl_runner *);

int
yl_runner_new(const struct yl_controller *controller,
              const struct yl_runner_opts *opts,
              struct yl_runner **ret_runner, struct yl_error *err)
{
    struct yl_runner *runner = yl_zalloc(sizeof *runner);
    const struct yl_watch *watch;
    unsigned i;
    int r = 0;

    runner->controller = controller;
    runner->kind = yl_controller_kind(controller);
    runner->resource = yl_resource_of(runner->kind);
    runner->opts = *opts;
    runner->arena = yl_arena_new();
    runner->finalizer = yl_controller_finalizer(controller, runner->arena);
    runner->queue = yl_workqueue_new(&(struct yl_workqueue_opts) {
        .name = controller->name,
        .retry_min = controller->retry_min,
        .retry_max = controller->retry_max,
        .limiter = controller->limiter,
        .clock = opts->clock,
        .metrics = opts->metrics,
    });
    runner->applied = yl_applied_new();
    yl_mutex_init(&runner->lock);
    add_metrics(runner);
    for (watch = controller->watches; yl_watch_kind(watch); watch++) {
        runner->n_sources++;
    }
    runner->sources = yl_arena_array(runner->arena, runner->n_sources,
                                     sizeof *runner->sources);
    yl_keys_init(&runner->keys, runner->n_sources);
    for (i = 0; i < runner->n_sources && r == 0; i++) {
        struct yl_source *source = &runner->sources[i];

        source->runner = runner;
        source->watch = &controller->watches[i];
        source->index = i;
        if (source->watch->for_) {
            runner->own = source;
        }
        r = yl_source_init(source, err);
    }
    if (r < 0) {
        yl_runner_free(runner);
        return r;
    }
    *ret_runner = runner;
    return 0;
}

int
yl_runner_start(struct yl_runner *runner, struct yl_error *err)
{
    unsigned n = n_workers(runner);

    runner->workers = yl_arena_array(runner->arena, n,
                                     sizeof *runner->workers);
    while (runner->n_workers < n) {
        struct yl_worker *worker = &runner->workers[runner->n_workers];

        worker->runner = runner;
        worker->arena = yl_arena_new();
        if (yl_thread_start(&worker->thread, runner->controller->name, work,
                            worker) < 0) {
            yl_arena_free(worker->arena);
            return yl_error_set(err, YL_EUNAVAILABLE,
                                "controller %s: no thread for a worker",
                                runner->controller->name);
        }
        runner->n_workers++;
    }
    return 0;
}

void
yl_runner_stop(struct yl_runner *runner)
{
    yl_workqueue_shut_down(runner->queue);
}

void
yl_runner_join(struct yl_runner *runner)
{
    struct yl_recorder *recorder;

    while (runner->n_workers) {
        struct yl_worker *worker = &runner->workers[--runner->n_workers];

        yl_thread_join(&worker->thread);
        yl_arena_free(worker->arena);
    }
    yl_mutex_lock(&runner->lock);
    recorder = runner->recorder;
    runner->recorder = NULL;
    yl_mutex_unlock(&runner->lock);
    if (recorder) {
        /* Who stops at once does not wait for events either. */
        if (!yl_cancel_is_set(runner->opts.cancel)) {
            yl_recorder_flush(recorder, FLUSH_TIMEOUT);
        }
        yl_recorder_unref(recorder);
    }
}

void
yl_runner_free(struct yl_runner *runner)
{
    unsigned i;

    if (!runner) {
        return;
    }
    for (i = 0; i < runner->n_sources; i++) {
        yl_source_release(&runner->sources[i]);
    }
    yl_mutex_destroy(&runner->lock);
    yl_applied_free(runner->applied);
    yl_keys_release(&runner->keys);
    yl_workqueue_free(runner->queue);
    yl_arena_free(runner->arena);
    free(runner);
}

bool
yl_runner_is_idle(struct yl_runner *runner)
{
    return yl_keys_are_idle(&runner->keys, is_queue_idle, runner->queue);
}

bool
yl_runner_step(struct yl_runner *runner, struct yl_arena *arena, bool wait)
{
    const struct yl_key *key = wait ? yl_workqueue_get(runner->queue)
                                    : yl_workqueue_try_get(runner->queue);

    if (!key) {
        return false;
    }
    yl_runner_reconcile(runner, key, arena);
    yl_workqueue_done(runner->queue, key);
    yl_arena_clear(arena);
    return true;
}

struct yl_recorder *
yl_runner_recorder(struct yl_runner *runner)
{
    struct yl_recorder *recorder;

    yl_mutex_lock(&runner->lock);
    if (!runner->recorder) {
        runner->recorder = yl_recorder_new(&(struct yl_recorder_opts) {
            .client = runner->opts.client,
            .component = runner->controller->name,
            .clock = runner->opts.clock,
        });
    }
    recorder = runner->recorder;
    yl_mutex_unlock(&runner->lock);
    return recorder;
}

struct yl_source *
yl_runner_source(const struct yl_runner *runner, const struct yl_kind *kind)
{
    return find_source(runner, kind, 0);
}

struct yl_source *
yl_source_next(const struct yl_source *source)
{
    return find_source(source->runner, source->kind, source->index + 1);
}

/* The first from 'i' on. */
static struct yl_source *
find_source(const struct yl_runner *runner, const struct yl_kind *kind,
            unsigned i)
{
    for (; i < runner->n_sources; i++) {
        if (runner->sources[i].kind == kind) {
            return &runner->sources[i];
        }
    }
    return NULL;
}

static bool
is_queue_idle(void *queue)
{
    struct yl_workqueue_stats stats;

    yl_workqueue_get_stats(queue, &stats);
    return !stats.n_ready && !stats.n_out;
}

static unsigned
n_workers(const struct yl_runner *runner)
{
    return runner->opts.n_workers ? runner->opts.n_workers
           : runner->controller->workers ? runner->controller->workers : 1;
}

static void
work(void *worker_)
{
    struct yl_worker *worker = worker_;
    struct yl_runner *runner = worker->runner;

    if (runner->opts.may_work(runner->opts.aux) && wait_for_caches(runner)) {
        if (atomic_fetch_add(&runner->n_ready, 1) == 0) {
            yl_log_info("Starting workers",
                        YL_LOG_C("controller", runner->controller->name),
                        YL_LOG_UINT("workers", n_workers(runner)));
        }
        while (yl_runner_step(runner, worker->arena, true)) {
            continue;
        }
    }
    runner->opts.ended(runner->opts.aux);
}

static bool
wait_for_caches(struct yl_runner *runner)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_informer **informers
        = yl_malloc_array(runner->n_sources, sizeof *informers);
    unsigned i;
    int r;

    for (i = 0; i < runner->n_sources; i++) {
        informers[i] = runner->sources[i].informer;
    }
    r = yl_wait_for_cache_sync(informers, runner->n_sources,
                               runner->opts.sync_timeout, runner->opts.stop,
                               &err);
    free(informers);
    if (r < 0 && r != YL_ECANCELED
        && !yl_workqueue_shutting_down(runner->queue)) {
        yl_error_prefix(&err, "controller %s", runner->controller->name);
        runner->opts.failed(runner->opts.aux, &err);
    }
    yl_error_clear(&err);
    return r == 0;
}

/* controller-runtime's names, so that its dashboards work. */
static void
add_metrics(struct yl_runner *runner)
{
    static const char *const results[] = {
        [YL_RESULT_SUCCESS] = "success",
        [YL_RESULT_ERROR] = "error",
        [YL_RESULT_REQUEUE] = "requeue",
        [YL_RESULT_REQUEUE_AFTER] = "requeue_after",
    };
    struct yl_metrics *metrics = runner->opts.metrics;
    struct yl_str values[2] = { yl_str_c(runner->controller->name) };
    struct yl_metric *total;
    size_t i;

    total = add_metric(metrics, YL_METRIC_COUNTER,
                       "controller_runtime_reconcile_total",
                       "Total number of reconciliations per controller", 2);
    for (i = 0; i < YL_N_RESULTS; i++) {
        values[1] = yl_str_c(results[i]);
        runner->results[i] = yl_metric_counter(total, values);
    }
    runner->errors = yl_metric_counter(
        add_metric(metrics, YL_METRIC_COUNTER,
                   "controller_runtime_reconcile_errors_total",
                   "Total number of reconciliation errors per controller",
                   1), values);
    runner->terminal_errors = yl_metric_counter(
        add_metric(metrics, YL_METRIC_COUNTER,
                   "controller_runtime_terminal_reconcile_errors_total",
                   "Total number of terminal reconciliation errors per "
                   "controller", 1), values);
    runner->timeouts = yl_metric_counter(
        add_metric(metrics, YL_METRIC_COUNTER,
                   "controller_runtime_reconcile_timeouts_total",
                   "Total number of reconciliation timeouts per controller",
                   1), values);
    runner->time = yl_metric_histogram(
        add_metric(metrics, YL_METRIC_HISTOGRAM,
                   "controller_runtime_reconcile_time_seconds",
                   "Length of time per reconciliation per controller", 1),
        values);
    runner->active = yl_metric_gauge(
        add_metric(metrics, YL_METRIC_GAUGE,
                   "controller_runtime_active_workers",
                   "Number of currently used workers per controller", 1),
        values);
    yl_gauge_set(
        yl_metric_gauge(
            add_metric(metrics, YL_METRIC_GAUGE,
                       "controller_runtime_max_concurrent_reconciles",
                       "Maximum number of concurrent reconciles per "
                       "controller", 1), values),
        n_workers(runner));
}

static struct yl_metric *
add_metric(struct yl_metrics *metrics, enum yl_metric_type type,
           const char *name, const char *help, size_t n_labels)
{
    static const char *const labels[] = { "controller", "result" };

    return yl_metrics_add(metrics, &(struct yl_metric_opts) {
        .type = type, .name = name, .help = help, .labels = labels,
        .n_labels = n_labels });
}
