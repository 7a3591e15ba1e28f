/* Tests of where the configuration of a client is looked for. */

#include "yuloh/client_config.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit.h"
#include "yuloh/error.h"

/* A directory and an environment of the test's own. */
struct fixture {
    char directory[32];
    char kubeconfig[200];       /* KUBECONFIG. */
    char home[64];
    const char *host, *port, *pod_namespace;
    struct yl_client_config_opts opts;
    struct yl_client_config *config;
    struct yl_error err;
};

static const char *
lookup(void *f_, const char *name)
{
    const struct fixture *f = f_;

    return strcmp(name, "KUBECONFIG") == 0 ? f->kubeconfig
           : strcmp(name, "HOME") == 0 ? f->home
           : strcmp(name, "KUBERNETES_SERVICE_HOST") == 0 ? f->host
           : strcmp(name, "KUBERNETES_SERVICE_PORT") == 0 ? f->port
           : strcmp(name, "POD_NAMESPACE") == 0 ? f->pod_namespace
           : NULL;
}

static void
set_up(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    snprintf(f->directory, sizeof f->directory, "/tmp/yuloh-config-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    f->opts.get_env = lookup;
    f->opts.get_env_aux = f;
    f->opts.service_account_dir = f->directory;
}

static const char *
path_of(struct fixture *f, const char *name)
{
    static char path[4][128];
    static int i;

    i = (i + 1) % 4;
    snprintf(path[i], sizeof path[i], "%s/%s", f->directory, name);
    return path[i];
}

static void
put(struct fixture *f, const char *name, const char *text)
{
    assert_int_equal(yl_file_replace(path_of(f, name), yl_str_c(text), 0600,
                                     NULL), 0);
}

static void
load(struct fixture *f)
{
    yl_client_config_free(f->config);
    f->config = NULL;
    if (yl_client_config_load(&f->opts, &f->config, &f->err) < 0) {
        fail_msg("%s", yl_error_message(&f->err));
    }
}

static void
refuse(struct fixture *f, int code, const char *message)
{
    struct yl_client_config *config = NULL;

    assert_int_equal(yl_client_config_load(&f->opts, &config, &f->err), code);
    assert_null(config);
    if (!strstr(yl_error_message(&f->err), message)) {
        fail_msg("\"%s\" lacks \"%s\"", yl_error_message(&f->err), message);
    }
}

static void
tear_down(struct fixture *f)
{
    static const char *const files[] = {
        "a", "b", "c", "token", "ca.crt", "namespace", ".kube/config",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(files); i++) {
        unlink(path_of(f, files[i]));
    }
    rmdir(path_of(f, ".kube"));
    assert_int_equal(rmdir(f->directory), 0);
    yl_client_config_free(f->config);
    yl_error_clear(&f->err);
}

#define NAMED(NAME)                                                           \
    "clusters: [{name: " NAME ", cluster: {server: https://" NAME "}}]\n"     \
    "users: [{name: " NAME ", user: {token: " NAME "}}]\n"                    \
    "contexts: [{name: " NAME ", context: {cluster: " NAME ", user: " NAME    \
    "}}]\n"
#define WHOLE(NAME) NAMED(NAME) "current-context: " NAME "\n"

TEST(the_order_is_flag_environment_pod_home)
{
    struct fixture f;

    set_up(&f);
    refuse(&f, YL_ENOTFOUND, "HOME is not set");
    snprintf(f.home, sizeof f.home, "%s", f.directory);
    refuse(&f, YL_ENOTFOUND, "/.kube/config does not exist; use --kubeconfig");

    assert_int_equal(mkdir(path_of(&f, ".kube"), 0700), 0);
    put(&f, ".kube/config", WHOLE("home"));
    load(&f);
    assert_string_equal(f.config->server, "https://home");
    assert_string_equal(f.config->token, "home");

    f.host = "10.0.0.1";
    f.port = "443";
    load(&f);
    assert_string_equal(f.config->server, "https://home");
    put(&f, "token", "t");
    load(&f);
    assert_string_equal(f.config->server, "https://10.0.0.1:443");

    snprintf(f.kubeconfig, sizeof f.kubeconfig, "%s", path_of(&f, "a"));
    load(&f);
    assert_string_equal(f.config->server, "https://10.0.0.1:443");
    put(&f, "a", WHOLE("env"));
    load(&f);
    assert_string_equal(f.config->server, "https://env");

    f.opts.kubeconfig = path_of(&f, "b");
    refuse(&f, YL_ENOTFOUND, "/b: No such file");
    put(&f, "b", WHOLE("flag"));
    load(&f);
    assert_string_equal(f.config->server, "https://flag");
    tear_down(&f);
}

TEST(kubeconfig_that_names_no_file_does_not_mean_home)
{
    struct fixture f;

    set_up(&f);
    snprintf(f.home, sizeof f.home, "%s", f.directory);
    assert_int_equal(mkdir(path_of(&f, ".kube"), 0700), 0);
    put(&f, ".kube/config", WHOLE("home"));
    snprintf(f.kubeconfig, sizeof f.kubeconfig, "/nowhere:/not/there");
    refuse(&f, YL_ENOTFOUND, "none of the files in KUBECONFIG=/nowhere");
    tear_down(&f);
}

TEST(files_in_the_environment_are_merged)
{
    struct fixture f;

    set_up(&f);
    snprintf(f.kubeconfig, sizeof f.kubeconfig, ":%s::%s:%s:%s",
             path_of(&f, "missing"), path_of(&f, "a"), path_of(&f, "b"),
             path_of(&f, "a"));
    put(&f, "a", NAMED("x"));
    put(&f, "b", WHOLE("z"));
    load(&f);
    assert_string_equal(f.config->server, "https://z");
    f.opts.context = "x";
    load(&f);
    assert_string_equal(f.config->server, "https://x");
    f.opts.user = "z";
    load(&f);
    assert_string_equal(f.config->server, "https://x");
    assert_string_equal(f.config->token, "z");
    f.opts.cluster = "z";
    load(&f);
    assert_string_equal(f.config->server, "https://z");
    put(&f, "b", "clusters: 5");
    refuse(&f, YL_ETYPE, "/b: clusters must be a list");
    tear_down(&f);
}

TEST(master_takes_the_place_of_the_url)
{
    struct fixture f;

    set_up(&f);
    f.opts.master = "https://elsewhere:1";
    load(&f);
    assert_string_equal(f.config->server, "https://elsewhere:1");
    assert_string_equal(f.config->namespace_, "default");
    put(&f, "a", "current-context: c\n"
        "clusters: [{name: c, cluster: {server: https://x, "
        "tls-server-name: name}}]\n"
        "contexts: [{name: c, context: {cluster: c, namespace: web}}]");
    f.opts.kubeconfig = path_of(&f, "a");
    load(&f);
    assert_string_equal(f.config->server, "https://elsewhere:1");
    assert_null(f.config->tls_server_name);
    assert_string_equal(f.config->namespace_, "web");
    f.opts.master = NULL;
    f.opts.namespace_ = "mine";
    load(&f);
    assert_string_equal(f.config->tls_server_name, "name");
    assert_string_equal(f.config->namespace_, "mine");
    tear_down(&f);
}

TEST(in_a_pod_everything_comes_from_the_service_account)
{
    struct fixture f;

    set_up(&f);
    assert_int_equal(yl_client_config_in_cluster(&f.opts, &f.config, &f.err),
                     YL_ENOTFOUND);
    f.host = "fd00::1";
    f.port = "6443";
    assert_int_equal(yl_client_config_in_cluster(&f.opts, &f.config, &f.err),
                     YL_ENOTFOUND);
    assert_non_null(strstr(yl_error_message(&f.err), "service account"));
    put(&f, "token", "t");
    load(&f);
    assert_string_equal(f.config->server, "https://[fd00::1]:6443");
    assert_string_equal(f.config->token_file, path_of(&f, "token"));
    assert_null(f.config->ca_file);
    assert_string_equal(f.config->namespace_, "default");
    put(&f, "ca.crt", "CA");
    put(&f, "namespace", " team\n");
    load(&f);
    assert_string_equal(f.config->ca_file, path_of(&f, "ca.crt"));
    assert_string_equal(f.config->namespace_, "team");
    f.pod_namespace = "pod";
    load(&f);
    assert_string_equal(f.config->namespace_, "pod");
    f.opts.master = "https://m";
    f.opts.namespace_ = "n";
    load(&f);
    assert_string_equal(f.config->server, "https://m");
    assert_string_equal(f.config->token_file, path_of(&f, "token"));
    assert_string_equal(f.config->namespace_, "n");
    tear_down(&f);
}

TEST(the_token_of_a_pod_is_never_sent_without_tls)
{
    struct fixture f;

    set_up(&f);
    f.host = "10.0.0.1";
    f.port = "443";
    put(&f, "token", "t");
    put(&f, "ca.crt", "CA");
    f.opts.master = "http://m:8080";
    load(&f);
    assert_string_equal(f.config->server, "http://m:8080");
    assert_null(f.config->token_file);
    assert_null(f.config->ca_file);
    tear_down(&f);
}

TEST(credentials_are_never_sent_without_tls)
{
    struct yl_client_config *config;

    assert_int_equal(yl_client_config_from_kubeconfig(YL_STR(
        "current-context: c\n"
        "clusters: [{name: c, cluster: {server: HTTP://x}}]\n"
        "users: [{name: u, user: {token: secret, username: u, "
        "password: p, as: jane}}]\n"
        "contexts: [{name: c, context: {cluster: c}}, "
        "{name: d, context: {cluster: c, user: u}}]"),
        &(struct yl_client_config_opts) { .context = "d" }, &config, NULL),
        YL_EINVALID);
    assert_int_equal(yl_client_config_from_kubeconfig(YL_STR(
        "current-context: c\n"
        "clusters: [{name: c, cluster: {server: HTTP://x}}]\n"
        "users: [{name: u, user: {token: secret, as: jane}}]\n"
        "contexts: [{name: c, context: {cluster: c, user: u}}]"), NULL,
        &config, NULL), 0);
    assert_null(config->token);
    assert_string_equal(config->impersonate.user, "jane");
    yl_client_config_free(config);
}

/* A kubeconfig whose cluster or user has 'members' must be refused. */
static void
refuse_members(const char *which, const char *members, int code,
               const char *message)
{
    bool is_user = strcmp(which, "user") == 0;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_client_config *config;
    char text[1000];

    snprintf(text, sizeof text,
             "current-context: c\n"
             "clusters: [{name: c, cluster: {server: https://x%s%s}}]\n"
             "users: [{name: u, user: {%s}}]\n"
             "contexts: [{name: c, context: {cluster: c, user: u}}]",
             is_user ? "" : ", ", is_user ? "" : members,
             is_user ? members : "");
    assert_int_equal(yl_client_config_from_kubeconfig(yl_str_c(text), NULL,
                                                      &config, &err), code);
    if (!strstr(yl_error_message(&err), message)) {
        fail_msg("\"%s\" lacks \"%s\"", yl_error_message(&err), message);
    }
    yl_error_clear(&err);
}

TEST(contradictions_are_refused_with_what_to_do)
{
#define V1 "apiVersion: client.authentication.k8s.io/v1"
    refuse_members("cluster", "certificate-authority: /x, "
                   "certificate-authority-data: Qw==", YL_EINVALID,
                   "remove one");
    refuse_members("cluster", "insecure-skip-tls-verify: true, "
                   "certificate-authority-data: Qw==", YL_EINVALID,
                   "remove one");
    refuse_members("cluster", "certificate-authority: /nowhere", YL_EINVALID,
                   "unable to read certificate-authority /nowhere for c");
    refuse_members("user", "token: a, username: b", YL_EINVALID,
                   "more than one authentication method found for u");
    refuse_members("user", "client-certificate: /x, "
                   "client-certificate-data: Qw==, client-key-data: Qw==",
                   YL_EINVALID, "remove one");
    refuse_members("user", "client-certificate-data: Qw==, client-key: /x, "
                   "client-key-data: Qw==", YL_EINVALID, "remove one");
    refuse_members("user", "client-certificate-data: Qw==", YL_EINVALID,
                   "client-key-data or client-key must be specified");
    refuse_members("user", "client-certificate: /nowhere, client-key: /x",
                   YL_EINVALID, "unable to read client-certificate /nowhere");
    refuse_members("user", "as-groups: [a]", YL_EINVALID,
                   "without impersonating a user");
    refuse_members("user", "auth-provider: {name: gcp}", YL_ENOSYS,
                   "use an exec plug-in");
    refuse_members("user", "exec: {" V1 ", interactiveMode: Never}",
                   YL_EINVALID, "command must be specified for u");
    refuse_members("user", "exec: {command: x}", YL_EINVALID,
                   "apiVersion must be specified for u");
    refuse_members("user", "exec: {command: x, " V1 "}", YL_EINVALID,
                   "interactiveMode must be specified for u");
    refuse_members("user", "exec: {command: x, " V1 "alpha1}", YL_EINVALID,
                   "invalid apiVersion");
    refuse_members("user", "exec: {command: x, " V1
                   ", interactiveMode: Sometimes}", YL_EINVALID,
                   "use Never, IfAvailable or Always");
    refuse_members("user", "exec: {command: x, " V1 ", interactiveMode: Never,"
                   " env: [{value: x}]}", YL_EINVALID,
                   "env variable name must be specified for u");
#undef V1
}

TEST(names_that_are_not_there_are_errors)
{
    struct fixture f;

    set_up(&f);
    put(&f, "a", NAMED("x"));
    f.opts.kubeconfig = path_of(&f, "a");
    refuse(&f, YL_EINVALID, "set current-context or name a context");
    f.opts.context = "y";
    refuse(&f, YL_ENOTFOUND, "/a: context \"y\" does not exist");
    f.opts.context = "x";
    f.opts.user = "y";
    refuse(&f, YL_ENOTFOUND, "user \"y\" does not exist");
    f.opts.user = NULL;
    f.opts.cluster = "y";
    refuse(&f, YL_ENOTFOUND, "cluster \"y\" does not exist");
    put(&f, "a", "current-context: gone");
    f.opts = (struct yl_client_config_opts) { .kubeconfig = path_of(&f, "a") };
    refuse(&f, YL_ENOTFOUND, "although it is the current-context");
    tear_down(&f);
}

TEST(a_plug_in_is_taken_with_its_cluster_s_extension)
{
    struct yl_client_config *config;

    assert_int_equal(yl_client_config_from_kubeconfig(YL_STR(
        "current-context: c\n"
        "clusters: [{name: c, cluster: {server: https://x, extensions: "
        "[{name: client.authentication.k8s.io/exec, extension: [1]}]}}]\n"
        "users: [{name: u, user: {exec: {command: x, interactiveMode: Always,"
        " apiVersion: client.authentication.k8s.io/v1beta1, "
        "installHint: \"a\\n\\e[1mb\"}}}]\n"
        "contexts: [{name: c, context: {cluster: c, user: u}}]"), NULL,
        &config, NULL), 0);
    assert_string_equal(config->exec->command, "x");
    assert_int_equal(config->exec->interactive_mode, YL_CLIENT_EXEC_ALWAYS);
    assert_str_equal(config->exec->cluster_config, "[1]");
    assert_string_equal(config->exec->install_hint, "a\nU+001B[1mb");
    yl_client_config_free(config);
    yl_client_config_free(NULL);
}
