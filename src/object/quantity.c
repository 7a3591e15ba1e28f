/* Quantities.  See yuloh/quantity.h for the contract.
 *
 * Upstream has two representations, a small one for speed and a big one for
 * all other numbers, and they differ in whether the original text is kept.
 * Here there is one representation; scan() and keeps_text() follow upstream's
 * distinction so that the texts come out the same. */

#include "yuloh/quantity.h"

#include <stdio.h>

#include "object/decimal.h"

#define NANO (-9)

/* A quantity's text taken apart. */
struct parts {
    bool negative;
    struct yl_str whole;        /* Digits before the point, no zeros first. */
    struct yl_str fraction;     /* Digits behind it. */
    bool has_digits;
    struct yl_str suffix;
};

struct suffix {
    enum yl_quantity_format format;
    int32_t exponent;           /* Of 10, or of 2. */
};

static bool scan(struct yl_str, struct parts *);
static bool read_suffix(struct yl_str, struct suffix *);
static int read_number(const struct parts *, const struct suffix *,
                       struct yl_decimal *, struct yl_error *);
static bool is_small(const struct parts *, const struct suffix *,
                     int32_t *ret_scale);
static bool keeps_text(const struct parts *, const struct suffix *,
                       int32_t scale);
static void adjust_big(struct yl_quantity *);
static int change(struct yl_quantity *, const struct yl_quantity *,
                  bool minus);
static bool is_below(const struct yl_decimal *, int64_t limit);
static struct yl_str write_binary(const struct yl_decimal *, char *room);
static struct yl_str write_decimal(const struct yl_decimal *,
                                   enum yl_quantity_format, char *room);

int
yl_quantity_parse(struct yl_str text, struct yl_quantity *ret_quantity,
                  struct yl_error *err)
{
    struct yl_quantity q;
    struct parts parts;
    struct suffix suffix;
    int32_t scale;
    int r;

    if (text.size > YL_QUANTITY_MAX_TEXT) {
        return yl_error_set(err, YL_ETOOBIG,
                            "quantity is longer than %d bytes",
                            YL_QUANTITY_MAX_TEXT);
    } else if (!text.size || !scan(text, &parts)) {
        return yl_error_set(err, YL_EINVALID,
                            "quantities must match the regular expression "
                            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    } else if (!read_suffix(parts.suffix, &suffix)) {
        return yl_error_set(err, YL_EINVALID,
                            "unable to parse quantity's suffix");
    }
    r = read_number(&parts, &suffix, &q.number, err);
    if (r < 0) {
        return r;
    }
    q.format = suffix.format;
    q.written = yl_str_null();
    if (is_small(&parts, &suffix, &scale)) {
        if (keeps_text(&parts, &suffix, scale) || yl_str_equal_c(text, "0")) {
            q.written = text;
        }
    } else if (!parts.has_digits) {
        return yl_error_set(err, YL_EINVALID,
                            "unable to parse numeric part of quantity");
    } else {
        adjust_big(&q);
    }
    *ret_quantity = q;
    return 0;
}

struct yl_quantity
yl_quantity_make(int64_t value, int32_t scale, enum yl_quantity_format format)
{
    struct yl_quantity q;

    yl_decimal_set_int(&q.number, value, scale);
    q.format = format;
    q.written = yl_str_null();
    return q;
}

struct yl_str
yl_quantity_text(const struct yl_quantity *q, char room[YL_QUANTITY_TEXT_SIZE])
{
    return yl_str_is_null(q->written) ? yl_quantity_canonical(q, room)
                                      : q->written;
}

struct yl_str
yl_quantity_canonical(const struct yl_quantity *q,
                      char room[YL_QUANTITY_TEXT_SIZE])
{
    if (!q->number.n_limbs) {
        return YL_STR("0");
    } else if (q->format != YL_BINARY_SI) {
        return write_decimal(&q->number, q->format, room);
    } else if (q->number.exponent < 0 || is_below(&q->number, 1024)) {
        /* A binary suffix would lose the fraction, and is of no use below
         * 1024.  Upstream decides the same way. */
        return write_decimal(&q->number, YL_DECIMAL_SI, room);
    }
    return write_binary(&q->number, room);
}

void
yl_quantity_forget_text(struct yl_quantity *q)
{
    q->written = yl_str_null();
}

int
yl_quantity_sign(const struct yl_quantity *q)
{
    return !q->number.n_limbs ? 0 : q->number.negative ? -1 : 1;
}

int
yl_quantity_compare(const struct yl_quantity *a, const struct yl_quantity *b)
{
    return yl_decimal_compare(&a->number, &b->number);
}

int
yl_quantity_add(struct yl_quantity *q, const struct yl_quantity *y)
{
    return change(q, y, false);
}

int
yl_quantity_sub(struct yl_quantity *q, const struct yl_quantity *y)
{
    return change(q, y, true);
}

void
yl_quantity_negate(struct yl_quantity *q)
{
    q->number.negative = !q->number.negative && q->number.n_limbs;
    q->written = yl_str_null();
}

int64_t
yl_quantity_value(const struct yl_quantity *q)
{
    return yl_quantity_scaled_value(q, 0);
}

int64_t
yl_quantity_milli_value(const struct yl_quantity *q)
{
    return yl_quantity_scaled_value(q, -3);
}

int64_t
yl_quantity_scaled_value(const struct yl_quantity *q, int32_t scale)
{
    struct yl_decimal d = q->number;
    uint64_t value = 0;
    size_t i;

    if (!d.n_limbs) {
        return 0;
    }
    yl_decimal_round(&d, scale);
    if (d.exponent - scale > 18 || !yl_decimal_expand(&d, scale)
        || d.n_limbs > 3) {
        return d.negative ? INT64_MIN : INT64_MAX;
    }
    for (i = d.n_limbs; i-- > 0; ) {
        if (value > (UINT64_MAX - d.limbs[i]) / 1000000000) {
            return d.negative ? INT64_MIN : INT64_MAX;
        }
        value = value * 1000000000 + d.limbs[i];
    }
    if (d.negative) {
        return value > INT64_MAX ? INT64_MIN : -(int64_t) value;
    }
    return value > INT64_MAX ? INT64_MAX : (int64_t) value;
}

/* Reading. */

static size_t
count_digits(struct yl_str s)
{
    size_t n = 0;

    while (n < s.size && s.data[n] >= '0' && s.data[n] <= '9') {
        n++;
    }
    return n;
}

static bool
scan(struct yl_str s, struct parts *parts)
{
    struct yl_str rest;
    size_t n;

    parts->negative = s.data[0] == '-';
    if (s.data[0] == '-' || s.data[0] == '+') {
        s = yl_str_skip(s, 1);
    }
    n = count_digits(s);
    parts->whole = yl_str_n(s.data, n);
    s = yl_str_skip(s, n);
    parts->has_digits = n > 0;
    while (parts->whole.size && parts->whole.data[0] == '0') {
        parts->whole = yl_str_skip(parts->whole, 1);
    }
    parts->fraction = yl_str_n(s.data, 0);
    if (s.size && s.data[0] == '.') {
        s = yl_str_skip(s, 1);
        n = count_digits(s);
        parts->fraction = yl_str_n(s.data, n);
        parts->has_digits |= n > 0;
        s = yl_str_skip(s, n);
    }
    parts->suffix = rest = s;
    while (rest.size && memchr("eEinumkKMGTP", rest.data[0], 12)) {
        rest = yl_str_skip(rest, 1);
    }
    if (rest.size && (rest.data[0] == '-' || rest.data[0] == '+')) {
        rest = yl_str_skip(rest, 1);
    }
    return count_digits(rest) == rest.size;
}

static bool
read_suffix(struct yl_str s, struct suffix *suffix)
{
    static const struct {
        const char *name;
        struct suffix suffix;
    } names[] = {
        { "", { YL_DECIMAL_SI, 0 } },
        { "n", { YL_DECIMAL_SI, -9 } },
        { "u", { YL_DECIMAL_SI, -6 } },
        { "m", { YL_DECIMAL_SI, -3 } },
        { "k", { YL_DECIMAL_SI, 3 } },
        { "M", { YL_DECIMAL_SI, 6 } },
        { "G", { YL_DECIMAL_SI, 9 } },
        { "T", { YL_DECIMAL_SI, 12 } },
        { "P", { YL_DECIMAL_SI, 15 } },
        { "E", { YL_DECIMAL_SI, 18 } },
        { "Ki", { YL_BINARY_SI, 10 } },
        { "Mi", { YL_BINARY_SI, 20 } },
        { "Gi", { YL_BINARY_SI, 30 } },
        { "Ti", { YL_BINARY_SI, 40 } },
        { "Pi", { YL_BINARY_SI, 50 } },
        { "Ei", { YL_BINARY_SI, 60 } },
    };
    long long exponent;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (yl_str_equal_c(s, names[i].name)) {
            *suffix = names[i].suffix;
            return true;
        }
    }
    if (s.data[0] != 'e' && s.data[0] != 'E') {
        return false;
    }
    s = yl_str_skip(s, s.size > 1 && s.data[1] == '+' ? 2 : 1);
    if (yl_str_to_i64(s, &exponent) < 0) {
        return false;
    }

    /* Upstream keeps the low 32 bits. */
    suffix->format = YL_DECIMAL_EXPONENT;
    suffix->exponent = (int32_t) (uint32_t) (unsigned long long) exponent;
    return true;
}

static int
read_number(const struct parts *parts, const struct suffix *suffix,
            struct yl_decimal *number, struct yl_error *err)
{
    char room[YL_QUANTITY_MAX_TEXT];
    struct yl_str digits;
    int32_t exponent = 0, shift;

    memcpy(room, parts->whole.data, parts->whole.size);
    memcpy(room + parts->whole.size, parts->fraction.data,
           parts->fraction.size);
    digits = yl_str_n(room, parts->whole.size + parts->fraction.size);
    while (digits.size && digits.data[digits.size - 1] == '0') {
        digits.size--;
        exponent++;
    }
    while (digits.size && digits.data[0] == '0') {
        digits = yl_str_skip(digits, 1);
    }
    if (digits.size > YL_QUANTITY_MAX_DIGITS) {
        return yl_error_set(err, YL_ETOOBIG,
                            "quantity has more than %d significant digits",
                            YL_QUANTITY_MAX_DIGITS);
    }
    exponent -= (int32_t) parts->fraction.size;
    if (suffix->format != YL_BINARY_SI) {
        yl_decimal_set_digits(number, digits,
                              (int64_t) exponent + suffix->exponent);
    } else {
        yl_decimal_set_digits(number, digits, exponent);
        for (shift = 0; shift < suffix->exponent; shift += 10) {
            yl_decimal_multiply(number, 1024);
        }
    }
    number->negative = parts->negative && number->n_limbs;
    return 0;
}

/* Whether upstream holds the number in its small representation, with
 * '*ret_scale' as its exponent. */
static bool
is_small(const struct parts *parts, const struct suffix *suffix,
         int32_t *ret_scale)
{
    int n_whole = parts->whole.size ? (int) parts->whole.size : 1;
    int n_fraction = (int) parts->fraction.size;

    if (suffix->format == YL_BINARY_SI) {
        *ret_scale = 0;
        return n_fraction == 0
               && 15 - n_whole - suffix->exponent * 3 / 10 - 1 >= 0;
    }
    *ret_scale = (int32_t) ((uint32_t) suffix->exponent
                            - (uint32_t) n_fraction);
    return n_whole + n_fraction <= 18 && *ret_scale >= NANO;
}

/* Whether upstream takes the text of a small number for canonical. */
static bool
keeps_text(const struct parts *parts, const struct suffix *suffix,
           int32_t scale)
{
    size_t n_zeros = 0, n_fraction = parts->fraction.size;
    struct yl_str whole = parts->whole;

    if (!whole.size) {
        return false;           /* It begins with a 0. */
    }
    if (suffix->format == YL_BINARY_SI) {
        unsigned long long value = 0;

        yl_str_to_u64(whole, &value);
        return value & 7;
    }
    while (n_zeros < n_fraction
           && parts->fraction.data[n_fraction - 1 - n_zeros] == '0') {
        n_zeros++;
    }
    if (n_zeros == n_fraction) {
        while (n_zeros - n_fraction < whole.size
               && whole.data[whole.size - 1 - (n_zeros - n_fraction)] == '0') {
            n_zeros++;
        }
    }
    return scale % 3 == 0 && n_zeros < 3;
}

/* Upstream rounds and limits numbers in its big representation like this. */
static void
adjust_big(struct yl_quantity *q)
{
    struct yl_decimal most;
    bool negative = q->number.negative;

    yl_decimal_round(&q->number, NANO);
    if (q->format == YL_BINARY_SI && q->number.n_limbs) {
        yl_decimal_set_int(&most, INT64_MAX, 0);
        q->number.negative = false;
        if (yl_decimal_compare(&q->number, &most) > 0) {
            q->number = most;
        }
        if (is_below(&q->number, 1)) {
            q->format = YL_DECIMAL_SI;
        }
        q->number.negative = negative;
    }
}

static int
change(struct yl_quantity *q, const struct yl_quantity *y, bool minus)
{
    struct yl_decimal sum = q->number;

    if (!yl_decimal_add(&sum, &y->number, minus)
        || yl_decimal_n_digits(&sum) > YL_QUANTITY_MAX_DIGITS) {
        return YL_ERANGE;
    }
    if (!q->number.n_limbs) {
        q->format = y->format;
    }
    q->number = sum;
    q->written = yl_str_null();
    return 0;
}

/* Whether the number lies between -limit and limit. */
static bool
is_below(const struct yl_decimal *d, int64_t limit)
{
    struct yl_decimal magnitude = *d, other;

    magnitude.negative = false;
    yl_decimal_set_int(&other, limit, 0);
    return yl_decimal_compare(&magnitude, &other) < 0;
}

/* Writing. */

static struct yl_str
write_binary(const struct yl_decimal *number, char *room)
{
    static const char suffixes[] = "\0KMGTPE";
    struct yl_decimal d = *number;
    size_t n = 0, power = 0;

    if (!yl_decimal_expand(&d, 0)) {
        return write_decimal(number, YL_DECIMAL_EXPONENT, room);
    }
    while (yl_decimal_divide(&d, 1024)) {
        power++;
    }
    if (d.negative) {
        room[n++] = '-';
    }
    n += yl_decimal_write_digits(&d, room + n);
    if (power > 0 && power < sizeof suffixes - 1) {
        room[n++] = suffixes[power];
        room[n++] = 'i';
    }
    return yl_str_n(room, n);
}

static struct yl_str
write_decimal(const struct yl_decimal *number,
              enum yl_quantity_format format, char *room)
{
    static const char suffixes[] = "num\0kMGTPE";
    int64_t exponent = number->exponent;
    size_t n = 0;

    if (number->negative) {
        room[n++] = '-';
    }
    n += yl_decimal_write_digits(number, room + n);
    for (; exponent % 3 != 0; exponent--) {
        room[n++] = '0';
    }
    if (format == YL_DECIMAL_EXPONENT) {
        if (exponent) {
            n += (size_t) snprintf(room + n, YL_QUANTITY_TEXT_SIZE - n,
                                   "e%lld", (long long) exponent);
        }
    } else if (exponent && exponent >= NANO && exponent <= 18) {
        room[n++] = suffixes[(exponent - NANO) / 3];
    }
    return yl_str_n(room, n);
}
