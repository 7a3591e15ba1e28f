#ifndef SCHEMA_STRATEGIC_LIST_H
#define SCHEMA_STRATEGIC_LIST_H 1

/* The lists of a strategic merge: finding elements by what identifies them,
 * and the order of the result.  See schema/strategic.h.
 *
 * An element is identified by its merge key's value or, in a list of scalars,
 * by itself.  Both are scalars; other values are never equal to anything. */

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* Elements by identity, the first of equals first. */
struct yl_elements {
    struct yl_arena *arena;     /* Lent. */
    struct yl_str merge_key;    /* Empty for scalars. */
    struct yl_map map;
    size_t n;                   /* Elements so far; their ranks. */
};

struct yl_element {
    struct yl_node *node;
    const struct yl_node *identity; /* NULL if it has none. */
    size_t rank;                /* In the order they were added. */
    struct yl_element *equal;   /* Others with the same identity. */
    struct yl_map_node by_identity;
};

void yl_elements_init(struct yl_elements *, struct yl_arena *,
                      struct yl_str merge_key);
void yl_elements_release(struct yl_elements *);
void yl_elements_add(struct yl_elements *, struct yl_node *);
void yl_elements_add_list(struct yl_elements *, const struct yl_node *list);

/* Forgets 'element', which yl_elements_find() gave, and its equals. */
void yl_elements_remove(struct yl_elements *, struct yl_element *);

/* The first element with that identity, or NULL.  Its 'equal' leads to the
 * others. */
struct yl_element *yl_elements_find(const struct yl_elements *,
                                    const struct yl_node *identity);

/* What identifies 'node' in a list with that merge key; NULL if it has not
 * got the key. */
const struct yl_node *yl_element_identity(const struct yl_node *node,
                                          struct yl_str merge_key);

/* Are two scalars equal as Go's values are?  1 and 1.0 are not. */
bool yl_scalar_equal(const struct yl_node *, const struct yl_node *);

/* Orders 'list': elements that are in 'wanted' stand in its order, the others
 * in that of 'server', where both meet by 'server' as far as it goes. */
void yl_elements_order(struct yl_node *list, const struct yl_elements *wanted,
                       const struct yl_elements *server);

#endif /* schema/strategic_list.h */
