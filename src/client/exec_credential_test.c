/* Tests of what plug-ins are told and what they print. */

#include "client/exec_credential.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

#define V1 "client.authentication.k8s.io/v1"
#define HEAD "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1 "\""

static void
expect_written(const struct yl_client_config *config, const char *authorities,
               bool interactive, const char *want)
{
    struct yl_buf out;

    yl_buf_init(&out, 1 << 20);
    yl_exec_credential_write(config, yl_str_c(authorities), interactive, &out);
    assert_string_equal(yl_buf_c_str(&out), want);
    yl_buf_release(&out);
}

TEST(a_plug_in_is_told_little_unless_it_wants_more)
{
    struct yl_client_exec exec = { .api_version = V1, .command = "x" };
    struct yl_client_config config = { .server = "https://a:1",
                                       .exec = &exec };

    expect_written(&config, "CA", false,
                   HEAD ",\"spec\":{\"interactive\":false}}");
    expect_written(&config, "CA", true,
                   HEAD ",\"spec\":{\"interactive\":true}}");
    exec.provide_cluster_info = true;
    expect_written(&config, "", false,
                   HEAD ",\"spec\":{\"cluster\":{\"server\":\"https://a:1\","
                   "\"config\":null},\"interactive\":false}}");
    config.tls_server_name = "n\"";
    config.insecure = true;
    config.proxy_url = "http://p";
    config.disable_compression = true;
    exec.cluster_config = YL_STR("{\"a\":1}");
    expect_written(&config, "CA", false,
                   HEAD ",\"spec\":{\"cluster\":{\"server\":\"https://a:1\","
                   "\"tls-server-name\":\"n\\\"\","
                   "\"insecure-skip-tls-verify\":true,"
                   "\"certificate-authority-data\":\"Q0E=\","
                   "\"proxy-url\":\"http://p\",\"disable-compression\":true,"
                   "\"config\":{\"a\":1}},\"interactive\":false}}");
}

TEST(a_token_or_a_pair_is_read)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_exec_credential credential;

    assert_int_equal(yl_exec_credential_read(arena, YL_STR(
        HEAD ",\"status\":{\"token\":\"t\\u006f\",\"expirationTimestamp\":"
        "\"2030-01-02T03:04:05Z\"}}"), V1, &credential, NULL), 0);
    assert_str_equal(credential.token, "to");
    assert_int_equal(credential.certificate.size, 0);
    assert_int_equal(credential.expires.seconds, 1893553445);

    assert_int_equal(yl_exec_credential_read(arena, YL_STR(
        "kind: ExecCredential\napiVersion: " V1 "\nstatus:\n"
        "  clientCertificateData: C\n  clientKeyData: K\n"
        "  token: null\n  expirationTimestamp: null\n"), V1, &credential,
        NULL), 0);
    assert_str_equal(credential.certificate, "C");
    assert_str_equal(credential.key, "K");
    assert_true(yl_time_is_zero(credential.expires));
    yl_arena_free(arena);
}

TEST(what_is_wrong_is_said_in_client_go_s_words)
{
    static const struct {
        const char *output, *message;
    } cases[] = {
        { "", "decoding stdout: " },
        { "{", "decoding stdout: " },
        { "[]", "decoding stdout: it is not an object of kind "
                "ExecCredential" },
        { "{\"kind\":\"Pod\"}", "kind ExecCredential" },
        { "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1 "beta1\"}",
          "exec plugin is configured to use API version " V1 ", plugin "
          "returned version " V1 "beta1" },
        { "{\"kind\":\"ExecCredential\"}", "plugin returned version " },
        { HEAD "}", "exec plugin didn't return a status field" },
        { HEAD ",\"status\":{}}",
          "exec plugin didn't return a token or cert/key pair" },
        { HEAD ",\"status\":{\"clientKeyData\":\"x\"}}",
          "exec plugin returned only certificate or key, not both" },
        { HEAD ",\"status\":{\"token\":\"t\",\"clientCertificateData\":"
          "\"x\"}}",
          "exec plugin returned only certificate or key, not both" },
        { HEAD ",\"status\":{\"token\":5}}", "status.token must be a string" },
        { HEAD ",\"status\":{\"token\":\"a\\u0000\"}}",
          "status.token must be a string" },
        { HEAD ",\"status\":{\"token\":\"t\",\"expirationTimestamp\":"
          "\"soon\"}}", "status.expirationTimestamp is not a time" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_exec_credential credential;
    struct yl_error err = YL_ERROR_INIT;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_exec_credential_read(
            arena, yl_str_c(cases[i].output), V1, &credential, &err),
            YL_EUNAUTHORIZED);
        if (!strstr(yl_error_message(&err), cases[i].message)) {
            fail_msg("\"%s\" lacks \"%s\"", yl_error_message(&err),
                     cases[i].message);
        }
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
}
