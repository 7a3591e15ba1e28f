/* HTTP/1.1 bodies: by length, in chunks, or up to the end of the stream.
 *
 *     5;extension CRLF hello CRLF 0 CRLF trailer: x CRLF CRLF
 *
 * Only a state and a count are kept: the pieces point into the bytes that were
 * fed, and extensions and trailers are checked and dropped. */

#include "net/http1_parts.h"

/* As many as a 64-bit size can have. */
#define MAX_SIZE_DIGITS 16

static enum yl_http1_event read_piece(struct yl_http1_reader *,
                                      struct yl_str *in,
                                      struct yl_str *ret_piece,
                                      enum yl_http1_state next);
static enum yl_http1_event step(struct yl_http1_reader *, char c);
static enum yl_http1_event add_digit(struct yl_http1_reader *, char c);
static enum yl_http1_event end_size(struct yl_http1_reader *);
static enum yl_http1_event expect(struct yl_http1_reader *, char c,
                                  char expected, enum yl_http1_state next);
static enum yl_http1_event count_extra(struct yl_http1_reader *);
static enum yl_http1_event step_trailer(struct yl_http1_reader *, char c);

enum yl_http1_event
yl_http1_read_body(struct yl_http1_reader *r, struct yl_str *in,
                   struct yl_str *ret_piece)
{
    while (in->size) {
        enum yl_http1_event event;

        switch ((enum yl_http1_state) r->state) {
        case YL__HTTP1_BY_LENGTH:
            return read_piece(r, in, ret_piece, YL__HTTP1_DONE);
        case YL__HTTP1_DATA:
            return read_piece(r, in, ret_piece, YL__HTTP1_DATA_CR);
        case YL__HTTP1_TO_END:
            if (!r->left) {
                return yl_http1_fail(r, 413, "the body is too large");
            }
            return read_piece(r, in, ret_piece, YL__HTTP1_TO_END);
        default:
            event = step(r, in->data[0]);
            *in = yl_str_skip(*in, 1);
            if (event != YL_HTTP1_MORE) {
                return event;
            }
            break;
        }
    }
    return YL_HTTP1_MORE;
}

/* A piece of as many bytes as there are, but not beyond the body or chunk. */
static enum yl_http1_event
read_piece(struct yl_http1_reader *r, struct yl_str *in,
           struct yl_str *ret_piece, enum yl_http1_state next)
{
    size_t n = in->size < r->left ? in->size : (size_t) r->left;

    *ret_piece = yl_str_n(in->data, n);
    *in = yl_str_skip(*in, n);
    r->left -= n;
    if (!r->left) {
        r->state = (int) next;
    }
    return YL_HTTP1_BODY;
}

/* Handles one byte outside of the data of chunks. */
static enum yl_http1_event
step(struct yl_http1_reader *r, char c)
{
    switch ((enum yl_http1_state) r->state) {
    case YL__HTTP1_SIZE:
        if (r->n_digits && (c == '\r' || c == ';')) {
            r->state = c == ';' ? YL__HTTP1_EXTENSION : YL__HTTP1_SIZE_LF;
            return YL_HTTP1_MORE;
        }
        return add_digit(r, c);
    case YL__HTTP1_EXTENSION:
        if (c == '\r') {
            r->state = YL__HTTP1_SIZE_LF;
        } else if (!yl_http1_is_value(c)) {
            return yl_http1_fail(r, 400,
                                 "a chunk's extension has control "
                                 "characters");
        }
        return count_extra(r);
    case YL__HTTP1_SIZE_LF:
        return c == '\n' ? end_size(r)
                         : expect(r, c, '\n', YL__HTTP1_SIZE_LF);
    case YL__HTTP1_DATA_CR:
        return expect(r, c, '\r', YL__HTTP1_DATA_LF);
    case YL__HTTP1_DATA_LF:
        r->n_digits = 0;
        return expect(r, c, '\n', YL__HTTP1_SIZE);
    case YL__HTTP1_LAST_LF:
        return expect(r, c, '\n', YL__HTTP1_DONE);
    default:
        return step_trailer(r, c);
    }
}

static enum yl_http1_event
add_digit(struct yl_http1_reader *r, char c)
{
    unsigned digit;

    if (c >= '0' && c <= '9') {
        digit = (unsigned) (c - '0');
    } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        digit = (unsigned) ((c | 0x20) - 'a') + 10;
    } else {
        return yl_http1_fail(r, 400, "a chunk's size is malformed");
    }
    if (++r->n_digits > MAX_SIZE_DIGITS) {
        return yl_http1_fail(r, 400, "a chunk's size has too many digits");
    }
    r->left = r->left << 4 | digit;
    return YL_HTTP1_MORE;
}

/* The line with a chunk's size is complete. */
static enum yl_http1_event
end_size(struct yl_http1_reader *r)
{
    if (r->left > r->limits.body - r->total) {
        return yl_http1_fail(r, 413, "the body is too large");
    }
    r->total += r->left;
    r->state = r->left ? YL__HTTP1_DATA : YL__HTTP1_TRAILER;
    return YL_HTTP1_MORE;
}

static enum yl_http1_event
expect(struct yl_http1_reader *r, char c, char expected,
       enum yl_http1_state next)
{
    if (c != expected) {
        return yl_http1_fail(r, 400, "a chunk is malformed");
    }
    r->state = (int) next;
    return next == YL__HTTP1_DONE ? YL_HTTP1_END : YL_HTTP1_MORE;
}

static enum yl_http1_event
count_extra(struct yl_http1_reader *r)
{
    if (++r->extras > r->limits.extras) {
        return yl_http1_fail(r, 431, "there is too much around the chunks");
    }
    return YL_HTTP1_MORE;
}

static enum yl_http1_event
step_trailer(struct yl_http1_reader *r, char c)
{
    bool token = yl_http1_token[(unsigned char) c] != 0;

    switch ((enum yl_http1_state) r->state) {
    case YL__HTTP1_TRAILER:
        if (c == '\r') {
            r->state = YL__HTTP1_LAST_LF;
            return YL_HTTP1_MORE;
        } else if (token) {
            r->state = YL__HTTP1_TRAILER_NAME;
            return count_extra(r);
        }
        break;
    case YL__HTTP1_TRAILER_NAME:
        if (token || c == ':') {
            r->state = token ? YL__HTTP1_TRAILER_NAME
                             : YL__HTTP1_TRAILER_VALUE;
            return count_extra(r);
        }
        break;
    case YL__HTTP1_TRAILER_VALUE:
        if (c == '\r' || yl_http1_is_value(c)) {
            r->state = c == '\r' ? YL__HTTP1_TRAILER_LF
                                 : YL__HTTP1_TRAILER_VALUE;
            return count_extra(r);
        }
        break;
    default:
        if (c == '\n') {
            r->state = YL__HTTP1_TRAILER;
            return count_extra(r);
        }
        break;
    }
    return yl_http1_fail(r, 400, "a trailer is malformed");
}
