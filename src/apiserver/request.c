/* A request on its way.  See apiserver/request.h for the contract. */

#include "apiserver/request.h"

#include <stdarg.h>

#include "apiserver/filters/filters.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/metrics/metrics_requests.h"
#include "apiserver/server.h"
#include "base/arena.h"
#include "base/quote.h"
#include "base/random.h"
#include "yuloh/log.h"

static void open_account(struct yl_api_request *);
static void run_steps(struct yl_api_request *);
static void log_end(const struct yl_api_request *, bool finished,
                    yl_msec took);
static void free_request(struct yl_api_request *);

yl_step_fn *const yl_api_steps[] = {
    yl_filter_info,
    yl_filter_deadline,
    yl_filter_authenticate,
    yl_filter_audit,
    yl_filter_impersonate,
    yl_filter_authorize,
    yl_filter_route,
    yl_filter_body,
    yl_filter_serve,
    NULL,
};

static void
on_request(void *aux, struct yl_http_request *http)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_api_request *req = yl_arena_zalloc(arena, sizeof *req);
    char *id = yl_arena_alloc(arena, YL_UUID_LENGTH + 1);

    req->server = aux;
    req->http = http;
    req->arena = arena;
    open_account(req);
    http->user = req;
    yl_random_uuid(id);
    req->audit_id = yl_http_header(http, YL_STR("audit-id"));
    if (!req->audit_id.size) {
        req->audit_id = yl_str_n(id, YL_UUID_LENGTH);
    } else if (req->audit_id.size > YL_EXCERPT_MAX) {
        req->audit_id.size = YL_EXCERPT_MAX;    /* It is repeated in the
                                                 * answer. */
    }
    run_steps(req);
}

static void
on_body(void *aux YL_UNUSED, struct yl_http_request *http)
{
    yl_api_continue(http->user);
}

static void
on_end(void *aux YL_UNUSED, struct yl_http_request *http, bool finished)
{
    struct yl_api_request *req = http->user;
    yl_msec took;

    if (!req) {
        return;
    }
    if (http->refused) {
        req->http_status = http->refused;
    }
    yl_filter_audit_end(req, finished);
    took = yl_loop_now(http->loop) - http->started;
    yl_request_metrics_end(yl_api_metrics_requests(req->server->metrics), req,
                           (double) took / 1000);
    log_end(req, finished, took);
    yl_loop_timer_cancel(http->loop, &req->timer);
    yl_api_cancel(req);
    http->user = NULL;
    req->http = NULL;
    req->ended = true;
    if (req->held) {
        yl_http_hold(http);
        req->kept = http;
    } else {
        free_request(req);
    }
}

/* Answers what net refuses in the API's form, as a Status. */
static void
on_refuse(void *aux, int status, const char *why,
          const char **ret_content_type, struct yl_buf *body)
{
    const struct yl_apiserver *server = aux;
    struct yl_arena *arena = yl_arena_new();
    struct yl_status answer = YL_STATUS_INIT;

    if (status == 413) {
        why = yl_arena_printf(arena, "Request entity too large: limit is %zu",
                              server->opts.max_body);
    }
    yl_error_set(&answer.error, yl_error_from_wire(status, yl_str_null()),
                 "%s", why);
    answer.http_status = status;
    *ret_content_type = "application/json";
    yl_buf_append_str(body, yl_status_json(&answer, arena));
    yl_buf_append_char(body, '\n');
    yl_status_clear(&answer);
    yl_arena_free(arena);
}

const struct yl_http_handler yl_apiserver_handler = {
    .request = on_request,
    .body = on_body,
    .end = on_end,
    .refuse = on_refuse,
};

static bool
take(void *http, size_t n)
{
    return yl_http_charge(http, n) == 0;
}

static void
give(void *http, size_t n)
{
    yl_http_uncharge(http, n);
}

static void
open_account(struct yl_api_request *req)
{
    req->account.ceiling = req->server->opts.max_request_memory;
    req->account.take = take;
    req->account.give = give;
    req->account.aux = req->http;
    yl_arena_set_account(req->arena, &req->account);
}

static void
run_steps(struct yl_api_request *req)
{
    yl_step_fn *const *steps = req->server->steps;
    enum yl_step step = YL_STEP_NEXT;

    req->stepping = true;
    while (step == YL_STEP_NEXT && steps[req->step]) {
        req->continued = false;
        step = steps[req->step++](req);
        if (step == YL_STEP_WAIT && req->continued) {
            step = YL_STEP_NEXT;
        }
    }
    req->stepping = false;
}

void
yl_api_continue(struct yl_api_request *req)
{
    if (req->answered || req->ended) {
        return;
    }
    req->cancel = NULL;
    if (req->stepping) {
        req->continued = true;
    } else {
        run_steps(req);
    }
}

void
yl_api_cancel(struct yl_api_request *req)
{
    void (*cancel)(struct yl_api_request *) = req->cancel;

    req->cancel = NULL;
    if (cancel) {
        cancel(req);
    }
}

/* Logs one line for each request. */
static void
log_end(const struct yl_api_request *req, bool finished, yl_msec took)
{
    yl_log_v(3, "HTTP", YL_LOG_STR("verb", req->info.verb),
             YL_LOG_STR("path", req->http->path),
             YL_LOG_STR("query", req->http->query),
             YL_LOG_MSEC("latency", took),
             YL_LOG_STR("userAgent", yl_http_header(req->http,
                                                    YL_STR("user-agent"))),
             YL_LOG_STR("audit-ID", req->audit_id),
             YL_LOG_STR("srcIP", req->http->peer->address),
             YL_LOG_STR("user", req->user ? req->user->name : yl_str_null()),
             YL_LOG_INT("resp", req->http_status),
             YL_LOG_BOOL("complete", finished));
}

void
yl_api_hold(struct yl_api_request *req)
{
    req->held++;
}

void
yl_api_release(struct yl_api_request *req)
{
    if (!--req->held && req->ended) {
        free_request(req);
    }
}

static void
free_request(struct yl_api_request *req)
{
    struct yl_http_request *kept = req->kept;

    if (req->resource) {
        yl_api_resource_unref(req->resource);
    }
    yl_arena_free(req->arena);
    if (kept) {
        yl_http_release(kept);
    }
}

void
yl_api_warn(struct yl_api_request *req, const char *format, ...)
{
    struct yl_str text;
    va_list args;
    size_t i;

    va_start(args, format);
    text = yl_str_c(yl_arena_vprintf(req->arena, format, args));
    va_end(args);
    for (i = 0; i < req->n_warnings; i++) {
        if (yl_str_equal(req->warnings[i], text)) {
            return;
        }
    }
    if (req->n_warnings < YL_MAX_WARNINGS) {
        req->warnings[req->n_warnings++] = text;
    }
}

void
yl_api_add_header(struct yl_api_request *req, struct yl_str name,
                  struct yl_str value)
{
    if (req->n_headers < YL_ARRAY_SIZE(req->headers)) {
        req->headers[req->n_headers].name = name;
        req->headers[req->n_headers++].value = value;
    }
}

struct yl_gvr
yl_api_gvr(const struct yl_api_request *req)
{
    struct yl_gvr gvr = { req->info.group, req->info.version,
                          req->info.resource };

    return gvr;
}
