#ifndef TESTS_REQUEST_UNIT_H
#define TESTS_REQUEST_UNIT_H 1

/* API requests without sockets: this header replaces the functions of
 * net/http.h and records the answers.
 *
 *     request_unit_start(&u, "GET", "/apis?pretty=1", "accept",
 *                        "application/json", NULL);
 *     yl_discovery_serve(&u.request);
 *     assert_int_equal(u.status, 200);
 *     request_unit_end(&u);
 *
 * Only for tests that link no HTTP server. */

#include "apiserver/request.h"
#include "apiserver/server.h"
#include "base/buf.h"
#include "net/http.h"
#include "net/server.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct request_unit {
    struct yl_apiserver server;     /* The test's to fill. */
    struct yl_api_request request;
    struct yl_http_request http;
    struct yl_http_header headers[8];

    /* The answer. */
    int status;                 /* 0: none yet. */
    struct yl_buf answer_headers;   /* Lines of "name: value". */
    struct yl_buf body;
    bool resumed;               /* By the source that is pulled. */

    bool over_budget;           /* Nothing may be charged. */
};

static struct request_unit *request_unit_of(struct yl_http_request *);

/* Further arguments are pairs of header names and values, then NULL. */
static YL_UNUSED void
request_unit_start(struct request_unit *u, const char *method,
                   const char *target, ...)
{
    struct yl_str path = yl_str_c(target), query = YL_STR("");
    const char *name;
    va_list args;

    memset(&u->request, 0, sizeof u->request);
    memset(&u->http, 0, sizeof u->http);
    u->status = 0;
    yl_buf_init(&u->answer_headers, 1 << 16);
    yl_buf_init(&u->body, 1 << 26);
    yl_str_cut(path, '?', &path, &query);
    u->http.method = yl_str_c(method);
    u->http.path = path;
    u->http.query = query;
    u->http.headers = u->headers;
    va_start(args, target);
    while ((name = va_arg(args, const char *)) != NULL) {
        struct yl_http_header *header = &u->headers[u->http.n_headers++];

        header->name = yl_str_c(name);
        header->value = yl_str_c(va_arg(args, const char *));
    }
    va_end(args);

    u->request.server = &u->server;
    u->request.http = &u->http;
    u->request.arena = yl_arena_new();
    u->request.audit_id = YL_STR("0");
    assert_int_equal(yl_params_parse(u->request.arena, query,
                                     &u->request.params, NULL), 0);
    assert_int_equal(yl_request_info_parse(u->request.arena, u->http.method,
                                           path, &u->request.params,
                                           &u->request.info), 0);
}

static YL_UNUSED void
request_unit_end(struct request_unit *u)
{
    yl_arena_free(u->request.arena);
    yl_buf_release(&u->answer_headers);
    yl_buf_release(&u->body);
}

/* Whether the head of the answer has the line "name: value". */
static YL_UNUSED bool
request_unit_has(struct request_unit *u, const char *line)
{
    return strstr(yl_buf_c_str(&u->answer_headers), line) != NULL;
}

static struct request_unit *
request_unit_of(struct yl_http_request *http)
{
    return YL_CONTAINER_OF(http, struct request_unit, http);
}

struct yl_str
yl_http_header(const struct yl_http_request *request, struct yl_str name)
{
    for (size_t i = 0; i < request->n_headers; i++) {
        if (yl_str_equal(request->headers[i].name, name)) {
            return request->headers[i].value;
        }
    }
    return yl_str_null();
}

void
yl_http_respond(struct yl_http_request *http, int status,
                const struct yl_http_header *headers, size_t n_headers,
                struct yl_str body)
{
    struct request_unit *u = request_unit_of(http);

    assert_int_equal(u->status, 0);
    u->status = status;
    for (size_t i = 0; i < n_headers; i++) {
        yl_buf_printf(&u->answer_headers, "%.*s: %.*s\n",
                      YL_STR_ARG(headers[i].name),
                      YL_STR_ARG(headers[i].value));
    }
    yl_buf_append_str(&u->body, body);
}

void
yl_http_respond_lent(struct yl_http_request *http, int status,
                     const struct yl_http_header *headers, size_t n_headers,
                     struct yl_str body)
{
    yl_http_respond(http, status, headers, n_headers, body);
}

void
yl_http_respond_source(struct yl_http_request *http, int status,
                       const struct yl_http_header *headers, size_t n_headers,
                       const struct yl_http_source *source, void *aux)
{
    struct request_unit *u = request_unit_of(http);
    enum yl_http_pull pulled;

    yl_http_respond(http, status, headers, n_headers, YL_STR(""));
    do {
        u->resumed = false;
        pulled = source->pull(aux, &u->body);
    } while (pulled == YL_HTTP_MORE
             || (pulled == YL_HTTP_WAIT && u->resumed));
    if (pulled == YL_HTTP_ABORT) {
        yl_buf_append_c(&u->body, "(cut off)");
    }
}

void
yl_http_resume(struct yl_http_request *http)
{
    request_unit_of(http)->resumed = true;
}

void
yl_http_read_body(struct yl_http_request *http YL_UNUSED)
{
}

int
yl_http_set_user(struct yl_http_request *http, struct yl_str user YL_UNUSED)
{
    return request_unit_of(http)->over_budget ? YL_ETHROTTLED : 0;
}

int
yl_http_charge(struct yl_http_request *http, size_t n YL_UNUSED)
{
    return request_unit_of(http)->over_budget ? YL_ETHROTTLED : 0;
}

void
yl_http_uncharge(struct yl_http_request *http YL_UNUSED, size_t n YL_UNUSED)
{
}

void
yl_http_hold(struct yl_http_request *http YL_UNUSED)
{
}

void
yl_http_release(struct yl_http_request *http YL_UNUSED)
{
}

void
yl_http_server_stats(const struct yl_http_server *server YL_UNUSED,
                     struct yl_http_server_stats *stats)
{
    *stats = (struct yl_http_server_stats) { .n_requests = 1 };
}

bool
yl_http_is_draining(const struct yl_http_request *http YL_UNUSED)
{
    return false;
}

#endif /* tests/request_unit.h */
