/* The client: what its calls share. */

#include "client/client.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "client/server_url.h"
#include "net/http_pool.h"
#include "net/tls.h"
#include "yuloh/arena.h"
#include "yuloh/client_config.h"
#include "yuloh/schema.h"

#define DEFAULT_BURST 10

static int make_dialer(const struct yl_client_config *,
                       const struct yl_server_url *, struct yl_http_dialer **,
                       struct yl_error *);
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
    struct yl_server_url url;
    struct yl_client *client;
    int r;

    r = yl_server_url_parse(yl_str_c(config->server), true, &url, err);
    if (r == 0 && (!is_header_value(config->token)
                   || !is_header_value(config->user_agent))) {
        r = yl_error_set(err, YL_EINVALID,
                         "the token or user agent has characters that an "
                         "HTTP header cannot have");
    }
    if (r == 0) {
        r = make_dialer(config, &url, &dialer, err);
    }
    if (r < 0) {
        return r;
    }
    client = yl_zalloc(sizeof *client);
    yl_ref_init(&client->ref);
    if (opts) {
        client->opts = *opts;
    }
    client->prefix = yl_strdup(url.prefix);
    if (config->token && *config->token) {
        struct yl_buf buf;

        yl_buf_init(&buf, SIZE_MAX);
        yl_buf_printf(&buf, "Bearer %s", config->token);
        client->authorization = yl_buf_detach(&buf);
    }
    client->user_agent = config->user_agent
        ? yl_strdup(yl_str_c(config->user_agent)) : default_user_agent();
    client->timeout = config->timeout;
    client->dialer = dialer;
    client->pool = yl_http_pool_new(dialer, NULL);
    yl_throttle_init(&client->throttle, config->qps,
                     config->burst > 0 ? config->burst : DEFAULT_BURST,
                     yl_now(client->opts.clock));
    yl_warning_log_init(&client->warnings);
    yl_call_metrics_init(&client->metrics, client->opts.metrics,
                         url.authority);
    yl_mutex_init(&client->lock);
    yl_mutex_lock(&client->lock);
    yl_list_init(&client->fetchers);
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
        free(client->authorization);
        free(client->user_agent);
        free(client);
    }
    return NULL;
}

struct yl_client_headers
yl_client_headers(struct yl_client *client, struct yl_arena *arena,
                  const char *content_type, const char *accept)
{
    struct yl_client_headers set = {
        yl_arena_array(arena, 4, sizeof *set.headers), 0,
    };

    set.headers[set.n++] = (struct yl_http_header) {
        YL_STR("accept"), yl_str_c(accept ? accept : "application/json"),
    };
    set.headers[set.n++] = (struct yl_http_header) {
        YL_STR("user-agent"), yl_str_c(client->user_agent),
    };
    if (client->authorization) {
        set.headers[set.n++] = (struct yl_http_header) {
            YL_STR("authorization"), yl_str_c(client->authorization),
        };
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

static int
make_dialer(const struct yl_client_config *config,
            const struct yl_server_url *url,
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
    int r = 0;

    opts.host = host;
    opts.authority = authority;
    if (url->tls) {
        r = yl_tls_client_new(&(struct yl_tls_client_opts) {
            .authorities = { config->ca_file, config->ca },
            .verify_name = config->tls_server_name,
            .sni = config->tls_server_name,
            .insecure = config->insecure,
        }, &opts.tls, err);
    }
    if (r == 0) {
        r = yl_http_dialer_new(&opts, ret_dialer, err);
    }
    free(host);
    free(authority);
    return r;
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
