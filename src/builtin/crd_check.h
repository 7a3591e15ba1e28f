#ifndef BUILTIN_CRD_CHECK_H
#define BUILTIN_CRD_CHECK_H 1

/* The parts of a CustomResourceDefinition's validation. */

#include "builtin/checks.h"

/* crd_conversion.c: spec.conversion. */
void yl_check_crd_conversion(struct yl_check *, const struct yl_at *spec);

/* Text that must be a DNS-1035 label, with all faults in one cause.  With
 * 'any_case' upper case letters are fine, and the message says so. */
bool yl_check_crd_label(struct yl_check *, const struct yl_at *,
                        bool any_case);

#endif /* builtin/crd_check.h */
