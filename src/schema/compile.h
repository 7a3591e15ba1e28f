#ifndef SCHEMA_COMPILE_H
#define SCHEMA_COMPILE_H 1

/* The schema compiler: descriptors that are made at run time.
 *
 *     openAPIV3Schema --> schema/props.h --> [compile] --> pruning, defaults,
 *                                                          validation, OpenAPI
 *
 * A compiled schema is a type set like those that yuloh-gen writes, and
 * whatever reads descriptors reads it.  Only the description of C records is
 * missing: sizes and offsets are 0.
 *
 * Guarantees
 * ==========
 *
 *   - Complete.  What descriptors have no row for (allOf, externalDocs,
 *     keywords that do not go with the type, ...) is kept as the text of a
 *     YL_RULE_SCHEMA, or of a YL_RULE_OTHER if validation has no use for it.
 *
 *   - One block of memory, which never changes.  Equal texts, values, rules
 *     and types are in it once.
 *
 *   - Equal schemas give equal blocks, whatever the order of their members
 *     is, so that one can serve for all of them: see yl_schema_equal().
 *
 *   - Bounded: a schema that does not fit the numbers of the tables is
 *     refused, with the place in it, and so are more than YL_SCHEMA_MAX_TEXT
 *     bytes of text.
 *
 * Ownership
 * =========
 *
 * A schema is counted.  It does not refer to the tree that it was made from.
 *
 * Threads
 * =======
 *
 * Any number of threads may use a schema, each with a reference.
 *
 * Usage
 * =====
 *
 *     if (yl_schema_props_read(arena, node, &path, &props, err) < 0
 *         || yl_schema_compile(props, NULL, &schema, err) < 0) { ... }
 *     yl_prune(yl_schema_type(schema), object, NULL);
 *     yl_schema_unref(schema); */

#include <stdbool.h>
#include <stddef.h>

#include "schema/validate.h"
#include "yuloh/schema.h"

struct yl_account;
struct yl_error;
struct yl_field_path;
struct yl_schema;
struct yl_schema_props;

#define YL_SCHEMA_MAX_TEXT ((size_t) 16 << 20)

/* Options.  Zero means the default. */
struct yl_schema_opts {
    const struct yl_field_path *path;   /* Where the schema is [the root]. */
    bool any;                   /* May it describe anything, not only objects?
                                 * Then it has a value and no type. */

    /* If set, it is called once for every pattern, so that an invalid one is
     * refused, and so that the matcher has compiled them all.  libyuloh has no
     * regular expressions of its own. */
    yl_pattern_fn *match;
    void *aux;

    struct yl_account *account; /* Charged for the memory of the work, not for
                                 * the result [none]. */
};

/* Compiles a schema, whose root must describe objects.  0; YL_EINVALID for a
 * root that does not, a type or a pattern that is none; YL_ETOOBIG.  These
 * errors have the place in their message and as the field of their one cause.
 * Or the error of the account. */
int yl_schema_compile(const struct yl_schema_props *,
                      const struct yl_schema_opts *,
                      struct yl_schema **ret_schema, struct yl_error *err);

struct yl_schema *yl_schema_ref(struct yl_schema *);
struct yl_schema *yl_schema_unref(struct yl_schema *);

/* The type of the root, lent as long as the schema.  Its set has neither a
 * group nor kinds.  Or the value, if it may describe anything, of the set. */
struct yl_type_ref yl_schema_type(const struct yl_schema *);
const struct yl_value *yl_schema_value(const struct yl_schema *);

/* Are they equal?  Equal ones have the same hash.  The third returns the bytes
 * that one holds. */
bool yl_schema_equal(const struct yl_schema *, const struct yl_schema *);
size_t yl_schema_hash(const struct yl_schema *);
size_t yl_schema_size(const struct yl_schema *);

/* What there is in a schema, so that walks can be left out. */
enum yl_schema_features {
    YL_SCHEMA_HAS_SETS = 1 << 0,        /* Lists that are sets or maps. */
    YL_SCHEMA_HAS_RESOURCES = 1 << 1,   /* Embedded objects. */
    YL_SCHEMA_HAS_DEFAULTS = 1 << 2,
    YL_SCHEMA_HAS_CEL = 1 << 3,         /* x-kubernetes-validations. */
};

unsigned yl_schema_features(const struct yl_schema *);

/* A kind of a schema
 * ================== */

/* What a kind is called.  Texts are copied. */
struct yl_schema_names {
    struct yl_str group, version;
    struct yl_str kind, list_kind, plural, singular;
    unsigned flags;             /* enum yl_kind_flags. */
};

/* A kind whose type is the schema's root, of which it takes a reference.  It
 * has no columns, and no texts in the set's strings (short names, ...): those
 * of a custom resource are in its definition. */
struct yl_kind *yl_schema_kind_new(struct yl_schema *,
                                   const struct yl_schema_names *);
void yl_schema_kind_free(struct yl_kind *);

#endif /* schema/compile.h */
