#ifndef SCHEMA_PRUNE_H
#define SCHEMA_PRUNE_H 1

/* Pruning: removes members from a tree that its schema does not have.
 *
 *     custom resource --> tree --> [prune] --> defaults --> validation
 *
 * Custom resources have no Go type behind them, so nothing else is changed:
 * values of the wrong type and empty lists stay and are checked by validation.
 * (Built-in kinds are normalised; see schema/normalize.h.)
 *
 * Guarantees
 * ==========
 *
 *   - Below a type or value with YL_VALUE_PRESERVE members that are not
 *     described stay, whole; those that are described are pruned by their own
 *     description.  The same holds for the elements of a list with that flag,
 *     and for raw values and embedded objects, which are not described
 *     further.
 *
 *   - apiVersion, kind and metadata of the root, and of structs with
 *     YL_VALUE_RESOURCE, stay, described or not; the contents of metadata are
 *     left to code that knows ObjectMeta.
 *
 *   - A value of the wrong type is pruned too: an object where the schema has
 *     a string loses all members.
 *
 *   - Values that are not pruned keep their source bytes. */

#include "yuloh/schema.h"

struct yl_arena;
struct yl_node;
struct yl_strict;

/* Prunes 'root', which should be a 'type'.  Removed members are reported to
 * 'strict' as unknown, if it is not NULL, sorted by their paths; before them
 * repeated members, everywhere. */
void yl_prune(struct yl_type_ref type, struct yl_node *root,
              struct yl_strict *strict);

/* Removes nulls that are not allowed and have no default: members of a struct
 * or map whose value is not YL_VALUE_NULLABLE.  Elements of lists stay. */
void yl_prune_nulls(struct yl_type_ref type, struct yl_node *root);

#endif /* schema/prune.h */
