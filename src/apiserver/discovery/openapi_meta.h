#ifndef APISERVER_DISCOVERY_OPENAPI_META_H
#define APISERVER_DISCOVERY_OPENAPI_META_H 1

/* Schemas of types that are not kinds and have no descriptors: Status,
 * WatchEvent, Patch, and the documents of discovery. */

#include "base/buf.h"
#include "schema/openapi.h"

/* Which documents contain them. */
enum yl_openapi_meta {
    YL_OPENAPI_META_RESOURCES = 1 << 0, /* Of a group-version. */
    YL_OPENAPI_META_GROUP = 1 << 1,     /* Of a group. */
    YL_OPENAPI_META_GROUPS = 1 << 2,    /* Of all groups. */
    YL_OPENAPI_META_API = 1 << 3,       /* Of the core group's versions. */
    YL_OPENAPI_META_VERSION = 1 << 4,   /* Of the server. */
    YL_OPENAPI_META_CUSTOM = 1 << 5,    /* Of custom kinds of a
                                         * group-version. */
};

/* Appends the schemas that are missing in the object of schemas that starts at
 * 'start' in 'buf'. */
void yl_openapi_write_meta(struct yl_buf *, enum yl_openapi_version,
                           size_t start, unsigned which);

#endif /* apiserver/discovery/openapi_meta.h */
