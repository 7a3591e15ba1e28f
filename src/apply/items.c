/* Items of lists.  See apply/items.h for the contract. */

#include "apply/items.h"

#include <stdlib.h>
#include <string.h>

#include "apply/shape.h"
#include "base/arena.h"
#include "json/tree.h"

static int compare(const void *, const void *);

size_t
yl_items_add(struct yl_arena *arena, const struct yl_shape *shape,
             const struct yl_node *list, unsigned side, struct yl_item *items,
             bool *ret_keyless)
{
    const struct yl_node *node;
    size_t n = 0;

    if (yl_node_type(list) != YL_JSON_ARRAY) {
        return 0;
    }
    YL_NODE_FOR_EACH (node, list) {
        struct yl_item *item = &items[n];

        if (yl_shape_element(arena, shape, node, &item->element, NULL) < 0) {
            const char *text = yl_arena_printf(arena, "%zu",
                                               2 * n + (side & 1));

            item->element.text = text;
            item->element.size = (uint32_t) strlen(text);
            item->element.kind = YL_PATH_INDEX;
            if (ret_keyless) {
                *ret_keyless = true;
            }
        }
        item->node = node;
        item->place = n++;
        item->side = side;
    }
    return n;
}

void
yl_items_sort(struct yl_item *items, size_t n)
{
    if (n > 1) {
        qsort(items, n, sizeof *items, compare);
    }
}

size_t
yl_items_equal(const struct yl_item *items, size_t n, size_t i)
{
    size_t j = i + 1;

    while (j < n
           && yl_path_element_equal(&items[i].element, &items[j].element)) {
        j++;
    }
    return j - i;
}

static int
compare(const void *x, const void *y)
{
    const struct yl_item *a = x, *b = y;
    int c = yl_path_element_compare(&a->element, &b->element);

    return c ? c
           : a->side != b->side ? (a->side < b->side ? -1 : 1)
           : (a->place > b->place) - (a->place < b->place);
}
