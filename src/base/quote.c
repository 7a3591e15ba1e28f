/* Quoted text.  See base/quote.h. */

#include "base/quote.h"

#include <stdio.h>

#include "yuloh/arena.h"

static size_t escape(uint32_t rune, char out[YL_QUOTE_MAX]);

size_t
yl_rune_decode(struct yl_str s, uint32_t *ret_rune)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    unsigned char first = s.size ? (unsigned char) s.data[0] : 0xff;
    size_t n = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2
               : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    uint32_t rune = n == 1 ? first : first & (0x7fu >> n);
    size_t i;

    if (n == 0 || n > s.size) {
        return 0;
    }
    for (i = 1; i < n; i++) {
        if (((unsigned char) s.data[i] & 0xc0) != 0x80) {
            return 0;
        }
        rune = rune << 6 | ((unsigned char) s.data[i] & 0x3f);
    }
    if (rune < least[n] || rune > 0x10ffff
        || (rune >= 0xd800 && rune <= 0xdfff)) {
        return 0;
    }
    *ret_rune = rune;
    return n;
}

bool
yl_rune_is_printable(uint32_t rune)
{
    static const uint32_t hidden[][2] = {
        { 0, 0x1f }, { 0x7f, 0xa0 }, { 0xad, 0xad }, { 0x600, 0x605 },
        { 0x61c, 0x61c }, { 0x6dd, 0x6dd }, { 0x70f, 0x70f },
        { 0x890, 0x891 }, { 0x8e2, 0x8e2 }, { 0x1680, 0x1680 },
        { 0x180e, 0x180e }, { 0x2000, 0x200f }, { 0x2028, 0x202f },
        { 0x205f, 0x206f }, { 0x3000, 0x3000 }, { 0xd800, 0xf8ff },
        { 0xfeff, 0xfeff }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff },
        { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd }, { 0x13430, 0x1343f },
        { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0x323b0, 0xe00ff },
        { 0xe01f0, 0xffffffff },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(hidden) && rune >= hidden[i][0]; i++) {
        if (rune <= hidden[i][1]) {
            return false;
        }
    }
    return true;
}

size_t
yl_quote_char(struct yl_str s, char out[YL_QUOTE_MAX], size_t *ret_taken)
{
    uint32_t rune;
    size_t n = yl_rune_decode(s, &rune);

    *ret_taken = n ? n : 1;
    if (n == 0) {
        return (size_t) snprintf(out, YL_QUOTE_MAX, "\\x%02x",
                                 (unsigned) (unsigned char) s.data[0]);
    } else if (rune == '"' || rune == '\\' || !yl_rune_is_printable(rune)) {
        return escape(rune, out);
    }
    memcpy(out, s.data, n);
    return n;
}

void
yl_quote(struct yl_buf *buf, struct yl_str s)
{
    yl_buf_append_char(buf, '"');
    while (s.size) {
        char out[YL_QUOTE_MAX];
        size_t taken;

        yl_buf_append(buf, out, yl_quote_char(s, out, &taken));
        s = yl_str_skip(s, taken);
    }
    yl_buf_append_char(buf, '"');
}

void
yl_quote_plain(struct yl_buf *buf, struct yl_str s)
{
    size_t i;

    yl_buf_append_char(buf, '"');
    for (i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char) s.data[i];

        if (c >= 0x80 || c < ' ') {
            yl_buf_printf(buf, "\\x%02x", c);
        } else {
            yl_buf_append_c(buf, c == '"' || c == '\\' ? "\\" : "");
            yl_buf_append_char(buf, (char) c);
        }
    }
    yl_buf_append_char(buf, '"');
}

void
yl_quote_html(struct yl_buf *buf, struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        switch (s.data[i]) {
        case '&':
            yl_buf_append_c(buf, "&amp;");
            break;

        case '<':
            yl_buf_append_c(buf, "&lt;");
            break;

        case '>':
            yl_buf_append_c(buf, "&gt;");
            break;

        default:
            yl_buf_append_char(buf, s.data[i]);
            break;
        }
    }
}

struct yl_str
yl_excerpt(struct yl_str s, size_t max)
{
    size_t size = 0, at = 0;

    while (at < s.size) {
        char out[YL_QUOTE_MAX];
        size_t taken, n = yl_quote_char(yl_str_skip(s, at), out, &taken);

        for (size_t i = 0; i < n; i++) {
            /* JSON doubles these, and makes \u0026 of what HTML reads. */
            size += out[i] == '"' || out[i] == '\\' ? 2
                    : out[i] == '<' || out[i] == '>' || out[i] == '&' ? 6
                    : 1;
        }
        if (size > max) {
            break;
        }
        at += taken;
    }
    return yl_str_n(s.data, at);
}

void
yl_quote_excerpt(struct yl_buf *buf, struct yl_str s)
{
    struct yl_str shown = yl_excerpt(s, YL_EXCERPT_MAX);

    yl_quote(buf, shown);
    if (shown.size < s.size && yl_buf_error(buf) == 0) {
        buf->size--;
        yl_buf_append_c(buf, "...\"");
    }
}

void
yl_append_excerpt(struct yl_buf *buf, struct yl_str s)
{
    struct yl_str shown = yl_excerpt(s, YL_EXCERPT_MAX);

    yl_buf_append_str(buf, shown);
    yl_buf_append_c(buf, shown.size < s.size ? "..." : "");
}

struct yl_str
yl_excerpt_copy(struct yl_arena *arena, struct yl_str s)
{
    struct yl_str shown = yl_excerpt(s, YL_EXCERPT_MAX);

    return shown.size == s.size
           ? s : yl_str_c(yl_arena_printf(arena, "%.*s...",
                                          YL_STR_ARG(shown)));
}

static size_t
escape(uint32_t rune, char out[YL_QUOTE_MAX])
{
    static const char codes[] = "abtnvfr";

    if (rune == '"' || rune == '\\' || (rune >= '\a' && rune <= '\r')) {
        out[0] = '\\';
        out[1] = rune <= '\r' ? codes[rune - '\a'] : (char) rune;
        return 2;
    } else if (rune < ' ' || rune == 0x7f) {
        return (size_t) snprintf(out, YL_QUOTE_MAX, "\\x%02x",
                                 (unsigned) rune);
    } else if (rune < 0x10000) {
        return (size_t) snprintf(out, YL_QUOTE_MAX, "\\u%04x",
                                 (unsigned) rune);
    }
    return (size_t) snprintf(out, YL_QUOTE_MAX, "\\U%08x", (unsigned) rune);
}
