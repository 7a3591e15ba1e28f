/* OpenAPI of custom kinds.  See schema/openapi_custom.h.
 *
 * The schema is first written as in a CRD, from the compiled tables, and read
 * into a tree, which is then changed from the root down.  A schema that says
 * nothing special stays as it was written: its bytes are copied. */

#include "schema/openapi_custom.h"

#include "json/member.h"
#include "json/text.h"
#include "json/tree.h"
#include "yuloh/arena.h"

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."

/* Descriptions of what every object has. */
#define API_VERSION "The group and version that the object is written in."
#define KIND "The kind of the object, in CamelCase."
#define METADATA "Name, namespace, labels, annotations and the like."

/* A schema while it is changed. */
struct publisher {
    struct yl_arena *arena;
    enum yl_openapi_version version;
};

static struct yl_node *describe(const struct publisher *,
                                const struct yl_kind *);
static struct yl_node *parse(struct yl_arena *, struct yl_str text);
static void publish(const struct publisher *, struct yl_node *schema);
static void unfold(const struct publisher *, struct yl_node *schema);
static void simplify(const struct publisher *, struct yl_node *schema);
static void drop_nullable(const struct publisher *, struct yl_node *schema);
static void embed(const struct publisher *, struct yl_node *schema);
static void set_meta(const struct publisher *, struct yl_node *schema);
static void require(const struct publisher *, struct yl_node *schema,
                    const char *name);
static bool is_true(const struct yl_node *schema, const char *keyword);
static void write_list(struct yl_buf *, enum yl_openapi_version,
                       const struct yl_kind *);
static void write_ref(struct yl_buf *, enum yl_openapi_version,
                      const char *name, const char *description);
static void write_extensions(struct yl_buf *, const struct yl_kind *,
                             const char *kind, const char *selectable);

void
yl_openapi_write_custom_name(struct yl_buf *buf, const struct yl_kind *kind,
                             bool list)
{
    yl_openapi_write_prefix(buf, yl_str_c(kind->set->group),
                            yl_str_c(kind->set->version));
    yl_buf_printf(buf, ".%s", list ? kind->list_name : kind->name);
}

void
yl_openapi_write_custom(struct yl_buf *buf, enum yl_openapi_version version,
                        const struct yl_kind *kind, const char *selectable)
{
    struct publisher p = { yl_arena_new(), version };

    yl_buf_append_char(buf, '"');
    yl_openapi_write_custom_name(buf, kind, false);
    yl_buf_append_c(buf, "\":");
    yl_node_write(buf, describe(&p, kind));
    buf->size--;                /* Remove the closing brace; it is written
                                 * again behind the extensions. */
    write_extensions(buf, kind, kind->name, selectable);
    yl_buf_append_c(buf, ",\"");
    yl_openapi_write_custom_name(buf, kind, true);
    yl_buf_append_c(buf, "\":");
    write_list(buf, version, kind);
    write_extensions(buf, kind, kind->list_name, selectable);
    yl_arena_free(p.arena);
}

/* The schema of the kind, without the extensions. */
static struct yl_node *
describe(const struct publisher *p, const struct yl_kind *kind)
{
    struct yl_type_set set = *kind->set;
    struct yl_type_ref type = { &set, &set.types[kind->type] };
    bool keeps = kind->flags & YL_KIND_PRESERVE
                 || type.type->flags & YL_VALUE_PRESERVE;
    struct yl_node *schema;
    struct yl_buf text;

    if (kind->flags & YL_KIND_UNDESCRIBED
        || (keeps && p->version == YL_OPENAPI_V2)) {
        /* Readers of version 2 would refuse all fields that are not there, so
         * there must be none, not even metadata. */
        return parse(p->arena, YL_STR("{\"type\":\"object\"}"));
    }
    set.n_kinds = 0;            /* Write the schema of the CRD and no more. */
    yl_buf_init(&text, SIZE_MAX);
    yl_openapi_write_type(&text, YL_OPENAPI_V3, type);
    schema = parse(p->arena, yl_arena_copy(p->arena, yl_buf_str(&text)));
    yl_buf_release(&text);
    publish(p, schema);
    set_meta(p, schema);
    return schema;
}

/* Reads what was written here. */
static struct yl_node *
parse(struct yl_arena *arena, struct yl_str text)
{
    struct yl_node *root;

    return yl_tree_parse(arena, text, NULL, &root, NULL) == 0
           ? root : yl_node_new_object(arena);
}

/* Changes a schema, and those in it, to what is published. */
static void
publish(const struct publisher *p, struct yl_node *schema)
{
    struct yl_node *properties, *child;

    if (p->version == YL_OPENAPI_V2) {
        simplify(p, schema);
    } else if (is_true(schema, "x-kubernetes-int-or-string")) {
        unfold(p, schema);
    }
    properties = yl_member_object(schema, "properties");
    if (properties) {
        YL_NODE_FOR_EACH (child, properties) {
            publish(p, child);
        }
    }
    child = yl_member_object(schema, "items");
    if (child) {
        publish(p, child);
    }
    child = yl_member_object(schema, "additionalProperties");
    if (child) {
        publish(p, child);
    }
    if (is_true(schema, "x-kubernetes-embedded-resource")
        && (p->version == YL_OPENAPI_V3
            || !is_true(schema, "x-kubernetes-preserve-unknown-fields"))) {
        embed(p, schema);
    }
}

/* Says in the words of OpenAPI that a value is an integer or a string, unless
 * the schema says it already. */
static void
unfold(const struct publisher *p, struct yl_node *schema)
{
    struct yl_node *either = parse(p->arena,
                                   YL_STR("[{\"type\":\"integer\"},"
                                          "{\"type\":\"string\"}]"));
    struct yl_node *any = yl_member_array(schema, "anyOf");
    struct yl_node *all = yl_member_array(schema, "allOf"), *wrapped;

    if (!any) {
        const struct yl_node *first = all ? all->first : NULL;

        if (!first || !yl_node_equal(yl_node_get(first, YL_STR("anyOf")),
                                     either)) {
            yl_member_set(p->arena, schema, "anyOf", either);
        }
    } else if (!yl_node_equal(any, either)) {
        if (!all) {
            all = yl_node_new_array(p->arena);
            yl_member_set(p->arena, schema, "allOf", all);
        }
        wrapped = yl_node_new_object(p->arena);
        yl_member_set(p->arena, wrapped, "anyOf", either);
        yl_node_insert(all, 0, wrapped);
    }
}

/* Leaves out what version 2, or what kubectl makes of it, cannot express. */
static void
simplify(const struct publisher *p, struct yl_node *schema)
{
    static const char *const unknown[] = { "allOf", "anyOf", "oneOf", "not",
                                           "default" };
    bool nullable = is_true(schema, "nullable");
    bool keeps = is_true(schema, "x-kubernetes-preserve-unknown-fields");
    const struct yl_node *type;

    for (size_t i = 0; i < YL_ARRAY_SIZE(unknown); i++) {
        yl_member_drop(schema, unknown[i]);
    }
    if (nullable || keeps) {
        yl_member_drop(schema, "items");
        yl_member_drop(schema, "properties");
    }
    type = yl_node_get(schema, YL_STR("type"));
    if (nullable
        || (keeps && yl_node_string_is(type, YL_STR("object")))
        || (yl_node_string_is(type, YL_STR("array"))
            && !yl_member_object(schema, "items"))) {
        yl_member_drop(schema, "type");
    }
    yl_member_drop(schema, "nullable");
    drop_nullable(p, schema);
}

/* A member that may be null is not required in version 2. */
static void
drop_nullable(const struct publisher *p, struct yl_node *schema)
{
    struct yl_node *properties = yl_member_object(schema, "properties");
    struct yl_node *required = yl_member_array(schema, "required");
    struct yl_node *item, *next;

    if (!required) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (item, next, required) {
        struct yl_str name;

        if (properties && yl_node_string(item, p->arena, &name) == 0
            && is_true(yl_node_get(properties, name), "nullable")) {
            yl_node_detach(item);
        }
    }
    if (!required->n
        || is_true(yl_member_object(schema, "additionalProperties"),
                   "nullable")) {
        yl_member_drop(schema, "required");
    }
}

/* An object inside another one has the members of all objects. */
static void
embed(const struct publisher *p, struct yl_node *schema)
{
    set_meta(p, schema);
    require(p, schema, "kind");
    require(p, schema, "apiVersion");
}

/* Sets the properties that every object has. */
static void
set_meta(const struct publisher *p, struct yl_node *schema)
{
    struct yl_node *properties = yl_member_make(p->arena, schema,
                                                "properties");
    struct yl_buf ref;

    yl_buf_init(&ref, 4096);
    write_ref(&ref, p->version, META "ObjectMeta", METADATA);
    yl_member_set(p->arena, properties, "apiVersion",
                  parse(p->arena, YL_STR("{\"type\":\"string\","
                                         "\"description\":\"" API_VERSION
                                         "\"}")));
    yl_member_set(p->arena, properties, "kind",
                  parse(p->arena, YL_STR("{\"type\":\"string\","
                                         "\"description\":\"" KIND "\"}")));
    yl_member_set(p->arena, properties, "metadata",
                  parse(p->arena, yl_arena_copy(p->arena, yl_buf_str(&ref))));
    yl_buf_release(&ref);
}

static void
require(const struct publisher *p, struct yl_node *schema, const char *name)
{
    struct yl_node *required = yl_member_array(schema, "required"), *item;

    YL_MEMBER_EACH (item, schema, "required") {
        if (yl_node_string_is(item, yl_str_c(name))) {
            return;
        }
    }
    if (!required) {
        required = yl_node_new_array(p->arena);
        yl_member_set(p->arena, schema, "required", required);
    }
    yl_node_append(required, yl_node_new_string(p->arena, yl_str_c(name)));
}

static bool
is_true(const struct yl_node *schema, const char *keyword)
{
    bool value;

    return schema && schema->type == YL_JSON_OBJECT
           && yl_node_bool(yl_node_get(schema, yl_str_c(keyword)), &value) == 0
           && value;
}

/* The schema of the list, but for the extensions and the closing brace. */
static void
write_list(struct yl_buf *buf, enum yl_openapi_version version,
           const struct yl_kind *kind)
{
    yl_buf_append_c(buf, "{\"type\":\"object\",\"required\":[\"items\"],"
                         "\"properties\":{\"apiVersion\":{\"type\":\"string\","
                         "\"description\":\"" API_VERSION "\"},"
                         "\"items\":{\"type\":\"array\",\"items\":{\"$ref\":"
                         "\"");
    yl_buf_append_c(buf, version == YL_OPENAPI_V3 ? "#/components/schemas/"
                                                  : "#/definitions/");
    yl_openapi_write_custom_name(buf, kind, false);
    yl_buf_append_c(buf, "\"}},\"kind\":{\"type\":\"string\","
                         "\"description\":\"" KIND "\"},\"metadata\":");
    write_ref(buf, version, META "ListMeta",
              "The resourceVersion of the list, and where it goes on.");
    yl_buf_append_char(buf, '}');
}

/* A reference with a description.  In version 3 a reference stands alone in
 * its object. */
static void
write_ref(struct yl_buf *buf, enum yl_openapi_version version,
          const char *name, const char *description)
{
    yl_buf_printf(buf, version == YL_OPENAPI_V3
                       ? "{\"description\":\"%s\",\"allOf\":[{\"$ref\":"
                         "\"#/components/schemas/%s\"}]}"
                       : "{\"description\":\"%s\",\"$ref\":"
                         "\"#/definitions/%s\"}", description, name);
}

/* What ends a schema: which kind it is of, and its selectable fields. */
static void
write_extensions(struct yl_buf *buf, const struct yl_kind *kind,
                 const char *name, const char *selectable)
{
    struct yl_str rest = yl_str_c(selectable ? selectable : "");
    bool any = false;

    yl_buf_printf(buf, ",\"x-kubernetes-group-version-kind\":[{\"group\":"
                       "\"%s\",\"kind\":\"%s\",\"version\":\"%s\"}]",
                  kind->set->group, name, kind->set->version);
    while (rest.size) {
        struct yl_str path = rest;

        if (!yl_str_cut(rest, ',', &path, &rest)) {
            rest = yl_str_null();
        }
        yl_buf_append_c(buf, any ? ",{\"fieldPath\":"
                                 : ",\"x-kubernetes-selectable-fields\":["
                                   "{\"fieldPath\":");
        yl_json_write_string(buf, path);
        yl_buf_append_char(buf, '}');
        any = true;
    }
    yl_buf_append_c(buf, any ? "]}" : "}");
}
