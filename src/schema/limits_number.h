#ifndef SCHEMA_LIMITS_NUMBER_H
#define SCHEMA_LIMITS_NUMBER_H 1

/* Numbers and their limits, as kube-openapi sees them; a part of
 * schema/limits.h.
 *
 * Limits are float64 in schemas.  If the value is an int64, the limit is
 * converted to one, so that "multipleOf: 2.5" means 2 for it.  A limit that
 * does not fit the type of the schema ("maximum: 1.5" of an integer) is a
 * fault of every value.  All of that can be seen by clients. */

#include <stdbool.h>
#include <stdint.h>

#include "schema/field_error.h"
#include "schema/limits.h"

void yl_limits_check_number(struct yl_validation *, const struct yl_limits *,
                            const struct yl_field_path *,
                            const struct yl_node *);

/* Does it count as an integer?  Nearly whole ones do, if they are positive. */
bool yl_limits_is_whole(double);

/* Go's int64(f) on amd64. */
int64_t yl_limits_to_int(double);

/* Go's string(rune(i)), in 'utf8'. */
struct yl_str yl_limits_character(int64_t, char utf8[4]);

/* Adds "spec.x in body FORMAT" as a fault. */
void yl_limits_fault(struct yl_validation *, const struct yl_field_path *,
                     struct yl_bad_value, const char *format, ...)
    YL_PRINTF(4, 5);

#endif /* schema/limits_number.h */
