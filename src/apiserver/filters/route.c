/* Routing: which resource and version a path means.  See filters.h. */

#include "apiserver/answer/accept.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/filters/filters.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/metrics/metrics_requests.h"
#include "apiserver/server.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/verbs.h"
#include "base/quote.h"
#include "schema/protobuf.h"

static bool is_heard_watch(const struct yl_api_request *);
static bool is_proxy(const struct yl_api_request *);
static bool fits_scope(const struct yl_api_request *);
static bool fits_custom_scope(const struct yl_api_request *);
static bool has_items(const struct yl_api_request *);
static bool is_allowed(const struct yl_api_request *);
static bool is_unnamed(const struct yl_api_request *);
static void warn_of_version(struct yl_api_request *);
static enum yl_step refuse_method(struct yl_api_request *);
static enum yl_step refuse_verb(struct yl_api_request *);
static enum yl_step refuse_name(struct yl_api_request *);
static bool is_dots(struct yl_str namespace_);
static enum yl_step refuse_key(struct yl_api_request *);
static unsigned accept_flags(const struct yl_api_request *);
static enum yl_step refuse_form(struct yl_api_request *, bool type_known);

enum yl_step
yl_filter_route(struct yl_api_request *req)
{
    struct yl_registry *registry = req->server->registry;
    struct yl_str header = yl_http_header(req->http, YL_STR("accept"));
    struct yl_accept accept;
    bool type_known;

    /* Authorization ignores an empty first segment of a path, as upstream's
     * does; there is no such path to serve, though. */
    if (yl_str_starts_with(req->http->path, YL_STR("//"))) {
        return yl_api_respond_no_page(req);
    }
    if (!req->info.is_resource) {
        return yl_discovery_serve(req);
    }
    if (yl_registry_find(registry, yl_api_gvr(req), &req->resource,
                         &req->version) < 0) {
        return yl_str_equal(req->info.prefix, YL_STR("apis"))
                       && !yl_registry_has_builtin_group(registry,
                                                         req->info.group)
                   ? yl_api_respond_no_page(req)
                   : yl_api_respond_unknown(req);
    }
    if (req->resource->custom && !fits_custom_scope(req)) {
        return yl_api_respond_no_page(req);
    }
    if (!yl_str_is_null(req->info.subresource)) {
        req->subresource = yl_api_version_subresource(req->version,
                                                      req->info.subresource);
        if (!req->subresource || (req->info.n_parts > 3 && !is_proxy(req))
            || req->info.forced_watch) {
            return req->resource->custom ? refuse_name(req)
                                         : yl_api_respond_unknown(req);
        }
    }
    if (!fits_scope(req) || !has_items(req)
        || (req->info.forced_watch
            && !(req->resource->verbs & YL_VERB_WATCH))) {
        return yl_api_respond_unknown(req);
    }
    if (!is_allowed(req) && !is_heard_watch(req)) {
        return is_unnamed(req)           ? yl_api_respond_unknown(req)
               : req->resource->custom ? refuse_verb(req)
                                       : refuse_method(req);
    }
    if (req->resource->namespaced && is_dots(req->info.namespace_)
        && req->resource->objects
        && !yl_str_equal(req->info.verb, YL_STR("create"))) {
        return refuse_key(req);
    }
    if (yl_accept_parse(header, accept_flags(req), &accept, &type_known)
        < 0) {
        return refuse_form(req, type_known);
    }
    accept.pretty = accept.pretty || req->accept.pretty;
    req->accept = accept;
    warn_of_version(req);
    if (yl_str_equal(req->info.verb, YL_STR("watch"))) {
        yl_request_metrics_watch(
            yl_api_metrics_requests(req->server->metrics), req);
    }
    return YL_STEP_NEXT;
}

enum yl_step
yl_filter_serve(struct yl_api_request *req)
{
    return yl_verb_dispatch(req);
}

/* Is it a watch of a resource that cannot be watched, whose strategy answers
 * it with a refusal of its own? */
static bool
is_heard_watch(const struct yl_api_request *req)
{
    return req->resource->strategy->flags & YL_STRATEGY_HEARS_WATCHES
           && yl_str_equal(req->info.verb, YL_STR("watch"))
           && yl_str_equal(req->http->method, YL_STR("GET"));
}

/* Is it the subresource "proxy"?  Any path may follow it. */
static bool
is_proxy(const struct yl_api_request *req)
{
    return req->subresource && req->subresource->what == YL_SUB_CONNECT
           && yl_str_equal(req->info.subresource, YL_STR("proxy"));
}

/* Does the path have a namespace where the resource's scope wants one? */
static bool
fits_scope(const struct yl_api_request *req)
{
    const struct yl_request_info *info = &req->info;

    return req->resource->namespaced
           ? info->in_namespace
             || (info->n_parts == 1 && req->resource->verbs & YL_VERB_LIST)
           : !info->in_namespace;
}

/* The same for a custom resource: upstream has no such path at all. */
static bool
fits_custom_scope(const struct yl_api_request *req)
{
    return fits_scope(req)
           && (!req->resource->namespaced || req->info.in_namespace
               || yl_str_equal(req->info.verb, YL_STR("list"))
               || yl_str_equal(req->info.verb, YL_STR("watch")));
}

/* Do objects of the resource have paths?  Those of resources that can only be
 * created (reviews, bindings) do not. */
static bool
has_items(const struct yl_api_request *req)
{
    return req->info.n_parts < 2 || req->subresource
           || req->resource->verbs
                  & (YL_VERB_GET | YL_VERB_UPDATE | YL_VERB_PATCH
                     | YL_VERB_DELETE);
}

/* Does the resource, or the subresource, have this verb at this path? */
static bool
is_allowed(const struct yl_api_request *req)
{
    static const struct {
        const char *verb;
        uint32_t bit;
        bool named;             /* Does the verb need the name of an object? */
    } verbs[] = {
        { "create", YL_VERB_CREATE, false },
        { "delete", YL_VERB_DELETE, true },
        { "deletecollection", YL_VERB_DELETECOLLECTION, false },
        { "get", YL_VERB_GET, true },
        { "list", YL_VERB_LIST, false },
        { "patch", YL_VERB_PATCH, true },
        { "update", YL_VERB_UPDATE, true },
        { "watch", YL_VERB_WATCH, false },
    };
    const struct yl_request_info *info = &req->info;
    uint32_t allowed = req->subresource ? req->subresource->verbs
                                        : req->resource->verbs;
    bool everywhere = req->resource->namespaced
                      && yl_str_is_empty(info->namespace_);
    size_t i;

    if (is_proxy(req)) {
        return true;            /* The target decides about methods. */
    }
    if (yl_str_equal(req->http->method, YL_STR("HEAD"))
        || (yl_str_equal(info->verb, YL_STR("watch"))
            && !yl_str_equal(req->http->method, YL_STR("GET")))) {
        return false;
    }
    for (i = 0; i < YL_ARRAY_SIZE(verbs); i++) {
        if (yl_str_equal_c(info->verb, verbs[i].verb)) {
            bool named = info->n_parts > 1;
            bool reads = verbs[i].bit & (YL_VERB_LIST | YL_VERB_WATCH);

            return (allowed & verbs[i].bit)
                   && (named == verbs[i].named || req->subresource
                       || (named && verbs[i].bit == YL_VERB_WATCH)
                       || (named && verbs[i].bit == YL_VERB_CREATE
                           && req->resource->custom))
                   && (!everywhere || reads);
        }
    }
    return false;
}

/* Does the path name an object of a resource whose objects have no names? */
static bool
is_unnamed(const struct yl_api_request *req)
{
    return req->info.n_parts > 1 && !req->subresource
           && !(req->resource->verbs & (YL_VERB_GET | YL_VERB_UPDATE
                                        | YL_VERB_PATCH | YL_VERB_DELETE));
}

static void
warn_of_version(struct yl_api_request *req)
{
    if (!yl_str_is_empty(req->version->deprecation)) {
        yl_api_warn(req, "%.*s", YL_STR_ARG(req->version->deprecation));
    }
}

static enum yl_step
refuse_method(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;

    yl_error_set(&status.error, YL_EMETHOD,
                 "the server does not allow this method on the requested "
                 "resource");
    status.has_details = true;
    return yl_api_respond_status(req, &status);
}

/* The same for a custom resource: another handler of upstream's. */
static enum yl_step
refuse_verb(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;

    if (!req->subresource && req->info.n_parts < 2
        && (yl_str_equal(req->info.verb, YL_STR("update"))
            || yl_str_equal(req->info.verb, YL_STR("patch")))) {
        yl_status_bad_request(&status, YL_STR("name must be provided"));
    } else {
        yl_status_method_not_supported(&status, yl_api_gvr(req),
                                       req->info.verb);
    }
    return yl_api_respond_status(req, &status);
}

/* Refuses a subresource that a custom resource does not have. */
static enum yl_step
refuse_name(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;

    yl_status_not_found(&status, yl_api_gvr(req),
                        yl_excerpt(req->info.name, YL_EXCERPT_MAX));
    return yl_api_respond_status(req, &status);
}

static bool
is_dots(struct yl_str namespace_)
{
    return yl_str_equal(namespace_, YL_STR("."))
           || yl_str_equal(namespace_, YL_STR(".."));
}

/* Refuses "." and "..", which as a namespace would lead out of their place
 * among the keys.  In upstream's words, but as 400, where upstream answers
 * 500. */
static enum yl_step
refuse_key(struct yl_api_request *req)
{
    struct yl_str prefix = yl_ks_resource_prefix(req->resource->objects);
    struct yl_str rest, name = req->info.name;
    struct yl_error err = YL_ERROR_INIT;

    rest = yl_str_starts_with(prefix, YL_STR("/registry"))
           ? yl_str_skip(prefix, strlen("/registry")) : prefix;
    yl_error_set(&err, YL_EBADREQUEST, "invalid key: \"%.*s%.*s%s%.*s\"",
                 YL_STR_ARG(rest), YL_STR_ARG(req->info.namespace_),
                 name.size ? "/" : "",
                 YL_STR_ARG(yl_excerpt_copy(req->arena, name)));
    return yl_api_respond_error(req, &err);
}

static unsigned
accept_flags(const struct yl_api_request *req)
{
    unsigned flags = req->resource->objects
                             || req->resource->verbs & YL_VERB_GET
                         ? YL_ACCEPT_FORMS : 0;

    /* Upstream has Tables for these alone. */
    if (flags && (!req->subresource
                  || req->subresource->what == YL_SUB_STATUS
                  || req->subresource->what == YL_SUB_SCALE)) {
        flags |= YL_ACCEPT_TABLE;
    }
    if (yl_protobuf_has(yl_kind_type(req->version->kind))) {
        flags |= YL_ACCEPT_PROTOBUF;
    }
    return flags;
}

static enum yl_step
refuse_form(struct yl_api_request *req, bool type_known)
{
    struct yl_status status = YL_STATUS_INIT;
    bool reads = yl_str_equal(req->info.verb, YL_STR("list"))
                 || yl_str_equal(req->info.verb, YL_STR("watch"));
    bool log = req->subresource
               && yl_str_equal(req->info.subresource, YL_STR("log"));

    /* A log is plain text, but an error about it is not. */
    if (type_known
        || (log && yl_str_starts_with(yl_http_header(req->http,
                                                     YL_STR("accept")),
                                      YL_STR("text/plain")))) {
        yl_error_set(&status.error, YL_ENOTACCEPTABLE,
                     "only the following media types are accepted: "
                     "application/json, application/yaml, "
                     "application/vnd.kubernetes.protobuf");
    } else {
        yl_error_set(&status.error, YL_ENOTACCEPTABLE,
                     "406: Not Acceptable\n\nAvailable representations: %s"
                     "application/json, application/yaml, "
                     "application/vnd.kubernetes.protobuf%s",
                     log ? "text/plain, " : "",
                     reads ? ", application/json;stream=watch, "
                             "application/vnd.kubernetes.protobuf;"
                             "stream=watch"
                           : "");
        status.has_details = true;
    }
    return yl_api_respond_status(req, &status);
}
