#ifndef SCHEMA_PROPS_H
#define SCHEMA_PROPS_H 1

/* JSONSchemaProps, read: the contents of a schema, keyword by keyword.
 *
 *     CRD, OpenAPI --> tree --> [props] --> descriptors (schema/compile.h)
 *                                  '------> codegen's model
 *
 * This is the only reader of schemas.  It knows every keyword of a structural
 * schema: those that decide what a value is (type, properties, items, ...),
 * those that are rules (minimum, pattern, ...), those that hold further
 * schemas for the same value (allOf, not, ...).  Unknown keywords stay in the
 * tree, which each schema points to, so that nothing is lost.
 *
 * Whether a schema is structural is not checked here; that can find more than
 * one fault, has Kubernetes' messages, and walks over what was read here.
 *
 * Guarantees
 * ==========
 *
 *   - An error names its place, as Kubernetes names places in a schema
 *     ("properties[spec].items.minimum"), in the message and as the field of
 *     the one cause.
 *
 *   - null counts as absent, as in Go.
 *
 *   - Bounded: YL_SCHEMA_MAX_DEPTH schemas inside each other,
 *     YL_SCHEMA_MAX_SCHEMAS in all.  Time and memory grow with the tree, not
 *     with its square.
 *
 * Ownership
 * =========
 *
 * What is read lives in the arena and points into the tree. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_field_path;
struct yl_node;

#define YL_SCHEMA_MAX_DEPTH 200
#define YL_SCHEMA_MAX_SCHEMAS 65535

/* A keyword that is a rule, or one entry of x-kubernetes-validations. */
struct yl_schema_rule {
    struct yl_schema_rule *next;    /* In the order of the text. */
    enum yl_rule_op op;
    double number;              /* Of a keyword that is a number. */
    struct yl_str text;         /* Of one that is a text; else null. */
    const struct yl_node *node; /* The value of the keyword. */
};

enum yl_schema_flags {
    YL_SCHEMA_NULLABLE = 1 << 0,
    YL_SCHEMA_PRESERVE = 1 << 1,    /* x-kubernetes-preserve-unknown-fields */
    YL_SCHEMA_EMBEDDED = 1 << 2,    /* x-kubernetes-embedded-resource */
    YL_SCHEMA_INT_OR_STRING = 1 << 3,   /* x-kubernetes-int-or-string */
    YL_SCHEMA_REQUIRED = 1 << 4,    /* For a property: required by the schema
                                     * it is in. */
    YL_SCHEMA_ADDITIONAL = 1 << 5,  /* additionalProperties: true */
};

struct yl_schema_props;

struct yl_schema_list {
    struct yl_schema_props *all;    /* In the order of the text. */
    size_t n;
};

struct yl_schema_props {
    const struct yl_node *node; /* The schema itself. */
    struct yl_str name;         /* Of a property; else null. */
    enum yl_value_kind kind;    /* The kind of values it describes; see
                                 * below. */
    unsigned flags;             /* enum yl_schema_flags. */
    struct yl_str type;         /* "object"; empty if it says none. */
    struct yl_str format;       /* Empty if it says none. */
    struct yl_str description;  /* Empty if it has none. */
    struct yl_str ref;          /* "$ref", which is not followed; or empty. */

    struct yl_schema_list properties;
    struct yl_schema_props **by_name;   /* 'properties', in the order of their
                                         * names' bytes. */
    const struct yl_node *required;     /* An array of texts; or NULL. */
    struct yl_schema_props *items;      /* NULL if it has none, or an array of
                                         * them, which is left in 'node'. */
    struct yl_schema_props *additional; /* additionalProperties, if that is a
                                         * schema; else NULL. */

    struct yl_schema_list all_of, any_of, one_of;
    struct yl_schema_props *not_;

    struct yl_schema_rule *rules;
    const struct yl_node *default_;     /* NULL if it has none. */
    enum yl_topology list_type;         /* x-kubernetes-list-type */
    enum yl_topology map_type;          /* x-kubernetes-map-type */
    const char *list_keys;      /* "name" or "ip,port"; never NULL. */
};

/* Reads 'schema', which stands at 'path' (NULL: the root).  0; YL_EINVALID for
 * what is no schema; YL_ETOODEEP or YL_ETOOBIG; or the error of the arena's
 * account, which has no cause. */
int yl_schema_props_read(struct yl_arena *, const struct yl_node *schema,
                         const struct yl_field_path *path,
                         const struct yl_schema_props **ret_props,
                         struct yl_error *err);

/* The property called 'name', or NULL. */
struct yl_schema_props *yl_schema_property(const struct yl_schema_props *,
                                           struct yl_str name);

/* Is 'keyword' implied by a descriptor of kind 'kind', so that no rule is
 * needed?  Descriptions and defaults count as implied. */
bool yl_schema_is_said(const struct yl_schema_props *, enum yl_value_kind kind,
                       struct yl_str keyword);

/* Does it describe quantities, as controller-gen writes them? */
bool yl_schema_is_quantity(const struct yl_schema_props *);

/* The canonical text of 'node'. */
struct yl_str yl_schema_json(struct yl_arena *, const struct yl_node *node);

/* Sets 'err' to "PLACE: WORDS", with the two as its cause. */
void yl_schema_fault(struct yl_error *err, const struct yl_field_path *,
                     int code, const char *format, va_list)
    YL_PRINTF(4, 0);

/* The kinds that a schema can have:
 *
 *     YL_VALUE_STRUCT         an object: with properties, or with nothing said
 *     YL_VALUE_MAP            an object with additionalProperties alone
 *     YL_VALUE_LIST           an array
 *     YL_VALUE_INT_OR_STRING  x-kubernetes-int-or-string
 *     YL_VALUE_BYTES, _TIME   a string with format byte or date-time
 *     YL_VALUE_STRING, _BOOL, _INT32, _INT64, _DOUBLE
 *     YL_VALUE_RAW            what it is not said to be
 *
 * If no type is given, properties, additionalProperties and items make it a
 * struct, a map or a list all the same; 'type' tells whether one was given. */

#endif /* schema/props.h */
