#ifndef SCHEMA_VALIDATE_H
#define SCHEMA_VALIDATE_H 1

/* Validation of a tree by its schema, in Kubernetes' words.
 *
 *     pruned tree with defaults --> [validate] --> causes of an error
 *
 * This is the validation of custom resources: types, required members, the
 * rules of descriptors (minimum, pattern, enum, ...), and lists that are sets
 * or maps.  A cause has the field, the reason and the message that
 * kube-apiserver gives: "Invalid value: 0: spec.replicas in body should be
 * greater than or equal to 1".  (Built-in kinds have rules of their own, in
 * src/builtin.)
 *
 * Guarantees
 * ==========
 *
 *   - Every fault is reported, up to YL_MAX_CAUSES: first those below a value
 *     of the right type, in the order of the tree, then those of the value as
 *     a whole.
 *
 *   - The cost grows with the tree, not with its square: sets are hashed.  The
 *     cost of patterns is that of the matcher.
 *
 *   - The tree is not changed. */

#include "yuloh/schema.h"

struct yl_error;
struct yl_field_path;
struct yl_node;

/* Does 'text' match 'pattern' anywhere?  1 or 0; or negative if the pattern is
 * invalid, with the reason in 'err'. */
typedef int yl_pattern_fn(void *aux, struct yl_str pattern, struct yl_str text,
                          struct yl_error *err);

/* Options.  Zero means the default. */
struct yl_validate_opts {
    yl_pattern_fn *match;       /* [Patterns are not checked.] */
    void *aux;
    const struct yl_field_path *path;   /* Where the tree is [the root]. */
};

/* Validates 'root', which should be a 'type'.  0, or YL_EINVALID with a cause
 * for each fault. */
int yl_validate(struct yl_type_ref type, const struct yl_node *root,
                const struct yl_validate_opts *, struct yl_error *err);

#endif /* schema/validate.h */
