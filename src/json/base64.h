#ifndef JSON_BASE64_H
#define JSON_BASE64_H 1

/* Base64 (RFC 4648): with padding, as Go reads it, and the form for URLs and
 * file names without padding, as JSON web tokens have it. */

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

/* The form for URLs: '-' and '_' for '+' and '/', no padding.  Decoding is
 * strict, so that each text has one form: padding, line ends and bits that
 * mean nothing are refused. */
void yl_base64url_write(struct yl_buf *, struct yl_str bytes);
bool yl_base64url_decode(struct yl_arena *, struct yl_str s,
                         struct yl_str *ret_bytes);

#endif /* json/base64.h */
