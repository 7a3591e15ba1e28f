#ifndef JSON_BASE64_H
#define JSON_BASE64_H 1

/* Base64 with padding (RFC 4648), as Go reads it. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_arena;

/* Decodes 's' into 'arena'; line ends in it mean nothing.  What is not UTF-8
 * in the result becomes U+FFFD, byte by byte, so that it can stand in JSON.
 * False if 's' is not base64. */
bool yl_base64_decode_text(struct yl_arena *, struct yl_str s,
                           struct yl_str *ret_text);

#endif /* json/base64.h */
