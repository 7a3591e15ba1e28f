#ifndef JSON_BITS_H
#define JSON_BITS_H 1

/* 64 bytes of JSON at a time, as bitmaps.
 *
 * Scanning JSON byte by byte costs a branch for each byte.  Here 64 bytes
 * become a few 64-bit words with one bit for each byte: where the quotes are,
 * where the brackets.  Strings are found without a branch: each quote that no
 * backslash escapes switches between "inside a string" and "outside", so a
 * prefix-xor over the quotes' bits is the mask of everything inside a string.
 * Two scanners use these words:
 *
 *   - the indexer lists the bytes at which something starts (the parser walks
 *     over those and skips everything else);
 *   - the depth scanner only counts brackets outside of strings and looks
 *     closer at a block when the count can reach zero in it (the splitter and
 *     the cursors skip over values with it).
 *
 * There are variants for plain C, SSE2 and AVX2, made from one template
 * (json/bits_template.h); the best one that the processor supports is chosen
 * once.
 *
 * Both scanners keep their state between calls, so a text may come in pieces:
 * of any size for the depth scanner, of multiples of 64 bytes (except the last
 * piece) for the indexer.  Neither reads past the bytes it is given. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes the indexer takes at a time, at most. */
#define YL_BITS_CHUNK 4096

/* What the indexer and the depth scanner remember of the bytes before. */
struct yl_bits_state {
    uint64_t in_string;         /* All ones inside a string, else 0. */
    uint64_t escaped;           /* 1 if the next byte is escaped. */
    uint64_t scalar;            /* 1 if a number or word may go on. */
    uint64_t high;              /* Bytes above 0x7f seen? (not 0) */
    uint64_t control;           /* A control character in a string? (not 0) */
    uint64_t bad_escape;        /* An escape that does not exist? (not 0) */

    /* A bit for each block of the chunk that was indexed last: whether the
     * block contains a backslash or a byte that one escapes, and whether it
     * contains the u of a \u. */
    uint64_t backslashes;
    uint64_t unicodes;
};

/* One variant. */
struct yl_bits {
    const char *name;

    /* Stores the offsets from 'p' of all bytes at which something starts in
     * the 'n' bytes there (n <= YL_BITS_CHUNK): brackets, colons, commas,
     * opening quotes, first bytes of numbers and words.  (A variant may list
     * the bytes 0x0c and 0x1a too, which stand outside of strings in no valid
     * text.)  'offsets' needs room for n + 64.  Returns their number. */
    size_t (*index)(struct yl_bits_state *, const char *p, size_t n,
                    uint32_t *offsets);

    /* Counts brackets in the 'n' bytes at 'p', up for opening ones and down
     * for closing ones, '*depth' being the count so far (> 0).  Returns
     * the byte behind the bracket that makes it 0, or NULL if all bytes were
     * taken without that.  '*depth' is the count at the place it stopped, and
     * the state stays right for the bytes behind it. */
    const char *(*to_depth_zero)(struct yl_bits_state *, const char *p,
                                 size_t n, size_t *depth);
};

/* The best variant for this processor. */
const struct yl_bits *yl_bits(void);

/* The variants that this processor can run, best first, ended by NULL: for
 * tests and benchmarks. */
const struct yl_bits *const *yl_bits_variants(void);

/* Makes yl_bits() return 'variant', or the best one again if it is NULL: for
 * tests and benchmarks only; no other thread may be scanning. */
void yl_bits_use(const struct yl_bits *variant);

extern const struct yl_bits yl_bits_c;
#if defined(__x86_64__)
extern const struct yl_bits yl_bits_sse2;
extern const struct yl_bits yl_bits_avx2;
#endif

#endif /* json/bits.h */
