#ifndef BUILTIN_CRD_CHECK_H
#define BUILTIN_CRD_CHECK_H 1

/* The parts of a CustomResourceDefinition's validation. */

#include "builtin/checks.h"

/* crd_conversion.c: spec.conversion. */
void yl_check_crd_conversion(struct yl_check *, const struct yl_at *spec);

#endif /* builtin/crd_check.h */
