/* Formats of strings.  See schema/format.h for the contract. */

#include "schema/format.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "json/utf8.h"
#include "schema/format_part.h"
#include "yuloh/time.h"

/* Does a string have the format?  Each function gets the whole string. */
typedef bool format_fn(struct yl_str);

static format_fn *find(struct yl_str format);
static bool is_bson(struct yl_str);
static bool is_byte(struct yl_str);
static bool is_cidr(struct yl_str);
static bool is_credit_card(struct yl_str);
static bool is_date(struct yl_str);
static bool is_date_time(struct yl_str);
static bool is_zone(struct yl_str);
static bool is_duration(struct yl_str);
static bool is_hexcolor(struct yl_str);
static bool is_hostname(struct yl_str);
static bool is_ipv4(struct yl_str);
static bool is_ipv6(struct yl_str);
static bool is_isbn(struct yl_str);
static bool is_isbn10(struct yl_str);
static bool is_isbn13(struct yl_str);
static bool is_long_name(struct yl_str);
static bool is_mac(struct yl_str);
static bool is_password(struct yl_str);
static bool is_rgbcolor(struct yl_str);
static bool is_short_name(struct yl_str);
static bool is_ssn(struct yl_str);
static bool is_uuid(struct yl_str);
static bool is_uuid3(struct yl_str);
static bool is_uuid4(struct yl_str);
static bool is_uuid5(struct yl_str);

static bool uuid(struct yl_str, char version, bool variant);
static bool parse_ipv4(struct yl_str, bool zeros);
static bool parse_ipv6(struct yl_str, bool zeros);
static bool is_tld(struct yl_str);
static bool is_label(struct yl_str);
static bool is_unit(struct yl_str);
static size_t keep_digits(struct yl_str, const char *skip, char *digits,
                          size_t max);
static bool is_host_char(char);
static char at(struct yl_str, size_t);
static bool is_digit(char);
static bool is_hex(char);
static bool is_alnum(char);

enum yl_format_result
yl_format_check(struct yl_str format, struct yl_str s)
{
    format_fn *function = find(format);

    if (!function) {
        return YL_FORMAT_UNKNOWN;
    }
    return function(s) ? YL_FORMAT_OK : YL_FORMAT_BAD;
}

bool
yl_format_is_known(const char *type, struct yl_str format)
{
    if (!type || !strcmp(type, "string") || strchr(type, ',')) {
        return find(format);
    } else if (!strcmp(type, "integer")) {
        return yl_str_equal_c(format, "int32")
               || yl_str_equal_c(format, "int64");
    } else if (!strcmp(type, "number")) {
        return yl_str_equal_c(format, "float")
               || yl_str_equal_c(format, "double");
    }
    return false;
}

bool
yl_format_is_ipv4(struct yl_str s)
{
    return parse_ipv4(s, false);
}

bool
yl_format_is_ipv6(struct yl_str s)
{
    return parse_ipv6(s, false);
}

/* The check of a format of strings; NULL if there is no such format. */
static format_fn *
find(struct yl_str format)
{
    static const struct {
        const char *name;
        format_fn *function;
    } formats[] = {
        { "bsonobjectid", is_bson },    { "byte", is_byte },
        { "cidr", is_cidr },            { "creditcard", is_credit_card },
        { "date", is_date },            { "datetime", is_date_time },
        { "duration", is_duration },    { "email", yl_format_is_mail },
        { "hexcolor", is_hexcolor },    { "hostname", is_hostname },
        { "ipv4", is_ipv4 },            { "ipv6", is_ipv6 },
        { "isbn", is_isbn },            { "isbn10", is_isbn10 },
        { "isbn13", is_isbn13 },        { "k8slongname", is_long_name },
        { "k8sshortname", is_short_name }, { "mac", is_mac },
        { "password", is_password },    { "rgbcolor", is_rgbcolor },
        { "ssn", is_ssn },              { "uri", yl_format_is_uri },
        { "uuid", is_uuid },            { "uuid3", is_uuid3 },
        { "uuid4", is_uuid4 },          { "uuid5", is_uuid5 },
    };
    char name[16];
    size_t n = 0, i;

    for (i = 0; i < format.size && n < sizeof name; i++) {
        if (format.data[i] != '-') {
            name[n++] = format.data[i];
        }
    }
    for (i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (n && name[0] == formats[i].name[0]
            && yl_str_equal_c(yl_str_n(name, n), formats[i].name)) {
            return formats[i].function;
        }
    }
    return NULL;
}

static bool
is_bson(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (!is_hex(s.data[i])) {
            return false;
        }
    }
    return s.size == 24;
}

/* Base64 that is not empty, with padding, without line ends. */
static bool
is_byte(struct yl_str s)
{
    size_t pad = 0, i;

    if (!s.size || s.size % 4) {
        return false;
    }
    while (pad < 2 && s.data[s.size - 1 - pad] == '=') {
        pad++;
    }
    for (i = 0; i < s.size - pad; i++) {
        char c = s.data[i];

        if (!is_alnum(c) && c != '+' && c != '/') {
            return false;
        }
    }
    return true;
}

static bool
is_cidr(struct yl_str s)
{
    struct yl_str ip, bits;
    unsigned long long n;

    return yl_str_cut(s, '/', &ip, &bits) && yl_str_to_u64(bits, &n) == 0
           && (parse_ipv4(ip, true) ? n <= 32
               : parse_ipv6(ip, true) && n <= 128);
}

static bool
is_credit_card(struct yl_str s)
{
    char d[17];
    size_t n = keep_digits(s, NULL, d, sizeof d), i;
    unsigned sum = 0;
    int prefix, four;
    bool known;

    if (n < 13 || n > 16) {
        return false;
    }
    prefix = (d[0] - '0') * 10 + d[1] - '0';
    four = prefix * 100 + (d[2] - '0') * 10 + d[3] - '0';
    known = (d[0] == '4' && (n == 13 || n == 16))
            || (prefix >= 51 && prefix <= 55 && n == 16)
            || ((four == 6011 || prefix == 65) && n == 16)
            || ((prefix == 34 || prefix == 37) && n == 15)
            || ((prefix == 36 || prefix == 38
                 || (four >= 3000 && four < 3060)) && n == 14)
            || ((four == 2131 || four == 1800) && n == 15)
            || (prefix == 35 && n == 16);
    for (i = 0; i < n; i++) {
        unsigned digit = (unsigned) (d[n - 1 - i] - '0') * (1 + i % 2);

        sum += digit / 10 + digit % 10;
    }
    return known && sum % 10 == 0;
}

static bool
is_date(struct yl_str s)
{
    char text[32];
    struct yl_time t;

    if (s.size != 10) {
        return false;
    }
    memcpy(text, s.data, 10);
    memcpy(text + 10, "T00:00:00Z", 10);
    return yl_time_parse(yl_str_n(text, 20), &t, NULL) == 0;
}

/* hh:mm:ss, any fraction behind any character, and an offset. */
static bool
is_date_time(struct yl_str s)
{
    static const char form[] = "dd:dd:dd";
    struct yl_str time;
    size_t i;

    if (s.size < 20 || (s.data[10] != 'T' && s.data[10] != 't')
        || !is_date(yl_str_n(s.data, 10))) {
        return false;
    }
    time = yl_str_skip(s, 11);
    for (i = 0; i < 8; i++) {
        if (form[i] == 'd' ? !is_digit(at(time, i)) : at(time, i) != ':') {
            return false;
        }
    }
    if (memcmp(time.data, "23", 2) > 0 || memcmp(time.data + 3, "59", 2) > 0
        || memcmp(time.data + 6, "59", 2) > 0) {
        return false;
    }
    time = yl_str_skip(time, 8);
    if (is_zone(time)) {
        return true;
    }
    time = yl_str_skip(time, yl_utf8_char_size(time));
    for (i = 0; is_digit(at(time, i)); i++) {
        continue;
    }
    return i && at(s, 19) != '\n' && is_zone(yl_str_skip(time, i));
}

static bool
is_zone(struct yl_str s)
{
    return (s.size == 1 && (s.data[0] == 'Z' || s.data[0] == 'z'))
           || (s.size == 6 && (s.data[0] == '+' || s.data[0] == '-')
               && is_digit(s.data[1]) && is_digit(s.data[2])
               && s.data[3] == ':' && is_digit(s.data[4])
               && is_digit(s.data[5]));
}

/* A duration of Go's, or one that contains something like "3 days". */
static bool
is_duration(struct yl_str s)
{
    int64_t nanos;
    size_t i = 0;

    if (yl_duration_parse(s, &nanos, NULL) == 0) {
        return true;
    }
    while (i < s.size) {
        size_t digits = i, unit;

        while (is_digit(at(s, i))) {
            i++;
        }
        digits = i - digits;
        if (!digits) {
            i++;
            continue;
        }
        if (digits > 18) {
            return false;
        }
        while (at(s, i) == ' ' || (at(s, i) >= '\t' && at(s, i) <= '\r'
                                   && at(s, i) != '\v')) {
            i++;
        }
        unit = i;
        while (isalpha((unsigned char) at(s, i))
               || (unsigned char) at(s, i) == 0xc2
               || (unsigned char) at(s, i) == 0xb5) {
            i++;
        }
        if (is_unit(yl_str_n(s.data + unit, i - unit))) {
            return true;
        }
    }
    return false;
}

static bool
is_hexcolor(struct yl_str s)
{
    size_t i;

    if (at(s, 0) == '#') {
        s = yl_str_skip(s, 1);
    }
    for (i = 0; i < s.size; i++) {
        if (!is_hex(s.data[i])) {
            return false;
        }
    }
    return s.size == 3 || s.size == 6;
}

/* One label with at most one hyphen, behind its first character; or labels
 * and a top-level domain of letters. */
static bool
is_hostname(struct yl_str s)
{
    struct yl_str label, rest;
    size_t i;

    if (s.size > 255 || !is_host_char(at(s, 0))) {
        return false;
    }
    if (!yl_str_find_char(s, '.')) {
        struct yl_str tail = yl_str_skip(s, yl_utf8_char_size(s));

        for (i = at(tail, 0) == '-'; i < tail.size; i++) {
            if (!is_host_char(tail.data[i])) {
                return false;
            }
        }
        return s.size <= 63;
    }
    while (yl_str_cut(s, '.', &label, &rest)) {
        if (!is_label(label)) {
            return false;
        }
        s = rest;
    }
    return is_tld(s);
}

static bool
is_ipv4(struct yl_str s)
{
    return yl_str_find_char(s, '.')
           && (parse_ipv4(s, true) || parse_ipv6(s, true));
}

static bool
is_ipv6(struct yl_str s)
{
    return parse_ipv6(s, false);
}

static bool
is_isbn(struct yl_str s)
{
    return is_isbn10(s) || is_isbn13(s);
}

static bool
is_isbn10(struct yl_str s)
{
    char d[11];
    size_t n = keep_digits(s, " \t\n\f\r-", d, sizeof d), i;
    unsigned sum = 0;

    for (i = 0; i < n; i++) {
        bool x = d[i] == 'X' && i == 9;

        if (!x && !is_digit(d[i])) {
            return false;
        }
        sum += (unsigned) (i + 1) * (x ? 10 : (unsigned) (d[i] - '0'));
    }
    return n == 10 && sum % 11 == 0;
}

static bool
is_isbn13(struct yl_str s)
{
    char d[14];
    size_t n = keep_digits(s, " \t\n\f\r-", d, sizeof d), i;
    unsigned sum = 0;

    for (i = 0; i < n; i++) {
        if (!is_digit(d[i])) {
            return false;
        }
        sum += (unsigned) (d[i] - '0') * (i % 2 ? 3 : 1);
    }
    return n == 13 && sum % 10 == 0;
}

static bool
is_long_name(struct yl_str s)
{
    struct yl_str rest = s, label;
    size_t i;

    do {
        label = rest;
        if (!yl_str_cut(rest, '.', &label, &rest)) {
            rest = yl_str_null();
        }
        if (!label.size || label.data[0] == '-'
            || label.data[label.size - 1] == '-') {
            return false;
        }
        for (i = 0; i < label.size; i++) {
            char c = label.data[i];

            if (!(c >= 'a' && c <= 'z') && !is_digit(c) && c != '-') {
                return false;
            }
        }
    } while (!yl_str_is_null(rest));
    return s.size <= 253;
}

/* Pairs with ':' or '-' between them, or fours with '.': 6, 8 or 20 bytes. */
static bool
is_mac(struct yl_str s)
{
    char separator = at(s, 2) == ':' || at(s, 2) == '-' ? at(s, 2)
                     : at(s, 4) == '.' ? '.' : '\0';
    size_t group = separator == '.' ? 4 : separator ? 2 : SIZE_MAX - 1;
    size_t n = 0, i;

    for (i = 0; i < s.size; i++) {
        bool between = i % (group + 1) == group;

        if (between ? s.data[i] != separator : !is_hex(s.data[i])) {
            return false;
        }
        n += !between;
    }
    return (n == 12 || n == 16 || n == 40)
           && (!separator || s.size % (group + 1) == group);
}

static bool
is_password(struct yl_str s)
{
    (void) s;
    return true;
}

static bool
is_rgbcolor(struct yl_str s)
{
    size_t i = 4, n;

    if (!yl_str_starts_with(s, YL_STR("rgb("))) {
        return false;
    }
    for (n = 0; n < 3; n++) {
        unsigned long long value;
        size_t start;

        while (at(s, i) && strchr(" \t\n\f\r", at(s, i))) {
            i++;
        }
        start = i;
        while (is_digit(at(s, i))) {
            i++;
        }
        if (yl_str_to_u64(yl_str_n(s.data + start, i - start), &value) < 0
            || value > 255 || (i - start > 1 && s.data[start] == '0')) {
            return false;
        }
        while (at(s, i) && strchr(" \t\n\f\r", at(s, i))) {
            i++;
        }
        if (at(s, i++) != (n < 2 ? ',' : ')')) {
            return false;
        }
    }
    return i == s.size;
}

static bool
is_short_name(struct yl_str s)
{
    return s.size <= 63 && !yl_str_find_char(s, '.') && is_long_name(s);
}

static bool
is_ssn(struct yl_str s)
{
    static const char form[] = "ddd-dd-dddd";
    size_t i;

    for (i = 0; i < s.size && i < 11; i++) {
        if (form[i] == 'd' ? !is_digit(s.data[i])
            : s.data[i] != '-' && s.data[i] != ' ') {
            return false;
        }
    }
    return s.size == 11;
}

static bool
is_uuid(struct yl_str s)
{
    return uuid(s, '\0', false);
}

static bool
is_uuid3(struct yl_str s)
{
    return uuid(s, '3', false);
}

static bool
is_uuid4(struct yl_str s)
{
    return uuid(s, '4', true);
}

static bool
is_uuid5(struct yl_str s)
{
    return uuid(s, '5', true);
}

/* 8-4-4-4-12 hexadecimal digits; each hyphen may be missing. */
static bool
uuid(struct yl_str s, char version, bool variant)
{
    size_t n = 0, i;

    for (i = 0; i < s.size; i++) {
        char c = s.data[i];

        if (c == '-') {
            if ((n != 8 && n != 12 && n != 16 && n != 20)
                || s.data[i - 1] == '-') {
                return false;
            }
            continue;
        }
        if (!is_hex(c) || (version && n == 12 && c != version)
            || (variant && n == 16 && !strchr("89abAB", c))) {
            return false;
        }
        n++;
    }
    return n == 32;
}

static bool
parse_ipv4(struct yl_str s, bool zeros)
{
    size_t i = 0, part;

    for (part = 0; part < 4; part++) {
        unsigned value = 0;
        size_t digits = 0;

        for (; is_digit(at(s, i)); i++, digits++) {
            if (!zeros && digits && value == 0) {
                return false;
            }
            value = value * 10 + (unsigned) (s.data[i] - '0');
            if (value > 255) {
                return false;
            }
        }
        if (!digits || (part < 3 && at(s, i++) != '.')) {
            return false;
        }
    }
    return i == s.size;
}

static bool
parse_ipv6(struct yl_str s, bool zeros)
{
    size_t i = 0, n = 0;
    bool gap = false;

    if (yl_str_starts_with(s, YL_STR("::"))) {
        gap = true;
        i = 2;
    }
    while (i < s.size) {
        size_t digits = 0;

        while (is_hex(at(s, i + digits)) && digits < 5) {
            digits++;
        }
        if (at(s, i + digits) == '.') {
            return (gap ? n <= 5 : n == 6)
                   && parse_ipv4(yl_str_skip(s, i), zeros);
        }
        if (!digits || digits > 4 || ++n > 8) {
            return false;
        }
        i += digits;
        if (i == s.size) {
            break;
        }
        if (s.data[i] != ':' || ++i == s.size) {
            return false;
        }
        if (s.data[i] == ':') {
            if (gap) {
                return false;
            }
            gap = true;
            i++;
        }
    }
    return gap ? n < 8 : n == 8;
}

static bool
is_tld(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if ((!is_alnum(s.data[i]) || is_digit(s.data[i]))
            && (unsigned char) s.data[i] < 0x80) {
            return false;
        }
    }
    return s.size >= 2 && s.size <= 63;
}

static bool
is_label(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (!is_host_char(s.data[i]) && s.data[i] != '-') {
            return false;
        }
    }
    return s.size && s.size <= 63 && s.data[0] != '-'
           && s.data[s.size - 1] != '-';
}

/* A unit of time: one of the short forms, or a word that starts with a long
 * one. */
static bool
is_unit(struct yl_str s)
{
    static const char *const whole[] = {
        "ns", "us", "\xc2\xb5s", "ms", "s", "m", "h", "hr", "d", "w", "wk",
    };
    static const char *const starts[] = {
        "nano", "micro", "milli", "sec", "min", "hour", "day", "week",
    };
    char lower[16];
    size_t n, i;

    for (n = 0; n < s.size && n < sizeof lower; n++) {
        lower[n] = (char) tolower((unsigned char) s.data[n]);
    }
    for (i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        if (n == s.size && yl_str_equal_c(yl_str_n(lower, n), whole[i])) {
            return true;
        }
    }
    for (i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (yl_str_starts_with(yl_str_n(lower, n), yl_str_c(starts[i]))) {
            return true;
        }
    }
    return false;
}

/* Copies the characters that are not in 'skip' (NULL: the digits) to 'digits',
 * which has room for 'max'; returns their number. */
static size_t
keep_digits(struct yl_str s, const char *skip, char *digits, size_t max)
{
    size_t n = 0, i;

    for (i = 0; i < s.size && n < max; i++) {
        if (skip ? !s.data[i] || !strchr(skip, s.data[i])
                 : is_digit(s.data[i])) {
            digits[n++] = s.data[i];
        }
    }
    return n;
}

/* Symbols count as letters, but not in the last label. */
static bool
is_host_char(char c)
{
    return is_alnum(c) || (unsigned char) c >= 0x80
           || (c && strchr("$+<=>^`|~", c));
}

/* The character at 'i', or 0 behind the end. */
static char
at(struct yl_str s, size_t i)
{
    return i < s.size ? s.data[i] : '\0';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_alnum(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
