/* How webhooks are reached.  See builtin/extension/webhook_client.h for the
 * contract. */

#include "builtin/extension/webhook_client.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "yuloh/arena.h"

#define URL_FORM "; desired format: https://host[/path]"

static struct yl_str skip_scheme(struct yl_str url);
static const char *host_fault(struct yl_arena *, struct yl_str host);
static const char *escape_fault(struct yl_arena *, struct yl_str text,
                                bool host);
static void check_path(struct yl_check *, const struct yl_at *path);

/* SCHEME://[USER@]HOST[/PATH][?QUERY][#FRAGMENT] */
void
yl_check_webhook_url(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str rest = yl_at_str(c, at), scheme = YL_STR("");
    struct yl_str host = YL_STR(""), user = YL_STR(""), query = YL_STR("");
    struct yl_str fragment = YL_STR(""), before, after;
    bool has_user = false;
    const char *fault = yl_url_fault(c->arena, rest);

    if (fault) {
        yl_field_required(c->err, yl_at_path(at),
                          "url must be a valid URL: %s" URL_FORM, fault);
        return;
    }
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
    if (scheme.size != 5 || strncasecmp(scheme.data, "https", 5) != 0) {
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

    /* Upstream swaps the two paths. */
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
                         const char *why, bool known)
{
    struct yl_node *seen = yl_node_new_object(c->arena);
    bool found = false;

    if (!yl_at_count(versions)) {
        if (why) {
            yl_field_required(c->err, yl_at_path(versions), "%s", why);
        } else {
            yl_field_required(c->err, yl_at_path(versions), NULL);
        }
        return;
    }
    YL_CHECK_FOR_EACH (c, version, versions) {
        struct yl_str s = yl_at_str(c, &version);

        if (!yl_set_add(c->arena, seen, s)) {
            yl_field_invalid(c->err, yl_at_path(&version), yl_bad_string(s),
                             "duplicate version");
            continue;
        }
        yl_check_name(c, &version, YL_NAME_DNS1035_LABEL);
        found |= yl_str_equal_c(s, "v1") || yl_str_equal_c(s, "v1beta1");
    }
    if (known && !found) {
        yl_field_invalid(c->err, yl_at_path(versions), yl_bad_at(versions),
                         "must include at least one of v1, v1beta1");
    }
}

const char *
yl_url_fault(struct yl_arena *arena, struct yl_str url)
{
    struct yl_str shown = url, fragment = YL_STR(""), rest, first, path;
    const char *why = NULL;
    struct yl_buf quoted;
    bool opaque;
    size_t i;

    yl_str_cut(url, '#', &shown, &fragment);
    for (i = 0; i < shown.size && !why; i++) {
        if ((unsigned char) shown.data[i] < ' ' || shown.data[i] == 0x7f) {
            why = "net/url: invalid control character in URL";
        }
    }
    if (!why && yl_str_starts_with(shown, YL_STR(":"))) {
        why = "missing protocol scheme";
    }
    rest = skip_scheme(shown);
    path = first = rest;
    yl_str_cut(rest, '?', &path, &first);
    first = path;
    yl_str_cut(path, '/', &first, &rest);
    opaque = path.data != shown.data
             && !yl_str_starts_with(path, YL_STR("/"));
    if (!why && path.size && path.data == shown.data && path.data[0] != '/'
        && yl_str_find_char(first, ':')) {
        why = "first path segment in URL cannot contain colon";
    }
    if (!why && yl_str_starts_with(path, YL_STR("//"))) {
        struct yl_str host = yl_str_skip(path, 2);

        path = YL_STR("");
        yl_str_cut(host, '/', &host, &path);
        why = host_fault(arena, host);
    }
    if (!why && !opaque) {
        why = escape_fault(arena, path, false);
    }
    if (!why) {
        why = escape_fault(arena, fragment, false);
        shown = why ? url : shown;
    }
    if (why) {
        yl_buf_init(&quoted, SIZE_MAX);
        yl_quote(&quoted, shown);
        why = yl_arena_printf(arena, "parse %s: %s", yl_buf_c_str(&quoted),
                              why);
        yl_buf_release(&quoted);
    }
    return why;
}

/* What follows "SCHEME:" at the start of the URL; the whole text if there is
 * no scheme. */
static struct yl_str
skip_scheme(struct yl_str url)
{
    size_t i;

    for (i = 0; i < url.size; i++) {
        char c = url.data[i];

        if (c == ':' && i) {
            return yl_str_skip(url, i + 1);
        }
        if (!isalpha((unsigned char) c)
            && (!i || !(isdigit((unsigned char) c) || strchr("+-.", c)))) {
            break;
        }
    }
    return url;
}

static const char *
host_fault(struct yl_arena *arena, struct yl_str authority)
{
    struct yl_str host = authority, user, port;
    const char *colon = NULL, *close;
    size_t i;

    while (yl_str_cut(host, '@', &user, &host)) {
    }
    if (yl_str_starts_with(host, YL_STR("["))) {
        close = yl_str_find_char(host, ']');
        if (!close) {
            return "missing ']' in host";
        }
        colon = close + 1 < host.data + host.size ? close + 1 : NULL;
    } else {
        for (i = 0; i < host.size; i++) {
            colon = host.data[i] == ':' ? host.data + i : colon;
        }
    }
    if (colon) {
        port = yl_str_range(colon, host.data + host.size);
        for (i = 0; i < port.size; i++) {
            if (i ? !isdigit((unsigned char) port.data[i])
                  : port.data[i] != ':') {
                return yl_arena_printf(arena, "invalid port \"%.*s\" after "
                                       "host", YL_STR_ARG(port));
            }
        }
    }
    return escape_fault(arena, host, true);
}

static const char *
escape_fault(struct yl_arena *arena, struct yl_str text, bool host)
{
    size_t i;

    for (i = 0; i < text.size; i++) {
        struct yl_str left = yl_str_skip(text, i);
        char c = text.data[i];

        if (c == '%') {
            left.size = left.size < 3 ? left.size : 3;
            if (left.size < 3 || !isxdigit((unsigned char) left.data[1])
                || !isxdigit((unsigned char) left.data[2])
                || (host && left.data[1] < '8'
                    && !yl_str_equal_c(left, "%25"))) {
                return yl_arena_printf(arena, "invalid URL escape \"%.*s\"",
                                       YL_STR_ARG(left));
            }
            i += 2;
        } else if (host && !(c & 0x80) && !isalnum((unsigned char) c)
                   && !strchr("-_.~!$&'()*+,;=:[]<>\"", c)) {
            return yl_arena_printf(arena, "invalid character \"%s%c\" in host "
                                   "name", c == '\\' ? "\\" : "", c);
        }
    }
    return NULL;
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
