/* Base64.  See json/base64.h. */

#include "json/base64.h"

#include <stdint.h>

#include "json/utf8.h"
#include "yuloh/arena.h"

static void write_digits(struct yl_buf *, struct yl_str bytes,
                         const char *digits, bool pad);
static int digit(char);
static struct yl_str repair(struct yl_arena *, struct yl_str);

void
yl_base64_write(struct yl_buf *buf, struct yl_str bytes)
{
    write_digits(buf, bytes,
                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                 "abcdefghijklmnopqrstuvwxyz0123456789+/", true);
}

bool
yl_base64_decode(struct yl_arena *arena, struct yl_str s,
                 struct yl_str *ret_bytes)
{
    char *out = yl_arena_alloc(arena, s.size / 4 * 3 + 3);
    uint32_t bits = 0;
    size_t size = 0;
    unsigned n = 0;             /* Characters of the group so far. */
    unsigned n_padding = 0;
    size_t i;

    for (i = 0; i < s.size; i++) {
        char c = s.data[i];

        if (c == '\n' || c == '\r') {
            continue;
        }
        if (c == '=' && n >= 2 && n + n_padding < 4) {
            n_padding++;
            continue;
        }
        if (digit(c) < 0 || n_padding) {
            return false;
        }
        bits = bits << 6 | (uint32_t) digit(c);
        if (++n == 4) {
            out[size++] = (char) (bits >> 16);
            out[size++] = (char) (bits >> 8);
            out[size++] = (char) bits;
            n = 0;
        }
    }
    if (n && n + n_padding != 4) {
        return false;
    }
    if (n >= 2) {
        out[size++] = (char) (bits >> (n == 2 ? 4 : 10));
    }
    if (n == 3) {
        out[size++] = (char) (bits >> 2);
    }
    *ret_bytes = yl_str_n(out, size);
    return true;
}

bool
yl_base64_decode_text(struct yl_arena *arena, struct yl_str s,
                      struct yl_str *ret_text)
{
    struct yl_str bytes;

    if (!yl_base64_decode(arena, s, &bytes)) {
        return false;
    }
    *ret_text = repair(arena, bytes);
    return true;
}

void
yl_base64url_write(struct yl_buf *buf, struct yl_str bytes)
{
    write_digits(buf, bytes,
                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                 "abcdefghijklmnopqrstuvwxyz0123456789-_", false);
}

bool
yl_base64url_decode(struct yl_arena *arena, struct yl_str s,
                    struct yl_str *ret_bytes)
{
    char *out = yl_arena_alloc(arena, s.size / 4 * 3 + 3);
    size_t size = 0, i;
    uint32_t bits = 0;
    unsigned n = 0;             /* Bits that are not written yet. */

    for (i = 0; i < s.size; i++) {
        char c = s.data[i];
        int d = c == '-' ? 62 : c == '_' ? 63
                : c == '+' || c == '/' ? -1 : digit(c);

        if (d < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t) d;
        n += 6;
        if (n >= 8) {
            n -= 8;
            out[size++] = (char) (bits >> n);
        }
    }
    if (n == 6 || (bits & ((1u << n) - 1))) {
        return false;
    }
    *ret_bytes = yl_str_n(out, size);
    return true;
}

static void
write_digits(struct yl_buf *buf, struct yl_str bytes, const char *digits,
             bool pad)
{
    const unsigned char *p = (const unsigned char *) bytes.data;
    char *start = yl_buf_reserve(buf, (bytes.size + 2) / 3 * 4);
    char *out = start;
    size_t i;

    if (!out) {
        return;
    }
    for (i = 0; i < bytes.size; i += 3) {
        size_t left = bytes.size - i;
        uint32_t bits = (uint32_t) p[i] << 16
                        | (left > 1 ? (uint32_t) p[i + 1] << 8 : 0)
                        | (left > 2 ? p[i + 2] : 0);

        *out++ = digits[bits >> 18];
        *out++ = digits[bits >> 12 & 63];
        if (left > 1 || pad) {
            *out++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        }
        if (left > 2 || pad) {
            *out++ = left > 2 ? digits[bits & 63] : '=';
        }
    }
    yl_buf_commit(buf, (size_t) (out - start));
}

static int
digit(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' ? 62
           : c == '/' ? 63
           : -1;
}

/* 's' with U+FFFD for each byte that is not part of a character. */
static struct yl_str
repair(struct yl_arena *arena, struct yl_str s)
{
    char *out;
    size_t size = 0;

    if (!yl_utf8_find_invalid(s)) {
        return s;
    }
    out = yl_arena_alloc(arena, s.size * 3);
    while (s.size) {
        size_t n = yl_utf8_char_size(s);

        memcpy(out + size, n ? s.data : "\xef\xbf\xbd", n ? n : 3);
        size += n ? n : 3;
        s = yl_str_skip(s, n ? n : 1);
    }
    return yl_str_n(out, size);
}
