/* Strings and numbers of JSON.  See json/text.h. */

#include "json/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "json/utf8.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

static bool is_plain(struct yl_str);
static bool has_special(const char *p);
static void write_escaped(struct yl_buf *, struct yl_str);
static int read_escape(const char **p, const char *end, char *out);
static int read_hex4(const char *p, const char *end, unsigned *ret);
static size_t put_utf8(unsigned code, char *out);
static size_t shortest_digits(double, char *digits, int *ret_exponent);
static bool count_up(char *text);

int
yl_json_unescape(struct yl_str raw, char *out, size_t *ret_size)
{
    const char *p = raw.data ? raw.data : "";
    const char *end = p + raw.size;
    char *start = out;

    while (p < end) {
        const char *backslash = memchr(p, '\\', (size_t) (end - p));
        size_t plain = (size_t) ((backslash ? backslash : end) - p);
        int n;

        memmove(out, p, plain);
        out += plain;
        p += plain;
        if (!backslash) {
            break;
        }
        n = read_escape(&p, end, out);
        if (n < 0) {
            return n;
        }
        out += n;
    }
    *ret_size = (size_t) (out - start);
    return 0;
}

int
yl_json_check_escapes(struct yl_str raw)
{
    const char *p = raw.data ? raw.data : "";
    const char *end = p + raw.size;
    char out[4];

    while (p < end && (p = memchr(p, '\\', (size_t) (end - p))) != NULL) {
        if (read_escape(&p, end, out) < 0) {
            return YL_ESYNTAX;
        }
    }
    return 0;
}

bool
yl_json_raw_equal(struct yl_str raw, struct yl_str s)
{
    const char *p = raw.data ? raw.data : "";
    const char *end = p + raw.size;

    /* The longest way to write a byte takes six bytes.  So if 'raw' is more
     * than six times as long as 's', they differ, and 'raw' need not be
     * read. */
    if (raw.size < s.size || raw.size / 6 > s.size) {
        return false;
    }
    if (!yl_str_find_char(raw, '\\')) {
        return yl_str_equal(raw, s);
    }
    while (p < end) {
        char code[4];
        int n = 1;

        if (*p == '\\') {
            n = read_escape(&p, end, code);
        } else {
            code[0] = *p++;
        }
        if (n < 0 || s.size < (size_t) n
            || memcmp(s.data, code, (size_t) n) != 0) {
            return false;
        }
        s = yl_str_skip(s, (size_t) n);
    }
    return s.size == 0;
}

void
yl_json_write_string(struct yl_buf *buf, struct yl_str s)
{
    if (YL_LIKELY(is_plain(s))) {
        char *p = yl_buf_reserve(buf, s.size + 2);

        if (p) {
            p[0] = '"';
            if (s.size) {
                memcpy(p + 1, s.data, s.size);
            }
            p[s.size + 1] = '"';
            yl_buf_commit(buf, s.size + 2);
        }
        return;
    }
    write_escaped(buf, s);
}

void
yl_json_write_text(struct yl_buf *buf, struct yl_str s)
{
    const char *invalid = yl_utf8_find_invalid(s);
    struct yl_buf clean;

    if (YL_LIKELY(!invalid)) {
        yl_json_write_string(buf, s);
        return;
    }
    yl_buf_init(&clean, SIZE_MAX / 2);
    while (invalid) {
        yl_buf_append_str(&clean, yl_str_range(s.data, invalid));
        yl_buf_append_c(&clean, "\xef\xbf\xbd");
        s = yl_str_range(invalid + 1, s.data + s.size);
        invalid = yl_utf8_find_invalid(s);
    }
    yl_buf_append_str(&clean, s);
    yl_json_write_string(buf, yl_buf_str(&clean));
    yl_buf_release(&clean);
}

bool
yl_json_raw_is_canonical(struct yl_str raw)
{
    const char *p = raw.data ? raw.data : "";
    const char *end = p + raw.size;

    for (; p < end; p++) {
        if (*p == '\\' && (++p == end || *p == '/' || *p == 'u')) {
            return false;
        }
    }
    return true;
}

const char *
yl_json_number_end(const char *p, const char *limit)
{
    const char *start = p;

#define IS_DIGIT(P) ((P) < limit && (unsigned char) (*(P) - '0') <= 9)
    if (p < limit && *p == '-') {
        p++;
    }
    if (!IS_DIGIT(p)) {
        return NULL;
    }
    if (*p == '0') {
        p++;
    } else {
        while (IS_DIGIT(p)) {
            p++;
        }
    }
    if (p < limit && *p == '.') {
        p++;
        if (!IS_DIGIT(p)) {
            return NULL;
        }
        while (IS_DIGIT(p)) {
            p++;
        }
    }
    if (p < limit && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < limit && (*p == '+' || *p == '-')) {
            p++;
        }
        if (!IS_DIGIT(p)) {
            return NULL;
        }
        while (IS_DIGIT(p)) {
            p++;
        }
    }
#undef IS_DIGIT
    return p - start <= YL_JSON_MAX_NUMBER ? p : NULL;
}

bool
yl_json_number_is_integer(struct yl_str raw)
{
    size_t i;

    for (i = 0; i < raw.size; i++) {
        if (raw.data[i] == '.' || (raw.data[i] | 0x20) == 'e') {
            return false;
        }
    }
    return true;
}

int
yl_json_number_int64(struct yl_str raw, int64_t *ret_value)
{
    long long value;

    if (yl_str_to_i64(raw, &value) < 0) {
        return YL_ERANGE;
    }
    *ret_value = value;
    return 0;
}

int
yl_json_number_uint64(struct yl_str raw, uint64_t *ret_value)
{
    unsigned long long value;

    if (yl_str_to_u64(raw, &value) < 0) {
        return YL_ERANGE;
    }
    *ret_value = value;
    return 0;
}

int
yl_json_number_double(struct yl_str raw, double *ret_value)
{
    char text[YL_JSON_MAX_NUMBER + 1];
    double value;

    if (raw.size > YL_JSON_MAX_NUMBER) {
        return YL_ERANGE;
    }
    memcpy(text, raw.data, raw.size);
    text[raw.size] = '\0';

    value = yl_double_parse(text);
    if (isinf(value)) {
        return YL_ERANGE;
    }
    *ret_value = value;
    return 0;
}

void
yl_json_write_int64(struct yl_buf *buf, int64_t value)
{
    uint64_t magnitude = (uint64_t) value;

    if (value < 0) {
        yl_buf_append_char(buf, '-');
        magnitude = 0 - magnitude;
    }
    yl_json_write_uint64(buf, magnitude);
}

void
yl_json_write_uint64(struct yl_buf *buf, uint64_t value)
{
    char digits[20];
    char *p = digits + sizeof digits;

    do {
        *--p = (char) ('0' + value % 10);
        value /= 10;
    } while (value);
    yl_buf_append(buf, p, (size_t) (digits + sizeof digits - p));
}

void
yl_json_write_double(struct yl_buf *buf, double value)
{
    char digits[32];
    int exponent;
    size_t n;

    assert(isfinite(value));
    if (signbit(value)) {
        yl_buf_append_char(buf, '-');
        value = -value;
    }
    if (value == 0) {
        yl_buf_append_char(buf, '0');
        return;
    }

    /* value = 0.d1d2...dn * 10^exponent */
    n = shortest_digits(value, digits, &exponent);
    if (value < 1e-6 || value >= 1e21) {
        yl_buf_append(buf, digits, 1);
        if (n > 1) {
            yl_buf_append_char(buf, '.');
            yl_buf_append(buf, digits + 1, n - 1);
        }
        yl_buf_printf(buf, "e%c%d", exponent - 1 < 0 ? '-' : '+',
                      abs(exponent - 1));
        return;
    }
    if (exponent <= 0) {
        yl_buf_append(buf, "0.000000", (size_t) (2 - exponent));
        yl_buf_append(buf, digits, n);
    } else if ((size_t) exponent >= n) {
        size_t zeros = (size_t) exponent - n;

        yl_buf_append(buf, digits, n);
        yl_buf_append(buf, "000000000000000000000", zeros);
    } else {
        yl_buf_append(buf, digits, (size_t) exponent);
        yl_buf_append_char(buf, '.');
        yl_buf_append(buf, digits + exponent, n - (size_t) exponent);
    }
}

int
yl_json_write_number(struct yl_buf *buf, struct yl_str raw)
{
    int64_t integer;
    double value;
    int r;

    if (yl_json_number_is_integer(raw)
        && yl_json_number_int64(raw, &integer) == 0) {
        yl_json_write_int64(buf, integer);
        return 0;
    }
    r = yl_json_number_double(raw, &value);
    if (r == 0) {
        yl_json_write_double(buf, value == 0 ? 0 : value);
    }
    return r;
}

/* Has 's' nothing that JSON escapes? */
static bool
is_plain(struct yl_str s)
{
    const char *p = s.size ? s.data : "";
    const char *end = p + s.size;

    while (end - p >= 8) {
        if (has_special(p)) {
            return false;
        }
        p += 8;
    }
    if (s.size >= 8) {
        return !has_special(end - 8);
    }
    for (; p < end; p++) {
        if ((unsigned char) *p < 0x20 || *p == '"' || *p == '\\') {
            return false;
        }
    }
    return true;
}

/* Whether one of the eight bytes at 'p' is a control character, a quote or a
 * backslash.  The subtraction sets the high bit of each byte that is less than
 * what is subtracted from it. */
static bool
has_special(const char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word, quote, backslash;

    memcpy(&word, p, sizeof word);
    quote = word ^ ones * '"';
    backslash = word ^ ones * '\\';
    return (((word - ones * 0x20) & ~word)
            | ((quote - ones) & ~quote)
            | ((backslash - ones) & ~backslash)) & ones * 0x80;
}

static void
write_escaped(struct yl_buf *buf, struct yl_str s)
{
    static const char hex[] = "0123456789abcdef";
    const char *p = s.data;
    const char *end = s.data + s.size;
    const char *plain = p;

    yl_buf_append_char(buf, '"');
    for (; p < end; p++) {
        unsigned char c = (unsigned char) *p;
        char escape[6] = { '\\', 0, '0', '0', 0, 0 };
        size_t size = 2;

        if (YL_LIKELY(c >= 0x20 && c != '"' && c != '\\')) {
            continue;
        }
        switch (c) {
        case '\b': escape[1] = 'b'; break;
        case '\f': escape[1] = 'f'; break;
        case '\n': escape[1] = 'n'; break;
        case '\r': escape[1] = 'r'; break;
        case '\t': escape[1] = 't'; break;
        case '"':
        case '\\': escape[1] = (char) c; break;
        default:
            escape[1] = 'u';
            escape[4] = hex[c >> 4];
            escape[5] = hex[c & 15];
            size = 6;
            break;
        }
        yl_buf_append(buf, plain, (size_t) (p - plain));
        yl_buf_append(buf, escape, size);
        plain = p + 1;
    }
    yl_buf_append(buf, plain, (size_t) (end - plain));
    yl_buf_append_char(buf, '"');
}

/* Reads the escape at '*p', moves '*p' behind it and stores what it stands for
 * in 'out' (at most 4 bytes).  Returns their number or YL_ESYNTAX. */
static int
read_escape(const char **p, const char *end, char *out)
{
    unsigned code, low;

    if (end - *p < 2) {
        return YL_ESYNTAX;
    }
    *p += 2;
    switch ((*p)[-1]) {
    case '"': *out = '"'; return 1;
    case '\\': *out = '\\'; return 1;
    case '/': *out = '/'; return 1;
    case 'b': *out = '\b'; return 1;
    case 'f': *out = '\f'; return 1;
    case 'n': *out = '\n'; return 1;
    case 'r': *out = '\r'; return 1;
    case 't': *out = '\t'; return 1;
    case 'u': break;
    default: return YL_ESYNTAX;
    }
    if (read_hex4(*p, end, &code) < 0) {
        return YL_ESYNTAX;
    }
    *p += 4;
    if (code >= 0xd800 && code < 0xe000) {
        if (code >= 0xdc00 || end - *p < 6 || (*p)[0] != '\\'
            || (*p)[1] != 'u' || read_hex4(*p + 2, end, &low) < 0
            || low < 0xdc00 || low >= 0xe000) {
            return YL_ESYNTAX;
        }
        *p += 6;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    return (int) put_utf8(code, out);
}

static int
read_hex4(const char *p, const char *end, unsigned *ret)
{
    unsigned code = 0;
    int i;

    if (end - p < 4) {
        return YL_ESYNTAX;
    }
    for (i = 0; i < 4; i++) {
        unsigned c = (unsigned char) p[i];

        if (c - '0' <= 9) {
            code = code << 4 | (c - '0');
        } else if ((c | 0x20) - 'a' <= 5) {
            code = code << 4 | ((c | 0x20) - 'a' + 10);
        } else {
            return YL_ESYNTAX;
        }
    }
    *ret = code;
    return 0;
}

static size_t
put_utf8(unsigned code, char *out)
{
    if (code < 0x80) {
        out[0] = (char) code;
        return 1;
    } else if (code < 0x800) {
        out[0] = (char) (0xc0 | code >> 6);
        out[1] = (char) (0x80 | (code & 0x3f));
        return 2;
    } else if (code < 0x10000) {
        out[0] = (char) (0xe0 | code >> 12);
        out[1] = (char) (0x80 | (code >> 6 & 0x3f));
        out[2] = (char) (0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char) (0xf0 | code >> 18);
    out[1] = (char) (0x80 | (code >> 12 & 0x3f));
    out[2] = (char) (0x80 | (code >> 6 & 0x3f));
    out[3] = (char) (0x80 | (code & 0x3f));
    return 4;
}

/* Stores the fewest decimal digits that read back as 'value' (positive and
 * finite), without trailing zeros, and the exponent e of 0.DIGITS * 10^e.
 * Returns their number.  Tries 1 to 17 digits: numbers with a fraction are
 * too rare in objects for anything cleverer. */
static size_t
shortest_digits(double value, char *digits, int *ret_exponent)
{
    char text[40];
    size_t n = 0;
    int precision, exponent;
    const char *p;

    /* The doubles just below a power of two lie twice as close together as
     * those above it.  So the nearest decimal below it may read back as
     * another double while the next decimal above it reads back as 'value'. */
    bool power = frexp(value, &exponent) == 0.5;

    for (precision = 1; precision <= 17; precision++) {
        yl_double_printf(text, sizeof text, "%.*e", precision - 1, value);
        if (yl_double_parse(text) == value
            || (power && count_up(text) && yl_double_parse(text) == value)) {
            break;
        }
    }
    for (p = text; *p != 'e'; p++) {
        if (*p != '.') {
            digits[n++] = *p;
        }
    }
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    *ret_exponent = (int) strtol(p + 1, NULL, 10) + 1;
    return n;
}

/* Adds one to the last digit before the 'e' of 'text'; false if that takes one
 * digit more. */
static bool
count_up(char *text)
{
    char *p = strchr(text, 'e');

    while (p-- > text) {
        if (*p != '.' && ++*p <= '9') {
            return true;
        }
        if (*p != '.') {
            *p = '0';
        }
    }
    return false;
}
