/* Authentication: finds the user.  See filters.h. */

#include "apiserver/auth/authenticate.h"
#include "apiserver/filters/filters.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/server.h"

static enum yl_step charge(struct yl_api_request *);
static bool is_anonymous(const struct yl_api_request *);
static bool is_shut_out(const struct yl_api_request *);

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
    yl_api_metrics_authenticated(req->server->metrics, r == 0);
    if (r == 0 && !is_shut_out(req)) {
        return charge(req);
    }
    req->user = NULL;
    yl_filter_audit(req);
    yl_status_unauthorized(&status, YL_STR("Unauthorized"));
    return yl_api_respond_status(req, &status);
}

/* Charges the request to its user from now on.  An anonymous request stays
 * charged to the address that it comes from. */
static enum yl_step
charge(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;

    if (is_anonymous(req) || !req->user->name.size
        || yl_http_set_user(req->http, req->user->name) == 0) {
        return YL_STEP_NEXT;
    }
    yl_filter_audit(req);
    yl_status_too_many_requests(
        &status, YL_STR("the requests of this user take too many bytes"), 1);
    return yl_api_respond_status(req, &status);
}

static bool
is_anonymous(const struct yl_api_request *req)
{
    return yl_str_equal(req->user->name, YL_STR("system:anonymous"));
}

/* Does --authorization-mode=AlwaysAllow keep this anonymous request out?
 * There RBAC checks nothing, so clients without credentials get the health
 * checks and the version and nothing else. */
static bool
is_shut_out(const struct yl_api_request *req)
{
    static const char *const open[] = {
        "/healthz", "/livez", "/readyz", "/version", "/version/",
    };
    size_t i;

    if (!req->server->opts.anonymous_health_only || !is_anonymous(req)) {
        return false;
    }
    for (i = 0; i < YL_ARRAY_SIZE(open); i++) {
        if (yl_str_equal_c(req->info.path, open[i])) {
            return false;
        }
    }
    return true;
}
