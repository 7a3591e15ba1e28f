#ifndef BUILTIN_EXTENSION_ADMISSION_POLICIES_H
#define BUILTIN_EXTENSION_ADMISSION_POLICIES_H 1

/* Checks that the two kinds of admission policies share. */

#include "builtin/common/checks.h"

/* The first fields of a policy's spec: failurePolicy, paramKind and
 * matchConstraints. */
void yl_check_policy_head(struct yl_check *, const struct yl_at *spec);

/* Which requests a policy or a binding matches. */
void yl_check_policy_matches(struct yl_check *, const struct yl_at *matches);

/* matchConditions, which are checked again only if something has changed that
 * they depend on.  'old' is NULL for a new object. */
void yl_check_policy_conditions(struct yl_check *,
                                const struct yl_node *object,
                                const struct yl_node *old);

/* Expressions with names. */
void yl_check_policy_variables(struct yl_check *,
                               const struct yl_at *variables);

#endif /* builtin/extension/admission_policies.h */
