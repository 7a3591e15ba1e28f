/* The schema compiler.  See schema/compile.h for the contract.
 *
 * Schemas are compiled from the leaves up: a type's row needs the numbers of
 * its fields, theirs the numbers of their values, and so on.  Whatever is
 * equal has one number (schema/intern.h), so that equal subtrees fold into
 * one.  Properties and rules go in an order of their own, not the text's; so
 * equal schemas fold into the same tables, bit by bit. */

#include "schema/compile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/ref.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/intern.h"
#include "schema/keyword.h"
#include "schema/props.h"
#include "yuloh/error.h"

/* Rows that a table may have whose rows are numbered by 16 bits, and bytes of
 * one that is numbered by 32. */
#define MAX_ROWS 65535
#define MAX_BYTES ((size_t) 1 << 30)

enum table { TYPES, FIELDS, VALUES, RULES, STRINGS, N_TABLES };

static const struct {
    size_t row_size, max;
    const char *rows;           /* What they are called in messages. */
} tables[] = {
    [TYPES] = { sizeof(struct yl_type), MAX_ROWS * sizeof(struct yl_type),
                "different objects" },
    [FIELDS] = { sizeof(struct yl_field), MAX_BYTES, "properties" },
    [VALUES] = { sizeof(struct yl_value), MAX_ROWS * sizeof(struct yl_value),
                 "different values" },
    [RULES] = { sizeof(struct yl_rule), MAX_BYTES, "rules" },
    [STRINGS] = { 1, YL_SCHEMA_MAX_TEXT, "bytes of text" },
};

struct yl_schema {
    struct yl_ref ref;
    uint16_t root;              /* In the set's types. */
    size_t size;                /* Bytes of 'bytes'. */
    struct yl_type_set set;     /* Its tables are in 'bytes'. */
    _Alignas(max_align_t) char bytes[];
};

struct compiler {
    const struct yl_schema_opts *opts;
    struct yl_error *err;
    struct yl_arena arena;
    struct yl_intern tables[N_TABLES];
    int code;                   /* The first error; 0 while there is none. */
};

/* A run of rules that is being made. */
struct rules {
    struct yl_rule *rows;
    size_t n;
};

static struct yl_schema *schema_new(const struct compiler *, uint16_t root);
static uint16_t root_type(struct compiler *, const struct yl_schema_props *);
static uint16_t type_row(struct compiler *, const struct yl_field_path *,
                         const struct yl_schema_props *, bool root);
static uint16_t value_row(struct compiler *, const struct yl_field_path *,
                          const struct yl_schema_props *);
static uint16_t undescribed(struct compiler *, const struct yl_field_path *);
static enum yl_value_kind kind_of(const struct yl_schema_props *);
static unsigned flags_of(const struct yl_schema_props *, enum yl_value_kind);
static struct rules rules_of(struct compiler *, const struct yl_field_path *,
                             const struct yl_schema_props *,
                             enum yl_value_kind);
static void add_rule(struct compiler *, const struct yl_field_path *,
                     const struct yl_schema_props *,
                     const struct yl_schema_rule *, struct rules *);
static void add_text(struct compiler *, const struct yl_field_path *,
                     enum yl_rule_op, struct yl_str text, struct rules *);
static bool has_rule(const struct yl_schema_props *, enum yl_rule_op);
static void add_rest(struct compiler *, const struct yl_field_path *,
                     const struct yl_schema_props *, enum yl_value_kind,
                     struct rules *);
static bool judges(const struct yl_schema_props *, enum yl_value_kind,
                   struct yl_str keyword);
static void add_required(struct compiler *, const struct yl_field_path *,
                         const struct yl_schema_props *, struct rules *);
static void check_pattern(struct compiler *, const struct yl_field_path *,
                          struct yl_str pattern);
static void check_room(struct compiler *);
static uint32_t add(struct compiler *, const struct yl_field_path *,
                    enum table, const void *rows, size_t n);
static uint32_t string(struct compiler *, const struct yl_field_path *,
                       struct yl_str);
static void fault(struct compiler *, const struct yl_field_path *, int code,
                  const char *format, ...) YL_PRINTF(4, 5);

int
yl_schema_compile(const struct yl_schema_props *props,
                  const struct yl_schema_opts *opts,
                  struct yl_schema **ret_schema, struct yl_error *err)
{
    static const struct yl_schema_opts no_opts;
    struct compiler c = { .opts = opts ? opts : &no_opts, .err = err };
    uint16_t root;
    size_t i;

    yl_arena_init(&c.arena);
    yl_arena_set_account(&c.arena, c.opts->account);
    for (i = 0; i < N_TABLES; i++) {
        yl_intern_init(&c.tables[i], &c.arena, tables[i].row_size,
                       tables[i].max);
    }
    root = root_type(&c, props);
    check_room(&c);
    if (c.code == 0) {
        *ret_schema = schema_new(&c, root);
    }
    for (i = 0; i < N_TABLES; i++) {
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
    if (schema && yl_ref_put(&schema->ref)) {
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

bool
yl_schema_equal(const struct yl_schema *a, const struct yl_schema *b)
{
    return a->size == b->size && a->root == b->root
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

/* Copies the tables, one behind the other, into a block. */
static struct yl_schema *
schema_new(const struct compiler *c, uint16_t root)
{
    size_t at[N_TABLES], size = 0, i;
    struct yl_schema *schema;
    struct yl_type_set *set;

    for (i = 0; i < N_TABLES; i++) {
        size_t align = _Alignof(struct yl_rule) - 1;

        size = (size + align) & ~align;
        at[i] = size;
        size += c->tables[i].rows.size;
    }
    schema = yl_zalloc(sizeof *schema + size);
    yl_ref_init(&schema->ref);
    schema->root = root;
    schema->size = size;
    for (i = 0; i < N_TABLES; i++) {
        memcpy(schema->bytes + at[i], c->tables[i].rows.data,
               c->tables[i].rows.size);
    }
    set = &schema->set;
    set->group = set->version = "";
    set->types = (const void *) (schema->bytes + at[TYPES]);
    set->fields = (const void *) (schema->bytes + at[FIELDS]);
    set->values = (const void *) (schema->bytes + at[VALUES]);
    set->rules = (const void *) (schema->bytes + at[RULES]);
    set->strings = schema->bytes + at[STRINGS];
    set->n_types = (uint32_t) yl_intern_count(&c->tables[TYPES]);
    set->n_fields = (uint32_t) yl_intern_count(&c->tables[FIELDS]);
    set->n_values = (uint32_t) yl_intern_count(&c->tables[VALUES]);
    set->n_rules = (uint32_t) yl_intern_count(&c->tables[RULES]);
    return schema;
}

static uint16_t
root_type(struct compiler *c, const struct yl_schema_props *props)
{
    if (props->type.size && !yl_str_equal_c(props->type, "object")) {
        struct yl_field_path path = yl_field_member(c->opts->path,
                                                    YL_STR("type"));

        fault(c, &path, YL_EINVALID, "must be object at the root");
        return 0;
    }
    return type_row(c, c->opts->path, props, true);
}

/* The type of an object.  Rules of the root are its type's; those of others
 * are their value's. */
static uint16_t
type_row(struct compiler *c, const struct yl_field_path *path,
         const struct yl_schema_props *props, bool root)
{
    struct yl_field_path below = yl_field_member(path, YL_STR("properties"));
    size_t n = props->kind == YL_VALUE_STRUCT ? props->properties.n : 0, i;
    struct yl_field *fields = yl_arena_array(&c->arena, n, sizeof *fields);
    struct yl_rule required;
    struct rules rules = { &required, 0 };
    struct yl_type type;

    check_room(c);
    for (i = 0; i < n && c->code == 0; i++) {
        const struct yl_schema_props *property = props->by_name[i];
        struct yl_field_path at = yl_field_key(&below, property->name);
        struct yl_str text = yl_str_null();

        if (property->name.size > UINT16_MAX) {
            fault(c, &below, YL_ETOOBIG, "the name of a property is longer "
                  "than %d bytes", UINT16_MAX);
            break;
        }
        if (property->default_) {
            text = yl_schema_json(&c->arena, property->default_);
        }
        fields[i].name = string(c, &at, property->name);
        fields[i].name_size = (uint16_t) property->name.size;
        fields[i].value = value_row(c, &at, property);
        fields[i].presence = YL_PRESENCE_POINTER;
        fields[i].flags = property->flags & YL_SCHEMA_REQUIRED
                          ? YL_FIELD_REQUIRED : 0;
        fields[i].default_ = string(c, &at, text);
    }
    _Static_assert(YL_SCHEMA_MAX_SCHEMAS <= UINT16_MAX,
                   "a type can have as many fields as there are schemas");
    memset(&type, 0, sizeof type);
    memset(&required, 0, sizeof required);
    if (root) {
        rules = rules_of(c, path, props, YL_VALUE_STRUCT);
        /* Maps and what is said to be nothing are objects of any members. */
        type.flags = props->kind == YL_VALUE_STRUCT ? 0 : YL_VALUE_PRESERVE;
    }
    add_required(c, path, props, &rules);
    type.rules = add(c, path, RULES, rules.rows, rules.n);
    type.n_rules = (uint16_t) rules.n;
    type.fields = add(c, path, FIELDS, fields, n);
    type.n_fields = (uint16_t) n;
    type.topology = (uint8_t) props->map_type;
    type.flags |= (uint8_t) flags_of(props, YL_VALUE_STRUCT);
    return (uint16_t) add(c, path, TYPES, &type, 1);
}

static uint16_t
value_row(struct compiler *c, const struct yl_field_path *path,
          const struct yl_schema_props *props)
{
    enum yl_value_kind kind = kind_of(props);
    struct yl_field_path items = yl_field_member(path, YL_STR("items"));
    struct yl_field_path others
        = yl_field_member(path, YL_STR("additionalProperties"));
    struct rules rules = rules_of(c, path, props, kind);
    struct yl_value value;

    memset(&value, 0, sizeof value);
    value.kind = (uint8_t) kind;
    value.flags = (uint8_t) flags_of(props, kind);
    if (kind == YL_VALUE_STRUCT) {
        value.type = type_row(c, path, props, false);
    } else if (kind == YL_VALUE_LIST) {
        value.topology = (uint8_t) props->list_type;
        value.list_keys = string(c, path, yl_str_c(props->list_keys));
        value.element = props->items ? value_row(c, &items, props->items)
                                     : undescribed(c, &items);
    } else if (kind == YL_VALUE_MAP) {
        value.topology = (uint8_t) props->map_type;
        value.element = props->additional
                            ? value_row(c, &others, props->additional)
                            : undescribed(c, &others);
    }
    value.rules = add(c, path, RULES, rules.rows, rules.n);
    value.n_rules = (uint16_t) rules.n;
    return (uint16_t) add(c, path, VALUES, &value, 1);
}

/* What nothing is said of: it may be anything, but members of objects go. */
static uint16_t
undescribed(struct compiler *c, const struct yl_field_path *path)
{
    struct yl_value value;
    struct yl_type type;

    memset(&type, 0, sizeof type);
    memset(&value, 0, sizeof value);
    type.flags = value.flags = YL_VALUE_UNTYPED;
    value.kind = YL_VALUE_STRUCT;
    value.type = (uint16_t) add(c, path, TYPES, &type, 1);
    return (uint16_t) add(c, path, VALUES, &value, 1);
}

/* What is not said to be anything is kept if it says so, and else an object
 * without members. */
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
           | (kind == YL_VALUE_STRUCT && props->flags & YL_SCHEMA_EMBEDDED
                  ? YL_VALUE_RESOURCE : 0u);
}

/* The rules of a value or of the root, in the order of their numbers, with
 * room for one more. */
static struct rules
rules_of(struct compiler *c, const struct yl_field_path *path,
         const struct yl_schema_props *props, enum yl_value_kind kind)
{
    const struct yl_schema_rule *rule;
    struct rules rules = { NULL, 5 };
    int op;

    for (rule = props->rules; rule; rule = rule->next) {
        rules.n++;
    }
    if (rules.n > UINT16_MAX) {
        fault(c, path, YL_ETOOBIG, "there are more than %d rules",
              UINT16_MAX);
        rules.n = 0;
        return rules;
    }
    rules.rows = yl_arena_array(&c->arena, rules.n, sizeof *rules.rows);
    rules.n = 0;
    for (op = YL_RULE_NONE + 1; op < YL_RULE_SCHEMA; op++) {
        const struct yl_keyword *keyword
            = yl_keyword_of((enum yl_rule_op) op);

        if (op == YL_RULE_DESCRIPTION) {
            add_text(c, path, YL_RULE_DESCRIPTION, props->description,
                     &rules);
        } else if (op == YL_RULE_FORMAT && !props->format.size
                   && yl_type_words(kind).format) {
            /* The kind says more than the schema does. */
            rules.rows[rules.n++].op = YL_RULE_FORMAT;
        }
        if (keyword && yl_schema_is_said(props, kind,
                                         yl_str_c(keyword->name))) {
            continue;
        }
        for (rule = props->rules; rule; rule = rule->next) {
            if (rule->op == (enum yl_rule_op) op) {
                add_rule(c, path, props, rule, &rules);
            }
        }
    }
    add_rest(c, path, props, kind, &rules);
    return rules;
}

/* Schemas have a limit and a flag that excludes it; tables have one rule for
 * both. */
static void
add_rule(struct compiler *c, const struct yl_field_path *path,
         const struct yl_schema_props *props,
         const struct yl_schema_rule *rule, struct rules *rules)
{
    struct yl_rule *row = &rules->rows[rules->n];
    enum yl_rule_op op = rule->op;

    if (op == YL_RULE_EXCLUSIVE_MINIMUM || op == YL_RULE_EXCLUSIVE_MAXIMUM) {
        return;
    } else if (op == YL_RULE_MINIMUM
               && has_rule(props, YL_RULE_EXCLUSIVE_MINIMUM)) {
        op = YL_RULE_EXCLUSIVE_MINIMUM;
    } else if (op == YL_RULE_MAXIMUM
               && has_rule(props, YL_RULE_EXCLUSIVE_MAXIMUM)) {
        op = YL_RULE_EXCLUSIVE_MAXIMUM;
    } else if (op == YL_RULE_PATTERN) {
        check_pattern(c, path, rule->text);
    }
    if (rule->text.data) {
        add_text(c, path, op, rule->text, rules);
        return;
    } else if (op == YL_RULE_ENUM || op == YL_RULE_EXAMPLE
               || op == YL_RULE_CEL) {
        add_text(c, path, op, yl_schema_json(&c->arena, rule->node), rules);
        return;
    }
    row->op = (uint16_t) op;
    row->number = rule->number;
    rules->n++;
}

/* A rule with a text, unless that is empty. */
static void
add_text(struct compiler *c, const struct yl_field_path *path,
         enum yl_rule_op op, struct yl_str text, struct rules *rules)
{
    if (text.size) {
        rules->rows[rules->n].op = (uint16_t) op;
        rules->rows[rules->n].text = string(c, path, text);
        rules->n++;
    }
}

static bool
has_rule(const struct yl_schema_props *props, enum yl_rule_op op)
{
    const struct yl_schema_rule *rule = props->rules;

    while (rule && rule->op != op) {
        rule = rule->next;
    }
    return rule != NULL;
}

/* The keywords that no other row says, as the texts of objects: one of those
 * that validation looks at, and one of those that it need not read. */
static void
add_rest(struct compiler *c, const struct yl_field_path *path,
         const struct yl_schema_props *props, enum yl_value_kind kind,
         struct rules *rules)
{
    struct yl_node *schema = yl_node_new_object(&c->arena);
    struct yl_node *other = yl_node_new_object(&c->arena);
    const struct yl_node *node;

    YL_NODE_FOR_EACH (node, props->node) {
        struct yl_str name = yl_node_key(node);

        if (node->type == YL_JSON_NULL
            || yl_keyword_find(name) != YL_RULE_NONE
            || yl_str_equal_c(name, "x-kubernetes-validations")
            || (kind == YL_VALUE_STRUCT
                && yl_str_equal_c(name, "x-kubernetes-embedded-resource"))
            || (yl_schema_is_said(props, kind, name)
                && !yl_str_ends_with(name, YL_STR("Of")))) {
            continue;
        }
        yl_node_set(&c->arena, judges(props, kind, name) ? schema : other,
                    name, yl_node_copy(&c->arena, node));
    }
    if (schema->n) {
        add_text(c, path, YL_RULE_SCHEMA, yl_schema_json(&c->arena, schema),
                 rules);
    }
    if (other->n) {
        add_text(c, path, YL_RULE_OTHER, yl_schema_json(&c->arena, other),
                 rules);
    }
}

/* Can a value be wrong because of this keyword? */
static bool
judges(const struct yl_schema_props *props, enum yl_value_kind kind,
       struct yl_str keyword)
{
    static const char *const words[] = {
        "allOf", "anyOf", "oneOf", "not", "type", "properties", "required",
        "items", "additionalProperties",
    };
    size_t i;

    /* An integer or a string is always one of the two. */
    if (yl_schema_is_said(props, kind, keyword)) {
        return false;
    }
    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        if (yl_str_equal_c(keyword, words[i])) {
            return true;
        }
    }
    return false;
}

/* Adds the names that are required of a type, unless its fields say the same
 * in the same order. */
static void
add_required(struct compiler *c, const struct yl_field_path *path,
             const struct yl_schema_props *props, struct rules *rules)
{
    const struct yl_node *item = props->required ? props->required->first
                                                 : NULL;
    size_t i;

    if (!item) {
        return;
    }
    for (i = 0; i < props->properties.n; i++) {
        const struct yl_schema_props *property = props->by_name[i];

        if (property->flags & YL_SCHEMA_REQUIRED) {
            if (!item || !yl_node_string_is(item, property->name)) {
                break;
            }
            item = item->next;
        }
    }
    if (item || i < props->properties.n) {
        add_text(c, path, YL_RULE_REQUIRED,
                 yl_schema_json(&c->arena, props->required), rules);
    }
}

static void
check_pattern(struct compiler *c, const struct yl_field_path *path,
              struct yl_str pattern)
{
    struct yl_field_path at = yl_field_member(path, YL_STR("pattern"));
    struct yl_error why = YL_ERROR_INIT;

    if (c->opts->match
        && c->opts->match(c->opts->aux, pattern, YL_STR(""), &why) < 0) {
        fault(c, &at, YL_EINVALID, "%s", yl_error_message(&why));
    }
    yl_error_clear(&why);
}

/* Ends the work if its memory has become too much. */
static void
check_room(struct compiler *c)
{
    if (c->code == 0 && yl_arena_is_over(&c->arena)) {
        c->code = yl_arena_check(&c->arena, c->err);
    }
}

/* The number of rows in a table; 0 after an error. */
static uint32_t
add(struct compiler *c, const struct yl_field_path *path, enum table table,
    const void *rows, size_t n)
{
    int64_t number;

    if (c->code < 0) {
        return 0;
    }
    number = yl_intern_add(&c->tables[table], rows, n);
    if (number < 0) {
        fault(c, path, (int) number, "the schema has more than %zu %s",
              tables[table].max / tables[table].row_size,
              tables[table].rows);
        return 0;
    }
    return (uint32_t) number;
}

/* The place of a text, which has no NUL in it. */
static uint32_t
string(struct compiler *c, const struct yl_field_path *path,
       struct yl_str text)
{
    if (!text.size) {
        return 0;
    }
    return add(c, path, STRINGS, yl_arena_copy(&c->arena, text).data,
               text.size + 1);
}

/* Keeps the first error, with its place. */
static void
fault(struct compiler *c, const struct yl_field_path *path, int code,
      const char *format, ...)
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
