#ifndef YL_QUANTITY_H
#define YL_QUANTITY_H 1

/* Quantities: exact numbers with a unit, "100m", "1.5Gi", "12e6".
 *
 * A quantity is a decimal number and the family of suffixes it was written
 * with.  It is never a floating point number.
 *
 * What is written back
 * ====================
 *
 * Kubernetes does not always write a quantity as it read it, and not always in
 * canonical form either.  A text that looks canonical at a glance is kept:
 * "+1", "0001" and "1.500" stay as they are.  All others, and all that were
 * computed, are written in canonical form: the largest suffix that leaves an
 * integer ("1500m" for "1.5", "1536Mi" for "1.5Gi").  yl_quantity_text() does
 * what Kubernetes does; yl_quantity_canonical() always gives the canonical
 * form.
 *
 * Guarantees
 * ==========
 *
 *   - Whatever upstream accepts is accepted and means the same number, up to
 *     YL_QUANTITY_MAX_DIGITS significant digits; everything else is refused in
 *     upstream's words.  Digits below nano (10^-9) are rounded away from zero.
 *     Numbers with a binary suffix stop at 2^63 - 1.
 *
 *   - Nothing overflows in silence: upstream's Value() wraps around, the one
 *     here stops at the ends of the range, and a sum that cannot be held
 *     exactly is an error.
 *
 *   - No memory is allocated.  An exponent costs nothing, however large.
 *
 * One oddity is kept because clients see it: the decimal family has no suffix
 * for 10^21 and more, and such a number is written without its power of ten,
 * so that "1000E" comes back as "1".  Write "1e21" instead.
 *
 * Ownership
 * =========
 *
 * A quantity is a value and may be copied.  Its member 'written' points into
 * the text it was read from, which must live as long as yl_quantity_text() is
 * called; yl_quantity_forget_text() ends that.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread; a quantity belongs to one
 * thread at a time.
 *
 * Usage
 * =====
 *
 *     struct yl_quantity q;
 *     char room[YL_QUANTITY_TEXT_SIZE];
 *     if (yl_quantity_parse(YL_STR("1.5Gi"), &q, err) == 0) {
 *         struct yl_str s = yl_quantity_text(&q, room);
 *         ...
 *     } */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

YL_C_BEGIN

/* Ceilings for what comes from outside. */
#define YL_QUANTITY_MAX_TEXT 1024       /* Bytes of text. */
#define YL_QUANTITY_MAX_DIGITS 128      /* Significant digits. */

/* An exact decimal number: limbs * 10^exponent. */
#define YL_DECIMAL_LIMBS 17
struct yl_decimal {
    int64_t exponent;
    uint32_t limbs[YL_DECIMAL_LIMBS];   /* Base 10^9, the lowest first. */
    uint8_t n_limbs;            /* The highest is not 0; none for zero. */
    bool negative;              /* False for zero. */
};

enum yl_quantity_format {
    YL_DECIMAL_SI,              /* n u m "" k M G T P E */
    YL_BINARY_SI,               /* Ki Mi Gi Ti Pi Ei */
    YL_DECIMAL_EXPONENT,        /* e3 */
};

struct yl_quantity {
    struct yl_decimal number;
    enum yl_quantity_format format;
    struct yl_str written;      /* Kept text; null if there is none. */
};

/* Reads 'text'.  YL_EINVALID with upstream's message if it is malformed,
 * YL_ETOOBIG if it passes a ceiling.  Blanks are not skipped; upstream trims
 * them when the quantity stands in JSON. */
int yl_quantity_parse(struct yl_str text, struct yl_quantity *ret_quantity,
                      struct yl_error *err);

/* value * 10^scale: (5, -3) is "5m". */
struct yl_quantity yl_quantity_make(int64_t value, int32_t scale,
                                    enum yl_quantity_format);

/* The text, in 'room' or in what was read. */
#define YL_QUANTITY_TEXT_SIZE 192
struct yl_str yl_quantity_text(const struct yl_quantity *,
                               char room[YL_QUANTITY_TEXT_SIZE]);
struct yl_str yl_quantity_canonical(const struct yl_quantity *,
                                    char room[YL_QUANTITY_TEXT_SIZE]);
void yl_quantity_forget_text(struct yl_quantity *);

/* Negative, 0 or positive. */
int yl_quantity_sign(const struct yl_quantity *);
int yl_quantity_compare(const struct yl_quantity *,
                        const struct yl_quantity *);

/* Adds 'y' to 'q' or takes it away.  If 'q' is zero it takes the format of
 * 'y'.  YL_ERANGE, and 'q' as before, if the result has more than
 * YL_QUANTITY_MAX_DIGITS digits. */
int yl_quantity_add(struct yl_quantity *q, const struct yl_quantity *y);
int yl_quantity_sub(struct yl_quantity *q, const struct yl_quantity *y);
void yl_quantity_negate(struct yl_quantity *);

/* The number in units of 10^scale (1, or a thousandth), rounded away from
 * zero, stopping at INT64_MIN and INT64_MAX. */
int64_t yl_quantity_value(const struct yl_quantity *);
int64_t yl_quantity_milli_value(const struct yl_quantity *);
int64_t yl_quantity_scaled_value(const struct yl_quantity *, int32_t scale);

YL_C_END

#endif /* yuloh/quantity.h */
