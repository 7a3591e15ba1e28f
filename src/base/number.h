#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H 1

/* Doubles as text for people and for metrics, whatever the locale is.
 *
 * As short as reading them back exactly allows, within 15 to 17 digits:
 * "0.1", "1e+21", "12345678", "NaN", "+Inf", "-Inf". */

#include <stddef.h>

/* Room for the longest one and a NUL. */
#define YL_DOUBLE_SIZE 32

/* Writes 'value' and a NUL; returns the length. */
size_t yl_double_format(char out[YL_DOUBLE_SIZE], double value);

#endif /* base/number.h */
