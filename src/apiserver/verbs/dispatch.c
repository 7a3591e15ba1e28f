/* Dispatch: calls the verb that a request names. */

#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/verbs.h"

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
    const struct yl_strategy *strategy = req->resource->strategy;
    enum yl_step step = strategy->serve ? strategy->serve(req) : YL_STEP_NEXT;
    size_t i;

    if (step != YL_STEP_NEXT) {
        return step;
    }
    if (req->subresource && req->subresource->what == YL_SUB_SCALE) {
        return yl_str_equal_c(req->info.verb, "get")
               ? yl_verb_get_scale(req) : yl_verb_write_scale(req);
    }
    for (i = 0; i < YL_ARRAY_SIZE(verbs) && req->resource->objects; i++) {
        if (yl_str_equal_c(req->info.verb, verbs[i].name)) {
            return verbs[i].run(req);
        }
    }
    return yl_api_respond_unknown(req);
}
