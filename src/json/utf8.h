#ifndef JSON_UTF8_H
#define JSON_UTF8_H 1

/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above
 * U+10FFFF. */

#include "yuloh/str.h"

/* The first byte of 's' that is not part of a valid character, or NULL if all
 * are. */
const char *yl_utf8_find_invalid(struct yl_str s);

/* The size of the valid character at the start of 's', or 0 if there is
 * none. */
size_t yl_utf8_char_size(struct yl_str s);

/* The first 'max' bytes of 's', or fewer where that would cut a character in
 * two. */
struct yl_str yl_utf8_cut(struct yl_str s, size_t max);

#endif /* json/utf8.h */
