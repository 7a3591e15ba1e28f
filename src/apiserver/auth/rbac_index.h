#ifndef APISERVER_AUTH_RBAC_INDEX_H
#define APISERVER_AUTH_RBAC_INDEX_H 1

/* RBAC's index: which rules apply to whom, without a lock or a keyspace.
 *
 *     subject, namespace -> bindings -> roles -> rules
 *
 * Objects go in as they are stored; a question looks up the user and each of
 * its groups, in all namespaces and in the one asked about, and walks the
 * rules of the roles that are bound to them.
 *
 * Guarantees
 * ==========
 *
 *   - A decision costs the user's own bindings, not all that there are.  It
 *     allocates nothing unless the reason is asked for.
 *
 *   - Putting or removing an object costs its size.
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

/* Puts an object in, in the place of the one with its key. */
void yl_rbac_index_put(struct yl_rbac_index *, enum yl_rbac_kind,
                       const struct yl_object *);

/* Takes the object of that key out, if there is one; or all of the kind. */
void yl_rbac_index_remove(struct yl_rbac_index *, enum yl_rbac_kind,
                          struct yl_key);
void yl_rbac_index_clear(struct yl_rbac_index *, enum yl_rbac_kind);

/* May they?  '*ret_reason' (may be NULL) says through which binding, or which
 * roles were bound and missing, in 'arena', as upstream does. */
bool yl_rbac_index_authorize(const struct yl_rbac_index *,
                             const struct yl_attributes *,
                             struct yl_arena *arena,
                             struct yl_str *ret_reason);

/* All rules for the user in the namespace, in the order of the bindings'
 * names, those of the cluster first; and what went wrong, or an empty text.
 * Everything is a copy in 'arena'. */
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
