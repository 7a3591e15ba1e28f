/* Pruning.  See schema/prune.h for the contract.
 *
 * The recursion is as deep as the tree, whose depth its parser bounds. */

#include "schema/prune.h"

#include <stdlib.h>
#include <string.h>

#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/shape.h"
#include "schema/strict.h"

static void prune(struct yl_strict *, const struct yl_field_path *,
                  const struct yl_shape *, struct yl_node *);
static void prune_members(struct yl_strict *, const struct yl_field_path *,
                          const struct yl_shape *, struct yl_node *);
static void prune_elements(struct yl_strict *, const struct yl_field_path *,
                           const struct yl_shape *, struct yl_node *);
static int compare_unknown(const void *, const void *);
static bool is_preserved(const struct yl_shape *);
static void report_repeats(struct yl_strict *, const struct yl_field_path *,
                           const struct yl_node *);
static void report_all_repeats(struct yl_strict *,
                               const struct yl_field_path *,
                               const struct yl_node *);
static void remove_nulls(const struct yl_shape *, struct yl_node *);
static bool is_allowed_null(const struct yl_shape *, struct yl_str name,
                            const struct yl_value *);
static bool has_default(const struct yl_type_set *, const struct yl_value *);
static bool is_meta(struct yl_str name);

void
yl_prune(struct yl_type_ref type, struct yl_node *root,
         struct yl_strict *strict)
{
    struct yl_shape shape = yl_shape_of_type(type);

    shape.flags |= YL_VALUE_RESOURCE;
    if (strict) {
        size_t n = strict->n_errors;

        prune(strict, NULL, &shape, root);
        n = yl_strict_put_repeats_first(strict, n);
        qsort(&strict->errors[n], strict->n_errors - n,
              sizeof *strict->errors, compare_unknown);
    } else {
        prune(NULL, NULL, &shape, root);
    }
}

void
yl_prune_nulls(struct yl_type_ref type, struct yl_node *root)
{
    struct yl_shape shape = yl_shape_of_type(type);

    remove_nulls(&shape, root);
}

/* Compares "unknown field \"PATH\"" by the paths, without the last quote. */
static int
compare_unknown(const void *a_, const void *b_)
{
    const struct yl_str *a = a_, *b = b_;

    return yl_str_compare(yl_str_n(a->data, a->size - 1),
                          yl_str_n(b->data, b->size - 1));
}

/* Prunes a value.  A NULL shape describes nothing. */
static void
prune(struct yl_strict *strict, const struct yl_field_path *path,
      const struct yl_shape *shape, struct yl_node *node)
{
    if (yl_node_type(node) == YL_JSON_OBJECT) {
        report_repeats(strict, path, node);
        prune_members(strict, path, shape, node);
    } else if (yl_node_type(node) == YL_JSON_ARRAY) {
        prune_elements(strict, path, shape, node);
    }
}

static void
prune_members(struct yl_strict *strict, const struct yl_field_path *parent,
              const struct yl_shape *shape, struct yl_node *object)
{
    bool resource = shape && shape->flags & YL_VALUE_RESOURCE;
    struct yl_node *member, *next;

    YL_NODE_FOR_EACH_SAFE (member, next, object) {
        struct yl_str name = yl_node_key(member);
        struct yl_field_path path = yl_field_member(parent, name);
        const struct yl_value *value = shape ? yl_shape_member(shape, name)
                                             : NULL;

        if (resource && is_meta(name)) {
            report_all_repeats(strict, &path, member);
        } else if (value) {
            struct yl_shape below =
                yl_shape_of_value(yl_shape_set(shape), value);

            prune(strict, &path, &below, member);
        } else if (shape && shape->flags & YL_VALUE_OPEN) {
            prune(strict, &path, NULL, member);
        } else if (shape && is_preserved(shape)) {
            report_all_repeats(strict, &path, member);
        } else {
            yl_strict_unknown(strict, parent, name);
            yl_node_detach(member);
        }
    }
}

static void
prune_elements(struct yl_strict *strict, const struct yl_field_path *parent,
               const struct yl_shape *shape, struct yl_node *list)
{
    bool described = shape && shape->kind == YL_VALUE_LIST;
    bool preserved = shape && is_preserved(shape);
    struct yl_shape below;
    struct yl_node *node;
    size_t i = 0;

    if (described) {
        below = yl_shape_of_value(shape->set, shape->element);
        below.flags |= preserved ? YL_VALUE_PRESERVE : 0;
    }
    YL_NODE_FOR_EACH (node, list) {
        struct yl_field_path path = yl_field_index(parent, i++);

        if (preserved && !described) {
            report_all_repeats(strict, &path, node);
        } else {
            prune(strict, &path, described ? &below : NULL, node);
        }
    }
}

static bool
is_preserved(const struct yl_shape *shape)
{
    return shape->flags & YL_VALUE_PRESERVE || shape->kind == YL_VALUE_RAW
           || shape->kind == YL_VALUE_EMBEDDED;
}

static void
report_repeats(struct yl_strict *strict, const struct yl_field_path *path,
               const struct yl_node *object)
{
    const struct yl_strict_repeat *repeat;

    if (strict && object->flags & YL_NODE_MERGED) {
        for (repeat = yl_strict_repeats(strict, object); repeat;
             repeat = repeat->next) {
            yl_strict_duplicate(strict, path, repeat->key);
        }
    }
}

/* Reports the repeated members of a value that is not pruned. */
static void
report_all_repeats(struct yl_strict *strict,
                   const struct yl_field_path *parent,
                   const struct yl_node *node)
{
    const struct yl_node *child;
    size_t i = 0;

    if (!strict || yl_map_is_empty(&strict->repeated)) {
        return;
    }
    report_repeats(strict, parent, node);
    YL_NODE_FOR_EACH (child, node) {
        struct yl_field_path path = node->type == YL_JSON_ARRAY
                                    ? yl_field_index(parent, i++)
                                    : yl_field_member(parent,
                                                      yl_node_key(child));

        report_all_repeats(strict, &path, child);
    }
}

static void
remove_nulls(const struct yl_shape *shape, struct yl_node *node)
{
    struct yl_node *child, *next;
    struct yl_shape below;

    if (yl_node_type(node) == YL_JSON_ARRAY && shape->kind == YL_VALUE_LIST) {
        below = yl_shape_of_value(shape->set, shape->element);
        YL_NODE_FOR_EACH (child, node) {
            remove_nulls(&below, child);
        }
    } else if (yl_node_type(node) == YL_JSON_OBJECT) {
        YL_NODE_FOR_EACH_SAFE (child, next, node) {
            struct yl_str name = yl_node_key(child);
            const struct yl_value *value = yl_shape_member(shape, name);

            if (!value) {
                continue;
            } else if (child->type == YL_JSON_NULL) {
                if (!is_allowed_null(shape, name, value)) {
                    yl_node_detach(child);
                }
            } else {
                below = yl_shape_of_value(yl_shape_set(shape), value);
                remove_nulls(&below, child);
            }
        }
    }
}

/* May member 'name' of an object of this shape, a 'value', be null? */
static bool
is_allowed_null(const struct yl_shape *shape, struct yl_str name,
                const struct yl_value *value)
{
    const struct yl_field *field;

    if (value->flags & YL_VALUE_NULLABLE || !yl_shape_is_described(value)) {
        return true;
    }
    field = shape->kind == YL_VALUE_STRUCT ? yl_type_field(shape->type, name)
                                           : NULL;
    return field ? field->default_ : has_default(shape->set, value);
}

static bool
has_default(const struct yl_type_set *set, const struct yl_value *value)
{
    size_t i;

    for (i = 0; i < value->n_rules; i++) {
        if (set->rules[value->rules + i].op == YL_RULE_DEFAULT) {
            return true;
        }
    }
    return false;
}

static bool
is_meta(struct yl_str name)
{
    return yl_str_equal_c(name, "apiVersion") || yl_str_equal_c(name, "kind")
           || yl_str_equal_c(name, "metadata");
}
