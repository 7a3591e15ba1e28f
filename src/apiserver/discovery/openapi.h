#ifndef APISERVER_DISCOVERY_OPENAPI_H
#define APISERVER_DISCOVERY_OPENAPI_H 1

/* Serving OpenAPI.
 *
 *     /openapi/v3                    which documents there are, with a hash
 *     /openapi/v3/apis/apps/v1       one of them
 *     /openapi/v3/...?hash=HASH      the same, to be kept for ever; or a
 *                                    redirection to the hash it has now
 *     /openapi/v2                    all in one, as JSON or as protobuf
 *
 * All of them support ETag and If-None-Match. */

#include "apiserver/request.h"

enum yl_step yl_serve_openapi_v2(struct yl_api_request *);
enum yl_step yl_serve_openapi_index(struct yl_api_request *);

/* 'name' is what follows "/openapi/v3/". */
enum yl_step yl_serve_openapi_v3(struct yl_api_request *, struct yl_str name);

#endif /* apiserver/discovery/openapi.h */
