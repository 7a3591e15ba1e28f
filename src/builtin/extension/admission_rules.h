#ifndef BUILTIN_EXTENSION_ADMISSION_RULES_H
#define BUILTIN_EXTENSION_ADMISSION_RULES_H 1

/* Rules that say which requests an admission webhook or policy applies to. */

#include "builtin/common/checks.h"

/* Defaults of a list of rules with operations: their scope. */
void yl_admission_rules_default(struct yl_arena *, struct yl_node *object,
                                const char *list);

/* Operations, groups, versions and resources of one rule. */
void yl_check_admission_rule(struct yl_check *, const struct yl_at *rule);

/* Conditions: their names.  Expressions are not compiled. */
void yl_check_match_conditions(struct yl_check *,
                               const struct yl_at *conditions);

#endif /* builtin/extension/admission_rules.h */
