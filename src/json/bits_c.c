/* The scanners of json/bits.h in plain C, for any processor.
 *
 * Eight bytes at a time in a 64-bit word: a byte equals C when it is zero
 * after xor with C; the high bits of such bytes are gathered into eight
 * adjacent bits by a multiplication. */

#include "json/bits_raw.h"
#include "json/bits.h"

#include <string.h>

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* The high bit of each byte of 'word' that is zero.  Exact for every byte:
 * only the low seven bits of each byte are added to, so no carry leaves a
 * byte. */
static inline uint64_t
zero_bytes(uint64_t word)
{
    return ~(((word & ~HIGHS) + ~HIGHS) | word | ~HIGHS);
}

static inline uint64_t
equal_bytes(uint64_t word, unsigned char c)
{
    return zero_bytes(word ^ (ONES * c));
}

/* The high bits of eight bytes, as bits 0 to 7. */
static inline uint64_t
gather(uint64_t highs)
{
    return ((highs >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

static inline uint64_t
load_word(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void
load_raw(struct raw *raw, const char *p)
{
    int i;

    memset(raw, 0, sizeof *raw);
    for (i = 0; i < 64; i += 8) {
        uint64_t word = load_word(p + i);
        uint64_t brackets = word | ONES * 0x20;
        uint64_t high = word & HIGHS;
        uint64_t control = zero_bytes(word & (ONES * 0xe0));
        uint64_t op = equal_bytes(brackets, '{') | equal_bytes(brackets, '}')
                      | equal_bytes(word, ':') | equal_bytes(word, ',');
        uint64_t blank = equal_bytes(word, ' ') | equal_bytes(word, '\t')
                         | equal_bytes(word, '\n') | equal_bytes(word, '\r');

        raw->quote |= gather(equal_bytes(word, '"')) << i;
        raw->backslash |= gather(equal_bytes(word, '\\')) << i;
        raw->op |= gather(op) << i;
        raw->blank |= gather(blank) << i;
        raw->control |= gather(control) << i;
        raw->high |= gather(high) << i;
    }
}

static inline void
load_raw_depth(struct raw_depth *raw, const char *p)
{
    int i;

    memset(raw, 0, sizeof *raw);
    for (i = 0; i < 64; i += 8) {
        uint64_t word = load_word(p + i);
        uint64_t brackets = word | ONES * 0x20;

        raw->quote |= gather(equal_bytes(word, '"')) << i;
        raw->backslash |= gather(equal_bytes(word, '\\')) << i;
        raw->open |= gather(equal_bytes(brackets, '{')) << i;
        raw->close |= gather(equal_bytes(brackets, '}')) << i;
    }
}

#define trailing_zeros plain_trailing_zeros
#define prefix_xor plain_prefix_xor
#define VARIANT yl_bits_c
#define VARIANT_NAME "c"
#include "json/bits_template.h"
