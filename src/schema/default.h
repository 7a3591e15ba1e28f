#ifndef SCHEMA_DEFAULT_H
#define SCHEMA_DEFAULT_H 1

/* Defaults of a tree, from descriptors.
 *
 *     normalised or pruned tree --> [defaults] --> validation
 *
 * A field with a default gets it when it is absent, or null where null is not
 * allowed.  Then the walk descends into each value, also into defaults that it
 * has just put in, so that a default of {} gets the defaults of its own
 * fields.  An absent struct without a default stays absent.  Elements of lists
 * and maps can have a default too, which takes the place of null.
 *
 * Guarantees
 * ==========
 *
 *   - Applying defaults twice changes nothing the second time.
 *
 *   - A value that has all its defaults keeps its source bytes.
 *
 *   - Bounded.  A default whose type contains itself, with defaults, would
 *     never end; defaults inside of defaults are applied up to
 *     YL_DEFAULT_MAX_DEPTH levels. */

#include "yuloh/schema.h"

struct yl_arena;
struct yl_error;
struct yl_node;

#define YL_DEFAULT_MAX_DEPTH 1000

/* Puts defaults into 'root', which is a 'type'.  0; YL_EINTERNAL if a default
 * is not JSON, which is an error in the descriptors; or YL_ETOODEEP. */
int yl_default_apply(struct yl_arena *, struct yl_type_ref type,
                     struct yl_node *root, struct yl_error *err);

#endif /* schema/default.h */
