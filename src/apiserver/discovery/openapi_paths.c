/* The paths of OpenAPI.  See openapi_paths.h. */

#include "apiserver/discovery/openapi_paths.h"

#include "apiserver/discovery/openapi_operation.h"
#include "schema/openapi_custom.h"
#include "yuloh/arena.h"

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."

static void write_resource(struct yl_openapi_place,
                           const struct yl_api_version *);
static void write_subresources(struct yl_openapi_place,
                               const struct yl_api_version *);
static const char *schema_name(const struct yl_kind *, uint16_t type);
static const char *custom_name(struct yl_arena *, const struct yl_kind *,
                               bool list);
static void write_plain_path(struct yl_buf *, enum yl_openapi_version,
                             struct yl_str path, struct yl_str id,
                             struct yl_str tag, const char *schema,
                             bool yaml);

void
yl_openapi_write_version_paths(struct yl_buf *buf,
                               enum yl_openapi_version openapi,
                               const struct yl_catalog_version *version)
{
    struct yl_buf path, id, tag;

    yl_buf_init(&path, 4096);
    yl_buf_init(&id, 4096);
    yl_buf_init(&tag, 4096);
    yl_buf_printf(&path, "/%s/%.*s/", version->group.size ? "apis" : "api",
                  YL_STR_ARG(version->api_version));
    yl_buf_append_c(&id, "get");
    yl_openapi_write_group_id(&id, version->group, true);
    yl_openapi_write_id(&id, version->version, true);
    yl_buf_append_c(&id, "APIResources");
    yl_openapi_write_group_id(&tag, version->group, false);
    yl_buf_append_char(&tag, '_');
    yl_openapi_write_id(&tag, version->version, false);
    write_plain_path(buf, openapi, yl_buf_str(&path), yl_buf_str(&id),
                     yl_buf_str(&tag), META "APIResourceList", true);
    yl_buf_release(&path);
    yl_buf_release(&id);
    yl_buf_release(&tag);
    yl_openapi_write_resource_paths(buf, openapi, version, false);
}

void
yl_openapi_write_resource_paths(struct yl_buf *buf,
                                enum yl_openapi_version openapi,
                                const struct yl_catalog_version *version,
                                bool custom)
{
    struct yl_arena *arena = yl_arena_new();

    for (size_t i = 0; i < version->n_entries; i++) {
        const struct yl_catalog_entry *entry = &version->entries[i];
        const struct yl_kind *kind = entry->version->kind;

        if (kind && entry->resource->custom == custom) {
            write_resource((struct yl_openapi_place) {
                .buf = buf,
                .openapi = openapi,
                .version = version,
                .resource = entry->resource,
                .object = custom ? custom_name(arena, kind, false)
                                 : schema_name(kind, kind->type),
                .list = custom ? custom_name(arena, kind, true)
                               : schema_name(kind, kind->list_type),
                .watch = "",
                .suffix = "",
            }, entry->version);
        }
    }
    yl_arena_free(arena);
}

void
yl_openapi_write_group_path(struct yl_buf *buf,
                            enum yl_openapi_version openapi,
                            struct yl_str group)
{
    struct yl_buf path, id, tag;

    yl_buf_init(&path, 4096);
    yl_buf_init(&id, 4096);
    yl_buf_init(&tag, 4096);
    yl_buf_printf(&path, "/apis/%.*s/", YL_STR_ARG(group));
    yl_buf_append_c(&id, "get");
    yl_openapi_write_group_id(&id, group, true);
    yl_buf_append_c(&id, "APIGroup");
    yl_openapi_write_group_id(&tag, group, false);
    write_plain_path(buf, openapi, yl_buf_str(&path), yl_buf_str(&id),
                     yl_buf_str(&tag), META "APIGroup", true);
    yl_buf_release(&path);
    yl_buf_release(&id);
    yl_buf_release(&tag);
}

void
yl_openapi_write_root_path(struct yl_buf *buf,
                           enum yl_openapi_version openapi, const char *root)
{
    static const struct {
        const char *root, *path, *id, *tag, *schema;
        bool yaml;
    } roots[] = {
        { "api", "/api/", "getCoreAPIVersions", "core", META "APIVersions",
          true },
        { "apis", "/apis/", "getAPIVersions", "apis", META "APIGroupList",
          true },
        { "version", "/version/", "getCodeVersion", "version",
          "io.k8s.apimachinery.pkg.version.Info", false },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(roots); i++) {
        if (!strcmp(roots[i].root, root)) {
            write_plain_path(buf, openapi, yl_str_c(roots[i].path),
                             yl_str_c(roots[i].id), yl_str_c(roots[i].tag),
                             roots[i].schema, roots[i].yaml);
        }
    }
}

/* All paths of a resource.  For custom ones there are none below /watch, as in
 * upstream: their lists can be watched. */
static void
write_resource(struct yl_openapi_place place,
               const struct yl_api_version *version)
{
    const struct yl_api_resource *resource = place.resource;
    uint32_t verbs = resource->verbs;
    struct yl_openapi_place p;

    yl_openapi_write_path(&place, YL_OPENAPI_COLLECTION, verbs);
    p = place;
    p.named = true;
    yl_openapi_write_path(&p, YL_OPENAPI_OBJECT, verbs & ~YL_VERB_CREATE);
    write_subresources(p, version);
    if (resource->namespaced) {
        p = place;
        p.everywhere = true;
        p.suffix = "ForAllNamespaces";
        yl_openapi_write_path(&p, YL_OPENAPI_COLLECTION,
                              verbs & YL_VERB_LIST);
        p.watch = "watch/";
        p.suffix = "ListForAllNamespaces";
        yl_openapi_write_path(&p, YL_OPENAPI_WATCH_LIST, verbs);
    }
    p = place;
    p.watch = "watch/";
    p.suffix = "List";
    yl_openapi_write_path(&p, YL_OPENAPI_WATCH_LIST, verbs);
    p.named = true;
    p.suffix = "";
    yl_openapi_write_path(&p, YL_OPENAPI_WATCH_OBJECT, verbs);
}

static void
write_subresources(struct yl_openapi_place p,
                   const struct yl_api_version *version)
{
    const char *object = p.object;

    for (size_t i = 0; i < version->n_subresources; i++) {
        const struct yl_api_subresource *sub = &version->subresources[i];

        if (sub->what != YL_SUB_CONNECT) {
            p.sub = sub;
            p.object = sub->schema ? schema_name(sub->schema,
                                                 sub->schema->type) : object;
            yl_openapi_write_path(&p, YL_OPENAPI_OBJECT, sub->verbs);
        }
    }
}

/* The name of the schema of a type of a built-in kind; "" if it has none. */
static const char *
schema_name(const struct yl_kind *kind, uint16_t type)
{
    return type ? yl_type_set_text(kind->set,
                                   kind->set->types[type].openapi_name) : "";
}

static const char *
custom_name(struct yl_arena *arena, const struct yl_kind *kind, bool list)
{
    struct yl_buf name;
    char *copy;

    yl_buf_init(&name, 4096);
    yl_openapi_write_custom_name(&name, kind, list);
    copy = yl_arena_strdup(arena, yl_buf_str(&name));
    yl_buf_release(&name);
    return copy;
}

/* A path with one operation: the GET of a document of discovery. */
static void
write_plain_path(struct yl_buf *buf, enum yl_openapi_version openapi,
                 struct yl_str path, struct yl_str id, struct yl_str tag,
                 const char *schema, bool yaml)
{
    yl_openapi_write_comma(buf);
    yl_buf_printf(buf, "\"%.*s\":{\"get\":{\"tags\":[\"%.*s\"],"
                       "\"operationId\":\"%.*s\"",
                  YL_STR_ARG(path), YL_STR_ARG(tag), YL_STR_ARG(id));
    if (openapi == YL_OPENAPI_V2) {
        yl_buf_printf(buf, ",\"produces\":[\"application/json\"%s],"
                           "\"schemes\":[\"https\"],\"responses\":{"
                           "\"200\":{\"description\":\"OK\",\"schema\":",
                      yaml ? ",\"application/yaml\"" : "");
        yl_openapi_write_ref(buf, openapi, schema);
    } else {
        yl_buf_append_c(buf, ",\"responses\":{\"200\":{\"description\":"
                             "\"OK\",\"content\":{\"application/json\":{"
                             "\"schema\":");
        yl_openapi_write_ref(buf, openapi, schema);
        yl_buf_append_char(buf, '}');
        if (yaml) {
            yl_buf_append_c(buf, ",\"application/yaml\":{\"schema\":");
            yl_openapi_write_ref(buf, openapi, schema);
            yl_buf_append_char(buf, '}');
        }
        yl_buf_append_char(buf, '}');
    }
    yl_buf_append_c(buf, "},\"401\":{\"description\":\"Unauthorized\"}}}}");
}
