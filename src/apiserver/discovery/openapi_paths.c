/* The paths of OpenAPI.  See openapi_paths.h.
 *
 * Tables describe the operations; the verbs of a resource decide which of them
 * exist, and at which of its paths. */

#include "apiserver/discovery/openapi_paths.h"

#include "apiserver/strategy/strategy.h"
#include "json/text.h"

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."

/* Parameters of operations, sorted by name. */
enum {
    ALLOW_WATCH_BOOKMARKS = 1 << 0,
    CONTINUE = 1 << 1,
    DRY_RUN = 1 << 2,
    FIELD_MANAGER = 1 << 3,
    FIELD_SELECTOR = 1 << 4,
    FIELD_VALIDATION = 1 << 5,
    FORCE = 1 << 6,
    GRACE_PERIOD = 1 << 7,
    IGNORE_STORE_READ_ERROR = 1 << 8,
    LABEL_SELECTOR = 1 << 9,
    LIMIT = 1 << 10,
    NAME = 1 << 11,
    NAMESPACE = 1 << 12,
    ORPHAN_DEPENDENTS = 1 << 13,
    PRETTY = 1 << 14,
    PROPAGATION_POLICY = 1 << 15,
    RESOURCE_VERSION = 1 << 16,
    RESOURCE_VERSION_MATCH = 1 << 17,
    SEND_INITIAL_EVENTS = 1 << 18,
    TIMEOUT_SECONDS = 1 << 19,
    WATCH = 1 << 20,

    SELECTING = CONTINUE | FIELD_SELECTOR | LABEL_SELECTOR | LIMIT
                | RESOURCE_VERSION | RESOURCE_VERSION_MATCH
                | SEND_INITIAL_EVENTS | TIMEOUT_SECONDS,
    LISTING = SELECTING | ALLOW_WATCH_BOOKMARKS | WATCH,
    WRITING = DRY_RUN | FIELD_MANAGER | FIELD_VALIDATION,
    DELETING = DRY_RUN | GRACE_PERIOD | IGNORE_STORE_READ_ERROR
               | ORPHAN_DEPENDENTS | PROPAGATION_POLICY,
};

static const struct {
    const char *name;
    const char *type;
} parameters[] = {
    { "allowWatchBookmarks", "boolean" },
    { "continue", "string" },
    { "dryRun", "string" },
    { "fieldManager", "string" },
    { "fieldSelector", "string" },
    { "fieldValidation", "string" },
    { "force", "boolean" },
    { "gracePeriodSeconds", "integer" },
    { "ignoreStoreReadErrorWithClusterBreakingPotential", "boolean" },
    { "labelSelector", "string" },
    { "limit", "integer" },
    { "name", "string" },
    { "namespace", "string" },
    { "orphanDependents", "boolean" },
    { "pretty", "string" },
    { "propagationPolicy", "string" },
    { "resourceVersion", "string" },
    { "resourceVersionMatch", "string" },
    { "sendInitialEvents", "boolean" },
    { "timeoutSeconds", "integer" },
    { "watch", "boolean" },
};

/* What an operation's request or response contains. */
enum what {
    NOTHING,
    OBJECT,                     /* Of the kind. */
    LIST,                       /* Of such objects. */
    EVENT,                      /* Of a watch. */
    OPTIONS,                    /* Of a deletion. */
    OUTCOME,                    /* A Status; the object for some kinds. */
    STATUS,
    PATCH,
};

enum {
    CREATED = 1 << 0,           /* 201 */
    ACCEPTED = 1 << 1,          /* 202 */
};

struct operation {
    uint32_t verb;              /* enum yl_verb. */
    const char *method;
    const char *id;             /* operationId starts with it. */
    const char *action;
    unsigned params;
    enum what in, out;
    unsigned codes;             /* Beside 200. */
};

/* Of a collection. */
static const struct operation of_collection[] = {
    { YL_VERB_LIST, "get", "list", "list", LISTING, NOTHING, LIST, 0 },
    { YL_VERB_CREATE, "post", "create", "post", WRITING, OBJECT, OBJECT,
      CREATED | ACCEPTED },
    { YL_VERB_DELETECOLLECTION, "delete", "delete", "deletecollection",
      SELECTING | DELETING, OPTIONS, STATUS, 0 },
};

/* Of one object, or a subresource. */
static const struct operation of_object[] = {
    { YL_VERB_CREATE, "post", "create", "post", WRITING, OBJECT, OBJECT,
      CREATED | ACCEPTED },
    { YL_VERB_GET, "get", "read", "get", 0, NOTHING, OBJECT, 0 },
    { YL_VERB_UPDATE, "put", "replace", "put", WRITING, OBJECT, OBJECT,
      CREATED },
    { YL_VERB_PATCH, "patch", "patch", "patch", WRITING | FORCE, PATCH,
      OBJECT, CREATED },
    { YL_VERB_DELETE, "delete", "delete", "delete", DELETING, OPTIONS,
      OUTCOME, ACCEPTED },
};

static const struct operation watch_list[] = {
    { YL_VERB_WATCH, "get", "watch", "watchlist", LISTING, NOTHING, EVENT,
      0 },
};
static const struct operation watch_object[] = {
    { YL_VERB_WATCH, "get", "watch", "watch", LISTING, NOTHING, EVENT, 0 },
};

/* A path, and the resource that its operations are about. */
struct place {
    struct yl_buf *buf;
    enum yl_openapi_version openapi;
    const struct yl_catalog_version *version;
    const struct yl_api_resource *resource;
    const struct yl_api_version *served;
    const struct yl_kind *kind; /* Type of requests and responses. */
    const struct yl_api_subresource *sub;   /* Or NULL. */
    const char *watch;          /* "watch/" or "". */
    bool everywhere;            /* In all namespaces. */
    bool named;
    const char *suffix;         /* Of operationId: "List". */
};

static void write_resource(struct place);
static void write_path(const struct place *, uint32_t verbs,
                       const struct operation *, size_t n);
static void write_operation(const struct place *, const struct operation *);
static void write_operation_id(const struct place *,
                               const struct operation *);
static void write_gvk(const struct place *);
static void write_parameters(struct yl_buf *, enum yl_openapi_version,
                             unsigned params);
static void write_body(const struct place *, const struct operation *);
static void write_body_parameter(const struct place *,
                                 const struct operation *);
static void write_responses(const struct place *, const struct operation *);
static void write_response(struct yl_buf *, enum yl_openapi_version,
                           const char *code, const char *name,
                           const char *schema, bool stream);
static const char *schema_of(const struct place *, enum what);
static bool shows_object(const struct yl_api_resource *);
static void write_id_part(struct yl_buf *, struct yl_str, bool capital);
static void write_group_id(struct yl_buf *, struct yl_str group,
                           bool capital);
static void begin_member(struct yl_buf *);
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
    write_group_id(&id, version->group, true);
    write_id_part(&id, version->version, true);
    yl_buf_append_c(&id, "APIResources");
    write_group_id(&tag, version->group, false);
    yl_buf_append_char(&tag, '_');
    write_id_part(&tag, version->version, false);
    write_plain_path(buf, openapi, yl_buf_str(&path), yl_buf_str(&id),
                     yl_buf_str(&tag), META "APIResourceList", true);
    yl_buf_release(&path);
    yl_buf_release(&id);
    yl_buf_release(&tag);

    for (size_t i = 0; i < version->n_entries; i++) {
        if (version->entries[i].version->kind) {
            write_resource((struct place) {
                .buf = buf,
                .openapi = openapi,
                .version = version,
                .resource = version->entries[i].resource,
                .served = version->entries[i].version,
                .kind = version->entries[i].version->kind,
                .watch = "",
                .suffix = "",
            });
        }
    }
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
    write_group_id(&id, group, true);
    yl_buf_append_c(&id, "APIGroup");
    write_group_id(&tag, group, false);
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

void
yl_openapi_write_ref(struct yl_buf *buf, enum yl_openapi_version openapi,
                     const char *name)
{
    if (*name) {
        yl_buf_printf(buf, "{\"$ref\":\"#/%s/%s\"}",
                      openapi == YL_OPENAPI_V3 ? "components/schemas"
                                               : "definitions", name);
    } else {
        yl_buf_append_c(buf, "{\"type\":\"object\"}");
    }
}

/* All paths of a resource. */
static void
write_resource(struct place place)
{
    const struct yl_api_resource *resource = place.resource;
    uint32_t verbs = resource->verbs;
    struct place p;

    write_path(&place, verbs, of_collection, YL_ARRAY_SIZE(of_collection));
    p = place;
    p.named = true;
    write_path(&p, verbs & ~YL_VERB_CREATE, of_object,
               YL_ARRAY_SIZE(of_object));
    for (size_t i = 0; i < place.served->n_subresources; i++) {
        const struct yl_api_subresource *sub = &place.served->subresources[i];

        if (sub->what != YL_SUB_CONNECT) {
            p.sub = sub;
            p.kind = sub->schema ? sub->schema : place.kind;
            write_path(&p, sub->verbs, of_object, YL_ARRAY_SIZE(of_object));
        }
    }
    if (resource->namespaced) {
        p = place;
        p.everywhere = true;
        p.suffix = "ForAllNamespaces";
        write_path(&p, verbs & YL_VERB_LIST, of_collection, 1);
        p.watch = "watch/";
        p.suffix = "ListForAllNamespaces";
        write_path(&p, verbs, watch_list, 1);
    }
    p = place;
    p.watch = "watch/";
    p.suffix = "List";
    write_path(&p, verbs, watch_list, 1);
    p.named = true;
    p.suffix = "";
    write_path(&p, verbs, watch_object, 1);
}

/* Writes a path with the operations that are in 'verbs'; nothing if there are
 * none. */
static void
write_path(const struct place *p, uint32_t verbs,
           const struct operation *operations, size_t n)
{
    bool in_namespace = p->resource->namespaced && !p->everywhere;
    unsigned params = PRETTY | (p->named ? NAME : 0u)
                      | (in_namespace ? NAMESPACE : 0u);
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (!(verbs & operations[i].verb)) {
            continue;
        }
        if (!any) {
            begin_member(p->buf);
            yl_buf_printf(p->buf, "\"/%s/%.*s/%s%s%.*s%s%s%s\":{",
                          p->version->group.size ? "apis" : "api",
                          YL_STR_ARG(p->version->api_version), p->watch,
                          in_namespace ? "namespaces/{namespace}/" : "",
                          YL_STR_ARG(p->resource->plural),
                          p->named ? "/{name}" : "", p->sub ? "/" : "",
                          p->sub ? p->sub->name : "");
            any = true;
        }
        begin_member(p->buf);
        yl_buf_printf(p->buf, "\"%s\":", operations[i].method);
        write_operation(p, &operations[i]);
    }
    if (any) {
        yl_buf_append_c(p->buf, ",\"parameters\":[");
        write_parameters(p->buf, p->openapi, params);
        yl_buf_append_c(p->buf, "]}");
    }
}

static void
write_operation(const struct place *p, const struct operation *o)
{
    yl_buf_append_c(p->buf, "{\"tags\":[\"");
    write_group_id(p->buf, p->version->group, false);
    yl_buf_append_char(p->buf, '_');
    write_id_part(p->buf, p->version->version, false);
    yl_buf_append_c(p->buf, "\"],\"operationId\":\"");
    write_operation_id(p, o);
    yl_buf_append_char(p->buf, '"');
    if (p->openapi == YL_OPENAPI_V2) {
        yl_buf_append_c(p->buf, o->in == PATCH
                                ? ",\"consumes\":[\"application/json-patch+"
                                  "json\",\"application/merge-patch+json\","
                                  "\"application/strategic-merge-patch+json\"]"
                                : ",\"consumes\":[\"*/*\"]");
        yl_buf_append_c(p->buf, ",\"produces\":[\"application/json\","
                                "\"application/yaml\"],"
                                "\"schemes\":[\"https\"]");
    }
    if (o->params || (o->in && p->openapi == YL_OPENAPI_V2)) {
        yl_buf_append_c(p->buf, ",\"parameters\":[");
        if (p->openapi == YL_OPENAPI_V2) {
            write_body_parameter(p, o);
        }
        write_parameters(p->buf, p->openapi, o->params);
        yl_buf_append_char(p->buf, ']');
    }
    if (p->openapi == YL_OPENAPI_V3) {
        write_body(p, o);
    }
    write_responses(p, o);
    yl_buf_printf(p->buf, ",\"x-kubernetes-action\":\"%s\"", o->action);
    write_gvk(p);
    yl_buf_append_char(p->buf, '}');
}

/* "deleteAppsV1CollectionNamespacedDeployment" */
static void
write_operation_id(const struct place *p, const struct operation *o)
{
    yl_buf_append_c(p->buf, o->id);
    write_group_id(p->buf, p->version->group, true);
    write_id_part(p->buf, p->version->version, true);
    if (o->verb == YL_VERB_DELETECOLLECTION) {
        yl_buf_append_c(p->buf, "Collection");
    }
    if (p->resource->namespaced && !p->everywhere) {
        yl_buf_append_c(p->buf, "Namespaced");
    }
    yl_buf_append_str(p->buf, p->resource->kind);
    if (p->sub) {
        write_id_part(p->buf, yl_str_c(p->sub->name), true);
    }
    yl_buf_append_c(p->buf, p->suffix);
}

static void
write_gvk(const struct place *p)
{
    const struct yl_api_subresource *sub = p->sub;
    bool other = sub && sub->version;

    yl_buf_append_c(p->buf, ",\"x-kubernetes-group-version-kind\":{"
                            "\"group\":");
    yl_json_write_string(p->buf, other ? yl_str_c(sub->group)
                                       : p->version->group);
    yl_buf_append_c(p->buf, ",\"kind\":");
    yl_json_write_string(p->buf, sub && sub->kind ? yl_str_c(sub->kind)
                                                  : p->resource->kind);
    yl_buf_append_c(p->buf, ",\"version\":");
    yl_json_write_string(p->buf, other ? yl_str_c(sub->version)
                                       : p->version->version);
    yl_buf_append_char(p->buf, '}');
}

static void
write_parameters(struct yl_buf *buf, enum yl_openapi_version openapi,
                 unsigned params)
{
    for (size_t i = 0; i < YL_ARRAY_SIZE(parameters); i++) {
        unsigned bit = 1u << i;
        bool in_path = bit & (NAME | NAMESPACE);

        if (!(params & bit)) {
            continue;
        }
        begin_member(buf);
        yl_buf_printf(buf, "{\"in\":\"%s\",\"name\":\"%s\"%s,",
                      in_path ? "path" : "query", parameters[i].name,
                      in_path ? ",\"required\":true" : "");
        yl_buf_printf(buf, openapi == YL_OPENAPI_V3
                           ? "\"schema\":{\"type\":\"%s\","
                             "\"uniqueItems\":true}}"
                           : "\"type\":\"%s\",\"uniqueItems\":true}",
                      parameters[i].type);
    }
}

/* The request body, in v3. */
static void
write_body(const struct place *p, const struct operation *o)
{
    static const char *const patches[] = {
        "application/json-patch+json", "application/merge-patch+json",
        "application/strategic-merge-patch+json",
    };
    size_t n = p->resource->custom ? 2 : 3;

    if (o->in == NOTHING) {
        return;
    }
    yl_buf_append_c(p->buf, ",\"requestBody\":{\"content\":{");
    if (o->in == PATCH) {
        for (size_t i = 0; i < n; i++) {
            yl_buf_printf(p->buf, "%s\"%s\":{\"schema\":", i ? "," : "",
                          patches[i]);
            yl_openapi_write_ref(p->buf, p->openapi, META "Patch");
            yl_buf_append_char(p->buf, '}');
        }
    } else {
        yl_buf_append_c(p->buf, "\"*/*\":{\"schema\":");
        yl_openapi_write_ref(p->buf, p->openapi, schema_of(p, o->in));
        yl_buf_append_char(p->buf, '}');
    }
    yl_buf_append_c(p->buf, o->in == OPTIONS ? "}}" : "},\"required\":true}");
}

/* The request body, in v2. */
static void
write_body_parameter(const struct place *p, const struct operation *o)
{
    if (o->in == NOTHING) {
        return;
    }
    yl_buf_printf(p->buf, "{\"in\":\"body\",\"name\":\"body\"%s,\"schema\":",
                  o->in == OPTIONS ? "" : ",\"required\":true");
    yl_openapi_write_ref(p->buf, p->openapi, schema_of(p, o->in));
    yl_buf_append_char(p->buf, '}');
}

static void
write_responses(const struct place *p, const struct operation *o)
{
    const char *schema = schema_of(p, o->out);
    bool stream = o->out == LIST || o->out == EVENT;

    yl_buf_append_c(p->buf, ",\"responses\":{");
    write_response(p->buf, p->openapi, "200", "OK", schema, stream);
    if (o->codes & CREATED) {
        write_response(p->buf, p->openapi, "201", "Created", schema, false);
    }
    if (o->codes & ACCEPTED) {
        write_response(p->buf, p->openapi, "202", "Accepted", schema, false);
    }
    yl_buf_append_c(p->buf,
                    ",\"401\":{\"description\":\"Unauthorized\"}}");
}

static void
write_response(struct yl_buf *buf, enum yl_openapi_version openapi,
               const char *code, const char *name, const char *schema,
               bool stream)
{
    static const char *const types[] = {
        "application/json", "application/yaml",
        "application/json;stream=watch",
    };

    begin_member(buf);
    yl_buf_printf(buf, "\"%s\":{\"description\":\"%s\"", code, name);
    if (openapi == YL_OPENAPI_V2) {
        yl_buf_append_c(buf, ",\"schema\":");
        yl_openapi_write_ref(buf, openapi, schema);
    } else {
        yl_buf_append_c(buf, ",\"content\":{");
        for (size_t i = 0; i < (stream ? 3u : 2u); i++) {
            yl_buf_printf(buf, "%s\"%s\":{\"schema\":", i ? "," : "",
                          types[i]);
            yl_openapi_write_ref(buf, openapi, schema);
            yl_buf_append_char(buf, '}');
        }
        yl_buf_append_char(buf, '}');
    }
    yl_buf_append_char(buf, '}');
}

static const char *
schema_of(const struct place *p, enum what what)
{
    const struct yl_type_set *set = p->kind->set;
    uint16_t type = p->kind->type;

    switch (what) {
    case LIST:
        type = p->kind->list_type;
        break;

    case EVENT:
        return META "WatchEvent";

    case OPTIONS:
        return META "DeleteOptions";

    case OUTCOME:
        if (!shows_object(p->resource)) {
            return META "Status";
        }
        break;

    case STATUS:
        return META "Status";

    case PATCH:
        return META "Patch";

    case NOTHING:
    case OBJECT:
        break;
    }
    return type ? yl_type_set_text(set, set->types[type].openapi_name) : "";
}

/* Whether a DELETE answers with the object.  For Namespaces it does, but
 * upstream's document does not say so, and clients are generated from that
 * document. */
static bool
shows_object(const struct yl_api_resource *resource)
{
    return resource->strategy->flags & YL_STRATEGY_DELETE_RETURNS_OBJECT
           && !yl_str_equal(resource->plural, YL_STR("namespaces"));
}

/* A path with one operation: the GET of a document of discovery. */
static void
write_plain_path(struct yl_buf *buf, enum yl_openapi_version openapi,
                 struct yl_str path, struct yl_str id, struct yl_str tag,
                 const char *schema, bool yaml)
{
    begin_member(buf);
    yl_buf_printf(buf, "\"%.*s\":{\"get\":{\"tags\":[\"%.*s\"],"
                       "\"operationId\":\"%.*s\"",
                  YL_STR_ARG(path), YL_STR_ARG(tag), YL_STR_ARG(id));
    if (openapi == YL_OPENAPI_V2) {
        yl_buf_printf(buf, ",\"produces\":[\"application/json\"%s],"
                           "\"schemes\":[\"https\"],\"responses\":{",
                      yaml ? ",\"application/yaml\"" : "");
        write_response(buf, openapi, "200", "OK", schema, false);
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
        yl_buf_append_c(buf, "}}");
    }
    yl_buf_append_c(buf, ",\"401\":{\"description\":\"Unauthorized\"}}}}");
}

/* Writes a part of an operationId: letters, digits and underscores.  Other
 * characters are dropped and the next letter becomes a capital, as in
 * upstream. */
static void
write_id_part(struct yl_buf *buf, struct yl_str s, bool capital)
{
    for (size_t i = 0; i < s.size; i++) {
        char c = s.data[i];
        bool lower = c >= 'a' && c <= 'z';
        bool letter = lower || (c >= 'A' && c <= 'Z') || c == '_';

        if (!letter && !(i && c >= '0' && c <= '9')) {
            capital = true;
            continue;
        }
        yl_buf_append_char(buf, capital && lower ? (char) (c - 'a' + 'A')
                                                 : c);
        capital = false;
    }
}

static void
write_group_id(struct yl_buf *buf, struct yl_str group, bool capital)
{
    struct yl_str suffix = YL_STR(".k8s.io");

    if (yl_str_is_empty(group)) {
        group = YL_STR("core");
    } else if (yl_str_ends_with(group, suffix)) {
        group.size -= suffix.size;
    }
    write_id_part(buf, group, capital);
}

/* A comma, unless it is the first one. */
static void
begin_member(struct yl_buf *buf)
{
    char last = buf->size ? buf->data[buf->size - 1] : '{';

    if (last != '{' && last != '[') {
        yl_buf_append_char(buf, ',');
    }
}
