/* Steps "own" and "own again": managedFields, before and after admission.  See
 * own.h. */

#include "apiserver/own/own.h"
#include "apiserver/server.h"
#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "yuloh/arena.h"

static bool is_owned(const struct yl_write *);

int
yl_write_own(struct yl_write *w, struct yl_status *status)
{
    struct yl_ownership *o;

    if (!is_owned(w)) {
        return 0;
    }
    if (w->part > 0) {
        return w->waited;
    }
    w->part = 1;
    if (w->owned) {
        return 0;
    }
    o = yl_write_ownership(w);
    o->object = w->tree;
    o->scale = w->sent;
    return w->request->server->opts.own(o, status);
}

/* Built-in plugins leave managedFields alone, so that there is something to do
 * only if there are other ones. */
int
yl_write_own_again(struct yl_write *w, struct yl_status *status)
{
    struct yl_ownership *o;

    if (!is_owned(w) || !w->managed) {
        return 0;
    }
    if (w->part > 0) {
        return w->waited;
    }
    w->part = 1;
    o = yl_write_ownership(w);
    o->object = w->tree;
    o->kept = w->managed;
    o->again = true;
    return w->request->server->opts.own(o, status);
}

struct yl_ownership *
yl_write_ownership(struct yl_write *w)
{
    struct yl_api_request *req = w->request;
    struct yl_ownership *o = yl_arena_alloc(w->arena, sizeof *o);

    *o = (struct yl_ownership) {
        .request = req,
        .arena = w->arena,
        .resource = w->resource,
        .version = req->version,
        .subresource = yl_write_subresource(w),
        .part = req->subresource ? yl_str_c(req->subresource->name)
                                 : yl_str_null(),
        .manager = yl_own_manager(w->arena, req, w->options.field_manager),
        .now = yl_time_now(),
        .live = w->old,
        .live_scale = w->old_sent,
        .wait = &w->wait,
    };
    return o;
}

/* Is there a keeper, and something that it is to keep? */
static bool
is_owned(const struct yl_write *w)
{
    return w->request->server->opts.own && w->tree && !w->ops->unowned;
}
