/* Validation of a tree.  See schema/validate.h for the contract.
 *
 * One walk by descriptors.  Schemas beside a value (allOf, anyOf, oneOf, not)
 * are values too, in the set itself if it was compiled; the text of those that
 * yuloh-gen has written is compiled first.  The recursion is as deep as the
 * tree plus the schemas, and both have readers that bound them.
 *
 * What has not changed is looked for only if something is wrong: then the walk
 * is done again, beside the old tree.  Once a value is known to differ from
 * the old one, so do all values around it; so no part of the tree is compared
 * more often than it is deep in lists that are maps. */

#include "schema/validate.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/correlate.h"
#include "schema/field_error.h"
#include "schema/keyword.h"
#include "schema/limits.h"
#include "schema/parsed.h"
#include "schema/shape.h"
#include "yuloh/error.h"
#include "yuloh/quantity.h"

/* What a value was before. */
struct before {
    struct before *around;      /* Of the value around it; NULL at the root. */
    const struct yl_node *old;
    bool differs;               /* Is it known to be another value? */
    bool indexed;               /* Is 'index' in use? */
    struct yl_correlate_index index;    /* Of 'old', a list that is a map. */
};

/* A value, and the rules of which some are its alternatives. */
struct alternatives {
    const struct yl_shape *shape;
    const struct yl_field_path *path;
    const struct yl_node *node;
};

static int run(const struct yl_shape *, const struct yl_node *root,
               const struct yl_validate_opts *, struct yl_error *);
static void take_causes(struct yl_error *, const struct yl_error *);
static void drop_repeats(struct yl_error *);
static void walk(struct yl_validation *, const struct yl_field_path *,
                 const struct yl_shape *, const struct yl_node *,
                 struct before *);
static void forgive(struct yl_validation *, const struct yl_shape *,
                    const struct yl_node *, struct before *, size_t n_causes);
static void walk_value(struct yl_validation *, const struct yl_field_path *,
                       const struct yl_type_set *, const struct yl_value *,
                       const struct yl_node *, struct before *around,
                       const struct yl_node *old);
static void walk_elements(struct yl_validation *, const struct yl_field_path *,
                          const struct yl_shape *, const struct yl_node *,
                          struct before *);
static const struct yl_node *old_element(struct yl_validation *,
                                         const struct yl_shape *,
                                         const struct yl_node *element,
                                         struct before *);
static void walk_members(struct yl_validation *, const struct yl_field_path *,
                         const struct yl_shape *, const struct yl_node *,
                         struct before *);
static const struct yl_node *old_member(const struct before *,
                                        struct yl_str name);
static void walk_others(struct yl_validation *, const struct yl_field_path *,
                        const struct yl_shape *, const struct yl_node *);
static void check_required(struct yl_validation *,
                           const struct yl_field_path *, struct yl_type_ref,
                           const struct yl_node *);
static void check_names(struct yl_validation *, const struct yl_field_path *,
                        const char *names, const struct yl_node *);
static void check_quantity(struct yl_validation *,
                           const struct yl_field_path *,
                           const struct yl_node *);
static void check_schemas(struct yl_validation *, const struct yl_field_path *,
                          const struct yl_shape *, const struct yl_node *);
static const struct yl_value *value_of(const struct yl_type_set *,
                                       const struct yl_rule *);
static void check_any_of(struct yl_validation *, const struct alternatives *,
                         enum yl_rule_op);
static void check_all_of(struct yl_validation *, const struct alternatives *);
static void walk_alternative(struct yl_validation *,
                             const struct alternatives *, size_t i);
static bool matches(const struct yl_validation *, const struct alternatives *,
                    size_t i, size_t *ret_passed);
static void combined_fault(struct yl_validation *,
                           const struct yl_field_path *, const char *format,
                           ...) YL_PRINTF(3, 4);

int
yl_validate(struct yl_type_ref type, const struct yl_node *root,
            const struct yl_validate_opts *opts, struct yl_error *err)
{
    struct yl_shape shape = yl_shape_of_type(type);

    return run(&shape, root, opts, err);
}

int
yl_validate_value(const struct yl_type_set *set, const struct yl_value *value,
                  const struct yl_node *root,
                  const struct yl_validate_opts *opts, struct yl_error *err)
{
    struct yl_shape shape = yl_shape_of_value(set, value);

    return run(&shape, root, opts, err);
}

static int
run(const struct yl_shape *shape, const struct yl_node *root,
    const struct yl_validate_opts *opts, struct yl_error *err)
{
    static const struct yl_validate_opts no_opts;
    struct yl_error faults = YL_ERROR_INIT;
    struct yl_arena arena;
    struct yl_parsed parsed;
    struct yl_validation v = { opts ? opts : &no_opts, &arena, &faults, 0, 0,
                               shape->kind == YL_VALUE_MAP, &parsed };
    int r;

    yl_arena_init(&arena);
    yl_arena_set_account(&arena, v.opts->account);
    yl_parsed_init(&parsed, &arena);
    walk(&v, v.opts->path, shape, root, NULL);
    if (faults.n_causes && v.opts->old) {
        struct before before = { .old = v.opts->old };

        yl_error_clear(&faults);
        walk(&v, v.opts->path, shape, root, &before);
        if (before.indexed) {
            yl_correlate_index_release(&before.index);
        }
    }
    r = yl_arena_check(&arena, err);
    if (r == 0 && faults.n_causes) {
        r = YL_EINVALID;
        drop_repeats(&faults);
        if (err) {
            err->code = err->code ? err->code : YL_EINVALID;
            take_causes(err, &faults);
        }
    }
    yl_error_clear(&faults);
    yl_parsed_release(&parsed);
    yl_arena_release(&arena);
    return r;
}

static void
take_causes(struct yl_error *err, const struct yl_error *faults)
{
    size_t i;

    for (i = 0; i < faults->n_causes; i++) {
        yl_error_add_cause(err, yl_str_c(faults->causes[i].reason),
                           yl_str_c(faults->causes[i].message),
                           yl_str_c(faults->causes[i].field));
    }
}

/* Drops causes that stand there already: several schemas of one value can find
 * the same fault. */
static void
drop_repeats(struct yl_error *err)
{
    struct yl_error once = YL_ERROR_INIT;
    size_t i, j;

    for (i = 0; i < err->n_causes; i++) {
        const struct yl_cause *cause = &err->causes[i];

        for (j = 0; j < once.n_causes; j++) {
            if (!strcmp(cause->field, once.causes[j].field)
                && !strcmp(cause->message, once.causes[j].message)) {
                break;
            }
        }
        if (j == once.n_causes) {
            yl_error_add_cause(&once, yl_str_c(cause->reason),
                               yl_str_c(cause->message),
                               yl_str_c(cause->field));
        }
    }
    once.code = err->code;
    yl_error_clear(err);
    *err = once;
}

/* Validates a value and all below it.  'before' is NULL if it has nothing that
 * it was. */
static void
walk(struct yl_validation *v, const struct yl_field_path *path,
     const struct yl_shape *shape, const struct yl_node *node,
     struct before *before)
{
    size_t n_causes = v->err ? v->err->n_causes : 0;
    struct yl_limits limits;

    yl_limits_read(&limits, shape->set, shape->kind, shape->flags,
                   shape->rules, shape->n_rules);
    if (v->opts->any_format) {
        yl_limits_keep_format(&limits, shape->set, shape->rules,
                              shape->n_rules);
    }
    yl_limits_check_type(v, &limits, path, node);
    if (node->type == YL_JSON_NULL) {
        yl_limits_check_enum(v, &limits, path, node);
    } else {
        /* One each for alternatives, enum and the end, and one more that the
         * alternatives count themselves. */
        v->n_passed += 4;
        check_schemas(v, path, shape, node);
        yl_limits_check_scalar(v, &limits, path, node);
        if (node->type == YL_JSON_ARRAY) {
            v->n_passed += 2;
            walk_elements(v, path, shape, node, before);
            walk_others(v, path, shape, node);
            yl_limits_check_items(v, &limits, path, node);
        }
        yl_limits_check_enum(v, &limits, path, node);
        if (node->type == YL_JSON_OBJECT) {
            v->n_passed++;
            yl_limits_check_members(v, &limits, path, node);
            walk_members(v, path, shape, node, before);
            walk_others(v, path, shape, node);
        }
        if (shape->kind == YL_VALUE_QUANTITY) {
            check_quantity(v, path, node);
        }
    }
    if (before && v->err && v->err->n_causes > n_causes) {
        forgive(v, shape, node, before, n_causes);
    }
}

/* Forgets the faults of a value, those behind the first 'n_causes', if it is
 * what it was. */
static void
forgive(struct yl_validation *v, const struct yl_shape *shape,
        const struct yl_node *node, struct before *before, size_t n_causes)
{
    if (before->differs) {
        return;
    }
    if (yl_correlate_same(v->arena, shape, node, before->old)) {
        yl_field_forget(v->err, n_causes);
        return;
    }
    for (; before; before = before->around) {
        before->differs = true;
    }
}

/* Validates a value whose description is a row.  'around' is what the value
 * around it was, 'old' what it was itself; NULL if it has no such. */
static void
walk_value(struct yl_validation *v, const struct yl_field_path *path,
           const struct yl_type_set *set, const struct yl_value *value,
           const struct yl_node *node, struct before *around,
           const struct yl_node *old)
{
    struct yl_shape shape = yl_shape_of_value(set, value);
    struct before before = { .around = around, .old = old };

    walk(v, path, &shape, node, old ? &before : NULL);
    if (before.indexed) {
        yl_correlate_index_release(&before.index);
    }
}

static void
walk_elements(struct yl_validation *v, const struct yl_field_path *parent,
              const struct yl_shape *shape, const struct yl_node *list,
              struct before *before)
{
    const struct yl_node *node;
    size_t i = 0;

    if (shape->kind != YL_VALUE_LIST) {
        return;
    }
    YL_NODE_FOR_EACH (node, list) {
        struct yl_field_path path = yl_field_index(parent, i++);

        walk_value(v, &path, shape->set, shape->element, node, before,
                   old_element(v, shape, node, before));
    }
}

/* What an element was before; NULL if it cannot be found. */
static const struct yl_node *
old_element(struct yl_validation *v, const struct yl_shape *shape,
            const struct yl_node *element, struct before *before)
{
    if (!before || shape->topology != YL_TOPOLOGY_MAP
        || yl_node_type(before->old) != YL_JSON_ARRAY) {
        return NULL;
    }
    if (!before->indexed) {
        before->indexed = true;
        yl_correlate_index_init(&before->index, v->arena, shape->list_keys,
                                before->old);
    }
    return yl_correlate_find(&before->index, element);
}

/* Validates the members of an object, and that those are there that must
 * be. */
static void
walk_members(struct yl_validation *v, const struct yl_field_path *parent,
             const struct yl_shape *shape, const struct yl_node *object,
             struct before *before)
{
    const struct yl_node *member;

    if (shape->kind == YL_VALUE_STRUCT
        && shape->type.type->rules != (size_t) (shape->rules
                                                - shape->set->rules)) {
        /* Only types that yuloh-gen has written have limits besides. */
        struct yl_shape type = yl_shape_of_type(shape->type);
        struct yl_limits limits;

        yl_limits_read(&limits, type.set, type.kind, type.flags, type.rules,
                       type.n_rules);
        yl_limits_check_members(v, &limits, parent, object);
    }
    if (shape->kind == YL_VALUE_STRUCT || shape->kind == YL_VALUE_MAP) {
        YL_NODE_FOR_EACH (member, object) {
            struct yl_str name = yl_node_key(member);
            struct yl_field_path path = yl_field_member(parent, name);
            const struct yl_value *value = yl_shape_member(shape, name);

            if (value) {
                walk_value(v, &path, yl_shape_set(shape), value, member,
                           before, old_member(before, name));
            }
        }
    }
    if (shape->kind == YL_VALUE_STRUCT) {
        check_required(v, parent, shape->type, object);
    }
}

/* What a member was before; NULL if it cannot be said.  The apiVersion and
 * kind of the root are those of the request, not of the old object. */
static const struct yl_node *
old_member(const struct before *before, struct yl_str name)
{
    if (!before || yl_node_type(before->old) != YL_JSON_OBJECT
        || (!before->around && (yl_str_equal_c(name, "apiVersion")
                                || yl_str_equal_c(name, "kind")))) {
        return NULL;
    }
    return yl_node_get(before->old, name);
}

/* Validates what is below a value by the keywords that do not go with its
 * kind (YL_RULE_ALSO): properties of a string, items of an object.
 * additionalProperties beside properties apply to the other members. */
static void
walk_others(struct yl_validation *v, const struct yl_field_path *parent,
            const struct yl_shape *shape, const struct yl_node *node)
{
    size_t i;

    for (i = 0; i < shape->n_rules; i++) {
        struct yl_shape also;
        const struct yl_node *member;

        if (shape->rules[i].op != YL_RULE_ALSO) {
            continue;
        }
        also = yl_shape_of_value(shape->set, value_of(shape->set,
                                                      &shape->rules[i]));
        if (node->type == YL_JSON_ARRAY) {
            walk_elements(v, parent, &also, node, NULL);
        } else if (also.kind == YL_VALUE_STRUCT) {
            walk_members(v, parent, &also, node, NULL);
        } else if (also.kind == YL_VALUE_MAP) {
            YL_NODE_FOR_EACH (member, node) {
                struct yl_str name = yl_node_key(member);
                struct yl_field_path path = yl_field_member(parent, name);

                if (!yl_shape_member(shape, name)) {
                    walk_value(v, &path, also.set, also.element, member, NULL,
                               NULL);
                }
            }
        }
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

        if (field->flags & YL_FIELD_REQUIRED && !yl_node_get(object, name)
            && yl_limits_found(v)) {
            struct yl_field_path path = yl_field_member(parent, name);

            yl_field_required(v->err, &path, NULL);
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
            && !yl_node_get(object, name) && yl_limits_found(v)) {
            struct yl_field_path path = yl_field_member(parent, name);

            yl_field_required(v->err, &path, NULL);
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
        || yl_quantity_parse(text, &quantity, NULL) == 0
        || !yl_limits_found(v)) {
        return;
    }
    yl_buf_init(&name, SIZE_MAX);
    yl_limits_write_name(&name, v, path);
    yl_field_invalid(v->err, path, yl_bad_string(text),
                     "%s in body should match '" YL_QUANTITY_PATTERN "'",
                     yl_buf_c_str(&name));
    yl_buf_release(&name);
}

/* Validates against the schemas among the rules of a value, in the order of
 * the messages. */
static void
check_schemas(struct yl_validation *v, const struct yl_field_path *path,
              const struct yl_shape *shape, const struct yl_node *node)
{
    struct alternatives all = { shape, path, node };
    size_t passed, i;

    for (i = 0; i < shape->n_rules; i++) {
        const struct yl_rule *rule = &shape->rules[i];

        if (rule->op == YL_RULE_SCHEMA && rule->number == 0) {
            const struct yl_schema *schema = yl_parsed_schema(
                v->parsed, yl_type_set_text(shape->set, rule->text));

            if (schema) {
                walk_value(v, path, yl_schema_type(schema).set,
                           yl_schema_value(schema), node, NULL, NULL);
            }
        } else if (rule->op < YL_RULE_ANY_OF || rule->op > YL_RULE_NOT
                   || (i > 0 && shape->rules[i - 1].op == rule->op)) {
            continue;
        } else if (rule->op == YL_RULE_ALL_OF) {
            check_all_of(v, &all);
        } else if (rule->op == YL_RULE_NOT) {
            if (matches(v, &all, i, &passed)) {
                combined_fault(v, path, "must not validate the schema (not)");
            }
        } else {
            check_any_of(v, &all, (enum yl_rule_op) rule->op);
        }
    }
}

static const struct yl_value *
value_of(const struct yl_type_set *set, const struct yl_rule *rule)
{
    return &set->values[(size_t) rule->number];
}

/* Checks that at least one of the schemas matches, or exactly one.  If none
 * does, the faults of the one that came closest are reported too: for that it
 * is tried again. */
static void
check_any_of(struct yl_validation *v, const struct alternatives *all,
             enum yl_rule_op op)
{
    size_t n_valid = 0, n_passed = 0, best = SIZE_MAX, i;
    bool one = op == YL_RULE_ONE_OF;

    for (i = 0; i < all->shape->n_rules && (one || n_valid == 0); i++) {
        size_t passed;

        if (all->shape->rules[i].op != op) {
            continue;
        } else if (matches(v, all, i, &passed)) {
            n_passed = n_valid++ ? n_passed : passed;
        } else if (n_valid == 0 && (best == SIZE_MAX || passed > n_passed)) {
            best = i;
            n_passed = passed;
        }
    }
    if (n_valid == 0) {
        combined_fault(v, all->path, "%s", one
                       ? "must validate one and only one schema (oneOf). "
                         "Found none valid"
                       : "must validate at least one schema (anyOf)");
        walk_alternative(v, all, best);
        return;
    } else if (one && n_valid > 1) {
        combined_fault(v, all->path, "must validate one and only one schema "
                       "(oneOf). Found %zu valid alternatives", n_valid);
        return;
    }
    v->n_passed += n_passed;
}

static void
check_all_of(struct yl_validation *v, const struct alternatives *all)
{
    size_t n = 0, n_valid = 0, i;

    for (i = 0; i < all->shape->n_rules; i++) {
        size_t n_faults = v->n_faults;

        if (all->shape->rules[i].op == YL_RULE_ALL_OF) {
            walk_alternative(v, all, i);
            n++;
            n_valid += v->n_faults == n_faults;
        }
    }
    if (n_valid < n) {
        combined_fault(v, all->path, "must validate all the schemas (allOf)%s",
                       n_valid ? "" : ". None validated");
    }
}

/* Validates the value against the schema of rule 'i'. */
static void
walk_alternative(struct yl_validation *v, const struct alternatives *all,
                 size_t i)
{
    const struct yl_shape *shape = all->shape;

    walk_value(v, all->path, shape->set,
               value_of(shape->set, &shape->rules[i]), all->node, NULL, NULL);
}

/* Does the value match the schema of rule 'i'? */
static bool
matches(const struct yl_validation *v, const struct alternatives *all,
        size_t i, size_t *ret_passed)
{
    struct yl_validation inner = *v;

    inner.err = NULL;
    inner.n_faults = inner.n_passed = 0;
    walk_alternative(&inner, all, i);
    *ret_passed = inner.n_passed;
    return inner.n_faults == 0;
}

/* "\"spec.x\" FORMAT", which upstream reports without a field. */
static void
combined_fault(struct yl_validation *v, const struct yl_field_path *path,
               const char *format, ...)
{
    struct yl_buf name, text;
    va_list args;

    if (!yl_limits_found(v)) {
        return;
    }
    yl_buf_init(&name, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    yl_limits_write_name(&name, v, path);
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
