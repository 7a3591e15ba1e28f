/* Tests of the metrics registry. */

#include "base/metrics.h"

#include <math.h>

#include "unit.h"

static const char *const two_labels[] = { "verb", "code" };

static struct yl_metric_opts
opts_of(enum yl_metric_type type, const char *name, size_t n_labels)
{
    struct yl_metric_opts opts = {
        .type = type, .name = name, .help = "Some help",
        .labels = two_labels, .n_labels = n_labels,
    };

    return opts;
}

TEST(handles_count)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_metric_opts opts = opts_of(YL_METRIC_COUNTER, "a_total", 0);
    struct yl_counter *counter;
    struct yl_gauge *gauge;

    counter = yl_metric_counter(yl_metrics_add(metrics, &opts), NULL);
    assert_int_equal(yl_counter_value(counter), 0);
    yl_counter_add(counter, 1);
    yl_counter_add(counter, 41);
    assert_int_equal(yl_counter_value(counter), 42);

    opts = opts_of(YL_METRIC_GAUGE, "b", 0);
    gauge = yl_metric_gauge(yl_metrics_add(metrics, &opts), NULL);
    assert_true(yl_gauge_value(gauge) == 0);
    yl_gauge_set(gauge, 2.5);
    yl_gauge_add(gauge, -4);
    assert_true(yl_gauge_value(gauge) == -1.5);
    yl_metrics_free(metrics);
    yl_metrics_free(NULL);
}

TEST(null_registry_counts_nothing)
{
    struct yl_metric_opts opts = opts_of(YL_METRIC_COUNTER, "a_total", 0);
    struct yl_metric *metric = yl_metrics_add(NULL, &opts);

    assert_null(metric);
    assert_null(yl_metric_counter(metric, NULL));
    assert_null(yl_metric_gauge(metric, NULL));
    assert_null(yl_metric_histogram(metric, NULL));
    yl_counter_add(NULL, 1);
    yl_gauge_set(NULL, 1);
    yl_gauge_add(NULL, 1);
    yl_histogram_observe(NULL, 1);
    assert_int_equal(yl_counter_value(NULL), 0);
    assert_true(yl_gauge_value(NULL) == 0);
    yl_metrics_render(NULL, NULL, NULL);
}

TEST(equal_values_give_the_same_handle)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_metric_opts opts = opts_of(YL_METRIC_COUNTER, "a_total", 2);
    struct yl_metric *metric = yl_metrics_add(metrics, &opts);
    struct yl_str get_200[] = { YL_STR("GET"), YL_STR("200") };
    struct yl_str ge_t200[] = { YL_STR("GE"), YL_STR("T200") };
    struct yl_counter *counter = yl_metric_counter(metric, get_200);

    assert_ptr_equal(yl_metrics_add(metrics, &opts), metric);
    assert_ptr_equal(yl_metric_counter(metric, get_200), counter);
    assert_ptr_not_equal(yl_metric_counter(metric, ge_t200), counter);
    yl_metrics_free(metrics);
}

TEST(values_beyond_the_ceiling_count_as_other)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_metric_opts opts = opts_of(YL_METRIC_COUNTER, "a_total", 2);
    struct yl_counter *first = NULL, *other = NULL;
    struct yl_metric *metric;
    struct yl_series **all;
    size_t n;
    int i;

    opts.max_series = 3;
    metric = yl_metrics_add(metrics, &opts);
    for (i = 0; i < 100; i++) {
        char name[16];
        struct yl_str values[2] = { YL_STR("GET") };

        snprintf(name, sizeof name, "%d", i);
        values[1] = yl_str_c(name);
        other = yl_metric_counter(metric, values);
        first = i == 0 ? other : first;
        yl_counter_add(other, 1);
    }
    all = yl_metric_snapshot(metric, &n);
    assert_int_equal(n, 4);
    assert_string_equal(all[3]->key, "other");
    assert_string_equal(all[3]->key + 6, "other");
    assert_int_equal(yl_counter_value(other), 97);
    assert_int_equal(yl_counter_value(first), 1);
    free(all);
    yl_metrics_free(metrics);
}

TEST(values_are_made_valid_and_short)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_metric_opts opts = opts_of(YL_METRIC_COUNTER, "a_total", 2);
    struct yl_metric *metric = yl_metrics_add(metrics, &opts);
    char long_value[1000];
    struct yl_str values[2] = { YL_STR("a\xff\0z"),
                                yl_str_n(long_value, sizeof long_value) };
    struct yl_series **all;
    size_t n;

    /* 255 bytes, then a character of 3 that must not be cut in two. */
    memset(long_value, 'x', 255);
    memcpy(long_value + 255, "\xe2\x82\xac", 3);
    memset(long_value + 258, 'y', sizeof long_value - 258);
    yl_metric_counter(metric, values);
    all = yl_metric_snapshot(metric, &n);
    assert_int_equal(n, 1);
    assert_string_equal(all[0]->key, "a\xef\xbf\xbd\xef\xbf\xbdz");
    assert_int_equal(strlen(all[0]->key + strlen(all[0]->key) + 1), 255);
    free(all);
    yl_metrics_free(metrics);
}

static struct yl_metrics *registry;

static void
add(void *opts)
{
    yl_metrics_add(registry, opts);
}

static void
get_gauge(void *opts)
{
    yl_metric_gauge(yl_metrics_add(registry, opts), NULL);
}

TEST(mistakes_in_the_program_end_it)
{
    static const char *const bad_names[] = { "", "1a", "a-b", "a b", "\xc3" };
    static const char *const bad_labels[] = { "", "1", "a:b", "__a", "le" };
    static const double falling[] = { 1, 1 };
    static const double infinite[] = { 1, INFINITY };
    struct yl_metric_opts opts;
    size_t i;

    registry = yl_metrics_new();
    for (i = 0; i < YL_ARRAY_SIZE(bad_names); i++) {
        opts = opts_of(YL_METRIC_COUNTER, bad_names[i], 0);
        assert_aborts(add, &opts, "is no name for a metric");
    }
    opts = opts_of(YL_METRIC_HISTOGRAM, "h", 1);
    for (i = 0; i < YL_ARRAY_SIZE(bad_labels); i++) {
        opts.labels = &bad_labels[i];
        assert_aborts(add, &opts, "is no label for metric h");
    }
    opts.labels = (const char *const[]) { "x", "x" };
    opts.n_labels = 2;
    assert_aborts(add, &opts, "metric h has label x twice");
    opts.n_labels = YL_METRIC_MAX_LABELS + 1;
    assert_aborts(add, &opts, "too many labels");
    opts = opts_of(YL_METRIC_HISTOGRAM, "h", 0);
    opts.n_buckets = 2;
    opts.buckets = falling;
    assert_aborts(add, &opts, "buckets of metric h do not rise");
    opts.buckets = infinite;
    assert_aborts(add, &opts, "buckets of metric h do not rise");

    opts = opts_of(YL_METRIC_COUNTER, "a_total", 1);
    yl_metrics_add(registry, &opts);
    assert_aborts(get_gauge, &opts, "metric a_total is of another type");
    opts.n_labels = 2;
    assert_aborts(add, &opts, "a_total is declared twice");
    opts.n_labels = 1;
    opts.labels = (const char *const[]) { "resource" };
    assert_aborts(add, &opts, "a_total is declared twice");
    opts = opts_of(YL_METRIC_GAUGE, "a_total", 1);
    assert_aborts(add, &opts, "a_total is declared twice");

    opts = opts_of(YL_METRIC_HISTOGRAM, "h", 0);
    yl_metrics_add(registry, &opts);
    opts.n_buckets = 11;
    opts.buckets = (const double[]) { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    assert_aborts(add, &opts, "metric h is declared twice");
    yl_metrics_free(registry);
}
