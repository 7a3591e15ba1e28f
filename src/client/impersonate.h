#ifndef CLIENT_IMPERSONATE_H
#define CLIENT_IMPERSONATE_H 1

/* Headers with which a request asks to be somebody else's: Impersonate-User,
 * -Uid, -Group and -Extra-KEY, in which KEY is escaped as client-go does. */

#include <stddef.h>

struct yl_arena;
struct yl_client_impersonation;
struct yl_error;
struct yl_http_header;

/* Makes the headers in 'arena'; there are none if no user is named.  0, or
 * YL_EINVALID for a text that a header cannot have. */
int yl_impersonate_headers(struct yl_arena *,
                           const struct yl_client_impersonation *,
                           struct yl_http_header **ret_headers, size_t *ret_n,
                           struct yl_error *err);

#endif /* client/impersonate.h */
