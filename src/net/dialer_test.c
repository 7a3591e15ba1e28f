/* Tests of dialers. */

#include "net/dialer.h"

#include <fcntl.h>
#include <sys/socket.h>

#include "net/http_pool.h"
#include "proxy_rig.h"

static const char *
authority(const char *host, uint16_t port, bool tls)
{
    static char text[64];
    struct yl_http_dialer_opts opts = { .host = host, .port = port };
    struct yl_tls_client_opts tls_opts = { .insecure = true };
    struct yl_http_dialer *dialer;

    if (tls) {
        assert_int_equal(yl_tls_client_new(&tls_opts, &opts.tls, NULL), 0);
    }
    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    assert_int_equal(yl_http_dialer_has_tls(dialer), tls);
    snprintf(text, sizeof text, "%.*s",
             YL_STR_ARG(yl_http_dialer_authority(dialer)));
    yl_http_dialer_unref(dialer);
    return text;
}

TEST(the_authority_leaves_out_a_default_port)
{
    assert_string_equal(authority("a.example", 0, false), "a.example");
    assert_string_equal(authority("a.example", 443, true), "a.example");
    assert_string_equal(authority("a.example", 443, false), "a.example:443");
    assert_string_equal(authority("::1", 6443, true), "[::1]:6443");
}

TEST(bad_options_are_refused_and_taken_all_the_same)
{
    static const char *const hosts[] = { NULL, "", "a b", "a/b", "[::1]" };
    struct yl_tls_client_opts tls_opts = { .insecure = true };
    struct yl_http_dialer *dialer;

    for (size_t i = 0; i < YL_ARRAY_SIZE(hosts); i++) {
        struct yl_http_dialer_opts opts = { .host = hosts[i] };

        assert_int_equal(yl_tls_client_new(&tls_opts, &opts.tls, NULL), 0);
        assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL),
                         YL_EINVALID);
    }
}

static int
hook(void *aux, struct yl_cancel *cancel YL_UNUSED, int *ret_fd,
     struct yl_error *err)
{
    int fds[2];

    if (!aux) {
        return yl_error_set(err, YL_EFORBIDDEN, "not today");
    }
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    *(int *) aux = fds[1];
    *ret_fd = fds[0];
    return 0;
}

TEST(a_hook_takes_the_place_of_tcp)
{
    int other = -1;
    struct yl_http_dialer_opts opts = {
        .host = "nowhere", .connect = hook, .aux = &other
    };
    struct yl_http_dialer *dialer;
    struct yl_dialed dialed;
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    assert_int_equal(yl_http_dial(dialer, YL_NEVER, NULL, &dialed, NULL), 0);
    assert_true(fcntl(dialed.fd, F_GETFL) & O_NONBLOCK);
    assert_null(dialed.tls);
    close(dialed.fd);
    close(other);
    yl_http_dialer_unref(dialer);

    opts.aux = NULL;
    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    assert_int_equal(yl_http_dial(dialer, YL_NEVER, NULL, &dialed, &err),
                     YL_EFORBIDDEN);
    assert_string_equal(yl_error_message(&err), "not today");
    yl_error_clear(&err);
    yl_http_dialer_unref(dialer);
}

TEST(new_certificates_begin_a_generation)
{
    struct yl_http_dialer *dialer;
    struct yl_dialed dialed;

    far_start(&(struct yl_http_server_opts) { 0 });
    dialer = far_dialer(FAR_HTTP2);
    assert_int_equal(yl_http_dialer_generation(dialer), 0);
    yl_http_dialer_set_tls(dialer, far_tls(false));
    assert_int_equal(yl_http_dialer_generation(dialer), 1);
    assert_int_equal(yl_http_dial(dialer, YL_NEVER, NULL, &dialed, NULL), 0);
    assert_int_equal(dialed.generation, 1);
    assert_non_null(dialed.tls);
    yl_tls_free(dialed.tls);
    close(dialed.fd);
    yl_http_dialer_unref(dialer);
    far_stop();
}

/* A whole call through a proxy: TLS to the server inside of what the proxy
 * passes on. */
static void
check_proxy(enum proxy_how how, enum far_how far_how, const char *url,
            const char *asked)
{
    struct yl_http_call call = {
        .target = YL_STR("/bytes?1000000"), .max_body = 1 << 20
    };
    struct yl_http_dialer_opts opts = { 0 };
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_http_dialer *dialer;
    struct yl_http_pool *pool;
    struct yl_http_whole whole;
    char text[64];

    far_start(&(struct yl_http_server_opts) { 0 });
    proxy_start(how, far_how == FAR_CLEAR
                ? yl_http_server_clear_port(far.server)
                : yl_http_server_port(far.server));
    snprintf(text, sizeof text, "%s%u", url, (unsigned) proxy.port);
    opts.proxy = text;
    opts.proxy_tls = how == PROXY_HTTPS ? far_tls(true) : NULL;
    dialer = far_dialer_with(far_how, &opts);
    pool = yl_http_pool_new(dialer, NULL);
    if (yl_http_call_whole(pool, &call, arena, &whole, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    assert_int_equal(whole.body.size, 1000000);
    assert_int_equal(whole.answer.version, far_how == FAR_HTTP2 ? 20 : 11);
    yl_http_pool_free(pool);
    yl_http_dialer_unref(dialer);
    proxy_join();
    assert_non_null(strstr(yl_buf_c_str(&proxy.asked), asked));
    yl_buf_release(&proxy.asked);
    yl_arena_free(arena);
    far_stop();
}

TEST(calls_go_through_an_http_proxy)
{
    check_proxy(PROXY_HTTP, FAR_HTTP2, "http://a:b@127.0.0.1:",
                "proxy-authorization: Basic YTpi\r\n");
    check_proxy(PROXY_HTTP, FAR_CLEAR, "127.0.0.1:", "CONNECT 127.0.0.1:");
}

TEST(calls_go_through_an_https_proxy)
{
    check_proxy(PROXY_HTTPS, FAR_HTTP2, "https://127.0.0.1:",
                "CONNECT 127.0.0.1:");
    check_proxy(PROXY_HTTPS, FAR_CLEAR, "https://127.0.0.1:",
                "CONNECT 127.0.0.1:");
}

TEST(calls_go_through_a_socks_proxy)
{
    check_proxy(PROXY_SOCKS, FAR_HTTP2, "socks5://127.0.0.1:", "\5\1");
}

TEST(an_https_proxy_needs_its_options)
{
    struct yl_http_dialer_opts opts = { .host = "a", .proxy = "https://b" };
    struct yl_http_dialer *dialer;

    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), YL_EINVALID);
}

TEST(a_proxy_that_is_not_there_is_an_error_with_its_name)
{
    struct yl_http_dialer_opts opts = { .host = "a" };
    struct sockaddr_in in = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_http_dialer *dialer;
    struct yl_dialed dialed;
    socklen_t size = sizeof in;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    char url[64];

    assert_int_equal(bind(listener, (struct sockaddr *) &in, size), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *) &in, &size),
                     0);
    snprintf(url, sizeof url, "http://127.0.0.1:%u", ntohs(in.sin_port));
    opts.proxy = url;
    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    assert_int_equal(yl_http_dial(dialer, YL_NEVER, NULL, &dialed, &err),
                     YL_EUNAVAILABLE);
    assert_non_null(strstr(yl_error_message(&err), "127.0.0.1 port "));
    yl_error_clear(&err);
    yl_http_dialer_unref(dialer);
    close(listener);
}
