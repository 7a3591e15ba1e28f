/* From a kubeconfig to a configuration.  See client/config_choose.h. */

#include "client/config_choose.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"
#include "client/kubeconfig.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define EXEC_V1 "client.authentication.k8s.io/v1"
#define EXEC_V1BETA1 "client.authentication.k8s.io/v1beta1"

static int find_context(const struct yl_kubeconfig_set *,
                        const struct yl_client_config_opts *,
                        const struct yl_kubeconfig_context **,
                        struct yl_error *);
static int check_cluster(const struct yl_kubeconfig_cluster *,
                         struct yl_error *);
static int check_user(const struct yl_kubeconfig_user *, struct yl_error *);
static int check_exec(const struct yl_kubeconfig_user *, struct yl_error *);
static int check_readable(const char *path, const char *what,
                          const char *name, struct yl_error *);
static char *show_controls(struct yl_arena *, const char *text);
static int take_exec(const struct yl_kubeconfig_set *,
                     const struct yl_kubeconfig_user *,
                     const struct yl_kubeconfig_cluster *,
                     struct yl_client_config *);

int
yl_config_choose(const struct yl_kubeconfig_set *set,
                 const struct yl_client_config_opts *opts,
                 struct yl_client_config *config, struct yl_error *err)
{
    static const struct yl_kubeconfig_context no_context;
    static const struct yl_kubeconfig_user nobody
        = { .entry.name = "" };
    static const struct yl_kubeconfig_cluster no_cluster
        = { .entry.name = "" };
    const struct yl_kubeconfig_context *context = &no_context;
    const struct yl_kubeconfig_cluster *cluster;
    const struct yl_kubeconfig_user *user;
    const char *cluster_name, *user_name;
    int r = find_context(set, opts, &context, err);

    if (r < 0) {
        return r;
    }
    cluster_name = opts->cluster ? opts->cluster : context->cluster;
    cluster = cluster_name ? yl_kubeconfig_cluster(set, cluster_name) : NULL;
    if (!cluster && cluster_name && (opts->cluster || !opts->master)) {
        return yl_error_set(err, YL_ENOTFOUND,
                            "cluster \"%s\" does not exist", cluster_name);
    }
    user_name = opts->user ? opts->user : context->user;
    user = user_name ? yl_kubeconfig_user(set, user_name) : NULL;
    if (!user && user_name) {
        return yl_error_set(err, YL_ENOTFOUND,
                            "user \"%s\" does not exist", user_name);
    }
    cluster = cluster ? cluster : &no_cluster;
    user = user ? user : &nobody;
    if (!opts->master && !cluster->server) {
        return yl_error_set(err, YL_EINVALID, cluster_name
                            ? "no server found for cluster \"%s\""
                            : "no cluster is chosen: set current-context or "
                              "name a context%s",
                            cluster_name ? cluster_name : "");
    }
    r = check_cluster(cluster, err);
    if (r == 0) {
        r = check_user(user, err);
    }
    if (r < 0) {
        return r;
    }

    config->server = opts->master
                     ? yl_arena_strdup(set->arena, yl_str_c(opts->master))
                     : cluster->server;
    config->proxy_url = cluster->proxy_url;
    config->disable_compression = cluster->disable_compression;
    config->namespace_ = opts->namespace_
                         ? yl_arena_strdup(set->arena,
                                           yl_str_c(opts->namespace_))
                         : context->namespace_ ? context->namespace_
                         : "default";
    config->impersonate = user->impersonate;

    if (yl_config_is_clear(config->server)) {
        return 0;
    }

    /* The name in the kubeconfig is that of its own server. */
    config->tls_server_name = opts->master ? NULL : cluster->tls_server_name;
    config->insecure = cluster->insecure;
    config->ca_file = cluster->ca_file;
    config->ca = cluster->ca;
    config->certificate_file = user->certificate_file;
    config->certificate = user->certificate;
    config->key_file = user->key_file;
    config->key = user->key;
    config->token = user->token;
    config->token_file = user->token_file;
    config->username = user->username;
    config->password = user->password;
    return user->exec ? take_exec(set, user, cluster, config) : 0;
}

bool
yl_config_is_clear(const char *server)
{
    return strncasecmp(server, "http://", 7) == 0;
}

static int
find_context(const struct yl_kubeconfig_set *set,
             const struct yl_client_config_opts *opts,
             const struct yl_kubeconfig_context **ret_context,
             struct yl_error *err)
{
    const char *name = opts->context ? opts->context : set->current_context;
    const struct yl_kubeconfig_context *context;

    if (!name) {
        return 0;
    }
    context = yl_kubeconfig_context(set, name);
    if (!context) {
        return yl_error_set(err, YL_ENOTFOUND, opts->context
                            ? "context \"%s\" does not exist"
                            : "context \"%s\" does not exist, although it is "
                              "the current-context", name);
    }
    *ret_context = context;
    return 0;
}

static int
check_cluster(const struct yl_kubeconfig_cluster *cluster,
              struct yl_error *err)
{
    const char *name = cluster->entry.name;

    if (cluster->ca_file && cluster->ca.size) {
        return yl_error_set(err, YL_EINVALID,
                            "certificate-authority-data and "
                            "certificate-authority are both specified for "
                            "cluster \"%s\"; remove one", name);
    }
    if (cluster->insecure && (cluster->ca_file || cluster->ca.size)) {
        return yl_error_set(err, YL_EINVALID,
                            "cluster \"%s\" has a certificate authority and "
                            "insecure-skip-tls-verify; remove one", name);
    }
    return check_readable(cluster->ca_file, "certificate-authority", name,
                          err);
}

static int
check_user(const struct yl_kubeconfig_user *user, struct yl_error *err)
{
    const char *name = user->entry.name;
    bool has_certificate = user->certificate_file || user->certificate.size;
    int r;

    if (user->token && (user->username || user->password)) {
        return yl_error_set(err, YL_EINVALID,
                            "more than one authentication method found for "
                            "%s; found [token basicAuth], only one is "
                            "allowed", name);
    }
    if (user->certificate_file && user->certificate.size) {
        return yl_error_set(err, YL_EINVALID,
                            "client-certificate-data and client-certificate "
                            "are both specified for %s; remove one", name);
    }
    if (has_certificate && user->key_file && user->key.size) {
        return yl_error_set(err, YL_EINVALID,
                            "client-key-data and client-key are both "
                            "specified for %s; remove one", name);
    }
    if (has_certificate && !user->key_file && !user->key.size) {
        return yl_error_set(err, YL_EINVALID,
                            "client-key-data or client-key must be specified "
                            "for %s to use the client certificate", name);
    }
    if (!user->impersonate.user
        && (user->impersonate.uid || user->impersonate.n_groups
            || user->impersonate.n_extras)) {
        return yl_error_set(err, YL_EINVALID,
                            "requesting uid, groups or user-extra for %s "
                            "without impersonating a user; add \"as\"", name);
    }
    if (user->auth_provider) {
        return yl_error_set(err, YL_ENOSYS,
                            "the auth provider \"%s\" of %s is not supported; "
                            "use an exec plug-in", user->auth_provider, name);
    }
    if (has_certificate) {
        r = check_readable(user->certificate_file, "client-certificate", name,
                           err);
        if (r == 0) {
            r = check_readable(user->key_file, "client-key", name, err);
        }
        if (r < 0) {
            return r;
        }
    }
    return user->exec ? check_exec(user, err) : 0;
}

static int
check_exec(const struct yl_kubeconfig_user *user, struct yl_error *err)
{
    const struct yl_client_exec *exec = user->exec;
    const char *name = user->entry.name;
    const char *mode = user->interactive_mode;
    const char *missing = NULL;
    size_t i;

    if (!exec->command) {
        missing = "command";
    } else if (!exec->api_version) {
        missing = "apiVersion";
    } else if (!mode && strcmp(exec->api_version, EXEC_V1) == 0) {
        missing = "interactiveMode";
    }
    for (i = 0; i < exec->n_env; i++) {
        if (!*exec->env[i].name) {
            missing = "env variable name";
        }
    }
    if (missing) {
        return yl_error_set(err, YL_EINVALID,
                            "%s must be specified for %s to use exec "
                            "authentication plugin", missing, name);
    }
    if (strcmp(exec->api_version, EXEC_V1) != 0
        && strcmp(exec->api_version, EXEC_V1BETA1) != 0) {
        return yl_error_set(err, YL_EINVALID,
                            "exec plugin: invalid apiVersion \"%s\" for %s; "
                            "use " EXEC_V1, exec->api_version, name);
    }
    if (mode && strcmp(mode, "Never") != 0 && strcmp(mode, "IfAvailable") != 0
        && strcmp(mode, "Always") != 0) {
        return yl_error_set(err, YL_EINVALID,
                            "invalid interactiveMode for %s: \"%s\"; use "
                            "Never, IfAvailable or Always", name, mode);
    }
    return 0;
}

static int
check_readable(const char *path, const char *what, const char *name,
               struct yl_error *err)
{
    return !path || access(path, R_OK) == 0
           ? 0 : yl_error_set(err, YL_EINVALID,
                              "unable to read %s %s for %s: %s", what, path,
                              name, strerror(errno));
}

static int
take_exec(const struct yl_kubeconfig_set *set,
          const struct yl_kubeconfig_user *user,
          const struct yl_kubeconfig_cluster *cluster,
          struct yl_client_config *config)
{
    struct yl_client_exec *exec = yl_arena_alloc(set->arena, sizeof *exec);
    const char *mode = user->interactive_mode;

    *exec = *user->exec;
    if (exec->install_hint) {
        exec->install_hint = show_controls(set->arena, exec->install_hint);
    }
    exec->cluster_config = cluster->exec_config;
    if (mode && strcmp(mode, "Never") == 0) {
        exec->interactive_mode = YL_CLIENT_EXEC_NEVER;
    } else if (mode && strcmp(mode, "Always") == 0) {
        exec->interactive_mode = YL_CLIENT_EXEC_ALWAYS;
    }
    config->exec = exec;
    return 0;
}

/* 'text' with its control characters, but not those that are white space, as
 * "U+001B": it is printed on terminals, which must not obey it. */
static char *
show_controls(struct yl_arena *arena, const char *text)
{
    struct yl_buf out;
    char *copy;

    yl_buf_init(&out, SIZE_MAX);
    for (; *text; text++) {
        unsigned char byte = (unsigned char) *text;

        if ((byte < ' ' && !(byte >= '\t' && byte <= '\r'))
            || byte == 0x7f) {
            yl_buf_printf(&out, "U+%04X", byte);
        } else {
            yl_buf_append_char(&out, *text);
        }
    }
    copy = yl_arena_strdup(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return copy;
}
