/* The schema compiler.  See schema/compile.h for the contract.
 *
 * Schemas are compiled from the leaves up: a type's row needs the numbers of
 * its fields, theirs the numbers of their values, and so on.  Whatever is
 * equal has one number (schema/intern.h), so that equal subtrees fold into
 * one.  Properties and rules are sorted, whatever their order in the text; so
 * equal schemas give the same tables, byte by byte. */

#include "schema/compile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "schema/compiler.h"
#include "schema/field_error.h"
#include "schema/keyword.h"
#include "schema/props.h"
#include "yuloh/error.h"

/* The most rows of a table that are numbered by 16 bits, and the most bytes of
 * one that is numbered by 32. */
#define MAX_ROWS 65535
#define MAX_BYTES ((size_t) 1 << 30)

static const struct {
    size_t row_size, max;
    const char *rows;           /* What they are called in messages. */
} tables[] = {
    [YL_TABLE_TYPES] = {
        sizeof(struct yl_type), MAX_ROWS * sizeof(struct yl_type),
        "different objects",
    },
    [YL_TABLE_FIELDS] = { sizeof(struct yl_field), MAX_BYTES, "properties" },
    [YL_TABLE_VALUES] = {
        sizeof(struct yl_value), MAX_ROWS * sizeof(struct yl_value),
        "different values",
    },
    [YL_TABLE_RULES] = { sizeof(struct yl_rule), MAX_BYTES, "rules" },
    [YL_TABLE_STRINGS] = { 1, YL_SCHEMA_MAX_TEXT, "bytes of text" },
};

static struct yl_schema *schema_new(const struct yl_compiler *, uint16_t root,
                                    uint16_t value);
static unsigned features_of(const struct yl_type_set *);
static uint16_t root_type(struct yl_compiler *,
                          const struct yl_schema_props *);
static uint16_t type_row(struct yl_compiler *, const struct yl_field_path *,
                         const struct yl_schema_props *, bool root);
static uint16_t undescribed(struct yl_compiler *,
                            const struct yl_field_path *);
static enum yl_value_kind kind_of(const struct yl_schema_props *);
static unsigned flags_of(const struct yl_schema_props *, enum yl_value_kind);
static void check_type(struct yl_compiler *, const struct yl_field_path *,
                       const struct yl_schema_props *);
static void check_room(struct yl_compiler *);
static uint32_t add(struct yl_compiler *, const struct yl_field_path *,
                    enum yl_compiler_table, const void *rows, size_t n);

int
yl_schema_compile(const struct yl_schema_props *props,
                  const struct yl_schema_opts *opts,
                  struct yl_schema **ret_schema, struct yl_error *err)
{
    static const struct yl_schema_opts no_opts;
    struct yl_compiler c = { .opts = opts ? opts : &no_opts, .err = err };
    uint16_t root = 0, value = 0;
    size_t i;

    yl_arena_init(&c.arena);
    yl_arena_set_account(&c.arena, c.opts->account);
    for (i = 0; i < YL_N_TABLES; i++) {
        yl_intern_init(&c.tables[i], &c.arena, tables[i].row_size,
                       tables[i].max);
    }
    if (c.opts->any) {
        value = yl_compile_value(&c, c.opts->path, props);
    } else {
        root = root_type(&c, props);
    }
    check_room(&c);
    if (c.code == 0) {
        *ret_schema = schema_new(&c, root, value);
    }
    for (i = 0; i < YL_N_TABLES; i++) {
        yl_intern_release(&c.tables[i]);
    }
    yl_arena_release(&c.arena);
    return c.code;
}

struct yl_schema *
yl_schema_ref(struct yl_schema *schema)
{
    yl_ref_get(&schema->ref);
    return schema;
}

struct yl_schema *
yl_schema_unref(struct yl_schema *schema)
{
    if (schema && (schema->cache ? yl_schema_cache_put(schema)
                                 : yl_ref_put(&schema->ref))) {
        free(schema);
    }
    return NULL;
}

struct yl_type_ref
yl_schema_type(const struct yl_schema *schema)
{
    struct yl_type_ref ref = { &schema->set,
                               &schema->set.types[schema->root] };

    return ref;
}

const struct yl_value *
yl_schema_value(const struct yl_schema *schema)
{
    return &schema->set.values[schema->value];
}

bool
yl_schema_equal(const struct yl_schema *a, const struct yl_schema *b)
{
    return a->size == b->size && a->root == b->root && a->value == b->value
           && a->set.n_types == b->set.n_types
           && a->set.n_fields == b->set.n_fields
           && a->set.n_values == b->set.n_values
           && a->set.n_rules == b->set.n_rules
           && !memcmp(a->bytes, b->bytes, a->size);
}

size_t
yl_schema_hash(const struct yl_schema *schema)
{
    return yl_hash_bytes(schema->bytes, schema->size);
}

size_t
yl_schema_size(const struct yl_schema *schema)
{
    return sizeof *schema + schema->size;
}

unsigned
yl_schema_features(const struct yl_schema *schema)
{
    return schema->features;
}

/* Copies the tables, one behind the other, into a block. */
static struct yl_schema *
schema_new(const struct yl_compiler *c, uint16_t root, uint16_t value)
{
    size_t at[YL_N_TABLES], size = 0, i;
    struct yl_schema *schema;
    struct yl_type_set *set;

    for (i = 0; i < YL_N_TABLES; i++) {
        size_t align = _Alignof(struct yl_rule) - 1;

        size = (size + align) & ~align;
        at[i] = size;
        size += c->tables[i].rows.size;
    }
    schema = yl_zalloc(sizeof *schema + size);
    yl_ref_init(&schema->ref);
    schema->root = root;
    schema->value = value;
    schema->size = size;
    for (i = 0; i < YL_N_TABLES; i++) {
        memcpy(schema->bytes + at[i], c->tables[i].rows.data,
               c->tables[i].rows.size);
    }
    set = &schema->set;
    set->group = set->version = "";
    set->types = (const void *) (schema->bytes + at[YL_TABLE_TYPES]);
    set->fields = (const void *) (schema->bytes + at[YL_TABLE_FIELDS]);
    set->values = (const void *) (schema->bytes + at[YL_TABLE_VALUES]);
    set->rules = (const void *) (schema->bytes + at[YL_TABLE_RULES]);
    set->strings = schema->bytes + at[YL_TABLE_STRINGS];
    set->n_types = (uint32_t) yl_intern_count(&c->tables[YL_TABLE_TYPES]);
    set->n_fields = (uint32_t) yl_intern_count(&c->tables[YL_TABLE_FIELDS]);
    set->n_values = (uint32_t) yl_intern_count(&c->tables[YL_TABLE_VALUES]);
    set->n_rules = (uint32_t) yl_intern_count(&c->tables[YL_TABLE_RULES]);
    schema->features = features_of(set);
    return schema;
}

static unsigned
features_of(const struct yl_type_set *set)
{
    unsigned features = 0;
    size_t i;

    for (i = 1; i < set->n_values; i++) {
        if (set->values[i].topology == YL_TOPOLOGY_SET
            || set->values[i].topology == YL_TOPOLOGY_MAP) {
            features |= YL_SCHEMA_HAS_SETS;
        }
        if (set->values[i].flags & YL_VALUE_RESOURCE) {
            features |= YL_SCHEMA_HAS_RESOURCES;
        }
    }
    for (i = 1; i < set->n_fields; i++) {
        features |= set->fields[i].default_ ? YL_SCHEMA_HAS_DEFAULTS : 0;
    }
    for (i = 1; i < set->n_rules; i++) {
        features |= set->rules[i].op == YL_RULE_CEL ? YL_SCHEMA_HAS_CEL : 0;
    }
    return features;
}

static uint16_t
root_type(struct yl_compiler *c, const struct yl_schema_props *props)
{
    if (props->type.size && !yl_str_equal_c(props->type, "object")) {
        struct yl_field_path path =
            yl_field_member(c->opts->path, YL_STR("type"));

        yl_compile_fault(c, &path, YL_EINVALID, "must be object at the root");
        return 0;
    }
    return type_row(c, c->opts->path, props, true);
}

/* The type of an object.  Rules of the root belong to its type; those of
 * others to their value. */
static uint16_t
type_row(struct yl_compiler *c, const struct yl_field_path *path,
         const struct yl_schema_props *props, bool root)
{
    struct yl_field_path below = yl_field_member(path, YL_STR("properties"));
    size_t n = props->kind == YL_VALUE_STRUCT ? props->properties.n : 0, i;
    struct yl_field *fields = yl_arena_array(&c->arena, n, sizeof *fields);
    struct yl_rule required;
    struct yl_compiler_rules rules = { &required, 0 };
    struct yl_type type;

    check_room(c);
    for (i = 0; i < n && c->code == 0; i++) {
        const struct yl_schema_props *property = props->by_name[i];
        struct yl_field_path at = yl_field_key(&below, property->name);
        struct yl_str text = yl_str_null();

        if (property->name.size > UINT16_MAX) {
            yl_compile_fault(c, &below, YL_ETOOBIG,
                             "the name of a property is longer than %d bytes",
                             UINT16_MAX);
            break;
        }
        if (property->default_ && !c->nested) {
            text = yl_schema_json(&c->arena, property->default_);
        }
        fields[i].name = yl_compile_text(c, &at, property->name);
        fields[i].name_size = (uint16_t) property->name.size;
        fields[i].value = yl_compile_value(c, &at, property);
        fields[i].presence = YL_PRESENCE_POINTER;
        fields[i].flags =
            property->flags & YL_SCHEMA_REQUIRED ? YL_FIELD_REQUIRED : 0;
        fields[i].default_ = yl_compile_text(c, &at, text);
    }
    _Static_assert(YL_SCHEMA_MAX_SCHEMAS <= UINT16_MAX,
                   "a type can have as many fields as there are schemas");
    memset(&type, 0, sizeof type);
    memset(&required, 0, sizeof required);
    if (root) {
        rules = yl_compile_rules(c, path, props, YL_VALUE_STRUCT);
        /* Maps, and schemas that say nothing, allow any members. */
        type.flags = props->kind == YL_VALUE_STRUCT ? 0 : YL_VALUE_PRESERVE;
    }
    yl_compile_required(c, path, props, &rules);
    type.rules = add(c, path, YL_TABLE_RULES, rules.rows, rules.n);
    type.n_rules = (uint16_t) rules.n;
    type.fields = add(c, path, YL_TABLE_FIELDS, fields, n);
    type.n_fields = (uint16_t) n;
    type.topology = (uint8_t) props->map_type;
    type.flags |= (uint8_t) flags_of(props, YL_VALUE_STRUCT);
    return (uint16_t) add(c, path, YL_TABLE_TYPES, &type, 1);
}

uint16_t
yl_compile_value(struct yl_compiler *c, const struct yl_field_path *path,
                 const struct yl_schema_props *props)
{
    enum yl_value_kind kind = kind_of(props);
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path others =
        yl_field_member(path, YL_STR("additionalProperties"));
    struct yl_compiler_rules rules;
    struct yl_value value;

    check_room(c);
    if (c->code < 0) {
        return 0;               /* What is below it would only cost time. */
    }
    rules = yl_compile_rules(c, path, props, kind);
    check_type(c, path, props);
    memset(&value, 0, sizeof value);
    value.kind = (uint8_t) kind;
    value.flags = (uint8_t) flags_of(props, kind);
    if (kind == YL_VALUE_STRUCT) {
        value.type = type_row(c, path, props, false);
    } else if (kind == YL_VALUE_LIST) {
        value.topology = (uint8_t) props->list_type;
        value.list_keys = yl_compile_text(c, path, yl_str_c(props->list_keys));
        value.element = props->items
                            ? yl_compile_value(c, &items, props->items)
                            : undescribed(c, &items);
    } else if (kind == YL_VALUE_MAP) {
        value.topology = (uint8_t) props->map_type;
        value.element = props->additional
                            ? yl_compile_value(c, &others, props->additional)
                            : undescribed(c, &others);
    }
    value.rules = add(c, path, YL_TABLE_RULES, rules.rows, rules.n);
    value.n_rules = (uint16_t) rules.n;
    return (uint16_t) add(c, path, YL_TABLE_VALUES, &value, 1);
}

/* A value about which the schema says nothing: it may be anything, but members
 * of objects are pruned. */
static uint16_t
undescribed(struct yl_compiler *c, const struct yl_field_path *path)
{
    struct yl_value value;
    struct yl_type type;

    memset(&type, 0, sizeof type);
    memset(&value, 0, sizeof value);
    type.flags = value.flags = YL_VALUE_UNTYPED;
    value.kind = YL_VALUE_STRUCT;
    value.type = (uint16_t) add(c, path, YL_TABLE_TYPES, &type, 1);
    return (uint16_t) add(c, path, YL_TABLE_VALUES, &value, 1);
}

/* The kind of a value.  If no type is given, it is kept if the schema
 * preserves unknown fields, and otherwise an object without members. */
static enum yl_value_kind
kind_of(const struct yl_schema_props *props)
{
    if (props->kind == YL_VALUE_RAW && !props->type.size
        && !(props->flags & YL_SCHEMA_PRESERVE)) {
        return YL_VALUE_STRUCT;
    }
    return props->kind;
}

static unsigned
flags_of(const struct yl_schema_props *props, enum yl_value_kind kind)
{
    bool compound = kind == YL_VALUE_STRUCT || kind == YL_VALUE_LIST
                    || kind == YL_VALUE_MAP;

    return (props->flags & YL_SCHEMA_NULLABLE ? YL_VALUE_NULLABLE : 0u)
           | (props->flags & YL_SCHEMA_PRESERVE ? YL_VALUE_PRESERVE : 0u)
           | (compound && !props->type.size ? YL_VALUE_UNTYPED : 0u)
           | (kind == YL_VALUE_STRUCT && props->flags & YL_SCHEMA_ADDITIONAL
                  ? YL_VALUE_OPEN : 0u)
           | (kind == YL_VALUE_STRUCT && props->flags & YL_SCHEMA_EMBEDDED
                  ? YL_VALUE_RESOURCE : 0u);
}

static void
check_type(struct yl_compiler *c, const struct yl_field_path *path,
           const struct yl_schema_props *props)
{
    struct yl_field_path at = yl_field_member(path, YL_STR("type"));

    if (props->kind == YL_VALUE_RAW && props->type.size) {
        yl_compile_fault(c, &at, YL_EINVALID,
                         "must be array, boolean, integer, number, "
                         "object or string");
    }
}

/* Ends the work if it uses too much memory. */
static void
check_room(struct yl_compiler *c)
{
    if (c->code == 0 && yl_arena_is_over(&c->arena)) {
        c->code = yl_arena_check(&c->arena, c->err);
    }
}

/* The number of rows in a table; 0 after an error. */
static uint32_t
add(struct yl_compiler *c, const struct yl_field_path *path,
    enum yl_compiler_table table, const void *rows, size_t n)
{
    int64_t number;

    if (c->code < 0) {
        return 0;
    }
    number = yl_intern_add(&c->tables[table], rows, n);
    if (number < 0) {
        yl_compile_fault(
            c, path, (int) number, "the schema has more than %zu %s",
            tables[table].max / tables[table].row_size, tables[table].rows);
        return 0;
    }
    return (uint32_t) number;
}

/* The place of a text, which has no NUL in it. */
uint32_t
yl_compile_text(struct yl_compiler *c, const struct yl_field_path *path,
                struct yl_str text)
{
    if (!text.size) {
        return 0;
    }
    return add(c, path, YL_TABLE_STRINGS, yl_arena_copy(&c->arena, text).data,
               text.size + 1);
}

/* Sets the first error, with its place. */
void
yl_compile_fault(struct yl_compiler *c, const struct yl_field_path *path,
                 int code, const char *format, ...)
{
    va_list args;

    if (c->code < 0) {
        return;
    }
    c->code = code;
    va_start(args, format);
    yl_schema_fault(c->err, path, code, format, args);
    va_end(args);
}
