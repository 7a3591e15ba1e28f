/* What /metrics shows.  See metrics.h. */

#include "apiserver/metrics/metrics.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "apiserver/auth/audit.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/discovery/documents.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/metrics/metrics_requests.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "net/server.h"
#include "yuloh/metrics.h"

struct yl_api_metrics {
    struct yl_metrics *all;
    struct yl_request_metrics *requests;
    struct yl_metric *objects, *resource_objects;
    struct yl_counter *authenticated, *unauthenticated;
    struct yl_counter *allowed, *forbidden;
    double started;             /* Seconds since 1970. */
};

/* A number that is read when /metrics is requested. */
struct reading {
    const char *type;           /* "counter", "gauge". */
    const char *name;
    const char *help;
    double value;
};

static void add_attempts(struct yl_api_metrics *);
static void add_objects(struct yl_api_metrics *);
static void add_build(struct yl_api_metrics *);
static void write_readings(const struct reading *, size_t n, struct yl_buf *);
static void write_process(const struct yl_api_metrics *, struct yl_buf *);
static void write_http(const struct yl_apiserver *, struct yl_buf *);
static void write_audit(const struct yl_apiserver *, struct yl_buf *);
static void set_objects(struct yl_api_metrics *, struct yl_registry *);
static void append(void *buf, const char *text, size_t size);

struct yl_api_metrics *
yl_api_metrics_new(void)
{
    struct yl_api_metrics *metrics = yl_zalloc(sizeof *metrics);
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    metrics->started = (double) now.tv_sec + (double) now.tv_nsec / 1e9;
    metrics->all = yl_metrics_new();
    metrics->requests = yl_request_metrics_new(metrics->all);
    add_attempts(metrics);
    add_objects(metrics);
    add_build(metrics);
    return metrics;
}

void
yl_api_metrics_free(struct yl_api_metrics *metrics)
{
    if (metrics) {
        yl_request_metrics_free(metrics->requests);
        yl_metrics_free(metrics->all);
        free(metrics);
    }
}

struct yl_metrics *
yl_api_metrics_all(struct yl_api_metrics *metrics)
{
    return metrics ? metrics->all : NULL;
}

struct yl_request_metrics *
yl_api_metrics_requests(struct yl_api_metrics *metrics)
{
    return metrics ? metrics->requests : NULL;
}

void
yl_api_metrics_authenticated(struct yl_api_metrics *metrics, bool known)
{
    if (metrics) {
        yl_counter_add(known ? metrics->authenticated
                             : metrics->unauthenticated, 1);
    }
}

void
yl_api_metrics_authorized(struct yl_api_metrics *metrics, bool allowed)
{
    if (metrics) {
        yl_counter_add(allowed ? metrics->allowed : metrics->forbidden, 1);
    }
}

void
yl_api_metrics_render(struct yl_apiserver *server, struct yl_buf *buf)
{
    struct yl_api_metrics *metrics = server->metrics;
    struct reading documents = {
        "gauge", "yuloh_documents_bytes",
        "Bytes of documents that are rendered and kept.", 0,
    };
    size_t bytes = 0;

    if (!metrics) {
        return;
    }
    set_objects(metrics, server->registry);
    yl_metrics_render(metrics->all, append, buf);
    write_process(metrics, buf);
    write_http(server, buf);
    write_audit(server, buf);
    yl_documents_count(server->documents, &bytes);
    documents.value = (double) bytes;
    write_readings(&documents, 1, buf);
}

/* A counter for each value of the label "result". */
static struct yl_metric *
add_results(struct yl_api_metrics *metrics, const char *name, const char *help)
{
    static const char *const labels[] = { "result" };

    return yl_metrics_add(metrics->all, &(struct yl_metric_opts) {
        .type = YL_METRIC_COUNTER, .name = name, .help = help,
        .labels = labels, .n_labels = 1 });
}

static void
add_attempts(struct yl_api_metrics *metrics)
{
    static const struct yl_str success = YL_STR_INIT("success");
    static const struct yl_str error = YL_STR_INIT("error");
    static const struct yl_str allowed = YL_STR_INIT("allowed");
    static const struct yl_str forbidden = YL_STR_INIT("no-opinion");
    struct yl_metric *who = add_results(metrics, "authentication_attempts",
                                        "Requests, by whether it is known who "
                                        "sent them.");
    struct yl_metric *may = add_results(metrics,
                                        "authorization_attempts_total",
                                        "Requests, by whether they were "
                                        "allowed.");

    metrics->authenticated = yl_metric_counter(who, &success);
    metrics->unauthenticated = yl_metric_counter(who, &error);
    metrics->allowed = yl_metric_counter(may, &allowed);
    metrics->forbidden = yl_metric_counter(may, &forbidden);
}

/* Shows the number of objects, under the older and the newer name. */
static void
add_objects(struct yl_api_metrics *metrics)
{
    static const char *const labels[] = { "group", "resource" };
    struct yl_metric_opts opts = {
        .type = YL_METRIC_GAUGE, .help = "Objects that there are.",
        .max_series = 2000,
    };

    opts.name = "apiserver_storage_objects";
    opts.labels = labels + 1;
    opts.n_labels = 1;
    metrics->objects = yl_metrics_add(metrics->all, &opts);
    opts.name = "apiserver_resource_objects";
    opts.labels = labels;
    opts.n_labels = 2;
    metrics->resource_objects = yl_metrics_add(metrics->all, &opts);
}

static void
add_build(struct yl_api_metrics *metrics)
{
    static const char *const labels[] = { "git_version", "major", "minor" };
    const struct yl_str values[] = {
        yl_str_c(yl_discovery_version()), YL_STR(YL_DISCOVERY_MAJOR),
        YL_STR(YL_DISCOVERY_MINOR),
    };

    yl_gauge_set(yl_metric_gauge(
        yl_metrics_add(metrics->all, &(struct yl_metric_opts) {
            .type = YL_METRIC_GAUGE, .name = "kubernetes_build_info",
            .help = "Which server this is; always 1.",
            .labels = labels, .n_labels = YL_ARRAY_SIZE(labels) }),
        values), 1);
}

static void
write_readings(const struct reading *all, size_t n, struct yl_buf *buf)
{
    size_t i;

    for (i = 0; i < n; i++) {
        yl_buf_printf(buf, "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n",
                      all[i].name, all[i].help, all[i].name, all[i].type,
                      all[i].name, all[i].value);
    }
}

/* The process's virtual and resident memory in bytes, or 0 if unknown. */
static void
read_memory(double *ret_virtual, double *ret_resident)
{
    FILE *f = fopen("/proc/self/statm", "re");
    double page = (double) sysconf(_SC_PAGESIZE);
    unsigned long long all = 0, resident = 0;
    char line[128];

    if (f) {
        struct yl_str first, second, rest;

        if (!fgets(line, sizeof line, f)
            || !yl_str_cut(yl_str_c(line), ' ', &first, &rest)
            || !yl_str_cut(rest, ' ', &second, &rest)
            || yl_str_to_u64(first, &all) < 0
            || yl_str_to_u64(second, &resident) < 0) {
            all = resident = 0;
        }
        fclose(f);
    }
    *ret_virtual = (double) all * page;
    *ret_resident = (double) resident * page;
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
        n -= 3;                 /* Not "."  and "..", nor the descriptor of the
                                 * folder itself. */
    }
    return n;
}

static void
write_process(const struct yl_api_metrics *metrics, struct yl_buf *buf)
{
    double virtual_bytes, resident_bytes;
    struct rlimit files = { 0, 0 };
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    getrlimit(RLIMIT_NOFILE, &files);
    read_memory(&virtual_bytes, &resident_bytes);
    const struct reading readings[] = {
        { "counter", "process_cpu_seconds_total",
          "Time that the processors worked for the server.",
          (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
              + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
                    / 1e6 },
        { "gauge", "process_max_fds", "Descriptors that may be open.",
          (double) files.rlim_cur },
        { "gauge", "process_open_fds", "Descriptors that are open.",
          open_descriptors() },
        { "gauge", "process_resident_memory_bytes",
          "Memory of the server that is in use.", resident_bytes },
        { "gauge", "process_start_time_seconds",
          "When the server started, in seconds since 1970.",
          metrics->started },
        { "gauge", "process_virtual_memory_bytes",
          "Memory of the server, in use or not.", virtual_bytes },
    };

    write_readings(readings, YL_ARRAY_SIZE(readings), buf);
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
            const struct yl_str values[] = { all[i]->group, all[i]->plural };
            double n_objects = (double) yl_ks_count(all[i]->objects);
            struct yl_str value;

            yl_buf_clear(&name);
            yl_buf_printf(&name, "%.*s%s%.*s", YL_STR_ARG(all[i]->plural),
                          all[i]->group.size ? "." : "",
                          YL_STR_ARG(all[i]->group));
            value = yl_buf_str(&name);
            yl_gauge_set(yl_metric_gauge(metrics->objects, &value), n_objects);
            yl_gauge_set(yl_metric_gauge(metrics->resource_objects, values),
                         n_objects);
        }
        yl_api_resource_unref(all[i]);
    }
    yl_buf_release(&name);
    free(all);
}

static void
write_http(const struct yl_apiserver *server, struct yl_buf *buf)
{
    struct yl_http_server_stats stats;

    if (!server->http) {
        return;
    }
    yl_http_server_stats(server->http, &stats);
    const struct reading readings[] = {
        { "gauge", "yuloh_http_connections", "Connections that are open.",
          (double) stats.n_connections },
        { "counter", "yuloh_http_connections_total",
          "Connections that were accepted.",
          (double) stats.connections_total },
        { "counter", "yuloh_http_connections_refused_total",
          "Connections that were closed because there were too many.",
          (double) stats.connections_refused },
        { "gauge", "yuloh_http_requests", "Requests that have not ended.",
          (double) stats.n_requests },
        { "counter", "yuloh_http_requests_total",
          "Requests that came, refused ones included.",
          (double) stats.requests_total },
        { "counter", "yuloh_http_requests_refused_total",
          "Requests that a limit of HTTP refused.",
          (double) stats.requests_refused },
        { "counter", "yuloh_http_requests_throttled_total",
          "Of those, for want of memory.",
          (double) stats.requests_throttled },
        { "gauge", "yuloh_http_inflight_bytes",
          "Bytes of bodies and answers on their way.",
          (double) stats.budget_used },
    };

    write_readings(readings, YL_ARRAY_SIZE(readings), buf);
}

static void
write_audit(const struct yl_apiserver *server, struct yl_buf *buf)
{
    uint64_t written = 0, dropped = 0;

    if (server->audit) {
        yl_audit_counts(server->audit, &written, &dropped);
    }
    const struct reading readings[] = {
        { "counter", "apiserver_audit_event_total",
          "Audit events that were written.", (double) written },
        { "counter", "yuloh_audit_events_dropped_total",
          "Audit events that the log could not keep up with.",
          (double) dropped },
    };

    write_readings(readings, YL_ARRAY_SIZE(readings), buf);
}

static void
append(void *buf, const char *text, size_t size)
{
    yl_buf_append(buf, text, size);
}
