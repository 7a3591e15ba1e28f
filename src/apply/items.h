#ifndef APPLY_ITEMS_H
#define APPLY_ITEMS_H 1

/* The items of a list that is owned item by item, with the elements that paths
 * have for them. */

#include <stdbool.h>
#include <stddef.h>

#include "apply/path.h"

struct yl_arena;
struct yl_node;
struct yl_shape;

struct yl_item {
    struct yl_path_element element;
    const struct yl_node *node;
    size_t place;               /* In its list. */
    unsigned side;              /* Of two lists, whose it is. */
};

/* Appends the items of 'list' (nothing if it is not a list) to 'items', which
 * has room for them, and returns their number.  An item without keys gets an
 * element of its own, so that it equals no other, and sets '*ret_keyless' (may
 * be NULL), which is left alone otherwise. */
size_t yl_items_add(struct yl_arena *, const struct yl_shape *,
                    const struct yl_node *list, unsigned side,
                    struct yl_item *items, bool *ret_keyless);

/* Sorts by element, then by side, then by place. */
void yl_items_sort(struct yl_item *items, size_t n);

/* How many items from 'i' on have the element of the 'i'-th. */
size_t yl_items_equal(const struct yl_item *items, size_t n, size_t i);

#endif /* apply/items.h */
