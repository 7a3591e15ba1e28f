#ifndef SCHEMA_STRATEGIC_LIST_H
#define SCHEMA_STRATEGIC_LIST_H 1

/* The lists of a strategic merge: finds elements by their identity, and sorts
 * the result.  See schema/strategic.h.
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

/* Forgets 'element', which yl_elements_find() returned, and its equals. */
void yl_elements_remove(struct yl_elements *, struct yl_element *);

/* The first element with that identity, or NULL.  Its 'equal' leads to the
 * others. */
struct yl_element *yl_elements_find(const struct yl_elements *,
                                    const struct yl_node *identity);

/* The identity of 'node' in a list with that merge key; NULL if it does not
 * have the key. */
const struct yl_node *yl_element_identity(const struct yl_node *node,
                                          struct yl_str merge_key);

/* Are two scalars equal as Go's values?  1 and 1.0 are not. */
bool yl_scalar_equal(const struct yl_node *, const struct yl_node *);

/* Sorts 'list': elements that are in 'wanted' come in its order, the others in
 * that of 'server'; elements of both kinds are merged by their order in
 * 'server', as far as they are in it. */
void yl_elements_order(struct yl_node *list, const struct yl_elements *wanted,
                       const struct yl_elements *server);

#endif /* schema/strategic_list.h */
