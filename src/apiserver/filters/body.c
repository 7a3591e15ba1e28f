/* The body: waits until it has come.  See filters.h. */

#include "apiserver/filters/filters.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/patch_apply.h"

static bool takes_body(const struct yl_api_request *);
static int check_type(const struct yl_api_request *, struct yl_status *);

enum yl_step
yl_filter_body(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;

    if (!takes_body(req)) {
        return YL_STEP_NEXT;
    }
    if (check_type(req, &status) < 0) {
        return yl_api_respond_status(req, &status);
    }
    yl_http_read_body(req->http);
    return YL_STEP_WAIT;
}

/* Does the verb use a body?  Reads do not, and neither do subresources that
 * lead on to a node. */
static bool
takes_body(const struct yl_api_request *req)
{
    static const char *const verbs[] = {
        "create", "update", "patch", "delete", "deletecollection",
    };

    if (req->subresource && req->subresource->what == YL_SUB_CONNECT) {
        return false;
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(verbs); i++) {
        if (yl_str_equal_c(req->info.verb, verbs[i])) {
            return true;
        }
    }
    return false;
}

/* Checks that the type of the body is one that can be read, so that others are
 * refused before they are sent.  A DELETE may come without a body; its type is
 * checked later, if there is one. */
static int
check_type(const struct yl_api_request *req, struct yl_status *status)
{
    enum yl_patch_type patch;

    if (yl_str_equal(req->info.verb, YL_STR("patch"))) {
        return yl_patch_read_type(req, &patch, status);
    }
    return yl_str_starts_with(req->info.verb, YL_STR("delete"))
           ? 0 : yl_body_begin(req, status);
}
