/* PATCH: an object is changed in part. */

#include "apiserver/verbs/body.h"
#include "apiserver/verbs/patch_apply.h"
#include "apiserver/verbs/propose.h"
#include "apiserver/verbs/subresources.h"
#include "apiserver/verbs/verbs.h"
#include "apiserver/verbs/write.h"

struct patch {
    struct yl_write write;
    struct yl_write_options options;
    enum yl_patch_type type;
};

static int prepare(struct yl_write *, struct yl_status *);

enum yl_step
yl_verb_patch(struct yl_api_request *req)
{
    struct patch *patch = yl_write_new(req, sizeof *patch);
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_patch_begin(req, &patch->type, &patch->options, &status);

    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    patch->write.dry_run = patch->options.dry_run;
    patch->write.prepare = prepare;
    return yl_write_go(&patch->write);
}

int
yl_patch_begin(struct yl_api_request *req, enum yl_patch_type *ret_type,
               struct yl_write_options *options, struct yl_status *status)
{
    int r = yl_patch_read_type(req, ret_type, status);

    if (r == 0) {
        r = yl_write_options_read(req, *ret_type == YL_PATCH_APPLY
                                  ? YL_WRITE_APPLY : YL_WRITE_PATCH, options,
                                  status);
    }
    if (r == 0 && *ret_type == YL_PATCH_APPLY) {
        yl_status_clear(status);
        r = yl_error_set(&status->error, YL_EMEDIATYPE,
                         "this server cannot apply on its own side yet: send "
                         "a patch of another type, such as "
                         "application/strategic-merge-patch+json");
    }
    if (r == 0) {
        r = yl_body_charge(req, req->http->body, &status->error);
    }
    return r;
}

static int
prepare(struct yl_write *w, struct yl_status *status)
{
    struct patch *patch = YL_CONTAINER_OF(w, struct patch, write);
    const struct yl_api_version *version = w->request->version;
    struct yl_propose_opts opts = yl_subresource_opts(w->request);
    struct yl_node *object, *old;
    int r;

    if (!w->base) {
        return yl_write_not_found(w, status);
    }
    object = yl_write_base_tree(w, status);
    old = object ? yl_write_base_tree(w, status) : NULL;
    if (!old) {
        return YL_EINTERNAL;
    }
    r = yl_propose_version(w, version, object, status);
    if (r == 0) {
        r = yl_patch_apply_body(w->request, w->arena, patch->type,
                                patch->options.field_validation,
                                version->kind, &object, status);
    }
    if (r == 0) {
        r = yl_propose_hub(w, version, object, status);
    }
    if (r == 0) {
        r = yl_propose_namespace(w, object, status);
    }
    if (r == 0) {
        r = yl_propose_name(w, object, status);
    }
    return r == 0 ? yl_propose_update(w, object, old, &opts, status) : r;
}
