#ifndef APISERVER_PENDING_H
#define APISERVER_PENDING_H 1

/* What pending.c stands in for, as long as it has no header of its own. */

#include "apiserver/request.h"

struct yl_apiserver;
struct yl_error;

enum yl_step yl_review_create(struct yl_api_request *);
int yl_bootstrap(struct yl_apiserver *, struct yl_error *);

#endif /* apiserver/pending.h */
