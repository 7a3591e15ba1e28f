#ifndef APISERVER_VERBS_SUBRESOURCES_H
#define APISERVER_VERBS_SUBRESOURCES_H 1

/* What subresources do that the object itself does not.
 *
 *     /status, /finalize, /approval,    updates that may change one part and
 *     /ephemeralcontainers, /resize     keep the rest
 *     /scale                            the object seen as a Scale
 *
 * All others are served by the kind's strategy. */

#include "apiserver/request.h"
#include "apiserver/verbs/propose.h"

/* How an update at this path is prepared and validated. */
struct yl_propose_opts yl_subresource_opts(const struct yl_api_request *);

/* /scale: GET; PUT and PATCH. */
enum yl_step yl_verb_get_scale(struct yl_api_request *);
enum yl_step yl_verb_write_scale(struct yl_api_request *);

#endif /* apiserver/verbs/subresources.h */
