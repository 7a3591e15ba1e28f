#ifndef CODEGEN_EMIT_MARKERS_H
#define CODEGEN_EMIT_MARKERS_H 1

/* The comments of an annotated header: what markers.c reads, written.  Each
 * appends whole lines: what the user said in words, then the markers. */

#include "base/buf.h"
#include "codegen/model.h"

/* The file's own, which end with "fields are optional". */
void yl_gen_emit_file_markers(struct yl_buf *, const struct yl_gen_unit *);

/* Above a struct. */
void yl_gen_emit_type_markers(struct yl_buf *, const struct yl_gen_type *);

/* Above a member, but for "+protobuf", which stands behind it. */
void yl_gen_emit_field_markers(struct yl_buf *, const struct yl_gen_unit *,
                               const struct yl_gen_field *);

#endif /* codegen/emit_markers.h */
