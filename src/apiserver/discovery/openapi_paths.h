#ifndef APISERVER_DISCOVERY_OPENAPI_PATHS_H
#define APISERVER_DISCOVERY_OPENAPI_PATHS_H 1

/* The paths of OpenAPI: which requests there are, with which parameters, what
 * goes in and comes out.
 *
 *     catalog -> [paths] -> "paths" of a document, v3 or v2
 *
 * Operations, their names, actions, kinds and parameters are upstream's;
 * media types are those this server has.  Requests that need a kubelet (exec,
 * log, proxy) are left out: there is none.  Descriptions are left out too,
 * but for those that OpenAPI demands. */

#include "apiserver/discovery/catalog.h"
#include "base/buf.h"
#include "schema/openapi.h"

/* Appends members of "paths": all of a group-version, that of a group
 * ("/apis/apps/"), and those that are no group's ("/api/", "/apis/",
 * "/version/").  A comma stands before each but the first behind a '{'. */
void yl_openapi_write_version_paths(struct yl_buf *, enum yl_openapi_version,
                                    const struct yl_catalog_version *);
void yl_openapi_write_group_path(struct yl_buf *, enum yl_openapi_version,
                                 struct yl_str group);
void yl_openapi_write_root_path(struct yl_buf *, enum yl_openapi_version,
                                const char *root);

/* Appends a reference to the schema called 'name': an object. */
void yl_openapi_write_ref(struct yl_buf *, enum yl_openapi_version,
                          const char *name);

#endif /* apiserver/discovery/openapi_paths.h */
