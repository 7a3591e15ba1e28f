#ifndef SCHEMA_DEFAULT_H
#define SCHEMA_DEFAULT_H 1

/* Defaults of a tree, from descriptors.
 *
 *     normalised or pruned tree --> [defaults] --> validation
 *
 * A field with a default gets it when it is absent, or null where null may not
 * be.  Then each value that is there is descended into, defaults that were
 * just put in included, so that a default of {} brings the defaults of what is
 * below it.  An absent struct without a default brings nothing.
 *
 * Guarantees
 * ==========
 *
 *   - Applying defaults twice changes nothing the second time.
 *
 *   - What has all its defaults keeps its source bytes.
 *
 *   - Bounded.  A default whose type holds itself again, with defaults, would
 *     never end; what is put in is followed YL_DEFAULT_MAX_DEPTH deep. */

#include "yuloh/schema.h"

struct yl_arena;
struct yl_error;
struct yl_node;

#define YL_DEFAULT_MAX_DEPTH 1000

/* Puts defaults into 'root', which is a 'type'.  0; YL_EINTERNAL if a default
 * is not JSON, which is the fault of the descriptors; or YL_ETOODEEP. */
int yl_default_apply(struct yl_arena *, struct yl_type_ref type,
                     struct yl_node *root, struct yl_error *err);

#endif /* schema/default.h */
