#ifndef BUILTIN_COMMON_CONDITIONS_H
#define BUILTIN_COMMON_CONDITIONS_H 1

/* The conditions of a status that have the common form. */

#include "builtin/common/checks.h"

/* Types, states, reasons, times and messages of a list of conditions. */
void yl_check_conditions(struct yl_check *, const struct yl_at *conditions);

#endif /* builtin/common/conditions.h */
