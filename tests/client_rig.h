#ifndef TESTS_CLIENT_RIG_H
#define TESTS_CLIENT_RIG_H 1

/* A server with a thread of its own, for tests of HTTP clients.
 *
 *     far_start(&(struct yl_http_server_opts) { 0 });
 *     dialer = far_dialer(true);
 *     ...
 *     far_stop();
 *
 * What it answers depends on the path:
 *
 *     /never      nothing
 *     /bytes?N    N bytes 'x', in pieces
 *     /watch      "hello\n", and then nothing more
 *     /broken     "hello\n", and then the answer is cut off
 *     /status?N   the status N
 *     else        "METHOD PATH?QUERY [BODY] VERSION HOST" */

#include <stdatomic.h>
#include <unistd.h>

#include "certs.h"
#include "net/dialer.h"
#include "net/http.h"
#include "net/http_client.h"
#include "net/server.h"
#include "net/tls.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct far {
    struct yl_http_server *server;
    struct cert ca, certificate;
    char dir[64], ca_path[96], cert_path[96], key_path[96];
    bool made;
    atomic_int n_requests;      /* Heads that have come. */
    atomic_int n_ended;
} far;

struct far_source {
    struct yl_http_request *request;
    unsigned long long left;
    enum yl_http_pull last;     /* What it says at the end. */
};

static inline enum yl_http_pull
far_pull(void *aux, struct yl_buf *out)
{
    struct far_source *source = aux;
    size_t n = source->left < YL_HTTP_PIECE ? (size_t) source->left
               : YL_HTTP_PIECE;

    if (!n) {
        return yl_http_is_draining(source->request)
               && source->last == YL_HTTP_WAIT ? YL_HTTP_END : source->last;
    }
    if (source->last == YL_HTTP_END) {
        memset(yl_buf_reserve(out, n), 'x', n);
        yl_buf_commit(out, n);
    } else {
        yl_buf_append(out, "hello\n", n);
    }
    source->left -= n;
    return YL_HTTP_MORE;
}

static inline void
far_answer_source(struct yl_http_request *request, unsigned long long left,
                  enum yl_http_pull last)
{
    static const struct yl_http_source source = { far_pull };
    struct far_source *aux = yl_arena_zalloc(request->arena, sizeof *aux);

    aux->request = request;
    aux->left = left;
    aux->last = last;
    yl_http_respond_source(request, 200, NULL, 0, &source, aux);
}

static inline void
far_request(void *aux YL_UNUSED, struct yl_http_request *request)
{
    atomic_fetch_add(&far.n_requests, 1);
    yl_http_read_body(request);
}

static inline void
far_body(void *aux YL_UNUSED, struct yl_http_request *request)
{
    struct yl_http_header type = { YL_STR("x-rig"), YL_STR("far") };
    unsigned long long n = 0;

    yl_str_to_u64(request->query, &n);
    if (yl_str_equal(request->path, YL_STR("/never"))) {
        return;
    } else if (yl_str_equal(request->path, YL_STR("/bytes"))) {
        far_answer_source(request, n, YL_HTTP_END);
    } else if (yl_str_equal(request->path, YL_STR("/watch"))) {
        far_answer_source(request, 6, YL_HTTP_WAIT);
    } else if (yl_str_equal(request->path, YL_STR("/broken"))) {
        far_answer_source(request, 6, YL_HTTP_ABORT);
    } else {
        bool status = yl_str_equal(request->path, YL_STR("/status"));
        char *body = yl_arena_printf(
            request->arena, "%.*s %.*s?%.*s [%.*s] %d %.*s",
            YL_STR_ARG(request->method), YL_STR_ARG(request->path),
            YL_STR_ARG(request->query), YL_STR_ARG(request->body),
            request->version,
            YL_STR_ARG(yl_http_header(request, YL_STR("host"))));

        yl_http_respond(request, status ? (int) n : 200, &type, 1,
                        yl_str_c(body));
    }
}

static inline void
far_end(void *aux YL_UNUSED, struct yl_http_request *request YL_UNUSED,
        bool finished YL_UNUSED)
{
    atomic_fetch_add(&far.n_ended, 1);
}

static inline void
far_clean_up(void)
{
    unlink(far.ca_path);
    unlink(far.cert_path);
    unlink(far.key_path);
    rmdir(far.dir);
    cert_release(&far.ca);
    cert_release(&far.certificate);
}

static inline void
far_start(const struct yl_http_server_opts *given)
{
    static const struct yl_http_handler handler = {
        far_request, far_body, far_end, NULL
    };
    struct yl_http_server_opts opts = *given;
    struct yl_error err = YL_ERROR_INIT;

    if (!far.made) {
        far.made = true;
        snprintf(far.dir, sizeof far.dir, "/tmp/yuloh-far-XXXXXX");
        assert_non_null(mkdtemp(far.dir));
        snprintf(far.ca_path, sizeof far.ca_path, "%s/ca.pem", far.dir);
        snprintf(far.cert_path, sizeof far.cert_path, "%s/c.pem", far.dir);
        snprintf(far.key_path, sizeof far.key_path, "%s/key.pem", far.dir);
        cert_make(&far.ca, NULL, "/CN=ca", 3600, CERT_CA);
        cert_make(&far.certificate, &far.ca, "/CN=x", 3600, CERT_SERVER);
        cert_write(&far.ca, far.ca_path, NULL);
        cert_write(&far.certificate, far.cert_path, far.key_path);
        atexit(far_clean_up);
    }
    opts.handler = &handler;
    opts.listen = "127.0.0.1:0";
    opts.listen_clear = "127.0.0.1:0";
    opts.tls = (struct yl_tls_files) { far.cert_path, far.key_path, NULL };
    opts.n_loops = 1;
    far.n_requests = far.n_ended = 0;
    if (yl_http_server_new(&opts, &far.server, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static inline void
far_stop(void)
{
    yl_http_server_free(far.server);
    far.server = NULL;
    assert_int_equal(far.n_ended, far.n_requests);
}

/* With TLS, and without. */
enum far_how { FAR_HTTP2, FAR_HTTP1, FAR_CLEAR, FAR_CLEAR2 };

static inline struct yl_tls_client *
far_tls(bool http1)
{
    struct yl_tls_client_opts opts = {
        .authorities.path = far.ca_path, .http1 = http1
    };
    struct yl_tls_client *tls;

    assert_int_equal(yl_tls_client_new(&opts, &tls, NULL), 0);
    return tls;
}

/* A dialer of the server; members that 'given' leaves out are filled in. */
static inline struct yl_http_dialer *
far_dialer_with(enum far_how how, const struct yl_http_dialer_opts *given)
{
    struct yl_http_dialer_opts opts = *given;
    struct yl_http_dialer *dialer;
    struct yl_error err = YL_ERROR_INIT;

    if (!opts.host) {
        opts.host = "127.0.0.1";
    }
    if (!opts.port) {
        opts.port = how >= FAR_CLEAR ? yl_http_server_clear_port(far.server)
                    : yl_http_server_port(far.server);
    }
    opts.http2 = how == FAR_CLEAR2;
    if (how < FAR_CLEAR && !opts.tls) {
        opts.tls = far_tls(how == FAR_HTTP1);
    }
    if (yl_http_dialer_new(&opts, &dialer, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return dialer;
}

static inline struct yl_http_dialer *
far_dialer(enum far_how how)
{
    return far_dialer_with(how, &(struct yl_http_dialer_opts) { 0 });
}

#endif /* tests/client_rig.h */
