#ifndef BUILTIN_WARNINGS_H
#define BUILTIN_WARNINGS_H 1

/* What warnings of several kinds share. */

#include "builtin/builtin.h"
#include "builtin/fields.h"
#include "yuloh/compiler.h"

/* "PATH: TEXT" */
void yl_warn_at(struct yl_warnings *, const struct yl_at *, const char *format,
                ...) YL_PRINTF(3, 4);

/* Just the text. */
void yl_warn(struct yl_warnings *, const char *format, ...) YL_PRINTF(2, 3);

/* A Pod, or a template of Pods: 'spec' and 'metadata' with their paths. */
void yl_warn_pod_spec(struct yl_warnings *, const struct yl_at *spec,
                      const struct yl_at *metadata);

/* An amount of bytes that is none. */
void yl_warn_fraction(struct yl_warnings *, const struct yl_at *amount);

/* The spec of a claim; faults are told of as at 'shown'. */
void yl_warn_claim_spec(struct yl_warnings *, const struct yl_at *spec);

#endif /* builtin/warnings.h */
