/* Schemas into the model.  See codegen/from_schema.h.
 *
 * The keywords of a schema fall into three heaps: those that decide what a
 * value is (type, format, properties, items, ...), those with a rule of their
 * own (minimum, pattern, ...), and the rest, which is kept as text. */

#include "codegen/from_schema.h"

#include <string.h>

#include "base/buf.h"
#include "codegen/markers.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int read_value(struct yl_gen_reader *, const struct yl_node *schema,
                      const char *c_name, struct yl_gen_value **,
                      struct yl_error *);
static int read_reference(struct yl_gen_reader *, const struct yl_node *,
                          struct yl_str name, struct yl_gen_value **,
                          struct yl_error *);
static bool reference_of(struct yl_gen_reader *, const struct yl_node *schema,
                         struct yl_str *);
static enum yl_value_kind kind_of(struct yl_gen_reader *,
                                  const struct yl_node *schema);
static enum yl_value_kind string_kind(const struct yl_node *format);
static enum yl_value_kind object_kind(const struct yl_node *schema);
static bool are_names(const struct yl_node *properties);
static bool is_quantity(struct yl_gen_reader *, const struct yl_node *schema);
static int read_element(struct yl_gen_reader *, const struct yl_node *schema,
                        const char *c_name, struct yl_gen_value *,
                        struct yl_error *);
static int read_struct(struct yl_gen_reader *, const struct yl_node *schema,
                       const char *c_name, struct yl_gen_value *,
                       struct yl_error *);
static struct yl_gen_value *opaque(struct yl_gen_reader *,
                                   const struct yl_node *schema);
static int read_fields(struct yl_gen_reader *, const struct yl_node *schema,
                       struct yl_gen_type *, struct yl_error *);
static int read_field(struct yl_gen_reader *, const struct yl_node *schema,
                      struct yl_gen_type *, bool required, struct yl_error *);
static bool is_required(const struct yl_node *schema, struct yl_str name);
static const char *unique_name(struct yl_gen_type *, const char *json);
static const char *unique_type(struct yl_gen_unit *, const char *c_name);
static enum yl_presence presence_of(struct yl_gen_reader *,
                                    const struct yl_gen_value *,
                                    const struct yl_node *schema,
                                    bool required);
static void read_topology(struct yl_gen_reader *, const struct yl_node *,
                          struct yl_gen_value *);
static void read_rules(struct yl_gen_reader *, const struct yl_node *,
                       const struct yl_gen_value *, struct yl_gen_rule **,
                       bool of_type);
static bool read_rule(struct yl_gen_reader *, const struct yl_node *keyword,
                      struct yl_gen_rule **, enum yl_value_kind, bool of_type);
static bool is_said(const struct yl_node *keyword,
                    const struct yl_gen_value *);
static bool is_format_said(const struct yl_node *format,
                           const struct yl_gen_value *);
static bool is_true(const struct yl_node *object, const char *name);
static struct yl_node *get(const struct yl_node *, const char *name);
static const char *json_text(struct yl_gen_reader *, const struct yl_node *);

int
yl_gen_read_value(struct yl_gen_reader *reader, const struct yl_node *schema,
                  const char *c_name, struct yl_gen_value **ret_value,
                  struct yl_error *err)
{
    int r;

    if (reader->depth >= YL_GEN_MAX_DEPTH) {
        return yl_error_set(err, YL_ETOODEEP,
                            "schemas are nested deeper than %d",
                            YL_GEN_MAX_DEPTH);
    } else if (strlen(c_name) > YL_GEN_MAX_NAME) {
        return yl_error_set(err, YL_ETOOBIG,
                            "names on the way to this schema are longer than "
                            "%d bytes in all", YL_GEN_MAX_NAME);
    } else if (yl_node_type(schema) != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_EINVALID, "a schema must be an object");
    }
    reader->depth++;
    r = read_value(reader, schema, c_name, ret_value, err);
    reader->depth--;
    return r;
}

int
yl_gen_read_type(struct yl_gen_reader *reader, const struct yl_node *schema,
                 struct yl_gen_type *type, struct yl_error *err)
{
    struct yl_gen_value *whole = yl_gen_value_new(reader->unit,
                                                  YL_VALUE_STRUCT);
    int r = read_fields(reader, schema, type, err);

    read_rules(reader, schema, whole, &type->rules, true);
    return r;
}

const char *
yl_gen_text_of(struct yl_gen_reader *reader, const struct yl_node *node,
               const char *name)
{
    struct yl_str text;

    if (yl_node_string(get(node, name), reader->unit->arena, &text) < 0) {
        return "";
    }
    return yl_arena_strdup(reader->unit->arena, text);
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
        struct yl_str text;

        if (!yl_node_string(item, unit->arena, &text)) {
            yl_gen_text_add(unit, texts, yl_arena_strdup(unit->arena, text));
        }
    }
}

static int
read_value(struct yl_gen_reader *reader, const struct yl_node *schema,
           const char *c_name, struct yl_gen_value **ret_value,
           struct yl_error *err)
{
    struct yl_gen_value *value;
    struct yl_str name;
    int r = 0;

    if (reader->resolve && reference_of(reader, schema, &name)) {
        return read_reference(reader, schema, name, ret_value, err);
    }
    value = yl_gen_value_new(reader->unit, kind_of(reader, schema));
    if (value->kind == YL_VALUE_RAW) {
        *ret_value = opaque(reader, schema);
        return 0;
    } else if (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP) {
        r = read_element(reader, schema, c_name, value, err);
        if (!r && !yl_gen_c_element(reader->unit->arena, value)[0]) {
            *ret_value = opaque(reader, schema);
            return 0;
        }
    } else if (value->kind == YL_VALUE_STRUCT) {
        r = read_struct(reader, schema, c_name, value, err);
    }
    if (r < 0) {
        return r;
    }
    if (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP) {
        read_topology(reader, schema, value);
    }
    if (is_true(schema, "nullable")) {
        value->flags |= YL_VALUE_NULLABLE;
    }
    if ((value->kind == YL_VALUE_MAP || value->kind == YL_VALUE_LIST)
        && is_true(schema, "x-kubernetes-preserve-unknown-fields")) {
        value->flags |= YL_VALUE_PRESERVE;
    }
    read_rules(reader, schema, value, &value->rules, false);
    *ret_value = value;
    return 0;
}

/* A reference, and what its neighbours say of this use of it. */
static int
read_reference(struct yl_gen_reader *reader, const struct yl_node *schema,
               struct yl_str name, struct yl_gen_value **ret_value,
               struct yl_error *err)
{
    struct yl_gen_value *value = reader->resolve(reader, name, err);

    if (!value) {
        return YL_EINVALID;
    }
    read_topology(reader, schema, value);
    *ret_value = value;
    return 0;
}

/* Is 'schema' a reference, alone or as the one element of allOf? */
static bool
reference_of(struct yl_gen_reader *reader, const struct yl_node *schema,
             struct yl_str *ret_name)
{
    const struct yl_node *all = get(schema, "allOf");
    const struct yl_node *ref = get(schema, "$ref");
    struct yl_str prefix = YL_STR("#/components/schemas/");
    struct yl_str text;

    if (!ref && yl_node_type(all) == YL_JSON_ARRAY && all->n == 1) {
        ref = get(all->first, "$ref");
    }
    if (yl_node_string(ref, reader->unit->arena, &text) < 0
        || !yl_str_starts_with(text, prefix)) {
        return false;
    }
    *ret_name = yl_str_skip(text, prefix.size);
    return true;
}

static enum yl_value_kind
kind_of(struct yl_gen_reader *reader, const struct yl_node *schema)
{
    const struct yl_node *type = get(schema, "type");
    const struct yl_node *format = get(schema, "format");

    if (is_true(schema, "x-kubernetes-int-or-string")
        || yl_node_string_is(format, YL_STR("int-or-string"))) {
        return is_quantity(reader, schema) ? YL_VALUE_QUANTITY
                                           : YL_VALUE_INT_OR_STRING;
    } else if (is_true(schema, "x-kubernetes-embedded-resource")
               && !get(schema, "properties")) {
        return YL_VALUE_EMBEDDED;
    } else if (yl_node_string_is(type, YL_STR("string"))) {
        return string_kind(format);
    } else if (yl_node_string_is(type, YL_STR("boolean"))) {
        return YL_VALUE_BOOL;
    } else if (yl_node_string_is(type, YL_STR("integer"))) {
        return yl_node_string_is(format, YL_STR("int32")) ? YL_VALUE_INT32
                                                          : YL_VALUE_INT64;
    } else if (yl_node_string_is(type, YL_STR("number"))) {
        return YL_VALUE_DOUBLE;
    } else if (yl_node_string_is(type, YL_STR("array"))) {
        return YL_VALUE_LIST;
    } else if (yl_node_string_is(type, YL_STR("object"))) {
        return object_kind(schema);
    }
    return YL_VALUE_RAW;
}

static enum yl_value_kind
string_kind(const struct yl_node *format)
{
    if (yl_node_string_is(format, YL_STR("byte"))) {
        return YL_VALUE_BYTES;
    } else if (yl_node_string_is(format, YL_STR("date-time"))) {
        return YL_VALUE_TIME;
    }
    return YL_VALUE_STRING;
}

static enum yl_value_kind
object_kind(const struct yl_node *schema)
{
    const struct yl_node *properties = get(schema, "properties");

    if (yl_node_type(properties) == YL_JSON_OBJECT && properties->n) {
        return are_names(properties) ? YL_VALUE_STRUCT : YL_VALUE_RAW;
    } else if (yl_node_type(get(schema, "additionalProperties"))
               == YL_JSON_OBJECT) {
        return YL_VALUE_MAP;
    }
    return YL_VALUE_RAW;
}

/* Can "+json" say the names of all members? */
static bool
are_names(const struct yl_node *properties)
{
    const struct yl_node *property;

    YL_NODE_FOR_EACH (property, properties) {
        struct yl_str name = yl_node_key(property);
        size_t i;

        if (!name.size || yl_str_equal_c(name, "-")) {
            return false;
        }
        for (i = 0; i < name.size; i++) {
            if ((unsigned char) name.data[i] <= ' '
                || strchr(",\"`{}[]+", name.data[i])) {
                return false;
            }
        }
    }
    return true;
}

/* controller-gen writes a quantity as an int-or-string with a pattern. */
static bool
is_quantity(struct yl_gen_reader *reader, const struct yl_node *schema)
{
    const char *pattern = yl_gen_text_of(reader, schema, "pattern");

    return yl_str_starts_with(yl_str_c(pattern),
                              YL_STR("^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|"));
}

static int
read_element(struct yl_gen_reader *reader, const struct yl_node *schema,
             const char *c_name, struct yl_gen_value *value,
             struct yl_error *err)
{
    bool is_list = value->kind == YL_VALUE_LIST;
    const struct yl_node *element = get(schema, is_list
                                        ? "items" : "additionalProperties");
    int r;

    if (!element) {
        value->element = yl_gen_value_new(reader->unit, YL_VALUE_RAW);
        return 0;
    }
    r = yl_gen_read_value(reader, element, c_name, &value->element, err);
    if (r < 0) {
        yl_error_prefix(err, is_list ? "items" : "additionalProperties");
    } else if (reader->docs && value->element->kind == YL_VALUE_STRUCT) {
        value->element->type->doc = yl_gen_text_of(reader, element,
                                                   "description");
    }
    return r;
}

static int
read_struct(struct yl_gen_reader *reader, const struct yl_node *schema,
            const char *c_name, struct yl_gen_value *value,
            struct yl_error *err)
{
    value->type = yl_gen_type_add(reader->unit,
                                  unique_type(reader->unit, c_name));
    return read_fields(reader, schema, value->type, err);
}

static int
read_fields(struct yl_gen_reader *reader, const struct yl_node *schema,
            struct yl_gen_type *type, struct yl_error *err)
{
    const struct yl_node *properties = get(schema, "properties"), *property;
    struct yl_gen_value *whole = yl_gen_value_new(reader->unit,
                                                  YL_VALUE_STRUCT);

    if (yl_node_type(properties) == YL_JSON_OBJECT) {
        YL_NODE_FOR_EACH (property, properties) {
            struct yl_str name = yl_node_key(property);
            int r;

            if (type->kind && (yl_str_equal_c(name, "apiVersion")
                               || yl_str_equal_c(name, "kind"))) {
                continue;
            }
            r = read_field(reader, property, type, is_required(schema, name),
                           err);
            if (r < 0) {
                yl_error_prefix(err, "%.*s", YL_STR_ARG(name));
                return r;
            }
        }
    }
    read_topology(reader, schema, whole);
    type->topology = whole->topology;
    if (is_true(schema, "x-kubernetes-preserve-unknown-fields")) {
        type->flags |= YL_VALUE_PRESERVE;
    }
    return 0;
}

/* Raw JSON, whose whole schema is kept as text unless it allows anything. */
static struct yl_gen_value *
opaque(struct yl_gen_reader *reader, const struct yl_node *schema)
{
    struct yl_gen_value *value = yl_gen_value_new(reader->unit, YL_VALUE_RAW);
    struct yl_node *copy = yl_node_copy(reader->unit->arena, schema);

    yl_node_remove(copy, YL_STR("description"));
    yl_node_remove(copy, YL_STR("default"));
    if (yl_node_remove(copy, YL_STR("nullable"))) {
        value->flags |= YL_VALUE_NULLABLE;
    }
    if (copy->n > is_true(copy, "x-kubernetes-preserve-unknown-fields")) {
        yl_gen_rule_add(reader->unit, &value->rules, YL_RULE_SCHEMA, 0,
                        json_text(reader, copy));
    }
    return value;
}

static int
read_field(struct yl_gen_reader *reader, const struct yl_node *schema,
           struct yl_gen_type *type, bool required, struct yl_error *err)
{
    struct yl_arena *arena = reader->unit->arena;
    const char *json = yl_arena_strdup(arena, yl_node_key(schema));
    const char *c_name = unique_name(type, json);
    const struct yl_node *default_ = get(schema, "default");
    struct yl_gen_value *value;
    struct yl_gen_field *field;
    int r;

    if (!reader->resolve && type->kind && !strcmp(json, "metadata")) {
        value = yl_gen_value_new(reader->unit, YL_VALUE_STRUCT);
        value->type = reader->object_meta;
    } else {
        r = yl_gen_read_value(reader, schema,
                              yl_arena_printf(arena, "%s_%s", type->c_name,
                                              yl_gen_snake(arena, json)),
                              &value, err);
        if (r < 0) {
            return r;
        }
    }
    field = yl_gen_field_add(type, c_name, value);
    field->json_name = json;
    field->required = required;
    field->presence = presence_of(reader, value, schema, required);
    if (reader->docs) {
        field->doc = yl_gen_text_of(reader, schema, "description");
    }
    if (default_) {
        field->default_ = json_text(reader, default_);
    }
    return 0;
}

static bool
is_required(const struct yl_node *schema, struct yl_str name)
{
    const struct yl_node *required = get(schema, "required"), *item;

    if (yl_node_type(required) == YL_JSON_ARRAY) {
        YL_NODE_FOR_EACH (item, required) {
            if (yl_node_string_is(item, name)) {
                return true;
            }
        }
    }
    return false;
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
            const struct yl_node *schema, bool required)
{
    switch (value->kind) {
    case YL_VALUE_STRUCT:
        /* OpenAPI gives structs that are no pointers an empty default. */
        if (!required && ((reader->resolve && get(schema, "default"))
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
read_topology(struct yl_gen_reader *reader, const struct yl_node *schema,
              struct yl_gen_value *value)
{
    const char *list = yl_gen_text_of(reader, schema,
                                      "x-kubernetes-list-type");
    const char *map = yl_gen_text_of(reader, schema, "x-kubernetes-map-type");
    const struct yl_node *keys = get(schema, "x-kubernetes-list-map-keys");
    const struct yl_node *key;

    if (!strcmp(list, "atomic") || !strcmp(map, "atomic")) {
        value->topology = YL_TOPOLOGY_ATOMIC;
    } else if (!strcmp(list, "set")) {
        value->topology = YL_TOPOLOGY_SET;
    } else if (!strcmp(list, "map")) {
        value->topology = YL_TOPOLOGY_MAP;
    } else if (!strcmp(map, "granular")) {
        value->topology = YL_TOPOLOGY_GRANULAR;
    }
    if (yl_node_type(keys) == YL_JSON_ARRAY) {
        YL_NODE_FOR_EACH (key, keys) {
            struct yl_str text;

            if (!yl_node_string(key, reader->unit->arena, &text)) {
                value->list_keys = yl_arena_printf(
                    reader->unit->arena, "%s%s%.*s", value->list_keys,
                    value->list_keys[0] ? "," : "", YL_STR_ARG(text));
            }
        }
    }
}

/* Everything that 'schema' says of a value, or of a type, beyond what it is.
 * What no marker can say there is kept as text. */
static void
read_rules(struct yl_gen_reader *reader, const struct yl_node *schema,
           const struct yl_gen_value *value, struct yl_gen_rule **rules,
           bool of_type)
{
    struct yl_node *rest = yl_node_new_object(reader->unit->arena);
    const struct yl_node *keyword;

    YL_NODE_FOR_EACH (keyword, schema) {
        if (!is_said(keyword, value)
            && !read_rule(reader, keyword, rules, value->kind, of_type)) {
            yl_node_set(reader->unit->arena, rest, yl_node_key(keyword),
                        yl_node_copy(reader->unit->arena, keyword));
        }
    }
    if (rest->n) {
        yl_gen_rule_add(reader->unit, rules, YL_RULE_SCHEMA, 0,
                        json_text(reader, rest));
    }
}

static bool
read_rule(struct yl_gen_reader *reader, const struct yl_node *keyword,
          struct yl_gen_rule **rules, enum yl_value_kind kind, bool of_type)
{
    static const struct {
        const char *keyword;
        enum yl_rule_op op;
        enum yl_json_type type; /* YL_JSON_NULL: any. */
    } table[] = {
        { "minimum", YL_RULE_MINIMUM, YL_JSON_NUMBER },
        { "maximum", YL_RULE_MAXIMUM, YL_JSON_NUMBER },
        { "exclusiveMinimum", YL_RULE_EXCLUSIVE_MINIMUM, YL_JSON_BOOL },
        { "exclusiveMaximum", YL_RULE_EXCLUSIVE_MAXIMUM, YL_JSON_BOOL },
        { "multipleOf", YL_RULE_MULTIPLE_OF, YL_JSON_NUMBER },
        { "minLength", YL_RULE_MIN_LENGTH, YL_JSON_NUMBER },
        { "maxLength", YL_RULE_MAX_LENGTH, YL_JSON_NUMBER },
        { "minItems", YL_RULE_MIN_ITEMS, YL_JSON_NUMBER },
        { "maxItems", YL_RULE_MAX_ITEMS, YL_JSON_NUMBER },
        { "minProperties", YL_RULE_MIN_PROPERTIES, YL_JSON_NUMBER },
        { "maxProperties", YL_RULE_MAX_PROPERTIES, YL_JSON_NUMBER },
        { "uniqueItems", YL_RULE_UNIQUE_ITEMS, YL_JSON_BOOL },
        { "pattern", YL_RULE_PATTERN, YL_JSON_STRING },
        { "format", YL_RULE_FORMAT, YL_JSON_STRING },
        { "title", YL_RULE_TITLE, YL_JSON_STRING },
        { "enum", YL_RULE_ENUM, YL_JSON_ARRAY },
        { "example", YL_RULE_EXAMPLE, YL_JSON_NULL },
    };
    struct yl_str name = yl_node_key(keyword), text = yl_str_null();
    const struct yl_node *item;
    double number = 0;
    size_t i;

    if (yl_str_equal_c(name, "x-kubernetes-validations")
        && yl_node_type(keyword) == YL_JSON_ARRAY) {
        YL_NODE_FOR_EACH (item, keyword) {
            yl_gen_rule_add(reader->unit, rules, YL_RULE_CEL, 0,
                            json_text(reader, item));
        }
        return true;
    }
    for (i = 0; i < YL_ARRAY_SIZE(table); i++) {
        if (!yl_str_equal_c(name, table[i].keyword)) {
            continue;
        } else if ((table[i].type != YL_JSON_NULL
                    && table[i].type != yl_node_type(keyword))
                   || !yl_marker_rule_fits(table[i].op, kind)
                   || (of_type && !(yl_marker_of_rule(table[i].op)->where
                                    & YL_MARKER_TYPE))) {
            break;
        }
        if (table[i].type == YL_JSON_BOOL) {
            bool yes = false;

            yl_node_bool(keyword, &yes);
            if (!yes) {
                return true;
            }
        } else if (table[i].type == YL_JSON_NUMBER) {
            if (yl_node_double(keyword, &number) < 0) {
                break;
            }
        } else if (table[i].type == YL_JSON_STRING) {
            yl_node_string(keyword, reader->unit->arena, &text);
        }
        yl_gen_rule_add(reader->unit, rules, table[i].op, number,
                        text.data ? yl_arena_strdup(reader->unit->arena, text)
                        : table[i].type == YL_JSON_NUMBER
                          || table[i].type == YL_JSON_BOOL
                            ? "" : json_text(reader, keyword));
        return true;
    }
    return false;
}

/* Is a keyword said already by what the value is? */
static bool
is_said(const struct yl_node *keyword, const struct yl_gen_value *value)
{
    static const char *const always[] = {
        "type", "properties", "required", "items", "additionalProperties",
        "nullable", "description", "default", "$ref",
        "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key",
        "x-kubernetes-group-version-kind",
    };
    struct yl_str name = yl_node_key(keyword);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(always); i++) {
        if (yl_str_equal_c(name, always[i])) {
            return true;
        }
    }
    if (yl_str_equal_c(name, "format")) {
        return is_format_said(keyword, value);
    } else if (yl_str_equal_c(name, "x-kubernetes-list-type")
               || yl_str_equal_c(name, "x-kubernetes-list-map-keys")) {
        return value->kind == YL_VALUE_LIST;
    } else if (yl_str_equal_c(name, "x-kubernetes-map-type")) {
        return value->kind == YL_VALUE_MAP || value->kind == YL_VALUE_STRUCT;
    } else if (value->kind == YL_VALUE_QUANTITY
               && yl_str_equal_c(name, "pattern")) {
        return true;
    } else if (value->kind == YL_VALUE_QUANTITY
               || value->kind == YL_VALUE_INT_OR_STRING) {
        return (yl_str_equal_c(name, "anyOf") || yl_str_equal_c(name, "oneOf"))
               && yl_node_type(keyword) == YL_JSON_ARRAY && keyword->n == 2
               && get(keyword->first, "type")
               && get(keyword->first->next, "type");
    }
    return value->kind == YL_VALUE_EMBEDDED
           && yl_str_equal_c(name, "x-kubernetes-embedded-resource");
}

static bool
is_format_said(const struct yl_node *format, const struct yl_gen_value *value)
{
    switch (value->kind) {
    case YL_VALUE_BYTES:
    case YL_VALUE_TIME:
    case YL_VALUE_INT32:
    case YL_VALUE_INT_OR_STRING:
        return true;
    case YL_VALUE_INT64:
        return yl_node_string_is(format, YL_STR("int64"));
    default:
        return false;
    }
}

static bool
is_true(const struct yl_node *object, const char *name)
{
    bool value = false;

    yl_node_bool(get(object, name), &value);
    return value;
}

static struct yl_node *
get(const struct yl_node *object, const char *name)
{
    return yl_node_get(object, yl_str_c(name));
}

static const char *
json_text(struct yl_gen_reader *reader, const struct yl_node *node)
{
    struct yl_buf buf;
    const char *text;

    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    yl_node_write_canonical(&buf, node);
    text = yl_arena_strdup(reader->unit->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}
