#ifndef APISERVER_AUTH_RBAC_INDEX_H
#define APISERVER_AUTH_RBAC_INDEX_H 1

/* RBAC's index: which rules apply to which user.  It has no lock and does not
 * know the keyspace.
 *
 *     subject, namespace -> bindings -> roles -> rules
 *
 * Stored objects are put in.  A decision looks up the user and each of its
 * groups, in all namespaces and in the one asked about, and walks over the
 * rules of the roles that are bound to them.
 *
 * Guarantees
 * ==========
 *
 *   - The cost of a decision depends on the user's own bindings, not on the
 *     number of all bindings.  It allocates nothing unless the reason is asked
 *     for.
 *
 *   - Putting or removing an object takes time in proportion to its size.
 *
 * Threads
 * =======
 *
 * None of its own: rbac.c locks. */

#include <stdbool.h>
#include <stddef.h>

#include "apiserver/auth/policy.h"
#include "yuloh/key.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_attributes;
struct yl_object;
struct yl_rbac_index;
struct yl_user;

enum yl_rbac_kind {
    YL_RBAC_CLUSTER_ROLE,
    YL_RBAC_CLUSTER_ROLE_BINDING,
    YL_RBAC_ROLE,
    YL_RBAC_ROLE_BINDING,
    YL_N_RBAC_KINDS
};

struct yl_rbac_index *yl_rbac_index_new(void);
void yl_rbac_index_free(struct yl_rbac_index *);

/* Puts an object in.  It replaces the one with the same key. */
void yl_rbac_index_put(struct yl_rbac_index *, enum yl_rbac_kind,
                       const struct yl_object *);

/* Removes the object with that key, if there is one; or all of the kind. */
void yl_rbac_index_remove(struct yl_rbac_index *, enum yl_rbac_kind,
                          struct yl_key);
void yl_rbac_index_clear(struct yl_rbac_index *, enum yl_rbac_kind);

/* Whether the action is allowed.  '*ret_reason' ('ret_reason' may be NULL)
 * says, in upstream's words, which binding allowed it, or which bound roles do
 * not exist.  It lives in 'arena'. */
bool yl_rbac_index_authorize(const struct yl_rbac_index *,
                             const struct yl_attributes *,
                             struct yl_arena *arena,
                             struct yl_str *ret_reason);

/* All rules for the user in the namespace: first those of ClusterRoleBindings,
 * then those of RoleBindings, each in the order of the bindings' names.  Also
 * the errors met, or an empty text.  Everything is a copy in 'arena'. */
struct yl_policy yl_rbac_index_rules(const struct yl_rbac_index *,
                                    const struct yl_user *,
                                    struct yl_str namespace_,
                                    struct yl_arena *arena,
                                    struct yl_str *ret_errors);

/* The rules of one role, a copy in 'arena': 0, or YL_ENOTFOUND.  An empty
 * namespace means a ClusterRole. */
int yl_rbac_index_role(const struct yl_rbac_index *, struct yl_str namespace_,
                       struct yl_str name, struct yl_arena *arena,
                       struct yl_policy *ret_rules);

/* All ClusterRoles, sorted by name, lent until the index changes; the array
 * is in 'arena'. */
struct yl_rbac_cluster_role {
    const struct yl_object *object;
    struct yl_policy rules;
    bool aggregates;            /* Does it have an aggregationRule? */
};

const struct yl_rbac_cluster_role *
yl_rbac_index_cluster_roles(const struct yl_rbac_index *, struct yl_arena *,
                            size_t *ret_n);

#endif /* apiserver/auth/rbac_index.h */
