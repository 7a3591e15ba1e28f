/* Removing fields from an object, and extracting them.  See apply/typed.h for
 * the contract. */

#include "apply/typed.h"

#include "apply/field_set_build.h"
#include "apply/shape.h"
#include "base/arena.h"
#include "json/tree.h"

/* One walk, which either removes or extracts. */
struct walk {
    struct yl_arena *arena;
    bool extract;
};

static const struct yl_node *walk_value(const struct walk *,
                                        const struct yl_shape *,
                                        const struct yl_node *,
                                        const struct yl_field_set *);
static const struct yl_node *walk_list(const struct walk *,
                                       const struct yl_shape *,
                                       const struct yl_node *,
                                       const struct yl_field_set *);
static const struct yl_node *walk_map(const struct walk *,
                                      const struct yl_shape *,
                                      const struct yl_node *,
                                      const struct yl_field_set *);
static struct yl_node *own(struct yl_arena *, const struct yl_node *left);
static const struct yl_field_set *with_keys(struct yl_arena *,
                                            const struct yl_field_set *set,
                                            const struct yl_field_set *fields,
                                            bool *ret_any);
static const struct yl_field_set *keys_of(struct yl_arena *,
                                          const struct yl_path_element *);

const struct yl_node *
yl_typed_remove(struct yl_arena *arena, struct yl_typed_as as,
                const struct yl_node *object, const struct yl_field_set *set)
{
    struct yl_shape shape = yl_shape_root(as);
    struct walk walk = { arena, false };

    if (!object || !object->n || yl_field_set_is_empty(set)) {
        return object;
    }
    return walk_value(&walk, &shape, object, set);
}

const struct yl_node *
yl_typed_extract(struct yl_arena *arena, struct yl_typed_as as,
                 const struct yl_node *object, const struct yl_field_set *set,
                 bool keys)
{
    struct yl_shape shape = yl_shape_root(as);
    struct walk walk = { arena, true };

    if (!object) {
        return NULL;
    }
    if (keys) {
        bool any;

        set = with_keys(arena, set, yl_typed_fields(arena, as, object), &any);
    }
    return walk_value(&walk, &shape, object, set);
}

/* The value after the walk: 'node' itself if nothing is different, NULL if
 * nothing is left. */
static const struct yl_node *
walk_value(const struct walk *walk, const struct yl_shape *shape,
           const struct yl_node *node, const struct yl_field_set *set)
{
    if (yl_arena_is_over(walk->arena)) {
        return node;
    }
    switch (yl_shape_case(shape, node, NULL)) {
    case YL_CASE_SCALAR:
        return node;

    case YL_CASE_LIST:
        if (yl_node_type(node) != YL_JSON_ARRAY) {
            return NULL;
        } else if (!node->n || shape->list == YL_LIST_ATOMIC) {
            return walk->extract ? node : NULL;
        }
        return walk_list(walk, shape, node, set);

    case YL_CASE_MAP:
        if (yl_node_type(node) != YL_JSON_OBJECT) {
            return NULL;
        } else if (!node->n || shape->map == YL_MAP_ATOMIC) {
            return walk->extract ? node : NULL;
        }
        return walk_map(walk, shape, node, set);

    case YL_CASE_NONE:
    default:
        return NULL;
    }
}

static const struct yl_node *
walk_list(const struct walk *walk, const struct yl_shape *shape,
          const struct yl_node *list, const struct yl_field_set *set)
{
    struct yl_shape inner = yl_shape_item(shape);
    struct yl_node *out = NULL;
    const struct yl_node *node, *earlier;

    YL_NODE_FOR_EACH (node, list) {
        const struct yl_field_item *item = NULL;
        struct yl_path_element element;
        const struct yl_node *left = node;
        bool stays;

        if (yl_shape_element(walk->arena, shape, node, &element, NULL) == 0) {
            item = yl_field_set_find(set, &element);
        }
        stays = walk->extract ? item != NULL : !item || !item->member;
        if (stays && item && item->below) {
            left = walk_value(walk, &inner, node, item->below);
        }
        if (!out && (!stays || left != node)) {
            out = yl_node_new_array(walk->arena);
            for (earlier = list->first; earlier != node;
                 earlier = earlier->next) {
                yl_node_append(out, yl_node_copy(walk->arena, earlier));
            }
        }
        if (out && stays) {
            yl_node_append(out, own(walk->arena, left));
        }
    }
    return !out ? list : out->n ? out : NULL;
}

static const struct yl_node *
walk_map(const struct walk *walk, const struct yl_shape *shape,
         const struct yl_node *object, const struct yl_field_set *set)
{
    struct yl_node *out = NULL;
    const struct yl_node *node, *earlier;
    size_t hint = 0;

    YL_NODE_FOR_EACH (node, object) {
        struct yl_path_element element = yl_path_field(yl_node_key(node));
        const struct yl_field_item *item = yl_field_set_find(set, &element);
        const struct yl_node *left = node;
        bool stays = walk->extract ? item != NULL : !item || !item->member;

        if (stays && item) {
            bool declared;
            struct yl_shape inner = yl_shape_member(
                shape, yl_node_key(node), &hint, &declared);

            /* A member that is extracted itself is filtered by the set around
             * it.  That is upstream's oddity: callers pass leaves. */
            left = walk_value(walk, &inner, node,
                              item->member ? set : item->below);
        }
        if (!out && (!stays || left != node)) {
            out = yl_node_new_object(walk->arena);
            for (earlier = object->first; earlier != node;
                 earlier = earlier->next) {
                yl_node_set(walk->arena, out, yl_node_key(earlier),
                            yl_node_copy(walk->arena, earlier));
            }
        }
        if (out && stays) {
            yl_node_set(walk->arena, out, yl_node_key(node),
                        own(walk->arena, left));
        }
    }
    return !out ? object : out->n ? out : NULL;
}

/* What is left of a child, without a parent: null if that is nothing. */
static struct yl_node *
own(struct yl_arena *arena, const struct yl_node *left)
{
    return !left || left->parent ? yl_node_copy(arena, left)
                                 : (struct yl_node *) (uintptr_t) left;
}

/* 'set' and the keys of the items on the way to those of its fields that the
 * object has, which are 'fields'.  '*ret_any' says whether there are any. */
static const struct yl_field_set *
with_keys(struct yl_arena *arena, const struct yl_field_set *set,
          const struct yl_field_set *fields, bool *ret_any)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    size_t i;

    *ret_any = false;
    for (i = 0; set && i < set->n && !yl_arena_is_over(arena); i++) {
        const struct yl_field_item *item = &set->items[i];
        const struct yl_field_item *twin = yl_field_set_find(fields,
                                                             &item->element);
        const struct yl_field_set *below = item->below;
        bool any = false;

        if (twin) {
            below = with_keys(arena, below, twin->below, &any);
            any |= item->member && twin->member;
        }
        if (any && item->element.kind == YL_PATH_KEY) {
            below = yl_field_set_union(arena, below,
                                       keys_of(arena, &item->element));
        }
        yl_field_level_add(&level, item->element, item->member, below);
        *ret_any |= any;
    }
    return yl_field_level_end(&level);
}

/* The names of the keys in an element. */
static const struct yl_field_set *
keys_of(struct yl_arena *arena, const struct yl_path_element *element)
{
    struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
    struct yl_json_iter it =
        yl_json_iter(yl_json(yl_path_element_text(element)));

    while (yl_json_next(&it)) {
        yl_field_level_add(&level, yl_path_field(it.key), true, NULL);
    }
    return yl_field_level_end(&level);
}
