#ifndef CODEGEN_READ_HEADER_H
#define CODEGEN_READ_HEADER_H 1

/* From an annotated header to the model.
 *
 * docs/markers.md describes the markers; yuloh/types.h says which C types
 * stand for which JSON. */

#include <stddef.h>

struct yl_arena;
struct yl_error;
struct yl_gen_unit;

/* Reads the header at 'path' into a unit in 'arena', and the headers that it
 * refers to as units that it imports.  <yuloh/types.h> and others are looked
 * for in the folders 'includes'.
 *
 * 0, or YL_EINVALID or YL_EIO with every fault on a line of its own, as
 * "FILE:LINE: what is wrong; what to write". */
int yl_gen_read_header(struct yl_arena *arena, const char *path,
                       const char *const *includes, size_t n_includes,
                       struct yl_gen_unit **ret_unit, struct yl_error *err);

#endif /* codegen/read_header.h */
