#ifndef SCHEMA_SHAPE_H
#define SCHEMA_SHAPE_H 1

/* What a walk over a custom resource needs to know of one value, whether it is
 * a row of the values or the type of the root: the root has no row. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/schema.h"

struct yl_shape {
    const struct yl_type_set *set;
    enum yl_value_kind kind;
    unsigned flags;             /* enum yl_value_flags. */
    enum yl_topology topology;  /* Of a list or map. */
    const char *list_keys;      /* Of a list that is a map: "name". */
    struct yl_type_ref type;    /* Of a struct. */
    const struct yl_value *element;     /* Of a list or map. */
    const struct yl_rule *rules;
    size_t n_rules;
};

static inline struct yl_shape
yl_shape_of_value(const struct yl_type_set *set, const struct yl_value *value)
{
    struct yl_shape shape = {
        .set = set,
        .kind = (enum yl_value_kind) value->kind,
        .flags = value->flags,
        .topology = (enum yl_topology) value->topology,
        .list_keys = yl_type_set_text(set, value->list_keys),
        .element = &set->values[value->element],
        .rules = &set->rules[value->rules],
        .n_rules = value->n_rules,
    };

    if (value->kind == YL_VALUE_STRUCT) {
        shape.type = yl_value_type(set, value);
        shape.flags |= shape.type.type->flags
                       & (YL_VALUE_PRESERVE | YL_VALUE_OPEN);
    }
    return shape;
}

/* The root of an object. */
static inline struct yl_shape
yl_shape_of_type(struct yl_type_ref type)
{
    struct yl_shape shape = {
        .set = type.set,
        .kind = YL_VALUE_STRUCT,
        .flags = type.type->flags,
        .list_keys = "",
        .type = type,
        .rules = &type.set->rules[type.type->rules],
        .n_rules = type.type->n_rules,
    };

    return shape;
}

/* What member 'name' of an object of this shape, or an element of a list,
 * should be; NULL if the schema does not say. */
static inline const struct yl_value *
yl_shape_member(const struct yl_shape *shape, struct yl_str name)
{
    const struct yl_field *field;

    if (shape->kind == YL_VALUE_STRUCT) {
        field = yl_type_field(shape->type, name);
        return field ? &shape->type.set->values[field->value] : NULL;
    }
    return shape->kind == YL_VALUE_MAP ? shape->element : NULL;
}

/* Does the schema say anything of such values?  Of the other members of an
 * object it can say no more than that they are allowed. */
static inline bool
yl_shape_is_described(const struct yl_value *value)
{
    return value->flags & YL_VALUE_PRESERVE
           || (value->kind != YL_VALUE_RAW
               && !(value->kind == YL_VALUE_STRUCT
                    && value->flags & YL_VALUE_UNTYPED));
}

/* The set of those values. */
static inline const struct yl_type_set *
yl_shape_set(const struct yl_shape *shape)
{
    return shape->kind == YL_VALUE_STRUCT ? shape->type.set : shape->set;
}

#endif /* schema/shape.h */
