/* The client: its configuration, TLS and metrics. */

#include "client/client.h"

#include <unistd.h>

#include "base/file.h"
#include "certs.h"
#include "script_rig.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/metrics.h"

static const struct yl_key node = { { NULL, 0 }, YL_STR_INIT("n") };

static int
get(struct yl_error *err)
{
    return yl_client_get(script.client, &rig_nodes, &node, NULL, NULL, err);
}

TEST(a_generated_kind_is_a_resource)
{
    struct yl_resource resource = yl_resource_of(&apps_v1_deployment_kind);

    assert_str_equal(resource.gvr.group, "apps");
    assert_str_equal(resource.gvr.version, "v1");
    assert_str_equal(resource.gvr.resource, "deployments");
    assert_str_equal(resource.kind, "Deployment");
    assert_true(resource.namespaced);
}

TEST(a_configuration_that_makes_no_sense_is_refused)
{
    static const struct yl_client_config cases[] = {
        { .server = NULL },
        { .server = "ftp://a" },
        { .server = "https://a", .ca_file = "/nonexistent" },
        { .server = "https://a", .token = "a\nb" },
        { .server = "https://a", .user_agent = "a\r\nb: c" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_client *client = NULL;

        assert_int_equal(yl_client_new(&cases[i], NULL, &client, &err),
                         YL_EINVALID);
        assert_null(client);
        assert_non_null(err.message);
        yl_error_clear(&err);
    }
}

TEST(a_client_is_counted)
{
    struct yl_client *client;

    assert_int_equal(yl_client_new(&(struct yl_client_config) {
        .server = "http://a",
    }, NULL, &client, NULL), 0);
    assert_ptr_equal(yl_client_ref(client), client);
    assert_null(yl_client_unref(client));
    assert_null(yl_client_unref(client));
    assert_null(yl_client_unref(NULL));
}

/* Servers take what stands before the slash for the manager of fields. */
TEST(the_user_agent_begins_with_the_name_of_the_program)
{
    struct yl_client *client;

    assert_int_equal(yl_client_new(&(struct yl_client_config) {
        .server = "http://a",
    }, NULL, &client, NULL), 0);
    assert_true(yl_str_starts_with(yl_str_c(client->user_agent),
                                   YL_STR("client-client_test/yuloh "
                                          "(linux/")));
    yl_client_unref(client);
}

TEST(calls_are_measured)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_str values[] = {
        YL_STR("404"), YL_STR("GET"), YL_STR("host:1"),
    };

    script_open_with((struct yl_client_config) { .server = "http://host:1" },
                     (struct yl_client_opts) { .metrics = metrics });
    script_answer(429, "retry-after: 0\n", "");
    script_answer(404, "", "");
    assert_int_equal(get(NULL), YL_ENOTFOUND);
    assert_int_equal(yl_counter_value(
                         yl_metric_counter(script.client->metrics.requests,
                                           values)), 1);
    assert_int_equal(yl_counter_value(
                         yl_metric_counter(script.client->metrics.retries,
                                           values)), 1);
    values[0] = YL_STR("429");
    assert_int_equal(yl_counter_value(
                         yl_metric_counter(script.client->metrics.requests,
                                           values)), 1);
    assert_int_equal(yl_counter_value(
                         yl_metric_counter(script.client->metrics.retries,
                                           values)), 0);
    script_close();
    yl_metrics_free(metrics);
}

/* Certificates in a folder of their own. */
static struct {
    char folder[64], ca[96], other[96], certificate[96], key[96];
} files;

static void
write_certificates(void)
{
    struct cert ca, other, server;

    snprintf(files.folder, sizeof files.folder, "/tmp/client_test.XXXXXX");
    assert_non_null(mkdtemp(files.folder));
    snprintf(files.ca, sizeof files.ca, "%s/ca", files.folder);
    snprintf(files.other, sizeof files.other, "%s/other", files.folder);
    snprintf(files.certificate, sizeof files.certificate, "%s/crt",
             files.folder);
    snprintf(files.key, sizeof files.key, "%s/key", files.folder);
    cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
    cert_make(&other, NULL, "/CN=other", 3600, CERT_CA);
    cert_make(&server, &ca, "/CN=localhost", 3600, CERT_SERVER);
    cert_write(&ca, files.ca, NULL);
    cert_write(&other, files.other, NULL);
    cert_write(&server, files.certificate, files.key);
    cert_release(&ca);
    cert_release(&other);
    cert_release(&server);
}

static void
remove_certificates(void)
{
    unlink(files.ca);
    unlink(files.other);
    unlink(files.certificate);
    unlink(files.key);
    rmdir(files.folder);
}

static void
open_tls(struct yl_client_config config)
{
    script_tls = (struct yl_tls_files) {
        .certificate = files.certificate, .key = files.key,
    };
    script_open_with(config, (struct yl_client_opts) { .clock = NULL });
    script_answer(404, "", "");
}

TEST(a_server_must_have_a_certificate_that_is_trusted)
{
    struct yl_error err = YL_ERROR_INIT;

    write_certificates();
    open_tls((struct yl_client_config) {
        .server = "https://localhost:1", .ca_file = files.ca,
    });
    assert_int_equal(get(&err), YL_ENOTFOUND);
    script_close();
    open_tls((struct yl_client_config) {
        .server = "https://localhost:1", .ca_file = files.other,
    });
    assert_int_equal(get(&err), YL_EUNAVAILABLE);
    script_close();

    /* It must be for that name, or for the one that we say. */
    open_tls((struct yl_client_config) {
        .server = "https://other:1", .ca_file = files.ca,
    });
    assert_int_equal(get(&err), YL_EUNAVAILABLE);
    script_close();
    open_tls((struct yl_client_config) {
        .server = "https://other:1", .ca_file = files.ca,
        .tls_server_name = "localhost",
    });
    assert_int_equal(get(&err), YL_ENOTFOUND);
    script_close();
    open_tls((struct yl_client_config) {
        .server = "https://other:1", .insecure = true,
    });
    assert_int_equal(get(&err), YL_ENOTFOUND);
    script_close();
    yl_error_clear(&err);
    remove_certificates();
}

static void
put(const char *path, const char *text)
{
    assert_int_equal(yl_file_replace(path, yl_str_c(text), 0600, NULL), 0);
}

TEST(a_401_makes_the_next_call_read_the_token_again)
{
    static const char *const groups[] = { "ops" };

    write_certificates();
    put(files.other, "old\n");
    script_open_with((struct yl_client_config) {
        .server = "http://a", .token_file = files.other,
        .impersonate = { .user = "jane", .groups = groups, .n_groups = 1 },
    }, (struct yl_client_opts) { .clock = NULL });
    script.verbose = true;
    script_answer(401, "", "");
    script_answer(404, "", "");
    put(files.other, "new\n");
    assert_int_equal(get(NULL), YL_EUNAUTHORIZED);
    assert_non_null(strstr(script_heard(),
                           "authorization: Bearer old\n"));
    assert_non_null(strstr(script_heard(),
                           "impersonate-user: jane\n"
                           "  impersonate-group: ops\n"));
    assert_int_equal(get(NULL), YL_ENOTFOUND);
    assert_non_null(strstr(script_heard(),
                           "authorization: Bearer new\n"));
    script_close();
    remove_certificates();
}

TEST(authorities_that_were_replaced_are_trusted_by_new_connections)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    size_t size;
    char *right;

    write_certificates();
    right = read_file(files.ca, &size);
    script_tls = (struct yl_tls_files) {
        .certificate = files.certificate, .key = files.key,
    };
    script_open_with((struct yl_client_config) {
        .server = "https://localhost:1", .ca_file = files.other,
    }, (struct yl_client_opts) { .clock = clock });
    script_answer(404, "", "");
    assert_int_equal(get(NULL), YL_EUNAVAILABLE);
    put(files.other, right);
    yl_clock_fake_advance(clock, 60000);
    assert_int_equal(get(NULL), YL_ENOTFOUND);
    script_close();
    script_tls = (struct yl_tls_files) { .key = NULL };
    free(right);
    remove_certificates();
    yl_clock_free(clock);
}
