/* Tests of metrics as text, and of updates from many threads. */

#include <math.h>

#include "base/buf.h"
#include "base/metrics.h"
#include "unit.h"

static void
append(void *buf, const char *text, size_t size)
{
    yl_buf_append(buf, text, size);
}

static char *
render(struct yl_metrics *metrics)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 24);
    yl_metrics_render(metrics, append, &buf);
    assert_int_equal(yl_buf_error(&buf), 0);
    return yl_buf_detach(&buf);
}

static struct yl_metric *
add(struct yl_metrics *metrics, enum yl_metric_type type, const char *name,
    const char *help, const char *const *labels, size_t n_labels)
{
    struct yl_metric_opts opts = {
        .type = type, .name = name, .help = help, .labels = labels,
        .n_labels = n_labels,
    };

    return yl_metrics_add(metrics, &opts);
}

TEST(empty_registry_renders_nothing)
{
    struct yl_metrics *metrics = yl_metrics_new();
    char *text;

    add(metrics, YL_METRIC_COUNTER, "unused_total", NULL, NULL, 0);
    text = render(metrics);
    assert_string_equal(text, "");
    free(text);
    yl_metrics_free(metrics);
}

TEST(order_is_by_name_and_then_by_label_values)
{
    static const char *const labels[] = { "z", "a" };
    static const struct yl_str values[][2] = {
        { YL_STR_INIT("b"), YL_STR_INIT("1") },
        { YL_STR_INIT("aa"), YL_STR_INIT("2") },
        { YL_STR_INIT("a"), YL_STR_INIT("9") },
        { YL_STR_INIT("a"), YL_STR_INIT("10") },
    };
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_metric *counters, *gauge;
    char *text;
    size_t i;

    counters = add(metrics, YL_METRIC_COUNTER, "z_total", "Last", labels, 2);
    gauge = add(metrics, YL_METRIC_GAUGE, "a", NULL, NULL, 0);
    for (i = 0; i < 4; i++) {
        yl_counter_add(yl_metric_counter(counters, values[i]), i);
    }
    yl_gauge_set(yl_metric_gauge(gauge, NULL), -0.5);
    text = render(metrics);
    assert_string_equal(text,
                        "# HELP a \n"
                        "# TYPE a gauge\n"
                        "a -0.5\n"
                        "# HELP z_total Last\n"
                        "# TYPE z_total counter\n"
                        "z_total{z=\"a\",a=\"10\"} 3\n"
                        "z_total{z=\"a\",a=\"9\"} 2\n"
                        "z_total{z=\"aa\",a=\"2\"} 1\n"
                        "z_total{z=\"b\",a=\"1\"} 0\n");
    free(text);
    yl_metrics_free(metrics);
}

TEST(help_and_values_are_escaped)
{
    static const char *const labels[] = { "l" };
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_str value = YL_STR("a\\b\"c\nd\te");
    struct yl_gauge *gauge;
    char *text;

    gauge = yl_metric_gauge(add(metrics, YL_METRIC_GAUGE, "g",
                                "A \"help\"\nwith \\", labels, 1), &value);
    yl_gauge_set(gauge, INFINITY);
    text = render(metrics);
    assert_string_equal(text, "# HELP g A \"help\"\\nwith \\\\\n"
                              "# TYPE g gauge\n"
                              "g{l=\"a\\\\b\\\"c\\nd\te\"} +Inf\n");
    free(text);
    yl_gauge_set(gauge, NAN);
    text = render(metrics);
    assert_non_null(strstr(text, "} NaN\n"));
    free(text);
    yl_metrics_free(metrics);
}

TEST(histogram_sums_up_its_buckets)
{
    static const char *const labels[] = { "verb" };
    static const double buckets[] = { 0.1, 1, 2.5 };
    static const double observed[] = { 0.05, 0.1, 0.5, 1, 1.5, 3, 100 };
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_metric_opts opts = {
        .type = YL_METRIC_HISTOGRAM, .name = "h_seconds", .help = "H",
        .labels = labels, .n_labels = 1, .buckets = buckets, .n_buckets = 3,
    };
    struct yl_str get = YL_STR("GET");
    struct yl_histogram *histogram;
    char *text;
    size_t i;

    histogram = yl_metric_histogram(yl_metrics_add(metrics, &opts), &get);
    for (i = 0; i < YL_ARRAY_SIZE(observed); i++) {
        yl_histogram_observe(histogram, observed[i]);
    }
    text = render(metrics);
    assert_string_equal(text,
                        "# HELP h_seconds H\n"
                        "# TYPE h_seconds histogram\n"
                        "h_seconds_bucket{verb=\"GET\",le=\"0.1\"} 2\n"
                        "h_seconds_bucket{verb=\"GET\",le=\"1\"} 4\n"
                        "h_seconds_bucket{verb=\"GET\",le=\"2.5\"} 5\n"
                        "h_seconds_bucket{verb=\"GET\",le=\"+Inf\"} 7\n"
                        "h_seconds_sum{verb=\"GET\"} 106.15\n"
                        "h_seconds_count{verb=\"GET\"} 7\n");
    free(text);
    yl_metrics_free(metrics);
}

TEST(histogram_without_buckets_has_the_usual_ones)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_histogram *histogram;
    char *text;

    histogram = yl_metric_histogram(add(metrics, YL_METRIC_HISTOGRAM, "h",
                                        "H", NULL, 0), NULL);
    yl_histogram_observe(histogram, NAN);
    yl_histogram_observe(histogram, -1);
    text = render(metrics);
    assert_non_null(strstr(text, "h_bucket{le=\"0.005\"} 1\n"
                                 "h_bucket{le=\"0.01\"} 1\n"));
    assert_non_null(strstr(text, "h_bucket{le=\"10\"} 1\n"
                                 "h_bucket{le=\"+Inf\"} 2\n"
                                 "h_sum NaN\nh_count 2\n"));
    free(text);
    yl_metrics_free(metrics);
}

struct pieces {
    struct yl_metrics *metrics;
    size_t n, total;
};

/* A sink that uses the registry: no lock may be held. */
static void
count_piece(void *pieces_, const char *text, size_t size)
{
    struct pieces *pieces = pieces_;
    struct yl_metric *metric;
    static const char *const labels[] = { "l" };
    struct yl_str value = YL_STR("from the sink");

    assert_int_equal(text[size - 1], '\n');
    metric = add(pieces->metrics, YL_METRIC_COUNTER, "many_total", NULL,
                 labels, 1);
    yl_counter_add(yl_metric_counter(metric, &value), 1);
    pieces->n++;
    pieces->total += size;
}

TEST(text_comes_in_pieces_and_without_a_lock)
{
    static const char *const labels[] = { "l" };
    struct yl_metrics *metrics = yl_metrics_new();
    struct pieces pieces = { metrics, 0, 0 };
    struct yl_metric *metric = add(metrics, YL_METRIC_COUNTER, "many_total",
                                   NULL, labels, 1);
    char name[200];
    int i;

    for (i = 0; i < 900; i++) {
        struct yl_str value = yl_str_n(name, 199);

        snprintf(name, sizeof name, "%0199d", i);
        yl_metric_counter(metric, &value);
    }
    yl_metrics_render(metrics, count_piece, &pieces);
    assert_true(pieces.n >= 3);
    assert_true(pieces.total > 900 * 200);
    yl_metrics_free(metrics);
}

#define N_UPDATES 2000

static void
update(void *metrics)
{
    static const char *const labels[] = { "l" };
    struct yl_metric *counters = add(metrics, YL_METRIC_COUNTER, "c_total",
                                     NULL, labels, 1);
    struct yl_gauge *gauge = yl_metric_gauge(
        add(metrics, YL_METRIC_GAUGE, "g", NULL, NULL, 0), NULL);
    struct yl_histogram *histogram = yl_metric_histogram(
        add(metrics, YL_METRIC_HISTOGRAM, "h", NULL, NULL, 0), NULL);
    int i;

    for (i = 0; i < N_UPDATES; i++) {
        struct yl_str value = i % 2 ? YL_STR("odd") : YL_STR("even");

        yl_counter_add(yl_metric_counter(counters, &value), 1);
        yl_gauge_add(gauge, 0.5);
        yl_histogram_observe(histogram, i % 20);
    }
}

TEST(no_update_of_any_thread_is_lost)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_thread threads[3];
    char *text;
    int i;

    for (i = 0; i < 3; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "update", update,
                                         metrics), 0);
    }
    for (i = 0; i < 10; i++) {
        free(render(metrics));
    }
    for (i = 0; i < 3; i++) {
        yl_thread_join(&threads[i]);
    }
    text = render(metrics);
    assert_non_null(strstr(text, "c_total{l=\"even\"} 3000\n"));
    assert_non_null(strstr(text, "c_total{l=\"odd\"} 3000\n"));
    assert_non_null(strstr(text, "\ng 3000\n"));
    assert_non_null(strstr(text, "h_sum 57000\nh_count 6000\n"));
    free(text);
    yl_metrics_free(metrics);
}

/* The buckets of one rendering, which threads keep changing meanwhile. */
TEST(histogram_agrees_with_itself_while_it_changes)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_thread thread;
    int i;

    assert_int_equal(yl_thread_start(&thread, "update", update, metrics), 0);
    for (i = 0; i < 50; i++) {
        char *text = render(metrics);
        unsigned long long last = 0;
        char *p = text;

        while ((p = strstr(p, "h_bucket{le=")) != NULL) {
            unsigned long long n = strtoull(strchr(p, ' '), &p, 10);

            assert_true(n >= last);
            last = n;
        }
        if ((p = strstr(text, "h_count ")) != NULL) {
            assert_int_equal(strtoull(p + 8, NULL, 10), last);
        }
        free(text);
    }
    yl_thread_join(&thread);
    yl_metrics_free(metrics);
}

struct counted_source {
    struct yl_metrics_source source;
    struct yl_gauge *gauge;
    int n;
};

static void
update_source(struct yl_metrics_source *source_)
{
    struct counted_source *source
        = YL_CONTAINER_OF(source_, struct counted_source, source);

    yl_gauge_set(source->gauge, ++source->n);
}

TEST(a_source_is_asked_before_each_rendering)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct counted_source source = { .source.update = update_source };
    char *text;

    source.gauge = yl_metric_gauge(add(metrics, YL_METRIC_GAUGE, "asked", NULL,
                                       NULL, 0), NULL);
    yl_metrics_add_source(metrics, &source.source);
    yl_metrics_add_source(NULL, &source.source);
    free(render(metrics));
    text = render(metrics);
    assert_non_null(strstr(text, "asked 2\n"));
    free(text);
    yl_metrics_remove_source(metrics, &source.source);
    yl_metrics_remove_source(NULL, &source.source);
    free(render(metrics));
    assert_int_equal(source.n, 2);
    yl_metrics_free(metrics);
}
