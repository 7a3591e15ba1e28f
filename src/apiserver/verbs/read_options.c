/* Options of reads.  See apiserver/verbs/read_options.h for the contract. */

#include "apiserver/verbs/read_options.h"

#include <string.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "base/alloc.h"
#include "json/base64.h"
#include "json/text.h"
#include "schema/field_error.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

/* As they are asked for, or meant. */
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
static int parse_continue(struct yl_api_request *, struct yl_str token,
                          struct yl_read_options *, struct yl_status *);

int
yl_read_options_parse(struct yl_api_request *req, bool watch,
                      struct yl_read_options *o, struct yl_status *status)
{
    const struct yl_params *params = &req->params;
    struct yl_str revision = yl_params_get(params, YL_STR("resourceVersion"));
    struct yl_str token = yl_params_get(params, YL_STR("continue"));
    struct options options;
    bool watches = watch && yl_params_bool(params, YL_STR("watch"));
    bool has_limit;
    int r;

    *o = (struct yl_read_options) { .watch = watch };
    o->bookmarks = yl_params_bool(params, YL_STR("allowWatchBookmarks"));
    set_defaults(params, watches, &options);
    o->initial_events = options.initial;
    o->no_initial_events = options.has_initial && !options.initial;
    r = yl_params_int64(params, YL_STR("limit"), &o->limit, &has_limit,
                        &status->error);
    if (r == 0) {
        r = yl_params_int64(params, YL_STR("timeoutSeconds"),
                            &o->timeout_seconds, &o->has_timeout,
                            &status->error);
    }
    if (r == 0) {
        r = check_match(params, watches, &options, status);
    }
    if (r < 0) {
        return r;
    }
    o->limit = o->limit > 0 && !watch ? o->limit : 0;
    if (!yl_str_is_empty(token) && !watch) {
        return parse_continue(req, token, o, status);
    }
    if (!yl_str_is_empty(revision)) {
        r = parse_revision(revision, &o->revision, &status->error);
        if (r < 0) {
            if (watch) {
                status->http_status = 500;
                status->reason = yl_strdup(YL_STR(""));
                return status->error.code = YL_EINTERNAL;
            }
            yl_error_prefix(&status->error, "invalid resource version");
            return r;
        }
        o->has_revision = true;
        o->exact = o->revision
                   && (yl_str_equal(options.match, YL_STR("Exact"))
                       || (o->limit && yl_str_is_empty(options.match)));
        if (!o->revision) {
            o->limit = 0;       /* As from upstream's cache. */
        }
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
    return revision > current ? yl_read_too_new(status, revision, current) : 0;
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
                              YL_STR_ARG(name), why)
               : 0;
}

int
yl_read_too_new(struct yl_status *status, uint64_t asked, uint64_t current)
{
    yl_error_set(&status->error, YL_ETIMEOUT,
                 "Too large resource version: %llu, current: %llu",
                 (unsigned long long) asked, (unsigned long long) current);
    yl_error_add_cause(&status->error, YL_STR("ResourceVersionTooLarge"),
                       YL_STR("Too large resource version"), yl_str_null());
    status->error.retry_after = 1000;
    return YL_ETIMEOUT;
}

struct yl_str
yl_read_continue(struct yl_arena *arena, uint64_t revision, struct yl_key last,
                 bool in_namespace)
{
    struct yl_buf json, text;
    struct yl_str token, start;
    char *data;
    size_t i;

    start = yl_str_c(in_namespace || yl_str_is_empty(last.namespace_)
                         ? yl_arena_printf(arena, "%.*s",
                                           YL_STR_ARG(last.name))
                         : yl_arena_printf(arena, "%.*s/%.*s",
                                           YL_STR_ARG(last.namespace_),
                                           YL_STR_ARG(last.name)));
    start.size++;               /* The NUL: what comes right behind it. */
    yl_buf_init(&json, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    yl_buf_printf(&json, "{\"v\":\"meta.k8s.io/v1\",\"rv\":%lld,\"start\":",
                  revision ? (long long) revision : -1);
    yl_json_write_string(&json, start);
    yl_buf_append_char(&json, '}');
    yl_base64_write(&text, yl_buf_str(&json));
    token = yl_arena_copy(arena, yl_buf_str(&text));
    yl_buf_release(&json);
    yl_buf_release(&text);

    data = (char *) token.data;
    for (i = 0; i < token.size; i++) {
        data[i] = data[i] == '+' ? '-' : data[i] == '/' ? '_' : data[i];
    }
    while (token.size && data[token.size - 1] == '=') {
        token.size--;
    }
    return token;
}

/* A watch from anywhere is one that wants the state first. */
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

/* Which combinations make sense. */
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
    return yl_error_set(err, YL_EBADREQUEST,
                        "resourceVersion: Invalid value: \"%.*s\": "
                        "strconv.ParseUint: parsing \"%.*s\": %s",
                        YL_STR_ARG(text), YL_STR_ARG(text),
                        digits ? "value out of range" : "invalid syntax");
}

/* Undoes the alphabet of URLs and the missing padding. */
static bool
decode_token(struct yl_arena *arena, struct yl_str token, size_t *ret_bad,
             struct yl_str *ret_json)
{
    char *text = yl_arena_alloc(arena, token.size + 4);
    size_t i;

    for (i = 0; i < token.size; i++) {
        char c = token.data[i];

        *ret_bad = i;
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z') || c == '-' || c == '_')) {
            return false;
        }
        text[i] = c == '-' ? '+' : c == '_' ? '/' : c;
    }
    *ret_bad = token.size;
    while (i % 4) {
        text[i++] = '=';
    }
    return yl_base64_decode(arena, yl_str_n(text, i), ret_json);
}

static int
bad_token(struct yl_status *status, const char *why)
{
    return yl_error_set(&status->error, YL_EBADREQUEST,
                        "invalid continue token: continue key is not valid: "
                        "%s", why);
}

/* Is a key what Go's path.Clean() makes of it? */
static bool
is_clean(struct yl_str key)
{
    struct yl_str part;
    bool more = true;

    if (yl_str_starts_with(key, YL_STR("/"))) {
        key = yl_str_skip(key, 1);
    }
    while (more) {
        more = yl_str_cut(key, '/', &part, &key);
        part = more ? part : key;
        if (!part.size || yl_str_equal(part, YL_STR("."))
            || yl_str_equal(part, YL_STR(".."))) {
            return false;
        }
    }
    return true;
}

static int
parse_continue(struct yl_api_request *req, struct yl_str token,
               struct yl_read_options *o, struct yl_status *status)
{
    struct yl_str revision = yl_params_get(&req->params,
                                           YL_STR("resourceVersion"));
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str json, version = yl_str_null(), start = yl_str_null();
    struct yl_json root;
    int64_t rv = 0;
    size_t bad;

    if (!decode_token(req->arena, token, &bad, &json)) {
        return bad_token(status, yl_arena_printf(
            req->arena, "illegal base64 data at input byte %zu", bad));
    }
    if (yl_json_validate(json, NULL, &err) < 0) {
        bad_token(status, yl_error_message(&err));
        yl_error_clear(&err);
        return YL_EBADREQUEST;
    }
    root = yl_json(json);
    yl_json_string(yl_json_get(root, YL_STR("v")), req->arena, &version);
    if (!yl_str_equal(version, YL_STR("meta.k8s.io/v1"))) {
        return bad_token(status, yl_arena_printf(
            req->arena, "server does not recognize this encoded version %.*s",
            YL_STR_ARG(version)));
    }
    yl_json_string(yl_json_get(root, YL_STR("start")), req->arena, &start);
    yl_json_int64(yl_json_get(root, YL_STR("rv")), &rv);
    if (rv == 0) {
        return bad_token(status, "incorrect encoded start resourceVersion "
                                 "(version meta.k8s.io/v1)");
    }
    if (yl_str_is_empty(start)) {
        return bad_token(status, "encoded start key empty (version "
                                 "meta.k8s.io/v1)");
    }
    if (!is_clean(start)) {
        return bad_token(status, yl_arena_printf(req->arena, "%.*s",
                                                 YL_STR_ARG(start)));
    }
    if (!yl_str_is_empty(revision)
        && !yl_str_equal(revision, YL_STR("0"))) {
        return yl_error_set(&status->error, YL_EBADREQUEST,
                            "specifying resource version is not allowed when "
                            "using continue");
    }
    if (start.data[start.size - 1] == '\0') {
        start.size--;
    }
    o->continued = true;
    o->exact = rv > 0;
    o->revision = rv > 0 ? (uint64_t) rv : 0;
    o->after.name = start;
    if (req->resource->namespaced) {
        if (!yl_str_is_empty(req->info.namespace_)) {
            /* That of a list of all namespaces is no key of this one, but a
             * place in its order. */
            o->after.namespace_ = req->info.namespace_;
            yl_str_cut(start, '/', &o->after.name, &start);
        } else if (!yl_str_cut(start, '/', &o->after.namespace_,
                               &o->after.name)) {
            o->after.namespace_ = start;
            o->after.name = YL_STR("");
        }
    }
    return 0;
}
