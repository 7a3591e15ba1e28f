#ifndef APISERVER_DISCOVERY_OPENAPI_WRITE_H
#define APISERVER_DISCOVERY_OPENAPI_WRITE_H 1

/* Whole documents of OpenAPI.
 *
 *     catalog -> paths, schemas -> [document] -> /openapi/v3/..., /openapi/v2
 *
 * Version 3 has a document for each group-version, each group and each root;
 * 'name' is its path: "api", "api/v1", "apis", "apis/apps", "apis/apps/v1",
 * "version".  Version 2 has one for all. */

#include "apiserver/discovery/catalog.h"
#include "base/buf.h"

/* False if there is no such document. */
bool yl_openapi_write_v3(struct yl_buf *, const struct yl_catalog *,
                         struct yl_str name);
void yl_openapi_write_v2(struct yl_buf *, const struct yl_catalog *);

/* Calls 'fn' with the name of each document of version 3, in the order of
 * names. */
void yl_openapi_for_each(const struct yl_catalog *, struct yl_arena *,
                         void (*fn)(void *aux, struct yl_str name),
                         void *aux);

#endif /* apiserver/discovery/openapi_write.h */
