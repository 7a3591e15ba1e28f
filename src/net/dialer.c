/* Dialer.  See net/http_client.h and net/dialer.h for the contract. */

#include "net/dialer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/ref.h"
#include "base/thread.h"
#include "net/dial.h"
#include "net/proxy.h"
#include "net/tls.h"
#include "net/transport.h"
#include "net/wait.h"
#include "yuloh/error.h"

#define MAX_AUTHORITY 512

struct yl_http_dialer {
    struct yl_ref ref;
    char *host;
    uint16_t port;
    char *authority;
    bool has_tls, http2;
    yl_connect_fn *connect;
    void *aux;
    bool connect_is_quick;
    yl_msec connect_timeout, tls_timeout;
    bool has_proxy;
    struct yl_proxy proxy;
    struct yl_tls_client *proxy_tls;    /* NULL unless that is https. */

    struct yl_mutex lock;
    struct yl_tls_client *tls YL_GUARDED;       /* Of new connections. */
    uint64_t generation YL_GUARDED;
};

static char *make_authority(const struct yl_http_dialer_opts *,
                            uint16_t port);
static int check(const struct yl_http_dialer_opts *, struct yl_error *err);
static int connect_by(struct yl_http_dialer *, yl_msec deadline,
                      struct yl_cancel *, struct yl_dialed *dialed,
                      struct yl_error *err);
static int connect_proxy(struct yl_http_dialer *, yl_msec deadline,
                         struct yl_cancel *, struct yl_dialed *dialed,
                         struct yl_error *err);
static int ask_proxy(struct yl_http_dialer *, struct yl_transport *,
                     yl_msec deadline, struct yl_cancel *,
                     struct yl_error *err);
static yl_msec or_default(yl_msec option, yl_msec value);

int
yl_http_dialer_new(const struct yl_http_dialer_opts *opts,
                   struct yl_http_dialer **ret_dialer, struct yl_error *err)
{
    struct yl_http_dialer *dialer;
    struct yl_proxy proxy = { 0 };
    int r = check(opts, err);

    if (r == 0 && opts->proxy) {
        r = yl_proxy_parse(opts->proxy, &proxy, err);
    }
    if (r == 0 && proxy.kind == YL_PROXY_HTTPS && !opts->proxy_tls) {
        r = yl_error_set(err, YL_EINVALID, "an https proxy needs the options "
                                           "of its TLS");
    }
    if (r < 0) {
        yl_proxy_release(&proxy);
        yl_tls_client_free(opts->tls);
        yl_tls_client_free(opts->proxy_tls);
        return r;
    }
    dialer = yl_zalloc(sizeof *dialer);
    yl_ref_init(&dialer->ref);
    dialer->host = yl_strdup(yl_str_c(opts->host));
    dialer->port = opts->port ? opts->port : opts->tls ? 443 : 80;
    dialer->authority = make_authority(opts, dialer->port);
    dialer->has_tls = opts->tls != NULL;
    dialer->http2 = opts->http2;
    dialer->connect = opts->connect;
    dialer->aux = opts->aux;
    dialer->connect_is_quick = opts->connect && opts->connect_is_quick;
    dialer->connect_timeout = or_default(opts->connect_timeout, 30000);
    dialer->tls_timeout = or_default(opts->tls_timeout, 10000);
    yl_mutex_init(&dialer->lock);
    yl_mutex_lock(&dialer->lock);
    dialer->tls = opts->tls;
    yl_mutex_unlock(&dialer->lock);
    dialer->has_proxy = opts->proxy != NULL;
    dialer->proxy = proxy;
    dialer->proxy_tls = opts->proxy_tls;
    *ret_dialer = dialer;
    return 0;
}

struct yl_http_dialer *
yl_http_dialer_ref(struct yl_http_dialer *dialer)
{
    yl_ref_get(&dialer->ref);
    return dialer;
}

struct yl_http_dialer *
yl_http_dialer_unref(struct yl_http_dialer *dialer)
{
    if (dialer && yl_ref_put(&dialer->ref)) {
        yl_mutex_lock(&dialer->lock);
        yl_tls_client_free(dialer->tls);
        yl_mutex_unlock(&dialer->lock);
        yl_mutex_destroy(&dialer->lock);
        yl_proxy_release(&dialer->proxy);
        yl_tls_client_free(dialer->proxy_tls);
        free(dialer->host);
        free(dialer->authority);
        free(dialer);
    }
    return NULL;
}

void
yl_http_dialer_set_tls(struct yl_http_dialer *dialer,
                       struct yl_tls_client *tls)
{
    struct yl_tls_client *old;

    yl_mutex_lock(&dialer->lock);
    old = dialer->tls;
    dialer->tls = tls;
    dialer->generation++;
    yl_mutex_unlock(&dialer->lock);
    yl_tls_client_free(old);
}

int
yl_http_dial(struct yl_http_dialer *dialer, yl_msec deadline,
             struct yl_cancel *cancel, struct yl_dialed *ret_dialed,
             struct yl_error *err)
{
    yl_msec until = yl_now(NULL) + dialer->connect_timeout;
    struct yl_dialed dialed = { .fd = -1 };
    int r;

    r = connect_by(dialer, until < deadline ? until : deadline, cancel,
                   &dialed, err);
    if (r < 0) {
        return r;
    }
    fcntl(dialed.fd, F_SETFL, fcntl(dialed.fd, F_GETFL) | O_NONBLOCK);
    fcntl(dialed.fd, F_SETFD, FD_CLOEXEC);
    yl_mutex_lock(&dialer->lock);
    if (dialer->tls) {
        dialed.tls = yl_tls_connect(dialer->tls, dialer->host);
    }
    dialed.generation = dialer->generation;
    yl_mutex_unlock(&dialer->lock);
    *ret_dialed = dialed;
    return 0;
}

void
yl_dialed_release(struct yl_dialed *dialed)
{
    close(dialed->fd);
    yl_tls_free(dialed->tls);
    yl_tls_free(dialed->tunnel);
}

uint64_t
yl_http_dialer_generation(struct yl_http_dialer *dialer)
{
    uint64_t generation;

    yl_mutex_lock(&dialer->lock);
    generation = dialer->generation;
    yl_mutex_unlock(&dialer->lock);
    return generation;
}

struct yl_str
yl_http_dialer_authority(const struct yl_http_dialer *dialer)
{
    return yl_str_c(dialer->authority);
}

bool
yl_http_dialer_has_tls(const struct yl_http_dialer *dialer)
{
    return dialer->has_tls;
}

bool
yl_http_dialer_is_http2(const struct yl_http_dialer *dialer)
{
    return dialer->http2;
}

bool
yl_http_dialer_is_quick(const struct yl_http_dialer *dialer)
{
    return dialer->connect_is_quick;
}

yl_msec
yl_http_dialer_tls_timeout(const struct yl_http_dialer *dialer)
{
    return dialer->tls_timeout;
}

/* Checks the options before anything is made. */
static int
check(const struct yl_http_dialer_opts *opts, struct yl_error *err)
{
    if (!opts->host || !opts->host[0]) {
        return yl_error_set(err, YL_EINVALID, "a server needs a host");
    } else if (strlen(opts->host) > 255) {
        return yl_error_set(err, YL_EINVALID, "the server's name is longer "
                                              "than 255 bytes");
    }
    for (const char *p = opts->host; *p; p++) {
        if (*p <= ' ' || *p == '/' || *p == '[' || *p == ']' || *p == '@'
            || *p == '?' || *p == '#' || *p == 0x7f) {
            return yl_error_set(err, YL_EINVALID,
                                "\"%s\" is not the name of a server",
                                opts->host);
        }
    }
    return 0;
}

static char *
make_authority(const struct yl_http_dialer_opts *opts, uint16_t port)
{
    bool is_v6 = strchr(opts->host, ':') != NULL;
    struct yl_buf buf;

    if (opts->authority) {
        return yl_strdup(yl_str_c(opts->authority));
    }
    yl_buf_init(&buf, MAX_AUTHORITY);
    yl_buf_printf(&buf, is_v6 ? "[%s]" : "%s", opts->host);
    if (port != (opts->tls ? 443 : 80)) {
        yl_buf_printf(&buf, ":%u", (unsigned) port);
    }
    return yl_buf_detach(&buf);
}

static int
connect_by(struct yl_http_dialer *dialer, yl_msec deadline,
           struct yl_cancel *cancel, struct yl_dialed *dialed,
           struct yl_error *err)
{
    if (dialer->connect) {
        return dialer->connect(dialer->aux, cancel, &dialed->fd, err);
    } else if (dialer->has_proxy) {
        return connect_proxy(dialer, deadline, cancel, dialed, err);
    }
    return yl_dial(dialer->host, dialer->port, deadline, cancel, &dialed->fd,
                   err);
}

static int
connect_proxy(struct yl_http_dialer *dialer, yl_msec deadline,
              struct yl_cancel *cancel, struct yl_dialed *dialed,
              struct yl_error *err)
{
    const struct yl_proxy *proxy = &dialer->proxy;
    struct yl_transport transport;
    struct yl_buffers buffers;
    struct yl_tls *tls = NULL;
    int fd;
    int r = yl_dial(proxy->host, proxy->port, deadline, cancel, &fd, err);

    if (r == 0) {
        if (proxy->kind == YL_PROXY_HTTPS) {
            tls = yl_tls_connect(dialer->proxy_tls, proxy->host);
        }
        yl_buffers_init(&buffers);
        yl_transport_init(&transport, &buffers, fd, tls);
        r = ask_proxy(dialer, &transport, deadline, cancel, err);
        if (r == 0) {
            yl_transport_detach(&transport, &dialed->fd, &dialed->tunnel);
        } else {
            yl_transport_release(&transport);
            yl_error_prefix(err, "proxy %s port %u", proxy->host,
                            (unsigned) proxy->port);
        }
        yl_buffers_release(&buffers);
    }
    return r;
}

/* Talks to the proxy until it has connected to the server. */
static int
ask_proxy(struct yl_http_dialer *dialer, struct yl_transport *t,
          yl_msec deadline, struct yl_cancel *cancel, struct yl_error *err)
{
    enum yl_transport_result result = YL_TRANSPORT_OK;
    struct yl_proxy_talk talk;
    struct yl_str bytes;
    int r;

    yl_proxy_talk_init(&talk, &dialer->proxy, dialer->host, dialer->port);
    yl_transport_begin(t);
    r = yl_proxy_begin(&talk, yl_transport_out(t), err);
    while (r == 0) {
        struct pollfd fd = { .fd = t->fd, .events = POLLIN };
        bool ok = yl_transport_flush(t);

        if (!ok || result == YL_TRANSPORT_FAILED) {
            const char *why = t->tls ? yl_tls_failure(t->tls) : NULL;

            r = yl_error_set(err, YL_EUNAVAILABLE, "%s",
                             why ? why : "the connection is broken");
            break;
        } else if (result != YL_TRANSPORT_OK) {
            r = yl_proxy_receive_eof(&talk, err);
            break;
        }
        if (yl_transport_is_blocked(t)) {
            fd.events |= POLLOUT;
        }
        r = yl_wait(&fd, 1, deadline, cancel, err);
        if (r == 0 && yl_now(NULL) >= deadline) {
            /* Also if the proxy sends something without a pause. */
            r = yl_error_set(err, YL_ETIMEOUT, "timed out");
        }
        if (r == 0 && fd.revents & ~POLLOUT) {
            result = yl_transport_receive(t, &bytes);
            if (bytes.size) {
                r = yl_proxy_receive(&talk, bytes, yl_transport_out(t), err);
            }
        }
    }
    yl_proxy_talk_release(&talk);
    return r < 0 ? r : 0;
}

static yl_msec
or_default(yl_msec option, yl_msec value)
{
    return option ? option : value;
}
