#ifndef CODEGEN_EMIT_C_H
#define CODEGEN_EMIT_C_H 1

/* C text that several writers of the generator need. */

#include "base/buf.h"

struct yl_arena;

/* Appends INDENT NAME(FIRST, SECOND)END and a line end, with the arguments
 * below each other where one line of 79 columns has no room for them.  'args'
 * ends with NULL. */
void yl_gen_emit_call(struct yl_buf *, const char *indent, const char *name,
                      const char *const *args, const char *end);

/* 'name' as a macro: "APPS_V1" of "apps_v1". */
const char *yl_gen_macro_name(struct yl_arena *, const char *name);

#endif /* codegen/emit_c.h */
