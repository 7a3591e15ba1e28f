/* Metrics of a work queue.  See workqueue/queue_metrics.h. */

#include "workqueue/queue_metrics.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "yuloh/metrics.h"

struct yl_queue_metrics {
    struct yl_gauge *depth;
    struct yl_counter *adds;
    struct yl_histogram *latency;
    struct yl_histogram *work_duration;
    struct yl_counter *retries;
    struct yl_gauge *unfinished;
    struct yl_gauge *longest_running;
};

static struct yl_metric *declare(struct yl_metrics *, enum yl_metric_type,
                                 const char *name, const char *help);
static double seconds(int64_t since, int64_t now);

struct yl_queue_metrics *
yl_queue_metrics_new(struct yl_metrics *metrics, const char *name)
{
    struct yl_str label = yl_str_c(name);
    struct yl_queue_metrics *m;

    if (!metrics) {
        return NULL;
    }
    m = yl_zalloc(sizeof *m);
    m->depth = yl_metric_gauge(
        declare(metrics, YL_METRIC_GAUGE, "workqueue_depth",
                "Keys that are ready and that no worker has taken yet."),
        &label);
    m->adds = yl_metric_counter(
        declare(metrics, YL_METRIC_COUNTER, "workqueue_adds_total",
                "Keys that have become ready."), &label);
    m->latency = yl_metric_histogram(
        declare(metrics, YL_METRIC_HISTOGRAM,
                "workqueue_queue_duration_seconds",
                "How long a ready key waits for a worker."), &label);
    m->work_duration = yl_metric_histogram(
        declare(metrics, YL_METRIC_HISTOGRAM,
                "workqueue_work_duration_seconds",
                "How long a worker has a key."), &label);
    m->retries = yl_metric_counter(
        declare(metrics, YL_METRIC_COUNTER, "workqueue_retries_total",
                "Keys added with a delay or a rate limit."), &label);
    m->unfinished = yl_metric_gauge(
        declare(metrics, YL_METRIC_GAUGE, "workqueue_unfinished_work_seconds",
                "For how long workers have had the keys that they have now, "
                "added up.  It grows steadily if workers are stuck."),
        &label);
    m->longest_running = yl_metric_gauge(
        declare(metrics, YL_METRIC_GAUGE,
                "workqueue_longest_running_processor_seconds",
                "For how long the slowest worker has had its key."), &label);
    return m;
}

void
yl_queue_metrics_free(struct yl_queue_metrics *m)
{
    free(m);
}

void
yl_queue_metrics_added(struct yl_queue_metrics *m)
{
    yl_counter_add(m->adds, 1);
    yl_gauge_add(m->depth, 1);
}

void
yl_queue_metrics_got(struct yl_queue_metrics *m, int64_t since, int64_t now)
{
    yl_gauge_add(m->depth, -1);
    yl_histogram_observe(m->latency, seconds(since, now));
}

void
yl_queue_metrics_done(struct yl_queue_metrics *m, int64_t since, int64_t now)
{
    yl_histogram_observe(m->work_duration, seconds(since, now));
}

void
yl_queue_metrics_retried(struct yl_queue_metrics *m)
{
    yl_counter_add(m->retries, 1);
}

void
yl_queue_metrics_set_unfinished(struct yl_queue_metrics *m, double sum,
                                double longest)
{
    yl_gauge_set(m->unfinished, sum);
    yl_gauge_set(m->longest_running, longest);
}

/* The buckets are those of Kubernetes' own components. */
static struct yl_metric *
declare(struct yl_metrics *metrics, enum yl_metric_type type,
        const char *name, const char *help)
{
    static const char *const labels[] = { "name" };
    static const double buckets[] = {
        1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10,
    };
    bool is_histogram = type == YL_METRIC_HISTOGRAM;

    return yl_metrics_add(metrics, &(struct yl_metric_opts) {
        .type = type, .name = name, .help = help, .labels = labels,
        .n_labels = 1, .buckets = is_histogram ? buckets : NULL,
        .n_buckets = is_histogram ? YL_ARRAY_SIZE(buckets) : 0 });
}

static double
seconds(int64_t since, int64_t now)
{
    return now > since ? (double) (now - since) / 1e9 : 0;
}
