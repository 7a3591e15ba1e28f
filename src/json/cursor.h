#ifndef JSON_CURSOR_H
#define JSON_CURSOR_H 1

/* The steps that cursors are made of, for those who walk bytes themselves.
 * All are safe on any bytes and none reads at or behind 'limit'. */

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
const char *yl_json_skip_string(const char *p, const char *limit,
                                bool *escaped);

/* The end of the value that starts at 'p', or NULL. */
const char *yl_json_skip_value(const char *p, const char *limit);

#endif /* json/cursor.h */
