/* Pruning.  See schema/prune.h for the contract.
 *
 * The recursion is as deep as the tree, whose depth its parser bounds. */

#include "schema/prune.h"

#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/strict.h"

static void prune_struct(struct yl_strict *, const struct yl_field_path *,
                         struct yl_type_ref, bool preserve, struct yl_node *);
static void prune_value(struct yl_strict *, const struct yl_field_path *,
                        const struct yl_type_set *, const struct yl_value *,
                        bool preserve, struct yl_node *);
static void prune_elements(struct yl_strict *, const struct yl_field_path *,
                           const struct yl_type_set *, const struct yl_value *,
                           struct yl_node *);
static void prune_undescribed(struct yl_strict *, const struct yl_field_path *,
                              struct yl_node *);
static void report_repeats(struct yl_strict *, const struct yl_field_path *,
                           const struct yl_node *);
static void report_all_repeats(struct yl_strict *,
                               const struct yl_field_path *,
                               const struct yl_node *);
static void nulls_of_struct(struct yl_type_ref, struct yl_node *);
static void nulls_of_value(const struct yl_type_set *, const struct yl_value *,
                           struct yl_node *);
static bool is_meta(struct yl_str name);

void
yl_prune(struct yl_type_ref type, struct yl_node *root,
         struct yl_strict *strict)
{
    prune_struct(strict, NULL, type, false, root);
}

void
yl_prune_nulls(struct yl_type_ref type, struct yl_node *root)
{
    nulls_of_struct(type, root);
}

static void
prune_struct(struct yl_strict *strict, const struct yl_field_path *parent,
             struct yl_type_ref type, bool preserve, struct yl_node *object)
{
    struct yl_node *member, *next;
    bool resource = !parent || type.type->flags & YL_VALUE_RESOURCE;

    preserve |= (type.type->flags & YL_VALUE_PRESERVE) != 0;
    if (yl_node_type(object) != YL_JSON_OBJECT) {
        if (type.type->flags & YL_VALUE_UNTYPED && !preserve) {
            prune_undescribed(strict, parent, object);
        } else {
            report_all_repeats(strict, parent, object);
        }
        return;
    }
    report_repeats(strict, parent, object);
    YL_NODE_FOR_EACH_SAFE (member, next, object) {
        struct yl_str name = yl_node_key(member);
        struct yl_field_path path = yl_field_member(parent, name);
        const struct yl_field *field = yl_type_field(type, name);

        if (resource && is_meta(name)) {
            report_all_repeats(strict, &path, member);
        } else if (field) {
            prune_value(strict, &path, type.set,
                        &type.set->values[field->value], false, member);
        } else if (preserve) {
            report_all_repeats(strict, &path, member);
        } else {
            yl_strict_unknown(strict, parent, name);
            yl_node_detach(member);
        }
    }
}

static void
prune_value(struct yl_strict *strict, const struct yl_field_path *path,
            const struct yl_type_set *set, const struct yl_value *value,
            bool preserve, struct yl_node *node)
{
    if (value->kind == YL_VALUE_STRUCT) {
        prune_struct(strict, path, yl_value_type(set, value),
                     preserve || value->flags & YL_VALUE_PRESERVE, node);
    } else if (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP) {
        prune_elements(strict, path, set, value, node);
    } else if (value->kind == YL_VALUE_RAW
               || value->kind == YL_VALUE_EMBEDDED
               || value->flags & YL_VALUE_PRESERVE) {
        report_all_repeats(strict, path, node);
    } else if (yl_node_type(node) == YL_JSON_OBJECT) {
        /* The schema has a scalar here, so it describes no member of the
         * object. */
        prune_undescribed(strict, path, node);
    }
}

static void
prune_elements(struct yl_strict *strict, const struct yl_field_path *parent,
               const struct yl_type_set *set, const struct yl_value *value,
               struct yl_node *list)
{
    const struct yl_value *element = &set->values[value->element];
    bool is_list = value->kind == YL_VALUE_LIST;
    bool preserve = value->flags & YL_VALUE_PRESERVE;
    struct yl_node *node;
    size_t i = 0;

    if (yl_node_type(list) != (is_list ? YL_JSON_ARRAY : YL_JSON_OBJECT)) {
        if (value->flags & YL_VALUE_UNTYPED && !preserve) {
            prune_undescribed(strict, parent, list);
        } else {
            report_all_repeats(strict, parent, list);
        }
        return;
    }
    report_repeats(strict, parent, list);
    YL_NODE_FOR_EACH (node, list) {
        struct yl_field_path path = is_list
                                    ? yl_field_index(parent, i++)
                                    : yl_field_member(parent,
                                                      yl_node_key(node));

        prune_value(strict, &path, set, element, is_list && preserve, node);
    }
}

/* Removes the members of every object in a value that the schema does not
 * describe. */
static void
prune_undescribed(struct yl_strict *strict, const struct yl_field_path *parent,
                  struct yl_node *node)
{
    struct yl_node *child, *next;
    size_t i = 0;

    if (node->type == YL_JSON_OBJECT) {
        report_repeats(strict, parent, node);
    }
    YL_NODE_FOR_EACH_SAFE (child, next, node) {
        if (node->type == YL_JSON_OBJECT) {
            yl_strict_unknown(strict, parent, yl_node_key(child));
            yl_node_detach(child);
        } else {
            struct yl_field_path path = yl_field_index(parent, i++);

            prune_undescribed(strict, &path, child);
        }
    }
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
nulls_of_struct(struct yl_type_ref type, struct yl_node *object)
{
    struct yl_node *member, *next;

    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (member, next, object) {
        const struct yl_field *field = yl_type_field(type,
                                                     yl_node_key(member));
        const struct yl_value *value;

        if (!field) {
            continue;
        }
        value = &type.set->values[field->value];
        if (member->type == YL_JSON_NULL && !field->default_
            && !(value->flags & YL_VALUE_NULLABLE)
            && value->kind != YL_VALUE_RAW) {
            yl_node_detach(member);
        } else {
            nulls_of_value(type.set, value, member);
        }
    }
}

static void
nulls_of_value(const struct yl_type_set *set, const struct yl_value *value,
               struct yl_node *node)
{
    struct yl_node *child;

    if (value->kind == YL_VALUE_STRUCT) {
        nulls_of_struct(yl_value_type(set, value), node);
    } else if (value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP) {
        YL_NODE_FOR_EACH (child, node) {
            nulls_of_value(set, &set->values[value->element], child);
        }
    }
}

static bool
is_meta(struct yl_str name)
{
    return yl_str_equal_c(name, "apiVersion") || yl_str_equal_c(name, "kind")
           || yl_str_equal_c(name, "metadata");
}
