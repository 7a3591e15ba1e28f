/* Steps "own" and "own again": managedFields.  See own.h. */

#include "apiserver/server.h"
#include "apiserver/verbs/own.h"
#include "apiserver/verbs/steps.h"

static int own(struct yl_write *, bool again, struct yl_status *);

int
yl_write_own(struct yl_write *w, struct yl_status *status)
{
    return own(w, false, status);
}

int
yl_write_own_again(struct yl_write *w, struct yl_status *status)
{
    return own(w, true, status);
}

static int
own(struct yl_write *w, bool again, struct yl_status *status)
{
    yl_own_fn *keep = w->request->server->opts.own;
    struct yl_ownership ownership = {
        .server = w->request->server,
        .arena = w->arena,
        .resource = w->resource,
        .version = w->request->version,
        .subresource = yl_write_subresource(w),
        .verb = w->request->info.verb,
        .manager = w->options.field_manager,
        .again = again,
        .object = w->tree,
        .live = w->old,
        .wait = &w->wait,
    };

    if (!keep || !w->tree || w->ops->unowned) {
        return 0;
    }
    if (w->part > 0) {
        return w->waited;
    }
    w->part = 1;
    return keep(&ownership, status);
}
