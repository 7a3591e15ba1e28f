#ifndef TESTS_SCRIPT_RIG_H
#define TESTS_SCRIPT_RIG_H 1

/* A server that answers what the test has written down, for tests of
 * src/client.
 *
 *     script_open();
 *     script_answer(429, "retry-after: 0\n", "");
 *     script_answer(200, "", "{...}");
 *     ... calls of script.client ...
 *     assert_string_equal(script_heard(), "GET /api/v1/nodes/n\n"
 *                                         "GET /api/v1/nodes/n\n");
 *     script_close();
 *
 * The server has a thread of its own.  It answers requests in the order of the
 * script; when that is at its end, it keeps requests without an answer. */

#include "base/buf.h"
#include "base/thread.h"
#include "net/http.h"
#include "net/server.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

#define SCRIPT_MAX 64

/* The next server's certificate; without one there is no TLS. */
static struct yl_tls_files script_tls;

static struct script {
    struct yl_http_server *server;
    struct yl_client *client;

    struct yl_mutex lock;
    struct yl_cond changed;
    struct {
        int status;
        const char *headers;    /* "name: value\n" ... */
        struct yl_str body;
    } answers[SCRIPT_MAX];
    size_t n_answers, n_requests;
    struct yl_buf heard;        /* "METHOD TARGET\n", and with 'verbose' its
                                 * headers and body. */
    bool verbose;
} script;

static inline void
script_request(void *aux, struct yl_http_request *request)
{
    (void) aux;
    yl_http_read_body(request);
}

static inline void
script_hear(const struct yl_http_request *request)
{
    size_t i;

    yl_buf_printf(&script.heard, "%.*s %.*s%s%.*s\n",
                  YL_STR_ARG(request->method), YL_STR_ARG(request->path),
                  request->query.size ? "?" : "",
                  YL_STR_ARG(request->query));
    for (i = 0; script.verbose && i < request->n_headers; i++) {
        struct yl_http_header h = request->headers[i];

        if (!yl_str_equal_c(h.name, "host")
            && !yl_str_equal_c(h.name, "content-length")) {
            yl_buf_printf(&script.heard, "  %.*s: %.*s\n",
                          YL_STR_ARG(h.name), YL_STR_ARG(h.value));
        }
    }
    if (script.verbose && request->body.size) {
        yl_buf_printf(&script.heard, "  %.*s\n", YL_STR_ARG(request->body));
    }
}

static inline void
script_body(void *aux, struct yl_http_request *request)
{
    struct yl_http_header headers[8];
    size_t i, n = 0;

    (void) aux;
    yl_mutex_lock(&script.lock);
    script_hear(request);
    i = script.n_requests++;
    yl_cond_broadcast(&script.changed);
    if (i < script.n_answers) {
        struct yl_str rest = yl_str_c(script.answers[i].headers), line;

        while (yl_str_cut(rest, '\n', &line, &rest)) {
            struct yl_str name, value;

            assert_true(yl_str_cut(line, ':', &name, &value));
            headers[n++] = (struct yl_http_header) {
                name, yl_str_trim(value),
            };
        }
        yl_http_respond(request, script.answers[i].status, headers, n,
                        script.answers[i].body);
    }
    yl_mutex_unlock(&script.lock);
}

static inline void
script_end(void *aux, struct yl_http_request *request, bool finished)
{
    (void) aux;
    (void) request;
    (void) finished;
}

static inline int
script_connect(void *aux, struct yl_cancel *cancel, int *ret_fd,
               struct yl_error *err)
{
    (void) aux;
    (void) cancel;
    return yl_http_server_connect(script.server, script_tls.key != NULL,
                                  NULL, ret_fd, err);
}

/* Starts the server, and a client with these. */
static inline void
script_open_with(struct yl_client_config config, struct yl_client_opts opts)
{
    static const struct yl_http_handler handler = {
        script_request, script_body, script_end, NULL,
    };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_http_server_opts http = {
        .handler = &handler, .n_loops = 1, .tls = script_tls,
    };

    memset(&script, 0, sizeof script);
    yl_mutex_init(&script.lock);
    yl_cond_init(&script.changed);
    yl_buf_init(&script.heard, (size_t) 16 << 20);
    if (yl_http_server_new(&http, &script.server, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    config.server = config.server ? config.server : "http://test";
    config.user_agent = config.user_agent ? config.user_agent : "test";
    config.connect = script_connect;
    config.connect_is_quick = true;
    if (yl_client_new(&config, &opts, &script.client, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static inline void
script_open(void)
{
    script_open_with((struct yl_client_config) { .server = NULL },
                     (struct yl_client_opts) { .clock = NULL });
}

static inline void
script_close(void)
{
    script_tls = (struct yl_tls_files) { .key = NULL };
    yl_client_unref(script.client);
    yl_http_server_free(script.server);
    yl_buf_release(&script.heard);
    yl_cond_destroy(&script.changed);
    yl_mutex_destroy(&script.lock);
}

static inline void
script_answer_str(int status, const char *headers, struct yl_str body)
{
    yl_mutex_lock(&script.lock);
    assert_true(script.n_answers < SCRIPT_MAX);
    script.answers[script.n_answers].status = status;
    script.answers[script.n_answers].headers = headers;
    script.answers[script.n_answers++].body = body;
    yl_mutex_unlock(&script.lock);
}

/* One more answer; the texts are lent until script_close(). */
static inline void
script_answer(int status, const char *headers, const char *body)
{
    script_answer_str(status, headers, yl_str_c(body));
}

/* Waits until so many requests have come. */
static inline void
script_await(size_t n)
{
    yl_mutex_lock(&script.lock);
    while (script.n_requests < n) {
        yl_cond_wait(&script.changed, &script.lock);
    }
    yl_mutex_unlock(&script.lock);
}

/* What has come; lent until the next request. */
static inline const char *
script_heard(void)
{
    const char *text;

    yl_mutex_lock(&script.lock);
    text = yl_buf_c_str(&script.heard);
    yl_mutex_unlock(&script.lock);
    return text;
}

/* Resources for all. */
#define RIG_RESOURCE(GROUP, VERSION, RESOURCE, KIND, NAMESPACED)              \
    { { YL_STR_INIT(GROUP), YL_STR_INIT(VERSION), YL_STR_INIT(RESOURCE) },    \
      YL_STR_INIT(KIND), NAMESPACED }

static const struct yl_resource rig_pods YL_UNUSED
    = RIG_RESOURCE("", "v1", "pods", "Pod", true);
static const struct yl_resource rig_nodes YL_UNUSED
    = RIG_RESOURCE("", "v1", "nodes", "Node", false);
static const struct yl_resource rig_config_maps YL_UNUSED
    = RIG_RESOURCE("", "v1", "configmaps", "ConfigMap", true);
static const struct yl_resource rig_deployments YL_UNUSED
    = RIG_RESOURCE("apps", "v1", "deployments", "Deployment", true);

#endif /* tests/script_rig.h */
