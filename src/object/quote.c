/* Quoted text.  See object/quote.h. */

#include "object/quote.h"

#include <stdbool.h>
#include <stdint.h>

#include "json/utf8.h"

static size_t decode(struct yl_str, uint32_t *ret_rune);
static bool is_printable(uint32_t rune);
static void append_escaped(struct yl_buf *, uint32_t rune);

void
yl__quote(struct yl_buf *buf, struct yl_str s)
{
    yl_buf_append_char(buf, '"');
    while (s.size) {
        uint32_t rune;
        size_t n = decode(s, &rune);

        if (n == 0) {
            yl_buf_printf(buf, "\\x%02x", (unsigned char) s.data[0]);
            n = 1;
        } else if (rune == '"' || rune == '\\' || !is_printable(rune)) {
            append_escaped(buf, rune);
        } else {
            yl_buf_append(buf, s.data, n);
        }
        s = yl_str_skip(s, n);
    }
    yl_buf_append_char(buf, '"');
}

void
yl__quote_plain(struct yl_buf *buf, struct yl_str s)
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

/* The first character of 's' and its size, or 0 when it is not UTF-8. */
static size_t
decode(struct yl_str s, uint32_t *ret_rune)
{
    unsigned char first = (unsigned char) s.data[0];
    size_t n = yl_utf8_char_size(s);
    size_t i;

    *ret_rune = n < 2 ? first : first & (0x7fu >> n);
    for (i = 1; i < n; i++) {
        *ret_rune = *ret_rune << 6 | ((unsigned char) s.data[i] & 0x3f);
    }
    return n;
}

static bool
is_printable(uint32_t rune)
{
    static const uint32_t hidden[][2] = {
        { 0, 0x1f }, { 0x7f, 0xa0 }, { 0xad, 0xad }, { 0x600, 0x605 },
        { 0x61c, 0x61c }, { 0x6dd, 0x6dd }, { 0x70f, 0x70f },
        { 0x1680, 0x1680 }, { 0x180e, 0x180e }, { 0x2000, 0x200f },
        { 0x2028, 0x202f }, { 0x205f, 0x206f }, { 0x3000, 0x3000 },
        { 0xe000, 0xf8ff }, { 0xfeff, 0xfeff }, { 0xfff0, 0xfffb },
        { 0xfffe, 0xffff }, { 0x1d173, 0x1d17a }, { 0x323b0, 0xe00ff },
        { 0xe01f0, 0x10ffff },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(hidden) && rune >= hidden[i][0]; i++) {
        if (rune <= hidden[i][1]) {
            return false;
        }
    }
    return true;
}

static void
append_escaped(struct yl_buf *buf, uint32_t rune)
{
    static const char codes[] = "abtnvfr";

    if (rune == '"' || rune == '\\') {
        yl_buf_printf(buf, "\\%c", (char) rune);
    } else if (rune >= '\a' && rune <= '\r') {
        yl_buf_printf(buf, "\\%c", codes[rune - '\a']);
    } else if (rune < ' ' || rune == 0x7f) {
        yl_buf_printf(buf, "\\x%02x", (unsigned) rune);
    } else {
        yl_buf_printf(buf, rune < 0x10000 ? "\\u%04x" : "\\U%08x",
                      (unsigned) rune);
    }
}
