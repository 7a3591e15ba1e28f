#ifndef SCHEMA_SETS_H
#define SCHEMA_SETS_H 1

/* Lists that are sets or maps (x-kubernetes-list-type): checks that no two
 * elements, or keys of elements, are equal.
 *
 *     custom resource --> schema/validate.h --> [sets] --> causes of an error
 *
 * kube-apiserver checks this in a walk of its own, behind the schema; paths
 * name keys of maps as "[key]" here, where the schema's have ".key".
 *
 * Guarantees
 * ==========
 *
 *   - Of equal elements the second is reported, once: "Duplicate value:
 *     {\"name\":\"a\"}".
 *
 *   - Lists are hashed, or short; nothing is allocated for short lists. */

#include "yuloh/schema.h"

struct yl_account;
struct yl_error;
struct yl_node;

/* Checks the lists of 'root'.  On an update 'old' is what it was; if that had
 * such faults already, nothing is reported.  0; YL_EINVALID with a cause for
 * each fault; or the error of 'account', which may be NULL. */
int yl_validate_sets(struct yl_type_ref type, const struct yl_node *root,
                     const struct yl_node *old, struct yl_account *account,
                     struct yl_error *err);

#endif /* schema/sets.h */
