/* UTF-8.  See json/utf8.h. */

#include "json/utf8.h"

#include <stdint.h>

const char *
yl_utf8_find_invalid(struct yl_str s)
{
    const char *p = s.size ? s.data : "";
    const char *end = p + s.size;

    while (p < end) {
        size_t n;

        /* Plain ASCII, eight bytes at a time. */
        while (end - p >= 8) {
            uint64_t word;

            memcpy(&word, p, sizeof word);
            if (word & UINT64_C(0x8080808080808080)) {
                break;
            }
            p += 8;
        }
        if (p == end) {
            break;
        }
        n = yl_utf8_char_size(yl_str_range(p, end));
        if (n == 0) {
            return p;
        }
        p += n;
    }
    return NULL;
}

size_t
yl_utf8_char_size(struct yl_str s)
{
    const unsigned char *p = (const unsigned char *) s.data;
    unsigned char low = 0x80, high = 0xbf;  /* Bounds of the second byte. */
    size_t i, n;

    if (s.size == 0) {
        return 0;
    }
    if (p[0] < 0x80) {
        return 1;
    } else if (p[0] >= 0xc2 && p[0] <= 0xdf) {
        n = 2;
    } else if (p[0] >= 0xe0 && p[0] <= 0xef) {
        n = 3;
        low = p[0] == 0xe0 ? 0xa0 : low;
        high = p[0] == 0xed ? 0x9f : high;
    } else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        n = 4;
        low = p[0] == 0xf0 ? 0x90 : low;
        high = p[0] == 0xf4 ? 0x8f : high;
    } else {
        return 0;
    }
    if (s.size < n || p[1] < low || p[1] > high) {
        return 0;
    }
    for (i = 2; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return n;
}

struct yl_str
yl_utf8_cut(struct yl_str s, size_t max)
{
    size_t n = max, back = 0;

    if (s.size <= max) {
        return s;
    }
    while (n > 0 && back < 3 && ((unsigned char) s.data[n] & 0xc0) == 0x80) {
        n--;
        back++;
    }
    /* Bytes that go on for longer are no character. */
    return yl_str_n(s.data, ((unsigned char) s.data[n] & 0xc0) == 0x80 ? max
                                                                       : n);
}
