#ifndef APISERVER_AUTH_REVIEWS_H
#define APISERVER_AUTH_REVIEWS_H 1

/* Reviews: objects that a client posts to ask a question.
 *
 *     POST SelfSubjectAccessReview  -> may I?
 *     POST SubjectAccessReview      -> may a user?  LocalSubjectAccessReview
 *                                      asks about one namespace.
 *     POST SelfSubjectRulesReview   -> what may I?
 *     POST SelfSubjectReview        -> who am I?
 *     POST TokenReview              -> whose token is this?
 *
 * Nothing is stored: the answer is the object with its status. */

#include "apiserver/request.h"

/* Creates a review of any kind.  The router calls it for resources that store
 * nothing. */
enum yl_step yl_review_create(struct yl_api_request *);

#endif /* apiserver/auth/reviews.h */
