/* Who asks.  See filters.h. */

#include "apiserver/auth/authenticate.h"
#include "apiserver/filters/filters.h"
#include "apiserver/server.h"

enum yl_step
yl_filter_authenticate(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;
    const char *warning;
    int r = yl_authenticate(req->server->authenticator, req->arena, req->http,
                            &req->user, &warning);

    if (warning) {
        yl_api_warn(req, "%s", warning);
    }
    if (r == 0) {
        return YL_STEP_NEXT;
    }
    req->user = NULL;
    yl_filter_audit(req);
    yl_status_unauthorized(&status, YL_STR("Unauthorized"));
    return yl_api_respond_status(req, &status);
}
