/* Tests of dialers. */

#include "net/dialer.h"

#include <fcntl.h>
#include <sys/socket.h>

#include "client_rig.h"

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
