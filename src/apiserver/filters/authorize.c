/* May they?  See filters.h. */

#include "apiserver/auth/authorize.h"
#include "apiserver/filters/filters.h"
#include "apiserver/server.h"

enum yl_step
yl_filter_authorize(struct yl_api_request *req)
{
    struct yl_attributes attributes = yl_attributes_of(&req->info, req->user);
    struct yl_status status = YL_STATUS_INIT;
    struct yl_str reason = yl_str_null();

    if (yl_authorize(req->server->authorizer, &attributes, req->arena,
                     NULL)) {
        return YL_STEP_NEXT;
    }

    /* Between the two questions the answer may have changed for the better:
     * then this was still right when it was asked. */
    yl_authorize(req->server->authorizer, &attributes, req->arena, &reason);
    yl_attributes_refuse(&attributes, req->arena, reason, &status);
    return yl_api_respond_status(req, &status);
}
