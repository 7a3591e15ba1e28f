/* Impersonation: the user to act as.  See filters.h. */

#include "apiserver/auth/audit.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/impersonate.h"
#include "apiserver/filters/filters.h"
#include "apiserver/server.h"

static bool authorize(void *authorizer, const struct yl_attributes *,
                      struct yl_arena *, struct yl_str *ret_reason);

enum yl_step
yl_filter_impersonate(struct yl_api_request *req)
{
    struct yl_attributes attributes = yl_attributes_of(&req->info, req->user);
    struct yl_status status = YL_STATUS_INIT;
    const struct yl_user *wanted, *user = req->user;
    struct yl_str constraint = yl_str_null();
    int r = yl_impersonate_parse(req->http, req->arena, &wanted, &status);

    if (r == 0 && !wanted) {
        return YL_STEP_NEXT;
    }
    if (r == 0) {
        r = yl_impersonate_check(authorize, req->server->authorizer,
                                 &attributes, wanted, req->arena, &user,
                                 &constraint, &status);
    }
    if (r < 0) {
        yl_api_add_header(req, YL_STR("x-content-type-options"),
                          YL_STR("nosniff"));
        return yl_api_respond_status(req, &status);
    }
    req->real_user = req->user;
    req->user = user;
    if (req->audit) {
        req->audit->impersonated = user;
        req->audit->constraint = constraint;
    }
    return YL_STEP_NEXT;
}

static bool
authorize(void *authorizer, const struct yl_attributes *attributes,
          struct yl_arena *arena, struct yl_str *ret_reason)
{
    return yl_authorize(authorizer, attributes, arena, ret_reason);
}
