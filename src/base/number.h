#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H 1

/* Doubles and text, whatever the locale is.
 *
 * A program that uses this library may have set a locale in which 1.5 is
 * "1,5".  JSON, YAML, logs and metrics must not depend on it, so this is the
 * only file that calls strtod() or prints a double. */

#include <stddef.h>

#include "yuloh/compiler.h"

/* strtod() and strtof() of all of 'text', and snprintf(), in the C locale. */
double yl_double_parse(const char *text);
float yl_float_parse(const char *text);
int yl_double_printf(char *out, size_t size, const char *format, ...)
    YL_PRINTF(3, 4);

/* Room for the longest text of yl_double_format() and a NUL. */
#define YL_DOUBLE_SIZE 32

/* Writes 'value' and a NUL, for people and for metrics; returns the length.
 * As short as reading it back exactly allows, within 15 to 17 digits: "0.1",
 * "1e+21", "12345678", "NaN", "+Inf", "-Inf". */
size_t yl_double_format(char out[YL_DOUBLE_SIZE], double value);

#endif /* base/number.h */
