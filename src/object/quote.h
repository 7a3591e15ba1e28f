#ifndef OBJECT_QUOTE_H
#define OBJECT_QUOTE_H 1

/* Quoted text as Go's %q writes it, for messages that clients see.
 *
 * Bytes that are not UTF-8 become \xNN, control and other unprintable
 * characters \n, \u200b and the like.  Go knows from the Unicode tables which
 * characters beyond Latin-1 can be printed; here the blocks that hold
 * separators, formatting, private use and nothing are known, and unassigned
 * characters inside the other blocks pass as they are. */

#include "base/buf.h"
#include "yuloh/str.h"

void yl__quote(struct yl_buf *, struct yl_str);

/* The simpler form that Go's time package has in its messages: every byte that
 * is not ASCII, or is a control character below the space, becomes \xNN. */
void yl__quote_plain(struct yl_buf *, struct yl_str);

#endif /* object/quote.h */
