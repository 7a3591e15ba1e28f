/* Tests of the HTTP/1.1 reader.  Each input is read whole, byte by byte and
 * in two parts cut at every place, and must give the same each time. */

#include "net/http1.h"

#include "base/buf.h"
#include "unit.h"

#define REQUESTS YL_HTTP1_REQUESTS
#define RESPONSES YL_HTTP1_RESPONSES

struct reading {
    enum yl_http1_role role;
    const struct yl_http1_limits *limits;
    bool bodiless;
    bool eof;
};

static void check(const struct reading *, struct yl_str in,
                  const char *expected);
static void check_cut(const struct reading *, struct yl_str in, size_t first,
                      size_t step, const char *expected);
static bool feed(struct yl_http1_reader *, struct yl_str in,
                 struct yl_buf *body, struct yl_buf *log, size_t *ret_used);
static void log_head(struct yl_buf *log, const struct yl_http1_head *);

/* A request, and what its events come to. */
#define REQUEST(TEXT, EXPECTED)                                               \
    check(&(struct reading){ .role = REQUESTS }, YL_STR(TEXT), (EXPECTED))
#define RESPONSE(TEXT, EXPECTED)                                              \
    check(&(struct reading){ .role = RESPONSES }, YL_STR(TEXT), (EXPECTED))

/* A header in a request that is right without it. */
#define HEADER(TEXT, EXPECTED)                                                \
    REQUEST("GET / HTTP/1.1\r\nhost: a\r\n" TEXT "\r\n\r\n", EXPECTED)

/* A chunked body. */
#define CHUNKS(TEXT, EXPECTED)                                                \
    REQUEST("PUT / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n" \
            TEXT, EXPECTED)
#define CHUNKS_HEAD                                                           \
    "PUT / 11 host=a chunked keep\nhost: a\ntransfer-encoding: chunked\n"

TEST(a_request_is_taken_apart)
{
    REQUEST("GET /api/v1/pods?limit=5&x=a?b HTTP/1.1\r\n"
            "Host: example.org:6443\r\n"
            "User-Agent: \t kubectl/v1.20 (x; y) \t\r\n"
            "X-Empty:\r\n"
            "X-Blank:   \r\n"
            "ACCEPT:application/json\r\n\r\n",
            "GET /api/v1/pods ?limit=5&x=a?b 11 host=example.org:6443 keep\n"
            "host: example.org:6443\n"
            "user-agent: kubectl/v1.20 (x; y)\n"
            "x-empty: \n"
            "x-blank: \n"
            "accept: application/json\n"
            "END");
    REQUEST("get /?  HTTP/1.1\r\n\r\n",
            "400 the version of HTTP is malformed");
    REQUEST("M-SEARCH /? HTTP/1.1\r\nhost:\r\n\r\n",
            "M-SEARCH / ? 11 host= keep\nhost: \nEND");
}

TEST(a_path_is_passed_as_it_was_sent)
{
    REQUEST("GET /a/../b/%2f%2e%2E//./c%zz\\\"<>|^`{} HTTP/1.0\r\n\r\n",
            "GET /a/../b/%2f%2e%2E//./c%zz\\\"<>|^`{} 10 close\nEND");
}

TEST(an_absolute_target_gives_path_and_host)
{
    REQUEST("GET http://b.example:80/x?y HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /x ?y 11 host=b.example:80 keep\nhost: b.example:80\nEND");
    REQUEST("GET HTTPS://[::1]:443 HTTP/1.0\r\n\r\n",
            "GET / 10 host=[::1]:443 close\nEND");
    REQUEST("GET http://b?y HTTP/1.0\r\n\r\n",
            "GET / ?y 10 host=b close\nEND");
    REQUEST("GET http://b/x HTTP/1.1\r\n\r\n", "400 there is no Host");
    REQUEST("GET http:///x HTTP/1.1\r\nhost: a\r\n\r\n",
            "400 the target's host is malformed");
    REQUEST("GET http://u@b/x HTTP/1.1\r\nhost: a\r\n\r\n",
            "400 the target's host is malformed");
    REQUEST("GET ftp://b/x HTTP/1.1\r\nhost: a\r\n\r\n",
            "400 the target is malformed");
    REQUEST("GET http:/b/x HTTP/1.1\r\nhost: a\r\n\r\n",
            "400 the target is malformed");
    REQUEST("GET a/b HTTP/1.1\r\nhost: a\r\n\r\n",
            "400 the target is malformed");
}

TEST(a_request_line_is_strict)
{
    REQUEST("GET  / HTTP/1.1\r\n\r\n", "400 the version of HTTP is malformed");
    REQUEST(" GET / HTTP/1.1\r\n\r\n", "400 the request line is malformed");
    REQUEST("GET / HTTP/1.1 \r\n\r\n", "400 the version of HTTP is malformed");
    REQUEST("GET\t/ HTTP/1.1\r\n\r\n", "400 the request line is malformed");
    REQUEST("GET /\r\n\r\n", "400 the request line is malformed");
    REQUEST("GET / \r\n\r\n", "400 the version of HTTP is malformed");
    REQUEST("G(T / HTTP/1.1\r\n\r\n", "400 the request line is malformed");
    REQUEST("GET / http/1.1\r\n\r\n", "400 the version of HTTP is malformed");
    REQUEST("GET / HTTP/1.10\r\n\r\n",
            "400 the version of HTTP is malformed");
    REQUEST("GET / HTTP/1x1\r\n\r\n", "400 the version of HTTP is malformed");
    REQUEST("GET / HTTP/a.1\r\n\r\n", "400 the version of HTTP is malformed");
    REQUEST("GET / HTTP/1.a\r\n\r\n", "400 the version of HTTP is malformed");
    REQUEST("GET /a#b HTTP/1.1\r\n\r\n",
            "400 the target has characters that it may not");
    REQUEST("GET /\x01 HTTP/1.1\r\n\r\n",
            "400 the target has characters that it may not");
    REQUEST("GET /\x7f HTTP/1.1\r\n\r\n",
            "400 the target has characters that it may not");
    REQUEST("GET /\xc3\xa4 HTTP/1.1\r\n\r\n",
            "400 the target has characters that it may not");
    REQUEST("GET /\0 HTTP/1.1\r\n\r\n",
            "400 the target has characters that it may not");
    REQUEST("GET /a\tb HTTP/1.1\r\n\r\n",
            "400 the target has characters that it may not");
}

TEST(other_versions_are_505)
{
    const char *why = "505 the version of HTTP is not supported";

    REQUEST("GET / HTTP/1.2\r\n\r\n", why);
    REQUEST("GET / HTTP/0.9\r\n\r\n", why);
    REQUEST("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", why);
}

TEST(what_is_no_path_is_501)
{
    REQUEST("OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n",
            "501 a target that is no path is not supported");
    REQUEST("CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n",
            "501 the method is not supported");
    REQUEST("ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG / HTTP/1.1\r\n\r\n",
            "501 the method is not supported");
}

TEST(lines_end_with_crlf)
{
    const char *lf = "400 a line does not end with CRLF";

    REQUEST("GET / HTTP/1.1\nhost: a\r\n\r\n", lf);
    REQUEST("GET / HTTP/1.1\r\nhost: a\n\r\n", lf);
    REQUEST("GET / HTTP/1.1\r\nhost: a\r\n\n", lf);
    REQUEST("\n", lf);
    REQUEST("GET / HTTP/1.1\rhost: a\r\n\r\n", "400 a CR stands alone");
    REQUEST("GET / HTTP/1.1\r\r\nhost: a\r\n\r\n", "400 a CR stands alone");
    HEADER("x: a\rb", "400 a header has control characters");
    HEADER("x: a\r", "400 a header has control characters");
    HEADER("x: a\rTransfer-Encoding: chunked",
           "400 a header has control characters");
    HEADER("\rx: a", "400 a header's name is malformed");
}

TEST(one_empty_line_before_a_request_is_read_over)
{
    REQUEST("\r\nGET / HTTP/1.0\r\n\r\n", "GET / 10 close\nEND");
    REQUEST("\r\n\r\nGET / HTTP/1.0\r\n\r\n", "400 there is no first line");
    RESPONSE("\r\nHTTP/1.1 200 OK\r\n\r\n", "400 there is no first line");
}

TEST(header_names_are_tokens)
{
    const char *why = "400 a header's name is malformed";

    HEADER("x : y", why);
    HEADER("x\t: y", why);
    HEADER("x y: z", why);
    HEADER(": y", why);
    HEADER("x", why);
    HEADER("x\0: y", why);
    HEADER("\xc3\xa4: y", why);
    HEADER("\"x\": y", why);
    HEADER("x[]: y", why);
    HEADER("!#$%&'*+-.^_`|~09AZ: y",
           "GET / 11 host=a keep\nhost: a\n!#$%&'*+-.^_`|~09az: y\nEND");
}

TEST(header_values_have_no_control_characters)
{
    const char *why = "400 a header has control characters";

    HEADER("x: a\0b", why);
    HEADER("x: \x01", why);
    HEADER("x: \x7f", why);
    HEADER("x: \x0b", why);
    HEADER("x: \x1b[0m", why);
    HEADER("x: a\tb \xff\xfe",
           "GET / 11 host=a keep\nhost: a\nx: a\tb \xff\xfe\nEND");
}

TEST(folded_headers_are_refused)
{
    HEADER("x: a\r\n b", "400 a header is folded");
    HEADER("x: a\r\n\tb", "400 a header is folded");
    HEADER("x: a\r\n ", "400 a header is folded");
    REQUEST("GET / HTTP/1.1\r\n host: a\r\n\r\n", "400 a header is folded");
}

TEST(a_request_has_one_host)
{
    REQUEST("GET / HTTP/1.1\r\n\r\n", "400 there is no Host");
    REQUEST("GET / HTTP/1.0\r\n\r\n", "GET / 10 close\nEND");
    HEADER("Host: a", "400 there is more than one Host");
    REQUEST("GET / HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n",
            "400 there is more than one Host");
    REQUEST("GET / HTTP/1.1\r\nhost: a b\r\n\r\n",
            "400 the Host is malformed");
    REQUEST("GET / HTTP/1.1\r\nhost: a/b\r\n\r\n",
            "400 the Host is malformed");
    REQUEST("GET / HTTP/1.1\r\nhost: a@b\r\n\r\n",
            "400 the Host is malformed");
    REQUEST("GET / HTTP/1.1\r\nhost: \xc3\xa4\r\n\r\n",
            "400 the Host is malformed");
}

TEST(a_body_by_length_is_read)
{
    REQUEST("PUT / HTTP/1.1\r\nhost: a\r\nContent-Length: 5\r\n\r\nhello",
            "PUT / 11 host=a length=5 keep\nhost: a\ncontent-length: 5\n"
            "BODY hello\nEND");
    HEADER("content-length: 0",
           "GET / 11 host=a length=0 keep\nhost: a\ncontent-length: 0\nEND");
    HEADER("content-length: 0000", "GET / 11 host=a length=0 keep\nhost: a\n"
           "content-length: 0000\nEND");
    HEADER("content-length: 1", "GET / 11 host=a length=1 keep\nhost: a\n"
           "content-length: 1\nMORE");
}

TEST(content_lengths_are_numbers)
{
    const char *why = "400 the Content-Length is not a number";

    HEADER("content-length:", why);
    HEADER("content-length: +1", why);
    HEADER("content-length: -1", why);
    HEADER("content-length: 1 1", why);
    HEADER("content-length: 0x1", why);
    HEADER("content-length: 1,1", why);
    HEADER("content-length: 1, 1", why);
    HEADER("content-length: 1e3", why);
    HEADER("content-length: 1.0", why);
    HEADER("content-length: 1\xa0", why);
    HEADER("content-length: 3145729", "413 the body is too large");
    HEADER("content-length: 9999999999999999999",
           "413 the body is too large");
    HEADER("content-length: 00000000000000000001",
           "413 the Content-Length is too large");
    HEADER("content-length: 18446744073709551617",
           "413 the Content-Length is too large");
}

TEST(lengths_and_codings_do_not_contradict_each_other)
{
    const char *twice = "400 there is more than one Content-Length";
    const char *both = "400 there are both Content-Length and "
                       "Transfer-Encoding";

    HEADER("content-length: 1\r\ncontent-length: 2", twice);
    HEADER("content-length: 1\r\nCONTENT-LENGTH: 1", twice);
    HEADER("content-length: 0\r\ntransfer-encoding: chunked", both);
    HEADER("transfer-encoding: chunked\r\ncontent-length: 4", both);
}

TEST(only_chunked_is_a_transfer_encoding)
{
    const char *other = "501 the Transfer-Encoding is not \"chunked\"";
    const char *twice = "400 there is more than one Transfer-Encoding";

    HEADER("transfer-encoding: ChunkeD", "GET / 11 host=a chunked keep\n"
           "host: a\ntransfer-encoding: ChunkeD\nMORE");
    HEADER("transfer-encoding:", other);
    HEADER("transfer-encoding: identity", other);
    HEADER("transfer-encoding: xchunked", other);
    HEADER("transfer-encoding: chunkedx", other);
    HEADER("transfer-encoding: chunk", other);
    HEADER("transfer-encoding: chunkee", other);
    HEADER("transfer-encoding: \"chunked\"", other);
    HEADER("transfer-encoding: chunked;q=1", other);
    HEADER("transfer-encoding: chunked,", other);
    HEADER("transfer-encoding: ,chunked", other);
    HEADER("transfer-encoding: gzip, chunked", other);
    HEADER("transfer-encoding: chunked, identity", other);
    HEADER("transfer-encoding: chunked chunked", other);
    HEADER("transfer-encoding: chunked\x84", other);
    HEADER("transfer-encoding: chunked\x84\x84", other);
    HEADER("transfer-encoding: \x84" "chunked", other);
    HEADER("transfer-encoding: \x0b" "chunked",
           "400 a header has control characters");
    HEADER("transfer-encoding : chunked", "400 a header's name is malformed");
    HEADER("transfer-encoding: chunked\r\ntransfer-encoding: chunked", twice);
    HEADER("transfer-encoding: chunked\r\ntransfer-encoding: x", twice);
    HEADER("transfer-encoding: x\r\ntransfer-encoding: chunked", other);
    REQUEST("PUT / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n",
            "400 HTTP/1.0 has no Transfer-Encoding");
    HEADER("transfer_encoding: chunked",
           "GET / 11 host=a keep\nhost: a\ntransfer_encoding: chunked\nEND");
}

TEST(a_chunked_body_is_read)
{
    CHUNKS("0\r\n\r\n", CHUNKS_HEAD "END");
    CHUNKS("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
           CHUNKS_HEAD "BODY hello world\nEND");
    CHUNKS("00000A\r\n0123456789\r\nb\r\n0123456789a\r\n00\r\n\r\n",
           CHUNKS_HEAD "BODY 01234567890123456789a\nEND");
    CHUNKS("1;a\r\nx\r\n1;a=b;c=\"d \t\xff;\"\r\ny\r\n0;z\r\n\r\n",
           CHUNKS_HEAD "BODY xy\nEND");
    CHUNKS("0\r\nContent-Length: 5\r\nx:y\r\nz: \r\n\r\n", CHUNKS_HEAD "END");
}

TEST(chunks_are_strict)
{
    const char *size = CHUNKS_HEAD "400 a chunk's size is malformed";
    const char *chunk = CHUNKS_HEAD "400 a chunk is malformed";
    const char *trailer = CHUNKS_HEAD "400 a trailer is malformed";

    CHUNKS("\r\n", size);
    CHUNKS(";a\r\n", size);
    CHUNKS("-1\r\n", size);
    CHUNKS("+1\r\n", size);
    CHUNKS(" 1\r\n", size);
    CHUNKS("1 \r\n", size);
    CHUNKS("1 ;a\r\n", size);
    CHUNKS("0x1\r\n", size);
    CHUNKS("g\r\n", size);
    CHUNKS("1\n", size);
    CHUNKS("1\rx", chunk);
    CHUNKS("1;a\nx", CHUNKS_HEAD "400 a chunk's extension has control "
           "characters");
    CHUNKS("1;\x01", CHUNKS_HEAD "400 a chunk's extension has control "
           "characters");
    CHUNKS("1;a\rx", chunk);
    CHUNKS("1\r\nxy\r\n", CHUNKS_HEAD "BODY x\n400 a chunk is malformed");
    CHUNKS("1\r\nx\n", CHUNKS_HEAD "BODY x\n400 a chunk is malformed");
    CHUNKS("1\r\nx\rx", CHUNKS_HEAD "BODY x\n400 a chunk is malformed");
    CHUNKS("00000000000000000\r\n",
           CHUNKS_HEAD "400 a chunk's size has too many digits");
    CHUNKS("ffffffffffffffff\r\n", CHUNKS_HEAD "413 the body is too large");
    CHUNKS("300001\r\n", CHUNKS_HEAD "413 the body is too large");
    CHUNKS("1\r\nx\r\nffffffffffffffff\r\n",
           CHUNKS_HEAD "BODY x\n413 the body is too large");
    CHUNKS("0\r\n\n", trailer);
    CHUNKS("0\r\n\rx", chunk);
    CHUNKS("0\r\n x: y\r\n\r\n", trailer);
    CHUNKS("0\r\n: y\r\n\r\n", trailer);
    CHUNKS("0\r\nx\r\n\r\n", trailer);
    CHUNKS("0\r\nx : y\r\n\r\n", trailer);
    CHUNKS("0\r\nx: y\n\r\n", trailer);
    CHUNKS("0\r\nx: y\rz\r\n\r\n", trailer);
    CHUNKS("0\r\nx: \0\r\n\r\n", trailer);
}

TEST(expectations_are_told)
{
    HEADER("Expect: 100-Continue\r\ncontent-length: 1",
           "GET / 11 host=a length=1 keep expect\nhost: a\n"
           "expect: 100-Continue\ncontent-length: 1\nMORE");
    HEADER("expect: 100-continue\r\ntransfer-encoding: chunked",
           "GET / 11 host=a chunked keep expect\nhost: a\n"
           "expect: 100-continue\ntransfer-encoding: chunked\nMORE");
    HEADER("expect: 100-continue\r\ncontent-length: 0",
           "GET / 11 host=a length=0 keep\nhost: a\nexpect: 100-continue\n"
           "content-length: 0\nEND");
    HEADER("expect: 100-continue",
           "GET / 11 host=a keep\nhost: a\nexpect: 100-continue\nEND");
    HEADER("expect: tea", "417 the expectation is not known");
    HEADER("expect:", "417 the expectation is not known");
    HEADER("expect: 100-continue\r\nexpect: x",
           "417 the expectation is not known");
    REQUEST("PUT / HTTP/1.0\r\nexpect: 100-continue\r\ncontent-length: 1\r\n"
            "\r\nx", "PUT / 10 length=1 close\nexpect: 100-continue\n"
            "content-length: 1\nBODY x\nEND");
}

TEST(keep_alive_is_decided)
{
    HEADER("connection: close",
           "GET / 11 host=a close\nhost: a\nconnection: close\nEND");
    HEADER("connection: x,\t, Close ,y",
           "GET / 11 host=a close\nhost: a\nconnection: x,\t, Close ,y\nEND");
    HEADER("connection: keep-alive\r\nconnection: close",
           "GET / 11 host=a close\nhost: a\nconnection: keep-alive\n"
           "connection: close\nEND");
    HEADER("connection: closed",
           "GET / 11 host=a keep\nhost: a\nconnection: closed\nEND");
    HEADER("connection:", "GET / 11 host=a keep\nhost: a\nconnection: \nEND");
    HEADER("connection: a b", "400 the Connection is malformed");
    HEADER("connection: \"close\"", "400 the Connection is malformed");
    REQUEST("GET / HTTP/1.0\r\nconnection: Keep-Alive\r\n\r\n",
            "GET / 10 keep\nconnection: Keep-Alive\nEND");
    REQUEST("GET / HTTP/1.0\r\nconnection: keep-alive, close\r\n\r\n",
            "GET / 10 close\nconnection: keep-alive, close\nEND");
}

TEST(ceilings_hold)
{
    struct yl_http1_limits limits = { .target = 8, .head = 100,
                                      .n_headers = 2, .body = 4,
                                      .extras = 10 };
    struct reading r = { .role = REQUESTS, .limits = &limits };
    char text[256];

    check(&r, YL_STR("GET /2345678 HTTP/1.0\r\n\r\n"),
          "GET /2345678 10 close\nEND");
    check(&r, YL_STR("GET /23456789 HTTP/1.0\r\n\r\n"),
          "414 the target is too long");
    memset(text, 'x', sizeof text);
    check(&r, yl_str_n(text, 72), "MORE");
    check(&r, yl_str_n(text, 73), "414 the first line is too long");
    memcpy(text, "GET / HTTP/1.0\r\n", 16);
    check(&r, yl_str_n(text, 100), "MORE");
    check(&r, yl_str_n(text, 101), "431 the headers are too large");
    check(&r, YL_STR("GET / HTTP/1.0\r\na:\r\nb:\r\n\r\n"),
          "GET / 10 close\na: \nb: \nEND");
    check(&r, YL_STR("GET / HTTP/1.0\r\na:\r\nb:\r\nc:\r\n"),
          "431 there are too many headers");
    check(&r, YL_STR("GET / HTTP/1.0\r\ncontent-length: 5\r\n\r\n"),
          "413 the body is too large");
    check(&r, YL_STR("GET / HTTP/1.0\r\ncontent-length: 4\r\n\r\nabcd"),
          "GET / 10 length=4 close\ncontent-length: 4\nBODY abcd\nEND");
}

TEST(ceilings_hold_in_chunks)
{
    struct yl_http1_limits limits = { .body = 4, .extras = 10 };
    struct reading r = { .role = REQUESTS, .limits = &limits };

#define HEAD "PUT / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n"
    check(&r, YL_STR(HEAD "4\r\nabcd\r\n0\r\n\r\n"),
          CHUNKS_HEAD "BODY abcd\nEND");
    check(&r, YL_STR(HEAD "3\r\nabc\r\n2\r\nde\r\n"),
          CHUNKS_HEAD "BODY abc\n413 the body is too large");
    check(&r, YL_STR(HEAD "0;23456789\r\na:"), CHUNKS_HEAD
          "431 there is too much around the chunks");
    check(&r, YL_STR(HEAD "0;2345678901"), CHUNKS_HEAD "MORE");
    check(&r, YL_STR(HEAD "0;23456789012"), CHUNKS_HEAD
          "431 there is too much around the chunks");
    check(&r, YL_STR(HEAD "1;12345\r\na\r\n1;12345"), CHUNKS_HEAD
          "BODY a\n431 there is too much around the chunks");
    check(&r, YL_STR(HEAD "0\r\na:23456\r\nbc"), CHUNKS_HEAD
          "431 there is too much around the chunks");
    check(&r, YL_STR(HEAD "0\r\na:234567\r\n\r\n"), CHUNKS_HEAD "END");
#undef HEAD
}

TEST(pipelined_requests_come_one_by_one)
{
    struct yl_str in = YL_STR("PUT /1 HTTP/1.1\r\nhost: a\r\n"
                              "content-length: 2\r\n\r\nxyGET /2 HTTP/1.1\r\n"
                              "host: b\r\n\r\n\r\nGET /3 HT");
    struct yl_http1_reader r;
    struct yl_str piece;

    yl_http1_reader_init(&r, REQUESTS, NULL);
    assert_false(yl_http1_reader_is_busy(&r));
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_HEAD);
    assert_str_equal(r.head.path, "/1");
    assert_true(yl_http1_reader_is_busy(&r));
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_BODY);
    assert_str_equal(piece, "xy");
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_END);
    assert_true(yl_str_is_null(piece));
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_END);
    assert_int_equal(yl_http1_read_eof(&r), YL_HTTP1_END);
    assert_false(yl_http1_reader_is_busy(&r));
    assert_true(yl_str_starts_with(in, YL_STR("GET /2")));

    yl_http1_reader_next(&r);
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_HEAD);
    assert_str_equal(r.head.path, "/2");
    assert_str_equal(r.head.host, "b");
    assert_int_equal(r.head.n_headers, 1);
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_END);

    yl_http1_reader_next(&r);
    assert_int_equal(yl_http1_read_eof(&r), YL_HTTP1_MORE);
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_MORE);
    assert_int_equal(in.size, 0);
    assert_true(yl_http1_reader_is_busy(&r));
    assert_int_equal(yl_http1_read_eof(&r), YL_HTTP1_ERROR);
    assert_int_equal(yl_http1_read_eof(&r), YL_HTTP1_ERROR);
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_ERROR);
    assert_string_equal(r.why, "the message was cut off");
    yl_http1_reader_release(&r);
}

TEST(a_waiting_reader_holds_little)
{
    struct yl_http1_reader r;
    struct yl_buf text;
    struct yl_str in, piece;
    int i;

    yl_buf_init(&text, 1 << 20);
    yl_buf_append_c(&text, "GET / HTTP/1.0\r\n");
    for (i = 0; i < 200; i++) {
        yl_buf_printf(&text, "x-%d: %0100d\r\n", i, i);
    }
    yl_buf_append_c(&text, "\r\n");
    yl_http1_reader_init(&r, REQUESTS, NULL);
    in = yl_buf_str(&text);
    assert_int_equal(yl_http1_read(&r, &in, &piece), YL_HTTP1_HEAD);
    assert_int_equal(r.head.n_headers, 200);
    assert_str_equal(r.head.headers[199].name, "x-199");
    yl_http1_reader_next(&r);
    assert_true(r.bytes.capacity <= 2048);
    assert_true(r.headers_capacity <= 32);
    yl_http1_reader_release(&r);
    yl_buf_release(&text);
}

TEST(a_response_is_taken_apart)
{
    RESPONSE("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n\r\nhi",
             "200 (OK) 11 length=2 keep\ncontent-length: 2\nx: y\n"
             "BODY hi\nEND");
    RESPONSE("HTTP/1.1 404 \r\nTransfer-Encoding: chunked\r\n\r\n"
             "2\r\nhi\r\n0\r\n\r\n",
             "404 () 11 chunked keep\ntransfer-encoding: chunked\n"
             "BODY hi\nEND");
    RESPONSE("HTTP/1.0 200\r\ncontent-length: 0\r\n\r\n",
             "200 () 10 length=0 close\ncontent-length: 0\nEND");
    RESPONSE("HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n",
             "204 (No Content) 11 keep\ncontent-length: 0\nEND");
    RESPONSE("HTTP/1.1 304 x\r\nconnection: close\r\n"
             "content-length: 3\r\n\r\n",
             "304 (x) 11 close\nconnection: close\ncontent-length: 3\nEND");
    RESPONSE("HTTP/1.1 100 Continue\r\n\r\n", "100 (Continue) 11 keep\nEND");
    RESPONSE("HTTP/1.1 200 OK\r\nhost: a\r\nhost: a\r\nexpect: x\r\n"
             "content-length: 0\r\n\r\n",
             "200 (OK) 11 length=0 keep\nhost: a\nhost: a\nexpect: x\n"
             "content-length: 0\nEND");
}

TEST(a_status_without_a_body_has_none)
{
    const char *why = "400 a body follows a status that has none";

    RESPONSE("HTTP/1.1 204 x\r\ncontent-length: 3\r\n\r\nabc", why);
    RESPONSE("HTTP/1.1 101 x\r\ntransfer-encoding: chunked\r\n\r\n", why);
}

TEST(a_response_may_run_until_the_end)
{
    struct yl_http1_limits limits = { .body = 3 };
    struct reading r = { .role = RESPONSES, .limits = &limits, .eof = true };

    check(&r, YL_STR("HTTP/1.1 200 OK\r\n\r\n"),
          "200 (OK) 11 until-close close\nEND");
    check(&r, YL_STR("HTTP/1.1 200 OK\r\n\r\nabc"),
          "200 (OK) 11 until-close close\nBODY abc\nEND");
    check(&r, YL_STR("HTTP/1.1 200 OK\r\n\r\nabcd"),
          "200 (OK) 11 until-close close\nBODY abc\n"
          "413 the body is too large");
    check(&r, YL_STR("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab"),
          "200 (OK) 11 length=3 keep\ncontent-length: 3\nBODY ab\n"
          "400 the message was cut off");
    check(&r, YL_STR("HTTP/1.1 200"), "400 the message was cut off");
    check(&r, YL_STR(""), "MORE");
}

TEST(a_response_to_head_has_no_body)
{
    struct reading r = { .role = RESPONSES, .bodiless = true };

    check(&r, YL_STR("HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n"),
          "200 (OK) 11 keep\ncontent-length: 99999999\nEND");
    check(&r, YL_STR("HTTP/1.1 200 OK\r\n\r\n"), "200 (OK) 11 keep\nEND");
}

TEST(status_lines_are_strict)
{
    RESPONSE("HTTP/1.1\r\n\r\n", "400 the status line is malformed");
    RESPONSE("HTTP/2.0 200 OK\r\n\r\n",
             "505 the version of HTTP is not supported");
    RESPONSE("ICY 200 OK\r\n\r\n", "400 the version of HTTP is malformed");
    RESPONSE("HTTP/1.1  200 OK\r\n\r\n", "400 the status is malformed");
    RESPONSE("HTTP/1.1 20 OK\r\n\r\n", "400 the status is malformed");
    RESPONSE("HTTP/1.1 2000 OK\r\n\r\n", "400 the status is malformed");
    RESPONSE("HTTP/1.1 099 OK\r\n\r\n", "400 the status is malformed");
    RESPONSE("HTTP/1.1 2x0 OK\r\n\r\n", "400 the status is malformed");
    RESPONSE("HTTP/1.1 200 \x01\r\n\r\n",
             "400 the reason has control characters");
    RESPONSE("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n"
             "transfer-encoding: chunked\r\n\r\n",
             "400 there are both Content-Length and Transfer-Encoding");
}

/* Reads 'in' cut in all kinds of ways. */
static void
check(const struct reading *how, struct yl_str in, const char *expected)
{
    size_t i;

    check_cut(how, in, in.size, 1, expected);
    check_cut(how, in, 1, 1, expected);
    for (i = 0; i < in.size; i++) {
        check_cut(how, in, i, in.size, expected);
    }
}

/* Feeds 'first' bytes, then 'step' and 'step' and so on.  Each part stands in
 * memory of its own, so that a read past its end is seen. */
static void
check_cut(const struct reading *how, struct yl_str in, size_t first,
          size_t step, const char *expected)
{
    struct yl_http1_reader reader;
    struct yl_buf body, log;
    size_t at = 0;
    size_t n = first;
    bool more = true;

    yl_buf_init(&body, 1 << 20);
    yl_buf_init(&log, 1 << 20);
    yl_http1_reader_init(&reader, how->role, how->limits);
    if (how->bodiless) {
        yl_http1_reader_bodiless(&reader);
    }
    while (more) {
        size_t size = n < in.size - at ? n : in.size - at;
        char *part = malloc(size ? size : 1);
        size_t used;

        assert_non_null(part);
        memcpy(part, in.data + at, size);
        more = feed(&reader, yl_str_n(part, size), &body, &log, &used);
        free(part);
        at += used;
        n = step;
        if (more && at == in.size) {
            break;
        }
    }
    if (body.size) {
        yl_buf_printf(&log, "BODY %.*s\n", YL_STR_ARG(yl_buf_str(&body)));
    }
    switch (more && how->eof ? yl_http1_read_eof(&reader)
                             : yl_http1_read(&reader, &(struct yl_str){ 0 },
                                             &(struct yl_str){ 0 })) {
    case YL_HTTP1_MORE:
        yl_buf_append_c(&log, "MORE");
        break;
    case YL_HTTP1_END:
        yl_buf_append_c(&log, "END");
        break;
    default:
        yl_buf_printf(&log, "%d %s", reader.status, reader.why);
        break;
    }
    assert_string_equal(yl_buf_c_str(&log), expected);
    if (more || reader.status == 0) {
        assert_int_equal(at, in.size);
    }
    yl_http1_reader_release(&reader);
    yl_buf_release(&log);
    yl_buf_release(&body);
}

/* Returns true if the message goes on. */
static bool
feed(struct yl_http1_reader *reader, struct yl_str in, struct yl_buf *body,
     struct yl_buf *log, size_t *ret_used)
{
    size_t size = in.size;

    for (;;) {
        struct yl_str piece;
        enum yl_http1_event event = yl_http1_read(reader, &in, &piece);

        *ret_used = size - in.size;
        switch (event) {
        case YL_HTTP1_MORE:
            assert_int_equal(in.size, 0);
            return true;
        case YL_HTTP1_HEAD:
            log_head(log, &reader->head);
            break;
        case YL_HTTP1_BODY:
            assert_true(piece.size > 0);
            yl_buf_append_str(body, piece);
            break;
        default:
            return false;
        }
    }
}

static void
log_head(struct yl_buf *log, const struct yl_http1_head *h)
{
    size_t i;

    if (h->status) {
        yl_buf_printf(log, "%d (%.*s)", h->status, YL_STR_ARG(h->reason));
    } else {
        yl_buf_printf(log, "%.*s %.*s", YL_STR_ARG(h->method),
                      YL_STR_ARG(h->path));
    }
    if (!yl_str_is_null(h->query)) {
        yl_buf_printf(log, " ?%.*s", YL_STR_ARG(h->query));
    }
    yl_buf_printf(log, " %d", h->version);
    if (!yl_str_is_null(h->host)) {
        yl_buf_printf(log, " host=%.*s", YL_STR_ARG(h->host));
    }
    if (h->framing == YL_HTTP1_LENGTH) {
        yl_buf_printf(log, " length=%llu",
                      (unsigned long long) h->content_length);
    } else if (h->framing != YL_HTTP1_NO_BODY) {
        yl_buf_append_c(log, h->framing == YL_HTTP1_CHUNKED
                             ? " chunked" : " until-close");
    }
    yl_buf_append_c(log, h->keep_alive ? " keep" : " close");
    yl_buf_append_c(log, h->expect_continue ? " expect\n" : "\n");
    for (i = 0; i < h->n_headers; i++) {
        yl_buf_printf(log, "%.*s: %.*s\n", YL_STR_ARG(h->headers[i].name),
                      YL_STR_ARG(h->headers[i].value));
    }
}
