/* A copy of a client's configuration.  See client/config_copy.h. */

#include "client/config_copy.h"

#include "yuloh/arena.h"
#include "yuloh/client_config.h"

static void copy_text(struct yl_arena *, const char **text);
static void copy_bytes(struct yl_arena *, struct yl_str *bytes);
static void copy_texts(struct yl_arena *, const char *const **texts, size_t n);
static void copy_exec(struct yl_arena *, const struct yl_client_exec **);
static void copy_impersonation(struct yl_arena *,
                               struct yl_client_impersonation *);

struct yl_client_config *
yl_config_copy(struct yl_arena *arena, const struct yl_client_config *config)
{
    struct yl_client_config *copy = yl_arena_alloc(arena, sizeof *copy);

    *copy = *config;
    copy_text(arena, &copy->server);
    copy_text(arena, &copy->ca_file);
    copy_bytes(arena, &copy->ca);
    copy_text(arena, &copy->tls_server_name);
    copy_text(arena, &copy->token);
    copy_text(arena, &copy->namespace_);
    copy_text(arena, &copy->user_agent);
    copy_text(arena, &copy->token_file);
    copy_text(arena, &copy->username);
    copy_text(arena, &copy->password);
    copy_text(arena, &copy->certificate_file);
    copy_bytes(arena, &copy->certificate);
    copy_text(arena, &copy->key_file);
    copy_bytes(arena, &copy->key);
    copy_text(arena, &copy->proxy_url);
    copy_exec(arena, &copy->exec);
    copy_impersonation(arena, &copy->impersonate);
    return copy;
}

static void
copy_text(struct yl_arena *arena, const char **text)
{
    if (*text) {
        *text = yl_arena_strdup(arena, yl_str_c(*text));
    }
}

static void
copy_bytes(struct yl_arena *arena, struct yl_str *bytes)
{
    if (bytes->size) {
        *bytes = yl_arena_copy(arena, *bytes);
    }
}

static void
copy_texts(struct yl_arena *arena, const char *const **texts, size_t n)
{
    const char **copy = yl_arena_array(arena, n, sizeof *copy);
    size_t i;

    for (i = 0; i < n; i++) {
        copy[i] = yl_arena_strdup(arena, yl_str_c((*texts)[i]));
    }
    *texts = copy;
}

static void
copy_exec(struct yl_arena *arena, const struct yl_client_exec **exec)
{
    struct yl_client_exec_env *env;
    struct yl_client_exec *copy;
    size_t i;

    if (!*exec) {
        return;
    }
    copy = yl_arena_alloc(arena, sizeof *copy);
    *copy = **exec;
    copy_text(arena, &copy->api_version);
    copy_text(arena, &copy->command);
    copy_texts(arena, &copy->args, copy->n_args);
    copy_text(arena, &copy->install_hint);
    copy_bytes(arena, &copy->cluster_config);
    env = yl_arena_array(arena, copy->n_env, sizeof *env);
    for (i = 0; i < copy->n_env; i++) {
        env[i] = copy->env[i];
        copy_text(arena, &env[i].name);
        copy_text(arena, &env[i].value);
    }
    copy->env = env;
    *exec = copy;
}

static void
copy_impersonation(struct yl_arena *arena,
                   struct yl_client_impersonation *impersonate)
{
    struct yl_client_extra *extras
        = yl_arena_array(arena, impersonate->n_extras, sizeof *extras);
    size_t i;

    copy_text(arena, &impersonate->user);
    copy_text(arena, &impersonate->uid);
    copy_texts(arena, &impersonate->groups, impersonate->n_groups);
    for (i = 0; i < impersonate->n_extras; i++) {
        extras[i] = impersonate->extras[i];
        copy_text(arena, &extras[i].key);
        copy_texts(arena, &extras[i].values, extras[i].n_values);
    }
    impersonate->extras = extras;
}
