/* Step "settle": makes the proposal.  See steps.h. */

#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "object/object.h"
#include "schema/at.h"
#include "yuloh/arena.h"

static int settle_new(struct yl_write *, struct yl_status *);
static bool is_released(const struct yl_write *);

int
yl_write_settle(struct yl_write *w, struct yl_status *status)
{
    if (w->ops->propose) {
        return w->ops->propose(w, status);
    }
    w->action = YL_WRITE_STORE;
    if (w->creates) {
        return settle_new(w, status);
    }
    if (!w->ops->order && is_released(w)) {
        w->released = true;
        w->action = YL_WRITE_DELETE;
    }
    return yl_write_propose(w, w->tree, status);
}

int
yl_write_propose(struct yl_write *w, struct yl_node *object,
                 struct yl_status *status)
{
    struct yl_object_opts opts = {
        .schema_generation = w->resource->schema_generation,
    };
    struct yl_error err = YL_ERROR_INIT;
    int r;

    if (w->dry_run && !w->base) {
        /* The answer repeats the revision that the object names; one that is
         * no number is ignored. */
        (void) yl_write_named_revision(w, object, &w->base_revision, NULL);
    }
    yl_member_drop(yl_member_object(object, "metadata"), "resourceVersion");
    r = yl_strategy_normalize(w->resource, w->arena, object,
                              YL_NORMAL_STORED, &err);
    if (r == 0) {
        r = yl_object_from_tree(object, &opts, &w->object, &err);
    }
    if (r < 0) {
        yl_status_internal(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
    }
    return r;
}

/* Refuses a name that is taken.  If the object has generateName, upstream's
 * message says that no name could be generated, even if one was given. */
int
yl_write_exists(struct yl_write *w, struct yl_status *status)
{
    int r = yl_status_exists(status, yl_write_gvr(w), w->key.name);
    const char *message = yl_error_message(&status->error);

    if (w->prefixed) {
        yl_error_set(&status->error, r,
                     "%s, the server was not able to generate a unique name "
                     "for the object",
                     yl_arena_strdup(w->arena, yl_str_c(message)));
        status->error.retry_after = 1000;
    }
    if (yl_object_is_deleting(w->base)) {
        yl_error_prefix(&status->error, "object is being deleted");
    }
    return r;
}

static int
settle_new(struct yl_write *w, struct yl_status *status)
{
    const struct yl_node *metadata = yl_member_object(w->tree, "metadata");
    uint64_t revision = 0;
    int r;

    if (!w->by_put) {
        w->key.name = yl_arena_copy(w->request->arena,
                                    yl_write_text(w, metadata, "name"));
        if (!w->dry_run
            && yl_write_named_revision(w, w->tree, &revision, NULL) == 0
            && revision) {
            return yl_write_odd_error(status,
                                      "resourceVersion should not be set on "
                                      "objects to be created");
        }
    }
    r = yl_write_propose(w, w->tree, status);
    if (r == 0 && w->dry_run && !w->by_put
        && yl_ks_get(w->resource->objects, w->key, &w->base,
                     &w->base_revision) == 0) {
        r = yl_write_exists(w, status);
    }
    return r;
}

/* Was the object being deleted, and has this update removed the last thing
 * that held it back? */
static bool
is_released(const struct yl_write *w)
{
    const struct yl_strategy *strategy = w->resource->strategy;
    struct yl_at now = yl_at_root(yl_member_object(w->tree, "metadata"));
    struct yl_at then = yl_at_root(yl_member_object(w->old, "metadata"));
    struct yl_at finalizers = yl_at(&now, "finalizers");

    if (yl_at_count(&finalizers)
        || !yl_at_get_has(&then, "deletionTimestamp")) {
        return false;
    }
    return strategy->is_held
           ? !strategy->is_held(w->tree)
           : yl_at_get_int(&then, "deletionGracePeriodSeconds") == 0;
}
