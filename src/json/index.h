#ifndef JSON_INDEX_H
#define JSON_INDEX_H 1

/* Members of a large object by key; only for json/tree.c and json/parse.c.
 *
 * An open-addressed table of child pointers, kept in the tree's arena.  It
 * exists from YL_INDEX_FROM members on; below that walking is faster.  The
 * hash is keyed, so that strangers cannot choose colliding members. */

#include "json/tree.h"

#define YL_INDEX_FROM 16

/* Tells the index of 'object' of its new member 'child', which is linked
 * already; makes the index when the object has grown large enough. */
void yl_index_add(struct yl_arena *, struct yl_node *object,
                  struct yl_node *child);

/* The following need an index to exist. */
struct yl_node *yl_index_find(const struct yl_node *object, struct yl_str key);
void yl_index_remove(struct yl_node *object, struct yl_node *child);
void yl_index_replace(struct yl_node *object, struct yl_node *old,
                      struct yl_node *value);

#endif /* json/index.h */
