/* Tests of reading and merging kubeconfigs. */

#include "client/kubeconfig.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct fixture {
    struct yl_arena *arena;
    struct yl_kubeconfig_set set;
    struct yl_error err;
};

static struct fixture
set_up(void)
{
    struct fixture f = { .arena = yl_arena_new() };

    yl_kubeconfig_set_init(&f.set, f.arena);
    return f;
}

static void
tear_down(struct fixture *f)
{
    yl_kubeconfig_set_release(&f->set);
    yl_arena_free(f->arena);
    yl_error_clear(&f->err);
}

static int
add(struct fixture *f, const char *directory, const char *text)
{
    return yl_kubeconfig_add(&f->set, yl_str_c(text), directory, &f->err);
}

/* 'text' must be refused with 'code' and a message that contains 'message'. */
static void
refuse(const char *text, int code, const char *message)
{
    struct fixture f = set_up();

    assert_int_equal(add(&f, NULL, text), code);
    if (!strstr(yl_error_message(&f.err), message)) {
        fail_msg("\"%s\" lacks \"%s\"", yl_error_message(&f.err), message);
    }
    tear_down(&f);
}

TEST(everything_is_read)
{
    struct fixture f = set_up();
    const struct yl_kubeconfig_cluster *cluster;
    const struct yl_kubeconfig_user *user;
    const struct yl_kubeconfig_context *context;

    assert_int_equal(add(&f, "/etc/kube",
        "apiVersion: v1\n"
        "kind: Config\n"
        "current-context: here\n"
        "preferences: {colors: true}\n"
        "clusters:\n"
        "- name: prod\n"
        "  cluster:\n"
        "    server: https://10.0.0.1:6443\n"
        "    tls-server-name: api.example\n"
        "    certificate-authority: pki/ca.crt\n"
        "    proxy-url: socks5://proxy:1080\n"
        "    disable-compression: true\n"
        "    extensions:\n"
        "    - name: other\n"
        "      extension: 5\n"
        "    - name: client.authentication.k8s.io/exec\n"
        "      extension: {audience: x}\n"
        "- name: test\n"
        "  cluster:\n"
        "    server: https://t\n"
        "    insecure-skip-tls-verify: true\n"
        "    certificate-authority-data: \"Q0EK\"\n"
        "users:\n"
        "- name: all\n"
        "  user:\n"
        "    client-certificate: /abs/c.crt\n"
        "    client-key: c.key\n"
        "    client-certificate-data: Qw==\n"
        "    client-key-data: Sw==\n"
        "    token: t0k\n"
        "    tokenFile: tok\n"
        "    username: joe\n"
        "    password: secret\n"
        "    as: jane\n"
        "    as-uid: u-1\n"
        "    as-groups: [a, b]\n"
        "    as-user-extra: {\"sc\\u006fpe\": [x, w], none: []}\n"
        "    auth-provider: {name: gcp}\n"
        "    exec:\n"
        "      apiVersion: client.authentication.k8s.io/v1\n"
        "      command: bin/login\n"
        "      args: [--now, \"\"]\n"
        "      env: [{name: A, value: B}, {name: C}]\n"
        "      installHint: get it\n"
        "      provideClusterInfo: true\n"
        "      interactiveMode: Never\n"
        "contexts:\n"
        "- name: here\n"
        "  context: {cluster: prod, user: all, namespace: web}\n"), 0);
    assert_string_equal(f.set.current_context, "here");

    cluster = yl_kubeconfig_cluster(&f.set, "prod");
    assert_string_equal(cluster->server, "https://10.0.0.1:6443");
    assert_string_equal(cluster->tls_server_name, "api.example");
    assert_string_equal(cluster->ca_file, "/etc/kube/pki/ca.crt");
    assert_string_equal(cluster->proxy_url, "socks5://proxy:1080");
    assert_true(cluster->disable_compression);
    assert_false(cluster->insecure);
    assert_str_equal(cluster->exec_config, "{\"audience\":\"x\"}");
    cluster = yl_kubeconfig_cluster(&f.set, "test");
    assert_true(cluster->insecure);
    assert_str_equal(cluster->ca, "CA\n");
    assert_null(cluster->ca_file);

    user = yl_kubeconfig_user(&f.set, "all");
    assert_string_equal(user->certificate_file, "/abs/c.crt");
    assert_string_equal(user->key_file, "/etc/kube/c.key");
    assert_str_equal(user->certificate, "C");
    assert_str_equal(user->key, "K");
    assert_string_equal(user->token, "t0k");
    assert_string_equal(user->token_file, "/etc/kube/tok");
    assert_string_equal(user->username, "joe");
    assert_string_equal(user->password, "secret");
    assert_string_equal(user->impersonate.user, "jane");
    assert_string_equal(user->impersonate.uid, "u-1");
    assert_int_equal(user->impersonate.n_groups, 2);
    assert_string_equal(user->impersonate.groups[1], "b");
    assert_int_equal(user->impersonate.n_extras, 2);
    assert_string_equal(user->auth_provider, "gcp");
    assert_string_equal(user->exec->command, "/etc/kube/bin/login");
    assert_int_equal(user->exec->n_args, 2);
    assert_string_equal(user->exec->args[0], "--now");
    assert_string_equal(user->exec->args[1], "");
    assert_int_equal(user->exec->n_env, 2);
    assert_string_equal(user->exec->env[0].value, "B");
    assert_string_equal(user->exec->env[1].name, "C");
    assert_string_equal(user->exec->env[1].value, "");
    assert_string_equal(user->exec->install_hint, "get it");
    assert_true(user->exec->provide_cluster_info);
    assert_string_equal(user->interactive_mode, "Never");

    context = yl_kubeconfig_context(&f.set, "here");
    assert_string_equal(context->cluster, "prod");
    assert_string_equal(context->user, "all");
    assert_string_equal(context->namespace_, "web");
    assert_null(yl_kubeconfig_context(&f.set, "there"));
    tear_down(&f);
}

TEST(the_first_file_to_define_a_name_wins_as_a_whole)
{
    struct fixture f = set_up();
    const struct yl_kubeconfig_user *red;

    assert_int_equal(add(&f, "/one",
        "users:\n- {name: red, user: {tokenFile: t}}\n"
        "- {name: empty}\n"), 0);
    assert_int_equal(add(&f, "/two",
        "current-context: two\n"
        "users:\n- {name: red, user: {token: late, username: x}}\n"
        "- {name: blue, user: {tokenFile: t}}\n"), 0);
    assert_int_equal(add(&f, "/three", "current-context: three\n"), 0);
    red = yl_kubeconfig_user(&f.set, "red");
    assert_string_equal(red->token_file, "/one/t");
    assert_null(red->token);
    assert_null(red->username);
    assert_string_equal(yl_kubeconfig_user(&f.set, "blue")->token_file,
                        "/two/t");
    assert_non_null(yl_kubeconfig_user(&f.set, "empty"));
    assert_string_equal(f.set.current_context, "two");
    tear_down(&f);
}

TEST(empty_files_and_nulls_say_nothing)
{
    struct fixture f = set_up();

    assert_int_equal(add(&f, NULL, ""), 0);
    assert_int_equal(add(&f, NULL, "null"), 0);
    assert_int_equal(add(&f, NULL, "{}"), 0);
    assert_int_equal(add(&f, NULL,
        "{\"clusters\":null,\"users\":[{\"name\":\"u\",\"user\":{\"token\":"
        "null,\"exec\":null,\"as-groups\":null,\"as-user-extra\":null}}],"
        "\"unknown\":1}"), 0);
    assert_null(yl_kubeconfig_user(&f.set, "u")->token);
    tear_down(&f);
}

TEST(paths_stay_as_they_are_without_a_directory)
{
    struct fixture f = set_up();

    assert_int_equal(add(&f, NULL,
        "users: [{name: u, user: {tokenFile: t, exec: {command: login}}}]"),
        0);
    assert_string_equal(yl_kubeconfig_user(&f.set, "u")->token_file, "t");
    assert_string_equal(yl_kubeconfig_user(&f.set, "u")->exec->command,
                        "login");
    tear_down(&f);
}

TEST(what_is_wrong_is_named)
{
    refuse("[1]", YL_ETYPE, "not a kubeconfig");
    refuse("a: [", YL_ESYNTAX, "line");
    refuse("kind: Pod\napiVersion: v1", YL_EINVALID, "kind Pod");
    refuse("apiVersion: v2", YL_EINVALID, "version v2");
    refuse("clusters: 5", YL_ETYPE, "clusters must be a list");
    refuse("clusters: [5]", YL_ETYPE, "clusters: not an object");
    refuse("clusters: [{name: 5}]", YL_ETYPE, "name must be a string");
    refuse("clusters: [{name: a, cluster: 5}]", YL_ETYPE,
           "cluster \"a\": not an object");
    refuse("clusters: [{name: a, cluster: {server: 5}}]", YL_ETYPE,
           "cluster \"a\": server must be a string");
    refuse("clusters: [{name: a, cluster: {insecure-skip-tls-verify: 1}}]",
           YL_ETYPE, "insecure-skip-tls-verify must be true or false");
    refuse("clusters: [{name: a, cluster: {certificate-authority-data: '!'}}]",
           YL_EINVALID, "certificate-authority-data is not base64");
    refuse("clusters: [{name: a}, {name: b}, {name: a}]", YL_EDUPLICATE,
           "duplicate name \"a\" in clusters");
    refuse("users: [{name: a, user: {as-groups: x}}]", YL_ETYPE,
           "as-groups must be a list");
    refuse("users: [{name: a, user: {as-groups: [1]}}]", YL_ETYPE,
           "as-groups must be a list of strings");
    refuse("users: [{name: a, user: {as-user-extra: [1]}}]", YL_ETYPE,
           "as-user-extra must be an object");
    refuse("users: [{name: a, user: {as-user-extra: {b: 1}}}]", YL_ETYPE,
           "as-user-extra must be a list");
    refuse("users: [{name: a, user: {exec: 1}}]", YL_ETYPE, "not an object");
    refuse("users: [{name: a, user: {exec: {env: 1}}}]", YL_ETYPE,
           "exec.env must be a list");
    refuse("users: [{name: a, user: {exec: {env: [1]}}}]", YL_ETYPE,
           "exec.env: not an object");
    refuse("users: [{name: a, user: {exec: {args: 1}}}]", YL_ETYPE,
           "exec.args must be a list");
    refuse("users: [{name: a, user: {token: \"a\\0b\"}}]", YL_EINVALID,
           "token must not contain the character 0");
}

TEST(a_file_that_is_not_there_is_not_found)
{
    struct fixture f = set_up();

    assert_int_equal(yl_kubeconfig_add_file(&f.set, "/nowhere/at/all",
                                            &f.err), YL_ENOTFOUND);
    tear_down(&f);
}
