/* HTTP/1.1 writer.  See net/http1.h for the contract. */

#include "net/http1_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "yuloh/error.h"

/* "0000ffff" and CRLF: leading zeros are allowed, so the size can be filled in
 * after the piece was appended. */
#define SIZE_DIGITS 8
#define SIZE_LINE (SIZE_DIGITS + 2)

/* The last second of the year 9999. */
#define LAST_SECOND INT64_C(253402300799)

static void write_headers(struct yl_buf *, const struct yl_http1_out *,
                          bool framed);
static void write_header(struct yl_buf *, struct yl_str name,
                         struct yl_str value);
static void write_value(struct yl_buf *, struct yl_str value);
static void write_size(char out[SIZE_LINE], size_t size);
static const char *reason(int status);

void
yl_http1_write_response(struct yl_buf *out, int status,
                        const struct yl_http1_out *o)
{
    bool framed = status >= 200 && status != 204 && status != 304;

    yl_buf_append_str(out, YL_STR("HTTP/1.1 "));
    yl_buf_append_char(out, (char) ('0' + status / 100 % 10));
    yl_buf_append_char(out, (char) ('0' + status / 10 % 10));
    yl_buf_append_char(out, (char) ('0' + status % 10));
    yl_buf_append_char(out, ' ');
    yl_buf_append_c(out, reason(status));
    yl_buf_append_str(out, YL_STR("\r\n"));
    write_headers(out, o, framed);
}

int
yl_http1_write_request(struct yl_buf *out, struct yl_str method,
                       struct yl_str target, const struct yl_http1_out *o)
{
    size_t i;

    for (i = 0; i < target.size && yl_http1_is_graph(target.data[i]); i++) {
        continue;
    }
    if (!yl_http1_is_token(method) || i == 0 || i < target.size) {
        return YL_EINVALID;
    }
    yl_buf_append_str(out, method);
    yl_buf_append_char(out, ' ');
    yl_buf_append_str(out, target);
    yl_buf_append_str(out, YL_STR(" HTTP/1.1\r\n"));
    write_headers(out, o, true);
    return 0;
}

void
yl_http1_write_chunk(struct yl_buf *out, struct yl_str piece)
{
    size_t mark = yl_http1_chunk_begin(out);

    yl_buf_append_str(out, piece);
    yl_http1_chunk_end(out, mark);
}

size_t
yl_http1_chunk_begin(struct yl_buf *out)
{
    char *line = yl_buf_reserve(out, SIZE_LINE);

    if (line) {
        write_size(line, 0);
        yl_buf_commit(out, SIZE_LINE);
    }
    return out->size;
}

void
yl_http1_chunk_end(struct yl_buf *out, size_t mark)
{
    size_t size = out->size - mark;

    if (yl_buf_error(out)) {
        return;
    } else if (size == 0) {
        out->size -= SIZE_LINE;
        return;
    }
    write_size(out->data + mark - SIZE_LINE, size);
    yl_buf_append_str(out, YL_STR("\r\n"));
}

void
yl_http1_write_last_chunk(struct yl_buf *out)
{
    yl_buf_append_str(out, YL_STR("0\r\n\r\n"));
}

/* "Not Found"; "" for a status without a phrase. */
static const char *
reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        { 200, "OK" },
        { 201, "Created" },
        { 101, "Switching Protocols" },
        { 202, "Accepted" },
        { 204, "No Content" },
        { 206, "Partial Content" },
        { 301, "Moved Permanently" },
        { 302, "Found" },
        { 304, "Not Modified" },
        { 307, "Temporary Redirect" },
        { 308, "Permanent Redirect" },
        { 400, "Bad Request" },
        { 401, "Unauthorized" },
        { 403, "Forbidden" },
        { 404, "Not Found" },
        { 405, "Method Not Allowed" },
        { 406, "Not Acceptable" },
        { 408, "Request Timeout" },
        { 409, "Conflict" },
        { 410, "Gone" },
        { 411, "Length Required" },
        { 412, "Precondition Failed" },
        { 413, "Request Entity Too Large" },
        { 414, "Request URI Too Long" },
        { 415, "Unsupported Media Type" },
        { 417, "Expectation Failed" },
        { 422, "Unprocessable Entity" },
        { 429, "Too Many Requests" },
        { 431, "Request Header Fields Too Large" },
        { 500, "Internal Server Error" },
        { 501, "Not Implemented" },
        { 502, "Bad Gateway" },
        { 503, "Service Unavailable" },
        { 504, "Gateway Timeout" },
        { 505, "HTTP Version Not Supported" },
        { 507, "Insufficient Storage" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(reasons); i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "";
}

/* strftime() would write the names of the program's locale. */
struct yl_str
yl_http1_date(char out[YL_HTTP1_DATE_SIZE], int64_t seconds)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t t = (time_t) (seconds < 0 ? 0
                         : seconds > LAST_SECOND ? LAST_SECOND : seconds);
    struct tm tm;
    int n;

    gmtime_r(&t, &tm);
    n = snprintf(out, YL_HTTP1_DATE_SIZE,
                 "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
                 days + 3 * tm.tm_wday, tm.tm_mday, months + 3 * tm.tm_mon,
                 tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
    return yl_str_n(out, (size_t) n);
}

static void
write_headers(struct yl_buf *out, const struct yl_http1_out *o, bool framed)
{
    size_t i;

    for (i = 0; i < o->n_headers; i++) {
        if (yl_http1_is_token(o->headers[i].name)) {
            write_header(out, o->headers[i].name, o->headers[i].value);
        }
    }
    if (!yl_str_is_null(o->date)) {
        write_header(out, YL_STR("date"), o->date);
    }
    if (framed && o->framing == YL_HTTP1_LENGTH) {
        yl_buf_printf(out, "content-length: %" PRIu64 "\r\n",
                      o->content_length);
    } else if (framed && o->framing == YL_HTTP1_CHUNKED) {
        yl_buf_append_str(out, YL_STR("transfer-encoding: chunked\r\n"));
    }
    if (o->close) {
        yl_buf_append_str(out, YL_STR("connection: close\r\n"));
    } else if (o->keep_alive) {
        yl_buf_append_str(out, YL_STR("connection: keep-alive\r\n"));
    }
    yl_buf_append_str(out, YL_STR("\r\n"));
}

static void
write_header(struct yl_buf *out, struct yl_str name, struct yl_str value)
{
    yl_buf_append_str(out, name);
    yl_buf_append_str(out, YL_STR(": "));
    write_value(out, value);
    yl_buf_append_str(out, YL_STR("\r\n"));
}

static void
write_value(struct yl_buf *out, struct yl_str value)
{
    size_t start = 0;
    size_t i;

    for (i = 0; i < value.size; i++) {
        if (!yl_http1_is_value(value.data[i])) {
            yl_buf_append(out, value.data + start, i - start);
            yl_buf_append_char(out, ' ');
            start = i + 1;
        }
    }
    if (start < value.size) {
        yl_buf_append(out, value.data + start, value.size - start);
    }
}

static void
write_size(char out[SIZE_LINE], size_t size)
{
    int i;

    for (i = SIZE_DIGITS - 1; i >= 0; i--) {
        out[i] = "0123456789abcdef"[size & 15];
        size >>= 4;
    }
    out[SIZE_DIGITS] = '\r';
    out[SIZE_DIGITS + 1] = '\n';
}
