/* PATCH: changes an object in part. */

#include "apiserver/server.h"
#include "apiserver/verbs/apply.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/patch_apply.h"
#include "apiserver/verbs/steps.h"
#include "apiserver/verbs/verbs.h"
#include "json/tree.h"

struct patch {
    struct yl_write write;
    enum yl_patch_type type;
};

static int decode(struct yl_write *, struct yl_status *);

static const struct yl_write_ops ops = {
    .operation = YL_OPERATION_UPDATE,
    .decode = decode,
};

enum yl_step
yl_verb_patch(struct yl_api_request *req)
{
    struct patch *patch = yl_write_new(req, sizeof *patch, &ops);
    struct yl_write *w = &patch->write;
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_patch_begin(req, &patch->type, &w->options, &status);

    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    if (patch->type == YL_PATCH_APPLY) {
        w->ops = &yl_apply_ops;
    }
    w->dry_run = w->options.dry_run;
    return yl_write_go(w);
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
    if (r == 0 && *ret_type == YL_PATCH_APPLY && !req->server->opts.own) {
        yl_status_clear(status);
        r = yl_error_set(&status->error, YL_EMEDIATYPE,
                         "this server keeps no managedFields: send a patch "
                         "of another type, such as "
                         "application/strategic-merge-patch+json");
    }
    return r;
}

/* Applies the patch to the object in the requested version. */
static int
decode(struct yl_write *w, struct yl_status *status)
{
    struct patch *patch = YL_CONTAINER_OF(w, struct patch, write);
    int r;

    if (!w->base) {
        return yl_write_not_found(w, status);
    }
    if (!w->tree) {
        r = yl_write_see(w, status);
        if (r != 0) {
            return r;
        }
        w->tree = yl_node_copy(w->arena, w->old);
    }
    r = yl_write_to_version(w, status);
    return r == 0 ? yl_patch_apply_body(w->request, w->arena, patch->type,
                                        w->options.field_validation,
                                        w->request->version->kind, &w->tree,
                                        status)
                  : r;
}
