#ifndef SCHEMA_RESTORE_H
#define SCHEMA_RESTORE_H 1

/* Values of the right types, as Kubernetes restores an object from a map of
 * anything.
 *
 *     strategic merge patch -> tree -> [restore] -> normalise -> ...
 *
 * What comes out of a strategic merge patch is not decoded from JSON upstream:
 * it is taken over value by value, by rules that differ from those of Go's
 * decoder.  A whole number may be written as a float, and one that is too
 * large loses its upper bits; what does not fit is refused in other words.
 *
 * Guarantees
 * ==========
 *
 *   - A tree that has been restored has no value of a wrong type: only the
 *     form of a text (a time, a quantity, base64) can still be wrong when it
 *     is normalised.
 *
 *   - A tree whose values have the right types is not changed.
 *
 * Threads
 * =======
 *
 * Nothing is shared; types are read only. */

#include "yuloh/schema.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* Checks 'root', an object, against 'type', and rewrites numbers.  0, or
 * YL_EBADREQUEST with the sentence about the first value that cannot be
 * taken over. */
int yl_restore(struct yl_arena *, struct yl_type_ref type,
               struct yl_node *root, struct yl_error *err);

#endif /* schema/restore.h */
