/* Validation of how versions of a custom resource are converted. */

#include "builtin/crd_check.h"

#define URL_FORM "; desired format: https://host[/path]"

static void check_webhook(struct yl_check *, const struct yl_at *client);
static void check_url(struct yl_check *, const struct yl_at *url);
static void check_service(struct yl_check *, const struct yl_at *service);
static void check_path(struct yl_check *, const struct yl_at *path);
static void check_review_versions(struct yl_check *, const struct yl_at *);

void
yl_check_crd_conversion(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const strategies[] = { "None", "Webhook", NULL };
    struct yl_at conversion = yl_at(spec, "conversion");
    struct yl_at strategy = yl_at(&conversion, "strategy");
    struct yl_at webhook = yl_at(&conversion, "webhook");
    struct yl_at client = yl_at(&webhook, "clientConfig");
    struct yl_at shown =
        yl_at_node(&conversion, "webhookClientConfig", client.node);
    struct yl_at versions_node = yl_at(&webhook, "conversionReviewVersions");
    struct yl_at versions = yl_at_node(&conversion, "conversionReviewVersions",
                                       versions_node.node);

    if (!yl_at_has(&conversion)) {
        return;
    }
    if (!yl_at_is(&strategy, "None") && yl_get_bool(spec,
                                                    "preserveUnknownFields")) {
        yl_field_invalid(c->err, yl_at_path(&strategy),
                         yl_bad_str(c, &strategy),
                         "must be None if spec.preserveUnknownFields is "
                         "true");
    }
    if (yl_check_required(c, &strategy)) {
        yl_check_one_of(c, &strategy, strategies);
    }
    if (yl_at_is(&strategy, "Webhook")) {
        check_webhook(c, &shown);
        check_review_versions(c, &versions);
        return;
    }
    if (yl_at_has(&shown)) {
        yl_field_forbidden(c->err, yl_at_path(&shown),
                           "should not be set when strategy is not set to "
                           "Webhook");
    }
    if (yl_at_count(&versions)) {
        yl_field_forbidden(c->err, yl_at_path(&versions),
                           "should not be set when strategy is not set to "
                           "Webhook");
    }
}

static void
check_webhook(struct yl_check *c, const struct yl_at *client)
{
    struct yl_at url = yl_at(client, "url");
    struct yl_at service = yl_at(client, "service");

    if (!yl_at_has(client)) {
        yl_field_required(c->err, yl_at_path(client),
                          "required when strategy is set to Webhook");
    } else if (yl_at_has(&url) == yl_at_has(&service)) {
        yl_field_required(c->err, yl_at_path(client),
                          "exactly one of url or service is required");
    } else if (yl_at_has(&url)) {
        check_url(c, &url);
    } else {
        check_service(c, &service);
    }
}

/* SCHEME://[USER@]HOST[/PATH][?QUERY][#FRAGMENT] */
static void
check_url(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str rest = yl_at_str(c, at), scheme = YL_STR("");
    struct yl_str host = YL_STR(""), user = YL_STR(""), query = YL_STR("");
    struct yl_str fragment = YL_STR(""), before, after;
    bool has_user = false;

    if (yl_str_cut(rest, '#', &before, &after)) {
        fragment = after;
        rest = before;
    }
    if (yl_str_cut(rest, '?', &before, &after)) {
        query = after;
        rest = before;
    }
    if (yl_str_cut(rest, ':', &before, &after)
        && !yl_str_find_char(before, '/')) {
        scheme = before;
        rest = after;
    }
    if (yl_str_starts_with(rest, YL_STR("//"))) {
        host = yl_str_skip(rest, 2);
        yl_str_cut(host, '/', &host, &after);
        has_user = yl_str_cut(host, '@', &user, &host);
    }
    if (!yl_str_equal_c(scheme, "https")) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(scheme),
                         "'https' is the only allowed URL scheme" URL_FORM);
    }
    if (!host.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(host),
                         "host must be specified" URL_FORM);
    }
    if (has_user) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(user),
                         "user information is not permitted in the URL");
    }
    if (fragment.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(fragment),
                         "fragments are not permitted in the URL");
    }
    if (query.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(query),
                         "query parameters are not permitted in the URL");
    }
}

static void
check_service(struct yl_check *c, const struct yl_at *service)
{
    struct yl_at name = yl_at(service, "name");
    struct yl_at namespace = yl_at(service, "namespace");
    struct yl_at port = yl_at(service, "port");
    struct yl_at path = yl_at(service, "path");
    int64_t n = yl_at_int(&port);

    /* Upstream confuses the two. */
    if (!yl_at_str(c, &namespace).size) {
        yl_field_required(c->err, yl_at_path(&name), NULL);
    }
    if (!yl_at_str(c, &name).size) {
        yl_field_required(c->err, yl_at_path(&namespace), NULL);
    }
    if (n < 1 || n > 65535) {
        yl_field_invalid(c->err, yl_at_path(&port), yl_bad_int(n),
                         "port is not valid: must be between 1 and 65535, "
                         "inclusive");
    }
    if (yl_at_has(&path)) {
        check_path(c, &path);
    }
}

static void
check_path(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at), rest, part;
    struct yl_name_faults faults;
    size_t i, k;
    bool more;

    if (!s.size || yl_str_equal_c(s, "/")) {
        return;
    }
    if (!yl_str_starts_with(s, YL_STR("/"))) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must start with a '/'");
    }
    rest = yl_str_skip(s, 1);
    if (s.size > 2 && yl_str_ends_with(rest, YL_STR("/"))) {
        rest.size--;
    }
    for (i = 0, more = true; more; i++) {
        part = rest;
        more = yl_str_cut(rest, '/', &part, &rest);
        if (!part.size) {
            yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                             "segment[%zu] may not be empty", i);
            if (yl_str_equal_c(s, "//")) {
                return;
            }
            continue;
        }
        if (yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, part, &faults) < 0) {
            for (k = 0; k < faults.n_faults; k++) {
                yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                                 "segment[%zu]: %s", i, faults.faults[k]);
            }
        }
    }
}

static void
check_review_versions(struct yl_check *c, const struct yl_at *versions)
{
    struct yl_node *seen = yl_node_new_object(c->arena);
    bool known = false;

    if (!yl_check_required(c, versions)) {
        return;
    }
    YL_AT_FOR_EACH (version, versions) {
        struct yl_str s = yl_at_str(c, &version);

        if (!yl_set_add(c->arena, seen, s)) {
            yl_field_invalid(c->err, yl_at_path(&version), yl_bad_string(s),
                             "duplicate version");
            continue;
        }
        yl_check_name(c, &version, YL_NAME_DNS1035_LABEL);
        known |= yl_str_equal_c(s, "v1") || yl_str_equal_c(s, "v1beta1");
    }
    if (!known) {
        yl_field_invalid(c->err, yl_at_path(versions), yl_bad_map(versions),
                         "must include at least one of v1, v1beta1");
    }
}
