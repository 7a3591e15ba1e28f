#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H 1

/* Quoted text, for messages and logs that people read on a terminal.
 *
 * The form is that of Go's %q: characters that can be printed stand as they
 * are, others become \n, \x1b, \u200b and the like, and bytes that are not
 * UTF-8 become \xNN.  So no text from outside can move a cursor, ring a bell,
 * reverse a line or pretend to be a line of its own.
 *
 * Which characters beyond Latin-1 can be printed is decided by Unicode blocks:
 * those for separators, formatting and private use, and unassigned ones, are
 * escaped; an unassigned character inside another block is printed as it
 * is. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_arena;

/* The first character of 's' in '*ret_rune', and its size in bytes; or 0 when
 * 's' does not start with valid UTF-8 (RFC 3629). */
size_t yl_rune_decode(struct yl_str s, uint32_t *ret_rune);

bool yl_rune_is_printable(uint32_t rune);

/* Writes the first character of 's', which must not be empty, as it stands
 * between quotes; returns the number of bytes written and stores how many of
 * 's' they stand for. */
#define YL_QUOTE_MAX 12
size_t yl_quote_char(struct yl_str s, char out[YL_QUOTE_MAX],
                     size_t *ret_taken);

/* Appends all of 's' in double quotes. */
void yl_quote(struct yl_buf *, struct yl_str s);

/* The simpler form that Go's time package has in its messages: every byte that
 * is not ASCII, or is a control character below the space, becomes \xNN. */
void yl_quote_plain(struct yl_buf *, struct yl_str s);

/* Appends 's' so that no browser takes it for HTML; quotes stay. */
void yl_quote_html(struct yl_buf *, struct yl_str s);

/* Excerpts
 * ========
 *
 * A message repeats what a client has sent, but not all of it: it costs the
 * client nothing to send a path of 60 KB of quotes, and each becomes four
 * bytes when it is quoted inside of JSON. */

#define YL_EXCERPT_MAX 1024

/* The start of 's' whose characters take up to 'max' bytes, quoted and
 * escaped; all of 's' if that is as little. */
struct yl_str yl_excerpt(struct yl_str s, size_t max);

/* yl_quote(), and the text as it is, of up to YL_EXCERPT_MAX bytes and "..."
 * for the rest. */
void yl_quote_excerpt(struct yl_buf *, struct yl_str s);
void yl_append_excerpt(struct yl_buf *, struct yl_str s);

/* The same text: 's' itself if it is short, else in the arena. */
struct yl_str yl_excerpt_copy(struct yl_arena *, struct yl_str s);

#endif /* base/quote.h */
