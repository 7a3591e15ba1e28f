#ifndef SCHEMA_OPENAPI_H
#define SCHEMA_OPENAPI_H 1

/* OpenAPI of descriptors: the schemas of a v3 document ("components.schemas")
 * or of a v2 one ("definitions").
 *
 *     kinds --> [schemas] --> /openapi/v3/apis/apps/v1, /openapi/v2
 *
 * Paths are written by the server, which puts these schemas beside them.
 *
 * Guarantees
 * ==========
 *
 *   - Complete.  Every reference leads to a schema that is there too.
 *
 *   - Kubernetes' own: for the built-in kinds, the schemas of v3 are those of
 *     an API server, except for the descriptions.
 *
 *   - The same kinds give the same text, in the order of the schemas' names.
 *
 * A type without an OpenAPI name is written in the place where it is used, as
 * in the schemas of CRDs. */

#include <stddef.h>

#include "base/buf.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

enum yl_openapi_version {
    YL_OPENAPI_V3,
    YL_OPENAPI_V2,
};

/* Appends the schemas of the kinds, of their lists, and of all that those
 * refer to, as members of an object.  Kinds whose type has no OpenAPI name are
 * left out: custom kinds are written by schema/openapi_custom.h. */
void yl_openapi_write_schemas(struct yl_buf *, enum yl_openapi_version,
                              const struct yl_kind *const *kinds,
                              size_t n_kinds);

/* Appends the schema of one type, with references to types that have names. */
void yl_openapi_write_type(struct yl_buf *, enum yl_openapi_version,
                           struct yl_type_ref);

/* Appends the prefix of the names of a group-version's schemas:
 * "com.example.v1" for group "example.com" and version "v1". */
void yl_openapi_write_prefix(struct yl_buf *, struct yl_str group,
                             struct yl_str version);

#endif /* schema/openapi.h */
