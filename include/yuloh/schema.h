#ifndef YL_SCHEMA_H
#define YL_SCHEMA_H 1

/* Descriptors: what a type is, as constant tables.
 *
 *     annotated header --yuloh-gen--> tables --> decode, encode, copy, compare
 *     CRD, at run time --compiler--->    |----> defaults, pruning, validation
 *                                        '----> strategic merge, OpenAPI, CRD
 *
 * There is no code per type.  One codec and one walker for each purpose read
 * these tables.  yuloh-gen writes them for headers, and the schema compiler
 * makes them from CRDs.  Users see the records, the kinds
 * (&apps_v1_deployment_kind) and the inline wrappers of generated headers; the
 * tables are for those wrappers and for src/schema.
 *
 * A set holds everything of one group-version.  Tables refer to each other by
 * index and to text by offset, never by pointer, so they stay in read-only
 * pages that all processes share.  Entry 0 of every table is unused: 0 means
 * "none".  Only a set itself and its kinds have pointers.
 *
 * Guarantees
 * ==========
 *
 *   - Fields of a type are sorted by the bytes of their JSON names.  That is
 *     the canonical order of members, and allows a binary search.
 *
 *   - Embedded structs that JSON has inline are flattened: their fields stand
 *     in the type that embeds them.
 *
 *   - Sets never change once they are published.  The maker of a CRD's set
 *     counts the references to it.
 *
 * Threads
 * =======
 *
 * Constants: any number of threads may read them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

/* What a value is in JSON, and in C where it is part of a record. */
enum yl_value_kind {
    YL_VALUE_NONE,
    YL_VALUE_BOOL,              /* bool */
    YL_VALUE_INT32,             /* int32_t */
    YL_VALUE_INT64,             /* int64_t */
    YL_VALUE_DOUBLE,            /* double */
    YL_VALUE_STRING,            /* const char * */
    YL_VALUE_BYTES,             /* struct yl_bytes */
    YL_VALUE_TIME,              /* struct yl_time */
    YL_VALUE_MICRO_TIME,        /* struct yl_micro_time */
    YL_VALUE_DURATION,          /* struct yl_duration */
    YL_VALUE_QUANTITY,          /* struct yl_quantity */
    YL_VALUE_INT_OR_STRING,     /* struct yl_int_or_string */
    YL_VALUE_RAW,               /* struct yl_raw */
    YL_VALUE_EMBEDDED,          /* struct yl_embedded */
    YL_VALUE_STRUCT,            /* A struct of the set or of an import. */
    YL_VALUE_LIST,              /* const T *x; size_t n_x.  As an element of a
                                 * list or map: pointer, then count. */
    YL_VALUE_MAP,               /* const struct { const char *key; T value; }
                                 * *x; size_t n_x */
};

/* When a field is written. */
enum yl_presence {
    YL_PRESENCE_ALWAYS,         /* Empty or not; an empty list as null, as Go
                                 * writes nil. */
    YL_PRESENCE_OMIT_EMPTY,     /* Not if false, 0, "", or a list or map of
                                 * none.  No effect on a struct value. */
    YL_PRESENCE_OMIT_ZERO,      /* Like OMIT_EMPTY, and not if a struct or time
                                 * of zeros either. */
    YL_PRESENCE_POINTER,        /* Not if NULL; otherwise always, even if the
                                 * value is empty. */
    YL_PRESENCE_POINTER_ALWAYS, /* A NULL pointer is written as null. */
};

/* How lists and maps are merged and owned (x-kubernetes-list-type, ...). */
enum yl_topology {
    YL_TOPOLOGY_NONE,
    YL_TOPOLOGY_ATOMIC,
    YL_TOPOLOGY_SET,            /* Of a list of scalars. */
    YL_TOPOLOGY_MAP,            /* Of a list of structs, by keys. */
    YL_TOPOLOGY_GRANULAR,       /* Of a map or struct. */
};

enum yl_value_flags {
    YL_VALUE_NULLABLE = 1 << 0,
    YL_VALUE_PRESERVE = 1 << 1, /* Unknown members below it are kept. */
    YL_VALUE_UNTYPED = 1 << 2,  /* Of a struct, list or map: its schema says no
                                 * type, so that it may be anything else. */
    YL_VALUE_RESOURCE = 1 << 3, /* Of a struct: an object inside another, with
                                 * its own apiVersion, kind and metadata. */
    YL_VALUE_OPEN = 1 << 4,     /* Of a struct: other members are kept, though
                                 * nothing below them is described. */
};

/* A value: of a field, or of a list's or map's elements. */
struct yl_value {
    uint8_t kind;               /* enum yl_value_kind. */
    uint8_t flags;              /* enum yl_value_flags. */
    uint8_t topology;           /* enum yl_topology. */
    uint8_t import;             /* Of a struct: 0 is this set, n is
                                 * imports[n - 1]. */
    uint16_t type;              /* Of a struct: index in that set's types. */
    uint16_t element;           /* Of a list or map: index in 'values'. */
    uint16_t element_size;      /* Of a list or map: bytes of one element (of
                                 * one pair) in a record; 0 without one. */
    uint16_t n_rules;
    uint32_t rules;             /* First one, in 'rules'. */
    uint32_t list_keys;         /* Of YL_TOPOLOGY_MAP: "name" or "ip,port". */
};

enum yl_field_flags {
    YL_FIELD_REQUIRED = 1 << 0,     /* In OpenAPI and CRDs. */
    YL_FIELD_MERGE = 1 << 1,        /* patchStrategy merge, */
    YL_FIELD_REPLACE = 1 << 2,      /* replace, */
    YL_FIELD_RETAIN_KEYS = 1 << 3,  /* retainKeys. */
};

struct yl_field {
    uint32_t name;              /* JSON name. */
    uint16_t name_size;
    uint16_t value;             /* Index in 'values'. */
    uint16_t offset;            /* In the record. */
    uint16_t count_offset;      /* Of 'n_x', for lists and maps. */
    uint8_t presence;           /* enum yl_presence. */
    uint8_t flags;              /* enum yl_field_flags. */
    uint16_t number;            /* In protobuf; 0 if it has none. */
    uint32_t merge_key;         /* patchMergeKey. */
    uint32_t default_;          /* JSON text of the default. */
};

struct yl_type {
    uint32_t name;              /* "PodSpec". */
    uint32_t openapi_name;      /* "io.k8s.api.core.v1.PodSpec". */
    uint32_t fields;            /* First one, in 'fields'. */
    uint16_t n_fields;
    uint16_t record_size;       /* sizeof the struct; 0 without records. */
    uint32_t rules;             /* On the whole object, in 'rules'. */
    uint16_t n_rules;
    uint8_t topology;           /* enum yl_topology: structType. */
    uint8_t flags;              /* enum yl_value_flags. */
};

/* Validation, beyond what the kind of a value says. */
enum yl_rule_op {
    YL_RULE_NONE,
    YL_RULE_MINIMUM,            /* 'number' */
    YL_RULE_MAXIMUM,
    YL_RULE_EXCLUSIVE_MINIMUM,
    YL_RULE_EXCLUSIVE_MAXIMUM,
    YL_RULE_MULTIPLE_OF,
    YL_RULE_MIN_LENGTH,
    YL_RULE_MAX_LENGTH,
    YL_RULE_MIN_ITEMS,
    YL_RULE_MAX_ITEMS,
    YL_RULE_MIN_PROPERTIES,
    YL_RULE_MAX_PROPERTIES,
    YL_RULE_UNIQUE_ITEMS,
    YL_RULE_PATTERN,            /* 'text' */
    YL_RULE_FORMAT,             /* In place of the kind's; "" for none. */
    YL_RULE_ENUM,               /* 'text' is a JSON array. */
    YL_RULE_TITLE,
    YL_RULE_DESCRIPTION,
    YL_RULE_EXAMPLE,            /* 'text' is JSON. */
    YL_RULE_CEL,                /* 'text' is one x-kubernetes-validations
                                 * entry as JSON. */
    YL_RULE_SCHEMA,             /* 'text' is a JSON object of schema keywords
                                 * without a row of their own (allOf, ...);
                                 * 'number' is 1 if the rules below from ALSO
                                 * on say the same. */
    YL_RULE_OTHER,              /* Likewise, of keywords that judge nothing
                                 * (externalDocs, ...). */
    YL_RULE_REQUIRED,           /* Of a type: 'text' is a JSON array of the
                                 * members that are required, if they are other
                                 * ones or in another order than the fields
                                 * say. */
    YL_RULE_ALSO,               /* 'number' is the place in 'values' of a
                                 * struct, list or map that says what is below
                                 * it if it is an object or array although it
                                 * should not; or what other members are. */
    YL_RULE_ANY_OF,             /* Likewise, one rule for each schema. */
    YL_RULE_ONE_OF,
    YL_RULE_ALL_OF,
    YL_RULE_NOT,
    YL_RULE_DEFAULT,            /* Of elements of a list or map: 'text' is the
                                 * JSON that null becomes. */
};

struct yl_rule {
    uint16_t op;                /* enum yl_rule_op. */
    uint32_t text;
    double number;
};

/* A column of "kubectl get". */
struct yl_column {
    uint32_t name;
    uint32_t type;              /* "integer", "string", "date", ... */
    uint32_t format;
    uint32_t description;
    uint32_t json_path;         /* ".spec.replicas" */
    int32_t priority;
};

/* What one group-version describes. */
struct yl_type_set {
    const char *group;          /* "" for the core group. */
    const char *version;
    const char *strings;        /* All text, each ended by a NUL. */
    const struct yl_type *types;
    const struct yl_field *fields;
    const struct yl_value *values;
    const struct yl_rule *rules;
    const struct yl_column *columns;
    const struct yl_type_set *const *imports;
    const struct yl_kind *const *kinds;     /* In the order of the header. */
    uint32_t n_types, n_fields, n_values, n_rules, n_columns, n_imports;
    uint32_t n_kinds;
};

enum yl_kind_flags {
    YL_KIND_NAMESPACED = 1 << 0,
    YL_KIND_STATUS = 1 << 1,        /* Has the status subresource. */
    YL_KIND_SCALE = 1 << 2,         /* Has the scale subresource. */
    YL_KIND_STORAGE = 1 << 3,       /* The version that is stored. */
    YL_KIND_UNSERVED = 1 << 4,
    YL_KIND_DEPRECATED = 1 << 5,
    YL_KIND_CLIENT = 1 << 6,        /* +genclient */
    YL_KIND_UNDESCRIBED = 1 << 7,   /* Of a CRD: its schema is not published,
                                     * because it has none, or none that is
                                     * structural. */
    YL_KIND_PRESERVE = 1 << 8,      /* Of a CRD: preserveUnknownFields. */
};

/* A kind: what &foo_kind points to.  Texts are offsets into the set's
 * strings. */
struct yl_kind {
    const struct yl_type_set *set;
    const char *name;           /* "Deployment". */
    const char *list_name;      /* "DeploymentList". */
    const char *plural;         /* "deployments". */
    const char *singular;       /* "deployment". */
    uint16_t type;              /* Index in the set's types. */
    uint16_t list_type;         /* Of its list; 0 if it has none. */
    uint16_t flags;             /* enum yl_kind_flags. */
    uint16_t columns, n_columns;    /* In the set's columns. */
    uint32_t short_names;       /* "deploy,dep". */
    uint32_t categories;        /* "all". */
    uint32_t deprecation;       /* The warning, if it is deprecated. */
    uint32_t scale;             /* "SPECPATH,STATUSPATH,SELECTORPATH". */
    uint32_t selectable;        /* JSON paths, joined by commas. */
    uint32_t annotations;       /* Of the CRD: a JSON object. */
};

/* The text at an offset; "" for 0. */
static inline const char *
yl_type_set_text(const struct yl_type_set *set, uint32_t offset)
{
    return set->strings + offset;
}

/* A type with the set it is in. */
struct yl_type_ref {
    const struct yl_type_set *set;
    const struct yl_type *type; /* NULL if there is none. */
};

static inline struct yl_type_ref
yl_kind_type(const struct yl_kind *kind)
{
    struct yl_type_ref ref = { kind->set, &kind->set->types[kind->type] };

    return ref;
}

/* The struct that a value of kind YL_VALUE_STRUCT is. */
static inline struct yl_type_ref
yl_value_type(const struct yl_type_set *set, const struct yl_value *value)
{
    struct yl_type_ref ref;

    ref.set = value->import ? set->imports[value->import - 1] : set;
    ref.type = &ref.set->types[value->type];
    return ref;
}

/* The field that JSON calls 'name', or NULL. */
const struct yl_field *yl_type_field(struct yl_type_ref, struct yl_str name);

/* Whether the type belongs to a kind of its set.  If so, its JSON may contain
 * apiVersion and kind although the type has no such fields. */
bool yl_type_is_kind(struct yl_type_ref);

YL_C_END

#endif /* yuloh/schema.h */
