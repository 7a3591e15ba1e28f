#ifndef APISERVER_AUTH_RBAC_AGGREGATE_H
#define APISERVER_AUTH_RBAC_AGGREGATE_H 1

/* Aggregation: a ClusterRole whose rules are those of others.
 *
 *     aggregationRule:
 *       clusterRoleSelectors:
 *       - matchLabels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}
 *
 * Its rules are those of all ClusterRoles that a selector selects, selector by
 * selector, in the order of their names, each rule once.  Of a role that
 * aggregates itself those count that it will have: so roles that select each
 * other settle, too, on what others bring in. */

#include <stdbool.h>
#include <stddef.h>

struct yl_object;
struct yl_rbac_cluster_role;

/* Does role 'i' of 'n' need other rules?  If so, true and the object with
 * them, the caller's to let go.  A selector that cannot be read selects
 * nothing, and the role stays as it is. */
bool yl_aggregate(const struct yl_rbac_cluster_role *roles, size_t n,
                  size_t i, struct yl_object **ret_object);

#endif /* apiserver/auth/rbac_aggregate.h */
