/* PUT: an object takes another one's place. */

#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/propose.h"
#include "apiserver/verbs/subresources.h"
#include "apiserver/verbs/verbs.h"
#include "apiserver/verbs/write.h"

struct update {
    struct yl_write write;
    struct yl_write_options options;
};

static int prepare(struct yl_write *, struct yl_status *);

enum yl_step
yl_verb_update(struct yl_api_request *req)
{
    struct update *update = yl_write_new(req, sizeof *update);
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_body_begin(req, &status);

    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_UPDATE, &update->options,
                                  &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    update->write.dry_run = update->options.dry_run;
    update->write.prepare = prepare;
    return yl_write_go(&update->write);
}

static int
prepare(struct yl_write *w, struct yl_status *status)
{
    struct update *update = YL_CONTAINER_OF(w, struct update, write);
    const struct yl_api_version *version = w->request->version;
    struct yl_propose_opts opts = yl_subresource_opts(w->request);
    struct yl_node *object, *old;
    int r;

    opts.put = true;
    r = yl_body_object(w->request, w->arena, version->kind,
                       update->options.field_validation, &object, status);
    if (r == 0) {
        r = yl_propose_hub(w, version, object, status);
    }
    if (r == 0) {
        r = yl_propose_namespace(w, object, status);
    }
    if (r == 0) {
        r = yl_propose_name(w, object, status);
    }
    if (r < 0) {
        return r;
    }
    if (!w->base) {
        r = yl_write_not_found(w, status);
        if (r == YL_ENOTFOUND
            && w->resource->strategy->flags & YL_STRATEGY_CREATE_ON_UPDATE
            && opts.subresource == YL_SUB_NONE) {
            yl_status_clear(status);
            r = yl_propose_create_by_put(w, object, status);
        }
        return r;
    }
    old = yl_write_base_tree(w, status);
    return old ? yl_propose_update(w, object, old, &opts, status)
               : YL_EINTERNAL;
}
