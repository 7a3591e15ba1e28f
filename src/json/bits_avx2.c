/* The scanners of json/bits.h with AVX2, PCLMUL, BMI and POPCNT.
 *
 * The build compiles only this file for those instructions; json/bits.c checks
 * that the processor has them before it uses anything from here. */

#include "json/bits_raw.h"
#include "json/bits.h"

#if defined(__x86_64__)

#include <immintrin.h>

static inline uint64_t
join(__m256i a, __m256i b)
{
    return (uint64_t) (uint32_t) _mm256_movemask_epi8(a)
           | (uint64_t) (uint32_t) _mm256_movemask_epi8(b) << 32;
}

#define LOAD(I)                                                               \
    _mm256_loadu_si256((const __m256i *) (const void *) (p + 32 * (I)))
#define EQUAL(V, C) _mm256_cmpeq_epi8((V), _mm256_set1_epi8((C)))

/* Tests which bytes are in a set.  The low four bits of a byte choose an entry
 * of the table; the byte is in the set if it equals that entry.  Entries that
 * belong to no member hold a value that cannot match.  Bytes above 0x7f get a
 * 0 from the look-up, which equals none of them. */
static inline __m256i
look_up(__m256i table, __m256i v)
{
    return _mm256_shuffle_epi8(table, v);
}

static inline void
load_raw(struct raw *raw, const char *p)
{
    /* The index of each entry is the low four bits of a byte: space in 0, tab
     * in 9, line feed in 10, return in 13. */
    const __m256i blanks = _mm256_setr_epi8(
        ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r',
        100, 100, ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112,
        100, '\r', 100, 100);
    /* Colon in 10, opening brackets in 11, comma in 12, closing brackets in
     * 13.  Bytes are or-ed with 0x20 first, which makes { of [ and } of ] and
     * does not change colon and comma. */
    const __m256i ops = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0);
    const __m256i bit5 = _mm256_set1_epi8(0x20);
    const __m256i v0 = LOAD(0);
    const __m256i v1 = LOAD(1);
    const __m256i limit = _mm256_set1_epi8(0x1f);

    raw->quote = join(EQUAL(v0, '"'), EQUAL(v1, '"'));
    raw->backslash = join(EQUAL(v0, '\\'), EQUAL(v1, '\\'));
    raw->blank = join(_mm256_cmpeq_epi8(v0, look_up(blanks, v0)),
                      _mm256_cmpeq_epi8(v1, look_up(blanks, v1)));
    raw->op = join(_mm256_cmpeq_epi8(_mm256_or_si256(v0, bit5),
                                     look_up(ops, v0)),
                   _mm256_cmpeq_epi8(_mm256_or_si256(v1, bit5),
                                     look_up(ops, v1)));
    raw->control = join(_mm256_cmpeq_epi8(_mm256_min_epu8(v0, limit), v0),
                        _mm256_cmpeq_epi8(_mm256_min_epu8(v1, limit), v1));
    raw->high = join(v0, v1);
}

static inline void
load_raw_depth(struct raw_depth *raw, const char *p)
{
    const __m256i bit5 = _mm256_set1_epi8(0x20);
    const __m256i v0 = LOAD(0);
    const __m256i v1 = LOAD(1);
    const __m256i b0 = _mm256_or_si256(v0, bit5);
    const __m256i b1 = _mm256_or_si256(v1, bit5);

    raw->quote = join(EQUAL(v0, '"'), EQUAL(v1, '"'));
    raw->backslash = join(EQUAL(v0, '\\'), EQUAL(v1, '\\'));
    raw->open = join(EQUAL(b0, '{'), EQUAL(b1, '{'));
    raw->close = join(EQUAL(b0, '}'), EQUAL(b1, '}'));
}

static inline uint32_t
trailing_zeros(uint64_t bits)
{
    return (uint32_t) _tzcnt_u64(bits);
}

/* A carry-less multiplication by all ones. */
static inline uint64_t
prefix_xor(uint64_t bits)
{
    __m128i product = _mm_clmulepi64_si128(
        _mm_set_epi64x(0, (long long) bits), _mm_set1_epi8((char) 0xff), 0);

    return (uint64_t) _mm_cvtsi128_si64(product);
}

#define VARIANT yl_bits_avx2
#define VARIANT_NAME "avx2"
#include "json/bits_template.h"

#endif
