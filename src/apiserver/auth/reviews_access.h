#ifndef APISERVER_AUTH_REVIEWS_ACCESS_H
#define APISERVER_AUTH_REVIEWS_ACCESS_H 1

/* What an access review asks, checked in upstream's words.  See reviews.h. */

#include <stdbool.h>

#include "apiserver/auth/authorize.h"

struct yl_arena;
struct yl_node;
struct yl_status;
struct yl_str;

enum yl_review_scope {
    YL_REVIEW_SELF,             /* The user is who asks. */
    YL_REVIEW_SUBJECT,
    YL_REVIEW_LOCAL,            /* In the review's own namespace. */
};

/* 0, or YL_EINVALID with the Status. */
int yl_review_access_check(struct yl_arena *, const struct yl_node *review,
                           enum yl_review_scope, struct yl_status *);

/* What a checked review asks; of 'user' if it is not NULL, else of the one
 * that it names.  '*ret_error' says which selectors could not be read, or is
 * empty. */
struct yl_attributes yl_review_access_read(struct yl_arena *,
                                           const struct yl_node *review,
                                           const struct yl_user *user,
                                           struct yl_str *ret_error);

#endif /* apiserver/auth/reviews_access.h */
