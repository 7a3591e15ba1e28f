/* Schemas into the model.  See codegen/from_schema.h. */

#include "codegen/from_schema.h"

#include <string.h>

#include "codegen/markers.h"
#include "json/tree.h"
#include "schema/keyword.h"
#include "schema/props.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int read_value(struct yl_gen_reader *, const struct yl_schema_props *,
                      const char *c_name, struct yl_gen_value **,
                      struct yl_error *);
static int read_described(struct yl_gen_reader *,
                          const struct yl_schema_props *, const char *c_name,
                          struct yl_gen_value **, struct yl_error *);
static bool reference_of(const struct yl_schema_props *, struct yl_str *);
static enum yl_value_kind kind_of(const struct yl_schema_props *);
static bool are_names(const struct yl_schema_list *);
static int read_element(struct yl_gen_reader *, const struct yl_schema_props *,
                        const char *c_name, struct yl_gen_value *,
                        struct yl_error *);
static int read_fields(struct yl_gen_reader *, const struct yl_schema_props *,
                       struct yl_gen_type *, struct yl_error *);
static int read_field(struct yl_gen_reader *, const struct yl_schema_props *,
                      struct yl_gen_type *, struct yl_error *);
static struct yl_gen_value *opaque(struct yl_gen_reader *,
                                   const struct yl_schema_props *);
static const char *unique_name(struct yl_gen_type *, const char *json);
static const char *unique_type(struct yl_gen_unit *, const char *c_name);
static enum yl_presence presence_of(struct yl_gen_reader *,
                                    const struct yl_gen_value *,
                                    const struct yl_schema_props *);
static void read_topology(const struct yl_schema_props *,
                          struct yl_gen_value *);
static void read_rules(struct yl_gen_reader *, const struct yl_schema_props *,
                       enum yl_value_kind, struct yl_gen_rule **,
                       bool of_type);
static bool rule_fits(enum yl_rule_op, enum yl_value_kind, bool of_type);
static bool is_openapi(struct yl_str keyword);
static const char *text(struct yl_gen_reader *, struct yl_str);
static const char *json_text(struct yl_gen_reader *, const struct yl_node *);

int
yl_gen_read_type(struct yl_gen_reader *reader, const struct yl_node *schema,
                 struct yl_gen_type *type, struct yl_error *err)
{
    const struct yl_schema_props *props;
    int r = yl_schema_props_read(reader->unit->arena, schema, NULL, &props,
                                 err);

    if (r == 0) {
        r = read_fields(reader, props, type, err);
    }
    if (r == 0) {
        read_rules(reader, props, YL_VALUE_STRUCT, &type->rules, true);
    }
    return r;
}

const char *
yl_gen_text_of(struct yl_gen_reader *reader, const struct yl_node *node,
               const char *name)
{
    struct yl_str value;

    if (yl_node_string(yl_node_get(node, yl_str_c(name)),
                       reader->unit->arena, &value) < 0) {
        return "";
    }
    return text(reader, value);
}

struct yl_gen_unit *
yl_gen_meta_unit(struct yl_arena *arena)
{
    struct yl_gen_unit *unit = yl_gen_unit_new(arena, "meta", "", "v1");

    unit->file = "yuloh/types.h";
    unit->prefix = "yl_";
    return unit;
}

struct yl_gen_type *
yl_gen_meta_type(struct yl_gen_unit *unit, const char *name)
{
    /* The plain name is taken by conditions in an object's bytes. */
    const char *c_name = !strcmp(name, "Condition")
                             ? "yl_meta_condition"
                             : yl_arena_printf(unit->arena, "yl_%s",
                                               yl_gen_snake(unit->arena,
                                                            name));
    struct yl_gen_type *type = yl_gen_type_find(unit, c_name);

    return type ? type : yl_gen_type_add(unit, c_name);
}

void
yl_gen_read_texts(struct yl_gen_unit *unit, struct yl_gen_text **texts,
                  const struct yl_node *array)
{
    const struct yl_node *item;

    if (yl_node_type(array) != YL_JSON_ARRAY) {
        return;
    }
    YL_NODE_FOR_EACH (item, array) {
        struct yl_str value;

        if (!yl_node_string(item, unit->arena, &value)) {
            yl_gen_text_add(unit, texts, yl_arena_strdup(unit->arena, value));
        }
    }
}

static int
read_value(struct yl_gen_reader *reader, const struct yl_schema_props *props,
           const char *c_name, struct yl_gen_value **ret_value,
           struct yl_error *err)
{
    struct yl_str name;

    if (strlen(c_name) > YL_GEN_MAX_NAME) {
        return yl_error_set(err, YL_ETOOBIG,
                            "names on the way to this schema are longer than "
                            "%d bytes in all", YL_GEN_MAX_NAME);
    } else if (reader->resolve && reference_of(props, &name)) {
        /* Its neighbours say something of this use of it. */
        struct yl_gen_value *value = reader->resolve(reader, name, err);

        if (!value) {
            return YL_EINVALID;
        }
        read_topology(props, value);
        *ret_value = value;
        return 0;
    }
    return read_described(reader, props, c_name, ret_value, err);
}

static int
read_described(struct yl_gen_reader *reader,
               const struct yl_schema_props *props, const char *c_name,
               struct yl_gen_value **ret_value, struct yl_error *err)
{
    struct yl_gen_value *value = yl_gen_value_new(reader->unit,
                                                  kind_of(props));
    bool has_elements = value->kind == YL_VALUE_LIST
                        || value->kind == YL_VALUE_MAP;
    int r = 0;

    if (value->kind == YL_VALUE_RAW) {
        *ret_value = opaque(reader, props);
        return 0;
    } else if (has_elements) {
        r = read_element(reader, props, c_name, value, err);
        if (!r && !yl_gen_c_element(reader->unit->arena, value)[0]) {
            *ret_value = opaque(reader, props);
            return 0;
        }
    } else if (value->kind == YL_VALUE_STRUCT) {
        value->type = yl_gen_type_add(reader->unit,
                                      unique_type(reader->unit, c_name));
        r = read_fields(reader, props, value->type, err);
    }
    if (r < 0) {
        return r;
    }
    if (has_elements) {
        read_topology(props, value);
        if (props->flags & YL_SCHEMA_PRESERVE) {
            value->flags |= YL_VALUE_PRESERVE;
        }
    }
    if (props->flags & YL_SCHEMA_NULLABLE) {
        value->flags |= YL_VALUE_NULLABLE;
    }
    read_rules(reader, props, value->kind, &value->rules, false);
    *ret_value = value;
    return 0;
}

/* Is it a reference, alone or as the one element of allOf? */
static bool
reference_of(const struct yl_schema_props *props, struct yl_str *ret_name)
{
    struct yl_str prefix = YL_STR("#/components/schemas/");
    struct yl_str ref = props->ref;

    if (!ref.size && props->all_of.n == 1) {
        ref = props->all_of.all[0].ref;
    }
    if (!yl_str_starts_with(ref, prefix)) {
        return false;
    }
    *ret_name = yl_str_skip(ref, prefix.size);
    return true;
}

/* What C has for it; YL_VALUE_RAW if nothing. */
static enum yl_value_kind
kind_of(const struct yl_schema_props *props)
{
    if (props->flags & YL_SCHEMA_INT_OR_STRING
        || yl_str_equal_c(props->format, "int-or-string")) {
        return yl_schema_is_quantity(props) ? YL_VALUE_QUANTITY
                                            : YL_VALUE_INT_OR_STRING;
    } else if (props->flags & YL_SCHEMA_EMBEDDED && !props->properties.n) {
        return YL_VALUE_EMBEDDED;
    } else if (!props->type.size) {
        return YL_VALUE_RAW;
    } else if (props->kind == YL_VALUE_STRUCT) {
        return props->properties.n && are_names(&props->properties)
                   ? YL_VALUE_STRUCT : YL_VALUE_RAW;
    } else if (props->kind == YL_VALUE_MAP) {
        return props->additional ? YL_VALUE_MAP : YL_VALUE_RAW;
    }
    return props->kind;
}

/* Can "+json" say the names of all members? */
static bool
are_names(const struct yl_schema_list *properties)
{
    size_t i, j;

    for (i = 0; i < properties->n; i++) {
        struct yl_str name = properties->all[i].name;

        if (!name.size || yl_str_equal_c(name, "-")) {
            return false;
        }
        for (j = 0; j < name.size; j++) {
            if ((unsigned char) name.data[j] <= ' '
                || strchr(",\"`{}[]+", name.data[j])) {
                return false;
            }
        }
    }
    return true;
}

static int
read_element(struct yl_gen_reader *reader, const struct yl_schema_props *props,
             const char *c_name, struct yl_gen_value *value,
             struct yl_error *err)
{
    bool is_list = value->kind == YL_VALUE_LIST;
    const struct yl_schema_props *element = is_list ? props->items
                                                    : props->additional;
    int r;

    if (!element) {
        value->element = yl_gen_value_new(reader->unit, YL_VALUE_RAW);
        return 0;
    }
    r = read_value(reader, element, c_name, &value->element, err);
    if (r < 0) {
        yl_error_prefix(err, is_list ? "items" : "additionalProperties");
    } else if (reader->docs && value->element->kind == YL_VALUE_STRUCT) {
        value->element->type->doc = text(reader, element->description);
    }
    return r;
}

static int
read_fields(struct yl_gen_reader *reader, const struct yl_schema_props *props,
            struct yl_gen_type *type, struct yl_error *err)
{
    size_t i;

    for (i = 0; i < props->properties.n; i++) {
        const struct yl_schema_props *property = &props->properties.all[i];
        struct yl_str name = property->name;
        int r;

        if (type->kind && (yl_str_equal_c(name, "apiVersion")
                           || yl_str_equal_c(name, "kind"))) {
            continue;
        }
        r = read_field(reader, property, type, err);
        if (r < 0) {
            yl_error_prefix(err, "%.*s", YL_STR_ARG(name));
            return r;
        }
    }
    type->topology = props->map_type;
    if (props->flags & YL_SCHEMA_PRESERVE) {
        type->flags |= YL_VALUE_PRESERVE;
    }
    return 0;
}

/* Raw JSON, whose whole schema is kept as text unless it allows anything. */
static struct yl_gen_value *
opaque(struct yl_gen_reader *reader, const struct yl_schema_props *props)
{
    struct yl_gen_value *value = yl_gen_value_new(reader->unit, YL_VALUE_RAW);
    struct yl_node *copy = yl_node_copy(reader->unit->arena, props->node);

    yl_node_remove(copy, YL_STR("description"));
    yl_node_remove(copy, YL_STR("default"));
    yl_node_remove(copy, YL_STR("nullable"));
    if (props->flags & YL_SCHEMA_NULLABLE) {
        value->flags |= YL_VALUE_NULLABLE;
    }
    if (copy->n > !!(props->flags & YL_SCHEMA_PRESERVE)) {
        yl_gen_rule_add(reader->unit, &value->rules, YL_RULE_SCHEMA, 0,
                        json_text(reader, copy));
    }
    return value;
}

static int
read_field(struct yl_gen_reader *reader, const struct yl_schema_props *props,
           struct yl_gen_type *type, struct yl_error *err)
{
    struct yl_arena *arena = reader->unit->arena;
    const char *json = text(reader, props->name);
    const char *c_name = unique_name(type, json);
    struct yl_gen_value *value;
    struct yl_gen_field *field;
    int r;

    if (!reader->resolve && type->kind && !strcmp(json, "metadata")) {
        value = yl_gen_value_new(reader->unit, YL_VALUE_STRUCT);
        value->type = reader->object_meta;
    } else {
        r = read_value(reader, props,
                       yl_arena_printf(arena, "%s_%s", type->c_name,
                                       yl_gen_snake(arena, json)),
                       &value, err);
        if (r < 0) {
            return r;
        }
    }
    field = yl_gen_field_add(type, c_name, value);
    field->json_name = json;
    field->required = props->flags & YL_SCHEMA_REQUIRED;
    field->presence = presence_of(reader, value, props);
    if (reader->docs) {
        field->doc = text(reader, props->description);
    }
    if (props->default_) {
        field->default_ = json_text(reader, props->default_);
    }
    return 0;
}

/* The member's name in C: two JSON names can have one (podIP and podIp), and
 * the later ones are numbered. */
static const char *
unique_name(struct yl_gen_type *type, const char *json)
{
    struct yl_arena *arena = type->unit->arena;
    const char *stem = yl_gen_snake(arena, json), *name = stem;
    const struct yl_gen_field *field = type->fields;
    unsigned n = 1;

    while (field) {
        if (!strcmp(field->c_name, name) || !strcmp(field->c_count, name)
            || (!strncmp(name, "n_", 2) && !strcmp(field->c_name, name + 2))
            || (!strncmp(field->c_name, "n_", 2)
                && !strcmp(field->c_name + 2, name))) {
            name = yl_arena_printf(arena, "%s_%u", stem, ++n);
            field = type->fields;
        } else {
            field = field->next;
        }
    }
    return name;
}

static const char *
unique_type(struct yl_gen_unit *unit, const char *c_name)
{
    const char *name = c_name;
    unsigned n = 1;

    while (yl_gen_type_find(unit, name)) {
        name = yl_arena_printf(unit->arena, "%s_%u", c_name, ++n);
    }
    return name;
}

/* Without facts: a value that need not be there is a pointer where C can tell
 * absent from zero only so. */
static enum yl_presence
presence_of(struct yl_gen_reader *reader, const struct yl_gen_value *value,
            const struct yl_schema_props *props)
{
    bool required = props->flags & YL_SCHEMA_REQUIRED;

    switch (value->kind) {
    case YL_VALUE_STRUCT:
        /* OpenAPI gives structs that are no pointers an empty default. */
        if (!required && ((reader->resolve && props->default_)
                          || value->type == reader->object_meta)) {
            return YL_PRESENCE_OMIT_EMPTY;
        }
        return required ? YL_PRESENCE_ALWAYS : YL_PRESENCE_POINTER;

    case YL_VALUE_BOOL:
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
    case YL_VALUE_DURATION:
    case YL_VALUE_QUANTITY:
    case YL_VALUE_INT_OR_STRING:
        return required ? YL_PRESENCE_ALWAYS : YL_PRESENCE_POINTER;

    case YL_VALUE_NONE:
    case YL_VALUE_STRING:
    case YL_VALUE_BYTES:
    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
    default:
        return required ? YL_PRESENCE_ALWAYS : YL_PRESENCE_OMIT_EMPTY;
    }
}

static void
read_topology(const struct yl_schema_props *props, struct yl_gen_value *value)
{
    value->topology = props->list_type != YL_TOPOLOGY_NONE ? props->list_type
                                                           : props->map_type;
    value->list_keys = props->list_keys;
}

/* Everything that a schema says of a value, or of a type, beyond what it is.
 * What no marker can say there is kept as text. */
static void
read_rules(struct yl_gen_reader *reader, const struct yl_schema_props *props,
           enum yl_value_kind kind, struct yl_gen_rule **rules, bool of_type)
{
    struct yl_arena *arena = reader->unit->arena;
    struct yl_node *rest = yl_node_new_object(arena);
    const struct yl_schema_rule *rule;
    const struct yl_node *node;

    for (rule = props->rules; rule; rule = rule->next) {
        const struct yl_keyword *keyword = yl_keyword_of(rule->op);
        struct yl_str name = yl_str_c(keyword ? keyword->name : NULL);

        if (keyword && yl_schema_is_said(props, kind, name)) {
            continue;
        } else if (keyword && !rule_fits(rule->op, kind, of_type)) {
            yl_node_set(arena, rest, name, yl_node_copy(arena, rule->node));
            continue;
        }
        yl_gen_rule_add(reader->unit, rules, rule->op, rule->number,
                        rule->text.data ? text(reader, rule->text)
                        : keyword && (keyword->form == YL_KEYWORD_NUMBER
                                      || keyword->form == YL_KEYWORD_COUNT
                                      || keyword->form == YL_KEYWORD_BOOL)
                          ? "" : json_text(reader, rule->node));
    }
    YL_NODE_FOR_EACH (node, props->node) {
        struct yl_str name = yl_node_key(node);

        if (node->type != YL_JSON_NULL
            && yl_keyword_find(name) == YL_RULE_NONE
            && !yl_str_equal_c(name, "x-kubernetes-validations")
            && !yl_schema_is_said(props, kind, name) && !is_openapi(name)) {
            yl_node_set(arena, rest, name, yl_node_copy(arena, node));
        }
    }
    if (rest->n) {
        yl_gen_rule_add(reader->unit, rules, YL_RULE_SCHEMA, 0,
                        json_text(reader, rest));
    }
}

/* Is there a marker for the rule on such a value, or on such a type? */
static bool
rule_fits(enum yl_rule_op op, enum yl_value_kind kind, bool of_type)
{
    return yl_marker_rule_fits(op, kind)
           && (!of_type || yl_marker_of_rule(op)->where & YL_MARKER_TYPE);
}

/* Is it a keyword that other parts of the model say?  Types of what is an
 * integer or a string, references, and what facts say. */
static bool
is_openapi(struct yl_str keyword)
{
    static const char *const words[] = {
        "type", "$ref", "x-kubernetes-patch-strategy",
        "x-kubernetes-patch-merge-key", "x-kubernetes-group-version-kind",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        if (yl_str_equal_c(keyword, words[i])) {
            return true;
        }
    }
    return false;
}

static const char *
text(struct yl_gen_reader *reader, struct yl_str s)
{
    return yl_arena_strdup(reader->unit->arena, s);
}

static const char *
json_text(struct yl_gen_reader *reader, const struct yl_node *node)
{
    return yl_schema_json(reader->unit->arena, node).data;
}
