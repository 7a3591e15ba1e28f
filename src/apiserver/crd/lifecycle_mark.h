#ifndef APISERVER_CRD_LIFECYCLE_MARK_H
#define APISERVER_CRD_LIFECYCLE_MARK_H 1

/* What a DELETE does to a CustomResourceDefinition, for its row in
 * strategy/builtin.c. */

#include <stdbool.h>

struct yl_deletion;
struct yl_node;
struct yl_status;

/* A struct yl_strategy's 'mark': marks it as deleted and adds the finalizer
 * that waits for its objects. */
int yl_crds_mark(struct yl_deletion *, struct yl_node *object, bool *ret_done,
                 struct yl_status *);

#endif /* apiserver/crd/lifecycle_mark.h */
