/* Tests of credentials. */

#include "client/credentials.h"

#include <unistd.h>

#include "base/file.h"
#include "base/thread.h"
#include "certs.h"
#include "net/tls.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

#define V1 "client.authentication.k8s.io/v1"
#define MINUTE 60000

struct fixture {
    char directory[40];
    struct yl_arena *arena;
    struct yl_credentials *credentials;
    struct yl_credentials_use use;
    struct yl_error err;
};

static void
set_up(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    snprintf(f->directory, sizeof f->directory, "/tmp/yuloh-cred-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    f->arena = yl_arena_new();
}

static char *
path_of(struct fixture *f, const char *name)
{
    return yl_arena_printf(f->arena, "%s/%s", f->directory, name);
}

static void
put(struct fixture *f, const char *name, const char *text)
{
    assert_int_equal(yl_file_replace(path_of(f, name), yl_str_c(text), 0600,
                                     NULL), 0);
}

static void
start(struct fixture *f, const struct yl_client_config *config)
{
    if (yl_credentials_new(config, 0, &f->credentials, &f->err) < 0) {
        fail_msg("%s", yl_error_message(&f->err));
    }
}

static void
expect(struct fixture *f, yl_msec now, const char *authorization)
{
    if (yl_credentials_now(f->credentials, now, NULL, f->arena, &f->use,
                           &f->err) < 0) {
        fail_msg("%s", yl_error_message(&f->err));
    }
    if (authorization) {
        assert_str_equal(f->use.authorization, authorization);
    } else {
        assert_true(yl_str_is_null(f->use.authorization));
    }
}

static void
tear_down(struct fixture *f)
{
    static const char *const names[] = { "token", "ca", "crt", "key", "runs",
                                         "out" };
    size_t i;

    yl_credentials_free(f->credentials);
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        unlink(path_of(f, names[i]));
    }
    assert_int_equal(rmdir(f->directory), 0);
    yl_error_clear(&f->err);
    yl_arena_free(f->arena);
}

TEST(nobody_a_token_and_a_password)
{
    struct fixture f;

    set_up(&f);
    start(&f, &(struct yl_client_config) { .server = "https://x" });
    expect(&f, 0, NULL);
    yl_credentials_free(f.credentials);
    start(&f, &(struct yl_client_config) { .token = "t" });
    expect(&f, 10 * MINUTE, "Bearer t");
    yl_credentials_free(f.credentials);
    start(&f, &(struct yl_client_config) { .username = "joe",
                                           .password = "s:1" });
    expect(&f, 0, "Basic am9lOnM6MQ==");
    assert_int_equal(yl_credentials_new(
        &(struct yl_client_config) { .token = "a\nb" }, 0, &f.credentials,
        &f.err), YL_EINVALID);
    tear_down(&f);
}

TEST(a_token_file_is_read_again_each_minute)
{
    struct fixture f;
    uint64_t generation;

    set_up(&f);
    put(&f, "token", " one\n");
    start(&f, &(struct yl_client_config) {
        .token_file = path_of(&f, "token") });
    expect(&f, 0, "Bearer one");
    generation = f.use.generation;
    put(&f, "token", "two");
    expect(&f, 49999, "Bearer one");
    assert_int_equal(f.use.generation, generation);
    expect(&f, 50000, "Bearer two");
    assert_true(f.use.generation > generation);
    assert_int_equal(f.use.tls_generation, 0);
    tear_down(&f);
}

TEST(while_a_token_cannot_be_read_the_last_one_counts)
{
    struct fixture f;
    char *path;

    set_up(&f);
    path = path_of(&f, "token");
    assert_int_equal(yl_credentials_new(
        &(struct yl_client_config) { .token_file = path }, 0, &f.credentials,
        &f.err), YL_EINVALID);
    put(&f, "token", " \n");
    assert_int_equal(yl_credentials_new(
        &(struct yl_client_config) { .token_file = path }, 0, &f.credentials,
        &f.err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&f.err), "read empty token"));

    start(&f, &(struct yl_client_config) { .token_file = path,
                                           .token = "first" });
    expect(&f, 0, "Bearer first");
    put(&f, "token", "file");
    expect(&f, MINUTE, "Bearer file");
    unlink(path);
    expect(&f, 2 * MINUTE, "Bearer file");
    put(&f, "token", "again");
    expect(&f, 3 * MINUTE, "Bearer again");
    tear_down(&f);
}

TEST(a_401_reads_the_file_at_once_unless_it_was_read_since)
{
    struct fixture f;
    uint64_t old;

    set_up(&f);
    put(&f, "token", "one");
    start(&f, &(struct yl_client_config) {
        .token_file = path_of(&f, "token") });
    expect(&f, 0, "Bearer one");
    old = f.use.generation;
    put(&f, "token", "two");
    yl_credentials_refused(f.credentials, old);
    expect(&f, 1, "Bearer two");
    put(&f, "token", "three");
    yl_credentials_refused(f.credentials, old);
    expect(&f, 2, "Bearer two");
    yl_credentials_refused(f.credentials, f.use.generation);
    expect(&f, 3, "Bearer three");
    tear_down(&f);
}

/* A PEM text of a certificate or its key. */
static char *
pem_of(struct fixture *f, const struct cert *cert, bool is_key)
{
    char *path = path_of(f, "out"), *other = path_of(f, "runs");
    size_t size;
    char *text, *copy;

    cert_write(cert, is_key ? other : path, is_key ? path : other);
    text = read_file(path, &size);
    copy = yl_arena_strdup(f->arena, yl_str_c(text));
    free(text);
    return copy;
}

TEST(certificates_in_files_are_rotated)
{
    struct cert ca, ca_2, client, client_2;
    struct yl_client_config config = { .server = "https://x" };
    struct yl_tls_client *tls;
    struct fixture f;
    uint64_t first, generation;

    set_up(&f);
    cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
    cert_make(&ca_2, NULL, "/CN=ca-2", 3600, CERT_CA);
    cert_make(&client, &ca, "/CN=joe", 3600, CERT_CLIENT);
    cert_make(&client_2, &ca, "/CN=joe", 3600, CERT_CLIENT);
    put(&f, "ca", pem_of(&f, &ca, false));
    put(&f, "crt", pem_of(&f, &client, false));
    put(&f, "key", pem_of(&f, &client, true));
    config.ca_file = path_of(&f, "ca");
    config.certificate_file = path_of(&f, "crt");
    config.key_file = path_of(&f, "key");
    start(&f, &config);
    expect(&f, 0, NULL);
    first = f.use.tls_generation;
    assert_int_equal(yl_credentials_make_tls(f.credentials, &tls, &generation,
                                             &f.err), 0);
    yl_tls_client_free(tls);
    assert_int_equal(generation, first);

    /* Half of a pair is not used; the other half makes it whole. */
    put(&f, "crt", pem_of(&f, &client_2, false));
    expect(&f, MINUTE, NULL);
    assert_int_equal(f.use.tls_generation, first);
    put(&f, "key", pem_of(&f, &client_2, true));
    expect(&f, 2 * MINUTE, NULL);
    assert_int_equal(f.use.tls_generation, first + 1);
    put(&f, "ca", pem_of(&f, &ca_2, false));
    expect(&f, 3 * MINUTE, NULL);
    assert_int_equal(f.use.tls_generation, first + 2);
    put(&f, "ca", "not PEM");
    expect(&f, 4 * MINUTE, NULL);
    assert_int_equal(f.use.tls_generation, first + 2);
    assert_int_equal(yl_credentials_make_tls(f.credentials, &tls, &generation,
                                             &f.err), 0);
    yl_tls_client_free(tls);

    yl_credentials_free(f.credentials);
    f.credentials = NULL;
    assert_int_equal(yl_credentials_new(&config, 0, &f.credentials, &f.err),
                     YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&f.err), config.ca_file));
    cert_release(&ca);
    cert_release(&ca_2);
    cert_release(&client);
    cert_release(&client_2);
    tear_down(&f);
}

/* Counts its runs in the file "runs" and prints the file "out". */
static void
start_plugin(struct fixture *f, struct yl_client_exec *exec,
             const char *args[2], const char *script)
{
    args[0] = "-c";
    args[1] = yl_arena_printf(f->arena, "cd %s; echo >>runs; %s",
                              f->directory, script);
    *exec = (struct yl_client_exec) {
        .api_version = V1, .command = "sh", .args = args, .n_args = 2,
        .interactive_mode = YL_CLIENT_EXEC_NEVER,
    };
    put(f, "runs", "");
    start(f, &(struct yl_client_config) { .server = "https://x",
                                          .exec = exec });
}

static void
put_output(struct fixture *f, const char *status)
{
    put(f, "out", yl_arena_printf(f->arena, "{\"kind\":\"ExecCredential\","
                                  "\"apiVersion\":\"" V1 "\",\"status\":{%s}}",
                                  status));
}

static size_t
n_runs(struct fixture *f)
{
    size_t size;

    free(read_file(path_of(f, "runs"), &size));
    return size;
}

TEST(a_plug_in_runs_when_it_is_needed)
{
    struct yl_client_exec exec;
    const char *args[2];
    struct fixture f;
    uint64_t old;

    set_up(&f);
    start_plugin(&f, &exec, args, "cat out");
    assert_int_equal(n_runs(&f), 0);
    put_output(&f, "\"token\":\"a\"");
    expect(&f, 0, "Bearer a");
    expect(&f, 100 * MINUTE, "Bearer a");
    assert_int_equal(n_runs(&f), 1);

    /* A 401 runs it again, once. */
    put_output(&f, "\"token\":\"b\",\"expirationTimestamp\":"
                   "\"1999-01-01T00:00:00Z\"");
    old = f.use.generation;
    yl_credentials_refused(f.credentials, old);
    expect(&f, 101 * MINUTE, "Bearer b");
    yl_credentials_refused(f.credentials, old);
    assert_int_equal(n_runs(&f), 2);

    /* It has expired already. */
    put_output(&f, "\"token\":\"c\",\"expirationTimestamp\":"
                   "\"2999-01-01T00:00:00Z\"");
    expect(&f, 102 * MINUTE, "Bearer c");
    expect(&f, 103 * MINUTE, "Bearer c");
    assert_int_equal(n_runs(&f), 3);
    expect(&f, INT64_C(1) << 60, "Bearer c");
    assert_int_equal(n_runs(&f), 4);
    tear_down(&f);
}

TEST(a_plug_in_s_failure_is_the_request_s)
{
    struct yl_client_exec exec;
    const char *args[2];
    struct fixture f;

    set_up(&f);
    start_plugin(&f, &exec, args, "exec cat out 2>&-");
    assert_int_equal(yl_credentials_now(f.credentials, 0, NULL, f.arena,
                                        &f.use, &f.err), YL_EUNAUTHORIZED);
    assert_string_equal(yl_error_message(&f.err), "getting credentials: exec: "
                        "executable sh failed with exit code 1");
    put_output(&f, "\"token\":\"a\\nb\"");
    assert_int_equal(yl_credentials_now(f.credentials, 0, NULL, f.arena,
                                        &f.use, &f.err), YL_EINVALID);
    put_output(&f, "\"token\":\"ok\"");
    expect(&f, 0, "Bearer ok");
    tear_down(&f);
}

TEST(a_plug_in_may_give_a_certificate)
{
    struct yl_client_exec exec;
    const char *args[2];
    struct cert ca, client;
    struct fixture f;
    char *certificate, *key, *p;

    set_up(&f);
    cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
    cert_make(&client, &ca, "/CN=joe", 3600, CERT_CLIENT);
    certificate = pem_of(&f, &client, false);
    key = pem_of(&f, &client, true);
    for (p = certificate; *p; p++) {
        *p = *p == '\n' ? '|' : *p;
    }
    for (p = key; *p; p++) {
        *p = *p == '\n' ? '|' : *p;
    }
    start_plugin(&f, &exec, args, "sed 's/|/\\\\n/g' out");
    put_output(&f, yl_arena_printf(f.arena, "\"clientCertificateData\":\"%s\","
                                   "\"clientKeyData\":\"%s\"", certificate,
                                   key));
    expect(&f, 0, NULL);
    assert_int_equal(f.use.tls_generation, 1);
    expect(&f, MINUTE, NULL);
    assert_int_equal(f.use.tls_generation, 1);
    put_output(&f, yl_arena_printf(f.arena, "\"token\":\"t\","
                                   "\"clientCertificateData\":\"%s\","
                                   "\"clientKeyData\":\"broken\"",
                                   certificate));
    yl_credentials_refused(f.credentials, f.use.generation);
    assert_int_equal(yl_credentials_now(f.credentials, 0, NULL, f.arena,
                                        &f.use, &f.err), YL_EINVALID);
    cert_release(&ca);
    cert_release(&client);
    tear_down(&f);
}

TEST(a_plug_in_that_must_ask_needs_a_terminal)
{
    struct yl_client_exec exec = {
        .api_version = V1, .command = "sh",
        .interactive_mode = YL_CLIENT_EXEC_ALWAYS,
    };
    struct fixture f;

    if (isatty(STDIN_FILENO)) {
        skip();
    }
    set_up(&f);
    start(&f, &(struct yl_client_config) { .exec = &exec });
    assert_int_equal(yl_credentials_now(f.credentials, 0, NULL, f.arena,
                                        &f.use, &f.err), YL_EUNAUTHORIZED);
    assert_non_null(strstr(yl_error_message(&f.err),
                           "standard input is not a terminal"));
    tear_down(&f);
}

TEST(a_token_goes_before_a_plug_in)
{
    struct yl_client_exec exec = { .api_version = V1, .command = "false" };
    struct fixture f;

    set_up(&f);
    start(&f, &(struct yl_client_config) { .exec = &exec, .token = "t" });
    expect(&f, 0, "Bearer t");
    tear_down(&f);
}

struct asker {
    struct yl_thread thread;
    struct fixture *f;
    struct yl_cancel *cancel;
    int r;
};

static void
ask(void *asker_)
{
    struct asker *asker = asker_;
    struct yl_arena *arena = yl_arena_new();
    struct yl_credentials_use use;

    asker->r = yl_credentials_now(asker->f->credentials, 0, asker->cancel,
                                  arena, &use, NULL);
    yl_arena_free(arena);
}

TEST(however_many_wait_it_runs_once)
{
    struct yl_client_exec exec;
    const char *args[2];
    struct asker askers[8];
    struct fixture f;
    size_t i;

    set_up(&f);
    put_output(&f, "\"token\":\"t\"");
    start_plugin(&f, &exec, args, "cat out");
    for (i = 0; i < YL_ARRAY_SIZE(askers); i++) {
        askers[i] = (struct asker) { .f = &f };
        assert_int_equal(yl_thread_start(&askers[i].thread, "ask", ask,
                                         &askers[i]), 0);
    }
    for (i = 0; i < YL_ARRAY_SIZE(askers); i++) {
        yl_thread_join(&askers[i].thread);
        assert_int_equal(askers[i].r, 0);
    }
    assert_int_equal(n_runs(&f), 1);
    tear_down(&f);
}

TEST(a_cancel_ends_the_call_that_it_belongs_to_and_no_other)
{
    struct yl_cancel *cancel = yl_cancel_new(), *set = yl_cancel_new();
    struct yl_client_exec exec;
    const char *args[2];
    struct asker first, second;
    struct fixture f;

    /* It hangs if there is nothing to print. */
    set_up(&f);
    start_plugin(&f, &exec, args, "if test -e out; then cat out; "
                                  "else echo >key; sleep 1000; fi");
    first = (struct asker) { .f = &f, .cancel = cancel };
    second = (struct asker) { .f = &f };
    assert_int_equal(yl_thread_start(&first.thread, "first", ask, &first), 0);
    while (access(path_of(&f, "key"), F_OK) != 0) {
        usleep(1000);
    }

    /* Whoever waits for the run of another thread can be canceled, too. */
    yl_cancel_now(set);
    assert_int_equal(yl_credentials_now(f.credentials, 0, set, f.arena,
                                        &f.use, &f.err), YL_ECANCELED);
    assert_string_equal(yl_error_message(&f.err),
                        "getting credentials: canceled");

    /* The second most likely waits for the first when that is canceled. */
    assert_int_equal(yl_thread_start(&second.thread, "second", ask, &second),
                     0);
    usleep(5000);
    put_output(&f, "\"token\":\"t\"");
    yl_cancel_now(cancel);
    yl_thread_join(&first.thread);
    yl_thread_join(&second.thread);
    assert_int_equal(first.r, YL_ECANCELED);
    assert_int_equal(second.r, 0);
    assert_int_equal(n_runs(&f), 2);
    yl_cancel_unref(cancel);
    yl_cancel_unref(set);
    tear_down(&f);
}

TEST(a_canceled_run_is_no_failure_for_those_who_try)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct yl_client_exec exec;
    const char *args[2];
    struct fixture f;

    set_up(&f);
    put_output(&f, "\"token\":\"t\"");
    start_plugin(&f, &exec, args, "cat out");
    yl_cancel_now(cancel);
    assert_int_equal(yl_credentials_now(f.credentials, 0, cancel, f.arena,
                                        &f.use, &f.err), YL_ECANCELED);
    assert_int_equal(yl_credentials_try(f.credentials, 0, f.arena, &f.use,
                                        &f.err), YL_EUNAVAILABLE);

    /* The thread that has begun gets them. */
    expect(&f, 0, "Bearer t");
    yl_cancel_unref(cancel);
    tear_down(&f);
}

TEST(trying_never_waits)
{
    struct yl_client_exec exec;
    const char *args[2];
    struct fixture f;
    int r;

    set_up(&f);
    put_output(&f, "\"token\":\"t\"");
    start_plugin(&f, &exec, args, "cat out");
    assert_int_equal(yl_credentials_try(f.credentials, 0, f.arena, &f.use,
                                        &f.err), YL_EUNAVAILABLE);

    /* Whoever may wait gets what the thread got. */
    expect(&f, 0, "Bearer t");
    assert_int_equal(yl_credentials_try(f.credentials, 1, f.arena, &f.use,
                                        &f.err), 0);
    assert_str_equal(f.use.authorization, "Bearer t");
    assert_int_equal(n_runs(&f), 1);

    /* A failure is reported, and it is not run again for a while. */
    unlink(path_of(&f, "out"));
    yl_credentials_refused(f.credentials, f.use.generation);
    r = yl_credentials_now(f.credentials, 100, NULL, f.arena, &f.use, &f.err);
    assert_int_equal(r, YL_EUNAUTHORIZED);
    assert_int_equal(yl_credentials_try(f.credentials, 101, f.arena, &f.use,
                                        &f.err), YL_EUNAUTHORIZED);
    assert_int_equal(n_runs(&f), 2);

    /* Freeing ends a plug-in that hangs. */
    yl_credentials_free(f.credentials);
    start_plugin(&f, &exec, args, "sleep 1000");
    assert_int_equal(yl_credentials_try(f.credentials, 0, f.arena, &f.use,
                                        &f.err), YL_EUNAVAILABLE);
    tear_down(&f);
}
