/* API set: what a server has, and finding things in it.  Reading its documents
 * is in api_set_read.c. */

#include "client/api_set.h"

#include <stdlib.h>
#include <strings.h>

#include "base/alloc.h"
#include "yuloh/arena.h"

/* What a person wrote: NAME, NAME.GROUP or NAME.VERSION.GROUP. */
struct wanted {
    struct yl_str name;
    struct yl_str version;      /* Null: the preferred one. */
    struct yl_str group;        /* Null: any. */
};

static const struct yl_mapping *find(const struct yl_api_set *,
                                     const struct wanted *,
                                     bool (*matches)(const struct yl_mapping *,
                                                     struct yl_str name));
static bool is_plural(const struct yl_mapping *, struct yl_str name);
static bool is_kind(const struct yl_mapping *, struct yl_str name);
static bool is_name(const struct yl_mapping *, struct yl_str name);
static bool is_short_name(const struct yl_mapping *, struct yl_str name);
static bool equal_ignoring_case(struct yl_str, struct yl_str);
static bool contains(const struct yl_str *, size_t n, struct yl_str);

struct yl_api_set *
yl_api_set_new(void)
{
    struct yl_api_set *set = yl_zalloc(sizeof *set);

    yl_ref_init(&set->ref);
    set->arena = yl_arena_new();
    return set;
}

struct yl_api_set *
yl_api_set_ref(struct yl_api_set *set)
{
    yl_ref_get(&set->ref);
    return set;
}

void
yl_api_set_unref(struct yl_api_set *set)
{
    if (set && yl_ref_put(&set->ref)) {
        yl_arena_free(set->arena);
        free(set->mappings);
        free(set);
    }
}

const struct yl_mapping *
yl_api_set_find_kind(const struct yl_api_set *set, struct yl_gvk gvk)
{
    struct wanted wanted = {
        .name = gvk.kind,
        .version = gvk.version.size ? gvk.version : yl_str_null(),
        .group = gvk.group.data ? gvk.group : YL_STR(""),
    };

    return find(set, &wanted, is_kind);
}

const struct yl_mapping *
yl_api_set_find_resource(const struct yl_api_set *set, struct yl_gvr gvr)
{
    struct wanted wanted = {
        .name = gvr.resource,
        .version = gvr.version.size ? gvr.version : yl_str_null(),
        .group = gvr.group,
    };

    return find(set, &wanted, is_plural);
}

const struct yl_mapping *
yl_api_set_find(const struct yl_api_set *set, struct yl_str text)
{
    struct wanted wanted = { .name = text }, full;
    const struct yl_mapping *mapping = NULL;
    struct yl_str rest;

    /* "deployments.v1.apps", else "deployments.apps"; in a name like
     * "crontabs.stable.example.com" only a lookup tells which it is. */
    if (yl_str_cut(text, '.', &wanted.name, &wanted.group)) {
        full = wanted;
        if (yl_str_cut(wanted.group, '.', &full.version, &rest)) {
            full.group = rest;
            mapping = find(set, &full, is_name);
            mapping = mapping ? mapping : find(set, &full, is_short_name);
        } else {
            /* "pods.v1" is of the core group. */
            full.version = wanted.group;
            full.group = YL_STR("");
            mapping = find(set, &full, is_name);
            mapping = mapping ? mapping : find(set, &full, is_short_name);
        }
    }
    mapping = mapping ? mapping : find(set, &wanted, is_name);
    return mapping ? mapping : find(set, &wanted, is_short_name);
}

bool
yl_mapping_has_verb(const struct yl_mapping *mapping, struct yl_str verb)
{
    return contains(mapping->verbs, mapping->n_verbs, verb);
}

bool
yl_mapping_has_subresource(const struct yl_mapping *mapping,
                           struct yl_str name)
{
    return contains(mapping->subresources, mapping->n_subresources, name);
}

/* The first that matches; if no version is wanted, the first of a preferred
 * version, and only then of any. */
static const struct yl_mapping *
find(const struct yl_api_set *set, const struct wanted *wanted,
     bool (*matches)(const struct yl_mapping *, struct yl_str name))
{
    const struct yl_mapping *other = NULL;
    size_t i;

    for (i = 0; i < set->n_mappings; i++) {
        const struct yl_mapping *mapping = &set->mappings[i];
        const struct yl_gvr *gvr = &mapping->resource.gvr;

        if ((wanted->group.data && !yl_str_equal(wanted->group, gvr->group))
            || (wanted->version.data
                && !yl_str_equal(wanted->version, gvr->version))
            || !matches(mapping, wanted->name)) {
            continue;
        }
        if (wanted->version.data || mapping->preferred) {
            return mapping;
        }
        other = other ? other : mapping;
    }
    return other;
}

static bool
is_plural(const struct yl_mapping *mapping, struct yl_str name)
{
    return yl_str_equal(mapping->resource.gvr.resource, name);
}

static bool
is_kind(const struct yl_mapping *mapping, struct yl_str name)
{
    return yl_str_equal(mapping->resource.kind, name);
}

static bool
is_name(const struct yl_mapping *mapping, struct yl_str name)
{
    return equal_ignoring_case(mapping->resource.gvr.resource, name)
           || equal_ignoring_case(mapping->singular, name)
           || equal_ignoring_case(mapping->resource.kind, name);
}

static bool
is_short_name(const struct yl_mapping *mapping, struct yl_str name)
{
    size_t i;

    for (i = 0; i < mapping->n_short_names; i++) {
        if (equal_ignoring_case(mapping->short_names[i], name)) {
            return true;
        }
    }
    return false;
}

static bool
equal_ignoring_case(struct yl_str a, struct yl_str b)
{
    return a.size && a.size == b.size
           && strncasecmp(a.data, b.data, a.size) == 0;
}

static bool
contains(const struct yl_str *strs, size_t n, struct yl_str s)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (yl_str_equal(strs[i], s)) {
            return true;
        }
    }
    return false;
}
