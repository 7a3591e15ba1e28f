/* DELETE of one object.  See delete.h for the contract. */

#include "apiserver/verbs/delete.h"

#include "apiserver/verbs/verbs.h"

static void finish(struct yl_write *);

const struct yl_write_ops yl_deletion_ops = {
    .operation = YL_OPERATION_DELETE,
    .decode = yl_deletion_decode,
    .propose = yl_deletion_propose,
};

enum yl_step
yl_verb_delete(struct yl_api_request *req)
{
    struct yl_deletion *deletion = yl_write_new(req, sizeof *deletion,
                                                &yl_deletion_ops);
    struct yl_status status = YL_STATUS_INIT;

    if (yl_delete_options_read(req, &deletion->options, &status) < 0) {
        return yl_api_respond_status(req, &status);
    }
    yl_deletion_warn(req, &deletion->options);
    deletion->write.dry_run = deletion->options.dry_run;
    deletion->write.finish = finish;
    return yl_write_go(&deletion->write);
}

bool
yl_deletion_shows_object(const struct yl_api_resource *resource)
{
    return resource->strategy->flags & YL_STRATEGY_DELETE_RETURNS_OBJECT;
}

void
yl_deletion_warn(struct yl_api_request *req,
                 const struct yl_deletion_options *options)
{
    if (req->resource->strategy->warn_deletion) {
        req->resource->strategy->warn_deletion(req, options);
    }
}

static void
finish(struct yl_write *w)
{
    struct yl_deletion *deletion = YL_CONTAINER_OF(w, struct yl_deletion,
                                                   write);
    struct yl_api_request *req = w->request;
    struct yl_gvr gvr = yl_write_gvr(w);
    int code = 200;

    if (w->result < 0) {
        yl_api_respond_status(req, &w->status);
        return;
    }
    if (!deletion->deleted && deletion->options.has_orphan
        && !deletion->options.orphan) {
        code = 202;             /* Accepted: its dependents are deleted
                                 * first. */
    }
    if (deletion->deleted && !yl_deletion_shows_object(w->resource)) {
        gvr.group = req->info.group;
        yl_status_success(&w->status, gvr, w->key.name,
                          yl_object_uid(w->object));
        yl_api_respond_status(req, &w->status);
    } else {
        yl_api_respond_object(req, code, w->object, w->revision);
    }
}
