/* Metrics registry.  See yuloh/metrics.h for the contract and base/metrics.h
 * for the structs. */

#include "base/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/bug.h"
#include "base/hash.h"
#include "base/quote.h"

#define DEFAULT_MAX_SERIES 1000

static const double default_buckets[] = { .005, .01, .025, .05, .1, .25, .5,
                                          1, 2.5, 5, 10 };

static void check_opts(const struct yl_metric_opts *);
static struct yl_metric *metric_new(const struct yl_metric_opts *);
static void metric_free(struct yl_metric *);
static bool metric_is_as(const struct yl_metric *,
                         const struct yl_metric_opts *);
static struct yl_series *get_series(struct yl_metric *, enum yl_metric_type,
                                    const struct yl_str *values);
static void add_double(_Atomic uint64_t *, double by);

struct yl_metrics *
yl_metrics_new(void)
{
    struct yl_metrics *metrics = yl_malloc(sizeof *metrics);

    yl_mutex_init(&metrics->lock);
    yl_mutex_lock(&metrics->lock);
    yl_list_init(&metrics->metrics);
    yl_mutex_unlock(&metrics->lock);
    yl_mutex_init(&metrics->sources_lock);
    yl_mutex_lock(&metrics->sources_lock);
    yl_list_init(&metrics->sources);
    yl_mutex_unlock(&metrics->sources_lock);
    return metrics;
}

void
yl_metrics_free(struct yl_metrics *metrics)
{
    struct yl_list *node;

    if (metrics) {
        yl_mutex_lock(&metrics->lock);
        while ((node = yl_list_pop_front(&metrics->metrics)) != NULL) {
            metric_free(YL_CONTAINER_OF(node, struct yl_metric, node));
        }
        yl_mutex_unlock(&metrics->lock);
        yl_mutex_destroy(&metrics->lock);
        yl_mutex_destroy(&metrics->sources_lock);
        free(metrics);
    }
}

void
yl_metrics_add_source(struct yl_metrics *metrics,
                      struct yl_metrics_source *source)
{
    if (metrics) {
        yl_mutex_lock(&metrics->sources_lock);
        yl_list_push_back(&metrics->sources, &source->node);
        yl_mutex_unlock(&metrics->sources_lock);
    }
}

void
yl_metrics_remove_source(struct yl_metrics *metrics,
                         struct yl_metrics_source *source)
{
    if (metrics) {
        yl_mutex_lock(&metrics->sources_lock);
        yl_list_remove(&source->node);
        yl_mutex_unlock(&metrics->sources_lock);
    }
}

void
yl_metrics_update_sources(struct yl_metrics *metrics)
{
    struct yl_metrics_source *source;

    yl_mutex_lock(&metrics->sources_lock);
    YL_LIST_FOR_EACH (source, node, &metrics->sources) {
        source->update(source);
    }
    yl_mutex_unlock(&metrics->sources_lock);
}

struct yl_metric *
yl_metrics_add(struct yl_metrics *metrics, const struct yl_metric_opts *opts)
{
    struct yl_metric *metric;

    if (!metrics) {
        return NULL;
    }
    check_opts(opts);
    yl_mutex_lock(&metrics->lock);
    YL_LIST_FOR_EACH (metric, node, &metrics->metrics) {
        if (strcmp(metric->name, opts->name) == 0) {
            break;
        }
    }
    if (!metric) {
        metric = metric_new(opts);
        yl_list_push_back(&metrics->metrics, &metric->node);
    } else if (!metric_is_as(metric, opts)) {
        yl_bug("metric %s is declared twice in different ways", opts->name);
    }
    yl_mutex_unlock(&metrics->lock);
    return metric;
}

struct yl_counter *
yl_metric_counter(struct yl_metric *metric, const struct yl_str *values)
{
    return (void *) get_series(metric, YL_METRIC_COUNTER, values);
}

struct yl_gauge *
yl_metric_gauge(struct yl_metric *metric, const struct yl_str *values)
{
    return (void *) get_series(metric, YL_METRIC_GAUGE, values);
}

struct yl_histogram *
yl_metric_histogram(struct yl_metric *metric, const struct yl_str *values)
{
    return (void *) get_series(metric, YL_METRIC_HISTOGRAM, values);
}

void
yl_counter_add(struct yl_counter *counter, uint64_t n)
{
    struct yl_series *series = (void *) counter;

    if (series) {
        atomic_fetch_add_explicit(&series->value, n, memory_order_relaxed);
    }
}

void
yl_gauge_set(struct yl_gauge *gauge, double value)
{
    struct yl_series *series = (void *) gauge;

    if (series) {
        atomic_store_explicit(&series->value, yl_double_to_bits(value),
                              memory_order_relaxed);
    }
}

void
yl_gauge_add(struct yl_gauge *gauge, double by)
{
    struct yl_series *series = (void *) gauge;

    if (series) {
        add_double(&series->value, by);
    }
}

void
yl_histogram_observe(struct yl_histogram *histogram, double value)
{
    struct yl_series *series = (void *) histogram;
    const struct yl_metric *metric;
    size_t i = 0;

    if (!series) {
        return;
    }

    /* A linear search is enough: there are few bounds, and most observations
     * fall below the first ones.  A NaN is below no bound. */
    metric = series->metric;
    while (i < metric->n_buckets && !(value <= metric->buckets[i])) {
        i++;
    }
    atomic_fetch_add_explicit(&series->counts[i], 1, memory_order_relaxed);
    add_double(&series->value, value);
}

uint64_t
yl_counter_value(const struct yl_counter *counter)
{
    const struct yl_series *series = (const void *) counter;

    return series ? atomic_load_explicit(&series->value, memory_order_relaxed)
                  : 0;
}

double
yl_gauge_value(const struct yl_gauge *gauge)
{
    const struct yl_series *series = (const void *) gauge;

    return series ? yl_bits_to_double(
                        atomic_load_explicit(&series->value,
                                             memory_order_relaxed))
                  : 0;
}

static int
compare_metrics(const void *a_, const void *b_)
{
    const struct yl_metric *const *a = a_, *const *b = b_;

    return strcmp((*a)->name, (*b)->name);
}

struct yl_metric **
yl_metrics_snapshot(struct yl_metrics *metrics, size_t *ret_n)
{
    struct yl_metric **all, *metric;
    size_t n = 0;

    yl_mutex_lock(&metrics->lock);
    all = yl_malloc_array(yl_list_count(&metrics->metrics), sizeof *all);
    YL_LIST_FOR_EACH (metric, node, &metrics->metrics) {
        all[n++] = metric;
    }
    yl_mutex_unlock(&metrics->lock);
    qsort(all, n, sizeof *all, compare_metrics);
    *ret_n = n;
    return all;
}

static int
compare_series(const void *a_, const void *b_)
{
    const struct yl_series *const *a = a_, *const *b = b_;

    return yl_str_compare(yl_str_n((*a)->key, (*a)->key_size),
                          yl_str_n((*b)->key, (*b)->key_size));
}

struct yl_series **
yl_metric_snapshot(struct yl_metric *metric, size_t *ret_n)
{
    struct yl_series **all, *series;
    size_t n = 0;

    yl_mutex_lock(&metric->lock);
    all = yl_malloc_array(yl_map_count(&metric->series), sizeof *all);
    YL_MAP_FOR_EACH (series, by_key, &metric->series) {
        all[n++] = series;
    }
    yl_mutex_unlock(&metric->lock);
    qsort(all, n, sizeof *all, compare_series);
    *ret_n = n;
    return all;
}

static bool
is_name(const char *s, const char *punctuation)
{
    const char *p;

    for (p = s; *p; p++) {
        bool is_letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
        bool is_digit = *p >= '0' && *p <= '9';

        if (!is_letter && !strchr(punctuation, *p) && (!is_digit || p == s)) {
            return false;
        }
    }
    return p > s;
}

static void
check_opts(const struct yl_metric_opts *opts)
{
    size_t i, j;

    if (!is_name(opts->name, "_:")) {
        yl_bug("\"%s\" is no name for a metric", opts->name);
    }
    if (opts->n_labels > YL_METRIC_MAX_LABELS
        || opts->n_buckets > YL_METRIC_MAX_BUCKETS) {
        yl_bug("metric %s has too many labels or buckets", opts->name);
    }
    for (i = 0; i < opts->n_labels; i++) {
        const char *label = opts->labels[i];

        if (!is_name(label, "_") || strncmp(label, "__", 2) == 0
            || (opts->type == YL_METRIC_HISTOGRAM
                && strcmp(label, "le") == 0)) {
            yl_bug("\"%s\" is no label for metric %s", label, opts->name);
        }
        for (j = 0; j < i; j++) {
            if (strcmp(label, opts->labels[j]) == 0) {
                yl_bug("metric %s has label %s twice", opts->name, label);
            }
        }
    }
    for (i = 0; i < opts->n_buckets; i++) {
        if (!isfinite(opts->buckets[i])
            || (i && opts->buckets[i] <= opts->buckets[i - 1])) {
            yl_bug("buckets of metric %s do not rise", opts->name);
        }
    }
}

/* The bounds that 'opts' asks for. */
static const double *
buckets_of(const struct yl_metric_opts *opts, size_t *ret_n)
{
    if (opts->type != YL_METRIC_HISTOGRAM) {
        *ret_n = 0;
        return NULL;
    } else if (opts->n_buckets) {
        *ret_n = opts->n_buckets;
        return opts->buckets;
    }
    *ret_n = YL_ARRAY_SIZE(default_buckets);
    return default_buckets;
}

static struct yl_metric *
metric_new(const struct yl_metric_opts *opts)
{
    struct yl_metric *metric = yl_zalloc(sizeof *metric);
    const double *buckets = buckets_of(opts, &metric->n_buckets);
    size_t i;

    metric->type = opts->type;
    metric->name = yl_strdup(yl_str_c(opts->name));
    metric->help = yl_strdup(yl_str_c(opts->help));
    metric->labels = yl_malloc_array(opts->n_labels, sizeof *metric->labels);
    metric->n_labels = opts->n_labels;
    for (i = 0; i < opts->n_labels; i++) {
        metric->labels[i] = yl_strdup(yl_str_c(opts->labels[i]));
    }
    metric->buckets = yl_malloc_array(metric->n_buckets, sizeof *buckets);
    for (i = 0; i < metric->n_buckets; i++) {
        metric->buckets[i] = buckets[i];
    }
    metric->max_series = opts->max_series ? opts->max_series
                                          : DEFAULT_MAX_SERIES;
    yl_mutex_init(&metric->lock);
    return metric;
}

static void
metric_free(struct yl_metric *metric)
{
    struct yl_series *series;
    size_t i;

    yl_mutex_lock(&metric->lock);
    YL_MAP_FOR_EACH_SAFE (series, by_key, &metric->series) {
        free(series->key);
        free(series);
    }
    yl_map_release(&metric->series);
    yl_mutex_unlock(&metric->lock);
    yl_mutex_destroy(&metric->lock);
    for (i = 0; i < metric->n_labels; i++) {
        free(metric->labels[i]);
    }
    free(metric->labels);
    free(metric->buckets);
    free(metric->name);
    free(metric->help);
    free(metric);
}

static bool
metric_is_as(const struct yl_metric *metric, const struct yl_metric_opts *opts)
{
    size_t n_buckets, i;
    const double *buckets = buckets_of(opts, &n_buckets);

    if (metric->type != opts->type || metric->n_labels != opts->n_labels
        || metric->n_buckets != n_buckets) {
        return false;
    }
    for (i = 0; i < n_buckets; i++) {
        if (metric->buckets[i] != buckets[i]) {
            return false;
        }
    }
    for (i = 0; i < metric->n_labels; i++) {
        if (strcmp(metric->labels[i], opts->labels[i]) != 0) {
            return false;
        }
    }
    return true;
}

/* Appends a label value and its NUL: valid UTF-8, not too long, and without
 * NULs, which end it in the key. */
static void
append_value(struct yl_buf *key, struct yl_str value)
{
    size_t start = key->size;

    while (value.size) {
        uint32_t rune;
        size_t taken = yl_rune_decode(value, &rune);
        struct yl_str piece = taken && rune ? yl_str_n(value.data, taken)
                                            : YL_STR("\xef\xbf\xbd");

        if (key->size - start + piece.size > YL_METRIC_MAX_VALUE) {
            break;
        }
        yl_buf_append_str(key, piece);
        value = yl_str_skip(value, taken ? taken : 1);
    }
    yl_buf_append_char(key, '\0');
}

static struct yl_series *
find_series(struct yl_metric *metric, struct yl_str key, size_t hash)
    YL_REQUIRES(metric->lock)
{
    struct yl_series *series;

    YL_MAP_FOR_EACH_WITH_HASH (series, by_key, hash, &metric->series) {
        if (yl_str_equal(yl_str_n(series->key, series->key_size), key)) {
            return series;
        }
    }
    return NULL;
}

/* Finds or makes the series of 'key', which it takes. */
static struct yl_series *
find_or_add_series(struct yl_metric *metric, struct yl_buf *key)
    YL_REQUIRES(metric->lock)
{
    size_t hash = yl_hash_str(yl_buf_str(key));
    struct yl_series *series = find_series(metric, yl_buf_str(key), hash);
    size_t n_counts, i;

    if (!series && yl_map_count(&metric->series) >= metric->max_series) {
        yl_buf_clear(key);
        for (i = 0; i < metric->n_labels; i++) {
            append_value(key, YL_STR("other"));
        }
        hash = yl_hash_str(yl_buf_str(key));
        series = find_series(metric, yl_buf_str(key), hash);
    }
    if (!series) {
        n_counts = metric->type == YL_METRIC_HISTOGRAM ? metric->n_buckets + 1
                                                       : 0;
        series = yl_zalloc(sizeof *series
                           + n_counts * sizeof series->counts[0]);
        series->metric = metric;
        series->key_size = key->size;
        series->key = yl_buf_detach(key);
        yl_map_insert(&metric->series, &series->by_key, hash);
    }
    yl_buf_release(key);
    return series;
}

static struct yl_series *
get_series(struct yl_metric *metric, enum yl_metric_type type,
           const struct yl_str *values)
{
    struct yl_series *series;
    struct yl_buf key;
    size_t i;

    if (!metric) {
        return NULL;
    }
    if (metric->type != type) {
        yl_bug("metric %s is of another type", metric->name);
    }
    yl_buf_init(&key, YL_METRIC_MAX_LABELS * (YL_METRIC_MAX_VALUE + 1));
    for (i = 0; i < metric->n_labels; i++) {
        append_value(&key, values[i]);
    }
    yl_mutex_lock(&metric->lock);
    series = find_or_add_series(metric, &key);
    yl_mutex_unlock(&metric->lock);
    return series;
}

static void
add_double(_Atomic uint64_t *bits, double by)
{
    uint64_t old = atomic_load_explicit(bits, memory_order_relaxed);

    while (!atomic_compare_exchange_weak_explicit(
               bits, &old, yl_double_to_bits(yl_bits_to_double(old) + by),
               memory_order_relaxed, memory_order_relaxed)) {
        continue;
    }
}
