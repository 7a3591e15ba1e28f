/* POST: an object comes to be. */

#include "apiserver/verbs/body.h"
#include "apiserver/verbs/propose.h"
#include "apiserver/verbs/verbs.h"
#include "apiserver/verbs/write.h"
#include "yuloh/arena.h"

/* How often a generated name may turn out to be taken. */
#define MAX_GENERATED 8

struct create {
    struct yl_write write;
    struct yl_write_options options;
    bool prefixed;              /* The object has a prefix for names, */
    bool generated;             /* and the name is the server's. */
    unsigned n_generated;
};

static int prepare(struct yl_write *, struct yl_status *);
static int exists(struct create *, struct yl_status *);

enum yl_step
yl_verb_create(struct yl_api_request *req)
{
    struct create *create = yl_write_new(req, sizeof *create);
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_body_begin(req, &status);

    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_CREATE, &create->options,
                                  &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    create->write.dry_run = create->options.dry_run;
    create->write.unseen = true;
    create->write.prepare = prepare;
    return yl_write_go(&create->write);
}

static int
prepare(struct yl_write *w, struct yl_status *status)
{
    struct create *create = YL_CONTAINER_OF(w, struct create, write);
    const struct yl_api_version *version = w->request->version;
    struct yl_node *object;
    bool dry;
    int r;

    if (w->base) {
        if (!create->generated || ++create->n_generated >= MAX_GENERATED) {
            return exists(create, status);
        }
        w->base = yl_object_unref(w->base);
        w->base_revision = 0;
    }
    w->key.name = yl_str_null();
    r = yl_body_object(w->request, w->arena, version->kind,
                       create->options.field_validation, &object, status);
    if (r == 0) {
        r = yl_propose_hub(w, version, object, status);
    }
    if (r == 0) {
        r = yl_propose_namespace(w, object, status);
    }
    if (r == 0) {
        create->prefixed = yl_propose_has_prefix(w, object,
                                                 &create->generated);
        r = yl_propose_create(w, object, status);
    }
    dry = r == 0 && w->dry_run;
    if (dry && yl_ks_get(w->resource->objects, w->key, &w->base,
                         &w->base_revision) == 0) {
        return exists(create, status);
    }
    return r;
}

/* The name is taken; upstream says that it could not make one even if it was
 * given. */
static int
exists(struct create *create, struct yl_status *status)
{
    struct yl_write *w = &create->write;
    int r = yl_status_exists(status, yl_write_gvr(w), w->key.name);
    const char *message = yl_error_message(&status->error);

    if (create->prefixed) {
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
