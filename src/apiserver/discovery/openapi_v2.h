#ifndef APISERVER_DISCOVERY_OPENAPI_V2_H
#define APISERVER_DISCOVERY_OPENAPI_V2_H 1

/* The document of OpenAPI v2, put together from parts that are kept.
 *
 *     built-in kinds ------------.
 *     custom kinds of G/V -------+--> [v2] --> /openapi/v2, JSON or protobuf
 *     custom kinds of G/V, ... --'
 *
 * All kinds are in one document of megabytes, which clients read again after
 * each change.  A part is rendered when its group-version has changed, and
 * kept like any document; the rest is copying.  Protobuf needs no care for
 * that: messages one after the other are read as one that has all their
 * fields. */

#include "base/buf.h"

/* Append the document.  'server' is a struct yl_apiserver.  They are functions
 * for yl_documents_get(); false if it would be too large. */
bool yl_openapi_render_v2(struct yl_buf *, void *server);
bool yl_openapi_render_v2_proto(struct yl_buf *, void *server);

#endif /* apiserver/discovery/openapi_v2.h */
