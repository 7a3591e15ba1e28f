#ifndef JSON_INDEX_H
#define JSON_INDEX_H 1

/* Hash table of the members of a large object, by key; only for json/tree.c
 * and json/parse.c.
 *
 * An open-addressed table of child pointers, kept in the tree's arena.  It
 * exists for objects of more than YL_INDEX_FROM members; walking the list of
 * fewer is faster.  The hash is keyed, so that clients cannot choose members
 * that collide. */

#include "json/tree.h"

#define YL_INDEX_FROM 16

/* Adds 'child', a new member of 'object' that is linked already, to the index
 * of 'object'.  Makes the index when the object has become large enough. */
void yl_index_add(struct yl_arena *, struct yl_node *object,
                  struct yl_node *child);

/* The following need an index to exist. */
struct yl_node *yl_index_find(const struct yl_node *object, struct yl_str key);
void yl_index_remove(struct yl_node *object, struct yl_node *child);
void yl_index_replace(struct yl_node *object, struct yl_node *old,
                      struct yl_node *value);

#endif /* json/index.h */
