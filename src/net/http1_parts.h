#ifndef NET_HTTP1_PARTS_H
#define NET_HTTP1_PARTS_H 1

/* What the parts of the HTTP/1.1 machine share.  See net/http1.h for the
 * whole.
 *
 *     http1.c         where a head ends, and what comes then
 *     http1_head.c    a complete head: its lines and what they mean
 *     http1_body.c    bodies by length, in chunks, until the end
 *     http1_write.c   the other direction */

#include <stdbool.h>
#include <stdint.h>

#include "net/http1.h"

/* START -> HEAD -> one of the bodies -> DONE; FAILED from everywhere. */
enum yl_http1_state {
    YL__HTTP1_START,            /* Between messages. */
    YL__HTTP1_HEAD,
    YL__HTTP1_BY_LENGTH,
    YL__HTTP1_TO_END,
    YL__HTTP1_SIZE,             /* The digits of a chunk's size. */
    YL__HTTP1_EXTENSION,
    YL__HTTP1_SIZE_LF,
    YL__HTTP1_DATA,
    YL__HTTP1_DATA_CR,
    YL__HTTP1_DATA_LF,
    YL__HTTP1_TRAILER,          /* At the start of a line after the last. */
    YL__HTTP1_TRAILER_NAME,
    YL__HTTP1_TRAILER_VALUE,
    YL__HTTP1_TRAILER_LF,
    YL__HTTP1_LAST_LF,
    YL__HTTP1_DONE,
    YL__HTTP1_FAILED,
};

/* The lower case of a character that is allowed in a token; 0 for others. */
extern const unsigned char yl_http1_token[256];

static inline bool
yl_http1_is_value(char c)
{
    unsigned char u = (unsigned char) c;

    return (u >= 0x20 && u != 0x7f) || u == '\t';
}

/* Printable ASCII without the space. */
static inline bool
yl_http1_is_graph(char c)
{
    return c > 0x20 && c < 0x7f;
}

/* Is it a token: one or more of the allowed characters? */
bool yl_http1_is_token(struct yl_str);

/* Ends the message with an error. */
enum yl_http1_event yl_http1_fail(struct yl_http1_reader *, int status,
                                  const char *why);

/* Parses the complete head in 'bytes' and sets the state that follows:
 * YL_HTTP1_HEAD or YL_HTTP1_ERROR. */
enum yl_http1_event yl_http1_parse_head(struct yl_http1_reader *);

/* yl_http1_read() in the states of a body. */
enum yl_http1_event yl_http1_read_body(struct yl_http1_reader *,
                                       struct yl_str *in,
                                       struct yl_str *ret_piece);

#endif /* net/http1_parts.h */
