/* Pages.  See controller/pages.h. */

#include "controller/pages.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "controller/manager.h"
#include "net/http.h"
#include "net/server.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/leader_election.h"
#include "yuloh/log.h"

/* A page is smaller. */
#define MAX_PAGE ((size_t) 16 << 20)

/* How long after its end a Lease may be held by a thread that is only slow. */
#define LEASE_TOLERANCE 20000

struct yl_pages {
    struct yl_manager *manager;
    struct yl_http_server *server;
};

struct page {
    const char *path;
    void (*answer)(struct yl_pages *, struct yl_http_request *);
};

static void on_request(void *pages, struct yl_http_request *);
static void on_end(void *pages, struct yl_http_request *, bool finished);
static void answer_index(struct yl_pages *, struct yl_http_request *);
static void answer_metrics(struct yl_pages *, struct yl_http_request *);
static void answer_health(struct yl_pages *, struct yl_http_request *);
static void answer_ready(struct yl_pages *, struct yl_http_request *);
static void answer_status(struct yl_pages *, struct yl_http_request *);
static void respond(struct yl_http_request *, int status, const char *type,
                    struct yl_str body);
static void append(void *buf, const char *text, size_t size);

static const struct yl_http_handler handler = {
    .request = on_request,
    .end = on_end,
};

static const struct page pages_table[] = {
    { "/", answer_index },
    { "/metrics", answer_metrics },
    { "/healthz", answer_health },
    { "/livez", answer_health },
    { "/readyz", answer_ready },
    { "/debug/controller", answer_status },
};

int
yl_pages_new(struct yl_manager *manager, const char *address,
             struct yl_pages **ret_pages, struct yl_error *err)
{
    struct yl_pages *pages = yl_zalloc(sizeof *pages);
    int r;

    pages->manager = manager;
    r = yl_http_server_new(&(struct yl_http_server_opts) {
        .handler = &handler,
        .aux = pages,
        .listen_clear = address,
        .clear_anywhere = true,
        .n_loops = 1,
        .max_connections = 100,
        .budget = 64 << 20,
    }, &pages->server, err);
    if (r < 0) {
        free(pages);
        return r;
    }
    yl_log_info("Serving pages", YL_LOG_C("address", address),
                YL_LOG_INT("port", yl_pages_port(pages)));
    *ret_pages = pages;
    return 0;
}

void
yl_pages_free(struct yl_pages *pages)
{
    if (pages) {
        yl_http_server_free(pages->server);
        free(pages);
    }
}

uint16_t
yl_pages_port(const struct yl_pages *pages)
{
    return yl_http_server_clear_port(pages->server);
}

static void
on_request(void *pages, struct yl_http_request *request)
{
    size_t i;

    if (!yl_str_equal_c(request->method, "GET")
        && !yl_str_equal_c(request->method, "HEAD")) {
        respond(request, 405, "text/plain", YL_STR("only GET\n"));
        return;
    }
    for (i = 0; i < YL_ARRAY_SIZE(pages_table); i++) {
        if (yl_str_equal_c(request->path, pages_table[i].path)) {
            pages_table[i].answer(pages, request);
            return;
        }
    }
    respond(request, 404, "text/plain", YL_STR("no such page\n"));
}

static void
on_end(void *pages YL_UNUSED, struct yl_http_request *request YL_UNUSED,
       bool finished YL_UNUSED)
{
}

static void
answer_index(struct yl_pages *pages YL_UNUSED,
             struct yl_http_request *request)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, MAX_PAGE);
    for (i = 1; i < YL_ARRAY_SIZE(pages_table); i++) {
        yl_buf_printf(&buf, "%s\n", pages_table[i].path);
    }
    respond(request, 200, "text/plain", yl_buf_str(&buf));
    yl_buf_release(&buf);
}

static void
answer_metrics(struct yl_pages *pages, struct yl_http_request *request)
{
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_PAGE);
    yl_metrics_render(pages->manager->opts.metrics, append, &buf);
    respond(request, 200, YL_METRICS_CONTENT_TYPE, yl_buf_str(&buf));
    yl_buf_release(&buf);
}

/* The process is alive if it answers; a leader must also renew its Lease. */
static void
answer_health(struct yl_pages *pages, struct yl_http_request *request)
{
    struct yl_leader_election *election
        = yl_manager_election(pages->manager);
    struct yl_error err = YL_ERROR_INIT;

    if (election
        && yl_leader_election_check(election, LEASE_TOLERANCE, &err) < 0) {
        respond(request, 500, "text/plain",
                yl_str_c(yl_arena_printf(request->arena, "%s\n",
                                         yl_error_message(&err))));
        yl_error_clear(&err);
        return;
    }
    respond(request, 200, "text/plain", YL_STR("ok\n"));
}

static void
answer_ready(struct yl_pages *pages, struct yl_http_request *request)
{
    bool ready = yl_manager_is_ready(pages->manager);

    respond(request, ready ? 200 : 503, "text/plain",
            ready ? YL_STR("ok\n") : YL_STR("the caches have not synced\n"));
}

static void
answer_status(struct yl_pages *pages, struct yl_http_request *request)
{
    respond(request, 200, "text/plain; charset=utf-8",
            yl_manager_status_text(pages->manager, request->arena));
}

static void
respond(struct yl_http_request *request, int status, const char *type,
        struct yl_str body)
{
    const struct yl_http_header headers[] = {
        { YL_STR("content-type"), yl_str_c(type) },
        { YL_STR("cache-control"), YL_STR("no-store") },
        { YL_STR("x-content-type-options"), YL_STR("nosniff") },
    };

    yl_http_respond(request, status, headers, YL_ARRAY_SIZE(headers), body);
}

static void
append(void *buf, const char *text, size_t size)
{
    yl_buf_append(buf, text, size);
}
