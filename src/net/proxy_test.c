/* Tests of proxies: their URLs, and what they are told and answer. */

#include "net/proxy.h"

#include "unit.h"
#include "yuloh/error.h"

static void
check_url(const char *url, enum yl_proxy_kind kind, const char *host,
          uint16_t port, const char *user, const char *password)
{
    struct yl_proxy proxy;

    assert_int_equal(yl_proxy_parse(url, &proxy, NULL), 0);
    assert_int_equal(proxy.kind, kind);
    assert_string_equal(proxy.host, host);
    assert_int_equal(proxy.port, port);
    if (user) {
        assert_string_equal(proxy.user, user);
        assert_string_equal(proxy.password, password);
    } else {
        assert_null(proxy.user);
        assert_null(proxy.password);
    }
    yl_proxy_release(&proxy);
}

TEST(urls_are_read)
{
    check_url("http://proxy:3128", YL_PROXY_HTTP, "proxy", 3128, NULL, NULL);
    check_url("http://proxy", YL_PROXY_HTTP, "proxy", 80, NULL, NULL);
    check_url("proxy:8080/", YL_PROXY_HTTP, "proxy", 8080, NULL, NULL);
    check_url("https://a:b@p/", YL_PROXY_HTTPS, "p", 443, "a", "b");
    check_url("socks5://u@p", YL_PROXY_SOCKS5, "p", 1080, "u", "");
    check_url("socks5h://[::1]:99", YL_PROXY_SOCKS5, "::1", 99, NULL, NULL);
    check_url("http://a%40b:c%3Ad@p", YL_PROXY_HTTP, "p", 80, "a@b", "c:d");
    check_url("http://a:b@c@p", YL_PROXY_HTTP, "p", 80, "a", "b@c");
}

TEST(bad_urls_are_refused_without_telling_the_password)
{
    static const char *const urls[] = {
        "", "ftp://p", "http://", "http://p:0", "http://p:65536",
        "http://p:x", "http://[::1", "http://[::1]x", "http://p/path",
        "http://u:secret@", "http://u:%zz@p", "http://p q", "http://p?q",
        "http://u:secret@p:99999", "http://a%00b@p",
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(urls); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_proxy proxy;

        assert_int_equal(yl_proxy_parse(urls[i], &proxy, &err), YL_EINVALID);
        assert_null(strstr(yl_error_message(&err), "secret"));
        yl_error_clear(&err);
    }
}

/* A talk with a proxy that gives certain answers. */
static struct yl_proxy proxy;
static struct yl_proxy_talk talk;
static struct yl_buf out;

static void
begin(const char *url, const char *host, uint16_t port)
{
    assert_int_equal(yl_proxy_parse(url, &proxy, NULL), 0);
    yl_proxy_talk_init(&talk, &proxy, host, port);
    yl_buf_init(&out, 1 << 20);
    assert_int_equal(yl_proxy_begin(&talk, &out, NULL), 0);
}

static void
end(void)
{
    yl_buf_release(&out);
    yl_proxy_talk_release(&talk);
    yl_proxy_release(&proxy);
}

/* What was sent since the last call. */
#define assert_sent(BYTES)                                                    \
    do {                                                                      \
        assert_int_equal(out.size, sizeof(BYTES) - 1);                        \
        assert_memory_equal(out.data, BYTES, sizeof(BYTES) - 1);              \
        yl_buf_clear(&out);                                                   \
    } while (0)

#define answer(BYTES) \
    yl_proxy_receive(&talk, YL_STR(BYTES), &out, NULL)

TEST(connect_asks_with_credentials)
{
    begin("http://user:pass@p", "::1", 6443);
    assert_sent("CONNECT [::1]:6443 HTTP/1.1\r\nhost: [::1]:6443\r\n"
                "proxy-authorization: Basic dXNlcjpwYXNz\r\n\r\n");
    assert_int_equal(answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 2"), 0);
    assert_int_equal(answer("00 OK\r\nContent-Length: 7\r\n\r"), 0);
    assert_int_equal(answer("\n"), 1);
    end();
}

TEST(connect_without_credentials)
{
    begin("http://p", "example.com", 443);
    assert_sent("CONNECT example.com:443 HTTP/1.1\r\n"
                "host: example.com:443\r\n\r\n");
    assert_int_equal(answer("HTTP/1.0 200 Connection established\r\n\r\n"), 1);
    end();
}

TEST(connect_may_be_refused)
{
    struct yl_error err = YL_ERROR_INIT;

    begin("http://p", "example.com", 443);
    assert_int_equal(yl_proxy_receive(
        &talk, YL_STR("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
        &out, &err), YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&err), "the proxy has answered 407 "
                                                "Proxy Authentication "
                                                "Required");
    yl_error_clear(&err);
    end();
    begin("http://p", "example.com", 443);
    assert_int_equal(answer("SSH-2.0-OpenSSH\r\n\r\n"), YL_EUNAVAILABLE);
    end();
    begin("http://p", "example.com", 443);
    assert_int_equal(answer("HTTP/1.1 200 OK\r\n\r\nextra"), YL_EUNAVAILABLE);
    end();
    begin("http://p", "example.com", 443);
    assert_int_equal(yl_proxy_receive_eof(&talk, NULL), YL_EUNAVAILABLE);
    end();
}

TEST(socks_connects_by_name)
{
    begin("socks5://p", "a.b", 443);
    assert_sent("\5\1\0");
    assert_int_equal(answer("\5"), 0);
    assert_int_equal(answer("\0"), 0);
    assert_sent("\5\1\0\3\3a.b\1\273");
    assert_int_equal(answer("\5\0\0\1\1\2\3\4\0"), 0);
    assert_int_equal(answer("\7"), 1);
    end();
}

TEST(socks_connects_by_address_and_authenticates)
{
    begin("socks5h://me:pw@p", "127.0.0.1", 80);
    assert_sent("\5\2\0\2");
    assert_int_equal(answer("\5\2"), 0);
    assert_sent("\1\2me\2pw");
    assert_int_equal(answer("\1\0"), 0);
    assert_sent("\5\1\0\1\177\0\0\1\0\120");
    assert_int_equal(answer("\5\0\0\3\2xy\0\7"), 1);
    end();
    begin("socks5://p", "::1", 80);
    assert_sent("\5\1\0");
    assert_int_equal(answer("\5\0"), 0);
    assert_sent("\5\1\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\120");
    assert_int_equal(answer("\5\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\1"),
                     1);
    end();
}

TEST(socks_may_be_refused)
{
    static const struct {
        const char *url;
        struct yl_str first, second;
        const char *why;
    } cases[] = {
        { "socks5://p", YL_STR_INIT("\4\0"), YL_STR_INIT(""), "SOCKS 5" },
        { "socks5://p", YL_STR_INIT("\5\377"), YL_STR_INIT(""), "a user" },
        { "socks5://p", YL_STR_INIT("\5\2"), YL_STR_INIT(""), "a user" },
        { "socks5://u:p@p", YL_STR_INIT("\5\2"), YL_STR_INIT("\1\1"),
          "refuses the user" },
        { "socks5://u:p@p", YL_STR_INIT("\5\2"), YL_STR_INIT("\5\0"),
          "SOCKS 5" },
        { "socks5://p", YL_STR_INIT("\5\0"),
          YL_STR_INIT("\5\5\0\1\0\0\0\0\0\0"), "connection refused" },
        { "socks5://p", YL_STR_INIT("\5\0"),
          YL_STR_INIT("\5\11\0\1\0\0\0\0\0\0"), "unknown failure" },
        { "socks5://p", YL_STR_INIT("\5\0"), YL_STR_INIT("\5\0\0\2\0"),
          "SOCKS 5" },
        { "socks5://p", YL_STR_INIT("\5\0"),
          YL_STR_INIT("\5\0\0\1\0\0\0\0\0\0x"), "more than its answer" },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        int r;

        begin(cases[i].url, "h", 1);
        r = yl_proxy_receive(&talk, cases[i].first, &out, &err);
        if (cases[i].second.size) {
            assert_int_equal(r, 0);
            r = yl_proxy_receive(&talk, cases[i].second, &out, &err);
        }
        assert_int_equal(r, YL_EUNAVAILABLE);
        assert_non_null(strstr(yl_error_message(&err), cases[i].why));
        yl_error_clear(&err);
        end();
    }
}
