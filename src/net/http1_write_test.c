/* Tests of the HTTP/1.1 writer. */

#include "base/buf.h"
#include "net/http1.h"
#include "unit.h"
#include "yuloh/error.h"

static void
check_response(int status, const struct yl_http1_out *o, const char *expected)
{
    struct yl_buf out;

    yl_buf_init(&out, 4096);
    yl_http1_write_response(&out, status, o);
    assert_int_equal(yl_buf_error(&out), 0);
    assert_string_equal(yl_buf_c_str(&out), expected);
    yl_buf_release(&out);
}

TEST(a_response_is_written)
{
    struct yl_http_header headers[] = {
        { YL_STR_INIT("content-type"), YL_STR_INIT("text/plain") },
        { YL_STR_INIT("x-empty"), YL_STR_INIT("") },
    };
    struct yl_http1_out o = {
        .headers = headers, .n_headers = 2,
        .date = YL_STR_INIT("Sun, 06 Nov 1994 08:49:37 GMT"),
        .framing = YL_HTTP1_LENGTH, .content_length = 12345678901,
    };

    check_response(404, &o,
                   "HTTP/1.1 404 Not Found\r\n"
                   "content-type: text/plain\r\n"
                   "x-empty: \r\n"
                   "date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                   "content-length: 12345678901\r\n\r\n");
    check_response(204, &o,
                   "HTTP/1.1 204 No Content\r\n"
                   "content-type: text/plain\r\n"
                   "x-empty: \r\n"
                   "date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n");
}

TEST(framing_and_connection_are_added)
{
    struct yl_http1_out o = { .framing = YL_HTTP1_CHUNKED, .close = true };

    check_response(200, &o, "HTTP/1.1 200 OK\r\n"
                   "transfer-encoding: chunked\r\nconnection: close\r\n\r\n");
    check_response(304, &o, "HTTP/1.1 304 Not Modified\r\n"
                   "connection: close\r\n\r\n");
    check_response(101, &o, "HTTP/1.1 101 Switching Protocols\r\n"
                   "connection: close\r\n\r\n");
    o = (struct yl_http1_out){ .framing = YL_HTTP1_LENGTH,
                               .keep_alive = true };
    check_response(299, &o, "HTTP/1.1 299 \r\ncontent-length: 0\r\n"
                   "connection: keep-alive\r\n\r\n");
    o = (struct yl_http1_out){ .framing = YL_HTTP1_UNTIL_CLOSE };
    check_response(200, &o, "HTTP/1.1 200 OK\r\n\r\n");
}

TEST(no_text_breaks_the_framing)
{
    struct yl_http_header headers[] = {
        { YL_STR_INIT("warning"),
          YL_STR_INIT("a\r\nb: c\r\n\r\n\0\x7f\t\xff") },
        { YL_STR_INIT("x: y"), YL_STR_INIT("z") },
        { YL_STR_INIT(""), YL_STR_INIT("z") },
        { YL_STR_INIT("x\r\ny"), YL_STR_INIT("z") },
        { YL_STR_INIT("null"), { NULL, 0 } },
    };
    struct yl_http1_out o = { .headers = headers, .n_headers = 5 };

    check_response(200, &o, "HTTP/1.1 200 OK\r\n"
                   "warning: a  b: c      \t\xff\r\nnull: \r\n\r\n");
}

TEST(a_request_is_written)
{
    struct yl_http_header host = { YL_STR_INIT("host"), YL_STR_INIT("a") };
    struct yl_http1_out o = { .headers = &host, .n_headers = 1 };
    struct yl_buf out;

    yl_buf_init(&out, 4096);
    assert_int_equal(
        yl_http1_write_request(&out, YL_STR("GET"), YL_STR("/x?y"), &o), 0);
    assert_string_equal(yl_buf_c_str(&out),
                        "GET /x?y HTTP/1.1\r\nhost: a\r\n\r\n");
    yl_buf_clear(&out);
    assert_int_equal(
        yl_http1_write_request(&out, YL_STR("G T"), YL_STR("/"), &o),
        YL_EINVALID);
    assert_int_equal(
        yl_http1_write_request(&out, YL_STR("GET"), YL_STR("/\r\n"), &o),
        YL_EINVALID);
    assert_int_equal(
        yl_http1_write_request(&out, YL_STR("GET"), YL_STR(""), &o),
        YL_EINVALID);
    assert_int_equal(out.size, 0);
    yl_buf_release(&out);
}

TEST(chunks_are_written)
{
    struct yl_buf out;
    size_t mark;

    yl_buf_init(&out, 4096);
    yl_http1_write_chunk(&out, YL_STR("hello"));
    yl_http1_write_chunk(&out, YL_STR(""));
    mark = yl_http1_chunk_begin(&out);
    yl_buf_append_c(&out, "0123456789");
    yl_buf_append_c(&out, "0123456789");
    yl_http1_chunk_end(&out, mark);
    mark = yl_http1_chunk_begin(&out);
    yl_http1_chunk_end(&out, mark);
    yl_http1_write_last_chunk(&out);
    assert_string_equal(yl_buf_c_str(&out),
                        "00000005\r\nhello\r\n"
                        "00000014\r\n01234567890123456789\r\n"
                        "0\r\n\r\n");
    yl_buf_release(&out);
}

TEST(chunks_that_do_not_fit_leave_the_error)
{
    struct yl_buf out;
    size_t mark;

    yl_buf_init(&out, 24);
    mark = yl_http1_chunk_begin(&out);
    yl_buf_append_c(&out, "0123456789012345678901234567890123456789");
    yl_http1_chunk_end(&out, mark);
    assert_int_equal(yl_buf_error(&out), YL_ETOOBIG);
    yl_buf_clear(&out);
    yl_buf_append_c(&out, "01234567890123456789");
    mark = yl_http1_chunk_begin(&out);
    yl_http1_chunk_end(&out, mark);
    assert_int_equal(yl_buf_error(&out), YL_ETOOBIG);
    yl_buf_release(&out);
}

TEST(what_is_written_is_read)
{
    struct yl_http1_out o = { .framing = YL_HTTP1_CHUNKED };
    struct yl_http1_reader reader;
    struct yl_str in, piece;
    struct yl_buf out;

    yl_buf_init(&out, 4096);
    yl_buf_append_c(&out, YL_HTTP1_CONTINUE);
    yl_http1_write_response(&out, 200, &o);
    yl_http1_write_chunk(&out, YL_STR("hello"));
    yl_http1_write_last_chunk(&out);
    in = yl_buf_str(&out);
    yl_http1_reader_init(&reader, YL_HTTP1_RESPONSES, NULL);
    assert_int_equal(yl_http1_read(&reader, &in, &piece), YL_HTTP1_HEAD);
    assert_int_equal(reader.head.status, 100);
    assert_int_equal(yl_http1_read(&reader, &in, &piece), YL_HTTP1_END);
    yl_http1_reader_next(&reader);
    assert_int_equal(yl_http1_read(&reader, &in, &piece), YL_HTTP1_HEAD);
    assert_int_equal(reader.head.status, 200);
    assert_int_equal(yl_http1_read(&reader, &in, &piece), YL_HTTP1_BODY);
    assert_str_equal(piece, "hello");
    assert_int_equal(yl_http1_read(&reader, &in, &piece), YL_HTTP1_END);
    assert_int_equal(in.size, 0);
    yl_http1_reader_release(&reader);
    yl_buf_release(&out);
}

TEST(dates_are_written)
{
    char out[YL_HTTP1_DATE_SIZE];

    assert_str_equal(yl_http1_date(out, 784111777),
                     "Sun, 06 Nov 1994 08:49:37 GMT");
    assert_str_equal(yl_http1_date(out, -1), "Thu, 01 Jan 1970 00:00:00 GMT");
    assert_str_equal(yl_http1_date(out, INT64_MAX),
                     "Fri, 31 Dec 9999 23:59:59 GMT");
}
