/* The URL of an API server. */

#include "client/server_url.h"

#include "unit.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"

TEST(urls_are_taken_apart)
{
    static const struct {
        const char *text;
        bool default_tls;
        bool tls;
        const char *host;       /* NULL: refused. */
        int port;
        const char *authority, *prefix;
    } cases[] = {
        { "https://a:6443", false, true, "a", 6443, "a:6443", "" },
        { "https://a", false, true, "a", 443, "a", "" },
        { "http://a", true, false, "a", 80, "a", "" },
        { "http://a/", false, false, "a", 80, "a", "" },
        { "https://a/k8s/b//", false, true, "a", 443, "a", "/k8s/b" },
        { "https://[::1]:1", false, true, "::1", 1, "[::1]:1", "" },
        { "https://[::1]/x", false, true, "::1", 443, "[::1]", "/x" },
        { "https://a:/x", false, true, "a", 443, "a:", "/x" },
        { "a:8080", false, false, "a", 8080, "a:8080", "" },
        { "a", true, true, "a", 443, "a", "" },
        { "ftp://a", false, false, NULL, 0, NULL, NULL },
        { "https://", false, false, NULL, 0, NULL, NULL },
        { "https:///x", false, false, NULL, 0, NULL, NULL },
        { "", false, false, NULL, 0, NULL, NULL },
        { "https://u:p@a", false, false, NULL, 0, NULL, NULL },
        { "https://a:0", false, false, NULL, 0, NULL, NULL },
        { "https://a:65536", false, false, NULL, 0, NULL, NULL },
        { "https://a:1x", false, false, NULL, 0, NULL, NULL },
        { "https://[::1", false, false, NULL, 0, NULL, NULL },
        { "https://[::1]x", false, false, NULL, 0, NULL, NULL },
        { "https://[]:1", false, false, NULL, 0, NULL, NULL },
        { "https://a?x", false, false, NULL, 0, NULL, NULL },
        { "https://a/#x", false, false, NULL, 0, NULL, NULL },
        { "https://a b", false, false, NULL, 0, NULL, NULL },
        { "https://a\r\nb", false, false, NULL, 0, NULL, NULL },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_server_url url;
        int r = yl_server_url_parse(yl_str_c(cases[i].text),
                                    cases[i].default_tls, &url, &err);

        if (!cases[i].host) {
            assert_int_equal(r, YL_EINVALID);
            assert_non_null(err.message);
            yl_error_clear(&err);
            continue;
        }
        assert_int_equal(r, 0);
        assert_int_equal(url.tls, cases[i].tls);
        assert_str_equal(url.host, cases[i].host);
        assert_int_equal(url.port, cases[i].port);
        assert_str_equal(url.authority, cases[i].authority);
        assert_str_equal(url.prefix, cases[i].prefix);
    }
}
