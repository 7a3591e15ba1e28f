/* Validation of a tree.  See schema/validate.h for the contract.
 *
 * One walk by descriptors.  Schemas beside a value (allOf, anyOf, oneOf, not)
 * are values too, in the set itself if it was compiled; the text of those that
 * yuloh-gen has written is compiled first.  The recursion is as deep as the
 * tree plus the schemas, and both have readers that bound them. */

#include "schema/validate.h"

#include <stdarg.h>

#include "base/arena.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/field_error.h"
#include "schema/keyword.h"
#include "schema/limits.h"
#include "schema/parsed.h"
#include "schema/seen.h"
#include "yuloh/error.h"
#include "yuloh/quantity.h"

/* A value, and the rules of which some are its alternatives. */
struct alternatives {
    const struct yl_type_set *set;
    const struct yl_rule *rules;
    size_t n;
    const struct yl_field_path *path;
    const struct yl_node *node;
};

static void walk_struct(struct yl_validation *, const struct yl_field_path *,
                        struct yl_type_ref, const struct yl_node *);
static void walk_value(struct yl_validation *, const struct yl_field_path *,
                       const struct yl_type_set *, const struct yl_value *,
                       const struct yl_node *);
static void walk_elements(struct yl_validation *, const struct yl_field_path *,
                          const struct yl_type_set *, const struct yl_value *,
                          const struct yl_node *);
static void check_required(struct yl_validation *,
                           const struct yl_field_path *, struct yl_type_ref,
                           const struct yl_node *);
static void check_names(struct yl_validation *, const struct yl_field_path *,
                        const char *names, const struct yl_node *);
static void check_embedded(struct yl_validation *,
                           const struct yl_field_path *,
                           const struct yl_node *);
static void check_quantity(struct yl_validation *,
                           const struct yl_field_path *,
                           const struct yl_node *);
static void check_keys(struct yl_validation *, const struct yl_field_path *,
                       const struct yl_type_set *, const struct yl_value *,
                       const struct yl_node *);
static struct yl_node *keys_of(struct yl_arena *, struct yl_str keys,
                               struct yl_node *element);
static void add_kind(struct yl_limits *, const struct yl_value *);
static void check_schemas(struct yl_validation *, const struct yl_field_path *,
                          const struct yl_type_set *, uint32_t rules,
                          size_t n_rules, const struct yl_node *);
static const struct yl_value *value_of(const struct yl_type_set *,
                                       const struct yl_rule *);
static void check_combined(struct yl_validation *, const struct alternatives *,
                           enum yl_rule_op);
static void check_any_of(struct yl_validation *, const struct alternatives *,
                         enum yl_rule_op);
static void check_all_of(struct yl_validation *, const struct alternatives *);
static bool try_schema(struct yl_validation *, const struct alternatives *,
                       size_t i, struct yl_error *faults, size_t *ret_passed);
static void take_causes(struct yl_validation *, const struct yl_error *);
static void combined_fault(struct yl_validation *,
                           const struct yl_field_path *, const char *format,
                           ...) YL_PRINTF(3, 4);

int
yl_validate(struct yl_type_ref type, const struct yl_node *root,
            const struct yl_validate_opts *opts, struct yl_error *err)
{
    static const struct yl_validate_opts no_opts;
    struct yl_error faults = YL_ERROR_INIT;
    struct yl_arena arena;
    struct yl_parsed parsed;
    struct yl_validation v = { opts ? opts : &no_opts, &arena, &faults, 0,
                               &parsed };
    struct yl_limits limits;
    int r = 0;

    yl_arena_init(&arena);
    yl_parsed_init(&parsed, &arena);
    yl_limits_init(&limits);
    limits.types = "object";
    if (yl_limits_check_type(&v, &limits, v.opts->path, root)) {
        walk_struct(&v, v.opts->path, type, root);
    }
    if (faults.n_causes) {
        r = YL_EINVALID;
        if (err) {
            size_t i;

            err->code = err->code ? err->code : YL_EINVALID;
            for (i = 0; i < faults.n_causes; i++) {
                yl_error_add_cause(err, yl_str_c(faults.causes[i].reason),
                                   yl_str_c(faults.causes[i].message),
                                   yl_str_c(faults.causes[i].field));
            }
        }
    }
    yl_error_clear(&faults);
    yl_parsed_release(&parsed);
    yl_arena_release(&arena);
    return r;
}

/* Validates the members of an object, and the rules of its type. */
static void
walk_struct(struct yl_validation *v, const struct yl_field_path *parent,
            struct yl_type_ref type, const struct yl_node *object)
{
    const struct yl_rule *rules = &type.set->rules[type.type->rules];
    const struct yl_node *member;
    struct yl_limits limits;
    size_t i;

    check_schemas(v, parent, type.set, type.type->rules, type.type->n_rules,
                  object);
    YL_NODE_FOR_EACH (member, object) {
        struct yl_field_path path = yl_field_member(parent,
                                                    yl_node_key(member));
        const struct yl_field *field = yl_type_field(type,
                                                     yl_node_key(member));

        if (field) {
            walk_value(v, &path, type.set, &type.set->values[field->value],
                       member);
        }
    }
    yl_limits_init(&limits);
    for (i = 0; i < type.type->n_rules; i++) {
        yl_limits_add_rule(&limits, v->parsed, type.set, &rules[i]);
    }
    yl_limits_check(v, &limits, parent, object);
    check_required(v, parent, type, object);
}

static void
walk_value(struct yl_validation *v, const struct yl_field_path *path,
           const struct yl_type_set *set, const struct yl_value *value,
           const struct yl_node *node)
{
    const struct yl_rule *rules = &set->rules[value->rules];
    struct yl_limits limits;
    bool has_form;              /* Is it of the kind, list or object, that it
                                 * should be? */
    size_t i;

    yl_limits_init(&limits);
    add_kind(&limits, value);
    for (i = 0; i < value->n_rules; i++) {
        yl_limits_add_rule(&limits, v->parsed, set, &rules[i]);
    }
    yl_limits_check_type(v, &limits, path, node);
    if (node->type == YL_JSON_NULL) {
        yl_limits_check(v, &limits, path, node);
        return;
    }
    check_schemas(v, path, set, value->rules, value->n_rules, node);
    has_form = node->type == (value->kind == YL_VALUE_LIST ? YL_JSON_ARRAY
                                                           : YL_JSON_OBJECT);
    if (has_form && (value->kind == YL_VALUE_LIST
                     || value->kind == YL_VALUE_MAP)) {
        walk_elements(v, path, set, value, node);
    }
    yl_limits_check(v, &limits, path, node);
    if (value->kind == YL_VALUE_LIST && has_form) {
        check_keys(v, path, set, value, node);
    } else if (value->kind == YL_VALUE_STRUCT && has_form) {
        walk_struct(v, path, yl_value_type(set, value), node);
        if (value->flags & YL_VALUE_RESOURCE) {
            check_embedded(v, path, node);
        }
    } else if (value->kind == YL_VALUE_EMBEDDED && has_form) {
        check_embedded(v, path, node);
    } else if (value->kind == YL_VALUE_QUANTITY) {
        check_quantity(v, path, node);
    }
}

static void
walk_elements(struct yl_validation *v, const struct yl_field_path *parent,
              const struct yl_type_set *set, const struct yl_value *value,
              const struct yl_node *list)
{
    const struct yl_node *node;
    size_t i = 0;

    YL_NODE_FOR_EACH (node, list) {
        struct yl_field_path path = value->kind == YL_VALUE_LIST
                                    ? yl_field_index(parent, i++)
                                    : yl_field_member(parent,
                                                      yl_node_key(node));

        walk_value(v, &path, set, &set->values[value->element], node);
    }
}

static void
check_required(struct yl_validation *v, const struct yl_field_path *parent,
               struct yl_type_ref type, const struct yl_node *object)
{
    const struct yl_field *field = &type.set->fields[type.type->fields];
    const struct yl_field *end = field + type.type->n_fields;
    size_t i;

    for (i = 0; i < type.type->n_rules; i++) {
        const struct yl_rule *rule = &type.set->rules[type.type->rules + i];

        if (rule->op == YL_RULE_REQUIRED) {
            check_names(v, parent, yl_type_set_text(type.set, rule->text),
                        object);
            return;
        }
    }
    for (; field < end; field++) {
        struct yl_str name = yl_str_n(type.set->strings + field->name,
                                      field->name_size);

        if (field->flags & YL_FIELD_REQUIRED && !yl_node_get(object, name)) {
            struct yl_field_path path = yl_field_member(parent, name);

            yl_field_required(v->err, &path, NULL);
        } else if (field->flags & YL_FIELD_REQUIRED) {
            v->n_passed++;
        }
    }
}

/* Checks that the members named in 'names', a JSON array, are there. */
static void
check_names(struct yl_validation *v, const struct yl_field_path *parent,
            const char *names, const struct yl_node *object)
{
    struct yl_json_iter it = yl_json_iter(yl_json(yl_str_c(names)));

    while (yl_json_next(&it)) {
        struct yl_str name;

        if (yl_json_string(it.value, v->arena, &name) == 0
            && !yl_node_get(object, name)) {
            struct yl_field_path path = yl_field_member(parent, name);

            yl_field_required(v->err, &path, NULL);
        } else {
            v->n_passed++;
        }
    }
}

/* Checks that an embedded object has an apiVersion and a kind. */
static void
check_embedded(struct yl_validation *v, const struct yl_field_path *parent,
               const struct yl_node *object)
{
    static const char *const names[] = { "apiVersion", "kind" };
    size_t i;

    for (i = 0; i < 2; i++) {
        const struct yl_node *member = yl_node_get(object, yl_str_c(names[i]));
        struct yl_field_path path = yl_field_member(parent,
                                                    yl_str_c(names[i]));

        if (!member) {
            yl_field_required(v->err, &path, NULL);
        } else if (yl_node_string_is(member, YL_STR(""))) {
            yl_field_required(v->err, &path, "must not be empty");
        }
    }
}

static void
check_quantity(struct yl_validation *v, const struct yl_field_path *path,
               const struct yl_node *node)
{
    struct yl_quantity quantity;
    struct yl_str text;
    struct yl_buf name;

    if (yl_node_string(node, v->arena, &text) < 0
        || yl_quantity_parse(text, &quantity, NULL) == 0) {
        return;
    }
    yl_buf_init(&name, SIZE_MAX);
    yl_limits_write_name(&name, path);
    yl_field_invalid(v->err, path, yl_bad_string(text),
                     "%s in body should match '" YL_QUANTITY_PATTERN "'",
                     yl_buf_c_str(&name));
    yl_buf_release(&name);
}

/* Checks that no two elements of a set, or keys of a list that is a map, are
 * equal; of equal ones the second is reported. */
static void
check_keys(struct yl_validation *v, const struct yl_field_path *parent,
           const struct yl_type_set *set, const struct yl_value *value,
           const struct yl_node *list)
{
    struct yl_str keys = yl_str_c(yl_type_set_text(set, value->list_keys));
    struct yl_node *node;
    struct yl_seen seen, told;
    size_t i = 0;

    if (value->topology != YL_TOPOLOGY_SET
        && value->topology != YL_TOPOLOGY_MAP) {
        return;
    }
    yl_seen_init(&seen, v->arena);
    yl_seen_init(&told, v->arena);
    YL_NODE_FOR_EACH (node, list) {
        struct yl_field_path path = yl_field_index(parent, i++);
        bool is_set = value->topology == YL_TOPOLOGY_SET;
        const struct yl_node *key = is_set ? node
                                           : keys_of(v->arena, keys, node);

        if (!is_set && node->type != YL_JSON_OBJECT) {
            if (node->type != YL_JSON_NULL) {
                yl_field_invalid(v->err, &path, yl_bad_node(node), "must be "
                                 "an object for an array of list-type map");
            }
        } else if (yl_seen_add(&seen, key) && !yl_seen_add(&told, key)) {
            yl_field_duplicate(v->err, &path, yl_bad_node(key));
        }
    }
    yl_seen_release(&seen);
    yl_seen_release(&told);
}

/* An object with the members of 'element' that the comma-separated 'keys'
 * name. */
static struct yl_node *
keys_of(struct yl_arena *arena, struct yl_str keys, struct yl_node *element)
{
    struct yl_node *object = yl_node_new_object(arena);

    while (keys.size) {
        struct yl_str key = keys, rest = yl_str_null();
        struct yl_node *value;

        yl_str_cut(keys, ',', &key, &rest);
        value = element->type == YL_JSON_OBJECT ? yl_node_get(element, key)
                                                : NULL;
        if (value) {
            yl_node_set(arena, object, key, yl_node_copy(arena, value));
        }
        keys = rest;
    }
    return object;
}

/* Adds the limits that follow from the kind of a value. */
static void
add_kind(struct yl_limits *limits, const struct yl_value *value)
{
    enum yl_value_kind kind = (enum yl_value_kind) value->kind;
    struct yl_type_words words = yl_type_words(kind);

    limits->types = value->flags & YL_VALUE_UNTYPED ? NULL : words.type;
    limits->format = words.format;
    if (kind == YL_VALUE_QUANTITY || kind == YL_VALUE_INT_OR_STRING) {
        limits->types = "integer,string";
    }
    limits->nullable = value->flags & YL_VALUE_NULLABLE;
}

/* Validates against the schemas among some rules, in the order of the
 * messages. */
static void
check_schemas(struct yl_validation *v, const struct yl_field_path *path,
              const struct yl_type_set *set, uint32_t rules, size_t n_rules,
              const struct yl_node *node)
{
    struct alternatives all = { set, &set->rules[rules], n_rules, path, node };
    size_t i;

    for (i = 0; i < n_rules; i++) {
        const struct yl_rule *rule = &all.rules[i];

        if (rule->op == YL_RULE_SCHEMA && rule->number == 0) {
            const struct yl_schema *schema = yl_parsed_schema(
                v->parsed, yl_type_set_text(set, rule->text));

            if (schema) {
                walk_value(v, path, yl_schema_type(schema).set,
                           yl_schema_value(schema), node);
            }
        } else if (rule->op == YL_RULE_ALSO) {
            walk_value(v, path, set, value_of(set, rule), node);
        } else if (rule->op >= YL_RULE_ANY_OF && rule->op <= YL_RULE_NOT
                   && (i == 0 || all.rules[i - 1].op != rule->op)) {
            check_combined(v, &all, (enum yl_rule_op) rule->op);
        }
    }
}

static const struct yl_value *
value_of(const struct yl_type_set *set, const struct yl_rule *rule)
{
    return &set->values[(size_t) rule->number];
}

static void
check_combined(struct yl_validation *v, const struct alternatives *all,
               enum yl_rule_op op)
{
    struct yl_error faults = YL_ERROR_INIT;
    size_t passed, i;

    if (op == YL_RULE_ALL_OF) {
        check_all_of(v, all);
    } else if (op != YL_RULE_NOT) {
        check_any_of(v, all, op);
    } else {
        for (i = 0; all->rules[i].op != YL_RULE_NOT; i++) {
            continue;
        }
        if (try_schema(v, all, i, &faults, &passed)) {
            combined_fault(v, all->path, "must not validate the schema (not)");
        }
        yl_error_clear(&faults);
    }
}

/* Checks that at least one of the schemas matches, or exactly one.  If none
 * does, the faults of the one that came closest are reported too. */
static void
check_any_of(struct yl_validation *v, const struct alternatives *all,
             enum yl_rule_op op)
{
    struct yl_error best = YL_ERROR_INIT;
    size_t n_valid = 0, best_passed = 0, i;
    bool one = op == YL_RULE_ONE_OF;

    for (i = 0; i < all->n; i++) {
        struct yl_error faults = YL_ERROR_INIT;
        size_t passed;

        if (all->rules[i].op != op) {
            continue;
        } else if (try_schema(v, all, i, &faults, &passed)) {
            n_valid++;
            if (!one) {
                break;
            }
        } else if (!best.n_causes || passed > best_passed) {
            struct yl_error worse = best;

            best = faults;
            faults = worse;
            best_passed = passed;
        }
        yl_error_clear(&faults);
    }
    if (n_valid == 0) {
        combined_fault(v, all->path, "%s", one
                       ? "must validate one and only one schema (oneOf). "
                         "Found none valid"
                       : "must validate at least one schema (anyOf)");
        take_causes(v, &best);
    } else if (one && n_valid > 1) {
        combined_fault(v, all->path, "must validate one and only one schema "
                       "(oneOf). Found %zu valid alternatives", n_valid);
    }
    yl_error_clear(&best);
}

static void
check_all_of(struct yl_validation *v, const struct alternatives *all)
{
    size_t n = 0, n_valid = 0, i;

    for (i = 0; i < all->n; i++) {
        struct yl_error faults = YL_ERROR_INIT;
        size_t passed;

        if (all->rules[i].op == YL_RULE_ALL_OF) {
            n++;
            n_valid += try_schema(v, all, i, &faults, &passed);
            take_causes(v, &faults);
            yl_error_clear(&faults);
        }
    }
    if (n_valid < n) {
        combined_fault(v, all->path, "must validate all the schemas (allOf)%s",
                       n_valid ? "" : ". None validated");
    }
}

/* Does the value match the schema of rule 'i'?  The faults go to 'faults'. */
static bool
try_schema(struct yl_validation *v, const struct alternatives *all, size_t i,
           struct yl_error *faults, size_t *ret_passed)
{
    struct yl_validation inner = *v;

    inner.err = faults;
    inner.n_passed = 0;
    walk_value(&inner, all->path, all->set, value_of(all->set, &all->rules[i]),
               all->node);
    *ret_passed = inner.n_passed;
    return !faults->n_causes;
}

static void
take_causes(struct yl_validation *v, const struct yl_error *faults)
{
    size_t i;

    for (i = 0; i < faults->n_causes; i++) {
        yl_error_add_cause(v->err, yl_str_c(faults->causes[i].reason),
                           yl_str_c(faults->causes[i].message),
                           yl_str_c(faults->causes[i].field));
    }
}

/* "\"spec.x\" FORMAT", which upstream reports without a field. */
static void
combined_fault(struct yl_validation *v, const struct yl_field_path *path,
               const char *format, ...)
{
    struct yl_buf name, text;
    va_list args;

    yl_buf_init(&name, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    yl_limits_write_name(&name, path);
    yl_bad_value_write(&text, yl_bad_string(yl_buf_str(&name)));
    yl_buf_append_char(&text, ' ');
    va_start(args, format);
    yl_buf_vprintf(&text, format, args);
    va_end(args);
    yl_field_invalid(v->err, v->opts->path, yl_bad_string(YL_STR("")), "%s",
                     yl_buf_c_str(&text));
    yl_buf_release(&name);
    yl_buf_release(&text);
}
