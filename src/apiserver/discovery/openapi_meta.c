/* Schemas of types that are not kinds.  See openapi_meta.h. */

#include "apiserver/discovery/openapi_meta.h"

#include "apiserver/discovery/openapi_operation.h"

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."
#define RAW "io.k8s.apimachinery.pkg.runtime.RawExtension"

#define RESOURCES YL_OPENAPI_META_RESOURCES
#define GROUP YL_OPENAPI_META_GROUP
#define GROUPS YL_OPENAPI_META_GROUPS
#define API YL_OPENAPI_META_API
#define VERSION YL_OPENAPI_META_VERSION
#define CUSTOM YL_OPENAPI_META_CUSTOM

enum type {
    STRING,                     /* May be absent. */
    TEXT,                       /* Always present, but may be empty. */
    BOOL,
    INT32,
    TEXTS,                      /* A list, atomic. */
    VERBS,                      /* A list without a list type. */
    REF,                        /* May be absent. */
    STRUCT,                     /* Always present. */
    STRUCTS,
};

struct property {
    const char *name;
    enum type type;
    const char *ref;
};

struct schema {
    const char *name;
    unsigned which;             /* enum yl_openapi_meta. */
    const char *kind;           /* If it is a kind. */
    const char *required;       /* Content of a JSON array. */
    struct property properties[14];
};

/* Sorted by name. */
static const struct schema schemas[] = {
    { META "APIGroup", GROUP | GROUPS, "APIGroup", "\"name\",\"versions\"",
      { { "apiVersion", STRING, NULL }, { "kind", STRING, NULL },
        { "name", TEXT, NULL },
        { "preferredVersion", STRUCT, META "GroupVersionForDiscovery" },
        { "serverAddressByClientCIDRs", STRUCTS,
          META "ServerAddressByClientCIDR" },
        { "versions", STRUCTS, META "GroupVersionForDiscovery" } } },
    { META "APIGroupList", GROUPS, "APIGroupList", "\"groups\"",
      { { "apiVersion", STRING, NULL },
        { "groups", STRUCTS, META "APIGroup" }, { "kind", STRING, NULL } } },
    { META "APIResource", RESOURCES, NULL,
      "\"name\",\"singularName\",\"namespaced\",\"kind\",\"verbs\"",
      { { "categories", TEXTS, NULL }, { "group", STRING, NULL },
        { "kind", TEXT, NULL }, { "name", TEXT, NULL },
        { "namespaced", BOOL, NULL }, { "shortNames", TEXTS, NULL },
        { "singularName", TEXT, NULL }, { "storageVersionHash", STRING, NULL },
        { "verbs", VERBS, NULL }, { "version", STRING, NULL } } },
    { META "APIResourceList", RESOURCES, "APIResourceList",
      "\"groupVersion\",\"resources\"",
      { { "apiVersion", STRING, NULL }, { "groupVersion", TEXT, NULL },
        { "kind", STRING, NULL },
        { "resources", STRUCTS, META "APIResource" } } },
    { META "APIVersions", API, "APIVersions",
      "\"versions\",\"serverAddressByClientCIDRs\"",
      { { "apiVersion", STRING, NULL }, { "kind", STRING, NULL },
        { "serverAddressByClientCIDRs", STRUCTS,
          META "ServerAddressByClientCIDR" },
        { "versions", TEXTS, NULL } } },
    { META "GroupVersionForDiscovery", GROUP | GROUPS, NULL,
      "\"groupVersion\",\"version\"",
      { { "groupVersion", TEXT, NULL }, { "version", TEXT, NULL } } },
    { META "Patch", RESOURCES | CUSTOM, NULL, NULL,
      { { NULL, STRING, NULL } } },
    { META "ServerAddressByClientCIDR", GROUP | GROUPS | API, NULL,
      "\"clientCIDR\",\"serverAddress\"",
      { { "clientCIDR", TEXT, NULL }, { "serverAddress", TEXT, NULL } } },
    { META "Status", RESOURCES | CUSTOM, "Status", NULL,
      { { "apiVersion", STRING, NULL }, { "code", INT32, NULL },
        { "details", REF, META "StatusDetails" }, { "kind", STRING, NULL },
        { "message", STRING, NULL }, { "metadata", STRUCT, META "ListMeta" },
        { "reason", STRING, NULL }, { "status", STRING, NULL } } },
    { META "StatusCause", RESOURCES | CUSTOM, NULL, NULL,
      { { "field", STRING, NULL }, { "message", STRING, NULL },
        { "reason", STRING, NULL } } },
    { META "StatusDetails", RESOURCES | CUSTOM, NULL, NULL,
      { { "causes", STRUCTS, META "StatusCause" }, { "group", STRING, NULL },
        { "kind", STRING, NULL }, { "name", STRING, NULL },
        { "retryAfterSeconds", INT32, NULL }, { "uid", STRING, NULL } } },
    { META "WatchEvent", RESOURCES, NULL, "\"type\",\"object\"",
      { { "object", REF, RAW }, { "type", TEXT, NULL } } },
    { RAW, RESOURCES, NULL, NULL, { { NULL, STRING, NULL } } },
    { "io.k8s.apimachinery.pkg.version.Info", VERSION, NULL,
      "\"major\",\"minor\",\"gitVersion\",\"gitCommit\",\"gitTreeState\","
      "\"buildDate\",\"goVersion\",\"compiler\",\"platform\"",
      { { "buildDate", TEXT, NULL }, { "compiler", TEXT, NULL },
        { "emulationMajor", STRING, NULL }, { "emulationMinor", STRING, NULL },
        { "gitCommit", TEXT, NULL }, { "gitTreeState", TEXT, NULL },
        { "gitVersion", TEXT, NULL }, { "goVersion", TEXT, NULL },
        { "major", TEXT, NULL }, { "minCompatibilityMajor", STRING, NULL },
        { "minCompatibilityMinor", STRING, NULL }, { "minor", TEXT, NULL },
        { "platform", TEXT, NULL } } },
};

static bool is_there(const struct yl_buf *, size_t start, const char *name);
static void write_schema(struct yl_buf *, enum yl_openapi_version,
                         const struct schema *);
static void write_property(struct yl_buf *, enum yl_openapi_version,
                           const struct property *);
static void write_text(struct yl_buf *, enum yl_openapi_version);
static void write_struct(struct yl_buf *, enum yl_openapi_version,
                         const char *ref, bool always);

void
yl_openapi_write_meta(struct yl_buf *buf, enum yl_openapi_version openapi,
                      size_t start, unsigned which)
{
    for (size_t i = 0; i < YL_ARRAY_SIZE(schemas); i++) {
        if ((schemas[i].which & which)
            && !is_there(buf, start, schemas[i].name)) {
            yl_buf_printf(buf, "%s\"%s\":",
                          buf->data[buf->size - 1] == '{' ? "" : ",",
                          schemas[i].name);
            write_schema(buf, openapi, &schemas[i]);
        }
    }
}

/* Whether the schema has been written already.  Only schemas that kinds refer
 * to can have been. */
static bool
is_there(const struct yl_buf *buf, size_t start, const char *name)
{
    static const char key[] = "\"" RAW "\":";

    return !strcmp(name, RAW)
           && memmem(buf->data + start, buf->size - start, key,
                     sizeof key - 1);
}

static void
write_schema(struct yl_buf *buf, enum yl_openapi_version openapi,
             const struct schema *schema)
{
    yl_buf_append_c(buf, "{\"type\":\"object\"");
    for (size_t i = 0; i < YL_ARRAY_SIZE(schema->properties)
                       && schema->properties[i].name; i++) {
        yl_buf_printf(buf, "%s\"%s\":", i ? "," : ",\"properties\":{",
                      schema->properties[i].name);
        write_property(buf, openapi, &schema->properties[i]);
    }
    yl_buf_append_c(buf, schema->properties[0].name ? "}" : "");
    if (schema->required) {
        yl_buf_printf(buf, ",\"required\":[%s]", schema->required);
    }
    if (schema->kind) {
        yl_buf_printf(buf, ",\"x-kubernetes-group-version-kind\":[{"
                           "\"group\":\"\",\"kind\":\"%s\","
                           "\"version\":\"v1\"}]", schema->kind);
    }
    yl_buf_append_char(buf, '}');
}

static void
write_property(struct yl_buf *buf, enum yl_openapi_version openapi,
               const struct property *property)
{
    switch (property->type) {
    case STRING:
        yl_buf_append_c(buf, "{\"type\":\"string\"}");
        break;

    case TEXT:
        write_text(buf, openapi);
        break;

    case BOOL:
        yl_buf_append_c(buf, openapi == YL_OPENAPI_V3
                             ? "{\"type\":\"boolean\",\"default\":false}"
                             : "{\"type\":\"boolean\"}");
        break;

    case INT32:
        yl_buf_append_c(buf, "{\"type\":\"integer\",\"format\":\"int32\"}");
        break;

    case TEXTS:
    case VERBS:
        yl_buf_append_c(buf, "{\"type\":\"array\",\"items\":");
        write_text(buf, openapi);
        yl_buf_append_c(buf, property->type == TEXTS
                             ? ",\"x-kubernetes-list-type\":\"atomic\"}"
                             : "}");
        break;

    case REF:
    case STRUCT:
        write_struct(buf, openapi, property->ref, property->type == STRUCT);
        break;

    case STRUCTS:
        yl_buf_append_c(buf, "{\"type\":\"array\",\"items\":");
        write_struct(buf, openapi, property->ref, true);
        yl_buf_append_c(buf, ",\"x-kubernetes-list-type\":\"atomic\"}");
        break;
    }
}

static void
write_text(struct yl_buf *buf, enum yl_openapi_version openapi)
{
    yl_buf_append_c(buf, openapi == YL_OPENAPI_V3
                         ? "{\"type\":\"string\",\"default\":\"\"}"
                         : "{\"type\":\"string\"}");
}

/* In v2 a reference must stand alone in its object. */
static void
write_struct(struct yl_buf *buf, enum yl_openapi_version openapi,
             const char *ref, bool always)
{
    if (openapi == YL_OPENAPI_V2) {
        yl_openapi_write_ref(buf, openapi, ref);
        return;
    }
    yl_buf_append_c(buf, "{\"allOf\":[");
    yl_openapi_write_ref(buf, openapi, ref);
    yl_buf_append_c(buf, always ? "],\"default\":{}}" : "]}");
}
