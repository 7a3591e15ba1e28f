#ifndef SCHEMA_VALIDATE_H
#define SCHEMA_VALIDATE_H 1

/* Validation of a tree by its schema, in Kubernetes' words.
 *
 *     pruned tree with defaults --> [validate] --> causes of an error
 *
 * This is the part of the validation of custom resources that schemas say:
 * types, required members, limits, patterns, formats and alternatives.  A
 * cause has the field, the reason and the message that kube-apiserver gives:
 * "Invalid value: 0: spec.replicas in body should be greater than or equal to
 * 1".  What kube-apiserver checks besides is in schema/sets.h (lists that are
 * sets or maps) and schema/embedded.h (objects inside of others).  (Built-in
 * kinds have rules of their own, in src/builtin.)
 *
 * Guarantees
 * ==========
 *
 *   - Every fault is reported once, up to YL_MAX_CAUSES, in upstream's order:
 *     of one value its type, alternatives, text, number, elements, enum,
 *     members, and members that are missing.  Members stand in the order of
 *     the tree, where upstream's order is random.
 *
 *   - If the value before an update is given, faults of what has not changed
 *     are left out (upstream calls it ratcheting).  A value that the schema
 *     describes in full and that is equal to the old one at the same place has
 *     no fault; elements of a list have a place only if the list is a map.
 *     What is inside of alternatives is judged as a part of the value around.
 *
 *   - The cost grows with the tree, not with its square, and nothing is
 *     allocated for a value that is valid, unless it is a string with escapes
 *     that has a limit.  The cost of patterns is that of the matcher.
 *
 *   - The tree is not changed. */

#include "yuloh/schema.h"

struct yl_account;
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
    const struct yl_field_path *path;   /* Where the tree is [the root].
                                         * Causes name it in their field;
                                         * messages begin below it, as
                                         * upstream's. */
    const struct yl_node *old;  /* The tree before the update [none]. */
    struct yl_account *account; /* Charged for the memory of the walk [none].
                                 */
    bool any_format;            /* Compare types with formats that do not go
                                 * with them too, as upstream does for defaults
                                 * in CRDs. */
};

/* Validates 'root', which should be a 'type'; or a 'value' of a set, for a
 * part of an object, such as its status.  0; YL_EINVALID with a cause for each
 * fault; or the error of the account. */
int yl_validate(struct yl_type_ref type, const struct yl_node *root,
                const struct yl_validate_opts *, struct yl_error *err);
int yl_validate_value(const struct yl_type_set *, const struct yl_value *value,
                      const struct yl_node *root,
                      const struct yl_validate_opts *, struct yl_error *err);

#endif /* schema/validate.h */
