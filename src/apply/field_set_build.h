#ifndef APPLY_FIELD_SET_BUILD_H
#define APPLY_FIELD_SET_BUILD_H 1

/* Builds one level of a field set, item by item; for the files of this folder.
 *
 *     struct yl_field_level level = YL_FIELD_LEVEL_INIT(arena);
 *
 *     yl_field_level_add(&level, element, true, NULL);
 *     set = yl_field_level_end(&level);
 *
 * Items may come in any order.  If they come sorted, as those of canonical
 * objects do, nothing is sorted.  Of two items with one element, the later one
 * is joined to the earlier one. */

#include "apply/field_set.h"

struct yl_field_level {
    struct yl_arena *arena;
    struct yl_field_item *items;    /* NULL until the first comes. */
    size_t n;
    size_t allocated;
    bool unsorted;
};

#define YL_FIELD_LEVEL_INIT(ARENA) { (ARENA), NULL, 0, 0, false }

/* Adds an item that is a member, or has something below it, or both. */
void yl_field_level_add(struct yl_field_level *, struct yl_path_element,
                        bool member, const struct yl_field_set *below);

/* The level, or NULL if it is empty. */
const struct yl_field_set *yl_field_level_end(struct yl_field_level *);

#endif /* apply/field_set_build.h */
