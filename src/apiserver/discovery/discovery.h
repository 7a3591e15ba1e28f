#ifndef APISERVER_DISCOVERY_DISCOVERY_H
#define APISERVER_DISCOVERY_DISCOVERY_H 1

/* Paths that belong to no resource: discovery, OpenAPI, health, metrics,
 * version.
 *
 *     route -> [discovery] -> documents, health, metrics
 *
 * Guarantees
 * ==========
 *
 *   - Every path is answered.  A path that does not exist gets a 404, in the
 *     form that upstream has for it (a Status below /api and below groups that
 *     exist, a line of text elsewhere).
 *
 *   - Documents are rendered when they are asked for and lent to all answers
 *     that carry them; see documents.h. */

#include "apiserver/request.h"

enum yl_step yl_discovery_serve(struct yl_api_request *);

/* The version that clients are told: "v1.36.3+yuloh0.1.0". */
#define YL_DISCOVERY_MAJOR "1"
#define YL_DISCOVERY_MINOR "36"
const char *yl_discovery_version(void);

/* For the files that serve single paths: refuse a method or a media type, in
 * the words of upstream's router, or of its serializer if not 'by_route'. */
bool yl_discovery_is_get(const struct yl_api_request *);
enum yl_step yl_discovery_refuse_method(struct yl_api_request *);
enum yl_step yl_discovery_refuse_form(struct yl_api_request *, bool by_route,
                                      const char *media_types);

#endif /* apiserver/discovery/discovery.h */
