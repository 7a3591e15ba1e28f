/* What is asked for.  See filters.h. */

#include "apiserver/accept.h"
#include "apiserver/discovery/metrics.h"
#include "apiserver/discovery/metrics_requests.h"
#include "apiserver/filters/filters.h"
#include "apiserver/server.h"

enum yl_step
yl_filter_info(struct yl_api_request *req)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_accept accept;
    bool type_known;

    /* For refusals on the way; whether it can be accepted is asked later. */
    if (yl_accept_parse(yl_http_header(req->http, YL_STR("accept")),
                        YL_ACCEPT_FORMS | YL_ACCEPT_PROTOBUF, &accept,
                        &type_known) == 0) {
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
    if (yl_request_info_parse(req->arena, req->http->method, req->http->path,
                              &req->params, &req->info) < 0) {
        yl_error_set(&err, YL_EBADREQUEST,
                     "the path of the request is malformed");
        return yl_api_respond_error(req, &err);
    }
    yl_request_metrics_begin(yl_api_metrics_requests(req->server->metrics),
                             req);
    return YL_STEP_NEXT;
}
