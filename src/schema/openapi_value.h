#ifndef SCHEMA_OPENAPI_VALUE_H
#define SCHEMA_OPENAPI_VALUE_H 1

/* Values as schemas; the inner part of openapi.c. */

#include "base/buf.h"
#include "schema/openapi.h"
#include "yuloh/json.h"
#include "yuloh/schema.h"

/* The most structs without names inside each other. */
#define YL_OPENAPI_MAX_DEPTH 200

/* A schema that is being written. */
struct yl_openapi_writer {
    struct yl_buf *buf;
    enum yl_openapi_version version;
    unsigned depth;             /* Structs without names around this. */
};

/* Appends "KEY":, after a comma if one is needed. */
void yl_openapi_key(struct yl_openapi_writer *, struct yl_str key);

/* The names of shared types that values refer to; NULL if the kind has
 * none. */
const char *yl_openapi_shared(enum yl_value_kind);

/* The schema of a shared type. */
void yl_openapi_write_shared(struct yl_openapi_writer *, enum yl_value_kind);

/* The rule of a raw value that names its schema: {"$ref": NAME, ...}, which is
 * absent if there is none. */
struct yl_json yl_openapi_named_raw(const struct yl_type_set *,
                                    const struct yl_value *);

/* Appends the schema of a field. */
void yl_openapi_write_field(struct yl_openapi_writer *, struct yl_type_ref,
                            const struct yl_field *);

/* Appends the members that 'rules' give, to an object that is open. */
void yl_openapi_write_rules(struct yl_openapi_writer *,
                            const struct yl_type_set *, uint32_t rules,
                            unsigned n);

/* Appends "x-kubernetes-map-type", if the topology is one of a struct. */
void yl_openapi_write_struct_type(struct yl_openapi_writer *,
                                  enum yl_topology);

/* The schema of a struct, as an object (openapi.c). */
void yl_openapi_write_struct(struct yl_openapi_writer *, struct yl_type_ref);

#endif /* schema/openapi_value.h */
