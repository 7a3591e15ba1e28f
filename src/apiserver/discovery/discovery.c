/* Paths that belong to no resource.  See discovery.h. */

#include "apiserver/discovery/discovery.h"

#include "apiserver/answer/accept.h"
#include "apiserver/discovery/documents.h"
#include "apiserver/discovery/health.h"
#include "apiserver/discovery/lists.h"
#include "apiserver/discovery/openapi.h"
#include "apiserver/discovery/openid.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/server.h"
#include "yuloh/arena.h"
#include "yuloh/metrics.h"

/* The version of Kubernetes that clients are told. */
#define MAJOR YL_DISCOVERY_MAJOR
#define MINOR YL_DISCOVERY_MINOR
#define PATCH "3"
#define GIT_VERSION "v" MAJOR "." MINOR "." PATCH "+yuloh" YULOH_VERSION

#define AGGREGATED ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
#define MEDIA_TYPES                                                           \
    "application/json, application/yaml, application/vnd.kubernetes.protobuf"

/* The documents of lists.h. */
enum list {
    LIST_API,
    LIST_APIS,
    LIST_GROUP,
    LIST_RESOURCES,
    LIST_AGGREGATED_API,
    LIST_AGGREGATED_APIS,
    LIST_PATHS,
};

/* What a document is rendered from. */
struct source {
    const struct yl_apiserver *server;
    enum list list;
    struct yl_str group;
    struct yl_str version;
};

static enum yl_step serve_root(struct yl_api_request *);
static enum yl_step serve_api(struct yl_api_request *);
static enum yl_step serve_apis(struct yl_api_request *);
static enum yl_step serve_below_api(struct yl_api_request *, struct yl_str);
static enum yl_step serve_below_apis(struct yl_api_request *, struct yl_str);
static struct yl_str without_slashes(struct yl_str path);
static enum yl_step serve_version(struct yl_api_request *);
static enum yl_step serve_metrics(struct yl_api_request *);
static enum yl_step serve_slis(struct yl_api_request *);
static enum yl_step serve_list(struct yl_api_request *, struct source);
static enum yl_step serve_aggregated(struct yl_api_request *, enum list);
static enum yl_step serve_resources(struct yl_api_request *, struct source);
static bool wants_aggregated(struct yl_api_request *);
static enum yl_step lend(struct yl_api_request *, const struct yl_document *,
                         const char *params);
static bool render_list(struct yl_buf *, void *source);

static const struct {
    const char *path;
    enum yl_step (*serve)(struct yl_api_request *);
} routes[] = {
    { "/", serve_root },
    { "/index.html", serve_root },
    { "/api", serve_api },
    { "/api/", serve_api },
    { "/apis", serve_apis },
    { "/apis/", serve_apis },
    { "/version", serve_version },
    { "/version/", serve_version },
    { "/metrics", serve_metrics },
    { "/metrics/slis", serve_slis },
    { "/openapi/v2", yl_serve_openapi_v2 },
    { "/openapi/v3", yl_serve_openapi_index },
    { "/.well-known/openid-configuration", yl_serve_openid_configuration },
    { "/.well-known/openid-configuration/", yl_serve_openid_configuration },
    { "/openid/v1/jwks", yl_serve_openid_keys },
    { "/openid/v1/jwks/", yl_serve_openid_keys },
};

enum yl_step
yl_discovery_serve(struct yl_api_request *req)
{
    struct yl_str path = req->info.path;

    for (size_t i = 0; i < YL_ARRAY_SIZE(routes); i++) {
        if (yl_str_equal_c(path, routes[i].path)) {
            return routes[i].serve(req);
        }
    }
    if (yl_str_starts_with(path, YL_STR("/api/"))) {
        return serve_below_api(req, yl_str_skip(path, 5));
    }
    if (yl_str_starts_with(path, YL_STR("/apis/"))) {
        return serve_below_apis(req, yl_str_skip(path, 6));
    }
    if (yl_str_starts_with(path, YL_STR("/version/"))) {
        return yl_api_respond_unknown(req);
    }
    if (yl_str_starts_with(path, YL_STR("/openapi/v3/"))) {
        return yl_serve_openapi_v3(req, yl_str_skip(path, 12));
    }
    return yl_health_has(path) ? yl_serve_health(req)
                               : yl_api_respond_no_page(req);
}

const char *
yl_discovery_version(void)
{
    return GIT_VERSION;
}

bool
yl_discovery_is_get(const struct yl_api_request *req)
{
    return yl_str_equal(req->http->method, YL_STR("GET"));
}

enum yl_step
yl_discovery_refuse_method(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;

    yl_error_set(&status.error, YL_EMETHOD,
                 "the server does not allow this method on the requested "
                 "resource");
    status.has_details = true;
    return yl_api_respond_status(req, &status);
}

enum yl_step
yl_discovery_refuse_form(struct yl_api_request *req, bool by_route,
                         const char *media_types)
{
    struct yl_status status = YL_STATUS_INIT;

    if (by_route) {
        yl_error_set(&status.error, YL_ENOTACCEPTABLE,
                     "406: Not Acceptable\n\nAvailable representations: %s",
                     media_types);
        status.has_details = true;
    } else {
        yl_error_set(&status.error, YL_ENOTACCEPTABLE,
                     "only the following media types are accepted: %s",
                     media_types);
    }
    return yl_api_respond_status(req, &status);
}

static enum yl_step
serve_root(struct yl_api_request *req)
{
    struct source source = { .server = req->server, .list = LIST_PATHS };

    req->accept = (struct yl_accept) { .pretty = true };
    return serve_list(req, source);
}

static enum yl_step
serve_api(struct yl_api_request *req)
{
    struct source source = { .server = req->server, .list = LIST_API };

    if (!yl_discovery_is_get(req)) {
        return yl_discovery_refuse_method(req);
    }
    return wants_aggregated(req) ? serve_aggregated(req, LIST_AGGREGATED_API)
                                 : serve_resources(req, source);
}

/* Upstream accepts any method here and for groups. */
static enum yl_step
serve_apis(struct yl_api_request *req)
{
    struct source source = { .server = req->server, .list = LIST_APIS };

    return wants_aggregated(req) ? serve_aggregated(req, LIST_AGGREGATED_APIS)
                                 : serve_list(req, source);
}

/* "v1", with any slashes behind it. */
static enum yl_step
serve_below_api(struct yl_api_request *req, struct yl_str rest)
{
    struct source source = { .server = req->server, .list = LIST_RESOURCES,
                             .group = YL_STR("") };

    source.version = without_slashes(rest);
    if (yl_str_is_empty(source.version)
        || !yl_registry_has_group(req->server->registry, source.group,
                                  source.version)) {
        return yl_api_respond_unknown(req);
    }
    return yl_discovery_is_get(req) ? serve_resources(req, source)
                                    : yl_discovery_refuse_method(req);
}

/* "apps" or "apps/v1", with any slashes behind them.  Versions of custom
 * groups are not behind upstream's router: they take any method, and an
 * unknown one is no page. */
static enum yl_step
serve_below_apis(struct yl_api_request *req, struct yl_str rest)
{
    struct source source = { .server = req->server, .list = LIST_GROUP };
    struct yl_registry *registry = req->server->registry;
    struct yl_str more = yl_str_null();
    bool builtin;

    rest = without_slashes(rest);
    source.group = rest;
    yl_str_cut(rest, '/', &source.group, &more);
    if (yl_str_is_empty(source.group)
        || !yl_registry_has_group(registry, source.group, yl_str_null())) {
        return yl_api_respond_no_page(req);
    }
    if (yl_str_is_empty(more)) {
        return serve_list(req, source);
    }
    builtin = yl_registry_has_builtin_group(registry, source.group);
    source.list = LIST_RESOURCES;
    source.version = more;
    if (!yl_registry_has_group(registry, source.group, source.version)) {
        return builtin ? yl_api_respond_unknown(req)
                       : yl_api_respond_no_page(req);
    }
    if (!builtin) {
        return serve_list(req, source);
    }
    return yl_discovery_is_get(req) ? serve_resources(req, source)
                                    : yl_discovery_refuse_method(req);
}

static struct yl_str
without_slashes(struct yl_str path)
{
    while (yl_str_ends_with(path, YL_STR("/"))) {
        path.size--;
    }
    return path;
}

static enum yl_step
serve_version(struct yl_api_request *req)
{
    static const struct yl_str json = YL_STR_INIT(
        "{\"major\":\"" MAJOR "\",\"minor\":\"" MINOR "\","
        "\"emulationMajor\":\"" MAJOR "\",\"emulationMinor\":\"" MINOR "\","
        "\"minCompatibilityMajor\":\"1\",\"minCompatibilityMinor\":\"35\","
        "\"gitVersion\":\"" GIT_VERSION "\",\"gitCommit\":\"\","
        "\"gitTreeState\":\"\",\"buildDate\":\"1970-01-01T00:00:00Z\","
        "\"goVersion\":\"\",\"compiler\":\"cc\",\"platform\":\"linux/"
#if defined __x86_64__
        "amd64"
#elif defined __aarch64__
        "arm64"
#else
        "other"
#endif
        "\"}");
    static const char *const types[] = { "application/json" };
    struct yl_str header = yl_http_header(req->http, YL_STR("accept"));
    struct yl_accept accept;
    bool type_known;

    if (!yl_discovery_is_get(req)) {
        return yl_discovery_refuse_method(req);
    }
    if (yl_accept_choose(header, types, 1) < 0
        || (yl_accept_parse(header, 0, &accept, &type_known) < 0
            && !type_known)) {
        return yl_discovery_refuse_form(req, true, types[0]);
    }
    req->accept = (struct yl_accept) { .pretty = true };
    return yl_api_respond_document(req, 200, NULL, json);
}

#define METRICS YL_METRICS_CONTENT_TYPE "; escaping=underscores"

static enum yl_step
serve_metrics(struct yl_api_request *req)
{
    struct yl_buf body;
    enum yl_step step;

    req->compress_over = 1;     /* Compress any size: clients that scrape ask
                                 * for it. */
    yl_buf_init(&body, 64 << 20);
    yl_api_metrics_render(req->server, &body);
    step = yl_api_respond(req, 200, METRICS, yl_buf_str(&body));
    yl_buf_release(&body);
    return step;
}

static enum yl_step
serve_slis(struct yl_api_request *req)
{
    struct yl_buf body;
    enum yl_step step;

    yl_buf_init(&body, 1 << 16);
    yl_health_write_metrics(&body, req->server);
    step = yl_api_respond(req, 200, METRICS, yl_buf_str(&body));
    yl_buf_release(&body);
    return step;
}

/* Serves a list that is behind upstream's router, which checks media types
 * itself and has its own error messages. */
static enum yl_step
serve_resources(struct yl_api_request *req, struct source source)
{
    struct yl_accept accept;
    bool type_known;

    if (yl_accept_parse(yl_http_header(req->http, YL_STR("accept")),
                        YL_ACCEPT_PROTOBUF, &accept, &type_known) < 0
        && !type_known) {
        return yl_discovery_refuse_form(req, true, MEDIA_TYPES);
    }
    return serve_list(req, source);
}

static enum yl_step
serve_list(struct yl_api_request *req, struct source source)
{
    struct yl_registry *registry = req->server->registry;
    const struct yl_document *document;
    struct yl_accept accept;
    bool type_known;
    uint64_t stamp;
    char *name;

    if (source.list != LIST_PATHS) {
        if (yl_accept_parse(yl_http_header(req->http, YL_STR("accept")),
                            YL_ACCEPT_ANY_SUBTYPE | YL_ACCEPT_PROTOBUF,
                            &accept, &type_known) < 0) {
            return yl_discovery_refuse_form(req, false, MEDIA_TYPES);
        }
        accept.pretty |= req->accept.pretty;
        req->accept = accept;
    }
    name = yl_arena_printf(req->arena, "list %d %.*s/%.*s", (int) source.list,
                           YL_STR_ARG(source.group),
                           YL_STR_ARG(source.version));
    stamp = source.list == LIST_RESOURCES
            ? yl_registry_version_generation(registry, source.group,
                                             source.version)
            : yl_registry_generation(registry);
    document = yl_documents_get(req->server->documents, yl_str_c(name), stamp,
                                render_list, &source);
    return document ? lend(req, document, NULL) : yl_api_respond_unknown(req);
}

static enum yl_step
serve_aggregated(struct yl_api_request *req, enum list list)
{
    struct source source = { .server = req->server, .list = list };
    char *name = yl_arena_printf(req->arena, "list %d", (int) list);
    const struct yl_document *document =
        yl_documents_get(req->server->documents, yl_str_c(name),
                         yl_registry_generation(req->server->registry),
                         render_list, &source);

    if (!document) {
        return yl_api_respond_unknown(req);
    }
    yl_api_add_header(req, YL_STR("etag"),
                      yl_arena_copy(req->arena, yl_str_c(document->etag)));
    yl_api_add_header(req, YL_STR("vary"), YL_STR("Accept"));
    yl_api_add_header(req, YL_STR("cache-control"), YL_STR("public"));
    if (yl_str_equal_c(yl_http_header(req->http, YL_STR("if-none-match")),
                       document->etag)) {
        yl_document_unref(document);
        return yl_api_respond(req, 304, NULL, YL_STR(""));
    }
    return lend(req, document, AGGREGATED);
}

/* Whether the client asks for aggregated discovery; sets 'accept' then.  As in
 * upstream it counts anywhere in the header, whatever its q. */
static bool
wants_aggregated(struct yl_api_request *req)
{
    struct yl_str header = yl_http_header(req->http, YL_STR("accept"));
    struct yl_accept accept;
    bool type_known;

    if (yl_str_is_empty(header)
        || yl_accept_parse(header, YL_ACCEPT_AGGREGATED | YL_ACCEPT_PROTOBUF,
                           &accept, &type_known) < 0) {
        return false;
    }
    accept.pretty |= req->accept.pretty;
    req->accept = accept;
    return true;
}

static void
let_go(void *document)
{
    yl_document_unref(document);
}

/* Answers with a JSON document and takes over the reference to it. */
static enum yl_step
lend(struct yl_api_request *req, const struct yl_document *document,
     const char *params)
{
    struct yl_str body = document->body;

    yl_arena_attach(req->arena, let_go,
                    (struct yl_document *) (uintptr_t) document);
    if (req->accept.yaml || req->accept.protobuf || req->accept.pretty) {
        body.size--;            /* The line end is added again. */
        return yl_api_respond_document(req, 200, params, body);
    }
    return yl_api_respond_lent(req, 200,
                               yl_arena_printf(req->arena,
                                               "application/json%s",
                                               params ? params : ""), body);
}

static bool
render_list(struct yl_buf *buf, void *source_)
{
    const struct source *source = source_;
    const struct yl_apiserver_opts *opts = &source->server->opts;
    struct yl_arena *arena = yl_arena_new();
    const struct yl_catalog *catalog =
        yl_catalog_make(source->server->registry, arena);
    const struct yl_catalog_group *group;
    const struct yl_catalog_version *version;
    const char *address;

    switch (source->list) {
    case LIST_API:
        address = yl_arena_printf(arena, "%s:%u",
                                  opts->advertise_address
                                  ? opts->advertise_address : "127.0.0.1",
                                  opts->advertise_port
                                  ? (unsigned) opts->advertise_port : 6443);
        yl_discovery_write_api(buf, catalog, yl_str_c(address));
        break;

    case LIST_APIS:
        yl_discovery_write_apis(buf, catalog, arena);
        break;

    case LIST_GROUP:
        group = yl_catalog_group(catalog, source->group);
        if (group) {
            yl_discovery_write_group(buf, group);
        }
        break;

    case LIST_RESOURCES:
        version = yl_catalog_version(catalog, source->group, source->version);
        if (version) {
            yl_discovery_write_resources(buf, version);
        }
        break;

    case LIST_AGGREGATED_API:
    case LIST_AGGREGATED_APIS:
        yl_discovery_write_aggregated(buf, catalog,
                                      source->list == LIST_AGGREGATED_API);
        break;

    case LIST_PATHS:
        yl_discovery_write_paths(buf, catalog, arena);
        break;
    }
    yl_arena_free(arena);
    if (!buf->size) {
        return false;           /* It was removed in the meantime. */
    }
    yl_buf_append_char(buf, '\n');
    return true;
}
