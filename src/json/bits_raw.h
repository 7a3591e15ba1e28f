#ifndef JSON_BITS_RAW_H
#define JSON_BITS_RAW_H 1

/* What a variant of json/bits.h finds in 64 bytes without regard to strings:
 * one bit for each byte, the first byte in bit 0. */

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

#endif /* json/bits_raw.h */
