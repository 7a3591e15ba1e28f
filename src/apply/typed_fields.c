/* All fields of an object, and sets that follow a schema.  See apply/typed.h
 * for the contract. */

#include "apply/typed.h"

#include "apply/field_set_build.h"
#include "apply/items.h"
#include "apply/shape.h"
#include "base/arena.h"
#include "json/tree.h"

static bool fields_of(struct yl_arena *, const struct yl_shape *,
                      const struct yl_node *,
                      const struct yl_field_set **ret_below);
static const struct yl_field_set *fields_of_map(struct yl_arena *,
                                                const struct yl_shape *,
                                                const struct yl_node *);
static const struct yl_field_set *fields_of_list(struct yl_arena *,
                                                 const struct yl_shape *,
                                                 const struct yl_node *);
static const struct yl_field_set *with_structs(struct yl_arena *,
                                               const struct yl_shape *,
                                               const struct yl_field_set *);
static const struct yl_field_set *reconcile(struct yl_arena *,
                                            const struct yl_shape *,
                                            const struct yl_field_set *);
static bool is_deduced(const struct yl_shape *);
static struct yl_shape reconciled_below(const struct yl_shape *,
                                        const struct yl_path_element *);
static struct yl_shape shape_below(const struct yl_shape *,
                                   const struct yl_path_element *,
                                   bool *ret_declared);

const struct yl_field_set *
yl_typed_fields(struct yl_arena *arena, struct yl_typed_as as,
                const struct yl_node *object)
{
    struct yl_shape shape = yl_shape_root(as);
    const struct yl_field_set *set = NULL;

    if (object) {
        (void) fields_of(arena, &shape, object, &set);
    }
    return set;
}

const struct yl_field_set *
yl_typed_with_structs(struct yl_arena *arena, struct yl_typed_as as,
                      const struct yl_field_set *set)
{
    struct yl_shape shape = yl_shape_root(as);

    return with_structs(arena, &shape, set);
}

const struct yl_field_set *
yl_typed_reconcile(struct yl_arena *arena, struct yl_typed_as as,
                   const struct yl_field_set *set)
{
    struct yl_shape shape = yl_shape_root(as);

    return is_deduced(&shape) ? set : reconcile(arena, &shape, set);
}

/* The fields of a value: whether it is one itself, and those below it. */
static bool
fields_of(struct yl_arena *arena, const struct yl_shape *shape,
          const struct yl_node *node, const struct yl_field_set **ret_below)
{
    *ret_below = NULL;
    switch (yl_shape_case(shape, node, NULL)) {
    case YL_CASE_MAP:
        if (shape->map == YL_MAP_ATOMIC) {
            return true;
        } else if (yl_node_type(node) == YL_JSON_OBJECT) {
            *ret_below = fields_of_map(arena, shape, node);
        }
        return false;

    case YL_CASE_LIST:
        if (shape->list == YL_LIST_ATOMIC) {
            return true;
        } else if (yl_node_type(node) == YL_JSON_ARRAY) {
            *ret_below = fields_of_list(arena, shape, node);
        }
        return false;

    case YL_CASE_SCALAR:
    case YL_CASE_NONE:
    default:
        return true;
    }
}

static const struct yl_field_set *
fields_of_map(struct yl_arena *arena, const struct yl_shape *shape,
              const struct yl_node *object)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    const struct yl_node *member;
    size_t hint = 0;

    YL_NODE_FOR_EACH (member, object) {
        const struct yl_node *node = yl_shape_sent(member);
        struct yl_str key = yl_node_key(member);
        const struct yl_field_set *below;
        struct yl_shape inner;
        bool declared, self;

        if (yl_arena_is_over(arena)) {
            break;
        }
        inner = yl_shape_member(shape, key, &hint, &declared);
        self = fields_of(arena, &inner, node, &below);

        /* The keys of a map are fields; those of a struct only if there is
         * nothing below them that could be one. */
        self |= !declared || node->type == YL_JSON_NULL
                || (node->type == YL_JSON_OBJECT && !node->n);
        yl_field_level_add(&level, yl_path_field(key), self, below);
    }
    return yl_field_level_end(&level);
}

static const struct yl_field_set *
fields_of_list(struct yl_arena *arena, const struct yl_shape *shape,
               const struct yl_node *list)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    struct yl_item *items = yl_arena_alloc(arena, list->n * sizeof *items);
    struct yl_shape inner = yl_shape_item(shape);
    size_t n = yl_items_add(arena, shape, list, 0, items, NULL);
    size_t i, equals;

    yl_items_sort(items, n);
    for (i = 0; i < n && !yl_arena_is_over(arena); i += equals) {
        const struct yl_field_set *below = NULL;

        /* Items that are repeated are owned as one field. */
        equals = yl_items_equal(items, n, i);
        if (equals == 1) {
            (void) fields_of(arena, &inner, items[i].node, &below);
        }
        yl_field_level_add(&level, items[i].element, true, below);
    }
    return yl_field_level_end(&level);
}

static const struct yl_field_set *
with_structs(struct yl_arena *arena, const struct yl_shape *shape,
             const struct yl_field_set *set)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    size_t i;

    for (i = 0; set && i < set->n && !yl_arena_is_over(arena); i++) {
        const struct yl_field_item *item = &set->items[i];
        const struct yl_field_set *below = NULL;
        bool declared = false;

        if (item->below) {
            struct yl_shape inner = shape_below(shape, &item->element,
                                                &declared);

            below = with_structs(arena, &inner, item->below);
        }
        yl_field_level_add(&level, item->element, item->member || declared,
                           below);
    }
    return yl_field_level_end(&level);
}

/* 'set' as it is, or a new level if something in or below it has changed. */
static const struct yl_field_set *
reconcile(struct yl_arena *arena, const struct yl_shape *shape,
          const struct yl_field_set *set)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    bool changed = false;
    size_t i, j;

    for (i = 0; set && i < set->n && !yl_arena_is_over(arena); i++) {
        const struct yl_field_item *item = &set->items[i];
        const struct yl_field_set *below = item->below;
        bool member = item->member;

        if (below) {
            struct yl_shape inner = reconciled_below(shape, &item->element);

            switch (yl_shape_case(&inner, NULL, NULL)) {
            case YL_CASE_MAP:
                if (is_deduced(&inner)) {
                    break;
                } else if (inner.map != YL_MAP_ATOMIC) {
                    below = reconcile(arena, &inner, below);
                } else {
                    below = NULL;
                    member = true;
                }
                break;

            case YL_CASE_LIST:
                if (inner.list != YL_LIST_ATOMIC) {
                    below = reconcile(arena, &inner, below);
                } else {
                    below = NULL;
                    member = true;
                }
                break;

            case YL_CASE_SCALAR:
            case YL_CASE_NONE:
            default:
                break;
            }
        }
        if (!changed && (below != item->below || member != item->member)) {
            changed = true;
            for (j = 0; j < i; j++) {
                yl_field_level_add(&level, set->items[j].element,
                                   set->items[j].member,
                                   set->items[j].below);
            }
        }
        if (changed) {
            yl_field_level_add(&level, item->element, member, below);
        }
    }
    return changed ? yl_field_level_end(&level) : set;
}

/* Is it a map of which nothing is known, or only that it has scalars?
 * Upstream does not reconcile those, even if they are atomic. */
static bool
is_deduced(const struct yl_shape *shape)
{
    struct yl_shape other;
    bool declared;

    if (shape->type && (shape->type->n_fields || shape->resource)) {
        return false;
    }
    if (!shape->other) {
        return shape->other_rest == YL_REST_DEDUCED;
    }
    other = yl_shape_member(shape, YL_STR(""), NULL, &declared);
    return other.scalar == YL_SHAPE_SCALAR
           && shape->other->kind != YL_VALUE_QUANTITY;
}

/* The shape of what an element leads to, if the container may have changed
 * from a list to a map or back since the set was written: what it is now
 * counts, not what the element says. */
static struct yl_shape
reconciled_below(const struct yl_shape *shape,
                 const struct yl_path_element *element)
{
    bool declared;

    if (!shape->map) {
        return yl_shape_item(shape);
    }
    return yl_shape_member(shape, element->kind == YL_PATH_FIELD
                                      ? yl_path_element_text(element)
                                      : YL_STR(""), NULL, &declared);
}

/* The shape of what an element of a path leads to. */
static struct yl_shape
shape_below(const struct yl_shape *shape,
            const struct yl_path_element *element, bool *ret_declared)
{
    static const struct yl_shape none;

    *ret_declared = false;
    if (element->kind == YL_PATH_FIELD && shape->map) {
        return yl_shape_member(shape, yl_path_element_text(element), NULL,
                               ret_declared);
    } else if (element->kind != YL_PATH_FIELD && shape->list) {
        return yl_shape_item(shape);
    }
    return none;
}
