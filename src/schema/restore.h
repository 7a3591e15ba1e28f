#ifndef SCHEMA_RESTORE_H
#define SCHEMA_RESTORE_H 1

/* Restoring: gives values the right types, as Kubernetes does when it makes an
 * object from an untyped map.
 *
 *     strategic merge patch -> tree -> [restore] -> normalise -> ...
 *
 * The result of a strategic merge patch is not decoded from JSON upstream: it
 * is converted value by value, by rules that differ from those of Go's
 * decoder.  A whole number may be written as a float, and one that is too
 * large loses its upper bits; other values are refused with other messages.
 *
 * Guarantees
 * ==========
 *
 *   - A tree that has been restored has no value of a wrong type: only the
 *     form of a text (a time, a quantity, base64) can still be wrong when it
 *     is normalised.
 *
 *   - A tree whose values have the right types already is not changed.
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
 * YL_EBADREQUEST with an error about the first value that cannot be
 * converted. */
int yl_restore(struct yl_arena *, struct yl_type_ref type,
               struct yl_node *root, struct yl_error *err);

#endif /* schema/restore.h */
