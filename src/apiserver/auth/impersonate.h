#ifndef APISERVER_AUTH_IMPERSONATE_H
#define APISERVER_AUTH_IMPERSONATE_H 1

/* Impersonation: acting as somebody else, if one may.
 *
 *     Impersonate-User: bob          Impersonate-Group: ops
 *     Impersonate-Uid: 1234          Impersonate-Extra-Scopes: view
 *
 * Whoever may "impersonate" the user, each group, the uid and each extra may
 * act as them (legacy).  Narrower rights come in modes: one may
 * "impersonate:user-info" somebody, but only to do what one may
 * "impersonate-on:user-info:VERB".  Nodes and service accounts have modes of
 * their own.
 *
 * Upstream tries the mode that a user was last successful with first; here
 * the legacy one is always first, so that the same request is the same user
 * each time.  When all refuse, the first of the others that applies says
 * why. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_attributes;
struct yl_http_request;
struct yl_status;
struct yl_user;

/* Whom the headers ask for, in 'arena', NULL if nobody; or YL_EBADREQUEST with
 * the Status if they do not name a user. */
int yl_impersonate_parse(const struct yl_http_request *, struct yl_arena *,
                         const struct yl_user **ret_wanted,
                         struct yl_status *);

/* Who decides: as yl_authorize(). */
typedef bool yl_authorize_fn(void *aux, const struct yl_attributes *,
                             struct yl_arena *, struct yl_str *ret_reason);

/* May the user of 'attributes' do what they say as 'wanted'?  0, the user to
 * be and the verb that allowed it (empty for legacy), or YL_EFORBIDDEN with
 * the Status. */
int yl_impersonate_check(yl_authorize_fn *, void *aux,
                         const struct yl_attributes *,
                         const struct yl_user *wanted, struct yl_arena *,
                         const struct yl_user **ret_user,
                         struct yl_str *ret_constraint, struct yl_status *);

#endif /* apiserver/auth/impersonate.h */
