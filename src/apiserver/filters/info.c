/* Request info: what is asked for.  See filters.h. */

#include "apiserver/answer/accept.h"
#include "apiserver/filters/filters.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/metrics/metrics_requests.h"
#include "apiserver/server.h"
#include "base/quote.h"
#include "yuloh/arena.h"

static enum yl_step refuse_path(struct yl_api_request *);

enum yl_step
yl_filter_info(struct yl_api_request *req)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_accept accept;
    bool type_known;
    int r;

    /* Refusals on the way use this; whether the client can get an answer in a
     * form that it accepts is checked in route. */
    if (yl_accept_parse(yl_http_header(req->http, YL_STR("accept")),
                        YL_ACCEPT_FORMS | YL_ACCEPT_TABLE
                        | YL_ACCEPT_PROTOBUF, &accept, &type_known) == 0) {
        req->accept.yaml = accept.yaml;
        req->accept.protobuf = accept.protobuf;
    }
    req->accept.pretty = yl_accept_is_pretty(
        yl_str_null(), yl_http_header(req->http, YL_STR("user-agent")));
    if (yl_params_parse(req->arena, req->http->query, &req->params, &err)
        < 0) {
        return yl_api_respond_error(req, &err);
    }
    req->accept.pretty = yl_accept_is_pretty(
        yl_params_get(&req->params, YL_STR("pretty")),
        yl_http_header(req->http, YL_STR("user-agent")));
    r = yl_request_info_parse(req->arena, req->http->method, req->http->path,
                              &req->params, &req->info);
    if (r == YL_EINVALID) {
        return refuse_path(req);
    }
    if (r < 0) {
        yl_error_set(&err, YL_EBADREQUEST,
                     "the path of the request is malformed");
        return yl_api_respond_error(req, &err);
    }
    yl_request_metrics_begin(yl_api_metrics_requests(req->server->metrics),
                             req);
    return YL_STEP_NEXT;
}

/* Refuses a path in upstream's words, which are plain text. */
static enum yl_step
refuse_path(struct yl_api_request *req)
{
    struct yl_str path = req->http->path, query = req->http->query;
    struct yl_str target = yl_str_c(yl_arena_printf(
        req->arena, "%.*s%s%.*s", YL_STR_ARG(path), query.size ? "?" : "",
        YL_STR_ARG(query)));
    struct yl_buf text, html;
    enum yl_step step;

    yl_buf_init(&html, SIZE_MAX);
    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_c(&text, "Internal Server Error: ");
    yl_quote_excerpt(&text, target);
    yl_buf_append_c(&text, ": failed to create RequestInfo: unable to "
                           "determine kind and namespace from url, ");
    yl_append_excerpt(&text, target);
    yl_buf_append_char(&text, '\n');
    yl_api_add_header(req, YL_STR("x-content-type-options"),
                      YL_STR("nosniff"));
    yl_quote_html(&html, yl_buf_str(&text));
    step = yl_api_respond(req, 500, "text/plain; charset=utf-8",
                          yl_buf_str(&html));
    yl_buf_release(&html);
    yl_buf_release(&text);
    return step;
}
