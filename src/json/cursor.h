#ifndef JSON_CURSOR_H
#define JSON_CURSOR_H 1

/* The steps that cursors are made of, for code that walks the bytes itself.
 * All are safe on any bytes, and none reads at or behind 'limit'. */

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "yuloh/compiler.h"
#include "yuloh/json.h"

/* 'p' behind any white space. */
static YL_ALWAYS_INLINE const char *
yl_json_skip_blanks(const char *p, const char *limit)
{
    while (p < limit && (unsigned char) *p <= ' '
           && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
        p++;
    }
    return p;
}

/* The end of the string whose opening quote is at 'p', behind its closing
 * quote, or NULL.  '*escaped' tells whether there is a backslash in it. */
static YL_ALWAYS_INLINE const char *yl_json_skip_string(const char *p,
                                                        const char *limit,
                                                        bool *escaped);

/* The same from inside a string, wherever that is. */
const char *yl_json_skip_string_rest(const char *p, const char *limit,
                                     bool *escaped);

/* The end of the value that starts at 'p', or NULL. */
const char *yl_json_skip_value(const char *p, const char *limit);

static YL_ALWAYS_INLINE const char *
yl_json_skip_string(const char *p, const char *limit, bool *escaped)
{
    p++;
    *escaped = false;
#if defined(__x86_64__)
    /* Most strings end in the first 16 bytes and have no escapes. */
    if (YL_LIKELY(limit - p >= 16)) {
        __m128i v = _mm_loadu_si128((const __m128i *) (const void *) p);
        int quotes = _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
        int slashes = _mm_movemask_epi8(
            _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));

        if (YL_LIKELY(quotes && !(slashes & (quotes ^ (quotes - 1))))) {
            return p + __builtin_ctz((unsigned) quotes) + 1;
        }
    }
#endif
    return yl_json_skip_string_rest(p, limit, escaped);
}

#endif /* json/cursor.h */
