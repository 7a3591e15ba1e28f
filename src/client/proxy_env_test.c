/* Tests of proxies from the environment. */

#include "client/proxy_env.h"

#include "unit.h"
#include "yuloh/arena.h"

/* Names and values by turns, up to NULL. */
static const char *
lookup(void *environment_, const char *name)
{
    const char *const *environment = environment_;

    for (; *environment; environment += 2) {
        if (strcmp(*environment, name) == 0) {
            return environment[1];
        }
    }
    return NULL;
}

static void
expect(const char *const *environment, const char *url, const char *want)
{
    bool tls = strncmp(url, "https://", 8) == 0;
    struct yl_arena *arena = yl_arena_new();
    struct yl_str host, port;
    unsigned long long number;
    const char *proxy;

    assert_true(yl_str_cut(yl_str_c(url + (tls ? 8 : 7)), '|', &host, &port));
    assert_int_equal(yl_str_to_u64(port, &number), 0);
    proxy = yl_proxy_from_env(arena, lookup, (void *) environment, tls, host,
                              (uint16_t) number);
    if (want && !proxy) {
        fail_msg("%s: no proxy", url);
    } else if (want) {
        assert_string_equal(proxy, want);
    } else if (proxy) {
        fail_msg("%s: %s", url, proxy);
    }
    yl_arena_free(arena);
}

TEST(the_scheme_chooses_the_variable)
{
    static const char *const both[] = {
        "HTTPS_PROXY", "http://s:1", "http_proxy", "p:2", NULL,
    };
    static const char *const lower[] = {
        "https_proxy", "socks5://l", "HTTPS_PROXY", "", NULL,
    };
    static const char *const cgi[] = {
        "HTTP_PROXY", "http://evil", "REQUEST_METHOD", "GET", NULL,
    };
    static const char *const none[] = { NULL };

    expect(both, "https://example.com|443", "http://s:1");
    expect(both, "http://example.com|80", "http://p:2");
    expect(lower, "https://example.com|443", "socks5://l");
    expect(lower, "http://example.com|80", NULL);
    expect(cgi, "http://example.com|80", NULL);
    expect(none, "https://example.com|443", NULL);
}

TEST(loopback_never_has_a_proxy)
{
    static const char *const environment[] = {
        "HTTPS_PROXY", "http://s:1", NULL,
    };

    expect(environment, "https://localhost|6443", NULL);
    expect(environment, "https://127.9.9.9|6443", NULL);
    expect(environment, "https://::1|6443", NULL);
    expect(environment, "https://::ffff:127.0.0.1|6443", NULL);
    expect(environment, "https://128.0.0.1|6443", "http://s:1");
}

TEST(exceptions_are_names_addresses_and_networks)
{
    static const struct {
        const char *no_proxy, *url;
        bool excepted;
    } cases[] = {
        { "*", "https://a|1", true },
        { "b, *", "https://a|1", true },
        { "example.com", "https://example.com|1", true },
        { "example.com", "https://a.example.com|1", true },
        { "example.com", "https://notexample.com|1", false },
        { "EXAMPLE.com", "https://A.Example.COM|1", true },
        { ".example.com", "https://example.com|1", false },
        { ".example.com", "https://a.b.example.com|1", true },
        { "*.example.com", "https://example.com|1", false },
        { "*.example.com", "https://a.example.com|1", true },
        { "example.com:443", "https://example.com|443", true },
        { "example.com:443", "https://example.com|80", false },
        { " , ,x, example.com ", "https://example.com|1", true },
        { ":443", "https://example.com|443", false },
        { "10.1.2.3", "https://10.1.2.3|1", true },
        { "10.1.2.3:2", "https://10.1.2.3|1", false },
        { "10.1.2.3:2", "https://10.1.2.3|2", true },
        { "1.2.3", "https://10.1.2.3|1", true },
        { "10.0.0.0/8", "https://10.1.2.3|1", true },
        { "10.0.0.0/8", "https://11.1.2.3|1", false },
        { "10.0.0.0/33", "https://10.0.0.0|1", false },
        { "10.0.0.0/8", "https://ten|1", false },
        { "0.0.0.0/0", "https://10.1.2.3|1", true },
        { "0.0.0.0/0", "https://fd00::1|1", false },
        { "fd00::/8", "https://fd12::3|1", true },
        { "fd00::/8", "https://fe12::3|1", false },
        { "fd00::1", "https://fd00:0::1|1", true },
        { "[fd00::1]:6443", "https://fd00::1|6443", true },
        { "[fd00::1]:6443", "https://fd00::1|443", false },
        { "::ffff:10.1.2.3", "https://10.1.2.3|1", true },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        const char *environment[] = {
            "HTTPS_PROXY", "http://s:1", "no_proxy", cases[i].no_proxy, NULL,
        };

        expect(environment, cases[i].url,
               cases[i].excepted ? NULL : "http://s:1");
    }
}
