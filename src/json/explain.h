#ifndef JSON_EXPLAIN_H
#define JSON_EXPLAIN_H 1

/* What is wrong with a text, found one byte at a time.
 *
 * The parser (json/parse.c) is fast because it only says that a text is
 * invalid.  This is the slow, simple scanner that then says what is wrong and
 * where, in the words of Go's decoder, which clients know.  It shares no code
 * with the parser and accepts exactly the same texts, so that tests can
 * compare the two. */

#include <stddef.h>
#include <stdint.h>

#include "yuloh/json.h"
#include "yuloh/str.h"

struct yl_error;

/* Like yl_json_validate(), but does not look for duplicates.  On failure
 * '*ret_offset', if it is not NULL, is where the first bad byte is. */
int yl_json_explain(struct yl_str text, const struct yl_json_limits *,
                    size_t *ret_offset, struct yl_error *err);

/* The ceiling on the size of a text: offsets have 32 bits. */
static inline size_t
yl_json_max_size(const struct yl_json_limits *limits)
{
    size_t max_size = limits && limits->max_size ? limits->max_size
                                                 : YL_JSON_MAX_SIZE;

    return max_size < UINT32_MAX ? max_size : UINT32_MAX;
}

#endif /* json/explain.h */
