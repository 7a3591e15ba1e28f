#ifndef JSON_BASE64_H
#define JSON_BASE64_H 1

/* Base64 with padding (RFC 4648), as Go reads it. */

#include <stdbool.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_arena;

/* Appends the base64 of 'bytes'. */
void yl_base64_write(struct yl_buf *, struct yl_str bytes);

/* Decodes 's' into 'arena'; line ends in it are skipped.  Returns false if 's'
 * is not base64. */
bool yl_base64_decode(struct yl_arena *, struct yl_str s,
                      struct yl_str *ret_bytes);

/* The same for text: what is not UTF-8 in the result becomes U+FFFD, byte by
 * byte, so that it can stand in JSON. */
bool yl_base64_decode_text(struct yl_arena *, struct yl_str s,
                           struct yl_str *ret_text);

#endif /* json/base64.h */
