#ifndef APISERVER_AUTH_AUTHENTICATE_H
#define APISERVER_AUTH_AUTHENTICATE_H 1

/* Authentication: who makes a request.
 *
 *     a connection from within the process -> whom that was opened as
 *     client certificate -> CN is the user, O its groups
 *     bearer token       -> the token file's line, or a service account
 *     neither            -> system:anonymous in system:unauthenticated
 *
 * in this order, the last three as in kube-apiserver: a trusted certificate
 * wins.  A certificate that has expired or was signed by an unknown authority,
 * and a token that nobody knows, are errors: such a request does not
 * become anonymous.  But a valid token is accepted even if the certificate is
 * bad.
 *
 * Guarantees
 * ==========
 *
 *   - Every authenticated user is in the group system:authenticated.
 *
 * Ownership
 * =========
 *
 * Users live in the arena that is passed, or as long as the authenticator.
 *
 * Threads
 * =======
 *
 * An authenticator never changes, so any loop may use it. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_authenticator;
struct yl_error;
struct yl_http_request;
struct yl_service_accounts;
struct yl_user;

struct yl_authenticator_opts {
    const char *token_file;     /* NULL: no tokens. */
    struct yl_service_accounts *service_accounts;   /* Borrowed; NULL: their
                                                     * tokens are unknown. */
};

/* 0, or the errors of yl_token_file_read(). */
int yl_authenticator_new(const struct yl_authenticator_opts *,
                         struct yl_authenticator **ret_authenticator,
                         struct yl_error *err);
void yl_authenticator_free(struct yl_authenticator *);

/* Finds the user who makes the request: 0, or YL_EUNAUTHORIZED.  In both cases
 * '*ret_warning' is set: to a warning for the client, or to NULL. */
int yl_authenticate(const struct yl_authenticator *, struct yl_arena *,
                    const struct yl_http_request *,
                    const struct yl_user **ret_user,
                    const char **ret_warning);

/* Finds the user of a token that is meant for one of some audiences; none
 * means those of the API.  0; or YL_EUNAUTHORIZED, and 'err' says why. */
struct yl_token_answer {
    const struct yl_user *user;
    const struct yl_str *audiences; /* Those that were asked for and fit. */
    size_t n_audiences;
};

int yl_authenticate_token(const struct yl_authenticator *, struct yl_arena *,
                          struct yl_str token, const struct yl_str *audiences,
                          size_t n_audiences, struct yl_token_answer *ret,
                          struct yl_error *err);

#endif /* apiserver/auth/authenticate.h */
