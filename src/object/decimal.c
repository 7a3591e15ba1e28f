/* Exact decimal numbers.  See object/decimal.h. */

#include "object/decimal.h"

#include <assert.h>
#include <stdio.h>

#define LIMB 1000000000u
#define LIMB_DIGITS 9

static const uint32_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000,
                                   10000000, 100000000 };

static void normalise(struct yl_decimal *);
static void trim(struct yl_decimal *);
static int compare_limbs(const struct yl_decimal *, const struct yl_decimal *);
static bool add_limbs(struct yl_decimal *, const struct yl_decimal *);
static void subtract_limbs(struct yl_decimal *, const struct yl_decimal *);
static uint32_t divide_limbs(struct yl_decimal *, uint32_t divisor);
static void drop_limbs(struct yl_decimal *, size_t n);

void
yl_decimal_set_int(struct yl_decimal *d, int64_t value, int64_t exponent)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t) value : (uint64_t) value;

    memset(d, 0, sizeof *d);
    d->negative = value < 0;
    d->exponent = exponent;
    for (; rest; rest /= LIMB) {
        d->limbs[d->n_limbs++] = (uint32_t) (rest % LIMB);
    }
    normalise(d);
}

void
yl_decimal_set_digits(struct yl_decimal *d, struct yl_str digits,
                      int64_t exponent)
{
    memset(d, 0, sizeof *d);
    d->exponent = exponent;
    while (digits.size) {
        size_t n = digits.size < LIMB_DIGITS ? digits.size : LIMB_DIGITS;
        uint32_t limb = 0;
        size_t i;

        for (i = digits.size - n; i < digits.size; i++) {
            limb = limb * 10 + (uint32_t) (digits.data[i] - '0');
        }
        assert(d->n_limbs < YL_DECIMAL_LIMBS);
        d->limbs[d->n_limbs++] = limb;
        digits.size -= n;
    }
    trim(d);
    normalise(d);
}

size_t
yl_decimal_n_digits(const struct yl_decimal *d)
{
    size_t n = 0;

    if (d->n_limbs) {
        uint32_t top = d->limbs[d->n_limbs - 1];

        for (n = (size_t) (d->n_limbs - 1) * LIMB_DIGITS; top; top /= 10) {
            n++;
        }
    }
    return n;
}

size_t
yl_decimal_write_digits(const struct yl_decimal *d, char *text)
{
    size_t n = yl_decimal_n_digits(d);
    size_t i;

    for (i = 0; i < n; i++) {
        uint32_t limb = d->limbs[i / LIMB_DIGITS];

        text[n - 1 - i] = (char) ('0' + limb / powers[i % LIMB_DIGITS] % 10);
    }
    return n;
}

int
yl_decimal_compare(const struct yl_decimal *a, const struct yl_decimal *b)
{
    int sign = a->negative ? -1 : 1;
    int64_t a_top = a->exponent + (int64_t) yl_decimal_n_digits(a);
    int64_t b_top = b->exponent + (int64_t) yl_decimal_n_digits(b);
    struct yl_decimal x = *a, y = *b;

    if (!a->n_limbs || !b->n_limbs || a->negative != b->negative) {
        int a_sign = a->n_limbs ? sign : 0;
        int b_sign = !b->n_limbs ? 0 : b->negative ? -1 : 1;

        return (a_sign > b_sign) - (a_sign < b_sign);
    } else if (a_top != b_top) {
        return a_top > b_top ? sign : -sign;
    }

    /* Both first digits have the same weight, so expanding makes neither
     * number longer than the other one is. */
    yl_decimal_expand(&x,
                      a->exponent < b->exponent ? a->exponent : b->exponent);
    yl_decimal_expand(&y, x.exponent);
    return sign * compare_limbs(&x, &y);
}

bool
yl_decimal_add(struct yl_decimal *a, const struct yl_decimal *b, bool minus)
{
    struct yl_decimal x = *a, y = *b;
    bool ok = true;

    if (!b->n_limbs) {
        return true;
    }
    y.negative = b->negative != minus;
    if (!a->n_limbs) {
        x = y;
    } else if (!yl_decimal_expand(&x, a->exponent < b->exponent ? a->exponent
                                                                : b->exponent)
               || !yl_decimal_expand(&y, x.exponent)) {
        return false;
    } else if (x.negative == y.negative) {
        ok = add_limbs(&x, &y);
    } else if (compare_limbs(&x, &y) >= 0) {
        subtract_limbs(&x, &y);
    } else {
        subtract_limbs(&y, &x);
        x = y;
    }
    if (ok) {
        normalise(&x);
        *a = x;
    }
    return ok;
}

bool
yl_decimal_multiply(struct yl_decimal *d, uint32_t factor)
{
    struct yl_decimal x = *d;
    uint64_t carry = 0;
    size_t i;

    for (i = 0; i < x.n_limbs; i++) {
        carry += (uint64_t) x.limbs[i] * factor;
        x.limbs[i] = (uint32_t) (carry % LIMB);
        carry /= LIMB;
    }
    for (; carry; carry /= LIMB) {
        if (x.n_limbs == YL_DECIMAL_LIMBS) {
            return false;
        }
        x.limbs[x.n_limbs++] = (uint32_t) (carry % LIMB);
    }
    normalise(&x);
    *d = x;
    return true;
}

void
yl_decimal_round(struct yl_decimal *d, int64_t exponent)
{
    static const struct yl_decimal one = { 0, { 1 }, 1, false };
    size_t n_digits = yl_decimal_n_digits(d);
    bool negative = d->negative;

    if (!n_digits || d->exponent >= exponent) {
        return;
    }

    /* In normal form the last digit is not 0, so cutting digits off always
     * leaves a remainder. */
    if (exponent - d->exponent >= (int64_t) n_digits) {
        *d = one;
    } else {
        size_t drop = (size_t) (exponent - d->exponent);

        drop_limbs(d, drop / LIMB_DIGITS);
        divide_limbs(d, powers[drop % LIMB_DIGITS]);

        /* At least one digit was cut off, so there is room for the carry. */
        add_limbs(d, &one);
    }
    d->negative = negative;
    d->exponent = exponent;
    normalise(d);
}

bool
yl_decimal_expand(struct yl_decimal *d, int64_t exponent)
{
    uint64_t zeros = (uint64_t) d->exponent - (uint64_t) exponent;
    size_t n_limbs = (size_t) (zeros / LIMB_DIGITS);
    uint32_t factor = powers[zeros % LIMB_DIGITS];
    uint64_t carry = 0;
    size_t i;

    if (zeros > YL_DECIMAL_LIMBS * LIMB_DIGITS
        || yl_decimal_n_digits(d) + zeros > YL_DECIMAL_LIMBS * LIMB_DIGITS) {
        return false;
    }
    memmove(d->limbs + n_limbs, d->limbs, d->n_limbs * sizeof d->limbs[0]);
    memset(d->limbs, 0, n_limbs * sizeof d->limbs[0]);
    d->n_limbs = (uint8_t) (d->n_limbs + n_limbs);
    for (i = n_limbs; i < d->n_limbs; i++) {
        carry += (uint64_t) d->limbs[i] * factor;
        d->limbs[i] = (uint32_t) (carry % LIMB);
        carry /= LIMB;
    }
    if (carry) {
        d->limbs[d->n_limbs++] = (uint32_t) carry;
    }
    d->exponent = exponent;
    return true;
}

bool
yl_decimal_divide(struct yl_decimal *d, uint32_t divisor)
{
    struct yl_decimal x = *d;

    if (divide_limbs(&x, divisor) != 0) {
        return false;
    }
    *d = x;
    return true;
}

/* Moves the zeros at the end into the exponent. */
static void
normalise(struct yl_decimal *d)
{
    size_t n = 0;

    if (!d->n_limbs) {
        memset(d, 0, sizeof *d);
        return;
    }
    while (d->limbs[n] == 0) {
        n++;
    }
    drop_limbs(d, n);
    d->exponent += (int64_t) n * LIMB_DIGITS;
    for (n = 0; d->limbs[0] / powers[n] % 10 == 0; n++) {
        continue;
    }
    if (n) {
        divide_limbs(d, powers[n]);
        d->exponent += (int64_t) n;
    }
}

/* Drops the highest limbs that are 0. */
static void
trim(struct yl_decimal *d)
{
    while (d->n_limbs && d->limbs[d->n_limbs - 1] == 0) {
        d->n_limbs--;
    }
}

static int
compare_limbs(const struct yl_decimal *a, const struct yl_decimal *b)
{
    size_t i;

    if (a->n_limbs != b->n_limbs) {
        return a->n_limbs > b->n_limbs ? 1 : -1;
    }
    for (i = a->n_limbs; i-- > 0; ) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] > b->limbs[i] ? 1 : -1;
        }
    }
    return 0;
}

static bool
add_limbs(struct yl_decimal *a, const struct yl_decimal *b)
{
    uint32_t carry = 0;
    size_t i;

    for (i = 0; i < a->n_limbs || i < b->n_limbs || carry; i++) {
        if (i == YL_DECIMAL_LIMBS) {
            return false;
        }
        carry += (i < a->n_limbs ? a->limbs[i] : 0)
                 + (i < b->n_limbs ? b->limbs[i] : 0);
        a->limbs[i] = carry % LIMB;
        carry /= LIMB;
    }
    a->n_limbs = (uint8_t) (i > a->n_limbs ? i : a->n_limbs);
    return true;
}

/* 'a' - 'b', where 'a' is not the smaller one. */
static void
subtract_limbs(struct yl_decimal *a, const struct yl_decimal *b)
{
    uint32_t borrow = 0;
    size_t i;

    for (i = 0; i < a->n_limbs; i++) {
        uint32_t take = borrow + (i < b->n_limbs ? b->limbs[i] : 0);

        borrow = a->limbs[i] < take;
        a->limbs[i] += (borrow ? LIMB : 0) - take;
    }
    trim(a);
}

/* Divides and returns what remains. */
static uint32_t
divide_limbs(struct yl_decimal *d, uint32_t divisor)
{
    uint64_t rest = 0;
    size_t i;

    for (i = d->n_limbs; i-- > 0; ) {
        rest = rest * LIMB + d->limbs[i];
        d->limbs[i] = (uint32_t) (rest / divisor);
        rest %= divisor;
    }
    trim(d);
    return (uint32_t) rest;
}

/* Drops the 'n' lowest limbs. */
static void
drop_limbs(struct yl_decimal *d, size_t n)
{
    d->n_limbs = (uint8_t) (d->n_limbs - n);
    memmove(d->limbs, d->limbs + n, d->n_limbs * sizeof d->limbs[0]);
}
