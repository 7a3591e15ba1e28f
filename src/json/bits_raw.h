#ifndef JSON_BITS_RAW_H
#define JSON_BITS_RAW_H 1

/* What a variant of json/bits.h finds in 64 bytes, before strings are taken
 * into account: one bit for each byte, the first byte in bit 0. */

#include <stdint.h>

/* For the indexer. */
struct raw {
    uint64_t quote;
    uint64_t backslash;
    uint64_t op;                /* { } [ ] : , */
    uint64_t blank;             /* Space, tab, line feed, return. */
    uint64_t control;           /* Below 0x20. */
    uint64_t high;              /* Above 0x7f. */
};

/* For the depth scanner. */
struct raw_depth {
    uint64_t quote;
    uint64_t backslash;
    uint64_t open;              /* { [ */
    uint64_t close;             /* } ] */
};

/* For variants whose processor has no instruction for it. */

/* The result of the builtin is undefined for 0, so bit 63 is always set. */
static inline uint32_t
plain_trailing_zeros(uint64_t bits)
{
    return (uint32_t) __builtin_ctzll(bits | UINT64_C(1) << 63);
}

static inline uint64_t
plain_prefix_xor(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

#endif /* json/bits_raw.h */
