#ifndef CODEGEN_EMIT_TYPES_H
#define CODEGEN_EMIT_TYPES_H 1

/* From the model to C: X.h and X.c of X_types.h. */

#include "base/buf.h"

struct yl_error;
struct yl_gen_unit;

/* Appends the generated header: list types, pairs, kinds, registration and
 * typed wrappers.  'types_header' is what it includes ("x_types.h"). */
void yl_gen_emit_header(const struct yl_gen_unit *, const char *types_header,
                        struct yl_buf *);

/* Appends the generated source: the tables.  0 or YL_ETOOBIG. */
int yl_gen_emit_source(struct yl_gen_unit *, struct yl_buf *,
                       struct yl_error *err);

#endif /* codegen/emit_types.h */
