#ifndef APISERVER_AUTH_RBAC_SOURCE_H
#define APISERVER_AUTH_RBAC_SOURCE_H 1

/* The part of a binding that RBAC's index keeps, in one block. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_object;

enum yl_rbac_refers {
    YL_RBAC_REFERS_NOTHING,     /* A kind that cannot be bound. */
    YL_RBAC_REFERS_ROLE,
    YL_RBAC_REFERS_CLUSTER_ROLE,
};

struct yl_rbac_subject {
    bool is_group;
    uint32_t position;          /* Among all of the binding's subjects. */
    struct yl_str matches;      /* The user's or the group's name. */
    struct yl_str kind;         /* As written. */
    struct yl_str name;
    struct yl_str namespace_;
};

struct yl_rbac_binding {
    struct yl_str namespace_;   /* Empty: a ClusterRoleBinding. */
    struct yl_str name;
    enum yl_rbac_refers role_kind;
    struct yl_str role_kind_text;
    struct yl_str role_name;
    size_t n_subjects;
    struct yl_rbac_subject subjects[];
};

/* Reads a RoleBinding or ClusterRoleBinding; the caller frees the result.
 * Subjects that no user can match are left out.  Of equal subjects only the
 * first is kept. */
struct yl_rbac_binding *yl_rbac_binding_read(const struct yl_object *);

/* Appends 'User "x"' or 'ServiceAccount "name/namespace"'. */
void yl_rbac_subject_describe(const struct yl_rbac_subject *,
                              struct yl_str binding_namespace,
                              struct yl_buf *);

/* Appends "A/B", quoted as one. */
void yl_rbac_quote_pair(struct yl_buf *, struct yl_str a, struct yl_str b);

#endif /* apiserver/auth/rbac_source.h */
