#ifndef APISERVER_DISCOVERY_LISTS_H
#define APISERVER_DISCOVERY_LISTS_H 1

/* The documents of discovery, as JSON.
 *
 *     /api               APIVersions
 *     /apis              APIGroupList
 *     /apis/GROUP        APIGroup
 *     /api/v1 and so on  APIResourceList
 *
 * and, if the client's Accept header asks for it, APIGroupDiscoveryList, which
 * contains all of this for all groups in one document. */

#include "apiserver/discovery/catalog.h"
#include "base/buf.h"

/* 'address' is where clients find the server: "192.0.2.1:6443". */
void yl_discovery_write_api(struct yl_buf *, const struct yl_catalog *,
                            struct yl_str address);

/* The arena is used for temporary data. */
void yl_discovery_write_apis(struct yl_buf *, const struct yl_catalog *,
                             struct yl_arena *);
void yl_discovery_write_group(struct yl_buf *,
                              const struct yl_catalog_group *);
void yl_discovery_write_resources(struct yl_buf *,
                                  const struct yl_catalog_version *);

/* For the core group, or for all others. */
void yl_discovery_write_aggregated(struct yl_buf *, const struct yl_catalog *,
                                   bool core);

/* Writes the paths that are served, for "/"; the arena is used for temporary
 * data. */
void yl_discovery_write_paths(struct yl_buf *, const struct yl_catalog *,
                              struct yl_arena *);

#endif /* apiserver/discovery/lists.h */
