#ifndef APISERVER_AUTH_RBAC_H
#define APISERVER_AUTH_RBAC_H 1

/* RBAC: an index of the stored roles and bindings that decides requests.
 *
 *     keyspace -> events -> [index] <- may they?
 *                    '-> aggregated ClusterRoles -> keyspace
 *
 * The index follows the keyspace.  For a ClusterRole with an aggregationRule,
 * the rules of the roles that it selects are written into the stored object,
 * as upstream's controller does, so that users can see them.
 *
 * Guarantees
 * ==========
 *
 *   - A write of a role or a binding is in the index before it is answered, so
 *     it applies to the client's next request.
 *
 *   - A decision allocates nothing, and its cost depends on the number of the
 *     user's own bindings only.
 *
 * Threads
 * =======
 *
 * Any loop may call these.  The index is changed by the keyspace's writer,
 * which holds 'lock' for as long as a change of a few objects takes.  Lock
 * order: ours before the keyspace's. */

#include <stdbool.h>

#include "apiserver/auth/policy.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_attributes;
struct yl_error;
struct yl_keyspace;
struct yl_ks_resource;
struct yl_rbac;
struct yl_user;

struct yl_rbac_opts {
    struct yl_keyspace *keyspace;   /* Loaded. */
    struct yl_ks_resource *cluster_roles;
    struct yl_ks_resource *cluster_role_bindings;
    struct yl_ks_resource *roles;
    struct yl_ks_resource *role_bindings;
};

/* Reads all roles and bindings, and follows them from then on. */
int yl_rbac_new(const struct yl_rbac_opts *, struct yl_rbac **ret_rbac,
                struct yl_error *err);

/* Call it before the keyspace is freed. */
void yl_rbac_free(struct yl_rbac *);

/* Waits until the aggregated ClusterRoles have the right rules.  Must not be
 * called on a loop's or the writer's thread. */
void yl_rbac_settle(struct yl_rbac *);

/* These do what the functions of the index do: see
 * apiserver/auth/rbac_index.h. */
bool yl_rbac_authorize(struct yl_rbac *, const struct yl_attributes *,
                       struct yl_arena *arena, struct yl_str *ret_reason);
struct yl_policy yl_rbac_rules(struct yl_rbac *, const struct yl_user *,
                              struct yl_str namespace_,
                              struct yl_arena *arena,
                              struct yl_str *ret_errors);
int yl_rbac_role(struct yl_rbac *, struct yl_str namespace_,
                 struct yl_str name, struct yl_arena *arena,
                 struct yl_policy *ret_rules);

#endif /* apiserver/auth/rbac.h */
