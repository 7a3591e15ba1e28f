/* URIs.  See schema/format_part.h for the contract. */

#include "schema/format_part.h"

#include <ctype.h>
#include <string.h>

/* Where escapes stand decides what they may be. */
enum part {
    HOST,                       /* Only of bytes beyond ASCII, and "%25". */
    ZONE,                       /* Of what may stand in a host, and blanks. */
    OTHER,
};

static struct yl_str take_scheme(struct yl_str *);
static bool is_authority(struct yl_str scheme, struct yl_str);
static bool is_user(struct yl_str);
static bool is_host(struct yl_str scheme, struct yl_str);
static bool is_literal(struct yl_str);
static bool is_port(struct yl_str);
static bool is_escaped(struct yl_str, enum part);
static bool is_host_byte(unsigned char);
static int hex(struct yl_str, size_t i);
static const char *find_last(struct yl_str, char);
static bool is_one_of(char, const char *set);

bool
yl_format_is_uri(struct yl_str s)
{
    struct yl_str rest = s, scheme, query;
    size_t i;

    for (i = 0; i < s.size; i++) {
        if ((unsigned char) s.data[i] < ' ' || s.data[i] == 0x7f) {
            return false;
        }
    }
    if (yl_str_equal_c(s, "*")) {
        return true;
    } else if (!s.size || s.data[0] == ':') {
        return false;
    }
    scheme = take_scheme(&rest);
    yl_str_cut(rest, '?', &rest, &query);
    if (!rest.size || rest.data[0] != '/') {
        return scheme.size > 0;
    }
    if (scheme.size && yl_str_starts_with(rest, YL_STR("//"))) {
        struct yl_str authority = yl_str_skip(rest, 2);
        const char *slash = memchr(authority.data, '/', authority.size);

        rest = yl_str_null();
        if (slash) {
            size_t n = (size_t) (slash - authority.data);

            rest = yl_str_skip(authority, n);
            authority.size = n;
        }
        if (!is_authority(scheme, authority)) {
            return false;
        }
    }
    return is_escaped(rest, OTHER);
}

/* The scheme, with what follows its colon in '*s'; else null. */
static struct yl_str
take_scheme(struct yl_str *s)
{
    struct yl_str scheme = yl_str_null();
    size_t i;

    for (i = 0; i < s->size && s->data[i] != ':'; i++) {
        if (!isalpha((unsigned char) s->data[i])
            && (i == 0 || (!isdigit((unsigned char) s->data[i])
                           && !is_one_of(s->data[i], "+-.")))) {
            return scheme;
        }
    }
    if (i < s->size) {
        scheme = yl_str_n(s->data, i);
        *s = yl_str_skip(*s, i + 1);
    }
    return scheme;
}

static bool
is_authority(struct yl_str scheme, struct yl_str s)
{
    const char *at = find_last(s, '@');
    size_t n = at ? (size_t) (at - s.data) : 0;

    return is_host(scheme, at ? yl_str_skip(s, n + 1) : s)
           && (!at || is_user(yl_str_n(s.data, n)));
}

static bool
is_user(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (!isalnum((unsigned char) s.data[i])
            && !is_one_of(s.data[i], "-._:~!$&'()*+,;=%@")) {
            return false;
        }
    }
    return is_escaped(s, OTHER);
}

static bool
is_host(struct yl_str scheme, struct yl_str s)
{
    const char *bracket = find_last(s, '['), *colon;
    bool strict = (scheme.size == 4 || scheme.size == 5)
                  && !strncasecmp(scheme.data, "https", scheme.size);

    if (bracket) {
        return bracket == s.data && is_literal(s);
    }
    colon = strict ? memchr(s.data ? s.data : "", ':', s.size)
                   : find_last(s, ':');
    return is_escaped(s, HOST)
           && (!colon || is_port(yl_str_skip(s, (size_t) (colon - s.data))));
}

/* "[ADDRESS%25ZONE]:PORT", both of the latter optional. */
static bool
is_literal(struct yl_str s)
{
    const char *close = find_last(s, ']');
    struct yl_str address, zone;
    size_t n = close ? (size_t) (close - s.data) : 0, i;

    if (!close || !is_port(yl_str_skip(s, n + 1))) {
        return false;
    }
    address = yl_str_n(s.data + 1, n - 1);
    for (i = 0; i + 3 <= address.size; i++) {
        if (!memcmp(address.data + i, "%25", 3)) {
            zone = yl_str_skip(address, i + 3);
            address.size = i;
            if (!zone.size || !is_escaped(zone, ZONE)) {
                return false;
            }
            break;
        }
    }
    return yl_format_is_ipv6(address);
}

/* Nothing, or a colon and digits, of which there may be none. */
static bool
is_port(struct yl_str s)
{
    size_t i;

    for (i = 1; i < s.size; i++) {
        if (!isdigit((unsigned char) s.data[i])) {
            return false;
        }
    }
    return !s.size || s.data[0] == ':';
}

static bool
is_escaped(struct yl_str s, enum part part)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char) s.data[i];

        if (c == '%') {
            int high = hex(s, i + 1), low = hex(s, i + 2);
            bool percent = high == 2 && low == 5;

            if (high < 0 || low < 0
                || (part == HOST && high < 8 && !percent)
                || (part == ZONE && !percent && high * 16 + low != ' '
                    && !is_host_byte((unsigned char) (high * 16 + low)))) {
                return false;
            }
            i += 2;
        } else if (part != OTHER && c < 0x80 && !is_host_byte(c)) {
            return false;
        }
    }
    return true;
}

static bool
is_host_byte(unsigned char c)
{
    return isalnum(c) || is_one_of((char) c, "-_.~!$&'()*+,;=:[]<>\"");
}

/* The value of a hexadecimal digit; negative if it is none. */
static int
hex(struct yl_str s, size_t i)
{
    static const char digits[] = "0123456789abcdef";
    const char *at;

    if (i >= s.size || !isxdigit((unsigned char) s.data[i])) {
        return -1;
    }
    at = strchr(digits, tolower((unsigned char) s.data[i]));
    return (int) (at - digits);
}

static const char *
find_last(struct yl_str s, char c)
{
    return s.size ? memrchr(s.data, c, s.size) : NULL;
}

static bool
is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}
