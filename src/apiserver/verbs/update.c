/* PUT: replaces an object. */

#include "apiserver/verbs/body.h"
#include "apiserver/verbs/steps.h"
#include "apiserver/verbs/verbs.h"

static int decode(struct yl_write *, struct yl_status *);

static const struct yl_write_ops ops = {
    .operation = YL_OPERATION_UPDATE,
    .decode = decode,
};

enum yl_step
yl_verb_update(struct yl_api_request *req)
{
    struct yl_write *w = yl_write_new(req, sizeof *w, &ops);
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_body_begin(req, &status);

    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_UPDATE, &w->options, &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    w->dry_run = w->options.dry_run;
    return yl_write_go(w);
}

static int
decode(struct yl_write *w, struct yl_status *status)
{
    w->by_put = true;
    return yl_body_object(w->request, w->arena, w->request->version->kind,
                          w->options.field_validation, &w->tree, status);
}
