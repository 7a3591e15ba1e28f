/* How webhooks are reached.  See builtin/webhook_client.h for the contract. */

#include "builtin/webhook_client.h"

#define URL_FORM "; desired format: https://host[/path]"

static void check_path(struct yl_check *, const struct yl_at *path);

/* SCHEME://[USER@]HOST[/PATH][?QUERY][#FRAGMENT] */
void
yl_check_webhook_url(struct yl_check *c, const struct yl_at *at)
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

void
yl_check_webhook_service(struct yl_check *c, const struct yl_at *service)
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

void
yl_check_review_versions(struct yl_check *c, const struct yl_at *versions,
                         const char *why)
{
    struct yl_node *seen = yl_node_new_object(c->arena);
    bool known = false;

    if (!yl_at_count(versions)) {
        if (why) {
            yl_field_required(c->err, yl_at_path(versions), "%s", why);
        } else {
            yl_field_required(c->err, yl_at_path(versions), NULL);
        }
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
