#ifndef BUILTIN_APIEXTENSIONS_DEFINITION_H
#define BUILTIN_APIEXTENSIONS_DEFINITION_H 1

/* What the server says about a CustomResourceDefinition in its conditions.
 *
 *     stored definition (v1) -> [definition] -> status.conditions
 *
 * Names are accepted, and definitions established, by the code that serves
 * custom resources.  The two conditions here follow from the definition
 * alone.
 *
 * Ownership
 * =========
 *
 * Messages live in the arena.
 *
 * Usage
 * =====
 *
 *     struct yl_crd_condition condition;
 *
 *     if (yl_crd_structural_condition(arena, object, patterns, &condition)) {
 *         ... set NonStructuralSchema ...
 *     } else {
 *         ... remove it ...
 *     } */

#include <stdbool.h>

struct yl_arena;
struct yl_node;
struct yl_patterns;

struct yl_crd_condition {
    const char *status;         /* "True", "False", "Unknown" */
    const char *reason;
    const char *message;
};

/* NonStructuralSchema: why unknown fields are not pruned, or schemas are not
 * structural.  False if there is no reason to have the condition.  The
 * patterns of schemas are checked with 'patterns', which keeps them. */
bool yl_crd_structural_condition(struct yl_arena *,
                                 const struct yl_node *object,
                                 struct yl_patterns *patterns,
                                 struct yl_crd_condition *ret_condition);

/* KubernetesAPIApprovalPolicyConformant: whether a definition in a group of
 * the Kubernetes community says who approved it.  False for other groups,
 * which do not have the condition. */
bool yl_crd_approval_condition(struct yl_arena *,
                               const struct yl_node *object,
                               struct yl_crd_condition *ret_condition);

#endif /* builtin/apiextensions/definition.h */
