/* Requests as /metrics counts them.  See metrics_requests.h.
 *
 * Looking up a series by nine labels costs more than some requests do.  So
 * requests are grouped into sorts by everything that decides their labels, and
 * each sort remembers its series.  A sort holds a reference to its resource,
 * so that no other resource can get the same address. */

#include "apiserver/metrics/metrics_requests.h"

#include <stdio.h>
#include <stdlib.h>

#include "apiserver/request.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/metrics.h"

/* How many sorts are remembered; for others the series is looked up each
 * time. */
#define MAX_SORTS 4096

/* How many status codes of one sort have their series remembered. */
#define MAX_CODES 8

/* Verbs as requests have them and as metrics show them. */
static const struct {
    const char *verb;
    const char *shown;
    bool mutates;
} verbs[] = {
    { "get", "GET", false },
    { "list", "LIST", false },
    { "watch", "WATCH", false },
    { "create", "POST", true },
    { "post", "POST", true },
    { "update", "PUT", true },
    { "put", "PUT", true },
    { "patch", "PATCH", true },
    { "delete", "DELETE", true },
    { "deletecollection", "DELETE", true },
    { "head", "GET", false },
    { "other", "OTHER", true },     /* Must be the last one. */
};

#define N_VERBS YL_ARRAY_SIZE(verbs)

/* Paths that belong to no resource and are counted by name. */
static const char *const paths[] = {
    "", "/api", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v2",
    "/openapi/v3", "/readyz", "/version",
};

enum scope {
    NO_SCOPE,
    CLUSTER,
    NAMESPACE,
    RESOURCE,
};

static const char *const scopes[] = { "", "cluster", "namespace", "resource" };

enum dry_run {
    NOT_DRY,
    DRY,
    DRY_INVALID,
};

static const char *const dry_runs[] = { "", "All", "invalid" };

/* What decides the labels of a request, except its status code. */
struct key {
    const struct yl_api_version *version;       /* NULL: no resource. */
    const struct yl_api_subresource *subresource;
    uint16_t verb, path;        /* No padding: the struct is hashed as
                                 * bytes. */
    uint16_t scope;             /* enum scope. */
    uint16_t dry_run;           /* enum dry_run. */
};

struct sort {
    struct yl_map_node node;    /* In yl_request_metrics' 'sorts'. */
    struct key key;
    const struct yl_api_resource *resource;     /* Held. */
    struct yl_histogram *seconds, *sli_seconds;
    struct {
        int code;
        struct yl_counter *counter;
    } codes[MAX_CODES];
    size_t n_codes;
};

struct yl_request_metrics {
    struct yl_metric *requests, *seconds, *sli_seconds, *watches, *events;
    struct yl_gauge *reading, *mutating;

    struct yl_mutex lock;       /* Taken before those of metrics. */
    struct yl_map sorts YL_GUARDED;
};

/* All labels, in the order of their names, as upstream's output has them. */
enum {
    CODE,
    COMPONENT,
    DRY_RUN,
    GROUP,
    RESOURCE_,
    SCOPE,
    SUBRESOURCE,
    VERB,
    VERSION,
    N_LABELS
};

static const char *const label_names[N_LABELS] = {
    "code",  "component",   "dry_run", "group",   "resource",
    "scope", "subresource", "verb",    "version",
};

static struct yl_metric *add(struct yl_metrics *, enum yl_metric_type,
                             const char *name, const char *help,
                             unsigned left_out);
static struct yl_gauge *in_flight(struct yl_metrics *, const char *kind);
static struct key key_of(const struct yl_api_request *);
static size_t find_verb(struct yl_str verb);
static size_t find_path(struct yl_str path);
static enum dry_run dry_run_of(const struct yl_params *);
static void labels_of(const struct key *, const struct yl_api_request *,
                      struct yl_str labels[N_LABELS]);
static void leave_out(const struct yl_str labels[N_LABELS], unsigned left_out,
                      struct yl_str values[N_LABELS]);
static struct sort *find_sort(struct yl_request_metrics *metrics,
                              const struct key *,
                              const struct yl_api_request *)
    YL_REQUIRES(metrics->lock);
static void measure(struct yl_request_metrics *metrics, struct sort *,
                    const struct yl_api_request *, double seconds)
    YL_REQUIRES(metrics->lock);

#define WITHOUT(LABEL) (1u << (LABEL))
#define SECONDS_LEAVE_OUT WITHOUT(CODE)
#define SLI_LEAVES_OUT (WITHOUT(CODE) | WITHOUT(DRY_RUN))
#define EVENTS_LEAVE_OUT                                                      \
    (SLI_LEAVES_OUT | WITHOUT(COMPONENT) | WITHOUT(SCOPE)                     \
     | WITHOUT(SUBRESOURCE) | WITHOUT(VERB))

struct yl_request_metrics *
yl_request_metrics_new(struct yl_metrics *all)
{
    struct yl_request_metrics *metrics = yl_zalloc(sizeof *metrics);

    metrics->requests = add(all, YL_METRIC_COUNTER, "apiserver_request_total",
                            "Requests that have ended.", 0);
    metrics->seconds = add(all, YL_METRIC_HISTOGRAM,
                           "apiserver_request_duration_seconds",
                           "How long requests took.", SECONDS_LEAVE_OUT);
    metrics->sli_seconds = add(all, YL_METRIC_HISTOGRAM,
                               "apiserver_request_sli_duration_seconds",
                               "How long requests took, without watches.",
                               SLI_LEAVES_OUT);
    metrics->watches = add(all, YL_METRIC_GAUGE,
                           "apiserver_longrunning_requests",
                           "Watches that are served.", SLI_LEAVES_OUT);
    metrics->events = add(all, YL_METRIC_COUNTER,
                          "apiserver_watch_events_total",
                          "Events that watches were sent.", EVENTS_LEAVE_OUT);
    metrics->reading = in_flight(all, "readOnly");
    metrics->mutating = in_flight(all, "mutating");
    yl_mutex_init(&metrics->lock);
    return metrics;
}

void
yl_request_metrics_free(struct yl_request_metrics *metrics)
{
    struct sort *sort;

    if (!metrics) {
        return;
    }
    yl_mutex_lock(&metrics->lock);
    YL_MAP_FOR_EACH_SAFE (sort, node, &metrics->sorts) {
        if (sort->resource) {
            yl_api_resource_unref(sort->resource);
        }
        free(sort);
    }
    yl_map_release(&metrics->sorts);
    yl_mutex_unlock(&metrics->lock);
    yl_mutex_destroy(&metrics->lock);
    free(metrics);
}

void
yl_request_metrics_begin(struct yl_request_metrics *metrics,
                         struct yl_api_request *req)
{
    if (!metrics || yl_str_equal(req->info.verb, YL_STR("watch"))) {
        return;
    }
    req->in_flight = verbs[find_verb(req->info.verb)].mutates
                     ? metrics->mutating : metrics->reading;
    yl_gauge_add(req->in_flight, 1);
}

void
yl_request_metrics_watch(struct yl_request_metrics *metrics,
                         struct yl_api_request *req)
{
    struct yl_str labels[N_LABELS], values[N_LABELS];
    struct key key;

    if (!metrics || req->in_flight) {
        return;
    }
    key = key_of(req);
    labels_of(&key, req, labels);
    leave_out(labels, SLI_LEAVES_OUT, values);
    req->in_flight = yl_metric_gauge(metrics->watches, values);
    yl_gauge_add(req->in_flight, 1);
}

struct yl_counter *
yl_request_metrics_events(struct yl_request_metrics *metrics,
                          const struct yl_api_request *req)
{
    struct yl_str labels[N_LABELS], values[N_LABELS];
    struct key key;

    if (!metrics) {
        return NULL;
    }
    key = key_of(req);
    labels_of(&key, req, labels);
    leave_out(labels, EVENTS_LEAVE_OUT, values);
    return yl_metric_counter(metrics->events, values);
}

void
yl_request_metrics_end(struct yl_request_metrics *metrics,
                       struct yl_api_request *req, double seconds)
{
    struct key key;
    struct sort *sort;

    if (!metrics) {
        return;
    }
    if (req->in_flight) {
        yl_gauge_add(req->in_flight, -1);
        req->in_flight = NULL;
    }
    key = key_of(req);
    yl_mutex_lock(&metrics->lock);
    sort = find_sort(metrics, &key, req);
    measure(metrics, sort, req, seconds);
    if (yl_map_count(&metrics->sorts) > MAX_SORTS) {
        yl_map_remove(&metrics->sorts, &sort->node);
        if (sort->resource) {
            yl_api_resource_unref(sort->resource);
        }
        free(sort);
    }
    yl_mutex_unlock(&metrics->lock);
}

/* A metric with all labels but those that are left out. */
static struct yl_metric *
add(struct yl_metrics *all, enum yl_metric_type type, const char *name,
    const char *help, unsigned left_out)
{
    static const double buckets[] = {
        .005, .025, .05, .1, .2, .4, .6, .8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8,
        10, 15, 20, 30, 45, 60,
    };
    const char *labels[N_LABELS];
    struct yl_metric_opts opts = {
        .type = type, .name = name, .help = help, .labels = labels,
        .max_series = 4000,
    };
    size_t i;

    for (i = 0; i < N_LABELS; i++) {
        if (!(left_out & WITHOUT(i))) {
            labels[opts.n_labels++] = label_names[i];
        }
    }
    if (type == YL_METRIC_HISTOGRAM) {
        opts.buckets = buckets;
        opts.n_buckets = YL_ARRAY_SIZE(buckets);
    }
    return yl_metrics_add(all, &opts);
}

static struct yl_gauge *
in_flight(struct yl_metrics *all, const char *kind)
{
    static const char *const labels[] = { "request_kind" };
    struct yl_str value = yl_str_c(kind);

    return yl_metric_gauge(
        yl_metrics_add(all, &(struct yl_metric_opts) {
            .type = YL_METRIC_GAUGE,
            .name = "apiserver_current_inflight_requests",
            .help = "Requests that have not ended, but for watches.",
            .labels = labels, .n_labels = 1 }), &value);
}

static struct key
key_of(const struct yl_api_request *req)
{
    const struct yl_request_info *info = &req->info;
    bool known = req->resource != NULL;
    struct key key = {
        .version = known ? req->version : NULL,
        .subresource = known ? req->subresource : NULL,
        .verb = (uint16_t) find_verb(info->verb),
        .path = (uint16_t) (info->is_resource ? 0 : find_path(info->path)),
        .scope = !info->is_resource ? NO_SCOPE
                 : info->name.size
                       || yl_str_equal(info->verb, YL_STR("create"))
                       ? RESOURCE
                 : info->namespace_.size ? NAMESPACE : CLUSTER,
        .dry_run = (uint16_t) dry_run_of(&req->params),
    };

    return key;
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

/* The index of a path; the first entry stands for all others. */
static size_t
find_path(struct yl_str path)
{
    size_t i = YL_ARRAY_SIZE(paths) - 1;

    while (i > 0 && !yl_str_equal_c(path, paths[i])) {
        i--;
    }
    return i;
}

static enum dry_run
dry_run_of(const struct yl_params *params)
{
    enum dry_run dry_run = NOT_DRY;
    size_t i;

    for (i = 0; i < params->n; i++) {
        if (yl_str_equal(params->all[i].name, YL_STR("dryRun"))) {
            if (!yl_str_equal(params->all[i].value, YL_STR("All"))) {
                return DRY_INVALID;
            }
            dry_run = DRY;
        }
    }
    return dry_run;
}

static void
labels_of(const struct key *key, const struct yl_api_request *req,
          struct yl_str labels[N_LABELS])
{
    const struct yl_api_version *version = key->version;

    labels[CODE] = YL_STR("");
    labels[COMPONENT] = version ? YL_STR("apiserver") : YL_STR("");
    labels[DRY_RUN] = yl_str_c(dry_runs[key->dry_run]);
    labels[GROUP] = version ? version->group : YL_STR("");
    labels[RESOURCE_] = version ? req->resource->plural : YL_STR("");
    labels[SCOPE] = yl_str_c(scopes[key->scope]);
    labels[SUBRESOURCE] = yl_str_c(key->subresource ? key->subresource->name
                                                    : paths[key->path]);
    labels[VERB] = yl_str_c(verbs[key->verb].shown);
    labels[VERSION] = version ? version->version : YL_STR("");
}

static void
leave_out(const struct yl_str labels[N_LABELS], unsigned left_out,
          struct yl_str values[N_LABELS])
{
    size_t i, n = 0;

    for (i = 0; i < N_LABELS; i++) {
        if (!(left_out & WITHOUT(i))) {
            values[n++] = labels[i];
        }
    }
}

static struct sort *
find_sort(struct yl_request_metrics *metrics, const struct key *key,
          const struct yl_api_request *req)
{
    size_t hash = yl_hash_str(yl_str_n((const char *) key, sizeof *key));
    struct yl_str labels[N_LABELS], values[N_LABELS];
    struct sort *sort;

    YL_MAP_FOR_EACH_WITH_HASH (sort, node, hash, &metrics->sorts) {
        if (memcmp(&sort->key, key, sizeof *key) == 0) {
            return sort;
        }
    }
    sort = yl_zalloc(sizeof *sort);
    sort->key = *key;
    sort->resource = key->version ? yl_api_resource_ref(req->resource) : NULL;
    labels_of(key, req, labels);
    leave_out(labels, SECONDS_LEAVE_OUT, values);
    sort->seconds = yl_metric_histogram(metrics->seconds, values);
    if (!yl_str_equal(req->info.verb, YL_STR("watch"))) {
        leave_out(labels, SLI_LEAVES_OUT, values);
        sort->sli_seconds = yl_metric_histogram(metrics->sli_seconds, values);
    }
    yl_map_insert(&metrics->sorts, &sort->node, hash);
    return sort;
}

static void
measure(struct yl_request_metrics *metrics, struct sort *sort,
        const struct yl_api_request *req, double seconds)
{
    /* A client that went away before it was answered counts as 499. */
    int code = req->http_status ? req->http_status : 499;
    struct yl_str labels[N_LABELS];
    struct yl_counter *counter;
    char text[12];
    size_t i = 0;

    yl_histogram_observe(sort->seconds, seconds);
    if (sort->sli_seconds) {
        yl_histogram_observe(sort->sli_seconds, seconds);
    }
    while (i < sort->n_codes && sort->codes[i].code != code) {
        i++;
    }
    if (i < sort->n_codes) {
        yl_counter_add(sort->codes[i].counter, 1);
        return;
    }
    labels_of(&sort->key, req, labels);
    snprintf(text, sizeof text, "%d", code);
    labels[CODE] = yl_str_c(text);
    counter = yl_metric_counter(metrics->requests, labels);
    yl_counter_add(counter, 1);
    if (i < MAX_CODES) {
        sort->codes[i].code = code;
        sort->codes[i].counter = counter;
        sort->n_codes++;
    }
}
