/* Steps "own" and "own again": managedFields, before and after admission.  See
 * own.h. */

#include "apiserver/server.h"
#include "apiserver/verbs/own.h"
#include "apiserver/verbs/steps.h"
#include "yuloh/arena.h"

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
    struct yl_api_request *req = w->request;
    yl_own_fn *keep = req->server->opts.own;
    struct yl_ownership *ownership;

    if (!keep || !w->tree || w->ops->unowned) {
        return 0;
    }
    if (w->part > 0) {
        return w->waited;
    }
    w->part = 1;
    ownership = yl_arena_alloc(w->arena, sizeof *ownership);
    *ownership = (struct yl_ownership) {
        .server = req->server,
        .arena = w->arena,
        .resource = w->resource,

        /* A Binding is sent to another resource than the Pod's. */
        .version = req->resource == w->resource
                   ? req->version : yl_api_resource_hub(w->resource),
        .subresource = yl_write_subresource(w),
        .verb = req->info.verb,
        .manager = w->options.field_manager,
        .again = again,
        .object = w->tree,
        .live = w->old,
        .wait = &w->wait,
    };
    return keep(ownership, status);
}
