/* Metrics of an informer.  See informer/informer_metrics.h. */

#include "informer/informer_metrics.h"

/* A double holds this many digits exactly. */
#define DIGITS 1000000000000000u

void
yl_informer_metrics_init(struct yl_informer_metrics *m,
                         struct yl_metrics *metrics, const char *name,
                         struct yl_gvr resource)
{
    static const char *const labels[] = {
        "name", "group", "version", "resource",
    };
    static const double buckets[] = {
        0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    };
    struct yl_str values[] = {
        yl_str_c(name), resource.group, resource.version, resource.resource,
    };
    struct yl_metric_opts opts = {
        .type = YL_METRIC_GAUGE, .labels = labels, .n_labels = 4,
    };

    opts.name = "informer_queued_items";
    opts.help = "Number of items currently queued in the FIFO.";
    m->queued_items = yl_metric_gauge(yl_metrics_add(metrics, &opts), values);
    opts.name = "informer_store_resource_version";
    opts.help = "The 15 least significant digits of the resource version of "
                "the store.";
    m->revision = yl_metric_gauge(yl_metrics_add(metrics, &opts), values);
    opts.type = YL_METRIC_HISTOGRAM;
    opts.name = "informer_processing_latency_seconds";
    opts.help = "Time taken to process events after popping from the queue.";
    opts.buckets = buckets;
    opts.n_buckets = sizeof buckets / sizeof *buckets;
    m->latency = yl_metric_histogram(yl_metrics_add(metrics, &opts), values);
}

void
yl_informer_metrics_applied(const struct yl_informer_metrics *m, yl_msec took,
                            uint64_t revision)
{
    yl_histogram_observe(m->latency, (double) took / 1000);
    yl_gauge_set(m->revision, (double) (revision % DIGITS));
}
