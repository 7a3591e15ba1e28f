/* Configuration of a client: where it is looked for.  See
 * yuloh/client_config.h. */

#include "yuloh/client_config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "client/config_choose.h"
#include "client/kubeconfig.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define SERVICE_ACCOUNT_DIR "/var/run/secrets/kubernetes.io/serviceaccount"

/* A namespace has 63 bytes at most; more than this is not one. */
#define MAX_NAMESPACE 4096

/* A configuration and the memory of its texts. */
struct loaded {
    struct yl_client_config config;     /* What the user gets. */
    struct yl_arena *arena;
};

static const struct yl_client_config_opts no_opts;

static struct loaded *loaded_new(void);
static int from_files(const struct yl_client_config_opts *, const char *list,
                      bool must_exist, struct yl_client_config **,
                      struct yl_error *);
static int add_files(struct yl_kubeconfig_set *, const char *list,
                     bool must_exist, struct yl_error *);
static int from_home(const struct yl_client_config_opts *,
                     struct yl_client_config **, struct yl_error *);
static void from_master(const struct yl_client_config_opts *,
                        struct yl_client_config **);
static int nothing_found(const struct yl_client_config_opts *,
                         struct yl_error *);
static bool is_in_cluster(const struct yl_client_config_opts *);
static const char *pod_namespace(const struct yl_client_config_opts *,
                                 struct yl_arena *);
static char *account_file(const struct yl_client_config_opts *,
                          struct yl_arena *, const char *name);
static const char *get_env(const struct yl_client_config_opts *,
                           const char *name);
static bool is_file(const char *path);

int
yl_client_config_load(const struct yl_client_config_opts *opts,
                      struct yl_client_config **ret_config,
                      struct yl_error *err)
{
    int found = 0;

    opts = opts ? opts : &no_opts;
    if (opts->kubeconfig) {
        found = from_files(opts, opts->kubeconfig, true, ret_config, err);
    } else if (get_env(opts, "KUBECONFIG")) {
        found = from_files(opts, get_env(opts, "KUBECONFIG"), false,
                           ret_config, err);
    }
    if (found == 0 && is_in_cluster(opts)) {
        return yl_client_config_in_cluster(opts, ret_config, err);
    }
    if (found == 0 && !get_env(opts, "KUBECONFIG")) {
        found = from_home(opts, ret_config, err);
    }
    if (found == 0 && opts->master) {
        from_master(opts, ret_config);
        return 0;
    }
    return found < 0 ? found : found > 0 ? 0 : nothing_found(opts, err);
}

int
yl_client_config_from_kubeconfig(struct yl_str text,
                                 const struct yl_client_config_opts *opts,
                                 struct yl_client_config **ret_config,
                                 struct yl_error *err)
{
    struct loaded *loaded = loaded_new();
    struct yl_kubeconfig_set set;
    int r;

    yl_kubeconfig_set_init(&set, loaded->arena);
    r = yl_kubeconfig_add(&set, text, NULL, err);
    if (r == 0) {
        r = yl_config_choose(&set, opts ? opts : &no_opts, &loaded->config,
                             err);
    }
    yl_kubeconfig_set_release(&set);
    if (r < 0) {
        yl_client_config_free(&loaded->config);
        return r;
    }
    *ret_config = &loaded->config;
    return 0;
}

int
yl_client_config_in_cluster(const struct yl_client_config_opts *opts,
                            struct yl_client_config **ret_config,
                            struct yl_error *err)
{
    const char *host, *port;
    struct loaded *loaded;
    char *ca;

    opts = opts ? opts : &no_opts;
    host = get_env(opts, "KUBERNETES_SERVICE_HOST");
    port = get_env(opts, "KUBERNETES_SERVICE_PORT");
    if (!host || !port) {
        return yl_error_set(err, YL_ENOTFOUND,
                            "this is not a Pod: KUBERNETES_SERVICE_HOST and "
                            "KUBERNETES_SERVICE_PORT are not both set");
    }
    loaded = loaded_new();
    loaded->config.token_file = account_file(opts, loaded->arena, "token");
    if (!is_file(loaded->config.token_file)) {
        int r = yl_error_set(err, YL_ENOTFOUND,
                             "there is no token in %s; does the Pod have a "
                             "service account that is mounted?",
                             loaded->config.token_file);

        yl_client_config_free(&loaded->config);
        return r;
    }

    /* An address of IPv6 needs brackets. */
    loaded->config.server = opts->master
        ? yl_arena_strdup(loaded->arena, yl_str_c(opts->master))
        : yl_arena_printf(loaded->arena, strchr(host, ':')
                                         ? "https://[%s]:%s"
                                         : "https://%s:%s", host, port);
    ca = account_file(opts, loaded->arena, "ca.crt");
    loaded->config.ca_file = is_file(ca) ? ca : NULL;
    if (yl_config_is_clear(loaded->config.server)) {
        loaded->config.token_file = loaded->config.ca_file = NULL;
    }
    loaded->config.namespace_ = opts->namespace_
        ? yl_arena_strdup(loaded->arena, yl_str_c(opts->namespace_))
        : pod_namespace(opts, loaded->arena);
    *ret_config = &loaded->config;
    return 0;
}

void
yl_client_config_free(struct yl_client_config *config)
{
    if (config) {
        struct loaded *loaded = YL_CONTAINER_OF(config, struct loaded, config);

        yl_arena_free(loaded->arena);
        free(loaded);
    }
}

static struct loaded *
loaded_new(void)
{
    struct loaded *loaded = yl_zalloc(sizeof *loaded);

    loaded->arena = yl_arena_new();
    return loaded;
}

/* Reads the files that 'list' names, separated by colons unless it 'must
 * exist', when it is one file.  1, or 0 if none is there, or an error. */
static int
from_files(const struct yl_client_config_opts *opts, const char *list,
           bool must_exist, struct yl_client_config **ret_config,
           struct yl_error *err)
{
    struct loaded *loaded = loaded_new();
    struct yl_error why = YL_ERROR_INIT;
    struct yl_kubeconfig_set set;
    int r;

    yl_kubeconfig_set_init(&set, loaded->arena);
    r = add_files(&set, list, must_exist, err);
    if (r > 0) {
        r = yl_config_choose(&set, opts, &loaded->config, &why);
        if (r < 0) {
            yl_error_set(err, r, "kubeconfig %s: %s", list,
                         yl_error_message(&why));
            yl_error_clear(&why);
        } else {
            r = 1;
        }
    }
    yl_kubeconfig_set_release(&set);
    if (r > 0) {
        *ret_config = &loaded->config;
    } else {
        yl_client_config_free(&loaded->config);
    }
    return r;
}

/* How many files were there, or an error. */
static int
add_files(struct yl_kubeconfig_set *set, const char *list, bool must_exist,
          struct yl_error *err)
{
    struct yl_str rest = yl_str_c(list), path;
    int n = 0;

    if (must_exist) {
        int r = yl_kubeconfig_add_file(set, list, err);

        return r < 0 ? r : 1;
    }
    for (;;) {
        bool more = yl_str_cut(rest, ':', &path, &rest);

        if (!more) {
            path = rest;
        }
        if (path.size) {
            char *file = yl_arena_strdup(set->arena, path);
            int r = yl_kubeconfig_add_file(set, file, err);

            if (r < 0 && r != YL_ENOTFOUND) {
                return r;
            }
            n += r == 0;
        }
        if (!more) {
            return n;
        }
    }
}

static int
from_home(const struct yl_client_config_opts *opts,
          struct yl_client_config **ret_config, struct yl_error *err)
{
    const char *home = get_env(opts, "HOME");
    struct yl_buf path;
    int r = 0;

    yl_buf_init(&path, SIZE_MAX);
    yl_buf_printf(&path, "%s/.kube/config", home ? home : "");
    if (home && is_file(yl_buf_c_str(&path))) {
        r = from_files(opts, yl_buf_c_str(&path), true, ret_config, err);
    }
    yl_buf_release(&path);
    return r;
}

static void
from_master(const struct yl_client_config_opts *opts,
            struct yl_client_config **ret_config)
{
    struct loaded *loaded = loaded_new();

    loaded->config.server = yl_arena_strdup(loaded->arena,
                                            yl_str_c(opts->master));
    loaded->config.namespace_ = yl_arena_strdup(
        loaded->arena,
        yl_str_c(opts->namespace_ ? opts->namespace_ : "default"));
    *ret_config = &loaded->config;
}

/* Says what was looked for, and where. */
static int
nothing_found(const struct yl_client_config_opts *opts, struct yl_error *err)
{
    const char *list = get_env(opts, "KUBECONFIG");
    const char *home = get_env(opts, "HOME");

    if (list) {
        return yl_error_set(err, YL_ENOTFOUND,
                            "no API server is configured: none of the files "
                            "in KUBECONFIG=%s exists, and this is not a Pod; "
                            "correct KUBECONFIG or use --kubeconfig", list);
    }
    return yl_error_set(err, YL_ENOTFOUND,
                        "no API server is configured: KUBECONFIG is not set, "
                        "this is not a Pod, and %s%s; use --kubeconfig FILE",
                        home ? home : "HOME is not set",
                        home ? "/.kube/config does not exist" : "");
}

static bool
is_in_cluster(const struct yl_client_config_opts *opts)
{
    struct yl_arena *arena = yl_arena_new();
    bool is = get_env(opts, "KUBERNETES_SERVICE_HOST")
              && get_env(opts, "KUBERNETES_SERVICE_PORT")
              && is_file(account_file(opts, arena, "token"));

    yl_arena_free(arena);
    return is;
}

static const char *
pod_namespace(const struct yl_client_config_opts *opts, struct yl_arena *arena)
{
    const char *name = get_env(opts, "POD_NAMESPACE");
    struct yl_str text = YL_STR("");
    struct yl_buf buf;
    char *copy;

    if (name) {
        return yl_arena_strdup(arena, yl_str_c(name));
    }
    yl_buf_init(&buf, MAX_NAMESPACE);
    if (yl_file_read(account_file(opts, arena, "namespace"), &buf, NULL)
        == 0) {
        text = yl_str_trim(yl_buf_str(&buf));
    }
    copy = yl_arena_strdup(arena, text.size ? text : YL_STR("default"));
    yl_buf_release(&buf);
    return copy;
}

static char *
account_file(const struct yl_client_config_opts *opts, struct yl_arena *arena,
             const char *name)
{
    return yl_arena_printf(arena, "%s/%s",
                           opts->service_account_dir
                           ? opts->service_account_dir : SERVICE_ACCOUNT_DIR,
                           name);
}

/* A variable of the environment; NULL also if it is empty. */
static const char *
get_env(const struct yl_client_config_opts *opts, const char *name)
{
    const char *value = opts->get_env ? opts->get_env(opts->get_env_aux, name)
                                      : getenv(name);

    return value && *value ? value : NULL;
}

static bool
is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}
