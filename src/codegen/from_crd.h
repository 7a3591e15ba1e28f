#ifndef CODEGEN_FROM_CRD_H
#define CODEGEN_FROM_CRD_H 1

/* CustomResourceDefinitions into units, one for each group-version.
 *
 *     CRDs (v1) --> [units] --> gateway_v1_types.h, gateway_v1beta1_types.h
 *
 * Each version of a CRD becomes a kind in the unit of its group-version.  An
 * object inside of it becomes a struct that is called after the way to it
 * (gateway_v1_http_route_spec_rules).  Descriptions are kept.
 *
 * Ownership
 * =========
 *
 * Everything lives in the arena. */

#include <stddef.h>

#include "codegen/model.h"

struct yl_arena;
struct yl_error;
struct yl_node;
struct yl_gen_crds;

struct yl_gen_crds *yl_gen_crds_new(struct yl_arena *);

/* Adds a document.  1 if it is a CRD; 0 if it is an object of another kind,
 * which is passed over; or a negative code with the path. */
int yl_gen_crds_add(struct yl_gen_crds *, const struct yl_node *,
                    struct yl_error *err);

/* The units, in the order in which they were first met. */
struct yl_gen_unit **yl_gen_crds_units(struct yl_gen_crds *, size_t *ret_n);

#endif /* codegen/from_crd.h */
