#ifndef APISERVER_VERBS_APPLY_H
#define APISERVER_VERBS_APPLY_H 1

/* Server-side apply: PATCH of type application/apply-patch+yaml.  See
 * own.h. */

#include "apiserver/verbs/write.h"

struct yl_ownership;

extern const struct yl_write_ops yl_apply_ops;

/* Applies the body of a request to what is stored: fills in the rest of
 * 'ownership' and calls the keeper.  0, a code with the Status to answer, or
 * YL_WAITING. */
int yl_apply_body(struct yl_write *, struct yl_ownership *,
                  struct yl_status *);

#endif /* apiserver/verbs/apply.h */
