#ifndef CODEGEN_MODEL_H
#define CODEGEN_MODEL_H 1

/* The generator's model: everything a header says about a group-version.
 *
 *     annotated header --read_header.c--\                 /--> X.h, X.c
 *                                        >--> [model] ---+---> CRDs
 *     CRD, OpenAPI -----from_schema.c---/                 \--> annotated
 *                                                              header
 *
 * Readers build a unit and writers walk over it; they share nothing else.  The
 * terms are those of yuloh/schema.h, which also says what the values of its
 * enums mean.
 *
 * Ownership
 * =========
 *
 * Everything lives in the unit's arena, texts included, and is never freed
 * alone.  Texts are never NULL unless a member says so: "" is absent.
 *
 * Order
 * =====
 *
 * Lists keep the order in which things were read.  A type's number in the
 * tables is its place in its unit (from 1), so that a unit which imports it
 * finds the same number by reading the same header. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;

/* Validation; see enum yl_rule_op. */
struct yl_gen_rule {
    struct yl_gen_rule *next;
    enum yl_rule_op op;
    double number;
    const char *text;
};

/* What a field, or an element of a list or map, is. */
struct yl_gen_value {
    enum yl_value_kind kind;
    unsigned flags;             /* enum yl_value_flags. */
    enum yl_topology topology;
    const char *list_keys;      /* "name" or "ip,port". */
    struct yl_gen_type *type;   /* Of a struct. */
    struct yl_gen_value *element;   /* Of a list or map. */
    const char *c_element;      /* Of a list or map: the C type of an element
                                 * or a pair, for sizeof; a writer of headers
                                 * may leave it to yl_gen_c_element(). */
    struct yl_gen_rule *rules;  /* In order; YL_RULE_DESCRIPTION not among
                                 * them, see 'doc'. */
};

/* Properties of a field in upstream's Go types that JSON does not show.
 * Messages depend on them; see codegen/go_order.h. */
struct yl_gen_go {
    const char *type;           /* "v1.PullPolicy", "[]types.UID". */
    const char *name;           /* In the internal type. */
    const char *after;          /* The JSON name of the field before it; */
    const char *in;             /* or the JSON name of the struct that has it
                                 * there. */
    bool absent;                /* The internal type has no such field. */
    bool value;                 /* It is not a pointer there. */
    unsigned depth;             /* Number of embedded structs around it. */
};

/* A struct that Go embeds in another, whose fields JSON has in its place. */
struct yl_gen_embedding {
    struct yl_gen_embedding *next;  /* The one inside of this one. */
    const char *name;           /* "ProbeHandler". */
    unsigned number;            /* Of its message in protobuf. */
    const char *first, *last;   /* JSON names, in the order of the header. */
    unsigned line;
};

struct yl_gen_field {
    struct yl_gen_field *next;
    const char *c_name;         /* "replicas"; "strategy.type" once an inlined
                                 * struct is flattened. */
    const char *c_count;        /* Of a list or map: "n_args". */
    const char *json_name;
    const char *doc;            /* Lines joined by "\n". */
    struct yl_gen_value *value;
    enum yl_presence presence;
    bool required;
    unsigned patch;             /* YL_FIELD_MERGE, ... of yl_field_flags. */
    const char *merge_key;
    const char *default_;       /* JSON text. */
    unsigned number;            /* In protobuf, 0 if unknown. */
    struct yl_gen_go go;        /* What only Go's own types show. */
    bool inlined;               /* JSON has the struct's fields in its place;
                                 * see yl_gen_unit_flatten(). */
    unsigned line;
};

struct yl_gen_type {
    struct yl_gen_type *next;
    struct yl_gen_unit *unit;   /* That it is described in. */
    unsigned index;             /* In the tables, from 1. */
    const char *c_name;         /* The struct's tag: "apps_v1_deployment". */
    const char *name;           /* "Deployment". */
    const char *openapi_name;   /* "io.k8s.api.apps.v1.Deployment". */
    const char *doc;
    struct yl_gen_field *fields;
    struct yl_gen_rule *rules;  /* On the whole object. */
    struct yl_gen_embedding *embeddings;    /* The outermost one first. */
    enum yl_topology topology;  /* +structType */
    unsigned flags;             /* enum yl_value_flags. */
    struct yl_gen_kind *kind;   /* NULL if it is none. */
    bool is_list;               /* Made for a kind, not in the header. */
    bool no_copy;               /* +k8s:deepcopy-gen=false */
    unsigned line;
};

struct yl_gen_column {
    struct yl_gen_column *next;
    const char *name;
    const char *type;
    const char *format;
    const char *description;
    const char *json_path;
    int priority;
};

/* A list of texts: short names, categories, annotations ("key=value"). */
struct yl_gen_text {
    struct yl_gen_text *next;
    const char *text;
};

struct yl_gen_kind {
    struct yl_gen_kind *next;
    struct yl_gen_type *type;
    struct yl_gen_type *list;   /* Its list type. */
    const char *name;           /* As the type's. */
    const char *list_name;
    const char *plural;
    const char *singular;
    struct yl_gen_text *short_names;
    struct yl_gen_text *categories;
    bool cluster_scoped;
    bool status;                /* Has the status subresource. */
    bool scale;                 /* Has the scale subresource: */
    const char *scale_spec;     /* ".spec.replicas" */
    const char *scale_status;
    const char *scale_selector;
    struct yl_gen_column *columns;
    bool storage;               /* This version is stored. */
    bool storage_said;          /* By a marker, not by being alone. */
    bool unserved;
    bool deprecated;
    const char *deprecation;    /* The warning; "" for the usual one. */
    struct yl_gen_text *selectable;     /* JSON paths. */
    struct yl_gen_text *annotations;    /* Of the CRD: "key=value". */
    struct yl_gen_text *labels;         /* Of the CRD: "key=value". */
    bool client;                /* +genclient */
    bool client_no_status;      /* +genclient:noStatus */
    const char *only_verbs;     /* "create,get"; "" for all. */
};

/* A unit that this one refers to. */
struct yl_gen_import {
    struct yl_gen_import *next;
    struct yl_gen_unit *unit;
};

struct yl_gen_unit {
    struct yl_arena *arena;
    const char *file;           /* That it was read from, for messages. */
    const char *base;           /* "apps_v1", of apps_v1_types.h: what output
                                 * files and their identifiers start with. */
    const char *include_as;     /* What the generated header includes; "" for
                                 * the file's own name. */
    const char *group;          /* "" for the core group. */
    const char *version;
    const char *prefix;         /* What C names start with and API names do
                                 * not: "apps_v1_". */
    const char *openapi_prefix; /* "io.k8s.api.apps.v1". */
    const char *doc;
    bool no_copy;               /* +k8s:deepcopy-gen=false for all types. */
    bool fields_optional;       /* Unless they say +required. */
    bool no_internal;           /* +internal:none */
    struct yl_gen_import *imports;      /* In the order of first use. */
    struct yl_gen_type *types;
    struct yl_gen_kind *kinds;
    unsigned n_types;
};

/* Building.  Each adds at the end of its list; what is not given is absent,
 * and names are derived by the rules below. */
struct yl_gen_unit *yl_gen_unit_new(struct yl_arena *, const char *base,
                                    const char *group, const char *version);
struct yl_gen_type *yl_gen_type_add(struct yl_gen_unit *, const char *c_name);
struct yl_gen_field *yl_gen_field_add(struct yl_gen_type *,
                                      const char *c_name,
                                      struct yl_gen_value *);
struct yl_gen_value *yl_gen_value_new(struct yl_gen_unit *,
                                      enum yl_value_kind);
struct yl_gen_rule *yl_gen_rule_add(struct yl_gen_unit *,
                                    struct yl_gen_rule **rules,
                                    enum yl_rule_op, double number,
                                    const char *text);
void yl_gen_text_add(struct yl_gen_unit *, struct yl_gen_text **,
                     const char *text);
struct yl_gen_column *yl_gen_column_add(struct yl_gen_unit *,
                                        struct yl_gen_kind *);

/* Makes 'type' a kind. */
struct yl_gen_kind *yl_gen_kind_add(struct yl_gen_type *);

/* Gives a type another name than its struct's. */
void yl_gen_type_rename(struct yl_gen_type *, const char *name);

/* The number (from 1) under which 'unit' imports 'other', which is added if
 * necessary; 0 if they are the same. */
unsigned yl_gen_import(struct yl_gen_unit *unit, struct yl_gen_unit *other);

/* Looking up; NULL if there is none. */
struct yl_gen_type *yl_gen_type_find(const struct yl_gen_unit *,
                                     const char *c_name);
struct yl_gen_type *yl_gen_type_find_api(const struct yl_gen_unit *,
                                         const char *name);
struct yl_gen_field *yl_gen_field_find(const struct yl_gen_type *,
                                       const char *json_name);
const struct yl_gen_rule *yl_gen_rule_find(const struct yl_gen_rule *,
                                           enum yl_rule_op);

/* The fields in the order of their JSON names' bytes, as tables have them. */
struct yl_gen_field **yl_gen_fields_sorted(const struct yl_gen_type *,
                                           size_t *ret_n);

/* Puts the fields of inlined structs in their places. */
void yl_gen_unit_flatten(struct yl_gen_unit *);

/* Gives every kind that has none its list type: metadata and items. */
void yl_gen_unit_add_lists(struct yl_gen_unit *,
                           struct yl_gen_type *list_meta);

/* Names
 * ===== */

/* "deployment_name" is "deploymentName" (or "DeploymentName"); one '_' at the
 * end is dropped. */
const char *yl_gen_camel(struct yl_arena *, const char *snake, bool upper);

/* The other way: "clusterIPs" is "cluster_ips", "HTTPGetAction" is
 * "http_get_action", "namespace" is "namespace_" because C++ has that word.
 * Camel case need not lead back: then the field needs "+json=". */
const char *yl_gen_snake(struct yl_arena *, const char *camel);

/* Of a kind: "networkpolicies" of "NetworkPolicy". */
const char *yl_gen_plural(struct yl_arena *, const char *kind);

/* "io.k8s.example.v1" of group "example.k8s.io" and version "v1". */
const char *yl_gen_openapi_prefix(struct yl_arena *, const char *group,
                                  const char *version);

/* The C type of a value on its own ("const char *", "int32_t", "struct x"),
 * and of an element of a list or map ("struct yl_string_pair"). */
const char *yl_gen_c_type(struct yl_arena *, const struct yl_gen_value *);
const char *yl_gen_c_element(struct yl_arena *, const struct yl_gen_value *);

#endif /* codegen/model.h */
