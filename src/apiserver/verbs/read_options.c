/* Options of reads.  See apiserver/verbs/read_options.h for the contract. */

#include "apiserver/verbs/read_options.h"

#include <string.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "apiserver/strategy/strategy.h"
#include "base/alloc.h"
#include "base/quote.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"

/* The options as they were sent, or as their defaults are. */
struct options {
    struct yl_str match;
    bool has_initial;           /* sendInitialEvents is there, */
    bool initial;               /* and true. */
};

static void set_defaults(const struct yl_params *, bool watch,
                         struct options *);
static int check_match(const struct yl_params *, bool watch,
                       const struct options *, struct yl_status *);
static int parse_revision(struct yl_str text, uint64_t *ret_revision,
                          struct yl_error *err);
static int parse_continue(struct yl_api_request *, struct yl_str text,
                          struct yl_read_options *, struct yl_status *);
static struct yl_str full_start(const struct yl_api_request *,
                                struct yl_str start);
static bool is_cached(const struct yl_api_request *);

int
yl_read_options_parse(struct yl_api_request *req, bool watch,
                      struct yl_read_options *o, struct yl_status *status)
{
    const struct yl_params *params = &req->params;
    struct options options;
    bool watches = watch && yl_params_bool(params, YL_STR("watch"));
    bool has_limit;
    int r;

    *o = (struct yl_read_options) { .watch = watch };
    o->bookmarks = yl_params_bool(params, YL_STR("allowWatchBookmarks"));
    set_defaults(params, watches, &options);
    o->initial_events = options.initial;
    o->no_initial_events = options.has_initial && !options.initial;
    o->match = options.match;
    r = yl_params_int64(params, YL_STR("timeoutSeconds"), &o->timeout_seconds,
                        &o->has_timeout, &status->error);
    if (r == 0) {
        r = yl_params_int64(params, YL_STR("limit"), &o->limit, &has_limit,
                            &status->error);
    }
    if (r == 0) {
        r = check_match(params, watches, &options, status);
    }
    o->limit = r == 0 && o->limit > 0 && !watch ? o->limit : 0;
    return r;
}

int
yl_read_options_place(struct yl_api_request *req, struct yl_read_options *o,
                      struct yl_status *status)
{
    const struct yl_params *params = &req->params;
    struct yl_str revision = yl_params_get(params, YL_STR("resourceVersion"));
    struct yl_str token = yl_params_get(params, YL_STR("continue"));
    int r;

    if (yl_str_equal(revision, YL_STR("0")) && is_cached(req)) {
        o->limit = 0;           /* Upstream's cache ignores limits then. */
    }
    if (!yl_str_is_empty(token) && !o->watch) {
        return parse_continue(req, token, o, status);
    }
    if (!yl_str_is_empty(revision)) {
        r = parse_revision(revision, &o->revision, &status->error);
        if (r < 0) {
            if (o->watch) {
                status->http_status = 500;
                status->reason = yl_strdup(YL_STR(""));
                return status->error.code = YL_EINTERNAL;
            }
            yl_error_prefix(&status->error, "invalid resource version");
            return r;
        }
        o->has_revision = true;
        o->exact = o->revision
                   && (yl_str_equal(o->match, YL_STR("Exact"))
                       || (o->limit && yl_str_is_empty(o->match)));
    }
    return 0;
}

int
yl_read_options_get(struct yl_api_request *req, struct yl_status *status)
{
    struct yl_str text = yl_params_get(&req->params,
                                       YL_STR("resourceVersion"));
    uint64_t revision, current;
    int r;

    if (yl_params_bool(&req->params, YL_STR("export"))) {
        return yl_status_bad_request(
            status, YL_STR("the export parameter, deprecated since v1.14, is "
                           "no longer supported"));
    }
    if (yl_str_is_empty(text)) {
        return 0;
    }
    r = parse_revision(text, &revision, &status->error);
    if (r < 0) {
        status->http_status = 500;
        status->reason = yl_strdup(YL_STR(""));
        return status->error.code = YL_EINTERNAL;
    }
    current = yl_keyspace_revision(req->server->keyspace);
    return revision > current
           ? yl_read_too_new(req, status, revision, current)
           : 0;
}

int
yl_read_name_check(struct yl_str name, struct yl_error *err)
{
    const char *why = yl_str_equal(name, YL_STR("."))    ? "may not be '.'"
                      : yl_str_equal(name, YL_STR("..")) ? "may not be '..'"
                      : memchr(name.data, '/', name.size)
                          ? "may not contain '/'"
                      : memchr(name.data, '%', name.size)
                          ? "may not contain '%'"
                          : NULL;

    return why ? yl_error_set(err, YL_EBADREQUEST,
                              "Name parameter invalid: \"%.*s\": %s",
                              YL_STR_ARG(yl_excerpt(name, YL_EXCERPT_MAX)),
                              why)
               : 0;
}

int
yl_read_too_new(const struct yl_api_request *req, struct yl_status *status,
                uint64_t asked, uint64_t current)
{
    yl_error_set(&status->error, YL_ETIMEOUT,
                 "Timeout: Too large resource version: %llu, current: %llu",
                 (unsigned long long) asked, (unsigned long long) current);
    yl_error_add_cause(&status->error, YL_STR("ResourceVersionTooLarge"),
                       YL_STR("Too large resource version"), yl_str_null());
    status->error.retry_after = is_cached(req) ? 1000 : 0;
    return YL_ETIMEOUT;
}

/* Sets defaults.  A watch without a revision gets initial events. */
static void
set_defaults(const struct yl_params *params, bool watch, struct options *o)
{
    struct yl_str revision = yl_params_get(params, YL_STR("resourceVersion"));

    o->match = yl_params_get(params, YL_STR("resourceVersionMatch"));
    o->has_initial = yl_params_has(params, YL_STR("sendInitialEvents"));
    o->initial = yl_params_bool(params, YL_STR("sendInitialEvents"));
    if (watch && !o->has_initial && yl_str_is_empty(o->match)
        && (yl_str_is_empty(revision)
            || yl_str_equal(revision, YL_STR("0")))) {
        o->has_initial = o->initial = true;
        o->match = YL_STR("NotOlderThan");
    }
}

/* Checks that the options can be combined. */
static int
check_match(const struct yl_params *params, bool watch,
            const struct options *o, struct yl_status *status)
{
    struct yl_str match = o->match;
    struct yl_str revision = yl_params_get(params, YL_STR("resourceVersion"));
    bool continues = !yl_str_is_empty(yl_params_get(params,
                                                    YL_STR("continue")));
    bool initial = o->has_initial;
    bool exact = yl_str_equal(match, YL_STR("Exact"));
    bool not_older = yl_str_equal(match, YL_STR("NotOlderThan"));
    static const char *const of_list[] = { "Exact", "NotOlderThan", "", NULL };
    static const char *const of_watch[] = { "NotOlderThan", NULL };
    struct yl_field_path at = yl_field_member(NULL,
                                              YL_STR("resourceVersionMatch"));
    struct yl_field_path events = yl_field_member(NULL,
                                                  YL_STR("sendInitialEvents"));
    struct yl_gvk kind = { YL_STR("meta.k8s.io"), YL_STR("v1"),
                           YL_STR("ListOptions") };
    struct yl_error faults = YL_ERROR_INIT;
    int r = 0;

    if (watch && initial && !not_older) {
        yl_field_forbidden(&faults, &at, "sendInitialEvents requires setting "
                                         "resourceVersionMatch to "
                                         "NotOlderThan");
    }
    if (!yl_str_is_empty(match)) {
        if (watch && !initial) {
            yl_field_forbidden(&faults, &at,
                               "resourceVersionMatch is forbidden for watch "
                               "unless sendInitialEvents is provided");
        }
        if (watch && !not_older) {
            yl_field_not_supported(&faults, &at, yl_bad_string(match),
                                   of_watch);
        }
        if (!watch && yl_str_is_empty(revision)) {
            yl_field_forbidden(&faults, &at,
                               "resourceVersionMatch is forbidden unless "
                               "resourceVersion is provided");
        }
        if (continues) {
            yl_field_forbidden(&faults, &at, "resourceVersionMatch is "
                                             "forbidden when continue is "
                                             "provided");
        }
        if (!watch && !exact && !not_older) {
            yl_field_not_supported(&faults, &at, yl_bad_string(match),
                                   of_list);
        }
        if (!watch && exact && yl_str_equal(revision, YL_STR("0"))) {
            yl_field_forbidden(&faults, &at,
                               "resourceVersionMatch \"exact\" is forbidden "
                               "for resourceVersion \"0\"");
        }
    }
    if (!watch && initial) {
        yl_field_forbidden(&faults, &events,
                           "sendInitialEvents is forbidden for list");
    }
    if (faults.n_causes) {
        r = yl_status_invalid(status, kind, YL_STR(""), &faults);
    }
    yl_error_clear(&faults);
    return r;
}

static int
parse_revision(struct yl_str text, uint64_t *ret_revision,
               struct yl_error *err)
{
    unsigned long long value;
    bool digits = text.size > 0;
    size_t i;

    for (i = 0; i < text.size; i++) {
        digits = digits && text.data[i] >= '0' && text.data[i] <= '9';
    }
    if (digits && yl_str_to_u64(text, &value) == 0) {
        *ret_revision = value;
        return 0;
    }
    text = yl_excerpt(text, YL_EXCERPT_MAX);
    return yl_error_set(err, YL_EBADREQUEST,
                        "resourceVersion: Invalid value: \"%.*s\": "
                        "strconv.ParseUint: parsing \"%.*s\": %s",
                        YL_STR_ARG(text), YL_STR_ARG(text),
                        digits ? "value out of range" : "invalid syntax");
}

static int
parse_continue(struct yl_api_request *req, struct yl_str text,
               struct yl_read_options *o, struct yl_status *status)
{
    struct yl_str revision = yl_params_get(&req->params,
                                           YL_STR("resourceVersion"));
    struct yl_continue_token token;
    int r = yl_continue_token_read(req->arena, text, &token, &status->error);

    if (r < 0) {
        return r;
    }
    if (!yl_str_is_empty(revision)
        && !yl_str_equal(revision, YL_STR("0"))) {
        return yl_error_set(&status->error, YL_EBADREQUEST,
                            "specifying resource version is not allowed when "
                            "using continue");
    }
    o->continued = true;
    o->exact = token.revision > 0;
    o->revision = token.revision > 0 ? (uint64_t) token.revision : 0;
    o->token = token;
    o->start = full_start(req, token.start);
    return 0;
}

/* The key to start from.  The token of a list in one namespace has the name of
 * the object alone. */
static struct yl_str
full_start(const struct yl_api_request *req, struct yl_str start)
{
    struct yl_str ns = req->info.namespace_;
    char *data;

    if (!req->resource->namespaced || yl_str_is_empty(ns)) {
        return start;
    }
    data = yl_arena_alloc(req->arena, ns.size + 1 + start.size);
    memcpy(data, ns.data, ns.size);
    data[ns.size] = '/';
    memcpy(data + ns.size + 1, start.data, start.size);
    return yl_str_n(data, ns.size + 1 + start.size);
}

/* Does upstream have a watch cache for the kind?  Without one, revisions are
 * handled and reported as etcd does. */
static bool
is_cached(const struct yl_api_request *req)
{
    return !(req->resource->strategy->flags & YL_STRATEGY_UNCACHED);
}
