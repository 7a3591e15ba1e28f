#ifndef APISERVER_AUTH_AUTHORIZE_H
#define APISERVER_AUTH_AUTHORIZE_H 1

/* Authorization: decides whether a user may do what a request asks for.
 *
 *     attributes -> system:masters? -> RBAC -> allowed, or why not
 *
 * Members of system:masters may do everything, whatever RBAC says, so that the
 * administrator cannot lock himself out.
 *
 * Threads
 * =======
 *
 * Every function may be called from any loop. */

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

/* What a user wants to do: user, verb, and resource or path. */
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
    struct yl_keyspace *keyspace;   /* Holds RBAC's objects; already loaded. */
    struct yl_registry *registry;   /* With the built-in kinds. */
};

/* 0, or the errors of reading RBAC's objects. */
int yl_authorizer_new(const struct yl_authorizer_opts *,
                      struct yl_authorizer **ret_authorizer,
                      struct yl_error *err);
void yl_authorizer_free(struct yl_authorizer *);

/* Whether the action is allowed.  '*ret_reason', if 'ret_reason' is not NULL,
 * says why, as the status of an access review does; it lives in 'arena' and is
 * often empty. */
bool yl_authorize(struct yl_authorizer *, const struct yl_attributes *,
                  struct yl_arena *arena, struct yl_str *ret_reason);

/* The rules for everything that the user may do in the namespace and in the
 * whole cluster, as a copy in 'arena'.  Also a text about roles that are bound
 * but do not exist, or an empty text. */
struct yl_policy yl_authorizer_rules(struct yl_authorizer *,
                                     const struct yl_user *,
                                     struct yl_str namespace_,
                                     struct yl_arena *arena,
                                     struct yl_str *ret_errors);

/* RBAC itself.  It is never NULL, even if everything is allowed. */
struct yl_rbac *yl_authorizer_rbac(struct yl_authorizer *);

/* The attributes of a request. */
struct yl_attributes yl_attributes_of(const struct yl_request_info *,
                                      const struct yl_user *);

/* Whether the request's user may do 'verb' to the object of the request.  For
 * requests that turn out to need another permission than that for their own
 * verb, such as a PUT that creates.  0, or YL_EFORBIDDEN with the Status. */
int yl_authorize_verb(const struct yl_api_request *, const char *verb,
                      struct yl_status *);

/* The Status that refuses it, in upstream's words: "pods is forbidden: User
 * \"x\" cannot list resource ...".  Returns its code. */
int yl_attributes_refuse(const struct yl_attributes *, struct yl_arena *,
                         struct yl_str reason, struct yl_status *);

#endif /* apiserver/auth/authorize.h */
