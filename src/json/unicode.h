#ifndef JSON_UNICODE_H
#define JSON_UNICODE_H 1

/* What kind of character a code point is, by Unicode 15.0. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

/* Reads the character at the start of 's', which must not be empty, and
 * returns its size.  A byte that is not part of one reads as U+FFFD. */
size_t yl_unicode_read(struct yl_str s, uint32_t *ret_code);

bool yl_unicode_is_letter(uint32_t code);       /* Category L. */
bool yl_unicode_is_digit(uint32_t code);        /* Category Nd. */

#endif /* json/unicode.h */
