#ifndef CODEGEN_EMIT_GO_H
#define CODEGEN_EMIT_GO_H 1

/* From the model to what upstream's Go types say and JSON does not, as tables
 * of schema/go_set.h: X_go.h and X_go.c. */

#include <stddef.h>

#include "base/buf.h"

struct yl_error;
struct yl_gen_unit;

/* Appends the header, which has a number for each type, and the source.  The
 * latter returns 0, or YL_ETOOBIG if a table cannot count its texts. */
void yl_gen_emit_go_header(const struct yl_gen_unit *, struct yl_buf *);
int yl_gen_emit_go_source(const struct yl_gen_unit *, struct yl_buf *,
                          struct yl_error *err);

/* Appends the list of all sets: go_sets.c. */
void yl_gen_emit_go_sets(struct yl_gen_unit *const *, size_t n,
                         struct yl_buf *);

#endif /* codegen/emit_go.h */
