#ifndef SCHEMA_SCALAR_H
#define SCHEMA_SCALAR_H 1

/* Scalars of a tree as Go reads and writes them.
 *
 * Part of normalising (schema/normalize.h): whether a node is a value of a
 * kind, and how that value is written.  "Scalar" is everything that is not a
 * struct, a list or a map, so times, quantities and raw values too. */

#include <stdbool.h>

#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* The result. */
enum yl_scalar_result {
    YL_SCALAR_OK,
    YL_SCALAR_TYPE,             /* Has the wrong type: see 'type'. */
    YL_SCALAR_FORM,             /* The type is right, but the text is invalid:
                                 * see 'message'. */
};

struct yl_scalar_fault {
    const char *type;           /* Go's name: "int32". */
    bool with_number;           /* Is the number part of the message? */
    bool ends;                  /* Whether it ends decoding. */
    struct yl_str message;      /* In the arena. */
};

/* Is it a kind that this file handles? */
bool yl_scalar_is(enum yl_value_kind);

/* Checks '*node', which is not null, and replaces it by its normal form if
 * that differs.  '*ret_zero' is whether it is a zero value in Go. */
enum yl_scalar_result yl_scalar_normalize(struct yl_arena *,
                                          enum yl_value_kind,
                                          struct yl_node **node,
                                          bool *ret_zero,
                                          struct yl_scalar_fault *ret_fault);

/* Go's text for a zero value of that kind. */
struct yl_node *yl_scalar_zero(struct yl_arena *, enum yl_value_kind);

#endif /* schema/scalar.h */
