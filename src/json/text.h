#ifndef JSON_TEXT_H
#define JSON_TEXT_H 1

/* Strings and numbers of JSON, as text and as values.
 *
 * "Raw" means the bytes as they stand in the text: of a string, what is
 * between its quotes. */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

/* Strings
 * ======= */

/* Resolves the escapes of 'raw' into 'out', which needs room for 'raw.size'
 * bytes (the result is never longer) and may be 'raw.data' itself.  Returns
 * 0, or YL_ESYNTAX for a broken escape or a lone surrogate. */
int yl_json_unescape(struct yl_str raw, char *out, size_t *ret_size);

/* 0 if all escapes in 'raw' are good, else YL_ESYNTAX. */
int yl_json_check_escapes(struct yl_str raw);

/* Does 'raw', escapes resolved, equal 's'?  False if an escape is broken. */
bool yl_json_raw_equal(struct yl_str raw, struct yl_str s);

/* Appends 's' as a JSON string with quotes and the shortest escapes: \" \\ \b
 * \f \n \r \t, other control characters as \u00xx, everything else as is. */
void yl_json_write_string(struct yl_buf *, struct yl_str s);

/* The same for bytes from anywhere: those that are not UTF-8 become U+FFFD, as
 * Go writes them, so that what is written is JSON. */
void yl_json_write_text(struct yl_buf *, struct yl_str s);

/* Whether the valid 'raw' has the shortest escapes already.  May return false
 * although it has. */
bool yl_json_raw_is_canonical(struct yl_str raw);

/* Numbers
 * ======= */

/* The end of the number that starts at 'p', or NULL if there is none or it is
 * longer than YL_JSON_MAX_NUMBER. */
const char *yl_json_number_end(const char *p, const char *limit);

/* Is 'raw' written as an integer: neither fraction nor exponent? */
bool yl_json_number_is_integer(struct yl_str raw);

/* The value of a valid number; 0 or YL_ERANGE. */
int yl_json_number_int64(struct yl_str raw, int64_t *ret_value);
int yl_json_number_uint64(struct yl_str raw, uint64_t *ret_value);
int yl_json_number_double(struct yl_str raw, double *ret_value);

/* Appends a number as Go's encoder writes it: the shortest digits that read
 * back the same; an exponent only below 1e-6 and from 1e21 on.  Infinities
 * and NaN have no JSON; passing one is a bug. */
void yl_json_write_int64(struct yl_buf *, int64_t);
void yl_json_write_uint64(struct yl_buf *, uint64_t);
void yl_json_write_double(struct yl_buf *, double);

/* Appends the valid number 'raw' in canonical form: what Go writes after it
 * has read it as int64 if it is an integer that fits, else as a double.  Zero
 * is "0" without a sign, so that the canonical form of a canonical text is
 * that text (Go writes -0.0 as "-0", and that as "0").  Returns 0, or
 * YL_ERANGE if it is too large for a double. */
int yl_json_write_number(struct yl_buf *, struct yl_str raw);

#endif /* json/text.h */
