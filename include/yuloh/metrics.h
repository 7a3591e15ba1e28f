#ifndef YL_METRICS_H
#define YL_METRICS_H 1

/* Metrics: counters, gauges and histograms, rendered for Prometheus.
 *
 * A registry holds metrics; a metric holds series, one for each set of label
 * values.  Look a series up once, keep the handle, and update it as often as
 * you like.
 *
 * Guarantees
 * ==========
 *
 *   - Updates on a handle take no lock and allocate nothing.
 *
 *   - A metric has a bounded number of series.  Label values beyond it are
 *     counted in one series more, in which every label is "other", so names
 *     from outside cannot exhaust memory.
 *
 *   - Output is the text format 0.0.4, in the order of metric names and then
 *     of label values, labels as they were declared: the same state gives the
 *     same bytes.
 *
 *   - In a rendered histogram the buckets never decrease and "+Inf" equals the
 *     count, even if other threads update it meanwhile; only the sum may be
 *     some updates ahead or behind.
 *
 *   - No lock is held while the sink is called.
 *
 *   - NULL means that metrics are off: a NULL registry gives NULL metrics,
 *     those give NULL handles, and updating these does nothing.
 *
 * A name that Prometheus would refuse, a metric that is declared twice in
 * different ways, and a handle of another type than the metric's are mistakes
 * in the program: they end it with a line that says so.
 *
 * Ownership
 * =========
 *
 * Metrics and handles belong to the registry and live as long as it does.
 * Names, help texts, labels and buckets are copied.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that
 * yl_metrics_free() must come last.
 *
 * Usage
 * =====
 *
 *     static const char *const labels[] = { "name" };
 *     struct yl_metric *adds = yl_metrics_add(metrics,
 *         &(struct yl_metric_opts) {
 *             .type = YL_METRIC_COUNTER, .name = "workqueue_adds_total",
 *             .help = "Total number of adds handled by workqueue",
 *             .labels = labels, .n_labels = 1 });
 *     struct yl_str value = YL_STR("pods");
 *     struct yl_counter *counter = yl_metric_counter(adds, &value);
 *
 *     yl_counter_add(counter, 1); */

#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_counter;
struct yl_gauge;
struct yl_histogram;
struct yl_metric;
struct yl_metrics;

/* Most labels of a metric and buckets of a histogram, and the longest label
 * value in bytes; a longer one is cut. */
#define YL_METRIC_MAX_LABELS 16
#define YL_METRIC_MAX_BUCKETS 64
#define YL_METRIC_MAX_VALUE 256

enum yl_metric_type {
    YL_METRIC_COUNTER,          /* Goes up. */
    YL_METRIC_GAUGE,            /* Goes up and down. */
    YL_METRIC_HISTOGRAM,        /* How many observations, of which size. */
};

/* Options.  Zero means the default, where there is one. */
struct yl_metric_opts {
    enum yl_metric_type type;
    const char *name;
    const char *help;           /* One sentence [""]. */
    const char *const *labels;  /* Names, in the order of output. */
    size_t n_labels;
    const double *buckets;      /* Upper bounds, rising, without +Inf [.005,
                                 * .01, .025, .05, .1, .25, .5, 1, 2.5, 5,
                                 * 10]. */
    size_t n_buckets;
    size_t max_series;          /* Before "other" [1000]. */
};

struct yl_metrics *yl_metrics_new(void);
void yl_metrics_free(struct yl_metrics *);

/* Declares a metric, or finds it when it is declared already with the same
 * type, labels and buckets. */
struct yl_metric *yl_metrics_add(struct yl_metrics *,
                                 const struct yl_metric_opts *);

/* The handle for 'values', one for each label of the metric, in their order
 * (NULL if it has none).  The first call for some values makes the series, at
 * 0.  Bytes that are not UTF-8 become U+FFFD. */
struct yl_counter *yl_metric_counter(struct yl_metric *,
                                     const struct yl_str *values);
struct yl_gauge *yl_metric_gauge(struct yl_metric *,
                                 const struct yl_str *values);
struct yl_histogram *yl_metric_histogram(struct yl_metric *,
                                         const struct yl_str *values);

/* Updates. */
void yl_counter_add(struct yl_counter *, uint64_t n);
void yl_gauge_set(struct yl_gauge *, double value);
void yl_gauge_add(struct yl_gauge *, double by);
void yl_histogram_observe(struct yl_histogram *, double value);

/* What is there now; 0 for NULL. */
uint64_t yl_counter_value(const struct yl_counter *);
double yl_gauge_value(const struct yl_gauge *);

/* Calls 'sink(aux, text, size)' as often as needed to hand over all of the
 * text, some 64 KB at a time. */
typedef void yl_metrics_sink_fn(void *aux, const char *text, size_t size);
void yl_metrics_render(struct yl_metrics *, yl_metrics_sink_fn *sink,
                       void *aux);

/* The Content-Type of that text. */
#define YL_METRICS_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

YL_C_END

#endif /* yuloh/metrics.h */
