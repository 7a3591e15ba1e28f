/* Operations of OpenAPI.  See openapi_operation.h.
 *
 * Tables describe the operations; the verbs of a resource decide which of them
 * exist. */

#include "apiserver/discovery/openapi_operation.h"

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

/* Of a collection of a built-in kind. */
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

static const struct operation of_watch_list[] = {
    { YL_VERB_WATCH, "get", "watch", "watchlist", LISTING, NOTHING, EVENT,
      0 },
};
static const struct operation of_watch_object[] = {
    { YL_VERB_WATCH, "get", "watch", "watch", LISTING, NOTHING, EVENT, 0 },
};

/* Of custom kinds. */
static const struct operation of_custom_collection[] = {
    { YL_VERB_LIST, "get", "list", "list", LISTING, NOTHING, LIST, 0 },
    { YL_VERB_CREATE, "post", "create", "post", WRITING, OBJECT, OBJECT,
      CREATED | ACCEPTED },
    { YL_VERB_DELETECOLLECTION, "delete", "delete", "deletecollection",
      LISTING, NOTHING, STATUS, 0 },
};
static const struct operation of_custom_object[] = {
    { YL_VERB_GET, "get", "read", "get", RESOURCE_VERSION, NOTHING, OBJECT,
      0 },
    { YL_VERB_UPDATE, "put", "replace", "put", WRITING, OBJECT, OBJECT,
      CREATED },
    { YL_VERB_PATCH, "patch", "patch", "patch", WRITING | FORCE, PATCH,
      OBJECT, 0 },
    { YL_VERB_DELETE, "delete", "delete", "delete", DELETING, OPTIONS, STATUS,
      ACCEPTED },
};

#define TABLE(ROWS) { ROWS, YL_ARRAY_SIZE(ROWS) }

/* By enum yl_openapi_about; of built-in kinds, and of custom ones. */
static const struct table {
    const struct operation *rows;
    size_t n;
} tables[][2] = {
    [YL_OPENAPI_COLLECTION] = {
        TABLE(of_collection), TABLE(of_custom_collection),
    },
    [YL_OPENAPI_OBJECT] = { TABLE(of_object), TABLE(of_custom_object) },
    [YL_OPENAPI_WATCH_LIST] = { TABLE(of_watch_list), { NULL, 0 } },
    [YL_OPENAPI_WATCH_OBJECT] = { TABLE(of_watch_object), { NULL, 0 } },
};

/* Media types of requests and responses. */
static const char *const json_and_yaml[] = {
    "application/json", "application/yaml", NULL,
};
static const char *const json_yaml_and_stream[] = {
    "application/json", "application/yaml", "application/json;stream=watch",
    NULL,
};
static const char *const anything[] = { "*/*", NULL };
static const char *const patches[] = {
    "application/json-patch+json", "application/merge-patch+json",
    "application/strategic-merge-patch+json", "application/apply-patch+yaml",
    NULL,
};
static const char *const custom_patches[] = {
    "application/json-patch+json", "application/merge-patch+json",
    "application/apply-patch+yaml", NULL,
};

static void write_operation(const struct yl_openapi_place *,
                            const struct operation *);
static void write_operation_id(const struct yl_openapi_place *,
                               const struct operation *);
static void write_gvk(const struct yl_openapi_place *);
static void write_parameters(struct yl_buf *, enum yl_openapi_version,
                             unsigned params);
static const char *const *media_types(const struct yl_openapi_place *,
                                      const struct operation *);
static void write_body(const struct yl_openapi_place *,
                       const struct operation *);
static void write_body_parameter(const struct yl_openapi_place *,
                                 const struct operation *);
static void write_responses(const struct yl_openapi_place *,
                            const struct operation *);
static void write_response(const struct yl_openapi_place *,
                           const struct operation *, const char *code,
                           const char *name, const char *const *types);
static void write_content(struct yl_buf *, enum yl_openapi_version,
                          const char *const *types, const char *schema);
static const char *schema_of(const struct yl_openapi_place *, enum what);
static bool shows_object(const struct yl_api_resource *);

void
yl_openapi_write_path(const struct yl_openapi_place *p,
                      enum yl_openapi_about about, uint32_t verbs)
{
    const struct table *table = &tables[about][p->resource->custom];
    bool in_namespace = p->resource->namespaced && !p->everywhere;
    unsigned params = PRETTY | (p->named ? NAME : 0u)
                      | (in_namespace ? NAMESPACE : 0u);
    bool any = false;

    for (size_t i = 0; i < table->n; i++) {
        if (!(verbs & table->rows[i].verb)) {
            continue;
        }
        if (!any) {
            yl_openapi_write_comma(p->buf);
            yl_buf_printf(p->buf, "\"/%s/%.*s/%s%s%.*s%s%s%s\":{",
                          p->version->group.size ? "apis" : "api",
                          YL_STR_ARG(p->version->api_version), p->watch,
                          in_namespace ? "namespaces/{namespace}/" : "",
                          YL_STR_ARG(p->resource->plural),
                          p->named ? "/{name}" : "", p->sub ? "/" : "",
                          p->sub ? p->sub->name : "");
            any = true;
        }
        yl_openapi_write_comma(p->buf);
        yl_buf_printf(p->buf, "\"%s\":", table->rows[i].method);
        write_operation(p, &table->rows[i]);
    }
    if (any) {
        yl_buf_append_c(p->buf, ",\"parameters\":[");
        write_parameters(p->buf, p->openapi, params);
        yl_buf_append_c(p->buf, "]}");
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

void
yl_openapi_write_id(struct yl_buf *buf, struct yl_str s, bool capital)
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

void
yl_openapi_write_group_id(struct yl_buf *buf, struct yl_str group,
                          bool capital)
{
    struct yl_str suffix = YL_STR(".k8s.io");

    if (yl_str_is_empty(group)) {
        group = YL_STR("core");
    } else if (yl_str_ends_with(group, suffix)) {
        group.size -= suffix.size;
    }
    yl_openapi_write_id(buf, group, capital);
}

void
yl_openapi_write_comma(struct yl_buf *buf)
{
    char last = buf->size ? buf->data[buf->size - 1] : '{';

    if (last != '{' && last != '[') {
        yl_buf_append_char(buf, ',');
    }
}

static void
write_operation(const struct yl_openapi_place *p, const struct operation *o)
{
    yl_buf_append_c(p->buf, "{\"tags\":[\"");
    yl_openapi_write_group_id(p->buf, p->version->group, false);
    yl_buf_append_char(p->buf, '_');
    yl_openapi_write_id(p->buf, p->version->version, false);
    yl_buf_append_c(p->buf, "\"],\"operationId\":\"");
    write_operation_id(p, o);
    yl_buf_append_char(p->buf, '"');
    if (p->openapi == YL_OPENAPI_V2) {
        const char *const *types = media_types(p, o);

        for (size_t i = 0; types[i]; i++) {
            yl_buf_printf(p->buf, "%s\"%s\"", i ? "," : ",\"consumes\":[",
                          types[i]);
        }
        yl_buf_append_c(p->buf, "],\"produces\":[\"application/json\","
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
write_operation_id(const struct yl_openapi_place *p,
                   const struct operation *o)
{
    yl_buf_append_c(p->buf, o->id);
    yl_openapi_write_group_id(p->buf, p->version->group, true);
    yl_openapi_write_id(p->buf, p->version->version, true);
    if (o->verb == YL_VERB_DELETECOLLECTION) {
        yl_buf_append_c(p->buf, "Collection");
    }
    if (p->resource->namespaced && !p->everywhere) {
        yl_buf_append_c(p->buf, "Namespaced");
    }
    yl_buf_append_str(p->buf, p->resource->kind);
    if (p->sub) {
        yl_openapi_write_id(p->buf, yl_str_c(p->sub->name), true);
    }
    yl_buf_append_c(p->buf, p->suffix);
}

/* The kind that the operation is about.  Of a custom resource it is always its
 * own, also that of /scale. */
static void
write_gvk(const struct yl_openapi_place *p)
{
    const struct yl_api_subresource *sub = p->resource->custom ? NULL : p->sub;
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
        yl_openapi_write_comma(buf);
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

/* The media types of a request's body. */
static const char *const *
media_types(const struct yl_openapi_place *p, const struct operation *o)
{
    if (o->in == PATCH) {
        return p->resource->custom ? custom_patches : patches;
    }
    return p->resource->custom ? json_and_yaml : anything;
}

/* The request body, in v3. */
static void
write_body(const struct yl_openapi_place *p, const struct operation *o)
{
    if (o->in != NOTHING) {
        yl_buf_append_c(p->buf, ",\"requestBody\":{");
        write_content(p->buf, p->openapi, media_types(p, o),
                      schema_of(p, o->in));
        yl_buf_append_c(p->buf, o->in == OPTIONS ? "}"
                                                 : ",\"required\":true}");
    }
}

/* The request body, in v2. */
static void
write_body_parameter(const struct yl_openapi_place *p,
                     const struct operation *o)
{
    if (o->in != NOTHING) {
        yl_buf_printf(p->buf, "{\"in\":\"body\",\"name\":\"body\"%s,"
                              "\"schema\":",
                      o->in == OPTIONS ? "" : ",\"required\":true");
        yl_openapi_write_ref(p->buf, p->openapi, schema_of(p, o->in));
        yl_buf_append_char(p->buf, '}');
    }
}

static void
write_responses(const struct yl_openapi_place *p, const struct operation *o)
{
    bool stream = !p->resource->custom
                  && (o->out == LIST || o->out == EVENT);

    yl_buf_append_c(p->buf, ",\"responses\":{");
    write_response(p, o, "200", "OK",
                   stream ? json_yaml_and_stream : json_and_yaml);
    if (o->codes & CREATED) {
        write_response(p, o, "201", "Created", json_and_yaml);
    }
    if (o->codes & ACCEPTED) {
        write_response(p, o, "202", "Accepted", json_and_yaml);
    }
    yl_buf_append_c(p->buf,
                    ",\"401\":{\"description\":\"Unauthorized\"}}");
}

static void
write_response(const struct yl_openapi_place *p, const struct operation *o,
               const char *code, const char *name, const char *const *types)
{
    yl_openapi_write_comma(p->buf);
    yl_buf_printf(p->buf, "\"%s\":{\"description\":\"%s\",", code, name);
    if (p->openapi == YL_OPENAPI_V2) {
        yl_buf_append_c(p->buf, "\"schema\":");
        yl_openapi_write_ref(p->buf, p->openapi, schema_of(p, o->out));
    } else {
        write_content(p->buf, p->openapi, types, schema_of(p, o->out));
    }
    yl_buf_append_char(p->buf, '}');
}

/* The member "content" of a request or response: one schema in several media
 * types. */
static void
write_content(struct yl_buf *buf, enum yl_openapi_version openapi,
              const char *const *types, const char *schema)
{
    yl_buf_append_c(buf, "\"content\":{");
    for (size_t i = 0; types[i]; i++) {
        yl_buf_printf(buf, "%s\"%s\":{\"schema\":", i ? "," : "", types[i]);
        yl_openapi_write_ref(buf, openapi, schema);
        yl_buf_append_char(buf, '}');
    }
    yl_buf_append_char(buf, '}');
}

static const char *
schema_of(const struct yl_openapi_place *p, enum what what)
{
    switch (what) {
    case LIST:
        return p->list;

    case EVENT:
        return META "WatchEvent";

    case OPTIONS:
        return META "DeleteOptions";

    case OUTCOME:
        return shows_object(p->resource) ? p->object : META "Status";

    case STATUS:
        return META "Status";

    case PATCH:
        return META "Patch";

    case NOTHING:
    case OBJECT:
        break;
    }
    return p->object;
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
