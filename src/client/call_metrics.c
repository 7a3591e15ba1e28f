/* Metrics of a client, under the names that client-go's have. */

#include "client/call_metrics.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "yuloh/compiler.h"
#include "yuloh/metrics.h"

static const double seconds[] = {
    0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60,
};
static const double bytes[] = {
    64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304,
    16777216,
};

static const char *const code_method_host[] = { "code", "method", "host" };
static const char *const code_verb_host[] = { "code", "verb", "host" };
static const char *const verb_host[] = { "verb", "host" };

static void count_result(struct yl_metric *, const struct yl_call_metrics *,
                         struct yl_str method, int http_status);
static struct yl_metric *add_counter(struct yl_metrics *, const char *name,
                                     const char *help,
                                     const char *const *labels);
static struct yl_metric *add_histogram(struct yl_metrics *, const char *name,
                                       const char *help,
                                       const double *buckets,
                                       size_t n_buckets);

void
yl_call_metrics_init(struct yl_call_metrics *m, struct yl_metrics *metrics,
                     struct yl_str host)
{
    m->host = yl_strdup(host);
    m->requests = add_counter(
        metrics, "rest_client_requests_total",
        "Number of HTTP requests, partitioned by status code, method, and "
        "host.", code_method_host);
    m->retries = add_counter(
        metrics, "rest_client_request_retries_total",
        "Number of request retries, partitioned by status code, verb, and "
        "host.", code_verb_host);
    m->duration = add_histogram(
        metrics, "rest_client_request_duration_seconds",
        "Request latency in seconds. Broken down by verb, and host.",
        seconds, YL_ARRAY_SIZE(seconds));
    m->throttled = add_histogram(
        metrics, "rest_client_rate_limiter_duration_seconds",
        "Client side rate limiter latency in seconds. Broken down by verb, "
        "and host.", seconds, YL_ARRAY_SIZE(seconds));
    m->sent = add_histogram(
        metrics, "rest_client_request_size_bytes",
        "Request size in bytes. Broken down by verb and host.", bytes,
        YL_ARRAY_SIZE(bytes));
    m->received = add_histogram(
        metrics, "rest_client_response_size_bytes",
        "Response size in bytes. Broken down by verb and host.", bytes,
        YL_ARRAY_SIZE(bytes));
}

void
yl_call_metrics_release(struct yl_call_metrics *m)
{
    free(m->host);
}

void
yl_call_metrics_count(struct yl_call_metrics *m,
                      const struct yl_call_measure *measure)
{
    struct yl_str values[2] = { measure->method, yl_str_c(m->host) };

    if (!m->requests) {
        return;
    }
    count_result(m->requests, m, measure->method, measure->http_status);
    if (measure->is_retry) {
        count_result(m->retries, m, measure->method, measure->http_status);
    }
    yl_histogram_observe(yl_metric_histogram(m->duration, values),
                         (double) measure->duration / 1000);
    yl_histogram_observe(yl_metric_histogram(m->sent, values),
                         (double) measure->sent);
    if (measure->http_status) {
        yl_histogram_observe(yl_metric_histogram(m->received, values),
                             (double) measure->received);
    }
}

void
yl_call_metrics_count_watch(struct yl_call_metrics *m, int http_status)
{
    if (m->requests) {
        count_result(m->requests, m, YL_STR("GET"), http_status);
    }
}

void
yl_call_metrics_throttled(struct yl_call_metrics *m, struct yl_str method,
                          yl_msec duration)
{
    struct yl_str values[2];

    if (!m->throttled) {
        return;
    }
    values[0] = method;
    values[1] = yl_str_c(m->host);
    yl_histogram_observe(yl_metric_histogram(m->throttled, values),
                         (double) duration / 1000);
}

static void
count_result(struct yl_metric *metric, const struct yl_call_metrics *m,
             struct yl_str method, int http_status)
{
    struct yl_str values[3];
    char code[16] = "<error>";

    if (http_status) {
        snprintf(code, sizeof code, "%d", http_status);
    }
    values[0] = yl_str_c(code);
    values[1] = method;
    values[2] = yl_str_c(m->host);
    yl_counter_add(yl_metric_counter(metric, values), 1);
}

static struct yl_metric *
add_counter(struct yl_metrics *metrics, const char *name, const char *help,
            const char *const *labels)
{
    return yl_metrics_add(metrics, &(struct yl_metric_opts) {
        .type = YL_METRIC_COUNTER, .name = name, .help = help,
        .labels = labels, .n_labels = 3,
    });
}

static struct yl_metric *
add_histogram(struct yl_metrics *metrics, const char *name, const char *help,
              const double *buckets, size_t n_buckets)
{
    return yl_metrics_add(metrics, &(struct yl_metric_opts) {
        .type = YL_METRIC_HISTOGRAM, .name = name, .help = help,
        .labels = verb_host, .n_labels = 2,
        .buckets = buckets, .n_buckets = n_buckets,
    });
}
