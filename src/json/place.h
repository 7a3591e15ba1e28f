#ifndef JSON_PLACE_H
#define JSON_PLACE_H 1

/* Places in a tree, found by the paths of JSON Patch; only for json/patch.c.
 *
 * A place is a container and the last token of a path: a member or element
 * that exists or could exist.  It can be read, filled or emptied.  How paths
 * and indices are read depends on the dialect (see json/patch.h).
 *
 * Every function counts the nodes it looks at in 'work'. */

#include <stdbool.h>
#include <stddef.h>

#include "json/tree.h"

struct yl_places {
    struct yl_arena *arena;
    struct yl_node *root;
    bool kubernetes;            /* The dialect. */
    bool grown;                 /* Whether a container has been put somewhere,
                                 * so that the tree may be deeper. */
    size_t work;                /* Nodes looked at so far. */
    struct yl_error *err;       /* May be NULL. */
};

struct yl_place {
    struct yl_node *parent;     /* NULL: the whole document. */
    struct yl_str key;          /* Without escapes. */
};

static inline bool
yl_node_is_container(const struct yl_node *node)
{
    return yl_node_type(node) >= YL_JSON_ARRAY;
}

/* Finds the container that holds, or could hold, what 'path' names: 0, or
 * YL_ENOTFOUND, without a message. */
int yl_place_find(struct yl_places *, struct yl_str path, struct yl_place *);

/* What is at 'place': 0 or YL_EINVALID.  A member that is not there is NULL;
 * an element that is not there is an error. */
int yl_place_get(struct yl_places *, const struct yl_place *,
                 struct yl_node **ret_node);

/* Sets the member, or inserts the element: 0 or YL_EINVALID. */
int yl_place_put(struct yl_places *, const struct yl_place *,
                 struct yl_node *node);

/* Takes out what is there: 0, or YL_EINVALID if there is nothing or it is the
 * whole document. */
int yl_place_take(struct yl_places *, const struct yl_place *,
                  struct yl_node **ret_node);

#endif /* json/place.h */
