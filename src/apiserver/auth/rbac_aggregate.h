#ifndef APISERVER_AUTH_RBAC_AGGREGATE_H
#define APISERVER_AUTH_RBAC_AGGREGATE_H 1

/* Aggregation: a ClusterRole that gets its rules from other ClusterRoles.
 *
 *     aggregationRule:
 *       clusterRoleSelectors:
 *       - matchLabels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}
 *
 * Its rules are those of all ClusterRoles that a selector selects: selector by
 * selector, roles in the order of their names, each rule once.  If a selected
 * role aggregates too, the rules that it is going to have are used.  So even
 * roles that select each other settle in one round. */

#include <stdbool.h>
#include <stddef.h>

struct yl_object;
struct yl_rbac_cluster_role;

/* Whether role 'i' of 'n' needs other rules.  If so, stores the object with
 * the new rules, which the caller unrefs.  If a selector is malformed, the
 * role stays as it is. */
bool yl_aggregate(const struct yl_rbac_cluster_role *roles, size_t n,
                  size_t i, struct yl_object **ret_object);

#endif /* apiserver/auth/rbac_aggregate.h */
