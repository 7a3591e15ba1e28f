#ifndef APISERVER_DISCOVERY_DISCOVERY_H
#define APISERVER_DISCOVERY_DISCOVERY_H 1

/* Paths that are no resources: what is served, in which schemas, and whether
 * the server is well. */

#include "apiserver/request.h"

enum yl_step yl_discovery_serve(struct yl_api_request *);

#endif /* apiserver/discovery/discovery.h */
