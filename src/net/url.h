#ifndef NET_URL_H
#define NET_URL_H 1

/* Percent escapes in paths and queries, as Go's net/url reads and writes
 * them.
 *
 *     "limit=5&name=a%2Fb+c" -> limit: "5", name: "a/b c"
 *
 * Guarantees
 * ==========
 *
 *   - Decoded text is never longer than what was sent, the time is
 *     proportional to its length, and no other memory is used.
 *
 *   - Decoded text can be any bytes: perhaps not UTF-8, perhaps with NULs,
 *     slashes and dots that were escaped.  Check names after decoding, and
 *     split paths into segments before it where an escaped slash must not
 *     separate.
 *
 *   - Text that one of the encoders has written is decoded to the same bytes.
 *
 * Ownership
 * =========
 *
 * Decoded text is in the arena, or is the text itself if it has no escapes.
 *
 * Usage
 * =====
 *
 *     while ((r = yl_url_query_next(arena, &query, &pair, NULL)) != 0) {
 *         if (r > 0) {
 *             use(pair.name, pair.value);
 *         }
 *     } */

#include "yuloh/str.h"

struct yl_arena;
struct yl_buf;
struct yl_error;

/* The part of a URL that a text is in. */
enum yl_url_part {
    YL_URL_PATH,
    YL_URL_QUERY,               /* '+' means a space. */
};

struct yl_url_pair {
    struct yl_str name;
    struct yl_str value;        /* Empty if there was no '='. */
};

/* 0, or YL_EBADREQUEST in Go's words: invalid URL escape "%zz". */
int yl_url_decode(struct yl_arena *, struct yl_str text, enum yl_url_part,
                  struct yl_str *ret_text, struct yl_error *err);

/* Takes the next pair off the front of '*query' and decodes it.  1 if there is
 * one, 0 at the end, or YL_EBADREQUEST for a pair with a broken escape or a
 * semicolon, after which others may follow: Go's URL.Query() skips such pairs,
 * its ParseQuery() reports the first.  Empty pairs are skipped. */
int yl_url_query_next(struct yl_arena *, struct yl_str *query,
                      struct yl_url_pair *ret_pair, struct yl_error *err);

/* Appends 'text' as one segment of a path (so '/' is escaped) or as a name or
 * value in a query, as Go's PathEscape() and QueryEscape() do.  Segments that
 * are "." or ".." have another meaning; the caller must refuse them. */
void yl_url_encode(struct yl_buf *out, struct yl_str text, enum yl_url_part);

#endif /* net/url.h */
