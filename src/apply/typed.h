#ifndef APPLY_TYPED_H
#define APPLY_TYPED_H 1

/* Objects by field: which fields an object has, how two of them differ, how
 * one is merged into the other.
 *
 *     object, descriptors --> [typed] --> field sets
 *     live, applied ---------->  |  ----> merged object
 *
 * The descriptors say how finely an object is owned: a struct by its fields, a
 * map by its keys, a list by the keys or the values of its items, and what is
 * atomic as a whole.  Upstream is the package typed of
 * sigs.k8s.io/structured-merge-diff, with the schemas that it makes of
 * OpenAPI.
 *
 * Guarantees
 * ==========
 *
 *   - Objects are never changed.  Results that are trees are the given object
 *     itself if nothing is different from it, and else share no node with
 *     it.
 *
 *   - Numbers, quantities and times are compared as they are written, not as
 *     what they mean: "1" and "1000m" differ, 1 and 1.0 do not.
 *
 *   - The time is in proportion to the sizes of the operands; lists by key
 *     take n log n.
 *
 *   - Every function accepts any tree.  Where one does not fit its
 *     descriptors, the result is as upstream's, or the value counts as one
 *     field.
 *
 * Ownership
 * =========
 *
 * Results live in the arena, and borrow texts from their operands.
 *
 * Threads
 * =======
 *
 * Each function works on the caller's arena and may be called by any
 * thread. */

#include <stdbool.h>

#include "apply/field_set.h"
#include "yuloh/schema.h"

/* What an object is. */
struct yl_typed_as {
    struct yl_type_ref type;    /* Its type is NULL: deduced, as upstream does
                                 * without a schema.  Maps are owned by their
                                 * keys, lists as a whole. */
    bool custom;                /* A custom resource: 'type' does not describe
                                 * apiVersion, kind and metadata, which are
                                 * those of any object. */
    bool preserve;              /* spec.preserveUnknownFields of its CRD. */
};

struct yl_comparison {
    const struct yl_field_set *removed;
    const struct yl_field_set *modified;
    const struct yl_field_set *added;
};

/* Checks what upstream checks of an applied configuration: types, unknown
 * fields, items without keys and, unless 'duplicates' are allowed, repeated
 * keys and values.  0, or YL_EINVALID with upstream's message. */
int yl_typed_validate(struct yl_arena *, struct yl_typed_as,
                      const struct yl_node *object, bool duplicates,
                      struct yl_error *err);

/* All fields of 'object': leaves, items of lists and keys of maps, but not
 * structs that have fields. */
const struct yl_field_set *
yl_typed_fields(struct yl_arena *, struct yl_typed_as,
                const struct yl_node *object);

/* How 'now' differs from 'old'; NULL is an absent object.  1 if a field
 * differs, 0 if none does, or YL_EINVALID if an item of a list that differs
 * has no key: upstream keeps no managedFields for such an object. */
int yl_typed_compare(struct yl_arena *, struct yl_typed_as,
                      const struct yl_node *old, const struct yl_node *now,
                      struct yl_comparison *ret_comparison);

/* 'live' with the fields of 'applied' put in.  Nothing is removed. */
const struct yl_node *
yl_typed_merge(struct yl_arena *, struct yl_typed_as,
               const struct yl_node *live, const struct yl_node *applied);

/* 'object' without the fields of 'set' and everything below them.  NULL if
 * nothing is left. */
const struct yl_node *
yl_typed_remove(struct yl_arena *, struct yl_typed_as,
                const struct yl_node *object, const struct yl_field_set *set);

/* Only the fields of 'set', with the keys of the items on the way to them if
 * 'keys'.  NULL if nothing is left. */
const struct yl_node *
yl_typed_extract(struct yl_arena *, struct yl_typed_as,
                 const struct yl_node *object, const struct yl_field_set *set,
                 bool keys);

/* 'set' and the fields of structs on the way to its fields, which
 * yl_typed_fields() leaves out. */
const struct yl_field_set *
yl_typed_with_structs(struct yl_arena *, struct yl_typed_as,
                      const struct yl_field_set *set);

/* 'set' after the schema has changed: what is atomic now is owned as a whole
 * by who owned a part of it.  'set' itself if nothing changes. */
const struct yl_field_set *
yl_typed_reconcile(struct yl_arena *, struct yl_typed_as,
                   const struct yl_field_set *set);

/* Creation
 * ======== */

/* The object that a creation is compared with.  Go has no absent structs where
 * a field is not a pointer, so that of a built-in kind has them, with the
 * other fields that are always written; that of a custom resource has
 * nothing. */
struct yl_node *yl_typed_zero(struct yl_arena *, struct yl_typed_as);

/* Appends the FieldsV1 of a creation: what yl_typed_compare() finds added or
 * modified between yl_typed_zero() and 'object', of that what 'filter' lets
 * through, and of that all but the fields of 'except' (not what is below
 * them).  1 if there is any field; 0 if there is none, and "{}" is written; or
 * YL_EINVALID, as yl_typed_compare().
 *
 * It is one pass over the object and builds no set, unless 'filter' has
 * patterns. */
int yl_typed_write_created(struct yl_arena *, struct yl_typed_as,
                            const struct yl_node *object,
                            const struct yl_field_filter *filter,
                            const struct yl_field_set *except,
                            struct yl_buf *);

#endif /* apply/typed.h */
