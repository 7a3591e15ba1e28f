#ifndef CODEGEN_EMIT_HEADER_H
#define CODEGEN_EMIT_HEADER_H 1

/* A unit as an annotated header, the text that yuloh-gen reads.
 *
 * Guarantees
 * ==========
 *
 *   - Reading the header gives an equal unit.  What a marker says by being
 *     absent is not written.
 *
 *   - A struct stands behind those it has as members, so that the header
 *     compiles; kinds come in the unit's order, each behind what it needs.
 *
 *   - The same unit gives the same text. */

#include "base/buf.h"
#include "codegen/model.h"

/* A header is smaller than this. */
#define YL_GEN_MAX_HEADER ((size_t) 64 << 20)

/* Appends the header. */
void yl_gen_emit_annotated(struct yl_buf *, const struct yl_gen_unit *);

#endif /* codegen/emit_header.h */
