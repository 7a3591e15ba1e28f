/* Whole documents of OpenAPI.  See openapi_write.h. */

#include "apiserver/discovery/openapi_write.h"

#include <stdlib.h>

#include "apiserver/discovery/openapi_meta.h"
#include "apiserver/discovery/openapi_paths.h"
#include "schema/openapi.h"
#include "yuloh/api/meta_v1.h"
#include "yuloh/arena.h"

#define HEAD "\"info\":{\"title\":\"Kubernetes\",\"version\":\"1.36\"},"
#define BEARER                                                                \
    "{\"BearerToken\":{\"description\":\"Bearer Token authentication\","      \
    "\"in\":\"header\",\"name\":\"authorization\",\"type\":\"apiKey\"}}"

/* The kinds whose schemas go into a document. */
struct kinds {
    const struct yl_kind **all;
    size_t n;
};

static void add_kinds(struct kinds *, const struct yl_catalog_version *);
static size_t count_kinds(const struct yl_catalog_version *);
static void write_schemas(struct yl_buf *, enum yl_openapi_version,
                          const struct yl_catalog_version *const *versions,
                          size_t n_versions, unsigned which);
static struct yl_kind meta_kind(const char *type, const char *list_type);
static int compare_names(const void *, const void *);

bool
yl_openapi_write_v3(struct yl_buf *buf, const struct yl_catalog *catalog,
                    struct yl_str name)
{
    struct yl_str root = name, rest = yl_str_null(), version = yl_str_null();
    const struct yl_catalog_version *found = NULL;
    struct yl_str group = YL_STR("");
    unsigned which;

    yl_str_cut(name, '/', &root, &rest);
    if (yl_str_equal(root, YL_STR("api"))) {
        which = YL_OPENAPI_META_API;
        version = rest;
    } else if (yl_str_equal(root, YL_STR("apis"))) {
        which = YL_OPENAPI_META_GROUPS;
        group = rest;
        yl_str_cut(rest, '/', &group, &version);
    } else if (yl_str_equal(name, YL_STR("version"))) {
        which = YL_OPENAPI_META_VERSION;
    } else {
        return false;
    }
    if (!yl_str_is_null(version)) {
        found = yl_catalog_version(catalog, group, version);
        which = YL_OPENAPI_META_RESOURCES;
    } else if (!yl_str_is_empty(group)) {
        which = YL_OPENAPI_META_GROUP;
    }
    if ((which == YL_OPENAPI_META_RESOURCES && !found)
        || (which == YL_OPENAPI_META_GROUP
            && !yl_catalog_group(catalog, group))
        || (yl_str_equal(root, YL_STR("apis")) && !yl_str_is_null(rest)
            && yl_str_is_empty(group))) {
        return false;
    }
    yl_buf_append_c(buf, "{\"openapi\":\"3.0.0\"," HEAD "\"paths\":{");
    if (found) {
        yl_openapi_write_version_paths(buf, YL_OPENAPI_V3, found);
    } else if (which == YL_OPENAPI_META_GROUP) {
        yl_openapi_write_group_path(buf, YL_OPENAPI_V3, group);
    } else {
        yl_openapi_write_root_path(buf, YL_OPENAPI_V3,
                                   which == YL_OPENAPI_META_API ? "api"
                                   : which == YL_OPENAPI_META_GROUPS
                                   ? "apis" : "version");
    }
    yl_buf_append_c(buf, "},\"components\":{\"schemas\":");
    write_schemas(buf, YL_OPENAPI_V3, &found, found ? 1 : 0, which);
    yl_buf_append_c(buf, ",\"securitySchemes\":" BEARER "}}\n");
    return true;
}

void
yl_openapi_write_v2(struct yl_buf *buf, const struct yl_catalog *catalog)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_catalog_version **versions;
    size_t max = 0, n = 0;

    for (size_t i = 0; i < catalog->n_groups; i++) {
        max += catalog->groups[i].n_versions;
    }
    versions = yl_arena_array(arena, max, sizeof *versions);
    yl_buf_append_c(buf, "{\"swagger\":\"2.0\"," HEAD "\"paths\":{");
    yl_openapi_write_root_path(buf, YL_OPENAPI_V2, "api");
    yl_openapi_write_root_path(buf, YL_OPENAPI_V2, "apis");
    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];

        if (group->name.size) {
            yl_openapi_write_group_path(buf, YL_OPENAPI_V2, group->name);
        }
        for (size_t j = 0; j < group->n_versions; j++) {
            yl_openapi_write_version_paths(buf, YL_OPENAPI_V2,
                                           &group->versions[j]);
            versions[n++] = &group->versions[j];
        }
    }
    yl_openapi_write_root_path(buf, YL_OPENAPI_V2, "version");
    yl_buf_append_c(buf, "},\"definitions\":");
    write_schemas(buf, YL_OPENAPI_V2, versions, n, ~0u);
    yl_buf_append_c(buf, ",\"securityDefinitions\":" BEARER ",\"security\":"
                         "[{\"BearerToken\":[]}]}\n");
    yl_arena_free(arena);
}

void
yl_openapi_for_each(const struct yl_catalog *catalog, struct yl_arena *arena,
                    void (*fn)(void *aux, struct yl_str name), void *aux)
{
    const char **names;
    size_t max = 3, n = 0;

    for (size_t i = 0; i < catalog->n_groups; i++) {
        max += 1 + catalog->groups[i].n_versions;
    }
    names = yl_arena_array(arena, max, sizeof *names);
    names[n++] = "api";
    names[n++] = "apis";
    names[n++] = "version";
    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];
        const char *root = group->name.size ? "apis" : "api";

        if (group->name.size) {
            names[n++] = yl_arena_printf(arena, "apis/%.*s",
                                         YL_STR_ARG(group->name));
        }
        for (size_t j = 0; j < group->n_versions; j++) {
            names[n++] = yl_arena_printf(
                arena, "%s/%.*s", root,
                YL_STR_ARG(group->versions[j].api_version));
        }
    }
    qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 0; i < n; i++) {
        fn(aux, yl_str_c(names[i]));
    }
}

/* Appends the object of schemas: those of the kinds, and of the other types
 * that their paths use. */
static void
write_schemas(struct yl_buf *buf, enum yl_openapi_version openapi,
              const struct yl_catalog_version *const *versions,
              size_t n_versions, unsigned which)
{
    const struct yl_kind options = meta_kind("DeleteOptions", "ListMeta");
    struct yl_arena *arena = yl_arena_new();
    struct kinds kinds = { NULL, 0 };
    size_t start = buf->size, max = 1;

    for (size_t i = 0; i < n_versions; i++) {
        max += count_kinds(versions[i]);
    }
    kinds.all = yl_arena_array(arena, max, sizeof *kinds.all);
    for (size_t i = 0; i < n_versions; i++) {
        add_kinds(&kinds, versions[i]);
    }
    if (n_versions) {
        kinds.all[kinds.n++] = &options;
    }
    yl_openapi_write_schemas(buf, openapi, kinds.all, kinds.n);
    buf->size--;                /* Remove the closing brace; it is added again
                                 * after these. */
    yl_openapi_write_meta(buf, openapi, start, which);
    yl_buf_append_char(buf, '}');
    yl_arena_free(arena);
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

static void
add_kinds(struct kinds *kinds, const struct yl_catalog_version *version)
{
    for (size_t i = 0; i < version->n_entries; i++) {
        const struct yl_catalog_entry *entry = &version->entries[i];
        const struct yl_api_version *served = entry->version;

        if (entry->version->kind) {
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
compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}
