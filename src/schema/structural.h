#ifndef SCHEMA_STRUCTURAL_H
#define SCHEMA_STRUCTURAL_H 1

/* Structural schemas: may a schema describe custom resources?
 *
 *     openAPIV3Schema --> schema/props.h --> [structural] --> causes, or a
 *                                                             condition
 *
 * A schema is structural if its types, properties and items can be read
 * without looking at its logic.  So every value that is described has a type;
 * what stands inside of allOf, anyOf, oneOf and not only restricts values that
 * are described outside of them; metadata is left to the server.  Pruning,
 * defaults and merging rely on it.
 *
 * Two things can be wrong.  A schema can use keywords that no structural
 * schema has ("$ref", lists of items): that is one sentence without a place,
 * yl_structural_refusal().  If it does not, it can break rules:
 * yl_structural_check().  Both are in Kubernetes' words.
 *
 * Guarantees
 * ==========
 *
 *   - Causes are sorted by field and message, as upstream sorts them.
 *
 *   - The cost grows with the schema.
 *
 * Ownership
 * =========
 *
 * What yl_structural_refusal() returns is constant.
 *
 * Usage
 * =====
 *
 *     const char *refusal = yl_structural_refusal(props);
 *     if (!refusal) {
 *         struct yl_structural_opts opts = { .path = &path,
 *                                            .match = yl_patterns_match,
 *                                            .aux = patterns };
 *         r = yl_structural_check(props, &opts, err);
 *     } */

#include <stdbool.h>

#include "schema/validate.h"
#include "yuloh/str.h"

struct yl_error;
struct yl_field_path;
struct yl_node;
struct yl_schema_props;
struct yl_schema_rule;

/* Options.  Zero means the default. */
struct yl_structural_opts {
    const struct yl_field_path *path;   /* Where the schema is [the root]. */
    yl_pattern_fn *match;       /* [Patterns are not checked.] */
    void *aux;
};

/* Why the schema cannot be structural at all: "OpenAPIV3Schema '$ref' is not
 * supported".  NULL if it can. */
const char *yl_structural_refusal(const struct yl_schema_props *);

/* 0, or YL_EINVALID with a cause for each rule that is broken.  The schema
 * must not be one that is refused. */
int yl_structural_check(const struct yl_schema_props *,
                        const struct yl_structural_opts *,
                        struct yl_error *err);

/* The value of a keyword of the schema itself; NULL if it has none.  null is
 * none; a list or map that was sent empty is there (yl_node_emptied()). */
const struct yl_node *yl_schema_keyword(const struct yl_schema_props *,
                                        const char *keyword);

/* Does the schema say something about members without a property of their
 * own, be it that there may be none? */
bool yl_schema_has_additional(const struct yl_schema_props *);

/* The schema's first rule of this kind, or NULL. */
const struct yl_schema_rule *yl_schema_rule_of(const struct yl_schema_props *,
                                               enum yl_rule_op);

#endif /* schema/structural.h */
