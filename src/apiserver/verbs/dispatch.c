/* To the verb that a request names. */

#include "apiserver/verbs/subresources.h"
#include "apiserver/verbs/verbs.h"

static enum yl_step to_subresource(struct yl_api_request *, bool *ret_done);
static enum yl_step refuse(struct yl_api_request *, const char *what);

enum yl_step
yl_verb_dispatch(struct yl_api_request *req)
{
    static const struct {
        const char *name;
        enum yl_step (*run)(struct yl_api_request *);
    } verbs[] = {
        { "get", yl_verb_get },
        { "list", yl_verb_list },
        { "watch", yl_verb_watch },
        { "create", yl_verb_create },
        { "update", yl_verb_update },
        { "patch", yl_verb_patch },
        { "delete", yl_verb_delete },
        { "deletecollection", yl_verb_deletecollection },
    };
    enum yl_step step;
    bool done;
    size_t i;

    step = to_subresource(req, &done);
    if (done) {
        return step;
    }
    for (i = 0; i < YL_ARRAY_SIZE(verbs); i++) {
        if (yl_str_equal_c(req->info.verb, verbs[i].name)) {
            return verbs[i].run(req);
        }
    }
    return yl_api_respond_unknown(req);
}

/* Those that are not the object itself. */
static enum yl_step
to_subresource(struct yl_api_request *req, bool *ret_done)
{
    bool gets = yl_str_equal(req->info.verb, YL_STR("get"));

    *ret_done = true;
    if (!req->resource->objects && !req->subresource
        && yl_str_equal(req->resource->plural, YL_STR("bindings"))) {
        return yl_verb_bind(req);
    }
    switch (req->subresource ? req->subresource->what : YL_SUB_NONE) {
    case YL_SUB_SCALE:
        return gets ? yl_verb_get_scale(req) : yl_verb_write_scale(req);
    case YL_SUB_BINDING:
        return yl_verb_bind(req);
    case YL_SUB_EVICTION:
        return yl_verb_evict(req);
    case YL_SUB_TOKEN:
        return refuse(req, "this server cannot issue tokens for service "
                           "accounts yet");
    case YL_SUB_CONNECT:
        return yl_verb_connect(req);
    default:
        *ret_done = false;
        return YL_STEP_NEXT;
    }
}

static enum yl_step
refuse(struct yl_api_request *req, const char *what)
{
    struct yl_error err = YL_ERROR_INIT;

    yl_error_set(&err, YL_ENOSYS, "%s", what);
    return yl_api_respond_error(req, &err);
}
