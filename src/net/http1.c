/* HTTP/1.1 reader.  See net/http1.h for the contract.
 *
 * A head is collected line by line and parsed when its last line, the empty
 * one, has come: then it is one piece of memory, and its parts can be lent
 * without a copy.  Before that only line ends and the ceilings are checked, so
 * that the reader does not go on waiting for the end of garbage or of an
 * endless line. */

#include "net/http1.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "net/http1_parts.h"

/* The bytes of a request line besides its target. */
#define AROUND_TARGET 64

/* The most memory that a reader keeps while it waits for its next message. */
#define KEPT_BYTES 2048
#define KEPT_HEADERS 32

static struct yl_http1_limits with_defaults(const struct yl_http1_limits *);
static enum yl_http1_event read_head(struct yl_http1_reader *,
                                     struct yl_str *in);
static enum yl_http1_event end_line(struct yl_http1_reader *);
static enum yl_http1_event skip_blank(struct yl_http1_reader *);

void
yl_http1_reader_init(struct yl_http1_reader *r, enum yl_http1_role role,
                     const struct yl_http1_limits *limits)
{
    memset(r, 0, sizeof *r);
    r->role = role;
    r->limits = with_defaults(limits);
    r->state = YL__HTTP1_START;
    yl_buf_init(&r->bytes, r->limits.head + 1);
}

void
yl_http1_reader_release(struct yl_http1_reader *r)
{
    yl_buf_release(&r->bytes);
    free(r->headers);
    r->headers = NULL;
    r->headers_capacity = 0;
}

void
yl_http1_reader_next(struct yl_http1_reader *r)
{
    assert(r->state == YL__HTTP1_DONE);
    if (r->bytes.capacity > KEPT_BYTES) {
        yl_buf_release(&r->bytes);
        yl_buf_init(&r->bytes, r->limits.head + 1);
    }
    if (r->headers_capacity > KEPT_HEADERS) {
        free(r->headers);
        r->headers = NULL;
        r->headers_capacity = 0;
    }
    yl_buf_clear(&r->bytes);
    memset(&r->head, 0, sizeof r->head);
    r->state = YL__HTTP1_START;
    r->bodiless = r->blank = false;
    r->line_start = r->n_lines = r->extras = 0;
    r->left = r->total = 0;
    r->n_digits = 0;
}

void
yl_http1_reader_bodiless(struct yl_http1_reader *r)
{
    r->bodiless = true;
}

enum yl_http1_event
yl_http1_read(struct yl_http1_reader *r, struct yl_str *in,
              struct yl_str *ret_piece)
{
    *ret_piece = yl_str_null();
    switch ((enum yl_http1_state) r->state) {
    case YL__HTTP1_START:
    case YL__HTTP1_HEAD:
        return read_head(r, in);
    case YL__HTTP1_DONE:
        return YL_HTTP1_END;
    case YL__HTTP1_FAILED:
        return YL_HTTP1_ERROR;
    default:
        return yl_http1_read_body(r, in, ret_piece);
    }
}

enum yl_http1_event
yl_http1_read_eof(struct yl_http1_reader *r)
{
    switch ((enum yl_http1_state) r->state) {
    case YL__HTTP1_START:
        return YL_HTTP1_MORE;
    case YL__HTTP1_TO_END:
        r->state = YL__HTTP1_DONE;
        return YL_HTTP1_END;
    case YL__HTTP1_DONE:
        return YL_HTTP1_END;
    case YL__HTTP1_FAILED:
        return YL_HTTP1_ERROR;
    default:
        return yl_http1_fail(r, 400, "the message was cut off");
    }
}

bool
yl_http1_reader_is_busy(const struct yl_http1_reader *r)
{
    return r->state != YL__HTTP1_START && r->state != YL__HTTP1_DONE
           && r->state != YL__HTTP1_FAILED;
}

enum yl_http1_event
yl_http1_fail(struct yl_http1_reader *r, int status, const char *why)
{
    r->state = YL__HTTP1_FAILED;
    r->status = status;
    r->why = why;
    return YL_HTTP1_ERROR;
}

static struct yl_http1_limits
with_defaults(const struct yl_http1_limits *given)
{
    struct yl_http1_limits l = { 0 };

    if (given) {
        l = *given;
    }
    l.target = l.target ? l.target : (size_t) 64 << 10;
    l.head = l.head ? l.head : (size_t) 128 << 10;
    l.n_headers = l.n_headers ? l.n_headers : 256;
    l.body = l.body ? l.body : (uint64_t) 3 << 20;
    l.extras = l.extras ? l.extras : (size_t) 8 << 10;
    return l;
}

/* Collects lines up to the empty one. */
static enum yl_http1_event
read_head(struct yl_http1_reader *r, struct yl_str *in)
{
    while (in->size) {
        const char *lf = yl_str_find_char(*in, '\n');
        size_t n = lf ? (size_t) (lf - in->data) + 1 : in->size;
        size_t line = r->bytes.size - r->line_start;
        enum yl_http1_event event;

        if (r->n_lines == 0 && n > r->limits.target + AROUND_TARGET - line) {
            return yl_http1_fail(r, 414, "the first line is too long");
        } else if (n > r->limits.head - r->bytes.size) {
            return yl_http1_fail(r, 431, "the headers are too large");
        }
        yl_buf_append(&r->bytes, in->data, n);
        *in = yl_str_skip(*in, n);
        r->state = YL__HTTP1_HEAD;
        event = lf ? end_line(r) : YL_HTTP1_MORE;
        if (event != YL_HTTP1_MORE) {
            return event;
        }
    }
    return YL_HTTP1_MORE;
}

/* 'bytes' ends with a LF. */
static enum yl_http1_event
end_line(struct yl_http1_reader *r)
{
    size_t n = r->bytes.size - r->line_start;

    if (n < 2 || r->bytes.data[r->bytes.size - 2] != '\r') {
        return yl_http1_fail(r, 400, "a line does not end with CRLF");
    }
    r->line_start = r->bytes.size;
    if (n > 2) {
        if (r->n_lines++ > r->limits.n_headers) {
            return yl_http1_fail(r, 431, "there are too many headers");
        }
        return YL_HTTP1_MORE;
    }
    return r->n_lines ? yl_http1_parse_head(r) : skip_blank(r);
}

/* An empty line has come where a message should begin.  Old clients send one
 * after a body, so a server ignores one (RFC 9112, 2.2). */
static enum yl_http1_event
skip_blank(struct yl_http1_reader *r)
{
    if (r->blank || r->role != YL_HTTP1_REQUESTS) {
        return yl_http1_fail(r, 400, "there is no first line");
    }
    r->blank = true;
    r->state = YL__HTTP1_START;
    r->line_start = 0;
    yl_buf_clear(&r->bytes);
    return YL_HTTP1_MORE;
}
