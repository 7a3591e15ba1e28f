/* What is wrong with a text.  See json/explain.h.
 *
 * One function for each state, as in a grammar: value, object, array, string,
 * number, word.  Containers do not recurse: a bit for each level tells
 * whether it is an object. */

#include "json/explain.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "json/utf8.h"
#include "yuloh/error.h"

struct scanner {
    const char *start;
    const char *p;              /* Next byte. */
    const char *end;
    struct yl_error *err;
    unsigned depth;
    unsigned max_depth;
    unsigned char *objects;     /* By depth: a bit, set for an object. */
};

static int scan_text(struct scanner *);
static int open_container(struct scanner *, bool object);
static bool in_object(const struct scanner *);
static int scan_key(struct scanner *);
static int scan_scalar(struct scanner *);
static int scan_string(struct scanner *);
static int scan_escape(struct scanner *);
static int scan_hex4(struct scanner *, unsigned *ret_code);
static int scan_number(struct scanner *);
static int scan_digits(struct scanner *, const char *where);
static int scan_word(struct scanner *, const char *word);
static void skip_blanks(struct scanner *);
static int bad_byte(struct scanner *, const char *where);
static int too_short(struct scanner *);
static int cut_short(struct scanner *, const char *where);

int
yl_json_explain(struct yl_str text, const struct yl_json_limits *limits,
                size_t *ret_offset, struct yl_error *err)
{
    size_t max_size = yl_json_max_size(limits);
    const char *start = text.data ? text.data : "";
    struct yl_arena arena;
    struct scanner s = {
        .start = start,
        .p = start,
        .end = start + text.size,
        .err = err,
        .max_depth = limits && limits->max_depth ? limits->max_depth
                                                 : YL_JSON_MAX_DEPTH,
    };
    int r;

    if (text.size > max_size) {
        if (ret_offset) {
            *ret_offset = max_size;
        }
        return yl_error_set(err, YL_ETOOBIG,
                            "JSON text has %zu bytes, the limit is %zu",
                            text.size, max_size);
    }
    if (s.max_depth > YL_JSON_MAX_DEPTH) {
        s.max_depth = YL_JSON_MAX_DEPTH;
    }
    yl_arena_init(&arena);
    s.objects = yl_arena_zalloc(&arena, s.max_depth / 8 + 1);
    r = scan_text(&s);
    yl_arena_release(&arena);
    if (r < 0 && ret_offset) {
        *ret_offset = (size_t) (s.p - s.start);
    }
    return r;
}

/* Values and what stands between them, until the text ends. */
static int
scan_text(struct scanner *s)
{
    int r;

value:
    skip_blanks(s);
    if (s->p < s->end && (*s->p == '{' || *s->p == '[')) {
        r = open_container(s, *s->p == '{');
        if (r < 0) {
            return r;
        }
        skip_blanks(s);
        if (s->p < s->end && *s->p == (in_object(s) ? '}' : ']')) {
            goto close;
        }
        if (in_object(s)) {
            goto key;
        }
        goto value;
    }
    r = scan_scalar(s);
    if (r < 0) {
        return r;
    }

after_value:
    skip_blanks(s);
    if (s->depth == 0) {
        return s->p == s->end ? 0 : bad_byte(s, "after top-level value");
    }
    if (s->p == s->end) {
        return too_short(s);
    }
    if (*s->p == (in_object(s) ? '}' : ']')) {
        goto close;
    }
    if (*s->p != ',') {
        return bad_byte(s, in_object(s) ? "after object key:value pair"
                                        : "after array element");
    }
    s->p++;
    if (!in_object(s)) {
        goto value;
    }

key:
    r = scan_key(s);
    if (r < 0) {
        return r;
    }
    goto value;

close:
    s->p++;
    s->depth--;
    goto after_value;
}

static int
open_container(struct scanner *s, bool object)
{
    unsigned char bit;

    if (s->depth == s->max_depth) {
        return yl_error_set(s->err, YL_ETOODEEP, "exceeded max depth of %u",
                            s->max_depth);
    }
    s->depth++;
    bit = (unsigned char) (1 << (s->depth & 7));
    if (object) {
        s->objects[s->depth >> 3] |= bit;
    } else {
        s->objects[s->depth >> 3] &= (unsigned char) ~bit;
    }
    s->p++;
    return 0;
}

static bool
in_object(const struct scanner *s)
{
    return s->objects[s->depth >> 3] >> (s->depth & 7) & 1;
}

/* A member's name and its colon. */
static int
scan_key(struct scanner *s)
{
    int r;

    skip_blanks(s);
    if (s->p == s->end) {
        return too_short(s);
    }
    if (*s->p != '"') {
        return bad_byte(s, "looking for beginning of object key string");
    }
    r = scan_string(s);
    if (r < 0) {
        return r;
    }
    skip_blanks(s);
    if (s->p == s->end) {
        return too_short(s);
    }
    if (*s->p != ':') {
        return bad_byte(s, "after object key");
    }
    s->p++;
    return 0;
}

static int
scan_scalar(struct scanner *s)
{
    if (s->p == s->end) {
        return too_short(s);
    }
    switch (*s->p) {
    case '"':
        return scan_string(s);
    case 't':
        return scan_word(s, "true");
    case 'f':
        return scan_word(s, "false");
    case 'n':
        return scan_word(s, "null");
    default:
        if (*s->p == '-' || isdigit((unsigned char) *s->p)) {
            return scan_number(s);
        }
        return bad_byte(s, "looking for beginning of value");
    }
}

static int
scan_string(struct scanner *s)
{
    s->p++;
    while (s->p < s->end) {
        size_t n;
        int r;

        if (*s->p == '"') {
            s->p++;
            return 0;
        }
        if ((unsigned char) *s->p < 0x20) {
            return bad_byte(s, "in string literal");
        }
        if (*s->p == '\\') {
            r = scan_escape(s);
            if (r < 0) {
                return r;
            }
            continue;
        }
        n = yl_utf8_char_size(yl_str_range(s->p, s->end));
        if (n == 0) {
            return yl_error_set(s->err, YL_ESYNTAX,
                                "invalid UTF-8 in string literal");
        }
        s->p += n;
    }
    return too_short(s);
}

static int
scan_escape(struct scanner *s)
{
    const char *start = s->p;
    unsigned code;
    int r;

    s->p++;
    if (s->p == s->end) {
        return cut_short(s, "in string escape code");
    }
    if (*s->p == '\0' || !strchr("\"\\/bfnrtu", *s->p)) {
        return bad_byte(s, "in string escape code");
    }
    if (*s->p++ != 'u') {
        return 0;
    }
    r = scan_hex4(s, &code);
    if (r < 0 || code < 0xd800 || code > 0xdfff) {
        return r;
    }
    if (code < 0xdc00 && s->p == s->end) {
        return too_short(s);
    }
    if (code < 0xdc00 && *s->p == '\\' && s->end - s->p == 1) {
        s->p++;
        return cut_short(s, "in string escape code");
    }
    if (code < 0xdc00 && s->p[0] == '\\' && s->p[1] == 'u') {
        s->p += 2;
        r = scan_hex4(s, &code);
        if (r < 0 || (code >= 0xdc00 && code <= 0xdfff)) {
            return r;
        }
    }
    s->p = start;
    return yl_error_set(s->err, YL_ESYNTAX,
                        "lone surrogate in \\u hexadecimal character escape");
}

static int
scan_hex4(struct scanner *s, unsigned *ret_code)
{
    unsigned code = 0;
    int i;

    for (i = 0; i < 4; i++, s->p++) {
        unsigned c;

        if (s->p == s->end) {
            return cut_short(s, "in \\u hexadecimal character escape");
        }
        c = (unsigned char) *s->p;
        if (!isxdigit((int) c)) {
            return bad_byte(s, "in \\u hexadecimal character escape");
        }
        code = code << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    *ret_code = code;
    return 0;
}

static int
scan_number(struct scanner *s)
{
    const char *start = s->p;
    int r;

    if (*s->p == '-') {
        s->p++;
    }
    if (s->p < s->end && *s->p == '0') {
        s->p++;
    } else {
        r = scan_digits(s, "in numeric literal");
        if (r < 0) {
            return r;
        }
    }
    if (s->p < s->end && *s->p == '.') {
        s->p++;
        r = scan_digits(s, "after decimal point in numeric literal");
        if (r < 0) {
            return r;
        }
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        s->p++;
        if (s->p < s->end && (*s->p == '+' || *s->p == '-')) {
            s->p++;
        }
        r = scan_digits(s, "in exponent of numeric literal");
        if (r < 0) {
            return r;
        }
    }
    if (s->p - start > YL_JSON_MAX_NUMBER) {
        size_t size = (size_t) (s->p - start);

        s->p = start;
        return yl_error_set(s->err, YL_ETOOBIG,
                            "number has %zu bytes, the limit is %d", size,
                            YL_JSON_MAX_NUMBER);
    }
    return 0;
}

static int
scan_digits(struct scanner *s, const char *where)
{
    if (s->p == s->end) {
        return cut_short(s, where);
    }
    if (!isdigit((unsigned char) *s->p)) {
        return bad_byte(s, where);
    }
    while (s->p < s->end && isdigit((unsigned char) *s->p)) {
        s->p++;
    }
    return 0;
}

static int
scan_word(struct scanner *s, const char *word)
{
    const char *w;

    for (w = word; *w; w++, s->p++) {
        if (s->p == s->end || *s->p != *w) {
            char where[64];

            snprintf(where, sizeof where, "in literal %s (expecting '%c')",
                     word, *w);
            return s->p == s->end ? cut_short(s, where) : bad_byte(s, where);
        }
    }
    return 0;
}

static void
skip_blanks(struct scanner *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n'
                             || *s->p == '\r')) {
        s->p++;
    }
}

/* "invalid character 'x' WHERE", the character quoted as Go does: a byte
 * stands for the code point of the same number. */
static int
bad_byte(struct scanner *s, const char *where)
{
    unsigned c = (unsigned char) *s->p;
    char quoted[16];

    if (c == '\'' || c == '\\') {
        snprintf(quoted, sizeof quoted, "\\%c", (char) c);
    } else if (c >= 0x20 && c < 0x7f) {
        snprintf(quoted, sizeof quoted, "%c", (char) c);
    } else if (c == '\a' || c == '\b' || c == '\f' || c == '\n' || c == '\r'
               || c == '\t' || c == '\v') {
        snprintf(quoted, sizeof quoted, "\\%c", "abtnvfr"[c - '\a']);
    } else if (c >= 0xa1 && c != 0xad) {
        snprintf(quoted, sizeof quoted, "%c%c", (char) (0xc0 | c >> 6),
                 (char) (0x80 | (c & 0x3f)));
    } else {
        snprintf(quoted, sizeof quoted, c < 0x80 ? "\\x%02x" : "\\u%04x", c);
    }
    return yl_error_set(s->err, YL_ESYNTAX, "invalid character '%s' %s",
                        quoted, where);
}

static int
too_short(struct scanner *s)
{
    return yl_error_set(s->err, YL_ETRUNCATED, "unexpected end of JSON input");
}

/* The text ends inside of a word, a number or an escape.  Go's decoder feeds
 * itself a blank at the end of the text and reports that as the wrong
 * character. */
static int
cut_short(struct scanner *s, const char *where)
{
    return yl_error_set(s->err, YL_ETRUNCATED, "invalid character ' ' %s",
                        where);
}
