#ifndef YL_CLIENT_CONFIG_H
#define YL_CLIENT_CONFIG_H 1

/* Configuration of a client: where the API server is and who we are there.
 *
 *     flags, KUBECONFIG, Pod, ~/.kube/config -> [client config] -> client
 *
 * A program fills in the struct itself, or lets yl_client_config_load() find
 * everything where users of kubectl and Pods expect it to be looked for.
 *
 * The order
 * =========
 *
 * yl_client_config_load() takes the first of these that is there:
 *
 *   1. the file that --kubeconfig names.  It must exist.
 *
 *   2. the files that the environment variable KUBECONFIG lists, separated by
 *      colons, merged.  Files that do not exist are passed over.
 *
 *   3. the service account of the Pod that the program runs in: the token in
 *      /var/run/secrets/kubernetes.io/serviceaccount, and
 *      KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT in the environment.
 *
 *   4. ~/.kube/config, unless KUBECONFIG is set.
 *
 * --master takes the place of the server's URL, wherever the rest comes from;
 * it is enough alone for a server that asks nobody who he is.
 *
 * Guarantees
 * ==========
 *
 *   - Kubeconfigs mean what they mean to client-go.  Of several files the
 *     first to define a cluster, user or context wins, as a whole; so does
 *     the first current-context.  Relative paths are relative to the file
 *     they stand in.
 *
 *   - Credentials are never sent without TLS: if the server's URL begins with
 *     http://, those of the kubeconfig or the Pod are left out.
 *
 *   - Errors name the file and the entry, and say what to do next.
 *
 *   - Tokens and certificates in files are read again while the client runs
 *     (tokens once a minute), and plug-ins run again before what they gave
 *     expires, or when the server answers 401.
 *
 * Ownership
 * =========
 *
 * A configuration that the caller fills in borrows its texts; one that was
 * loaded owns them.  yl_client_new() copies what it needs.
 *
 * Threads
 * =======
 *
 * A configuration is constant once it is made; any thread may read it.
 *
 * Usage
 * =====
 *
 *     struct yl_client_config *config;
 *
 *     if (yl_client_config_load(NULL, &config, err) == 0) {
 *         r = yl_client_new(config, NULL, &client, err);
 *         yl_client_config_free(config);
 *     }
 *
 * or, without any files:
 *
 *     int r = yl_client_new(&(struct yl_client_config) {
 *         .server = "https://127.0.0.1:6443",
 *         .ca_file = "ca.crt",
 *         .token = token,
 *     }, NULL, &client, err); */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_cancel;
struct yl_error;

/* Who to be instead of ourselves, if the server lets us. */
struct yl_client_extra {
    const char *key;
    const char *const *values;
    size_t n_values;
};

struct yl_client_impersonation {
    const char *user;           /* NULL: nobody, and nothing else counts. */
    const char *uid;
    const char *const *groups;
    size_t n_groups;
    const struct yl_client_extra *extras;
    size_t n_extras;
};

/* A program that prints credentials (client.authentication.k8s.io). */
enum yl_client_exec_mode {
    YL_CLIENT_EXEC_IF_AVAILABLE,    /* Lend it standard input if that is a
                                     * terminal. */
    YL_CLIENT_EXEC_NEVER,
    YL_CLIENT_EXEC_ALWAYS,      /* Fail if it is none. */
};

struct yl_client_exec_env {
    const char *name;
    const char *value;
};

struct yl_client_exec {
    const char *api_version;    /* client.authentication.k8s.io/v1, v1beta1. */
    const char *command;        /* Looked for in PATH if it has no slash. */
    const char *const *args;
    size_t n_args;
    const struct yl_client_exec_env *env;   /* Besides our own. */
    size_t n_env;
    const char *install_hint;   /* For whoever does not have it. */
    bool provide_cluster_info;  /* Tell it about the server. */
    enum yl_client_exec_mode interactive_mode;
    struct yl_str cluster_config;   /* JSON for it, from the cluster's
                                     * extensions. */
    yl_msec timeout;            /* It is killed after this time [60,000], if
                                 * it is not interactive. */
};

/* Zero means the default. */
struct yl_client_config {
    const char *server;         /* "https://host:port/prefix". */
    const char *ca_file;        /* PEM [the system's authorities]. */
    struct yl_str ca;           /* The same in memory; it goes first. */
    bool insecure;              /* Accept any certificate. */
    const char *tls_server_name;    /* Name in the server's certificate [the
                                     * host]. */
    const char *token;          /* Bearer token. */
    const char *namespace_;     /* ["default"] */
    const char *user_agent;     /* ["PROGRAM/yuloh (linux/ARCH)"] */
    double qps;                 /* Calls in a second [no limit], */
    int burst;                  /* and at once [10]. */
    yl_msec timeout;            /* Of a call. */

    /* Connects in place of TCP; TLS goes on top.  '*ret_fd' is a connected
     * stream socket, which the client takes.  With 'connect_is_quick' it
     * never waits. */
    int (*connect)(void *aux, struct yl_cancel *cancel, int *ret_fd,
                   struct yl_error *err);
    void *connect_aux;
    bool connect_is_quick;

    /* File with a bearer token, read again each minute.  While it cannot be
     * read, the last one counts, at first 'token'. */
    const char *token_file;

    const char *username;       /* Basic authentication. */
    const char *password;

    /* Client certificate and its key, PEM; what is in memory goes first.
     * Files are read again when they change. */
    const char *certificate_file;
    struct yl_str certificate;
    const char *key_file;
    struct yl_str key;

    /* Runs only if there is no token, password or certificate. */
    const struct yl_client_exec *exec;

    struct yl_client_impersonation impersonate;

    /* http, https, socks5, socks5h [HTTPS_PROXY, HTTP_PROXY and NO_PROXY of
     * the environment, as Go reads them]. */
    const char *proxy_url;

    bool disable_compression;   /* Do not ask for compressed answers. */
};

/* What the flags of a program say.  Zero means the default. */
struct yl_client_config_opts {
    const char *kubeconfig;     /* --kubeconfig: path. */
    const char *master;         /* --master: URL of the server. */
    const char *context;        /* [current-context of the kubeconfig] */
    const char *cluster;        /* [the context's] */
    const char *user;           /* [the context's] */
    const char *namespace_;     /* [the context's, or the Pod's] */

    /* For tests: in place of getenv(), and of the directory of the Pod's
     * service account. */
    const char *(*get_env)(void *aux, const char *name);
    void *get_env_aux;
    const char *service_account_dir;
};

/* Finds a configuration in the order above.  'opts' may be NULL.  Returns 0,
 * or
 *
 *   - YL_ENOTFOUND: there is none, or a file, context, cluster or user that
 *     was named is not there;
 *   - YL_EINVALID: a kubeconfig that does not say enough or contradicts
 *     itself; YL_ESYNTAX, YL_ETYPE and others: one that cannot be read;
 *   - YL_EIO: a file that cannot be read. */
int yl_client_config_load(const struct yl_client_config_opts *,
                          struct yl_client_config **ret_config,
                          struct yl_error *err) YL_MUST_CHECK;

/* The same from one place only: a kubeconfig in memory, whose relative paths
 * are relative to the current directory, or the Pod's service account
 * (YL_ENOTFOUND if this is not a Pod). */
int yl_client_config_from_kubeconfig(struct yl_str text,
                                     const struct yl_client_config_opts *,
                                     struct yl_client_config **ret_config,
                                     struct yl_error *err) YL_MUST_CHECK;
int yl_client_config_in_cluster(const struct yl_client_config_opts *,
                                struct yl_client_config **ret_config,
                                struct yl_error *err) YL_MUST_CHECK;

/* Frees a configuration that was loaded. */
void yl_client_config_free(struct yl_client_config *);

YL_C_END

#endif /* yuloh/client_config.h */
