#ifndef CODEGEN_FROM_OPENAPI_H
#define CODEGEN_FROM_OPENAPI_H 1

/* OpenAPI v3 documents into units, one for each group-version.
 *
 *     /openapi/v3/apis/apps/v1 --\
 *     facts, discovery documents -+-> [units] --> apps_v1_types.h
 *
 * A document is what an API server has for one group-version; it also has the
 * types of others that its own refer to.  So all that belong together are
 * added first, and made into units then.
 *
 * Descriptions are left behind: those of built-in kinds are not ours.
 *
 * Ownership
 * =========
 *
 * Everything lives in the arena.  Texts are lent until the units are made. */

#include <stddef.h>

#include "codegen/model.h"

struct yl_arena;
struct yl_error;
struct yl_gen_facts;
struct yl_gen_openapi;

struct yl_gen_openapi *yl_gen_openapi_new(struct yl_arena *);

/* Adds the schemas of a document (components.schemas). */
int yl_gen_openapi_add(struct yl_gen_openapi *, struct yl_str json,
                       struct yl_error *err);

/* Adds what a discovery document (an APIResourceList) says of its kinds:
 * plural, singular, short names, categories, scope, subresources. */
int yl_gen_openapi_add_discovery(struct yl_gen_openapi *, struct yl_str json,
                                 struct yl_error *err);

/* Says what OpenAPI cannot (codegen/facts.h). */
void yl_gen_openapi_set_facts(struct yl_gen_openapi *,
                              const struct yl_gen_facts *);

/* Makes the units of all group-versions that have kinds, in the order of their
 * names.  0, or a negative code with the type and field. */
int yl_gen_openapi_units(struct yl_gen_openapi *,
                         struct yl_gen_unit ***ret_units, size_t *ret_n,
                         struct yl_error *err);

#endif /* codegen/from_openapi.h */
