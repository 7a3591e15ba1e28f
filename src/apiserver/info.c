/* Request info.  See apiserver/info.h for the contract. */

#include "apiserver/info.h"

#include "apiserver/params.h"
#include "net/url.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/selector.h"

/* No path of the API has more segments. */
#define MAX_PARTS 16

static size_t split(struct yl_str path, struct yl_str parts[MAX_PARTS]);
static struct yl_str verb_of(struct yl_str method);
static void find_verb(struct yl_arena *, const struct yl_params *,
                      struct yl_request_info *);

int
yl_request_info_parse(struct yl_arena *arena, struct yl_str method,
                      struct yl_str path, const struct yl_params *query,
                      struct yl_request_info *info)
{
    struct yl_str all[MAX_PARTS], *parts = all;
    size_t n, i;

    *info = (struct yl_request_info) { .is_resource = false };
    if (yl_url_decode(arena, path, YL_URL_PATH, &info->path, NULL) < 0) {
        return YL_EBADREQUEST;
    }
    info->path = yl_arena_copy(arena, info->path);
    info->verb = yl_arena_copy(arena, method);
    for (i = 0; i < info->verb.size; i++) {
        char *c = (char *) info->verb.data + i;

        *c = *c >= 'A' && *c <= 'Z' ? (char) (*c + 32) : *c;
    }
    n = split(info->path, parts);
    if (n < 3 || n > MAX_PARTS
        || (!yl_str_equal(parts[0], YL_STR("api"))
            && !yl_str_equal(parts[0], YL_STR("apis")))) {
        return 0;
    }
    info->prefix = parts[0];
    parts++, n--;
    if (yl_str_equal(info->prefix, YL_STR("apis"))) {
        if (n < 3) {
            return 0;
        }
        info->group = parts[0];
        parts++, n--;
    }
    info->is_resource = true;
    info->version = parts[0];
    parts++, n--;
    info->verb = verb_of(method);
    if (n == 1 && (yl_str_equal(parts[0], YL_STR("watch"))
                   || yl_str_equal(parts[0], YL_STR("proxy")))) {
        return YL_EINVALID;
    }
    if (yl_str_equal(parts[0], YL_STR("watch"))) {
        info->verb = YL_STR("watch");
        info->forced_watch = true;
        parts++, n--;
    }
    if (yl_str_equal(parts[0], YL_STR("namespaces")) && n > 1) {
        info->namespace_ = parts[1];
        if (n > 2 && !yl_str_equal(parts[2], YL_STR("status"))
            && !yl_str_equal(parts[2], YL_STR("finalize"))) {
            parts += 2, n -= 2;
            info->in_namespace = true;
        }
    }
    for (i = 0; i < n && i < YL_ARRAY_SIZE(info->parts); i++) {
        info->parts[i] = parts[i];
    }
    info->n_parts = i;
    info->resource = parts[0];
    info->name = n > 1 ? parts[1] : yl_str_null();
    info->subresource = n > 2 ? parts[2] : yl_str_null();
    find_verb(arena, query, info);
    return 0;
}

/* Splits a path into its segments; slashes at both ends are ignored.  Counts
 * segments beyond MAX_PARTS without keeping them. */
static size_t
split(struct yl_str path, struct yl_str parts[MAX_PARTS])
{
    size_t n = 0, start, i;

    while (path.size && path.data[0] == '/') {
        path = yl_str_skip(path, 1);
    }
    while (path.size && path.data[path.size - 1] == '/') {
        path.size--;
    }
    if (!path.size) {
        return 0;
    }
    for (start = i = 0; i <= path.size; i++) {
        if (i == path.size || path.data[i] == '/') {
            if (n < MAX_PARTS) {
                parts[n] = yl_str_n(path.data + start, i - start);
            }
            n++;
            start = i + 1;
        }
    }
    return n;
}

static struct yl_str
verb_of(struct yl_str method)
{
    return yl_str_equal(method, YL_STR("POST"))     ? YL_STR("create")
           : yl_str_equal(method, YL_STR("GET"))    ? YL_STR("get")
           : yl_str_equal(method, YL_STR("HEAD"))   ? YL_STR("get")
           : yl_str_equal(method, YL_STR("PUT"))    ? YL_STR("update")
           : yl_str_equal(method, YL_STR("PATCH"))  ? YL_STR("patch")
           : yl_str_equal(method, YL_STR("DELETE")) ? YL_STR("delete")
                                                    : YL_STR("");
}

/* Requests without a name are about collections.  A field selector that
 * names one object gives it its name, so that rules for names apply. */
static void
find_verb(struct yl_arena *arena, const struct yl_params *query,
          struct yl_request_info *info)
{
    const struct yl_field_selector *fields;
    struct yl_str name;

    info->label_selector = yl_params_get(query, YL_STR("labelSelector"));
    info->field_selector = yl_params_get(query, YL_STR("fieldSelector"));
    if (!yl_str_is_empty(info->name)) {
        return;
    }
    if (yl_str_equal(info->verb, YL_STR("get"))) {
        info->verb = yl_params_bool(query, YL_STR("watch")) ? YL_STR("watch")
                                                            : YL_STR("list");
        if (!yl_str_is_empty(info->field_selector)
            && yl_field_selector_parse(info->field_selector, arena, &fields,
                                       NULL) == 0
            && yl_field_selector_exact_value(fields, YL_STR("metadata.name"),
                                             &name)
            && name.size && !yl_str_equal(name, YL_STR("."))
            && !yl_str_equal(name, YL_STR(".."))
            && !memchr(name.data, '/', name.size)
            && !memchr(name.data, '%', name.size)) {
            info->name = name;
        }
    } else if (yl_str_equal(info->verb, YL_STR("delete"))) {
        info->verb = YL_STR("deletecollection");
    }
}
