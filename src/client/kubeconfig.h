#ifndef CLIENT_KUBECONFIG_H
#define CLIENT_KUBECONFIG_H 1

/* kubeconfig: clusters, users, and contexts that put the two together.
 *
 *     files -> [kubeconfig] -> client config
 *
 * Guarantees
 * ==========
 *
 *   - Several files make one kubeconfig as in client-go: the first to define a
 *     name wins, and nothing of a later definition is used, not even what the
 *     first one leaves open.  The first current-context wins, too.
 *
 *   - Paths are absolute afterwards: relative ones begin at the file in which
 *     they stand.
 *
 *   - What is not known is ignored.  What is known and has a wrong type is an
 *     error that says where.
 *
 *   - Linear in the size of the text.
 *
 * Ownership
 * =========
 *
 * Everything lives in the arena that the kubeconfig was made with.
 *
 * Threads
 * =======
 *
 * One at a time. */

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "yuloh/client_config.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;

/* Largest file. */
#define YL_KUBECONFIG_MAX_SIZE ((size_t) 3 << 20)

/* What all entries have. */
struct yl_kubeconfig_entry {
    struct yl_map_node by_name; /* In a map of yl_kubeconfig_set. */
    const char *name;
    unsigned file;              /* The number of the file it stands in. */
};

/* Texts are NULL if they are absent or empty; bytes are null. */
struct yl_kubeconfig_cluster {
    struct yl_kubeconfig_entry entry;
    const char *server;
    const char *tls_server_name;
    bool insecure;
    const char *ca_file;
    struct yl_str ca;
    const char *proxy_url;
    bool disable_compression;
    struct yl_str exec_config;  /* JSON; the extension for plug-ins. */
};

struct yl_kubeconfig_user {
    struct yl_kubeconfig_entry entry;
    const char *certificate_file;
    struct yl_str certificate;
    const char *key_file;
    struct yl_str key;
    const char *token;
    const char *token_file;
    const char *username;
    const char *password;
    struct yl_client_impersonation impersonate;
    const char *auth_provider;  /* Its name; there are none here. */
    const struct yl_client_exec *exec;
    const char *interactive_mode;   /* Of 'exec', as written. */
};

struct yl_kubeconfig_context {
    struct yl_kubeconfig_entry entry;
    const char *cluster;
    const char *user;
    const char *namespace_;
};

/* One or more files. */
struct yl_kubeconfig_set {
    struct yl_arena *arena;
    struct yl_map clusters;
    struct yl_map users;
    struct yl_map contexts;
    const char *current_context;
    unsigned n_files;           /* Added so far. */
};

void yl_kubeconfig_set_init(struct yl_kubeconfig_set *, struct yl_arena *);
void yl_kubeconfig_set_release(struct yl_kubeconfig_set *);

/* Adds what 'text' (YAML or JSON) defines and the set does not have yet.
 * Relative paths begin at 'directory', unless that is NULL.  0, or the errors
 * of yl_yaml_to_json(), or YL_ETYPE or YL_EINVALID; the set may have some of
 * it then. */
int yl_kubeconfig_add(struct yl_kubeconfig_set *, struct yl_str text,
                      const char *directory, struct yl_error *err);

/* Reads a file and adds it.  Also YL_ENOTFOUND, YL_EIO, YL_ETOOBIG. */
int yl_kubeconfig_add_file(struct yl_kubeconfig_set *, const char *path,
                           struct yl_error *err);

/* NULL if there is none. */
const struct yl_kubeconfig_cluster *
yl_kubeconfig_cluster(const struct yl_kubeconfig_set *, const char *name);
const struct yl_kubeconfig_user *
yl_kubeconfig_user(const struct yl_kubeconfig_set *, const char *name);
const struct yl_kubeconfig_context *
yl_kubeconfig_context(const struct yl_kubeconfig_set *, const char *name);

#endif /* client/kubeconfig.h */
