#ifndef BUILTIN_CONDITIONS_H
#define BUILTIN_CONDITIONS_H 1

/* Conditions of a status, as many kinds have them. */

#include "builtin/checks.h"

/* Is each of them complete, and there but once? */
void yl_check_conditions(struct yl_check *, const struct yl_at *conditions);

#endif /* builtin/conditions.h */
