#ifndef OBJECT_DECIMAL_H
#define OBJECT_DECIMAL_H 1

/* Exact decimal numbers of limited length, the arithmetic below quantities.
 *
 * Numbers are kept in a normal form: the last digit is not 0 (trailing zeros
 * go into the exponent), the highest limb is not 0, and zero is all zeros.
 * Results must fit into YL_DECIMAL_LIMBS limbs; functions whose result may not
 * fit return false then and leave their argument as it was. */

#include "yuloh/quantity.h"

void yl_decimal_set_int(struct yl_decimal *, int64_t value, int64_t exponent);

/* Reads 'digits', which are digits only and at most YL_QUANTITY_MAX_DIGITS
 * without leading zeros. */
void yl_decimal_set_digits(struct yl_decimal *, struct yl_str digits,
                           int64_t exponent);

/* How many digits the coefficient has; 0 for zero. */
size_t yl_decimal_n_digits(const struct yl_decimal *);

/* Writes these digits, without sign, exponent or NUL; returns how many. */
size_t yl_decimal_write_digits(const struct yl_decimal *, char *);

int yl_decimal_compare(const struct yl_decimal *, const struct yl_decimal *);

/* 'a' + 'b', or 'a' - 'b' if 'minus'. */
bool yl_decimal_add(struct yl_decimal *a, const struct yl_decimal *b,
                    bool minus);

/* Multiplies by 'factor'. */
bool yl_decimal_multiply(struct yl_decimal *, uint32_t factor);

/* Rounds away from zero to a multiple of 10^exponent. */
void yl_decimal_round(struct yl_decimal *, int64_t exponent);

/* Makes the exponent 'exponent', which must be no larger than it is, by
 * adding zeros.  The number leaves the normal form. */
bool yl_decimal_expand(struct yl_decimal *, int64_t exponent);

/* Divides the coefficient by 'divisor' if nothing remains.  For numbers that
 * were expanded; the result is not in normal form. */
bool yl_decimal_divide(struct yl_decimal *, uint32_t divisor);

#endif /* object/decimal.h */
