/* Whole documents of OpenAPI.  See openapi_write.h. */

#include "apiserver/discovery/openapi_write.h"

#include <stdlib.h>

#include "apiserver/discovery/openapi_meta.h"
#include "apiserver/discovery/openapi_operation.h"
#include "apiserver/discovery/openapi_paths.h"
#include "schema/openapi.h"
#include "schema/openapi_custom.h"
#include "yuloh/api/meta_v1.h"
#include "yuloh/arena.h"

#define INFO "\"info\":{\"title\":\"Kubernetes\",\"version\":\"1.36\"}"
#define CUSTOM_INFO                                                           \
    "\"info\":{\"title\":\"Kubernetes CRD Swagger\",\"version\":\"v0.1.0\"}"
#define BEARER                                                                \
    "{\"BearerToken\":{\"description\":\"Bearer Token authentication\","      \
    "\"in\":\"header\",\"name\":\"authorization\",\"type\":\"apiKey\"}}"

/* A document of version 3, by its name. */
struct found {
    unsigned which;             /* enum yl_openapi_meta; 0: there is none. */
    struct yl_str group;
    const struct yl_catalog_version *version;   /* Of a group-version. */
};

/* A name of a document. */
struct name {
    const char *text;
    uint64_t stamp;
};

/* The kinds whose schemas go into a document. */
struct kinds {
    const struct yl_kind **all;
    size_t n;
};

static struct found find(const struct yl_catalog *, struct yl_str name);
static void write_paths(struct yl_buf *, const struct found *);
static void write_schemas(struct yl_buf *, enum yl_openapi_version,
                          const struct yl_catalog_version *versions,
                          size_t n_versions, unsigned which);
static void write_custom(struct yl_buf *, enum yl_openapi_version,
                         const struct yl_catalog_version *);
static void add_kinds(struct kinds *, const struct yl_catalog_version *,
                      bool custom);
static size_t count_kinds(const struct yl_catalog_version *);
static struct yl_kind meta_kind(const char *type, const char *list_type);
static int compare_names(const void *, const void *);

bool
yl_openapi_write_v3(struct yl_buf *buf, const struct yl_catalog *catalog,
                    struct yl_str name)
{
    struct found found = find(catalog, name);
    bool custom = found.version && !found.version->builtin;

    if (!found.which) {
        return false;
    }
    yl_buf_printf(buf, "{\"openapi\":\"3.0.0\",%s,\"paths\":{",
                  custom ? CUSTOM_INFO : INFO);
    write_paths(buf, &found);
    yl_buf_append_c(buf, "},\"components\":{\"schemas\":{");
    if (found.version) {
        write_custom(buf, YL_OPENAPI_V3, found.version);
    }
    write_schemas(buf, YL_OPENAPI_V3, found.version, found.version ? 1 : 0,
                  found.which);
    yl_buf_append_c(buf, custom ? "}}}\n" : "},\"securitySchemes\":" BEARER
                                           "}}\n");
    return true;
}

void
yl_openapi_for_each(const struct yl_catalog *catalog, struct yl_arena *arena,
                    void (*fn)(void *aux, struct yl_str name, uint64_t stamp),
                    void *aux)
{
    struct name *names;
    size_t max = 3, n = 0;

    for (size_t i = 0; i < catalog->n_groups; i++) {
        max += 1 + catalog->groups[i].n_versions;
    }
    names = yl_arena_array(arena, max, sizeof *names);
    names[n++] = (struct name) { "api", 1 };
    names[n++] = (struct name) { "apis", 1 };
    names[n++] = (struct name) { "version", 1 };
    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];
        const char *root = group->name.size ? "apis" : "api";

        if (group->name.size && group->builtin) {
            names[n++] = (struct name) {
                yl_arena_printf(arena, "apis/%.*s", YL_STR_ARG(group->name)),
                1,
            };
        }
        for (size_t j = 0; j < group->n_versions; j++) {
            names[n++] = (struct name) {
                yl_arena_printf(arena, "%s/%.*s", root,
                                YL_STR_ARG(group->versions[j].api_version)),
                group->versions[j].stamp,
            };
        }
    }
    qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 0; i < n; i++) {
        fn(aux, yl_str_c(names[i].text), names[i].stamp);
    }
}

void
yl_openapi_write_v2_paths(struct yl_buf *buf,
                          const struct yl_catalog *catalog,
                          const struct yl_catalog_version *version)
{
    if (version) {
        yl_openapi_write_resource_paths(buf, YL_OPENAPI_V2, version, true);
        return;
    }
    yl_openapi_write_root_path(buf, YL_OPENAPI_V2, "api");
    yl_openapi_write_root_path(buf, YL_OPENAPI_V2, "apis");
    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];

        if (group->name.size && group->builtin) {
            yl_openapi_write_group_path(buf, YL_OPENAPI_V2, group->name);
        }
        for (size_t j = 0; j < group->n_versions; j++) {
            if (group->versions[j].builtin) {
                yl_openapi_write_version_paths(buf, YL_OPENAPI_V2,
                                               &group->versions[j]);
            }
        }
    }
    yl_openapi_write_root_path(buf, YL_OPENAPI_V2, "version");
}

void
yl_openapi_write_v2_definitions(struct yl_buf *buf,
                                const struct yl_catalog *catalog,
                                const struct yl_catalog_version *version)
{
    size_t n = 0;

    if (version) {
        write_custom(buf, YL_OPENAPI_V2, version);
        return;
    }
    for (size_t i = 0; i < catalog->n_groups; i++) {
        n += catalog->groups[i].n_versions;
    }
    /* The versions of all groups stand in one array. */
    write_schemas(buf, YL_OPENAPI_V2, catalog->groups[0].versions, n, ~0u);
}

void
yl_openapi_write_v2_head(struct yl_buf *buf)
{
    yl_buf_append_c(buf, "\"swagger\":\"2.0\"," INFO);
}

void
yl_openapi_write_v2_tail(struct yl_buf *buf)
{
    yl_buf_append_c(buf, "\"securityDefinitions\":" BEARER ",\"security\":"
                         "[{\"BearerToken\":[]}]");
}

static struct found
find(const struct yl_catalog *catalog, struct yl_str name)
{
    struct yl_str root = name, rest = yl_str_null(), version = yl_str_null();
    struct found found = { .group = YL_STR("") };
    const struct yl_catalog_group *group;

    yl_str_cut(name, '/', &root, &rest);
    if (yl_str_equal(root, YL_STR("api"))) {
        found.which = YL_OPENAPI_META_API;
        version = rest;
    } else if (yl_str_equal(root, YL_STR("apis"))) {
        found.which = YL_OPENAPI_META_GROUPS;
        found.group = rest;
        yl_str_cut(rest, '/', &found.group, &version);
        if (!yl_str_is_null(rest) && yl_str_is_empty(found.group)) {
            found.which = 0;
            return found;
        }
    } else if (yl_str_equal(name, YL_STR("version"))) {
        found.which = YL_OPENAPI_META_VERSION;
    }
    if (!yl_str_is_null(version)) {
        found.version = yl_catalog_version(catalog, found.group, version);
        found.which = !found.version ? 0
                      : found.version->builtin ? YL_OPENAPI_META_RESOURCES
                      : YL_OPENAPI_META_CUSTOM;
    } else if (!yl_str_is_empty(found.group)) {
        group = yl_catalog_group(catalog, found.group);
        found.which = group && group->builtin ? YL_OPENAPI_META_GROUP : 0;
    }
    return found;
}

static void
write_paths(struct yl_buf *buf, const struct found *found)
{
    if (found->version) {
        if (found->version->builtin) {
            yl_openapi_write_version_paths(buf, YL_OPENAPI_V3,
                                           found->version);
        }
        yl_openapi_write_resource_paths(buf, YL_OPENAPI_V3, found->version,
                                        true);
    } else if (found->which == YL_OPENAPI_META_GROUP) {
        yl_openapi_write_group_path(buf, YL_OPENAPI_V3, found->group);
    } else {
        yl_openapi_write_root_path(buf, YL_OPENAPI_V3,
                                   found->which == YL_OPENAPI_META_API ? "api"
                                   : found->which == YL_OPENAPI_META_GROUPS
                                   ? "apis" : "version");
    }
}

/* Appends the schemas that are not of custom kinds: of built-in kinds, of
 * subresources, and of the other types that paths use. */
static void
write_schemas(struct yl_buf *buf, enum yl_openapi_version openapi,
              const struct yl_catalog_version *versions, size_t n_versions,
              unsigned which)
{
    const struct yl_kind metas[] = { meta_kind("DeleteOptions", "ListMeta"),
                                     meta_kind("ObjectMeta", "ListMeta") };
    struct yl_arena *arena = yl_arena_new();
    struct kinds kinds = { NULL, 0 };
    size_t start = buf->size, max = YL_ARRAY_SIZE(metas);

    for (size_t i = 0; i < n_versions; i++) {
        max += count_kinds(&versions[i]);
    }
    kinds.all = yl_arena_array(arena, max, sizeof *kinds.all);
    for (size_t i = 0; i < n_versions; i++) {
        add_kinds(&kinds, &versions[i], openapi == YL_OPENAPI_V3);
    }
    for (size_t i = 0; n_versions && i < YL_ARRAY_SIZE(metas); i++) {
        kinds.all[kinds.n++] = &metas[i];
    }
    yl_openapi_write_schemas(buf, openapi, kinds.all, kinds.n);
    yl_openapi_write_meta(buf, openapi, start, which);
    yl_arena_free(arena);
}

/* Appends the schemas of the custom kinds of a version. */
static void
write_custom(struct yl_buf *buf, enum yl_openapi_version openapi,
             const struct yl_catalog_version *version)
{
    for (size_t i = 0; i < version->n_entries; i++) {
        const struct yl_catalog_entry *entry = &version->entries[i];

        if (entry->resource->custom && entry->version->kind) {
            yl_openapi_write_comma(buf);
            yl_openapi_write_custom(buf, openapi, entry->version->kind,
                                    entry->version->selectable);
        }
    }
}

static size_t
count_kinds(const struct yl_catalog_version *version)
{
    size_t n = version->n_entries;

    for (size_t i = 0; i < version->n_entries; i++) {
        n += version->entries[i].version->n_subresources;
    }
    return n;
}

/* Adds the kinds of a version that have descriptors of their own; of custom
 * resources, if they are wanted, those of the subresources. */
static void
add_kinds(struct kinds *kinds, const struct yl_catalog_version *version,
          bool custom)
{
    for (size_t i = 0; i < version->n_entries; i++) {
        const struct yl_catalog_entry *entry = &version->entries[i];
        const struct yl_api_version *served = entry->version;

        if (entry->resource->custom && !custom) {
            continue;
        }
        if (entry->version->kind && !entry->resource->custom) {
            kinds->all[kinds->n++] = entry->version->kind;
        }
        for (size_t j = 0; j < served->n_subresources; j++) {
            if (served->subresources[j].schema) {
                kinds->all[kinds->n++] = served->subresources[j].schema;
            }
        }
    }
}

/* Makes a kind of two types of the meta set, which all other sets use: a type
 * and its list. */
static struct yl_kind
meta_kind(const char *type, const char *list_type)
{
    const struct yl_type_set *set = &meta_v1_types;
    struct yl_kind kind = { .set = set };

    for (uint16_t i = 1; i < set->n_types; i++) {
        const char *name = yl_type_set_text(set, set->types[i].name);

        if (!strcmp(name, type)) {
            kind.type = i;
        } else if (!strcmp(name, list_type)) {
            kind.list_type = i;
        }
    }
    return kind;
}

static int
compare_names(const void *a_, const void *b_)
{
    const struct name *a = a_, *b = b_;

    return strcmp(a->text, b->text);
}
