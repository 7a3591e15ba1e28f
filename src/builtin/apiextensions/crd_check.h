#ifndef BUILTIN_APIEXTENSIONS_CRD_CHECK_H
#define BUILTIN_APIEXTENSIONS_CRD_CHECK_H 1

/* The parts of a CustomResourceDefinition's validation.
 *
 *     crd_validate.c    creates, updates, writes to /status: which rules hold
 *      '- crd_spec.c        the spec: group, scope, names, versions
 *          |- crd_schema.c      one schema
 *          |   |- crd_default_values.c   defaults in it
 *          |   '- crd_cel.c          rules in it
 *          |- crd_version.c     subresources, columns, deprecation
 *          |- crd_selectable.c  selectable fields
 *          '- crd_conversion.c  conversion */

#include "builtin/apiextensions/crd.h"
#include "schema/validate.h"

struct yl_field_path;
struct yl_patterns;
struct yl_schema_props;

/* What some rules look at in a schema, anywhere in it. */
enum yl_crd_facts {
    YL_CRD_HAS_DEFAULTS = 1 << 0,
    YL_CRD_HAS_EXTENSIONS = 1 << 1,     /* x-kubernetes-... */
    YL_CRD_HAS_CEL = 1 << 2,            /* x-kubernetes-validations */
    YL_CRD_HAS_BAD_TYPES = 1 << 3,
    YL_CRD_HAS_LOOSE_SETS = 1 << 4,     /* Sets of values that are merged. */
    YL_CRD_HAS_BAD_KEYS = 1 << 5,       /* Keys of lists that may be
                                         * absent. */
};

/* A schema, read. */
struct yl_crd_schema {
    const struct yl_schema_props *props;    /* NULL: there is none, or it
                                             * cannot be read. */
    const char *fault;          /* Why it cannot be read; or NULL. */
    unsigned facts;             /* enum yl_crd_facts. */
};

/* The schemas of a definition: one that all versions share, or one for each
 * version. */
struct yl_crd_schemas {
    struct yl_crd_schema *all;  /* In the arena. */
    size_t n;
    unsigned facts;             /* Of all of them. */
};

/* Which rules hold.  An update does not have to mend what was wrong before,
 * and objects of v1beta1 may do more. */
struct yl_crd_rules {
    bool v1beta1;               /* Was it sent as v1beta1? */
    const char *no_defaults;    /* Why there may be no defaults; or NULL. */
    bool known_reviews;         /* Must a version of reviews be known? */
    bool fixed_names;           /* Are kind and scope immutable? */
    bool schemas;               /* Must every version have a schema? */
    bool types;                 /* Must types be those of OpenAPI? */
    bool structural;
    bool sets;                  /* Must items of sets be atomic? */
    bool keys;                  /* Must keys of lists always be there? */
    bool any_bundle;            /* May a caBundle be anything? */
    const struct yl_crd *old;   /* What is replaced; NULL: it is new. */
    struct yl_patterns *patterns;
};

/* crd_schemas.c */
void yl_crd_schemas_read(struct yl_arena *, const struct yl_crd *,
                         struct yl_crd_schemas *);

/* Calls 'visit' for the schema and every schema in it, outer ones first. */
void yl_crd_schema_walk(const struct yl_schema_props *,
                        void (*visit)(void *aux,
                                      const struct yl_schema_props *),
                        void *aux);

/* Is it a type of OpenAPI? */
bool yl_crd_is_type(struct yl_str type);

/* Has the schema itself this keyword with this text? */
bool yl_crd_keyword_is(const struct yl_schema_props *, const char *keyword,
                       const char *text);

/* Is it a list that is a set, of values that are merged? */
bool yl_crd_is_loose_set(const struct yl_schema_props *);

/* Checks items and keys of a list that is a set or a map: none may be absent
 * or null. */
void yl_check_crd_keys(struct yl_check *, const struct yl_schema_props *list,
                       const struct yl_field_path *);

/* crd_spec.c */
void yl_check_crd_spec(struct yl_check *, const struct yl_crd *,
                       const struct yl_crd_rules *);
void yl_check_crd_names(struct yl_check *, const struct yl_at *names);

/* All faults of a DNS-1035 label in one cause.  With 'any_case' upper case
 * letters are fine, and the message says so. */
bool yl_check_crd_label(struct yl_check *, const struct yl_at *,
                        bool any_case);

/* crd_schema.c: 'schema' is spec.validation or a version's schema. */
void yl_check_crd_schema(struct yl_check *, const struct yl_at *schema,
                         const struct yl_crd_schema *, bool has_status,
                         const struct yl_crd_rules *);

/* crd_version.c */
void yl_check_crd_deprecation(struct yl_check *, const struct yl_at *version);
void yl_check_crd_subresources(struct yl_check *, const struct yl_at *);
void yl_check_crd_columns(struct yl_check *, const struct yl_at *);

/* crd_default_values.c */
void yl_check_crd_defaults(struct yl_check *, const struct yl_field_path *,
                           const struct yl_schema_props *,
                           struct yl_patterns *);

/* crd_cel.c */
void yl_check_crd_cel(struct yl_check *, const struct yl_field_path *,
                      const struct yl_schema_props *);

/* crd_selectable.c: the fields of 'version', or of all if it is NULL. */
void yl_check_crd_selectable(struct yl_check *, const struct yl_at *fields,
                             const struct yl_at *version,
                             const struct yl_crd_schema *,
                             const struct yl_crd_rules *);

/* crd_path.c: a JSON path of members that leads through a schema.  False if it
 * does not; 'ret_why' is a text in the arena then. */
struct yl_crd_path {
    const struct yl_schema_props *schema;   /* What it leads to; or NULL. */
    struct yl_str first;        /* The first step. */
    struct yl_str text;         /* In one form: "spec.a[b]". */
};
bool yl_crd_path_read(struct yl_arena *, struct yl_str text,
                      const struct yl_schema_props *, bool brackets,
                      struct yl_crd_path *ret_path, const char **ret_why);

/* crd_conversion.c */
void yl_check_crd_conversion(struct yl_check *, const struct yl_at *spec,
                             const struct yl_crd_rules *);
bool yl_crd_bundle_is_valid(struct yl_check *, const struct yl_at *conversion);

/* crd_approval.c: 'old' is what is replaced, or NULL. */
void yl_check_crd_approval(struct yl_check *, const struct yl_crd *,
                           const struct yl_crd *old);

#endif /* builtin/apiextensions/crd_check.h */
