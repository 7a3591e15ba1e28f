#ifndef APISERVER_DISCOVERY_OPENAPI_PATHS_H
#define APISERVER_DISCOVERY_OPENAPI_PATHS_H 1

/* The paths of OpenAPI: the requests that the server answers, with their
 * parameters, bodies and responses.
 *
 *     catalog -> [paths] -> "paths" of a document, v3 or v2
 *
 * Operations, their ids, actions, kinds and parameters are upstream's; media
 * types are those that this server supports.  Requests that need a kubelet
 * (exec, log, proxy) are left out, because there is none.  Descriptions are
 * left out too, except those that OpenAPI requires. */

#include <stdbool.h>

#include "apiserver/discovery/catalog.h"
#include "base/buf.h"
#include "schema/openapi.h"

/* Append members of "paths": those of a group-version (of built-in kinds), of
 * the built-in or of the custom resources in it, of a group ("/apis/apps/"),
 * or of no group ("/api/", "/apis/", "/version/").  A comma is put before each
 * member except the first after a '{'. */
void yl_openapi_write_version_paths(struct yl_buf *, enum yl_openapi_version,
                                    const struct yl_catalog_version *);
void yl_openapi_write_resource_paths(struct yl_buf *, enum yl_openapi_version,
                                     const struct yl_catalog_version *,
                                     bool custom);
void yl_openapi_write_group_path(struct yl_buf *, enum yl_openapi_version,
                                 struct yl_str group);
void yl_openapi_write_root_path(struct yl_buf *, enum yl_openapi_version,
                                const char *root);

#endif /* apiserver/discovery/openapi_paths.h */
