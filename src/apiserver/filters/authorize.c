/* Authorization: may the user do it?  See filters.h. */

#include "apiserver/auth/audit.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/filters/filters.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/server.h"

enum yl_step
yl_filter_authorize(struct yl_api_request *req)
{
    struct yl_attributes attributes = yl_attributes_of(&req->info, req->user);
    struct yl_status status = YL_STATUS_INIT;
    struct yl_str reason = yl_str_null();
    bool allowed = yl_authorize(req->server->authorizer, &attributes,
                                req->arena, req->audit ? &reason : NULL);

    yl_api_metrics_authorized(req->server->metrics, allowed);
    if (!allowed && !req->audit) {
        /* Asks again, for the reason.  A rule may have come in between that
         * allows the request; the refusal still stands, as it was right when
         * the first question was asked. */
        yl_authorize(req->server->authorizer, &attributes, req->arena,
                     &reason);
    }
    if (req->audit) {
        req->audit->decided = allowed ? YL_STR("allow") : YL_STR("forbid");
        req->audit->reason = reason;
    }
    if (allowed) {
        return YL_STEP_NEXT;
    }
    yl_attributes_refuse(&attributes, req->arena, reason, &status);
    yl_api_add_header(req, YL_STR("x-content-type-options"),
                      YL_STR("nosniff"));
    return yl_api_respond_status(req, &status);
}
