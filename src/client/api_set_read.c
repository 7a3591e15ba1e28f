/* API set: reading discovery documents. */

#include "client/api_set.h"

#include "base/alloc.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

static int check(struct yl_str json, const char *kind, struct yl_error *);
static void add_group(struct yl_api_set *, struct yl_json group);
static void add_version(struct yl_api_set *, struct yl_str group,
                        struct yl_json version, bool preferred);
static struct yl_mapping *add(struct yl_api_set *, struct yl_gv,
                              bool preferred);
static struct yl_mapping *find_in(struct yl_api_set *, size_t start,
                                  struct yl_str resource);
static void add_subresource(struct yl_api_set *, struct yl_mapping *,
                            struct yl_str name);
static struct yl_str text_at(struct yl_json object, const char *name,
                             struct yl_arena *);
static const struct yl_str *texts_at(struct yl_json object, const char *name,
                                     struct yl_arena *, size_t *ret_n);
static int read_group(struct yl_json group, yl_api_group_fn *, void *aux,
                      struct yl_arena *);

int
yl_api_set_add_aggregated(struct yl_api_set *set, struct yl_str json,
                          struct yl_error *err)
{
    struct yl_json_iter it;
    int r = check(json, "APIGroupDiscoveryList", err);

    if (r < 0) {
        return r;
    }
    it = yl_json_iter(yl_json_get(yl_json(json), YL_STR("items")));
    while (yl_json_next(&it)) {
        add_group(set, it.value);
    }
    return 0;
}

int
yl_api_set_add_resources(struct yl_api_set *set, struct yl_gv gv,
                         bool preferred, struct yl_str json,
                         struct yl_error *err)
{
    size_t start = set->n_mappings;
    struct yl_json_iter it;
    int r = check(json, "APIResourceList", err);

    if (r < 0) {
        return r;
    }
    gv.group = yl_arena_copy(set->arena, gv.group);
    gv.version = yl_arena_copy(set->arena, gv.version);
    it = yl_json_iter(yl_json_get(yl_json(json), YL_STR("resources")));
    while (yl_json_next(&it)) {
        struct yl_str name = text_at(it.value, "name", set->arena);
        struct yl_str resource, subresource;
        struct yl_mapping *mapping;
        bool namespaced = false;

        /* "pods/status" comes somewhere behind "pods", most often right
         * behind it. */
        if (yl_str_cut(name, '/', &resource, &subresource)) {
            mapping = find_in(set, start, resource);
            if (mapping) {
                add_subresource(set, mapping, subresource);
            }
            continue;
        }
        if (!name.size) {
            continue;
        }
        mapping = add(set, gv, preferred);
        mapping->resource.gvr.resource = name;
        mapping->resource.kind = text_at(it.value, "kind", set->arena);
        yl_json_bool(yl_json_get(it.value, YL_STR("namespaced")),
                     &namespaced);
        mapping->resource.namespaced = namespaced;
        mapping->singular = text_at(it.value, "singularName", set->arena);
        mapping->short_names = texts_at(it.value, "shortNames", set->arena,
                                        &mapping->n_short_names);
        mapping->categories = texts_at(it.value, "categories", set->arena,
                                       &mapping->n_categories);
        mapping->verbs = texts_at(it.value, "verbs", set->arena,
                                  &mapping->n_verbs);
    }
    return 0;
}

int
yl_api_groups_read(struct yl_str json, yl_api_group_fn *fn, void *aux,
                   struct yl_error *err)
{
    struct yl_arena *arena;
    struct yl_json_iter it;
    int r = yl_json_validate(json, NULL, err);

    if (r < 0) {
        return r;
    }
    arena = yl_arena_new();
    if (yl_json_string_is(yl_json_get(yl_json(json), YL_STR("kind")),
                          YL_STR("APIVersions"))) {
        bool preferred = true;

        it = yl_json_iter(yl_json_get(yl_json(json), YL_STR("versions")));
        while (r == 0 && yl_json_next(&it)) {
            struct yl_gv gv = { YL_STR(""), YL_STR("") };

            if (yl_json_string(it.value, arena, &gv.version) == 0) {
                r = fn(aux, gv, preferred);
                preferred = false;
            }
        }
    } else if (yl_json_string_is(yl_json_get(yl_json(json), YL_STR("kind")),
                                 YL_STR("APIGroupList"))) {
        it = yl_json_iter(yl_json_get(yl_json(json), YL_STR("groups")));
        while (r == 0 && yl_json_next(&it)) {
            r = read_group(it.value, fn, aux, arena);
        }
    } else {
        r = yl_error_set(err, YL_ETYPE,
                         "the server's answer is no list of API groups");
    }
    yl_arena_free(arena);
    return r;
}

/* Is 'json' JSON, and of that kind? */
static int
check(struct yl_str json, const char *kind, struct yl_error *err)
{
    int r = yl_json_validate(json, NULL, err);

    if (r == 0 && !yl_json_string_is(yl_json_get(yl_json(json),
                                                 YL_STR("kind")),
                                     yl_str_c(kind))) {
        r = yl_error_set(err, YL_ETYPE, "the server's answer is no %s", kind);
    }
    return r;
}

static void
add_group(struct yl_api_set *set, struct yl_json group)
{
    struct yl_str name = text_at(yl_json_get(group, YL_STR("metadata")),
                                 "name", set->arena);
    struct yl_json_iter it = yl_json_iter(yl_json_get(group,
                                                      YL_STR("versions")));
    bool preferred = true;

    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("freshness")),
                              YL_STR("Stale"))) {
            continue;
        }
        add_version(set, name, it.value, preferred);
        preferred = false;
    }
}

static void
add_version(struct yl_api_set *set, struct yl_str group,
            struct yl_json version, bool preferred)
{
    struct yl_gv gv = { group, text_at(version, "version", set->arena) };
    struct yl_json_iter it = yl_json_iter(yl_json_get(version,
                                                      YL_STR("resources")));

    while (yl_json_next(&it)) {
        struct yl_json kind = yl_json_get(it.value, YL_STR("responseKind"));
        struct yl_json_iter sub;
        struct yl_mapping *mapping;
        size_t i = 0, n;

        struct yl_str name = text_at(it.value, "resource", set->arena);
        struct yl_str kind_name = text_at(kind, "kind", set->arena);

        if (!name.size || !kind_name.size) {
            continue;           /* Only there for its subresources. */
        }
        mapping = add(set, gv, preferred);
        mapping->resource.gvr.resource = name;
        mapping->resource.kind = kind_name;
        mapping->resource.namespaced = yl_json_string_is(
            yl_json_get(it.value, YL_STR("scope")), YL_STR("Namespaced"));
        mapping->singular = text_at(it.value, "singularResource", set->arena);
        mapping->short_names = texts_at(it.value, "shortNames", set->arena,
                                        &mapping->n_short_names);
        mapping->categories = texts_at(it.value, "categories", set->arena,
                                       &mapping->n_categories);
        mapping->verbs = texts_at(it.value, "verbs", set->arena,
                                  &mapping->n_verbs);
        sub = yl_json_iter(yl_json_get(it.value, YL_STR("subresources")));
        n = yl_json_count(yl_json_get(it.value, YL_STR("subresources")));
        if (n) {
            struct yl_str *names = yl_arena_array(set->arena, n,
                                                  sizeof *names);

            while (i < n && yl_json_next(&sub)) {
                names[i++] = text_at(sub.value, "subresource", set->arena);
            }
            mapping->subresources = names;
            mapping->n_subresources = i;
        }
    }
}

static struct yl_mapping *
add(struct yl_api_set *set, struct yl_gv gv, bool preferred)
{
    struct yl_mapping *mapping;

    if (set->n_mappings == set->capacity) {
        set->capacity = set->capacity ? set->capacity * 2 : 64;
        set->mappings = yl_realloc_array(set->mappings, set->capacity,
                                         sizeof *set->mappings);
    }
    mapping = &set->mappings[set->n_mappings++];
    *mapping = (struct yl_mapping) { .preferred = preferred };
    mapping->resource.gvr.group = gv.group;
    mapping->resource.gvr.version = gv.version;
    return mapping;
}

/* A resource of the group version whose resources begin at 'start'.  Of the
 * last ones only, so that a long list of nonsense takes no more than linear
 * time. */
static struct yl_mapping *
find_in(struct yl_api_set *set, size_t start, struct yl_str resource)
{
    size_t i, n = 0;

    for (i = set->n_mappings; i > start && n < 64; i--, n++) {
        struct yl_mapping *mapping = &set->mappings[i - 1];

        if (yl_str_equal(mapping->resource.gvr.resource, resource)) {
            return mapping;
        }
    }
    return NULL;
}

/* At most so many subresources; kinds have a handful. */
#define MAX_SUBRESOURCES 64

static void
add_subresource(struct yl_api_set *set, struct yl_mapping *mapping,
                struct yl_str name)
{
    struct yl_str *names;

    if (!mapping->subresources) {
        names = yl_arena_array(set->arena, MAX_SUBRESOURCES, sizeof *names);
        mapping->subresources = names;
    }
    names = (struct yl_str *) mapping->subresources;
    if (mapping->n_subresources < MAX_SUBRESOURCES) {
        names[mapping->n_subresources++] = name;
    }
}

/* A member that is a string, copied; else "". */
static struct yl_str
text_at(struct yl_json object, const char *name, struct yl_arena *arena)
{
    struct yl_str text;

    if (yl_json_string(yl_json_get(object, yl_str_c(name)), arena, &text)
        < 0) {
        return YL_STR("");
    }
    return yl_arena_copy(arena, text);
}

static const struct yl_str *
texts_at(struct yl_json object, const char *name, struct yl_arena *arena,
         size_t *ret_n)
{
    struct yl_json array = yl_json_get(object, yl_str_c(name));
    struct yl_json_iter it = yl_json_iter(array);
    size_t n = 0, max = yl_json_type(array) == YL_JSON_ARRAY
                        ? yl_json_count(array) : 0;
    struct yl_str *texts = max ? yl_arena_array(arena, max, sizeof *texts)
                               : NULL;

    while (n < max && yl_json_next(&it)) {
        struct yl_str text;

        if (yl_json_string(it.value, arena, &text) == 0) {
            texts[n++] = yl_arena_copy(arena, text);
        }
    }
    *ret_n = n;
    return texts;
}

/* The preferred version of an APIGroup first, then the others. */
static int
read_group(struct yl_json group, yl_api_group_fn *fn, void *aux,
           struct yl_arena *arena)
{
    struct yl_json_iter it = yl_json_iter(yl_json_get(group,
                                                      YL_STR("versions")));
    struct yl_str preferred = text_at(
        yl_json_get(group, YL_STR("preferredVersion")), "version", arena);
    struct yl_gv gv = { text_at(group, "name", arena), preferred };
    int r = 0;

    if (!gv.group.size) {
        return 0;
    }
    if (preferred.size) {
        r = fn(aux, gv, true);
    }
    while (r == 0 && yl_json_next(&it)) {
        gv.version = text_at(it.value, "version", arena);
        if (gv.version.size && !yl_str_equal(gv.version, preferred)) {
            r = fn(aux, gv, false);
        }
    }
    return r;
}
