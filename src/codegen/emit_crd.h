#ifndef CODEGEN_EMIT_CRD_H
#define CODEGEN_EMIT_CRD_H 1

/* From the model to CustomResourceDefinitions, as controller-gen makes them of
 * Go types. */

#include <stddef.h>

#include "base/buf.h"

struct yl_arena;
struct yl_error;
struct yl_gen_type;
struct yl_gen_unit;
struct yl_node;

/* Appends one YAML document for each kind of 'units'; versions of one kind
 * share a document.  0, or YL_EINVALID if a kind cannot be one: no version is
 * stored, or its group is protected and the approval annotation is missing. */
int yl_gen_emit_crds(struct yl_gen_unit *const *units, size_t n,
                     struct yl_buf *, struct yl_error *err);

/* The structural schema of a type in 'arena'; NULL with YL_EINVALID if the
 * type contains itself. */
struct yl_node *yl_gen_schema(struct yl_arena *arena,
                              const struct yl_gen_type *, bool root,
                              struct yl_error *err);

#endif /* codegen/emit_crd.h */
