#ifndef SCHEMA_GO_VALUE_H
#define SCHEMA_GO_VALUE_H 1

/* JSON values as Go has them: what kube-apiserver decodes a custom resource
 * to, and how it compares and prints that.
 *
 * A number is an int64 if it is written without a fraction and an exponent and
 * fits, and otherwise a float64; so 1 and 1.0 are different values until they
 * have been stored once. */

#include <stdbool.h>
#include <stddef.h>

#include "base/number.h"

struct yl_node;

struct yl_go_number {
    bool is_int;                /* Is it an int64? */
    long long integer;          /* If so. */
    double number;              /* In any case; infinite if it is too large,
                                 * which Go does not decode. */
};

/* The number that 'node', which is one, is. */
struct yl_go_number yl_go_number(const struct yl_node *node);

/* Are they equal, as reflect.DeepEqual() says? */
bool yl_go_equal(const struct yl_node *, const struct yl_node *);

/* Writes 'value' and a NUL as %v does: "1e+06", "123456", "0.1"; returns the
 * length. */
size_t yl_go_double(char out[YL_DOUBLE_SIZE], double value);

#endif /* schema/go_value.h */
