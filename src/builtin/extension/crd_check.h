#ifndef BUILTIN_EXTENSION_CRD_CHECK_H
#define BUILTIN_EXTENSION_CRD_CHECK_H 1

/* The parts of a CustomResourceDefinition's validation. */

#include "builtin/common/checks.h"

/* crd_conversion.c: spec.conversion. */
void yl_check_crd_conversion(struct yl_check *, const struct yl_at *spec);

#endif /* builtin/extension/crd_check.h */
