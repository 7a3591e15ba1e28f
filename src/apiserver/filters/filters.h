#ifndef APISERVER_FILTERS_FILTERS_H
#define APISERVER_FILTERS_FILTERS_H 1

/* Filters: what every request passes, one file each, outermost first.
 *
 *     info -> deadline -> authenticate -> audit -> impersonate -> authorize
 *          -> route -> body -> serve
 *
 * Filters before "body" see the head of a request and nothing else.  A filter
 * that needs an answer from elsewhere waits (apiserver/request.h). */

#include <stdbool.h>

#include "apiserver/request.h"

/* Decodes from path and query what is asked for. */
enum yl_step yl_filter_info(struct yl_api_request *);

/* Sets the deadline and starts its timer; watches have limits of their own. */
enum yl_step yl_filter_deadline(struct yl_api_request *);

/* Finds the user: sets 'user', to whose share the request is charged from now
 * on, or answers 401. */
enum yl_step yl_filter_authenticate(struct yl_api_request *);

/* Records that the request came; the other two record that it was answered and
 * that it ended. */
enum yl_step yl_filter_audit(struct yl_api_request *);
void yl_filter_audit_response(struct yl_api_request *, struct yl_str body);
void yl_filter_audit_end(struct yl_api_request *, bool finished);

/* The same as yl_filter_audit_response() for an answer in pieces: puts a
 * source in the place of '*source' that keeps what goes through, if that is
 * to be recorded. */
void yl_filter_audit_source(struct yl_api_request *,
                            const struct yl_http_source **source, void **aux);

/* Replaces 'user' by the one that the headers ask to act as, if there are such
 * headers and it is allowed. */
enum yl_step yl_filter_impersonate(struct yl_api_request *);

/* Answers 403 if the user may not do it. */
enum yl_step yl_filter_authorize(struct yl_api_request *);

/* Finds the resource: sets 'resource', 'version', 'subresource' and 'accept',
 * or answers 404, 405 or 406.  Discovery, health and the like are served
 * here. */
enum yl_step yl_filter_route(struct yl_api_request *);

/* Waits for the body, if the verb takes one; answers 415 if the head says that
 * it is of a type that cannot be read. */
enum yl_step yl_filter_body(struct yl_api_request *);

/* Calls the verb of the resource. */
enum yl_step yl_filter_serve(struct yl_api_request *);

#endif /* apiserver/filters/filters.h */
