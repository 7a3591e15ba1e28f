#ifndef CODEGEN_FACTS_H
#define CODEGEN_FACTS_H 1

/* Facts: what OpenAPI cannot say of a field.
 *
 * OpenAPI has the same words for a value that is left out when it is empty, a
 * pointer, and a value that is always written.  A table of facts tells them
 * apart.  It has a heading, and a line of seven columns, separated by tabs,
 * for each field:
 *
 *     type      core/v1.PodSpec
 *     json      hostNetwork, or "(inline)" for an embedded struct
 *     value     bool; *int32; []string; *core/v1.PullPolicy=string
 *     empty     always, omitempty, omitempty+omitzero, or -
 *     strategy  merge; merge,retainKeys; or -
 *     key       name, or -
 *     protobuf  11 varint, or -
 *
 * Usage
 * =====
 *
 *     struct yl_gen_facts *facts;
 *     if (yl_gen_facts_parse(arena, text, &facts, err) < 0) { ... }
 *     fact = yl_gen_facts_find(facts, "core/v1.PodSpec", "hostNetwork"); */

#include <stdbool.h>

#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_gen_facts;

struct yl_gen_fact {
    const char *value;          /* Without the '*'. */
    bool pointer;
    enum yl_presence presence;
    unsigned patch;             /* YL_FIELD_MERGE, ... */
    const char *merge_key;      /* "" if there is none. */
    unsigned number;            /* In protobuf; 0 if it has none. */
    unsigned line;              /* In the table, which has a type's fields in
                                 * the order in which people read them. */
};

/* Reads a table.  Facts live in 'arena'.  0, or YL_ESYNTAX with the line. */
int yl_gen_facts_parse(struct yl_arena *, struct yl_str table,
                       struct yl_gen_facts **ret_facts, struct yl_error *err);

/* The fact of a type's field, or of a field that a struct embedded in the
 * type brings along; NULL if there is none. */
const struct yl_gen_fact *yl_gen_facts_find(const struct yl_gen_facts *,
                                            const char *type,
                                            const char *json);

/* What a table calls the type that OpenAPI calls 'name':
 * "core/v1.PodSpec" of "io.k8s.api.core.v1.PodSpec". */
const char *yl_gen_facts_type(struct yl_arena *, struct yl_str name);

#endif /* codegen/facts.h */
