#ifndef SCHEMA_CORRELATE_H
#define SCHEMA_CORRELATE_H 1

/* A custom resource and what it was: which of the old values belongs to a new
 * one, and whether the two are the same.
 *
 *     new tree, old tree --> [correlate] --> validation forgives what stayed
 *
 * Members belong together by name.  Elements belong together only in lists
 * that are maps, by their keys; of other lists only the whole can be the same.
 *
 * Guarantees
 * ==========
 *
 *   - Two objects are the same only if the schema describes every member, as
 *     upstream has it; so an object with preserved members never is. */

#include <stdbool.h>

#include "base/map.h"

struct yl_arena;
struct yl_node;
struct yl_shape;

/* Are the values, of this shape, the same?  The order of a list that is a map
 * does not matter. */
bool yl_correlate_same(struct yl_arena *, const struct yl_shape *,
                       const struct yl_node *, const struct yl_node *old);

/* The elements of a list, by their keys. */
struct yl_correlate_index {
    struct yl_arena *arena;     /* Lent. */
    const char *keys;           /* "name" or "ip,port"; lent. */
    struct yl_map by_key;
};

void yl_correlate_index_init(struct yl_correlate_index *, struct yl_arena *,
                             const char *keys, const struct yl_node *list);
void yl_correlate_index_release(struct yl_correlate_index *);

/* The first element with the same keys as 'element'; NULL if there is none, or
 * 'element' lacks one or has one that is no scalar. */
const struct yl_node *yl_correlate_find(const struct yl_correlate_index *,
                                        const struct yl_node *element);

#endif /* schema/correlate.h */
