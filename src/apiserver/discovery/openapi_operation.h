#ifndef APISERVER_DISCOVERY_OPENAPI_OPERATION_H
#define APISERVER_DISCOVERY_OPENAPI_OPERATION_H 1

/* One path of a resource in OpenAPI, with its operations.
 *
 *     path, verbs -> [operations] -> "/apis/G/V/things": { "get": {...}, ... }
 *
 * Operations, their ids, actions, kinds and parameters are upstream's, which
 * differ between built-in and custom kinds; media types are those that this
 * server supports. */

#include <stdbool.h>
#include <stdint.h>

#include "apiserver/discovery/catalog.h"
#include "base/buf.h"
#include "schema/openapi.h"

/* A path, and the resource that its operations are about. */
struct yl_openapi_place {
    struct yl_buf *buf;
    enum yl_openapi_version openapi;
    const struct yl_catalog_version *version;
    const struct yl_api_resource *resource;
    const char *object;         /* Schema of requests and responses, */
    const char *list;           /* and of lists; "" for any object. */
    const struct yl_api_subresource *sub;   /* Or NULL. */
    const char *watch;          /* "watch/" or "". */
    bool everywhere;            /* In all namespaces. */
    bool named;
    const char *suffix;         /* Of operationId: "List". */
};

/* What a path is about, which decides what its operations are. */
enum yl_openapi_about {
    YL_OPENAPI_COLLECTION,
    YL_OPENAPI_OBJECT,          /* Or a subresource. */
    YL_OPENAPI_WATCH_LIST,      /* Below /watch. */
    YL_OPENAPI_WATCH_OBJECT,
};

/* Appends the path with the operations that are in 'verbs'; nothing if there
 * are none.  A comma is put before it, except after a '{'. */
void yl_openapi_write_path(const struct yl_openapi_place *,
                           enum yl_openapi_about, uint32_t verbs);

/* Parts of what is written for a path, also of those of discovery
 * =============================================================== */

/* Appends a reference to the schema called 'name': an object. */
void yl_openapi_write_ref(struct yl_buf *, enum yl_openapi_version,
                          const char *name);

/* Appends a part of an operationId: letters, digits and underscores.  Other
 * characters are dropped and the next letter becomes a capital, as in
 * upstream. */
void yl_openapi_write_id(struct yl_buf *, struct yl_str, bool capital);

/* The same for a group, which is "core" if it is empty and loses
 * ".k8s.io". */
void yl_openapi_write_group_id(struct yl_buf *, struct yl_str group,
                               bool capital);

/* Appends a comma, unless a '{' or '[' was appended last. */
void yl_openapi_write_comma(struct yl_buf *);

#endif /* apiserver/discovery/openapi_operation.h */
