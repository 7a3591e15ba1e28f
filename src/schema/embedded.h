#ifndef SCHEMA_EMBEDDED_H
#define SCHEMA_EMBEDDED_H 1

/* Objects inside of custom resources (x-kubernetes-embedded-resource): their
 * apiVersion, kind and metadata.
 *
 *     request, storage --> prune --> [coerce] --> defaults --> validate
 *                                                                 |
 *                                    causes of an error <-- [check embedded]
 *
 * A schema does not describe these members, since every object has them.
 * Coercing gives metadata the form that it has after Go decoded and encoded
 * it: unknown members go, zero times too.  Checking demands what upstream
 * demands of any object.
 *
 * The root itself is not an embedded object: the server treats it as it treats
 * the root of every kind.
 *
 * Ownership
 * =========
 *
 * Trees belong to the arena.  What metadata is, is up to the caller: this
 * folder does not know ObjectMeta. */

#include <stdbool.h>

#include "yuloh/schema.h"

struct yl_arena;
struct yl_at;
struct yl_check;
struct yl_error;
struct yl_node;
struct yl_strict;

/* Options for coercing. */
struct yl_embedded_opts {
    struct yl_type_ref meta;    /* ObjectMeta. */
    bool drop;                  /* Remove what is malformed instead of refusing
                                 * it, as on the way from storage. */
};

/* Coerces the objects inside of 'root'.  Unknown members of metadata are
 * reported to 'strict', if it is not NULL.  0, or YL_EBADREQUEST for the first
 * that is malformed, with upstream's message. */
int yl_embedded_coerce(struct yl_arena *, struct yl_type_ref type,
                       struct yl_node *root, const struct yl_embedded_opts *,
                       struct yl_strict *strict, struct yl_error *err);

/* Gives 'metadata' the form of ObjectMeta 'meta'; members that Go could not
 * decode are removed.  For metadata of the root that comes from storage. */
void yl_embedded_repair_meta(struct yl_arena *, struct yl_type_ref meta,
                             struct yl_node *metadata);

/* Checks metadata as upstream's ValidateObjectMeta() does. */
typedef void yl_check_meta_fn(struct yl_check *, const struct yl_at *metadata);

/* Checks the objects inside of 'root'; faults become causes of 'err'.  The
 * second form checks one value, which may itself be such an object. */
void yl_embedded_check(struct yl_arena *, struct yl_type_ref type,
                       const struct yl_node *root, yl_check_meta_fn *,
                       struct yl_error *err);
void yl_embedded_check_value(struct yl_check *, const struct yl_type_set *,
                             const struct yl_value *value,
                             const struct yl_at *, yl_check_meta_fn *);

#endif /* schema/embedded.h */
