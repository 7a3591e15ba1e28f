/* What an unquoted YAML scalar means.  See json/yaml_scalar.h. */

#include "json/yaml_scalar.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/number.h"
#include "yuloh/json.h"

/* The words, found by their first character among others. */
static const struct word {
    const char *text;
    enum yl_yaml_type type;
    bool truth;
    double real;
} words[] = {
    { "", YL_YAML_NULL, false, 0 },
    { "~", YL_YAML_NULL, false, 0 },
    { "null", YL_YAML_NULL, false, 0 },
    { "Null", YL_YAML_NULL, false, 0 },
    { "NULL", YL_YAML_NULL, false, 0 },
    { "y", YL_YAML_BOOL, true, 0 },
    { "Y", YL_YAML_BOOL, true, 0 },
    { "yes", YL_YAML_BOOL, true, 0 },
    { "Yes", YL_YAML_BOOL, true, 0 },
    { "YES", YL_YAML_BOOL, true, 0 },
    { "true", YL_YAML_BOOL, true, 0 },
    { "True", YL_YAML_BOOL, true, 0 },
    { "TRUE", YL_YAML_BOOL, true, 0 },
    { "on", YL_YAML_BOOL, true, 0 },
    { "On", YL_YAML_BOOL, true, 0 },
    { "ON", YL_YAML_BOOL, true, 0 },
    { "n", YL_YAML_BOOL, false, 0 },
    { "N", YL_YAML_BOOL, false, 0 },
    { "no", YL_YAML_BOOL, false, 0 },
    { "No", YL_YAML_BOOL, false, 0 },
    { "NO", YL_YAML_BOOL, false, 0 },
    { "false", YL_YAML_BOOL, false, 0 },
    { "False", YL_YAML_BOOL, false, 0 },
    { "FALSE", YL_YAML_BOOL, false, 0 },
    { "off", YL_YAML_BOOL, false, 0 },
    { "Off", YL_YAML_BOOL, false, 0 },
    { "OFF", YL_YAML_BOOL, false, 0 },
    { ".nan", YL_YAML_FLOAT, false, NAN },
    { ".NaN", YL_YAML_FLOAT, false, NAN },
    { ".NAN", YL_YAML_FLOAT, false, NAN },
    { ".inf", YL_YAML_FLOAT, false, INFINITY },
    { ".Inf", YL_YAML_FLOAT, false, INFINITY },
    { ".INF", YL_YAML_FLOAT, false, INFINITY },
    { "+.inf", YL_YAML_FLOAT, false, INFINITY },
    { "+.Inf", YL_YAML_FLOAT, false, INFINITY },
    { "+.INF", YL_YAML_FLOAT, false, INFINITY },
    { "-.inf", YL_YAML_FLOAT, false, -INFINITY },
    { "-.Inf", YL_YAML_FLOAT, false, -INFINITY },
    { "-.INF", YL_YAML_FLOAT, false, -INFINITY },
};

#define LONGEST_WORD 5

static bool resolve_word(struct yl_yaml_scalar *);
static bool resolve_number(struct yl_yaml_scalar *);
static bool resolve_integer(struct yl_yaml_scalar *, const char *plain,
                            size_t size);
static bool resolve_float(struct yl_yaml_scalar *, const char *plain);
static bool resolve_point(struct yl_yaml_scalar *);
static bool is_time(struct yl_str);

static inline bool
is_digit(char c)
{
    return (unsigned char) (c - '0') <= 9;
}

struct yl_yaml_scalar
yl_yaml_resolve(struct yl_str text)
{
    struct yl_yaml_scalar scalar = { YL_YAML_STRING, text, { false } };
    char first = text.size ? text.data[0] : '\0';

    if (text.size <= LONGEST_WORD && resolve_word(&scalar)) {
        return scalar;
    }
    if (is_digit(first) || first == '+' || first == '-') {
        if (is_time(text)) {
            scalar.type = YL_YAML_TIME;
        } else {
            resolve_number(&scalar);
        }
    } else if (first == '.') {
        resolve_point(&scalar);
    }
    return scalar;
}

void
yl_yaml_write_float(struct yl_buf *buf, double value, bool single)
{
    char text[64];
    int exponent = 0;
    int precision;

    if (single) {
        value = (float) value;
    }
    if (isnan(value)) {
        yl_buf_append_c(buf, ".nan");
        return;
    } else if (isinf(value)) {
        yl_buf_append_c(buf, value < 0 ? "-.inf" : ".inf");
        return;
    }
    for (precision = 0; precision < 17; precision++) {
        char *end;

        yl_double_printf(text, sizeof text, "%.*e", precision, value);
        for (end = text; *end != 'e'; end++) {
            continue;
        }
        exponent = (int) strtol(end + 1, NULL, 10);
        if (single ? (double) yl_float_parse(text) == value
                   : yl_double_parse(text) == value) {
            break;
        }
    }
    if (exponent >= -4 && exponent < 6) {
        precision = precision > exponent ? precision - exponent : 0;
        yl_double_printf(text, sizeof text, "%.*f", precision, value);
    }
    yl_buf_append_c(buf, text);
}

bool
yl_yaml_is_base60(struct yl_str s)
{
    const char *p = s.data;
    const char *end = s.data + s.size;
    bool colon = false;

    if (p < end && (*p == '+' || *p == '-')) {
        p++;
    }
    if (p == end || !is_digit(*p)) {
        return false;
    }
    while (p < end && (is_digit(*p) || *p == '_')) {
        p++;
    }
    while (end - p >= 2 && *p == ':' && is_digit(p[1])) {
        colon = true;
        p += end - p >= 3 && p[1] <= '5' && is_digit(p[2]) ? 3 : 2;
    }
    if (p < end && *p == '.') {
        p++;
        while (p < end && (is_digit(*p) || *p == '_')) {
            p++;
        }
    }
    return colon && p == end;
}

static bool
resolve_word(struct yl_yaml_scalar *scalar)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
        if (yl_str_equal_c(scalar->text, words[i].text)) {
            scalar->type = words[i].type;
            if (scalar->type == YL_YAML_BOOL) {
                scalar->as.truth = words[i].truth;
            } else {
                scalar->as.real = words[i].real;
            }
            return true;
        }
    }
    return false;
}

/* A number that starts with a sign or a digit; underscores in it are
 * ignored. */
static bool
resolve_number(struct yl_yaml_scalar *scalar)
{
    char plain[YL_JSON_MAX_NUMBER + 1];
    size_t size = 0;
    size_t i;

    for (i = 0; i < scalar->text.size; i++) {
        if (scalar->text.data[i] != '_') {
            if (size == YL_JSON_MAX_NUMBER) {
                return false;
            }
            plain[size++] = scalar->text.data[i];
        }
    }
    plain[size] = '\0';
    return resolve_integer(scalar, plain, size)
           || resolve_float(scalar, plain);
}

/* All of the digits 's' to 'base'; false if there is another character, or
 * the number has more than 64 bits.  No digit at all is 0 if 'empty' says
 * so. */
static bool
read_digits(struct yl_str s, unsigned base, bool empty, uint64_t *ret_value)
{
    uint64_t value = 0;
    size_t i;

    for (i = 0; i < s.size; i++) {
        unsigned c = (unsigned char) s.data[i];
        unsigned digit = is_digit(s.data[i]) ? c - '0'
                         : (c | 0x20) - 'a' < 26 ? (c | 0x20) - 'a' + 10
                         : 36;

        if (digit >= base || value > (UINT64_MAX - digit) / base) {
            return false;
        }
        value = value * base + digit;
    }
    *ret_value = value;
    return s.size || empty;
}

/* Like read_digits(), in the base that the prefix of 's' says. */
static bool
read_natural(struct yl_str s, uint64_t *ret_value)
{
    if (s.size == 0 || s.data[0] != '0') {
        return read_digits(s, 10, false, ret_value);
    }
    switch (s.size >= 3 ? s.data[1] | 0x20 : 0) {
    case 'b':
        return read_digits(yl_str_skip(s, 2), 2, false, ret_value);

    case 'o':
        return read_digits(yl_str_skip(s, 2), 8, false, ret_value);

    case 'x':
        return read_digits(yl_str_skip(s, 2), 16, false, ret_value);

    default:
        return read_digits(yl_str_skip(s, 1), 8, true, ret_value);
    }
}

static bool
resolve_integer(struct yl_yaml_scalar *scalar, const char *plain, size_t size)
{
    struct yl_str s = yl_str_n(plain, size);
    bool is_signed = plain[0] == '+' || plain[0] == '-';
    bool negative = plain[0] == '-';
    uint64_t value;
    bool found;

    if (size > 3 && !is_signed && plain[0] == '0' && plain[1] == 'b'
        && (plain[2] == '+' || plain[2] == '-')) {
        /* The original accepts a sign after the prefix, probably by mistake.
         * We do the same. */
        is_signed = true;
        negative = plain[2] == '-';
        found = read_digits(yl_str_skip(s, 3), 2, false, &value);
    } else {
        found = read_natural(yl_str_skip(s, is_signed ? 1 : 0), &value);
    }
    if (!found || (is_signed && value > (uint64_t) INT64_MAX + negative)) {
        return false;
    }
    if (negative) {
        scalar->type = YL_YAML_INT;
        scalar->as.integer = (int64_t) (0 - value);
    } else if (value <= INT64_MAX) {
        scalar->type = YL_YAML_INT;
        scalar->as.integer = (int64_t) value;
    } else {
        scalar->type = YL_YAML_UINT;
        scalar->as.natural = value;
    }
    return true;
}

/* NUL-terminated 'plain' as a decimal number: digits on at least one side of
 * the point, perhaps an exponent, and nothing else. */
static bool
resolve_float(struct yl_yaml_scalar *scalar, const char *plain)
{
    const char *p = plain + (*plain == '+' || *plain == '-');
    bool whole = is_digit(*p);
    double value;

    while (is_digit(*p)) {
        p++;
    }
    if (*p == '.') {
        p++;
        if (!whole && !is_digit(*p)) {
            return false;
        }
        while (is_digit(*p)) {
            p++;
        }
    } else if (!whole) {
        return false;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        if (!is_digit(*p)) {
            return false;
        }
        while (is_digit(*p)) {
            p++;
        }
    }
    if (*p) {
        return false;
    }
    value = yl_double_parse(plain);
    if (isinf(value)) {
        return false;
    }
    scalar->type = YL_YAML_FLOAT;
    scalar->as.real = value;
    return true;
}

/* A number that starts with its decimal point.  Here an underscore is allowed
 * only between two digits; anywhere else the text is a string. */
static bool
resolve_point(struct yl_yaml_scalar *scalar)
{
    char plain[YL_JSON_MAX_NUMBER + 1];
    struct yl_str text = scalar->text;
    size_t size = 0;
    size_t i;

    for (i = 0; i < text.size; i++) {
        if (text.data[i] == '_') {
            if (!is_digit(text.data[i - 1]) || i + 1 == text.size
                || !is_digit(text.data[i + 1])) {
                return false;
            }
        } else if (size == YL_JSON_MAX_NUMBER) {
            return false;
        } else {
            plain[size++] = text.data[i];
        }
    }
    plain[size] = '\0';
    return resolve_float(scalar, plain);
}

/* Reads one digit or two from '*p'; false if there is none or the value is
 * outside of 'min' to 'max'. */
static bool
read_pair(const char **p, const char *end, int min, int max, int *ret_value)
{
    int value;

    if (*p == end || !is_digit(**p)) {
        return false;
    }
    value = *(*p)++ - '0';
    if (*p < end && is_digit(**p)) {
        value = value * 10 + (*(*p)++ - '0');
    }
    *ret_value = value;
    return value >= min && value <= max;
}

static bool
read_char(const char **p, const char *end, char c)
{
    if (*p == end || **p != c) {
        return false;
    }
    ++*p;
    return true;
}

/* Hours, minutes, seconds, and perhaps their fraction. */
static bool
read_clock(const char **p, const char *end)
{
    int n;

    if (!read_pair(p, end, 0, 23, &n) || !read_char(p, end, ':')
        || !read_pair(p, end, 0, 59, &n) || !read_char(p, end, ':')
        || !read_pair(p, end, 0, 59, &n)) {
        return false;
    }
    if (end - *p >= 2 && (**p == '.' || **p == ',') && is_digit((*p)[1])) {
        do {
            ++*p;
        } while (*p < end && is_digit(**p));
    }
    return true;
}

/* "Z", or a sign, two digits, a colon and two digits. */
static bool
read_zone(const char **p, const char *end)
{
    const char *z = *p;

    if (read_char(p, end, 'Z')) {
        return true;
    }
    if (end - z < 6 || (*z != '+' && *z != '-') || !is_digit(z[1])
        || !is_digit(z[2]) || z[3] != ':' || !is_digit(z[4])
        || !is_digit(z[5])) {
        return false;
    }
    *p += 6;
    return (z[1] - '0') * 10 + (z[2] - '0') <= 24
           && (z[4] - '0') * 10 + (z[5] - '0') <= 60;
}

/* Is 's' a date, or a date and a time with a zone behind a T or without one
 * behind blanks? */
static bool
is_time(struct yl_str s)
{
    static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30,
                                31 };
    const char *p = s.data;
    const char *end = s.data + s.size;
    int year = 0;
    int month, day;

    while (p < end && is_digit(*p) && p - s.data < 4) {
        year = year * 10 + (*p++ - '0');
    }
    if (p - s.data != 4 || !read_char(&p, end, '-')
        || !read_pair(&p, end, 1, 12, &month) || !read_char(&p, end, '-')
        || !read_pair(&p, end, 1, days[month - 1], &day)) {
        return false;
    }
    if (month == 2 && day == 29
        && (year % 4 != 0 || (year % 100 == 0 && year % 400 != 0))) {
        return false;
    }
    if (p == end) {
        return true;
    }
    if (read_char(&p, end, 'T') || read_char(&p, end, 't')) {
        return read_clock(&p, end) && read_zone(&p, end) && p == end;
    }
    if (!read_char(&p, end, ' ')) {
        return false;
    }
    while (read_char(&p, end, ' ')) {
        continue;
    }
    return read_clock(&p, end) && p == end;
}
