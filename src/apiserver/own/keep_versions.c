/* Objects in the versions in which their fields are owned.  See keep.h. */

#include "apiserver/own/keep.h"
#include "apiserver/strategy/strategy.h"
#include "json/tree.h"
#include "schema/normalize.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The most paths that a write resets. */
#define MAX_RESET 8

/* What most writes reset. */
static struct yl_field_item of_status[] = {
    { { "status", 6, YL_PATH_FIELD }, true, NULL },
};
static const struct yl_field_set status = { of_status, 1 };

static bool is_unreadable(struct yl_str version);
static int convert(struct yl_keeper *, const struct yl_node *object,
                   const struct yl_api_version *from,
                   const struct yl_api_version *to,
                   const struct yl_node **ret_object, struct yl_error *err);
static void read_paths(struct yl_keeper *, struct yl_str paths,
                       struct yl_field_filter *);

int
yl_keeper_to_version(struct yl_keeper *k, const struct yl_node *object,
                     const struct yl_node **ret_object, struct yl_error *err)
{
    const struct yl_api_resource *resource = k->o->resource;

    return convert(k, object,
                   resource->strategy->flags & YL_STRATEGY_IN_VERSION
                   ? k->o->version : yl_api_resource_hub(resource),
                   k->o->version, ret_object, err);
}

const struct yl_api_version *
yl_keeper_find_version(const struct yl_keeper *k, struct yl_str version)
{
    const struct yl_api_resource *resource = k->o->resource;
    struct yl_str group = yl_str_null(), name = version;
    size_t i, n = resource->n_versions + resource->n_unserved;

    yl_str_cut(version, '/', &group, &name);
    for (i = 0; i < n; i++) {
        const struct yl_api_version *one = &resource->versions[i];

        if (yl_str_equal(one->version, name)
            && yl_str_equal(one->group, group)) {
            return one;
        }
    }
    return NULL;
}

int
yl_keeper_convert(void *k_, const struct yl_typed_object *from,
                  struct yl_str version, struct yl_typed_object *ret_to,
                  struct yl_error *err)
{
    struct yl_keeper *k = k_;
    const struct yl_api_version *hub = yl_api_resource_hub(k->o->resource);
    const struct yl_api_version *source, *target;
    struct yl_typed_object to = *from;
    int r;

    if (k->o->subresource == YL_SUB_SCALE) {
        return YL_ENOTFOUND;    /* There is one version of it. */
    }
    if (is_unreadable(version)) {
        return yl_error_set(err, YL_EINVALID,
                            "unexpected GroupVersion string: %.*s",
                            YL_STR_ARG(version));
    }
    source = yl_keeper_find_version(k, from->version);
    target = yl_keeper_find_version(k, version);
    if (!target && k->as.custom) {
        return yl_error_set(err, YL_EINVALID, "request to convert CR to an "
                            "invalid group/version: %.*s",
                            YL_STR_ARG(version));
    }
    if (!source || !target || !yl_str_equal(source->group, target->group)) {
        return YL_ENOTFOUND;    /* As upstream between Events of two groups. */
    }
    r = convert(k, to.object, source, hub, &to.object, err);
    r = r == 0 ? convert(k, to.object, hub, target, &to.object, err) : r;
    if (r == 0) {
        to.as.type = yl_kind_type(target->kind);
        to.version = version;
        *ret_to = to;
    }
    return r;
}

const struct yl_field_filter *
yl_keeper_ignored(void *k_, struct yl_str version)
{
    struct yl_keeper *k = k_;
    const struct yl_ownership *o = k->o;
    struct yl_version_filter *filter = k->filters;
    const struct yl_api_version *found;
    const char *paths = NULL;

    if (o->subresource == YL_SUB_SCALE) {
        return NULL;
    }
    while (filter && !yl_str_equal(filter->version, version)) {
        filter = filter->next;
    }
    if (filter) {
        return filter->filter.exclude ? &filter->filter : NULL;
    }
    found = yl_keeper_find_version(k, version);
    if (found) {
        paths = yl_strategy_reset_fields(o->resource, o->version, found,
                                         o->subresource);
    }
    filter = yl_arena_zalloc(k->arena, sizeof *filter);
    filter->version = version;
    filter->next = k->filters;
    k->filters = filter;
    if (paths && strcmp(paths, "status") == 0) {
        filter->filter.exclude = &status;
    } else if (paths) {
        read_paths(k, yl_str_c(paths), &filter->filter);
    }
    return filter->filter.exclude ? &filter->filter : NULL;
}

/* Has a version too many slashes? */
static bool
is_unreadable(struct yl_str version)
{
    struct yl_str group, name;

    return yl_str_cut(version, '/', &group, &name)
           && yl_str_cut(name, '/', &group, &name);
}

static int
convert(struct yl_keeper *k, const struct yl_node *object,
        const struct yl_api_version *from, const struct yl_api_version *to,
        const struct yl_node **ret_object, struct yl_error *err)
{
    struct yl_node *copy;
    struct yl_conversion conversion = {
        .resource = k->o->resource, .from = from, .to = to,
        .arena = k->arena, .objects = &copy, .n_objects = 1, .whole = true,
        .err = err,
    };
    int r;

    if (from == to || !object) {
        *ret_object = object;
        return 0;
    }
    copy = yl_node_copy(k->arena, object);
    r = yl_strategy_convert(&conversion);
    if (r == 0 && !k->as.custom) {
        /* Objects of one version are compared: they leave out the same. */
        r = yl_normalize(k->arena, yl_kind_type(to->kind), copy, NULL, err);
    }
    if (r == 0) {
        *ret_object = copy;
    }
    return r;
}

/* "spec metadata.labels" */
static void
read_paths(struct yl_keeper *k, struct yl_str paths,
           struct yl_field_filter *filter)
{
    const char *all[MAX_RESET];
    struct yl_str path;
    size_t n = 0;
    bool more;

    do {
        more = yl_str_cut(paths, ' ', &path, &paths);
        all[n++] = yl_arena_strdup(k->arena, more ? path : paths);
    } while (more && n < MAX_RESET);
    filter->exclude = yl_field_set_of(k->arena, all, n);
}
