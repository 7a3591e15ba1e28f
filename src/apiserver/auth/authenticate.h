#ifndef APISERVER_AUTH_AUTHENTICATE_H
#define APISERVER_AUTH_AUTHENTICATE_H 1

/* Authentication: who makes a request.
 *
 *     client certificate -> CN is the user, O its groups
 *     bearer token       -> the token file's line
 *     neither            -> system:anonymous in system:unauthenticated
 *
 * in this order, as kube-apiserver: a certificate that is trusted wins.  One
 * that has expired or is of an unknown authority, and a token that nobody
 * knows, are errors, not anonymous requests; a good token makes up for a bad
 * certificate.
 *
 * Guarantees
 * ==========
 *
 *   - Everybody who is known is in system:authenticated.
 *
 * Ownership
 * =========
 *
 * Users live in the arena that is passed, or as long as the authenticator.
 *
 * Threads
 * =======
 *
 * Constant once made: any loop. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_authenticator;
struct yl_error;
struct yl_http_request;
struct yl_user;

struct yl_authenticator_opts {
    const char *token_file;     /* NULL: no tokens. */
};

/* 0, or the errors of yl_token_file_read(). */
int yl_authenticator_new(const struct yl_authenticator_opts *,
                         struct yl_authenticator **ret_authenticator,
                         struct yl_error *err);
void yl_authenticator_free(struct yl_authenticator *);

/* Finds out who makes the request: 0, or YL_EUNAUTHORIZED.  '*ret_warning' is
 * what to warn the client of, or NULL; it is set in both cases. */
int yl_authenticate(const struct yl_authenticator *, struct yl_arena *,
                    const struct yl_http_request *,
                    const struct yl_user **ret_user,
                    const char **ret_warning);

/* Whose token it is, for TokenReviews: 0, or YL_EUNAUTHORIZED. */
int yl_authenticate_token(const struct yl_authenticator *, struct yl_arena *,
                          struct yl_str token,
                          const struct yl_user **ret_user);

#endif /* apiserver/auth/authenticate.h */
