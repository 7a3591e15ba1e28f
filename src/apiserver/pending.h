#ifndef APISERVER_PENDING_H
#define APISERVER_PENDING_H 1

/* What pending.c stands in for, as long as it has no header of its own. */

#include "apiserver/request.h"

enum yl_step yl_review_create(struct yl_api_request *);

#endif /* apiserver/pending.h */
