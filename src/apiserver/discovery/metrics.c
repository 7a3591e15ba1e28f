/* What /metrics shows.  See metrics.h. */

#include "apiserver/discovery/metrics.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "apiserver/discovery/discovery.h"
#include "apiserver/discovery/documents.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/request.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "net/server.h"
#include "yuloh/metrics.h"

/* Verbs as requests have them and as metrics show them. */
static const struct {
    const char *verb;
    const char *shown;
} verbs[] = {
    { "get", "GET" },
    { "list", "LIST" },
    { "watch", "WATCH" },
    { "create", "POST" },
    { "update", "PUT" },
    { "patch", "PATCH" },
    { "delete", "DELETE" },
    { "deletecollection", "DELETECOLLECTION" },
    { "other", "OTHER" },       /* The last one. */
};

#define N_VERBS YL_ARRAY_SIZE(verbs)

struct yl_api_metrics {
    struct yl_metrics *all;
    struct yl_metric *requests;
    struct yl_histogram *seconds[N_VERBS];
    struct yl_metric *objects;
    double started;             /* Seconds since 1970. */
};

static size_t find_verb(struct yl_str verb);
static void add_requests(struct yl_api_metrics *);
static void set_gauge(struct yl_api_metrics *, const char *name,
                      const char *help, double value);
static void set_process(struct yl_api_metrics *);
static void set_objects(struct yl_api_metrics *, struct yl_registry *);
static void set_http(struct yl_api_metrics *, const struct yl_apiserver *);
static void append(void *buf, const char *text, size_t size);

struct yl_api_metrics *
yl_api_metrics_new(void)
{
    struct yl_api_metrics *metrics = yl_zalloc(sizeof *metrics);
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    metrics->started = (double) now.tv_sec + (double) now.tv_nsec / 1e9;
    metrics->all = yl_metrics_new();
    add_requests(metrics);
    return metrics;
}

void
yl_api_metrics_free(struct yl_api_metrics *metrics)
{
    if (metrics) {
        yl_metrics_free(metrics->all);
        free(metrics);
    }
}

struct yl_metrics *
yl_api_metrics_all(struct yl_api_metrics *metrics)
{
    return metrics ? metrics->all : NULL;
}

void
yl_api_metrics_count(struct yl_api_metrics *metrics,
                     const struct yl_api_request *req, double seconds)
{
    const struct yl_api_resource *resource = req->resource;
    size_t verb = find_verb(req->info.verb);
    struct yl_str values[6];
    char code[12];

    if (!metrics) {
        return;
    }
    /* Who went away before there was an answer has the code of those. */
    snprintf(code, sizeof code, "%d",
             req->http_status ? req->http_status : 499);
    values[0] = yl_str_c(code);
    values[1] = resource ? req->version->group : YL_STR("");
    values[2] = resource ? resource->plural : YL_STR("");
    values[3] = req->subresource ? yl_str_c(req->subresource->name)
                                 : YL_STR("");
    values[4] = yl_str_c(verbs[verb].shown);
    values[5] = resource ? req->version->version : YL_STR("");
    yl_counter_add(yl_metric_counter(metrics->requests, values), 1);
    if (!yl_str_equal(req->info.verb, YL_STR("watch"))) {
        yl_histogram_observe(metrics->seconds[verb], seconds);
    }
}

void
yl_api_metrics_render(struct yl_apiserver *server, struct yl_buf *buf)
{
    struct yl_api_metrics *metrics = server->metrics;
    size_t bytes = 0;

    if (!metrics) {
        return;
    }
    set_process(metrics);
    set_objects(metrics, server->registry);
    set_http(metrics, server);
    yl_documents_count(server->documents, &bytes);
    set_gauge(metrics, "yuloh_documents_bytes",
              "Bytes of documents that are rendered and kept.",
              (double) bytes);
    yl_metrics_render(metrics->all, append, buf);
}

static size_t
find_verb(struct yl_str verb)
{
    size_t i = 0;

    while (i < N_VERBS - 1 && !yl_str_equal_c(verb, verbs[i].verb)) {
        i++;
    }
    return i;
}

static void
add_requests(struct yl_api_metrics *metrics)
{
    static const char *const labels[] = {
        "code", "group", "resource", "subresource", "verb", "version",
    };
    static const char *const by_verb[] = { "verb" };
    static const char *const by_resource[] = { "resource" };
    static const char *const by_version[] = { "git_version" };
    static const double buckets[] = {
        .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10,
        30, 60,
    };
    struct yl_str version = yl_str_c(yl_discovery_version());
    struct yl_metric *seconds;

    metrics->requests = yl_metrics_add(metrics->all,
        &(struct yl_metric_opts) {
            .type = YL_METRIC_COUNTER, .name = "apiserver_request_total",
            .help = "Requests that have ended.",
            .labels = labels, .n_labels = YL_ARRAY_SIZE(labels),
            .max_series = 4000 });
    seconds = yl_metrics_add(metrics->all,
        &(struct yl_metric_opts) {
            .type = YL_METRIC_HISTOGRAM,
            .name = "apiserver_request_duration_seconds",
            .help = "How long requests took, without watches.",
            .labels = by_verb, .n_labels = 1,
            .buckets = buckets, .n_buckets = YL_ARRAY_SIZE(buckets) });
    for (size_t i = 0; i < N_VERBS; i++) {
        struct yl_str verb = yl_str_c(verbs[i].shown);

        metrics->seconds[i] = yl_metric_histogram(seconds, &verb);
    }
    metrics->objects = yl_metrics_add(metrics->all,
        &(struct yl_metric_opts) {
            .type = YL_METRIC_GAUGE, .name = "apiserver_storage_objects",
            .help = "Objects that there are.",
            .labels = by_resource, .n_labels = 1, .max_series = 2000 });
    yl_gauge_set(yl_metric_gauge(
        yl_metrics_add(metrics->all,
            &(struct yl_metric_opts) {
                .type = YL_METRIC_GAUGE, .name = "kubernetes_build_info",
                .help = "Which server this is; always 1.",
                .labels = by_version, .n_labels = 1 }), &version), 1);
}

static void
set_gauge(struct yl_api_metrics *metrics, const char *name, const char *help,
          double value)
{
    yl_gauge_set(yl_metric_gauge(
        yl_metrics_add(metrics->all,
            &(struct yl_metric_opts) {
                .type = YL_METRIC_GAUGE, .name = name, .help = help }),
        NULL), value);
}

/* Resident memory in bytes, or 0. */
static double
resident_bytes(void)
{
    FILE *f = fopen("/proc/self/statm", "re");
    unsigned long long pages = 0;
    char line[128];

    if (f) {
        struct yl_str size, resident, rest;

        if (!fgets(line, sizeof line, f)
            || !yl_str_cut(yl_str_c(line), ' ', &size, &rest)
            || !yl_str_cut(rest, ' ', &resident, &rest)
            || yl_str_to_u64(resident, &pages) < 0) {
            pages = 0;
        }
        fclose(f);
    }
    return (double) pages * (double) sysconf(_SC_PAGESIZE);
}

static double
open_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    double n = 0;

    if (dir) {
        while (readdir(dir)) {
            n++;
        }
        closedir(dir);
        n -= 3;                 /* ".", ".." and the folder's own. */
    }
    return n;
}

static void
set_process(struct yl_api_metrics *metrics)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    set_gauge(metrics, "process_cpu_seconds_total",
              "Time that the processors worked for the server.",
              (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
              + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
                / 1e6);
    set_gauge(metrics, "process_start_time_seconds",
              "When the server started, in seconds since 1970.",
              metrics->started);
    set_gauge(metrics, "process_resident_memory_bytes",
              "Memory of the server that is in use.", resident_bytes());
    set_gauge(metrics, "process_open_fds", "Descriptors that are open.",
              open_descriptors());
}

static void
set_objects(struct yl_api_metrics *metrics, struct yl_registry *registry)
{
    const struct yl_api_resource **all;
    struct yl_buf name;
    size_t n;

    all = yl_registry_all(registry, &n);
    yl_buf_init(&name, 1024);
    for (size_t i = 0; i < n; i++) {
        if (all[i]->objects) {
            struct yl_str value;

            yl_buf_clear(&name);
            yl_buf_printf(&name, "%.*s%s%.*s", YL_STR_ARG(all[i]->plural),
                          all[i]->group.size ? "." : "",
                          YL_STR_ARG(all[i]->group));
            value = yl_buf_str(&name);
            yl_gauge_set(yl_metric_gauge(metrics->objects, &value),
                         (double) yl_ks_count(all[i]->objects));
        }
        yl_api_resource_unref(all[i]);
    }
    yl_buf_release(&name);
    free(all);
}

static void
set_http(struct yl_api_metrics *metrics, const struct yl_apiserver *server)
{
    struct yl_http_server_stats stats;

    if (!server->http) {
        return;
    }
    yl_http_server_stats(server->http, &stats);
    set_gauge(metrics, "apiserver_current_inflight_requests",
              "Requests that have not ended.", (double) stats.n_requests);
    set_gauge(metrics, "yuloh_http_connections", "Connections that are open.",
              (double) stats.n_connections);
    set_gauge(metrics, "yuloh_http_connections_total",
              "Connections that were accepted.",
              (double) stats.connections_total);
    set_gauge(metrics, "yuloh_http_connections_refused_total",
              "Connections that were closed because there were too many.",
              (double) stats.connections_refused);
    set_gauge(metrics, "yuloh_http_requests_total",
              "Requests that came, refused ones included.",
              (double) stats.requests_total);
    set_gauge(metrics, "yuloh_http_requests_refused_total",
              "Requests that a limit of HTTP refused.",
              (double) stats.requests_refused);
    set_gauge(metrics, "yuloh_http_requests_throttled_total",
              "Of those, for want of memory.",
              (double) stats.requests_throttled);
    set_gauge(metrics, "yuloh_http_inflight_bytes",
              "Bytes of bodies and answers on their way.",
              (double) stats.budget_used);
}

static void
append(void *buf, const char *text, size_t size)
{
    yl_buf_append(buf, text, size);
}
