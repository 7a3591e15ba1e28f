/* The client: what its calls share. */

#include "client/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "client/impersonate.h"
#include "client/proxy_env.h"
#include "client/server_url.h"
#include "net/http_pool.h"
#include "net/tls.h"
#include "yuloh/arena.h"
#include "yuloh/client_config.h"
#include "yuloh/schema.h"

#define DEFAULT_BURST 10

static int update_tls(struct yl_client *, const struct yl_credentials_use *,
                      struct yl_error *);
static int make_dialer(const struct yl_client_config *,
                       const struct yl_server_url *, struct yl_credentials *,
                       uint64_t *ret_tls_generation, struct yl_http_dialer **,
                       struct yl_error *);
static const char *get_env(void *aux, const char *name);
static char *default_user_agent(void);
static bool is_header_value(const char *);

struct yl_resource
yl_resource_of(const struct yl_kind *kind)
{
    struct yl_resource resource;

    resource.gvr.group = yl_str_c(kind->set->group);
    resource.gvr.version = yl_str_c(kind->set->version);
    resource.gvr.resource = yl_str_c(kind->plural);
    resource.kind = yl_str_c(kind->name);
    resource.namespaced = (kind->flags & YL_KIND_NAMESPACED) != 0;
    return resource;
}

int
yl_client_new(const struct yl_client_config *config,
              const struct yl_client_opts *opts,
              struct yl_client **ret_client, struct yl_error *err)
{
    struct yl_http_dialer *dialer = NULL;
    struct yl_credentials *credentials = NULL;
    struct yl_arena *arena = yl_arena_new();
    struct yl_http_header *impersonation = NULL;
    size_t n_impersonation = 0;
    struct yl_server_url url;
    struct yl_client *client;
    uint64_t tls_generation = 0;
    int r;

    r = yl_server_url_parse(yl_str_c(config->server), true, &url, err);
    if (r == 0 && !is_header_value(config->user_agent)) {
        r = yl_error_set(err, YL_EINVALID, "the user agent has characters "
                         "that an HTTP header cannot have");
    }
    if (r == 0) {
        r = yl_impersonate_headers(arena, &config->impersonate,
                                   &impersonation, &n_impersonation, err);
    }
    if (r == 0) {
        r = yl_credentials_new(config, yl_now(opts ? opts->clock : NULL),
                               &credentials, err);
    }
    if (r == 0) {
        r = make_dialer(config, &url, credentials, &tls_generation, &dialer,
                        err);
    }
    if (r < 0) {
        yl_credentials_free(credentials);
        yl_arena_free(arena);
        return r;
    }
    client = yl_zalloc(sizeof *client);
    yl_ref_init(&client->ref);
    if (opts) {
        client->opts = *opts;
    }
    client->credentials = credentials;
    client->arena = arena;
    client->impersonation = impersonation;
    client->n_impersonation = n_impersonation;
    client->prefix = yl_strdup(url.prefix);
    client->has_tls = url.tls;
    client->user_agent = config->user_agent
        ? yl_strdup(yl_str_c(config->user_agent)) : default_user_agent();
    client->timeout = config->timeout;
    client->dialer = dialer;
    client->pool = yl_http_pool_new(dialer, NULL);
    yl_throttle_init(&client->throttle, config->qps,
                     config->burst > 0 ? config->burst : DEFAULT_BURST);
    yl_warning_log_init(&client->warnings);
    yl_call_metrics_init(&client->metrics, client->opts.metrics,
                         url.authority);
    yl_mutex_init(&client->lock);
    yl_mutex_lock(&client->lock);
    yl_list_init(&client->fetchers);
    client->tls_generation = tls_generation;
    yl_mutex_unlock(&client->lock);
    *ret_client = client;
    return 0;
}

struct yl_client *
yl_client_ref(struct yl_client *client)
{
    yl_ref_get(&client->ref);
    return client;
}

struct yl_client *
yl_client_unref(struct yl_client *client)
{
    if (client && yl_ref_put(&client->ref)) {
        yl_http_pool_free(client->pool);
        yl_http_dialer_unref(client->dialer);
        yl_throttle_release(&client->throttle);
        yl_warning_log_release(&client->warnings);
        yl_call_metrics_release(&client->metrics);
        yl_mutex_destroy(&client->lock);
        free(client->prefix);
        yl_credentials_free(client->credentials);
        yl_arena_free(client->arena);
        free(client->user_agent);
        free(client);
    }
    return NULL;
}

int
yl_client_identify(struct yl_client *client, struct yl_cancel *cancel,
                   struct yl_arena *arena, struct yl_credentials_use *use,
                   struct yl_error *err)
{
    int r = yl_credentials_now(client->credentials,
                               yl_now(client->opts.clock), cancel, arena, use,
                               err);

    return r < 0 ? r : update_tls(client, use, err);
}

int
yl_client_try_identify(struct yl_client *client, struct yl_arena *arena,
                       struct yl_credentials_use *use, struct yl_error *err)
{
    int r = yl_credentials_try(client->credentials,
                               yl_now(client->opts.clock), arena, use, err);

    return r < 0 ? r : update_tls(client, use, err);
}

struct yl_client_headers
yl_client_headers(struct yl_client *client, struct yl_arena *arena,
                  const struct yl_credentials_use *use,
                  const char *content_type, const char *accept)
{
    struct yl_client_headers set = {
        yl_arena_array(arena, 4 + client->n_impersonation,
                       sizeof *set.headers), 0,
    };
    size_t i;

    set.headers[set.n++] = (struct yl_http_header) {
        YL_STR("accept"), yl_str_c(accept ? accept : "application/json"),
    };
    set.headers[set.n++] = (struct yl_http_header) {
        YL_STR("user-agent"), yl_str_c(client->user_agent),
    };
    if (!yl_str_is_null(use->authorization)) {
        set.headers[set.n++] = (struct yl_http_header) {
            YL_STR("authorization"), use->authorization,
        };
    }
    for (i = 0; i < client->n_impersonation; i++) {
        set.headers[set.n++] = client->impersonation[i];
    }
    if (content_type) {
        set.headers[set.n++] = (struct yl_http_header) {
            YL_STR("content-type"), yl_str_c(content_type),
        };
    }
    return set;
}

void
yl_client_warn(struct yl_client *client, const struct yl_http_answer *answer)
{
    struct yl_arena *arena = NULL;
    size_t i;

    for (i = 0; i < answer->n_headers; i++) {
        struct yl_str rest = answer->headers[i].value;
        struct yl_warning warning;

        if (!yl_str_equal_c(answer->headers[i].name, "warning")) {
            continue;
        }
        arena = arena ? arena : yl_arena_new();
        while (yl_warning_next(&rest, arena, &warning, NULL) > 0) {
            if (client->opts.warning) {
                client->opts.warning(client->opts.warning_aux, warning.code,
                                     warning.agent, warning.text);
            } else {
                yl_warning_log_once(&client->warnings, &warning);
            }
        }
    }
    yl_arena_free(arena);
}

/* Gives the dialer the certificates that 'use' needs. */
static int
update_tls(struct yl_client *client, const struct yl_credentials_use *use,
           struct yl_error *err)
{
    struct yl_tls_client *tls;
    int r = 0;

    yl_mutex_lock(&client->lock);
    if (client->has_tls && use->tls_generation > client->tls_generation) {
        r = yl_credentials_make_tls(client->credentials, &tls,
                                    &client->tls_generation, err);
        if (r == 0) {
            yl_http_dialer_set_tls(client->dialer, tls);
        }
    }
    yl_mutex_unlock(&client->lock);
    return r;
}

static int
make_dialer(const struct yl_client_config *config,
            const struct yl_server_url *url,
            struct yl_credentials *credentials, uint64_t *ret_tls_generation,
            struct yl_http_dialer **ret_dialer, struct yl_error *err)
{
    struct yl_http_dialer_opts opts = {
        .port = url->port,
        .connect = config->connect,
        .aux = config->connect_aux,
        .connect_is_quick = config->connect_is_quick,
    };
    char *host = yl_strdup(url->host);
    char *authority = yl_strdup(url->authority);
    struct yl_arena *arena = yl_arena_new();
    int r = 0;

    opts.host = host;
    opts.authority = authority;
    opts.proxy = config->proxy_url && *config->proxy_url
                 ? config->proxy_url
                 : yl_proxy_from_env(arena, get_env, NULL, url->tls,
                                     url->host, url->port);
    if (url->tls) {
        r = yl_credentials_make_tls(credentials, &opts.tls,
                                    ret_tls_generation, err);
    }
    if (r == 0 && opts.proxy && strncmp(opts.proxy, "https:", 6) == 0) {
        r = yl_tls_client_new(&(struct yl_tls_client_opts) {
            .authorities = { config->ca_file, config->ca },
            .insecure = config->insecure,
            .http1 = true,
        }, &opts.proxy_tls, err);
    }
    if (r == 0) {
        r = yl_http_dialer_new(&opts, ret_dialer, err);
    } else {
        yl_tls_client_free(opts.tls);
    }
    yl_arena_free(arena);
    free(host);
    free(authority);
    return r;
}

static const char *
get_env(void *aux YL_UNUSED, const char *name)
{
    return getenv(name);
}

/* "PROGRAM/yuloh (linux/x86_64)": servers name the manager of fields that
 * were written without one by what stands before the slash. */
static char *
default_user_agent(void)
{
    struct utsname system;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 16);
    yl_buf_printf(&buf, "%s/yuloh (linux/%s)", program_invocation_short_name,
                  uname(&system) == 0 ? system.machine : "unknown");
    return yl_buf_detach(&buf);
}

/* NULL is fine too. */
static bool
is_header_value(const char *text)
{
    for (; text && *text; text++) {
        if ((unsigned char) *text < ' ' || *text == 0x7f) {
            return false;
        }
    }
    return true;
}
