#ifndef APISERVER_CRD_DEFINITION_H
#define APISERVER_CRD_DEFINITION_H 1

/* Definition: a CustomResourceDefinition, read and compiled.
 *
 *     CRD object --> tree --> [definition] --> definition_resource.h
 *                                 '--> schemas of its versions (src/schema)
 *
 * This is what the server knows of a custom kind: names, scope, and for each
 * version the compiled schema, subresources, columns and selectable fields.
 * Objects are handled by it alone; the CRD itself is not read again.
 *
 * Guarantees
 * ==========
 *
 *   - A definition never changes, except that it ends
 *     (yl_definition_terminate()).  A CRD that changes is a new definition.
 *
 *   - Equal schemas, of versions or of other definitions, are held once
 *     (schema/cache.h).
 *
 *   - Reading is charged to an account with a ceiling; the tree of the CRD and
 *     all that was needed to compile it are freed at the end.
 *
 * Ownership
 * =========
 *
 * Everything that it points to lives as long as it.  A definition that is
 * served belongs to its row in the registry, which is counted.
 *
 * Threads
 * =======
 *
 * Any number of threads may read one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/registry/registry.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_jsonpath;
struct yl_node;
struct yl_object;
struct yl_patterns;
struct yl_schema;
struct yl_schema_cache;

/* The most memory that reading one CRD may take, in bytes. */
#define YL_DEFINITION_MAX_MEMORY ((size_t) 256 << 20)

/* A column of Tables, besides the name. */
struct yl_definition_column {
    const char *name;
    const char *type;           /* "integer", "number", "string", "boolean" or
                                 * "date". */
    const char *format;
    const char *description;
    int priority;
    const struct yl_jsonpath *path;
};

/* A field that selectors may name. */
struct yl_definition_field {
    struct yl_str name;         /* "spec.color": the path without its dot. */
    const struct yl_jsonpath *path;
};

struct yl_definition_version {
    const struct yl_definition *definition;     /* It is one of its
                                                 * versions. */
    struct yl_str name;         /* "v1beta1". */
    bool served;
    bool storage;
    struct yl_str deprecation;  /* The Warning; empty if not deprecated. */
    struct yl_schema *schema;   /* One that allows everything if the CRD has
                                 * none; never NULL. */
    bool has_schema;
    bool published;             /* In OpenAPI: it has a schema, and that is
                                 * structural. */
    bool status;                /* Has the status subresource. */
    const struct yl_scale_paths *scale; /* Or NULL: no such subresource. */
    const struct yl_definition_column *columns;
    size_t n_columns;
    const struct yl_definition_field *fields;
    size_t n_fields;
};

struct yl_definition {
    struct yl_str group;
    struct yl_str plural;
    struct yl_str singular;
    struct yl_str kind;
    struct yl_str list_kind;
    const char *short_names;    /* "wi,wid"; "" for none. */
    const char *categories;
    bool namespaced;
    bool preserve;              /* spec.preserveUnknownFields: objects are not
                                 * pruned. */
    bool webhook;               /* Versions are converted by a webhook. */
    _Atomic bool terminating;   /* No new objects: the one member that
                                 * changes. */
    const struct yl_definition_version *versions;
    size_t n_versions;
    const struct yl_definition_version *storage;

    const struct yl_api_version *rows;  /* All versions, as the registry has
                                         * them, */
    const uint8_t *numbers;     /* and the number that the keyspace has for
                                 * each (yl_keyspace_add_types()). */

    struct yl_patterns *patterns;   /* Borrowed; matches their patterns. */
    struct yl_arena *arena;     /* Holds all of this, and the row that is made
                                 * of it. */
};

/* What definitions share; both are borrowed. */
struct yl_definition_opts {
    struct yl_schema_cache *schemas;
    struct yl_patterns *patterns;
};

/* Reads a CRD in the hub's version, whose names are accepted already: the
 * names are those of its status.  0; YL_EINVALID for one that cannot be
 * served; YL_ETOOBIG. */
int yl_definition_new(const struct yl_node *crd,
                      const struct yl_definition_opts *,
                      struct yl_definition **ret_definition,
                      struct yl_error *err);
void yl_definition_free(struct yl_definition *);

/* The version called 'name', or NULL. */
const struct yl_definition_version *
yl_definition_version(const struct yl_definition *, struct yl_str name);

/* From now on no objects are created. */
void yl_definition_terminate(struct yl_definition *);

#endif /* apiserver/crd/definition.h */
