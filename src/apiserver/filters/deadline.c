/* How long a request may take.  See filters.h. */

#include "apiserver/filters/filters.h"
#include "apiserver/server.h"
#include "yuloh/time.h"

/* A shorter 'timeout' has passed before upstream could answer anything. */
#define NO_TIME 50000

static void expire(struct yl_loop_timer *);
static enum yl_step respond(struct yl_api_request *);

enum yl_step
yl_filter_deadline(struct yl_api_request *req)
{
    struct yl_str asked = yl_params_get(&req->params, YL_STR("timeout"));
    yl_msec timeout = req->server->opts.request_timeout;
    int64_t nanos;

    if (yl_str_equal(req->info.verb, YL_STR("watch"))) {
        return YL_STEP_NEXT;
    }
    if (!yl_str_is_empty(asked)) {
        struct yl_error why = YL_ERROR_INIT, err = YL_ERROR_INIT;

        if (yl_duration_parse(asked, &nanos, &why) < 0) {
            yl_error_set(&err, YL_EBADREQUEST, "invalid timeout specified in "
                         "the request URL - %s", yl_error_message(&why));
            yl_error_clear(&why);
            yl_filter_audit(req);
            return yl_api_respond_error(req, &err);
        }
        if (nanos > 0 && nanos < NO_TIME) {
            yl_filter_audit(req);
            return respond(req);
        }
        if (nanos > 0 && nanos / 1000000 < timeout) {
            timeout = nanos / 1000000;
        }
    }
    req->timer.fire = expire;
    yl_loop_timer_arm(req->http->loop, &req->timer,
                      yl_loop_now(req->http->loop) + timeout);
    return YL_STEP_NEXT;
}

static void
expire(struct yl_loop_timer *timer)
{
    struct yl_api_request *req = YL_CONTAINER_OF(timer, struct yl_api_request,
                                                 timer);

    if (req->answered || req->ended) {
        return;
    }
    yl_api_cancel(req);
    respond(req);
}

/* Answers 504 in a fixed form: at this point upstream's handler does not know
 * which form the client accepts. */
static enum yl_step
respond(struct yl_api_request *req)
{
    return yl_api_respond(req, 504, "text/plain; charset=utf-8", YL_STR(
        "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"Timeout: "
        "request did not complete within the allotted timeout\",\"reason\":"
        "\"Timeout\",\"details\":{},\"code\":504}"));
}
