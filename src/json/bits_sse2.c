/* The scanners of json/bits.h with SSE2, which every x86-64 has. */

#include "json/bits_raw.h"
#include "json/bits.h"

#if defined(__x86_64__)

#include <emmintrin.h>

static inline uint64_t
join(__m128i a, __m128i b, __m128i c, __m128i d)
{
    return (uint64_t) (uint32_t) _mm_movemask_epi8(a)
           | (uint64_t) (uint32_t) _mm_movemask_epi8(b) << 16
           | (uint64_t) (uint32_t) _mm_movemask_epi8(c) << 32
           | (uint64_t) (uint32_t) _mm_movemask_epi8(d) << 48;
}

#define LOAD(I) \
    _mm_loadu_si128((const __m128i *) (const void *) (p + 16 * (I)))
#define EQUAL(V, C) _mm_cmpeq_epi8((V), _mm_set1_epi8((C)))
#define FOUR(EXPRESSION)                                                      \
    join(EXPRESSION(0), EXPRESSION(1), EXPRESSION(2), EXPRESSION(3))

static inline void
load_raw(struct raw *raw, const char *p)
{
    const __m128i v[4] = { LOAD(0), LOAD(1), LOAD(2), LOAD(3) };
    __m128i op[4], blank[4], control[4];
    int i;

    for (i = 0; i < 4; i++) {
        __m128i brackets = _mm_or_si128(v[i], _mm_set1_epi8(0x20));

        op[i] = _mm_or_si128(
            _mm_or_si128(EQUAL(brackets, '{'), EQUAL(brackets, '}')),
            _mm_or_si128(EQUAL(v[i], ':'), EQUAL(v[i], ',')));
        blank[i] = _mm_or_si128(
            _mm_or_si128(EQUAL(v[i], ' '), EQUAL(v[i], '\t')),
            _mm_or_si128(EQUAL(v[i], '\n'), EQUAL(v[i], '\r')));
        control[i] = _mm_cmpeq_epi8(_mm_min_epu8(v[i], _mm_set1_epi8(0x1f)),
                                    v[i]);
    }
#define QUOTE(I) EQUAL(v[I], '"')
#define BACKSLASH(I) EQUAL(v[I], '\\')
    raw->quote = FOUR(QUOTE);
    raw->backslash = FOUR(BACKSLASH);
    raw->op = join(op[0], op[1], op[2], op[3]);
    raw->blank = join(blank[0], blank[1], blank[2], blank[3]);
    raw->control = join(control[0], control[1], control[2], control[3]);
    raw->high = join(v[0], v[1], v[2], v[3]);
}

static inline void
load_raw_depth(struct raw_depth *raw, const char *p)
{
    const __m128i v[4] = { LOAD(0), LOAD(1), LOAD(2), LOAD(3) };
    __m128i brackets[4];
    int i;

    for (i = 0; i < 4; i++) {
        brackets[i] = _mm_or_si128(v[i], _mm_set1_epi8(0x20));
    }
#define OPEN(I) EQUAL(brackets[I], '{')
#define CLOSE(I) EQUAL(brackets[I], '}')
    raw->quote = FOUR(QUOTE);
    raw->backslash = FOUR(BACKSLASH);
    raw->open = FOUR(OPEN);
    raw->close = FOUR(CLOSE);
}

#define trailing_zeros plain_trailing_zeros
#define prefix_xor plain_prefix_xor
#define VARIANT yl_bits_sse2
#define VARIANT_NAME "sse2"
#include "json/bits_template.h"

#endif
