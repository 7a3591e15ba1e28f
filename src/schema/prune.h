#ifndef SCHEMA_PRUNE_H
#define SCHEMA_PRUNE_H 1

/* Pruning: a tree without the members its schema does not have.
 *
 *     custom resource --> tree --> [prune] --> defaults --> validation
 *
 * Custom resources have no Go type behind them, so nothing else happens to
 * them: values of the wrong type, nulls and empty lists stay for validation to
 * judge.  (Built-in kinds are normalised; see schema/normalize.h.)
 *
 * Guarantees
 * ==========
 *
 *   - Below a type or value with YL_VALUE_PRESERVE members that are not
 *     described stay, whole; those that are described are pruned by their own
 *     description.  So it is with raw values and embedded objects, which are
 *     described no further.
 *
 *   - apiVersion, kind and metadata of the root, and of structs with
 *     YL_VALUE_RESOURCE, stay, described or not; what is in metadata is left
 *     to whoever knows ObjectMeta.
 *
 *   - What is not pruned keeps its source bytes. */

#include "yuloh/schema.h"

struct yl_arena;
struct yl_node;
struct yl_strict;

/* Prunes 'root', which should be a 'type'.  What goes is reported to 'strict'
 * as unknown, if it is not NULL; so are repeated members, everywhere. */
void yl_prune(struct yl_type_ref type, struct yl_node *root,
              struct yl_strict *strict);

/* Takes out the nulls that may not be there and have no default: members of a
 * struct whose value is not YL_VALUE_NULLABLE. */
void yl_prune_nulls(struct yl_type_ref type, struct yl_node *root);

#endif /* schema/prune.h */
