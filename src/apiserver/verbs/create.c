/* POST: creates an object. */

#include "apiserver/verbs/body.h"
#include "apiserver/verbs/steps.h"
#include "apiserver/verbs/verbs.h"

/* How often a new name is generated because the last one was taken. */
#define MAX_GENERATED 8

static int decode(struct yl_write *, struct yl_status *);

static const struct yl_write_ops ops = {
    .operation = YL_OPERATION_CREATE,
    .decode = decode,
};

enum yl_step
yl_verb_create(struct yl_api_request *req)
{
    struct yl_write *w = yl_write_new(req, sizeof *w, &ops);
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_body_begin(req, &status);

    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_CREATE, &w->options, &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    w->dry_run = w->options.dry_run;
    w->unseen = true;
    return yl_write_go(w);
}

static int
decode(struct yl_write *w, struct yl_status *status)
{
    if (w->base) {
        if (!w->generated || ++w->n_generated >= MAX_GENERATED) {
            return yl_write_exists(w, status);
        }
        w->base = yl_object_unref(w->base);
        w->base_revision = 0;
    }
    w->key.name = yl_str_null();
    w->creates = true;
    return yl_body_object(w->request, w->arena, w->request->version->kind,
                          w->options.field_validation, &w->tree, status);
}
