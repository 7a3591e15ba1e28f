/* OpenAPI v3 documents into units.  See codegen/from_openapi.h.
 *
 * Types are read in two rounds, because they refer to each other in circles:
 * first every struct gets its unit and its name, then its fields. */

#include "codegen/from_openapi.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "codegen/facts.h"
#include "codegen/from_schema.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* What is shared by all groups and has structs of its own in yuloh. */
#define META "io.k8s.apimachinery.pkg.apis.meta.v1"
#define META_DOT META "."

struct component {
    struct yl_map_node by_name;     /* In yl_gen_openapi's 'components'. */
    struct component *next;         /* In the order of the documents. */
    struct yl_str name;
    const struct yl_node *schema;
    struct yl_gen_type *type;       /* NULL if it is no struct. */
};

/* One line of a discovery document. */
struct resource {
    struct resource *next;
    struct yl_str group, version, kind;
    const struct yl_node *node;
};

struct group {
    struct group *next;
    struct yl_str prefix;           /* "io.k8s.api.apps.v1" */
    struct yl_gen_unit *unit;
};

struct yl_gen_openapi {
    struct yl_arena *arena;
    const struct yl_gen_facts *facts;
    struct yl_map components;
    struct component *first, **last;
    struct resource *resources, **last_resource;
    struct group *groups;
    struct yl_gen_unit *meta;       /* Stands for the structs of yuloh. */
};

static void release_map(void *);
static struct component *component_find(const struct yl_gen_openapi *,
                                        struct yl_str name);
static bool is_struct(const struct component *);
static bool is_list(const struct yl_gen_openapi *, const struct component *);
static struct yl_str prefix_of(struct yl_str name);
static const struct yl_node *gvk_of(const struct component *);
static void sort_components(struct yl_gen_openapi *);
static void make_types(struct yl_gen_openapi *);
static struct group *group_of(struct yl_gen_openapi *, struct yl_str prefix);
static void name_group(struct yl_gen_openapi *, struct group *);
static void make_kind(struct yl_gen_openapi *, struct yl_gen_type *);
static void apply_resource(struct yl_gen_openapi *, struct yl_gen_kind *,
                           const struct yl_node *);
static const char *verbs_of(struct yl_gen_openapi *, struct yl_gen_unit *,
                            const struct yl_node *);
static int read_type(struct yl_gen_openapi *, struct component *,
                     struct yl_error *);
static void apply_fact(struct yl_gen_openapi *, const char *type,
                       struct yl_gen_field *);
static void drop_zero_default(struct yl_gen_field *);
static struct yl_gen_value *resolve(struct yl_gen_reader *, struct yl_str name,
                                    struct yl_error *);
static struct yl_gen_value *resolve_shared(struct yl_gen_reader *,
                                           struct yl_str name);
static struct yl_gen_value *resolve_opaque(struct yl_gen_reader *,
                                           const struct component *);
static struct yl_str text_of(struct yl_gen_openapi *, const struct yl_node *,
                             const char *name);
static void sort_fields(struct yl_gen_type *);
static int compare_fields(const void *, const void *);
static int compare_components(const void *, const void *);
static int compare_units(const void *, const void *);

struct yl_gen_openapi *
yl_gen_openapi_new(struct yl_arena *arena)
{
    struct yl_gen_openapi *openapi = yl_arena_zalloc(arena, sizeof *openapi);

    openapi->arena = arena;
    openapi->last = &openapi->first;
    openapi->last_resource = &openapi->resources;
    openapi->meta = yl_gen_meta_unit(arena);
    yl_map_init(&openapi->components);
    yl_arena_attach(arena, release_map, &openapi->components);
    return openapi;
}

int
yl_gen_openapi_add(struct yl_gen_openapi *openapi, struct yl_str json,
                   struct yl_error *err)
{
    const struct yl_node *schemas, *schema;
    struct yl_node *root;
    int r = yl_tree_parse(openapi->arena, json, NULL, &root, err);

    if (r < 0) {
        return r;
    }
    schemas = yl_node_get(yl_node_get(root, YL_STR("components")),
                          YL_STR("schemas"));
    if (yl_node_type(schemas) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_EINVALID,
                            "this is no OpenAPI v3 document: it has no "
                            "components.schemas");
    }
    YL_NODE_FOR_EACH (schema, schemas) {
        struct yl_str name = yl_node_key(schema);
        struct component *component;

        if (yl_node_type(schema) != YL_JSON_OBJECT) {
            return yl_error_set(err, YL_EINVALID,
                                "%.*s: a schema must be an object",
                                YL_STR_ARG(name));
        } else if (component_find(openapi, name)) {
            continue;
        }
        component = yl_arena_zalloc(openapi->arena, sizeof *component);
        component->name = name;
        component->schema = schema;
        yl_map_insert(&openapi->components, &component->by_name,
                      yl_hash_str(name));
        *openapi->last = component;
        openapi->last = &component->next;
    }
    return 0;
}

int
yl_gen_openapi_add_discovery(struct yl_gen_openapi *openapi,
                             struct yl_str json, struct yl_error *err)
{
    struct yl_str group = yl_str_null(), version;
    const struct yl_node *resources, *node;
    struct yl_node *root;
    int r = yl_tree_parse(openapi->arena, json, NULL, &root, err);

    if (r < 0) {
        return r;
    }
    resources = yl_node_get(root, YL_STR("resources"));
    version = text_of(openapi, root, "groupVersion");
    if (yl_node_type(resources) != YL_JSON_ARRAY || !version.size) {
        return yl_error_set(err, YL_EINVALID, "this is no APIResourceList");
    }
    yl_str_cut(version, '/', &group, &version);
    YL_NODE_FOR_EACH (node, resources) {
        struct resource *resource = yl_arena_zalloc(openapi->arena,
                                                    sizeof *resource);

        resource->kind = text_of(openapi, node, "kind");
        resource->node = node;
        resource->group = group;
        resource->version = version;
        *openapi->last_resource = resource;
        openapi->last_resource = &resource->next;
    }
    return 0;
}

void
yl_gen_openapi_set_facts(struct yl_gen_openapi *openapi,
                         const struct yl_gen_facts *facts)
{
    openapi->facts = facts;
}

int
yl_gen_openapi_units(struct yl_gen_openapi *openapi,
                     struct yl_gen_unit ***ret_units, size_t *ret_n,
                     struct yl_error *err)
{
    struct yl_gen_unit **units;
    struct component *component;
    struct group *group;
    size_t n = 0;

    sort_components(openapi);
    make_types(openapi);
    for (component = openapi->first; component; component = component->next) {
        int r = component->type ? read_type(openapi, component, err) : 0;

        if (r < 0) {
            yl_error_prefix(err, "%.*s", YL_STR_ARG(component->name));
            return r;
        }
    }
    for (group = openapi->groups; group; group = group->next) {
        n++;
    }
    units = yl_arena_array(openapi->arena, n, sizeof *units);
    n = 0;
    for (group = openapi->groups; group; group = group->next) {
        units[n++] = group->unit;
    }
    qsort(units, n, sizeof *units, compare_units);
    *ret_units = units;
    *ret_n = n;
    return 0;
}

static void
release_map(void *map)
{
    yl_map_release(map);
}

static struct component *
component_find(const struct yl_gen_openapi *openapi, struct yl_str name)
{
    struct component *component;

    YL_MAP_FOR_EACH_WITH_HASH (component, by_name, yl_hash_str(name),
                               &openapi->components) {
        if (yl_str_equal(component->name, name)) {
            break;
        }
    }
    return component;
}

static bool
is_struct(const struct component *component)
{
    const struct yl_node *properties = yl_node_get(component->schema,
                                                   YL_STR("properties"));

    return yl_node_type(properties) == YL_JSON_OBJECT && properties->n
           && !yl_str_starts_with(component->name, YL_STR(META_DOT));
}

/* The generator makes the list of a kind itself. */
static bool
is_list(const struct yl_gen_openapi *openapi, const struct component *c)
{
    const struct yl_node *properties = yl_node_get(c->schema,
                                                   YL_STR("properties"));
    struct yl_str name = c->name;

    if (!gvk_of(c) || !yl_str_ends_with(name, YL_STR("List"))
        || !yl_node_get(properties, YL_STR("items"))) {
        return false;
    }
    name.size -= strlen("List");
    return component_find(openapi, name) != NULL;
}

static struct yl_str
prefix_of(struct yl_str name)
{
    while (name.size && name.data[--name.size] != '.') {
        continue;
    }
    return name;
}

/* The component's group, version and kind, if it is a kind. */
static const struct yl_node *
gvk_of(const struct component *component)
{
    const struct yl_node *gvks = yl_node_get(
        component->schema, YL_STR("x-kubernetes-group-version-kind"));

    return yl_node_at(gvks, 0);
}

/* By name, so that it does not matter which document brought which. */
static void
sort_components(struct yl_gen_openapi *openapi)
{
    size_t n = yl_map_count(&openapi->components), i = 0;
    struct component **sorted = yl_arena_array(openapi->arena, n + 1,
                                               sizeof *sorted);
    struct component *component;

    for (component = openapi->first; component; component = component->next) {
        sorted[i++] = component;
    }
    qsort(sorted, n, sizeof *sorted, compare_components);
    openapi->first = sorted[0];
    for (i = 0; i < n; i++) {
        sorted[i]->next = sorted[i + 1];
    }
}

static void
make_types(struct yl_gen_openapi *openapi)
{
    struct component *component;

    for (component = openapi->first; component; component = component->next) {
        struct yl_str prefix = prefix_of(component->name);
        struct yl_gen_unit *unit;
        const char *name;

        if (!is_struct(component) || is_list(openapi, component)) {
            continue;
        }
        unit = group_of(openapi, prefix)->unit;
        name = yl_arena_strdup(openapi->arena,
                               prefix.size
                                   ? yl_str_skip(component->name,
                                                 prefix.size + 1)
                                   : component->name);
        component->type = yl_gen_type_add(
            unit, yl_arena_printf(openapi->arena, "%s%s", unit->prefix,
                                  yl_gen_snake(openapi->arena, name)));
        component->type->name = name;
        component->type->openapi_name = yl_arena_strdup(openapi->arena,
                                                        component->name);
        if (gvk_of(component)) {
            make_kind(openapi, component->type);
        }
    }
}

static struct group *
group_of(struct yl_gen_openapi *openapi, struct yl_str prefix)
{
    struct group *group;

    for (group = openapi->groups; group; group = group->next) {
        if (yl_str_equal(group->prefix, prefix)) {
            return group;
        }
    }
    group = yl_arena_zalloc(openapi->arena, sizeof *group);
    group->prefix = prefix;
    name_group(openapi, group);
    group->next = openapi->groups;
    openapi->groups = group;
    return group;
}

/* The group is what the kinds with this prefix say; without one, the prefix
 * itself has to do. */
static void
name_group(struct yl_gen_openapi *openapi, struct group *group)
{
    struct yl_str before = prefix_of(group->prefix), version = group->prefix;
    struct yl_str name = before, rest, label;
    const struct component *component;

    if (before.size) {
        version = yl_str_skip(group->prefix, before.size + 1);
    }
    if (prefix_of(before).size) {
        name = yl_str_skip(before, prefix_of(before).size + 1);
    }
    for (component = openapi->first; component; component = component->next) {
        const struct yl_node *gvk = gvk_of(component);

        if (gvk && yl_str_equal(prefix_of(component->name), group->prefix)) {
            name = text_of(openapi, gvk, "group");
            version = text_of(openapi, gvk, "version");
            break;
        }
    }
    label = name;
    yl_str_cut(label, '.', &label, &rest);
    group->unit = yl_gen_unit_new(
        openapi->arena,
        yl_arena_printf(openapi->arena, "%.*s_%.*s",
                        label.size ? (int) label.size : 4,
                        label.size ? label.data : "core",
                        YL_STR_ARG(version)),
        yl_arena_strdup(openapi->arena, name),
        yl_arena_strdup(openapi->arena, version));
    group->unit->openapi_prefix = yl_arena_strdup(openapi->arena,
                                                  group->prefix);
}

static void
make_kind(struct yl_gen_openapi *openapi, struct yl_gen_type *type)
{
    struct yl_gen_kind *kind = yl_gen_kind_add(type);
    const struct resource *resource;
    bool found = false;

    for (resource = openapi->resources; resource; resource = resource->next) {
        struct yl_str name = text_of(openapi, resource->node, "name");
        struct yl_str sub, plural = name;

        if (!yl_str_equal_c(resource->group, type->unit->group)
            || !yl_str_equal_c(resource->version, type->unit->version)) {
            continue;
        }
        if (!yl_str_cut(name, '/', &plural, &sub)) {
            if (!yl_str_equal_c(resource->kind, type->name)) {
                continue;
            }
            found = true;
            apply_resource(openapi, kind, resource->node);
        } else if (found && yl_str_equal_c(plural, kind->plural)) {
            if (yl_str_equal_c(sub, "status")) {
                kind->status = true;
            } else if (yl_str_equal_c(sub, "scale")) {
                kind->scale = true;
                kind->scale_spec = ".spec.replicas";
                kind->scale_status = ".status.replicas";
            }
        }
    }
    if (!found && openapi->resources) {
        kind->plural = kind->singular = "";
    }
    kind->client_no_status = kind->client && !kind->status;
}

/* What a discovery document says of a kind's own resource. */
static void
apply_resource(struct yl_gen_openapi *openapi, struct yl_gen_kind *kind,
               const struct yl_node *node)
{
    bool namespaced = false;

    yl_node_bool(yl_node_get(node, YL_STR("namespaced")), &namespaced);
    kind->client = true;
    kind->cluster_scoped = !namespaced;
    kind->plural = yl_arena_strdup(openapi->arena,
                                   text_of(openapi, node, "name"));
    kind->singular = yl_arena_strdup(openapi->arena,
                                     text_of(openapi, node, "singularName"));
    kind->only_verbs = verbs_of(openapi, kind->type->unit, node);
    yl_gen_read_texts(kind->type->unit, &kind->short_names,
                      yl_node_get(node, YL_STR("shortNames")));
    yl_gen_read_texts(kind->type->unit, &kind->categories,
                      yl_node_get(node, YL_STR("categories")));
}

/* The verbs of a resource that cannot be listed; "" of one that can. */
static const char *
verbs_of(struct yl_gen_openapi *openapi, struct yl_gen_unit *unit,
         const struct yl_node *node)
{
    struct yl_gen_text *verbs = NULL, *verb;
    const char *joined = "";

    yl_gen_read_texts(unit, &verbs, yl_node_get(node, YL_STR("verbs")));
    for (verb = verbs; verb; verb = verb->next) {
        if (!strcmp(verb->text, "list")) {
            return "";
        }
        joined = yl_arena_printf(openapi->arena, "%s%s%s", joined,
                                 joined[0] ? "," : "", verb->text);
    }
    return joined;
}

static int
read_type(struct yl_gen_openapi *openapi, struct component *component,
          struct yl_error *err)
{
    struct yl_gen_type *type = component->type;
    struct yl_gen_reader reader = {
        .unit = type->unit,
        .resolve = resolve,
        .aux = openapi,
    };
    const char *fact = yl_gen_facts_type(openapi->arena, component->name);
    struct yl_gen_field *field;
    int r = yl_gen_read_type(&reader, component->schema, type, err);

    if (r < 0) {
        return r;
    }
    for (field = type->fields; field; field = field->next) {
        if (openapi->facts) {
            apply_fact(openapi, fact, field);
        }
        drop_zero_default(field);
    }
    sort_fields(type);
    return 0;
}

/* Into the order of the facts; documents have them by name. */
static void
sort_fields(struct yl_gen_type *type)
{
    struct yl_gen_field **fields;
    size_t n, i;

    fields = yl_gen_fields_sorted(type, &n);
    qsort(fields, n, sizeof *fields, compare_fields);
    type->fields = n ? fields[0] : NULL;
    for (i = 0; i < n; i++) {
        fields[i]->next = i + 1 < n ? fields[i + 1] : NULL;
    }
}

static void
apply_fact(struct yl_gen_openapi *openapi, const char *type,
           struct yl_gen_field *field)
{
    const struct yl_gen_fact *fact = yl_gen_facts_find(openapi->facts, type,
                                                       field->json_name);

    if (fact) {
        field->presence = fact->presence;
        switch (field->value->kind) {
        case YL_VALUE_RAW:
        case YL_VALUE_EMBEDDED:
            /* They know absence themselves; Go writes null for those that are
             * no pointers. */
            if (fact->pointer) {
                field->presence = fact->presence == YL_PRESENCE_POINTER
                                      ? YL_PRESENCE_OMIT_ZERO
                                      : YL_PRESENCE_ALWAYS;
            }
            break;
        case YL_VALUE_BYTES:
        case YL_VALUE_LIST:
        case YL_VALUE_MAP:
            /* These too. */
            if (fact->pointer) {
                field->presence = fact->presence == YL_PRESENCE_POINTER
                                      ? YL_PRESENCE_OMIT_EMPTY
                                      : YL_PRESENCE_ALWAYS;
            }
            break;
        default:
            break;
        }
        field->patch = fact->patch;
        field->merge_key = fact->merge_key;
        field->number = fact->number;
        field->line = fact->line;
    }
}

/* Documents give each value that Go always writes its zero as a default, and
 * each struct that is no pointer an empty one.  Those are no defaults. */
static void
drop_zero_default(struct yl_gen_field *field)
{
    const char *text = field->default_;

    if (field->presence == YL_PRESENCE_POINTER
        || field->presence == YL_PRESENCE_POINTER_ALWAYS) {
        return;
    }
    if (field->value->kind == YL_VALUE_STRUCT
            ? !strcmp(text, "{}")
            : field->presence == YL_PRESENCE_ALWAYS
              && (!strcmp(text, "\"\"") || !strcmp(text, "0")
                  || !strcmp(text, "false"))) {
        field->default_ = "";
    }
}

static struct yl_gen_value *
resolve(struct yl_gen_reader *reader, struct yl_str name,
        struct yl_error *err)
{
    const struct yl_gen_openapi *openapi = reader->aux;
    const struct component *component = component_find(openapi, name);
    struct yl_gen_value *value = resolve_shared(reader, name);

    if (value) {
        return value;
    } else if (!component) {
        yl_error_set(err, YL_EINVALID, "no schema is called %.*s",
                     YL_STR_ARG(name));
        return NULL;
    } else if (component->type) {
        value = yl_gen_value_new(reader->unit, YL_VALUE_STRUCT);
        value->type = component->type;
        yl_gen_import(reader->unit, component->type->unit);
        return value;
    }
    return resolve_opaque(reader, component);
}

/* Types that yuloh has of its own. */
static struct yl_gen_value *
resolve_shared(struct yl_gen_reader *reader, struct yl_str name)
{
    static const struct {
        const char *name;
        enum yl_value_kind kind;
    } table[] = {
        { META_DOT "Time", YL_VALUE_TIME },
        { META_DOT "MicroTime", YL_VALUE_MICRO_TIME },
        { META_DOT "Duration", YL_VALUE_DURATION },
        { "io.k8s.apimachinery.pkg.api.resource.Quantity",
          YL_VALUE_QUANTITY },
        { "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
          YL_VALUE_INT_OR_STRING },
    };
    struct yl_gen_openapi *openapi = reader->aux;
    struct yl_gen_value *value;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(table); i++) {
        if (yl_str_equal_c(name, table[i].name)) {
            return yl_gen_value_new(reader->unit, table[i].kind);
        }
    }
    if (!yl_str_starts_with(name, YL_STR(META_DOT))) {
        return NULL;
    }
    value = yl_gen_value_new(reader->unit, YL_VALUE_STRUCT);
    value->type = yl_gen_meta_type(
        openapi->meta,
        yl_arena_strdup(openapi->arena,
                        yl_str_skip(name, strlen(META_DOT))));
    yl_gen_import(reader->unit, openapi->meta);
    return value;
}

/* A component that is no struct: raw JSON that remembers its name. */
static struct yl_gen_value *
resolve_opaque(struct yl_gen_reader *reader, const struct component *component)
{
    struct yl_gen_value *value = yl_gen_value_new(reader->unit, YL_VALUE_RAW);
    const char *type = yl_gen_text_of(reader, component->schema, "type");

    yl_gen_rule_add(reader->unit, &value->rules, YL_RULE_SCHEMA, 0,
                    yl_arena_printf(reader->unit->arena,
                                    "{\"$ref\":\"%.*s\"%s%s%s}",
                                    YL_STR_ARG(component->name),
                                    type[0] ? ",\"type\":\"" : "", type,
                                    type[0] ? "\"" : ""));
    return value;
}

static struct yl_str
text_of(struct yl_gen_openapi *openapi, const struct yl_node *object,
        const char *name)
{
    struct yl_str text;

    if (yl_node_string(yl_node_get(object, yl_str_c(name)), openapi->arena,
                       &text) < 0) {
        return YL_STR("");
    }
    return text;
}

static int
compare_fields(const void *a_, const void *b_)
{
    const struct yl_gen_field *const *a = a_, *const *b = b_;

    return (*a)->line != (*b)->line ? ((*a)->line > (*b)->line ? 1 : -1)
                                    : strcmp((*a)->json_name,
                                             (*b)->json_name);
}

static int
compare_components(const void *a_, const void *b_)
{
    const struct component *const *a = a_, *const *b = b_;

    return yl_str_compare((*a)->name, (*b)->name);
}

static int
compare_units(const void *a_, const void *b_)
{
    const struct yl_gen_unit *const *a = a_, *const *b = b_;

    return strcmp((*a)->base, (*b)->base);
}
