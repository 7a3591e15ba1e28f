#ifndef APISERVER_CRD_CONDITIONS_H
#define APISERVER_CRD_CONDITIONS_H 1

/* The conditions of a CustomResourceDefinition: status.conditions.
 *
 *     CRD's tree --> [conditions] --> the same, with a condition set
 *
 * Functions on trees: they know no server and take no lock. */

#include <stdbool.h>

struct yl_arena;
struct yl_node;
struct yl_patterns;

struct yl_definition_condition {
    const char *type;           /* "Established". */
    const char *status;         /* "True", "False" or "Unknown". */
    const char *reason;
    const char *message;
};

/* Sets a condition of 'crd'.  Its lastTransitionTime changes with its status
 * only.  Returns false if the condition was there already. */
bool yl_conditions_set(struct yl_arena *, struct yl_node *crd,
                       const struct yl_definition_condition *);

/* Removes one; false if there was none. */
bool yl_conditions_remove(struct yl_node *crd, const char *type);

/* Is its status "True"? */
bool yl_conditions_is_true(const struct yl_node *crd, const char *type);

/* Finds a finalizer of 'crd', or NULL. */
struct yl_node *yl_finalizer_find(const struct yl_node *crd,
                                  const char *name);

/* What holds back a CRD that is deleted until its objects are gone. */
#define YL_CRD_FINALIZER "customresourcecleanup.apiextensions.k8s.io"

/* Set, or remove, the conditions that follow from the definition alone
 * (builtin/apiextensions/definition.h).  Return whether anything has
 * changed. */
bool yl_conditions_set_approval(struct yl_arena *, struct yl_node *crd);
bool yl_conditions_set_structural(struct yl_arena *, struct yl_node *crd,
                                  struct yl_patterns *);

#endif /* apiserver/crd/conditions.h */
