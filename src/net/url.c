/* Percent escapes.  See net/url.h for the contract. */

#include "net/url.h"

#include <stdbool.h>

#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int hex_value(char c);
static int bad_escape(struct yl_str text, struct yl_error *);
static bool is_plain(unsigned char c, enum yl_url_part);

int
yl_url_decode(struct yl_arena *arena, struct yl_str text,
              enum yl_url_part part, struct yl_str *ret_text,
              struct yl_error *err)
{
    bool plus = part == YL_URL_QUERY && yl_str_find_char(text, '+');
    char *plain;
    size_t i, n = 0;

    if (!plus && !yl_str_find_char(text, '%')) {
        *ret_text = text;
        return 0;
    }
    plain = yl_arena_alloc(arena, text.size);
    for (i = 0; i < text.size; i++) {
        char c = text.data[i];

        if (c == '%') {
            bool whole = text.size - i > 2;
            int high = whole ? hex_value(text.data[i + 1]) : -1;
            int low = whole ? hex_value(text.data[i + 2]) : -1;

            if (high < 0 || low < 0) {
                return bad_escape(yl_str_skip(text, i), err);
            }
            c = (char) (high << 4 | low);
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        plain[n++] = c;
    }
    *ret_text = yl_str_n(plain, n);
    return 0;
}

int
yl_url_query_next(struct yl_arena *arena, struct yl_str *query,
                  struct yl_url_pair *ret_pair, struct yl_error *err)
{
    while (query->size) {
        struct yl_url_pair pair;
        struct yl_str text = *query;
        int e;

        if (!yl_str_cut(text, '&', &text, query)) {
            *query = yl_str_skip(*query, query->size);
        }
        if (!text.size) {
            continue;
        }
        if (yl_str_find_char(text, ';')) {
            return yl_error_set(err, YL_EBADREQUEST,
                                "invalid semicolon separator in query");
        }
        if (!yl_str_cut(text, '=', &pair.name, &pair.value)) {
            pair.name = text;
            pair.value = YL_STR("");
        }
        e = yl_url_decode(arena, pair.name, YL_URL_QUERY, &pair.name, err);
        if (e == 0) {
            e = yl_url_decode(arena, pair.value, YL_URL_QUERY, &pair.value,
                              err);
        }
        if (e < 0) {
            return e;
        }
        *ret_pair = pair;
        return 1;
    }
    return 0;
}

void
yl_url_encode(struct yl_buf *out, struct yl_str text, enum yl_url_part part)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t start = 0;
    size_t i;

    for (i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char) text.data[i];
        char escape[3] = { '%', digits[c >> 4], digits[c & 15] };

        if (!is_plain(c, part)) {
            yl_buf_append(out, text.data + start, i - start);
            if (c == ' ' && part == YL_URL_QUERY) {
                yl_buf_append_char(out, '+');
            } else {
                yl_buf_append(out, escape, sizeof escape);
            }
            start = i + 1;
        }
    }
    if (start < text.size) {
        yl_buf_append(out, text.data + start, text.size - start);
    }
}

static int
hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* 'text' starts with the escape. */
static int
bad_escape(struct yl_str text, struct yl_error *err)
{
    struct yl_buf quoted;
    int e;

    yl_buf_init(&quoted, 64);
    yl_quote(&quoted, yl_str_n(text.data, text.size < 3 ? text.size : 3));
    e = yl_error_set(err, YL_EBADREQUEST, "invalid URL escape %s",
                     yl_buf_c_str(&quoted));
    yl_buf_release(&quoted);
    return e;
}

/* Characters that Go does not escape (RFC 3986, 2.3; in a segment also some of
 * 2.2). */
static bool
is_plain(unsigned char c, enum yl_url_part part)
{
    if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) {
        return true;
    }
    switch (c) {
    case '-':
    case '_':
    case '.':
    case '~':
        return true;
    case '$':
    case '&':
    case '+':
    case ':':
    case '=':
    case '@':
        return part == YL_URL_PATH;
    default:
        return false;
    }
}
