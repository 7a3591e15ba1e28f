#ifndef BUILTIN_CONDITIONS_H
#define BUILTIN_CONDITIONS_H 1

#include "builtin/checks.h"

/* metav1.Conditions of a status. */
void yl_check_conditions(struct yl_check *, const struct yl_at *conditions);

#endif /* builtin/conditions.h */
