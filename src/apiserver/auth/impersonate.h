#ifndef APISERVER_AUTH_IMPERSONATE_H
#define APISERVER_AUTH_IMPERSONATE_H 1

/* Impersonation: acting as another user.
 *
 *     Impersonate-User: bob          Impersonate-Group: ops
 *     Impersonate-Uid: 1234          Impersonate-Extra-Scopes: view
 *
 * In the legacy mode, a user who may "impersonate" the user, each group, the
 * uid and each extra may act as them in everything.  The other modes give
 * narrower permissions: with "impersonate:user-info" one may act as the user,
 * but only to do what "impersonate-on:user-info:VERB" allows.  Nodes and
 * service accounts have modes of their own.
 *
 * Upstream first tries the mode that succeeded last for the user.  Here the
 * legacy mode is always tried first, so that the same request gives the same
 * user each time.  If all modes refuse, the refusal is that of the first other
 * mode that applies. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_attributes;
struct yl_http_request;
struct yl_status;
struct yl_user;

/* Reads the headers.  '*ret_wanted' is the user that they ask for, in 'arena',
 * or NULL if there are no such headers.  YL_EBADREQUEST with the Status if
 * they do not name a user. */
int yl_impersonate_parse(const struct yl_http_request *, struct yl_arena *,
                         const struct yl_user **ret_wanted,
                         struct yl_status *);

/* The function that decides, like yl_authorize(). */
typedef bool yl_authorize_fn(void *aux, const struct yl_attributes *,
                             struct yl_arena *, struct yl_str *ret_reason);

/* Whether the user of 'attributes' may do, as 'wanted', what 'attributes'
 * describe.  0 with the user to act as and the verb that allowed it (empty for
 * legacy), or YL_EFORBIDDEN with the Status. */
int yl_impersonate_check(yl_authorize_fn *, void *aux,
                         const struct yl_attributes *,
                         const struct yl_user *wanted, struct yl_arena *,
                         const struct yl_user **ret_user,
                         struct yl_str *ret_constraint, struct yl_status *);

#endif /* apiserver/auth/impersonate.h */
