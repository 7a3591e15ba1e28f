#ifndef APISERVER_AUTH_AUTHORIZE_H
#define APISERVER_AUTH_AUTHORIZE_H 1

/* Authorization: may this user do that?
 *
 *     attributes -> system:masters? -> RBAC -> allowed, or why not
 *
 * Members of system:masters may do everything, whatever RBAC says, so that
 * nobody can lock himself out.
 *
 * Threads
 * =======
 *
 * Any loop may ask. */

#include <stdbool.h>

#include "apiserver/auth/policy.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_arena;
struct yl_authorizer;
struct yl_error;
struct yl_keyspace;
struct yl_rbac;
struct yl_registry;
struct yl_request_info;
struct yl_status;
struct yl_user;

/* What somebody wants to do. */
struct yl_attributes {
    const struct yl_user *user;
    struct yl_str verb;
    bool is_resource;
    struct yl_str path;         /* If it is not a resource. */
    struct yl_str group;
    struct yl_str version;
    struct yl_str resource;
    struct yl_str subresource;
    struct yl_str namespace_;
    struct yl_str name;
};

struct yl_authorizer_opts {
    bool allow_all;             /* --authorization-mode=AlwaysAllow */
    struct yl_keyspace *keyspace;   /* Where RBAC's objects are: loaded. */
    struct yl_registry *registry;   /* With the built-in kinds. */
};

/* 0, or what reading RBAC's objects ends in. */
int yl_authorizer_new(const struct yl_authorizer_opts *,
                      struct yl_authorizer **ret_authorizer,
                      struct yl_error *err);
void yl_authorizer_free(struct yl_authorizer *);

/* May they?  '*ret_reason', if it is not NULL, says why in 'arena', as a
 * review's status does; it is often empty. */
bool yl_authorize(struct yl_authorizer *, const struct yl_attributes *,
                  struct yl_arena *arena, struct yl_str *ret_reason);

/* All that the user may do in the namespace and everywhere, a copy in 'arena',
 * and which roles were missing, or an empty text. */
struct yl_policy yl_authorizer_rules(struct yl_authorizer *,
                                     const struct yl_user *,
                                     struct yl_str namespace_,
                                     struct yl_arena *arena,
                                     struct yl_str *ret_errors);

/* RBAC itself, which is there even if everything is allowed. */
struct yl_rbac *yl_authorizer_rbac(struct yl_authorizer *);

/* What a request wants to do. */
struct yl_attributes yl_attributes_of(const struct yl_request_info *,
                                      const struct yl_user *);

/* May a request's user do 'verb' to what the request is about?  For those that
 * turn out to need more than their own verb: a PUT that creates.  0, or
 * YL_EFORBIDDEN with the Status. */
int yl_authorize_verb(const struct yl_api_request *, const char *verb,
                      struct yl_status *);

/* The Status that refuses it, in upstream's words: "pods is forbidden: User
 * \"x\" cannot list resource ...".  Returns its code. */
int yl_attributes_refuse(const struct yl_attributes *, struct yl_arena *,
                         struct yl_str reason, struct yl_status *);

#endif /* apiserver/auth/authorize.h */
