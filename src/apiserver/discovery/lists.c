/* The documents of discovery.  See lists.h.
 *
 * Members are in the order in which upstream writes them, and "apiVersion" is
 * left out where upstream leaves it out. */

#include "apiserver/discovery/lists.h"

#include <openssl/sha.h>
#include <stdlib.h>

#include "json/base64.h"
#include "json/text.h"
#include "yuloh/arena.h"

/* Verbs in the order of their bits, which is alphabetical.  (Upstream lists
 * those of custom resources in another order.) */
static const struct {
    uint32_t bit;
    const char *name;
} verbs[] = {
    { YL_VERB_CREATE, "create" },
    { YL_VERB_DELETE, "delete" },
    { YL_VERB_DELETECOLLECTION, "deletecollection" },
    { YL_VERB_GET, "get" },
    { YL_VERB_LIST, "list" },
    { YL_VERB_PATCH, "patch" },
    { YL_VERB_CREATE, "create" },
    { YL_VERB_UPDATE, "update" },
    { YL_VERB_WATCH, "watch" },
};

static void write_member(struct yl_buf *, const char *name,
                         struct yl_str value);
static void write_verbs(struct yl_buf *, uint32_t bits, bool custom);
static void write_resource_verbs(struct yl_buf *,
                                 const struct yl_api_resource *);
static void write_names(struct yl_buf *, const char *member,
                        const char *names);
static void write_hash(struct yl_buf *, const struct yl_api_resource *);
static void write_group_body(struct yl_buf *, const struct yl_catalog_group *);
static void write_version_pair(struct yl_buf *,
                               const struct yl_catalog_version *);
static void write_resource(struct yl_buf *, const struct yl_catalog_entry *);
static void write_subresource(struct yl_buf *, const struct yl_catalog_entry *,
                              const struct yl_api_subresource *);
static void write_discovery(struct yl_buf *, const struct yl_catalog_entry *);
static void write_response_kind(struct yl_buf *,
                                const struct yl_catalog_entry *,
                                const struct yl_api_subresource *);
static size_t sort_groups(const struct yl_catalog *,
                          const struct yl_catalog_group **groups);
static int compare_groups(const void *, const void *);
static const struct yl_catalog_version *
first_version(const struct yl_catalog_group *);
static int compare_paths(const void *, const void *);

void
yl_discovery_write_api(struct yl_buf *buf, const struct yl_catalog *catalog,
                       struct yl_str address)
{
    const struct yl_catalog_group *core = yl_catalog_group(catalog,
                                                           YL_STR(""));

    yl_buf_append_c(buf, "{\"kind\":\"APIVersions\",\"versions\":[");
    for (size_t i = 0; core && i < core->n_versions; i++) {
        yl_buf_append_c(buf, i ? "," : "");
        yl_json_write_string(buf, core->versions[i].version);
    }
    yl_buf_append_c(buf, "],\"serverAddressByClientCIDRs\":[{\"clientCIDR\":"
                         "\"0.0.0.0/0\",\"serverAddress\":");
    yl_json_write_text(buf, address);
    yl_buf_append_c(buf, "}]}");
}

void
yl_discovery_write_apis(struct yl_buf *buf, const struct yl_catalog *catalog,
                        struct yl_arena *arena)
{
    const struct yl_catalog_group **groups
        = yl_arena_array(arena, catalog->n_groups, sizeof *groups);
    size_t n = sort_groups(catalog, groups);

    yl_buf_append_c(buf, "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\","
                         "\"groups\":[");
    for (size_t i = 0; i < n; i++) {
        yl_buf_append_c(buf, i ? ",{" : "{");
        write_group_body(buf, groups[i]);
        yl_buf_append_char(buf, '}');
    }
    yl_buf_append_c(buf, "]}");
}

void
yl_discovery_write_group(struct yl_buf *buf,
                         const struct yl_catalog_group *group)
{
    yl_buf_append_c(buf, "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",");
    write_group_body(buf, group);
    yl_buf_append_char(buf, '}');
}

void
yl_discovery_write_resources(struct yl_buf *buf,
                             const struct yl_catalog_version *version)
{
    yl_buf_append_c(buf, "{\"kind\":\"APIResourceList\"");
    if (version->group.size) {
        yl_buf_append_c(buf, ",\"apiVersion\":\"v1\"");
    }
    write_member(buf, "groupVersion", version->api_version);
    yl_buf_append_c(buf, ",\"resources\":[");
    for (size_t i = 0; i < version->n_entries; i++) {
        const struct yl_catalog_entry *entry = &version->entries[i];

        yl_buf_append_c(buf, i ? "," : "");
        write_resource(buf, entry);
        for (size_t j = 0; j < entry->version->n_subresources; j++) {
            yl_buf_append_char(buf, ',');
            write_subresource(buf, entry, &entry->version->subresources[j]);
        }
    }
    yl_buf_append_c(buf, "]}");
}

void
yl_discovery_write_aggregated(struct yl_buf *buf,
                              const struct yl_catalog *catalog, bool core)
{
    bool any = false;

    yl_buf_append_c(buf, "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":"
                         "\"apidiscovery.k8s.io/v2\",\"metadata\":{},"
                         "\"items\":[");
    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];

        if (core != (group->name.size == 0)) {
            continue;
        }
        yl_buf_append_c(buf, any ? ",{\"metadata\":{" : "{\"metadata\":{");
        if (!core) {
            yl_buf_append_c(buf, "\"name\":");
            yl_json_write_string(buf, group->name);
        }
        yl_buf_append_c(buf, "},\"versions\":[");
        for (size_t j = 0; j < group->n_versions; j++) {
            const struct yl_catalog_version *version = &group->versions[j];

            yl_buf_append_c(buf, j ? ",{\"version\":" : "{\"version\":");
            yl_json_write_string(buf, version->version);
            yl_buf_append_c(buf, ",\"resources\":[");
            for (size_t k = 0; k < version->n_entries; k++) {
                yl_buf_append_c(buf, k ? "," : "");
                write_discovery(buf, &version->entries[k]);
            }
            yl_buf_append_c(buf, "],\"freshness\":\"Current\"}");
        }
        yl_buf_append_c(buf, "]}");
        any = true;
    }
    yl_buf_append_c(buf, "]}");
}

void
yl_discovery_write_paths(struct yl_buf *buf, const struct yl_catalog *catalog,
                         struct yl_arena *arena)
{
    static const char *const fixed[] = {
        "/.well-known/openid-configuration", "/api", "/apis", "/apis/",
        "/healthz", "/healthz/etcd", "/healthz/log", "/healthz/ping",
        "/livez", "/livez/etcd", "/livez/log", "/livez/ping", "/metrics",
        "/metrics/slis", "/openapi/v2", "/openapi/v3", "/openid/v1/jwks",
        "/readyz", "/readyz/etcd", "/readyz/log", "/readyz/ping",
        "/readyz/shutdown", "/version",
    };
    size_t max = YL_ARRAY_SIZE(fixed), n = 0;
    const char **paths;

    for (size_t i = 0; i < catalog->n_groups; i++) {
        max += 1 + catalog->groups[i].n_versions;
    }
    paths = yl_arena_array(arena, max, sizeof *paths);
    for (; n < YL_ARRAY_SIZE(fixed); n++) {
        paths[n] = fixed[n];
    }
    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];
        const char *prefix = group->name.size ? "/apis/" : "/api/";

        if (group->name.size) {
            paths[n++] = yl_arena_printf(arena, "%s%.*s", prefix,
                                         YL_STR_ARG(group->name));
        }
        for (size_t j = 0; j < group->n_versions; j++) {
            paths[n++] = yl_arena_printf(
                arena, "%s%.*s", prefix,
                YL_STR_ARG(group->versions[j].api_version));
        }
    }
    qsort(paths, n, sizeof *paths, compare_paths);
    yl_buf_append_c(buf, "{\"paths\":[");
    for (size_t i = 0; i < n; i++) {
        yl_buf_append_c(buf, i ? "," : "");
        yl_json_write_string(buf, yl_str_c(paths[i]));
    }
    yl_buf_append_c(buf, "]}");
}

/* Writes a member that is not the first of its object. */
static void
write_member(struct yl_buf *buf, const char *name, struct yl_str value)
{
    yl_buf_printf(buf, ",\"%s\":", name);
    yl_json_write_string(buf, value);
}

static void
write_verbs(struct yl_buf *buf, uint32_t bits, bool custom)
{
    bool any = false, seen_create = false;

    yl_buf_append_c(buf, ",\"verbs\":[");
    for (size_t i = 0; i < YL_ARRAY_SIZE(verbs); i++) {
        if (verbs[i].bit == YL_VERB_CREATE) {
            bool second = seen_create;

            seen_create = true;
            if (second != custom) {
                continue;
            }
        }
        if (bits & verbs[i].bit) {
            yl_buf_printf(buf, "%s\"%s\"", any ? "," : "", verbs[i].name);
            any = true;
        }
    }
    yl_buf_append_char(buf, ']');
}

/* Objects of a definition that is being deleted are only read and deleted. */
static void
write_resource_verbs(struct yl_buf *buf,
                     const struct yl_api_resource *resource)
{
    uint32_t bits = resource->verbs;

    if (yl_api_resource_is_ending(resource)) {
        bits &= ~(uint32_t) (YL_VERB_CREATE | YL_VERB_UPDATE | YL_VERB_PATCH);
    }
    write_verbs(buf, bits, resource->custom);
}

/* Writes an array from names joined by commas; nothing if there are none. */
static void
write_names(struct yl_buf *buf, const char *member, const char *names)
{
    struct yl_str rest = yl_str_c(names), name;
    bool any = false;

    if (yl_str_is_empty(rest)) {
        return;
    }
    yl_buf_printf(buf, ",\"%s\":[", member);
    while (rest.size) {
        if (!yl_str_cut(rest, ',', &name, &rest)) {
            name = rest;
            rest = yl_str_null();
        }
        yl_buf_append_c(buf, any ? "," : "");
        yl_json_write_string(buf, name);
        any = true;
    }
    yl_buf_append_char(buf, ']');
}

/* Writes storageVersionHash: upstream's hash of the version that is stored.
 * Clients only compare it, also between servers. */
static void
write_hash(struct yl_buf *buf, const struct yl_api_resource *resource)
{
    static const char *const betas[] = { "CustomResourceDefinition",
                                         "MutatingAdmissionPolicy",
                                         "MutatingAdmissionPolicyBinding" };
    struct yl_str version = yl_api_resource_hub(resource)->version;
    unsigned char digest[SHA256_DIGEST_LENGTH];
    struct yl_buf text;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(betas) && !resource->custom; i++) {
        if (yl_str_equal_c(resource->kind, betas[i])) {
            version = YL_STR("v1beta1");
        }
    }
    yl_buf_init(&text, 4096);
    yl_buf_printf(&text, "%.*s/%.*s/%.*s",
                  YL_STR_ARG(resource->versions[0].group),
                  YL_STR_ARG(version), YL_STR_ARG(resource->kind));
    SHA256((const unsigned char *) text.data, text.size, digest);
    yl_buf_append_c(buf, ",\"storageVersionHash\":\"");
    yl_base64_write(buf, yl_str_n((const char *) digest, 8));
    yl_buf_append_char(buf, '"');
    yl_buf_release(&text);
}

static void
write_group_body(struct yl_buf *buf, const struct yl_catalog_group *group)
{
    yl_buf_append_c(buf, "\"name\":");
    yl_json_write_string(buf, group->name);
    yl_buf_append_c(buf, ",\"versions\":[");
    for (size_t i = 0; i < group->n_versions; i++) {
        yl_buf_append_c(buf, i ? "," : "");
        write_version_pair(buf, &group->versions[i]);
    }
    yl_buf_append_c(buf, "],\"preferredVersion\":");
    write_version_pair(buf, &group->versions[0]);
}

static void
write_version_pair(struct yl_buf *buf,
                   const struct yl_catalog_version *version)
{
    yl_buf_append_c(buf, "{\"groupVersion\":");
    yl_json_write_string(buf, version->api_version);
    write_member(buf, "version", version->version);
    yl_buf_append_char(buf, '}');
}

static void
write_resource(struct yl_buf *buf, const struct yl_catalog_entry *entry)
{
    const struct yl_api_resource *resource = entry->resource;

    yl_buf_append_c(buf, "{\"name\":");
    yl_json_write_string(buf, resource->plural);
    write_member(buf, "singularName", resource->singular);
    yl_buf_printf(buf, ",\"namespaced\":%s",
                  resource->namespaced ? "true" : "false");
    write_member(buf, "kind", resource->kind);
    write_resource_verbs(buf, resource);
    write_names(buf, "shortNames", resource->short_names);
    write_names(buf, "categories", resource->categories);
    if (resource->objects && !resource->unserved_hub) {
        write_hash(buf, resource);
    }
    yl_buf_append_char(buf, '}');
}

static void
write_subresource(struct yl_buf *buf, const struct yl_catalog_entry *entry,
                  const struct yl_api_subresource *sub)
{
    const struct yl_api_resource *resource = entry->resource;

    yl_buf_printf(buf, "{\"name\":\"%.*s/%s\",\"singularName\":\"\","
                       "\"namespaced\":%s",
                  YL_STR_ARG(resource->plural), sub->name,
                  resource->namespaced ? "true" : "false");
    if (sub->version) {
        write_member(buf, "group", yl_str_c(sub->group));
        write_member(buf, "version", yl_str_c(sub->version));
    }
    write_member(buf, "kind",
                 sub->kind ? yl_str_c(sub->kind) : resource->kind);
    write_verbs(buf, sub->verbs, false);
    yl_buf_append_char(buf, '}');
}

static void
write_discovery(struct yl_buf *buf, const struct yl_catalog_entry *entry)
{
    const struct yl_api_resource *resource = entry->resource;
    const struct yl_api_version *version = entry->version;

    yl_buf_append_c(buf, "{\"resource\":");
    yl_json_write_string(buf, resource->plural);
    write_response_kind(buf, entry, NULL);
    write_member(buf, "scope",
                 resource->namespaced ? YL_STR("Namespaced")
                                      : YL_STR("Cluster"));
    write_member(buf, "singularResource", resource->singular);
    write_resource_verbs(buf, resource);
    write_names(buf, "shortNames", resource->short_names);
    write_names(buf, "categories", resource->categories);
    for (size_t i = 0; i < version->n_subresources; i++) {
        const struct yl_api_subresource *sub = &version->subresources[i];

        yl_buf_append_c(buf, i ? ",{\"subresource\":"
                               : ",\"subresources\":[{\"subresource\":");
        yl_json_write_string(buf, yl_str_c(sub->name));
        write_response_kind(buf, entry, sub);
        write_verbs(buf, sub->verbs, false);
        yl_buf_append_char(buf, '}');
    }
    yl_buf_append_c(buf, version->n_subresources ? "]}" : "}");
}

/* Writes the kind of a response.  Built-in kinds have an empty group and
 * version if they are those of the list. */
static void
write_response_kind(struct yl_buf *buf, const struct yl_catalog_entry *entry,
                    const struct yl_api_subresource *sub)
{
    struct yl_str group = YL_STR(""), version = YL_STR("");

    if (sub && sub->version) {
        group = yl_str_c(sub->group);
        version = yl_str_c(sub->version);
    } else if (entry->resource->custom) {
        group = entry->version->group;
        version = entry->version->version;
    }
    yl_buf_append_c(buf, ",\"responseKind\":{\"group\":");
    yl_json_write_string(buf, group);
    write_member(buf, "version", version);
    write_member(buf, "kind", sub && sub->kind ? yl_str_c(sub->kind)
                                               : entry->resource->kind);
    yl_buf_append_char(buf, '}');
}

/* Fills in the groups as upstream's /apis has them, without the core group;
 * returns how many there are.  Behind the built-in groups stand those of
 * custom kinds, ordered by "VERSION.GROUP", the names of their APIServices. */
static size_t
sort_groups(const struct yl_catalog *catalog,
            const struct yl_catalog_group **groups)
{
    size_t n = 0, n_builtin;

    for (size_t i = 0; i < catalog->n_groups; i++) {
        if (catalog->groups[i].name.size && catalog->groups[i].builtin) {
            groups[n++] = &catalog->groups[i];
        }
    }
    n_builtin = n;
    for (size_t i = 0; i < catalog->n_groups; i++) {
        if (!catalog->groups[i].builtin) {
            groups[n++] = &catalog->groups[i];
        }
    }
    qsort(groups + n_builtin, n - n_builtin, sizeof *groups, compare_groups);
    return n;
}

static int
compare_groups(const void *a_, const void *b_)
{
    const struct yl_catalog_group *const *a = a_, *const *b = b_;
    int c = yl_str_compare(first_version(*a)->version,
                           first_version(*b)->version);

    return c ? c : yl_str_compare((*a)->name, (*b)->name);
}

/* The version that is first in the order of bytes. */
static const struct yl_catalog_version *
first_version(const struct yl_catalog_group *group)
{
    const struct yl_catalog_version *first = &group->versions[0];

    for (size_t i = 1; i < group->n_versions; i++) {
        if (yl_str_compare(group->versions[i].version, first->version) < 0) {
            first = &group->versions[i];
        }
    }
    return first;
}

static int
compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}
