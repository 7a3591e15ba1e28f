#ifndef CLIENT_DELETE_BODY_H
#define CLIENT_DELETE_BODY_H 1

/* DeleteOptions: the body of a deletion. */

#include "base/buf.h"
#include "yuloh/client.h"

/* Appends the JSON of both options, either of which may be NULL; nothing if
 * they say nothing. */
void yl_delete_body_write(struct yl_buf *, const struct yl_delete_opts *,
                          const struct yl_call_opts *);

#endif /* client/delete_body.h */
