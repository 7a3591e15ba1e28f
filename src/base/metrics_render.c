/* Metrics as text, in Prometheus' exposition format 0.0.4.  See
 * yuloh/metrics.h for what the text promises.
 *
 *     # HELP name text
 *     # TYPE name histogram
 *     name_bucket{label="value",le="0.5"} 3
 *     name_bucket{label="value",le="+Inf"} 4
 *     name_sum{label="value"} 1.25
 *     name_count{label="value"} 4 */

#include "base/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/number.h"

/* Text is handed to the sink when there is this much.  The most that is added
 * on top is one series of a histogram: 66 lines of at most 16 labels of 256
 * bytes, each of which may be escaped, and names, which the program chose. */
#define PIECE (64 * 1024)
#define CEILING ((size_t) 16 * 1024 * 1024)

static void render_metric(struct yl_buf *, struct yl_metric *,
                          yl_metrics_sink_fn *, void *aux);
static void render_header(struct yl_buf *, const struct yl_metric *);
static void render_series(struct yl_buf *, const struct yl_series *);
static void render_histogram(struct yl_buf *, const struct yl_series *);
static void render_name(struct yl_buf *, const struct yl_series *,
                        const char *suffix, const double *le);
static void append_escaped(struct yl_buf *, const char *, const char *special);
static void append_double(struct yl_buf *, double);

void
yl_metrics_render(struct yl_metrics *metrics, yl_metrics_sink_fn *sink,
                  void *aux)
{
    struct yl_metric **all;
    struct yl_buf buf;
    size_t n, i;

    if (!metrics) {
        return;
    }
    yl_metrics_update_sources(metrics);
    yl_buf_init(&buf, CEILING);
    all = yl_metrics_snapshot(metrics, &n);
    for (i = 0; i < n; i++) {
        render_metric(&buf, all[i], sink, aux);
    }
    if (buf.size) {
        sink(aux, buf.data, buf.size);
    }
    free(all);
    yl_buf_release(&buf);
}

static void
render_metric(struct yl_buf *buf, struct yl_metric *metric,
              yl_metrics_sink_fn *sink, void *aux)
{
    size_t n, i;
    struct yl_series **all = yl_metric_snapshot(metric, &n);

    if (n) {
        render_header(buf, metric);
    }
    for (i = 0; i < n; i++) {
        if (metric->type == YL_METRIC_HISTOGRAM) {
            render_histogram(buf, all[i]);
        } else {
            render_series(buf, all[i]);
        }
        if (buf->size >= PIECE) {
            sink(aux, buf->data, buf->size);
            yl_buf_clear(buf);
        }
    }
    free(all);
}

static void
render_header(struct yl_buf *buf, const struct yl_metric *metric)
{
    static const char *const types[] = { "counter", "gauge", "histogram" };

    yl_buf_append_c(buf, "# HELP ");
    yl_buf_append_c(buf, metric->name);
    yl_buf_append_char(buf, ' ');
    append_escaped(buf, metric->help, "\\\n");
    yl_buf_append_c(buf, "\n# TYPE ");
    yl_buf_append_c(buf, metric->name);
    yl_buf_append_char(buf, ' ');
    yl_buf_append_c(buf, types[metric->type]);
    yl_buf_append_char(buf, '\n');
}

static void
render_series(struct yl_buf *buf, const struct yl_series *series)
{
    uint64_t value = atomic_load_explicit(&series->value,
                                          memory_order_relaxed);

    render_name(buf, series, "", NULL);
    if (series->metric->type == YL_METRIC_COUNTER) {
        yl_buf_printf(buf, "%" PRIu64, value);
    } else {
        append_double(buf, yl_bits_to_double(value));
    }
    yl_buf_append_char(buf, '\n');
}

/* Each count is read once and the total is their sum, so that what is printed
 * agrees with itself. */
static void
render_histogram(struct yl_buf *buf, const struct yl_series *series)
{
    static const double infinite = INFINITY;
    const struct yl_metric *metric = series->metric;
    uint64_t total = 0;
    size_t i;

    for (i = 0; i <= metric->n_buckets; i++) {
        total += atomic_load_explicit(&series->counts[i],
                                      memory_order_relaxed);
        render_name(buf, series, "_bucket",
                    i < metric->n_buckets ? &metric->buckets[i] : &infinite);
        yl_buf_printf(buf, "%" PRIu64 "\n", total);
    }
    render_name(buf, series, "_sum", NULL);
    append_double(buf, yl_bits_to_double(
                           atomic_load_explicit(&series->value,
                                                memory_order_relaxed)));
    yl_buf_append_char(buf, '\n');
    render_name(buf, series, "_count", NULL);
    yl_buf_printf(buf, "%" PRIu64 "\n", total);
}

/* Name, labels and a space.  'le' is one label more, if it is not NULL. */
static void
render_name(struct yl_buf *buf, const struct yl_series *series,
            const char *suffix, const double *le)
{
    const struct yl_metric *metric = series->metric;
    const char *value = series->key;
    const char *separator = "{";
    size_t i;

    yl_buf_append_c(buf, metric->name);
    yl_buf_append_c(buf, suffix);
    for (i = 0; i < metric->n_labels; i++) {
        yl_buf_append_c(buf, separator);
        yl_buf_append_c(buf, metric->labels[i]);
        yl_buf_append_c(buf, "=\"");
        append_escaped(buf, value, "\\\n\"");
        yl_buf_append_c(buf, "\"");
        separator = ",";
        value += strlen(value) + 1;
    }
    if (le) {
        yl_buf_append_c(buf, separator);
        yl_buf_append_c(buf, "le=\"");
        append_double(buf, *le);
        yl_buf_append_c(buf, "\"");
        separator = ",";
    }
    yl_buf_append_c(buf, *separator == ',' ? "} " : " ");
}

/* Appends 's' with a backslash before each of 'special', a line break as
 * "\n". */
static void
append_escaped(struct yl_buf *buf, const char *s, const char *special)
{
    for (; *s; s++) {
        if (strchr(special, *s)) {
            yl_buf_append_char(buf, '\\');
        }
        yl_buf_append_char(buf, *s == '\n' ? 'n' : *s);
    }
}

static void
append_double(struct yl_buf *buf, double value)
{
    char text[YL_DOUBLE_SIZE];

    yl_buf_append(buf, text, yl_double_format(text, value));
}
