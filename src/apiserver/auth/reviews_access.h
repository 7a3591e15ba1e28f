#ifndef APISERVER_AUTH_REVIEWS_ACCESS_H
#define APISERVER_AUTH_REVIEWS_ACCESS_H 1

/* Reading and checking access reviews, with upstream's messages.  See
 * reviews.h. */

#include <stdbool.h>

#include "apiserver/auth/authorize.h"

struct yl_arena;
struct yl_node;
struct yl_status;
struct yl_str;

enum yl_review_scope {
    YL_REVIEW_SELF,             /* About the user who sends it. */
    YL_REVIEW_SUBJECT,
    YL_REVIEW_LOCAL,            /* In the review's own namespace. */
};

/* 0, or YL_EINVALID with the Status. */
int yl_review_access_check(struct yl_arena *, const struct yl_node *review,
                           enum yl_review_scope, struct yl_status *);

/* The attributes that a checked review asks about: of 'user' if it is not
 * NULL, else of the user that the review names.  '*ret_error' says which
 * selectors are malformed, or is empty. */
struct yl_attributes yl_review_access_read(struct yl_arena *,
                                           const struct yl_node *review,
                                           const struct yl_user *user,
                                           struct yl_str *ret_error);

#endif /* apiserver/auth/reviews_access.h */
