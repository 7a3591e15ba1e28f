#ifndef APPLY_SHAPE_H
#define APPLY_SHAPE_H 1

/* Shapes: how the fields of a value are owned, by its descriptor.
 *
 *     descriptors (yuloh/schema.h) --> [shape] --> the walks of typed.h
 *
 * A value may be a scalar, a list, a map (or a struct), or several of these
 * where its schema names no type.  For each it may be, the shape says how
 * finely it is owned and what is below it.  Upstream's word is schema.Atom;
 * shapes are what k8s.io/kube-openapi/pkg/schemaconv makes of OpenAPI.
 *
 * Guarantees
 * ==========
 *
 *   - A shape is a value of a few words that is computed when a walk comes to
 *     a field.  Nothing is compiled or cached.
 *
 * Usage
 * =====
 *
 *     struct yl_shape root = yl_shape_root(as);
 *     struct yl_shape spec = yl_shape_member(&root, YL_STR("spec"), NULL,
 *                                            &declared); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "apply/path.h"
#include "apply/typed.h"
#include "json/tree.h"
#include "yuloh/schema.h"

/* Which scalars a value may be. */
enum yl_shape_scalar {
    YL_SHAPE_NO_SCALAR,
    YL_SHAPE_NUMBER,
    YL_SHAPE_STRING,
    YL_SHAPE_BOOL,
    YL_SHAPE_SCALAR,
};

/* How lists and maps are owned. */
enum yl_shape_list {
    YL_LIST_NONE,               /* It may not be a list. */
    YL_LIST_ATOMIC,
    YL_LIST_SET,
    YL_LIST_MAP,                /* By 'keys'. */
};

enum yl_shape_map {
    YL_MAP_NONE,
    YL_MAP_ATOMIC,
    YL_MAP_GRANULAR,
};

/* What elements are that no descriptor describes. */
enum yl_shape_rest {
    YL_REST_NONE,               /* There must be none. */
    YL_REST_DEDUCED,            /* Maps by key, lists as a whole. */
    YL_REST_ATOMIC,             /* Everything as a whole. */
};

struct yl_shape {
    const struct yl_type_set *set;
    const struct yl_type *type;     /* Of a struct, or NULL. */
    const struct yl_value *item;    /* Of a list's elements, or NULL: */
    const struct yl_value *other;   /* of a map's, or NULL: */
    const char *keys;           /* Of a list: "port,protocol". */
    uint8_t item_rest;          /* enum yl_shape_rest. */
    uint8_t other_rest;         /* Also of a struct's unknown members. */
    uint8_t scalar;             /* enum yl_shape_scalar. */
    uint8_t list;               /* enum yl_shape_list. */
    uint8_t map;                /* enum yl_shape_map. */
    bool resource;              /* Has it apiVersion, kind and metadata? */
    bool preserve;              /* Are unknown members kept here and below? */
    bool everywhere;            /* And in all types that are referred to? */
    uint16_t depth;             /* Below the root. */
};

/* What is below this depth is owned as a whole: FieldsV1 has a level for each,
 * is itself inside of an object, and must not be too deep for a parser. */
#define YL_SHAPE_MAX_DEPTH (YL_JSON_MAX_DEPTH - 16)

/* What a walk takes a value for. */
enum yl_shape_case {
    YL_CASE_NONE,               /* There is no shape. */
    YL_CASE_MAP,
    YL_CASE_SCALAR,
    YL_CASE_LIST,
};

/* The shape of an object. */
struct yl_shape yl_shape_root(struct yl_typed_as);

/* The shape of member 'key' of a map or struct; '*ret_declared' says whether
 * it is a field of a struct.  '*hint' (may be NULL) is the place of the field
 * that was found last; a walk over sorted members starts it with 0, and finds
 * each without a search. */
struct yl_shape yl_shape_member(const struct yl_shape *, struct yl_str key,
                                size_t *hint, bool *ret_declared);

/* The shape of a list's elements. */
struct yl_shape yl_shape_item(const struct yl_shape *);

/* Whether nothing is described: upstream leaves such a value out. */
bool yl_shape_is_none(const struct yl_shape *);

/* What 'node' (NULL: absent) is taken for.  If it is none of what it may be,
 * or null, that is the first of map, scalar and list.  '*ret_narrow' (may be
 * NULL) says whether the value has decided that among several. */
enum yl_shape_case yl_shape_case(const struct yl_shape *,
                                 const struct yl_node *, bool *ret_narrow);

/* Have two values the same bytes?  If so they are equal. */
static inline bool
yl_shape_same(const struct yl_node *a, const struct yl_node *b)
{
    return a == b
           || (a->raw_data && b->raw_data && a->raw_size == b->raw_size
               && memcmp(a->raw_data, b->raw_data, a->raw_size) == 0);
}

/* A member as it was sent.  Where a list or map is always written, Go has null
 * for an absent one, and an empty one is another value until it is stored;
 * trees remember those (yl_node_emptied()). */
const struct yl_node *yl_shape_sent(const struct yl_node *member);

/* The element of a path for an item of a list by keys or of a set.  0, or
 * YL_EINVALID with upstream's message if it has none. */
int yl_shape_element(struct yl_arena *, const struct yl_shape *list,
                     const struct yl_node *item,
                     struct yl_path_element *ret_element,
                     struct yl_error *err);

#endif /* apply/shape.h */
