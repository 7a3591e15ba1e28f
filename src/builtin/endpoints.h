#ifndef BUILTIN_ENDPOINTS_H
#define BUILTIN_ENDPOINTS_H 1

/* What others need to know of end points. */

#include "builtin/checks.h"

/* An address that traffic can be sent to: none of the node's own. */
void yl_check_endpoint_ip(struct yl_check *, const struct yl_at *);

#endif /* builtin/endpoints.h */
