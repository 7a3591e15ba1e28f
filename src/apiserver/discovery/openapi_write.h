#ifndef APISERVER_DISCOVERY_OPENAPI_WRITE_H
#define APISERVER_DISCOVERY_OPENAPI_WRITE_H 1

/* Whole documents of OpenAPI.
 *
 *     catalog -> paths, schemas -> [document] -> /openapi/v3/..., /openapi/v2
 *
 * Version 3 has a document for each group-version, each group and each root;
 * 'name' is its path: "api", "api/v1", "apis", "apis/apps", "apis/apps/v1",
 * "version".  Groups that have only custom kinds have none, as in upstream.
 *
 * Version 2 has one document for all.  It is made of parts, so that a new
 * CustomResourceDefinition costs its own part: that of the built-in kinds, and
 * one for the custom kinds of each group-version.  A part is written as
 * members of "paths" and members of "definitions". */

#include "apiserver/discovery/catalog.h"
#include "base/buf.h"

/* False if there is no such document. */
bool yl_openapi_write_v3(struct yl_buf *, const struct yl_catalog *,
                         struct yl_str name);

/* Calls 'fn' with the name of each document of version 3 and its stamp, in the
 * order of names. */
void yl_openapi_for_each(const struct yl_catalog *, struct yl_arena *,
                         void (*fn)(void *aux, struct yl_str name,
                                    uint64_t stamp),
                         void *aux);

/* Append a part of version 2: the custom kinds of 'version', or if that is
 * NULL the built-in kinds of all. */
void yl_openapi_write_v2_paths(struct yl_buf *, const struct yl_catalog *,
                               const struct yl_catalog_version *version);
void yl_openapi_write_v2_definitions(struct yl_buf *,
                                     const struct yl_catalog *,
                                     const struct yl_catalog_version *version);

/* Append what stands before the paths and behind the definitions, without the
 * braces of the document. */
void yl_openapi_write_v2_head(struct yl_buf *);
void yl_openapi_write_v2_tail(struct yl_buf *);

#endif /* apiserver/discovery/openapi_write.h */
