/* Target: the path and query of a request for a resource. */

#include "client/target.h"

#include <stdio.h>

#include "net/url.h"

static int add_segment(struct yl_target *, const char *what, struct yl_str,
                       struct yl_error *);
static void add_number(struct yl_target *, const char *name, int64_t);

void
yl_target_init(struct yl_target *target)
{
    yl_buf_init(&target->text, YL_TARGET_MAX);
    target->has_query = false;
}

void
yl_target_release(struct yl_target *target)
{
    yl_buf_release(&target->text);
}

int
yl_target_path(struct yl_target *target, const struct yl_target_parts *parts,
               struct yl_error *err)
{
    const struct yl_gvr *gvr = &parts->resource->gvr;
    int r = 0;

    yl_buf_append_str(&target->text, parts->prefix);
    if (gvr->group.size) {
        yl_buf_append_c(&target->text, "/apis");
        r = add_segment(target, "group", gvr->group, err);
    } else {
        yl_buf_append_c(&target->text, "/api");
    }
    if (r == 0) {
        r = add_segment(target, "version", gvr->version, err);
    }
    if (r == 0 && parts->resource->namespaced && parts->namespace_.size) {
        yl_buf_append_c(&target->text, "/namespaces");
        r = add_segment(target, "namespace", parts->namespace_, err);
    } else if (r == 0 && parts->resource->namespaced
               && !yl_str_is_null(parts->name)) {
        r = yl_error_set(err, YL_EINVALID,
                         "an empty namespace may not be set when a resource "
                         "name is provided");
    }
    if (r == 0) {
        r = add_segment(target, "resource", gvr->resource, err);
    }
    if (r == 0 && !yl_str_is_null(parts->name)) {
        r = add_segment(target, "resource name", parts->name, err);
    }
    if (r == 0 && parts->subresource) {
        r = add_segment(target, "subresource", yl_str_c(parts->subresource),
                        err);
    }
    return r;
}

void
yl_target_add(struct yl_target *target, const char *name, struct yl_str value)
{
    yl_buf_append_char(&target->text, target->has_query ? '&' : '?');
    target->has_query = true;
    yl_buf_append_c(&target->text, name);
    yl_buf_append_char(&target->text, '=');
    yl_url_encode(&target->text, value, YL_URL_QUERY);
}

void
yl_target_add_list(struct yl_target *target,
                   const struct yl_list_options *options, bool watch)
{
    enum yl_version_match match = options->resource_version_match;

    if (watch && options->allow_watch_bookmarks) {
        yl_target_add(target, "allowWatchBookmarks", YL_STR("true"));
    }
    if (options->continue_.size) {
        yl_target_add(target, "continue", options->continue_);
    }
    if (options->field_selector.size) {
        yl_target_add(target, "fieldSelector", options->field_selector);
    }
    if (options->label_selector.size) {
        yl_target_add(target, "labelSelector", options->label_selector);
    }
    if (options->limit > 0) {
        add_number(target, "limit", options->limit);
    }
    if (options->resource_version.size) {
        yl_target_add(target, "resourceVersion", options->resource_version);
    }

    /* Servers demand the match beside sendInitialEvents and have only one for
     * it. */
    if (watch && options->send_initial_events) {
        match = YL_MATCH_NOT_OLDER_THAN;
    }
    if (match != YL_MATCH_UNSET) {
        yl_target_add(target, "resourceVersionMatch",
                      match == YL_MATCH_EXACT ? YL_STR("Exact")
                                              : YL_STR("NotOlderThan"));
    }
    if (watch && options->send_initial_events) {
        yl_target_add(target, "sendInitialEvents", YL_STR("true"));
    }
    if (options->timeout_seconds > 0) {
        add_number(target, "timeoutSeconds", options->timeout_seconds);
    }
    if (watch) {
        yl_target_add(target, "watch", YL_STR("true"));
    }
}

void
yl_target_add_write(struct yl_target *target, const struct yl_call_opts *opts,
                    bool apply)
{
    static const char *const validations[] = {
        [YL_VALIDATION_DEFAULT] = NULL,
        [YL_VALIDATION_IGNORE] = "Ignore",
        [YL_VALIDATION_WARN] = "Warn",
        [YL_VALIDATION_STRICT] = "Strict",
    };

    if (opts->dry_run) {
        yl_target_add(target, "dryRun", YL_STR("All"));
    }
    if (opts->field_manager) {
        yl_target_add(target, "fieldManager", yl_str_c(opts->field_manager));
    }
    if (opts->field_validation != YL_VALIDATION_DEFAULT) {
        yl_target_add(target, "fieldValidation",
                      yl_str_c(validations[opts->field_validation]));
    }
    if (apply && opts->force) {
        yl_target_add(target, "force", YL_STR("true"));
    }
}

int
yl_target_text(const struct yl_target *target, struct yl_str *ret_text,
               struct yl_error *err)
{
    if (yl_buf_error(&target->text)) {
        return yl_error_set(err, YL_ETOOBIG,
                            "the request's path and query have more than "
                            "%zu bytes", YL_TARGET_MAX);
    }
    *ret_text = yl_buf_str(&target->text);
    return 0;
}

/* A slash is refused, not escaped: servers take paths apart after they have
 * decoded them, so "a%2Fb" is the subresource "b" of "a". */
static int
add_segment(struct yl_target *target, const char *what, struct yl_str text,
            struct yl_error *err)
{
    const char *bad = yl_str_find_char(text, '/') ? "/"
                      : yl_str_find_char(text, '%') ? "%" : NULL;

    if (!text.size) {
        return yl_error_set(err, YL_EINVALID, "%s may not be empty", what);
    } else if (yl_str_equal_c(text, ".") || yl_str_equal_c(text, "..")) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid %s \"%.*s\": may not be '%.*s'", what,
                            YL_STR_ARG(text), YL_STR_ARG(text));
    } else if (bad) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid %s \"%.*s\": may not contain '%s'",
                            what, YL_STR_ARG(text), bad);
    }
    yl_buf_append_char(&target->text, '/');
    yl_url_encode(&target->text, text, YL_URL_PATH);
    return 0;
}

static void
add_number(struct yl_target *target, const char *name, int64_t number)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%lld", (long long) number);

    yl_target_add(target, name, yl_str_n(text, (size_t) n));
}
