#ifndef APISERVER_FILTERS_FILTERS_H
#define APISERVER_FILTERS_FILTERS_H 1

/* Filters: what every request passes, one file each, outermost first.
 *
 *     info -> deadline -> authenticate -> audit -> impersonate -> authorize
 *          -> route -> body -> serve
 *
 * What stands before "body" sees the head of a request and nothing else.  A
 * filter that has to ask somebody else waits (apiserver/request.h). */

#include <stdbool.h>

#include "apiserver/request.h"

/* What is asked for, decoded from path and query. */
enum yl_step yl_filter_info(struct yl_api_request *);

/* How long it may take; watches have a time of their own. */
enum yl_step yl_filter_deadline(struct yl_api_request *);

/* Who asks: sets 'user', to whose share the request is charged from now on,
 * or answers 401. */
enum yl_step yl_filter_authenticate(struct yl_api_request *);

/* Notes that it came; the other two that it was answered and that it ended. */
enum yl_step yl_filter_audit(struct yl_api_request *);
void yl_filter_audit_response(struct yl_api_request *, struct yl_str body);
void yl_filter_audit_end(struct yl_api_request *, bool finished);

/* The same as yl_filter_audit_response() for an answer in pieces: puts a
 * source in the place of '*source' that keeps what goes through, if that is
 * to be recorded. */
void yl_filter_audit_source(struct yl_api_request *,
                            const struct yl_http_source **source, void **aux);

/* As whom: replaces 'user' if the headers say so and it is allowed. */
enum yl_step yl_filter_impersonate(struct yl_api_request *);

/* May they?  Or 403. */
enum yl_step yl_filter_authorize(struct yl_api_request *);

/* Of which resource: sets 'resource', 'version', 'subresource' and 'accept',
 * or answers for what there is not (404, 405, 406).  Discovery, health and the
 * like are served here. */
enum yl_step yl_filter_route(struct yl_api_request *);

/* What was sent with it: waits for the body, if the verb takes one and says in
 * its head that it is of a type that can be read (415). */
enum yl_step yl_filter_body(struct yl_api_request *);

/* To the verb of the resource. */
enum yl_step yl_filter_serve(struct yl_api_request *);

#endif /* apiserver/filters/filters.h */
