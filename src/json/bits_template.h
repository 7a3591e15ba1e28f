/* The scanners of json/bits.h, in terms of what the including file defines:
 *
 *     VARIANT                     the name of its struct yl_bits, as a token
 *     VARIANT_NAME                the same as a string
 *     load_raw()                  bitmaps of 64 bytes (struct raw), without
 *                                 regard to strings
 *     load_raw_depth()            the same for the depth scanner
 *     trailing_zeros()            of a word; anything if it is 0
 *     prefix_xor()                bit i of the result is the parity of bits
 *                                 0..i
 *
 * There is no include guard: each variant includes this file once. */

#include <string.h>

#include "json/bits.h"
#include "yuloh/compiler.h"

/* Which quotes open or close a string, and which bytes are inside one. */
struct strings {
    uint64_t quote;             /* Quotes that are not escaped. */
    uint64_t inside;            /* From the opening quote to the last byte
                                 * before the closing one. */
    uint64_t escaped;           /* Behind a backslash that escapes. */
};

/* The bytes that are escaped by the backslash before them.  In a run of
 * backslashes every second one is escaped, counted from the first that is not
 * itself escaped.  Adding the bits of the runs that start at odd places to the
 * runs makes a carry go through each run, which shows where it ends. */
static YL_ALWAYS_INLINE uint64_t
find_escaped(uint64_t backslash, uint64_t *carry)
{
    const uint64_t even = UINT64_C(0x5555555555555555);
    uint64_t follows, odd_starts, ends;

    backslash &= ~*carry;
    follows = backslash << 1 | *carry;
    odd_starts = backslash & ~even & ~follows;
    ends = odd_starts + backslash;
    *carry = ends < odd_starts;     /* The addition wrapped. */
    return (even ^ (ends << 1)) & follows;
}

/* 'n' is the number of bytes that count, 1 to 64; the bits of others are 0. */
static YL_ALWAYS_INLINE struct strings
find_strings(struct yl_bits_state *state, uint64_t quote, uint64_t backslash,
             size_t n)
{
    struct strings s = { 0 };

    if (backslash | state->escaped) {
        s.escaped = find_escaped(backslash, &state->escaped);
        quote &= ~s.escaped;
        if (n < 64) {
            state->escaped = s.escaped >> n & 1;
        }
    }
    s.quote = quote;
    s.inside = prefix_xor(quote) ^ state->in_string;
    state->in_string = (uint64_t) ((int64_t) s.inside >> 63);
    return s;
}

/* Checks the escaped bytes of block number 'i', which is at 'p'.  There are
 * few of them in most texts. */
static YL_ALWAYS_INLINE void
check_escapes(struct yl_bits_state *state, const char *p, size_t i,
              uint64_t escaped)
{
    for (; escaped; escaped &= escaped - 1) {
        switch (p[__builtin_ctzll(escaped)]) {
        case 'u':
            state->unicodes |= UINT64_C(1) << i;
            break;
        case '"': case '\\': case '/':
        case 'b': case 'f': case 'n': case 'r': case 't':
            break;
        default:
            state->bad_escape = 1;
            break;
        }
    }
}

/* The bits of the bytes at which something starts, in block number 'i', which
 * is at 'p'. */
static YL_ALWAYS_INLINE uint64_t
find_starts(struct yl_bits_state *state, const char *p, size_t i)
{
    struct raw raw;
    struct strings s;
    uint64_t scalar, plain, goes_on;

    load_raw(&raw, p);
    s = find_strings(state, raw.quote, raw.backslash, 64);
    if (raw.backslash | s.escaped) {
        state->backslashes |= UINT64_C(1) << i;
        check_escapes(state, p, i, s.escaped);
    }
    scalar = ~(raw.op | raw.blank);
    plain = scalar & ~s.quote;
    goes_on = plain << 1 | state->scalar;
    state->scalar = plain >> 63;
    state->high |= raw.high;
    state->control |= raw.control & s.inside;

    /* The mask here is 'inside' without the opening quotes and with the
     * closing ones, so that an opening quote counts as a start. */
    return (raw.op | (scalar & ~goes_on)) & ~(s.inside ^ s.quote);
}

static YL_ALWAYS_INLINE uint32_t *
store_offsets(uint32_t *out, uint32_t base, uint64_t bits)
{
    uint32_t *end = out + __builtin_popcountll(bits);
    int i;

    /* Storing eight at a time, whether there are eight or not, means fewer
     * branches, which are easier to predict. */
    do {
        for (i = 0; i < 8; i++) {
            out[i] = base + trailing_zeros(bits);
            bits &= bits - 1;
        }
        out += 8;
    } while (YL_UNLIKELY(out < end));
    return end;
}

static size_t
index_chunk(struct yl_bits_state *state_, const char *p, size_t n,
            uint32_t *offsets)
{
    struct yl_bits_state state = *state_;   /* In registers. */
    uint32_t *out = offsets;
    size_t i;

    state.backslashes = state.unicodes = 0;
    for (i = 0; i + 64 <= n; i += 64) {
        out = store_offsets(out, (uint32_t) i,
                            find_starts(&state, p + i, i / 64));
    }
    if (i < n) {
        char last[64];

        /* Blanks start nothing and end every number and word. */
        memset(last, ' ', sizeof last);
        memcpy(last, p + i, n - i);
        out = store_offsets(out, (uint32_t) i,
                            find_starts(&state, last, i / 64));
    }
    *state_ = state;
    return (size_t) (out - offsets);
}

/* Takes the first 'n' of 64 bytes.  Returns the place of the bracket that
 * makes '*depth' 0, or -1.
 *
 * That takes at least as many closing brackets as the depth is.  So the scan
 * goes straight to the closing bracket of that number, and repeats this from
 * there only if brackets were opened in between. */
static YL_ALWAYS_INLINE int
depth_in_block(struct yl_bits_state *state, const struct raw_depth *raw,
               size_t n, size_t *depth)
{
    struct strings s = find_strings(state, raw->quote, raw->backslash, n);
    uint64_t open = raw->open & ~s.inside;
    uint64_t close = raw->close & ~s.inside;
    size_t n_close = (size_t) __builtin_popcountll(close);
    size_t i;

    while (YL_UNLIKELY(n_close >= *depth)) {
        uint64_t below;
        int at;

        for (i = 1; i < *depth; i++) {
            close &= close - 1;
        }
        n_close -= *depth;
        at = __builtin_ctzll(close);
        close &= close - 1;
        below = (UINT64_C(1) << at) - 1;
        *depth = (size_t) __builtin_popcountll(open & below);
        open &= ~below;
        if (*depth == 0) {
            /* Just behind a bracket we are neither in a string nor in an
             * escape. */
            state->in_string = 0;
            state->escaped = 0;
            return at;
        }
    }
    *depth += (size_t) __builtin_popcountll(open) - n_close;
    return -1;
}

static const char *
scan_to_depth_zero(struct yl_bits_state *state_, const char *p, size_t n,
                   size_t *depth_)
{
    struct yl_bits_state state = *state_;   /* In registers. */
    size_t depth = *depth_;
    struct raw_depth raw;
    int at = -1;
    size_t i;

    for (i = 0; i + 64 <= n && at < 0; i += 64) {
        load_raw_depth(&raw, p + i);
        at = depth_in_block(&state, &raw, 64, &depth);
    }
    if (at < 0 && i < n) {
        char last[64] = { 0 };

        memcpy(last, p + i, n - i);
        load_raw_depth(&raw, last);
        at = depth_in_block(&state, &raw, n - i, &depth);
        i += 64;
    }
    *state_ = state;
    *depth_ = depth;
    return at < 0 ? NULL : p + i - 64 + at + 1;
}

const struct yl_bits VARIANT = {
    .name = VARIANT_NAME,
    .index = index_chunk,
    .to_depth_zero = scan_to_depth_zero,
};
