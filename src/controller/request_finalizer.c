/* Finalizers: an object with 'cleanup' is not gone before that has run.  See
 * yuloh/controller.h.
 *
 * Both writes name the revision that they are based on, because a merge patch
 * replaces the whole list: another controller's finalizer must not get
 * lost. */

#include "controller/request.h"
#include "controller/runner.h"
#include "json/tree.h"
#include "yuloh/json.h"

static int patch(struct yl_request *, bool add);
static struct yl_node *list(struct yl_request *, bool add);

bool
yl_request_has_finalizer(const struct yl_request *req)
{
    struct yl_json_iter iter
        = yl_json_iter(yl_object_finalizers(req->object.object));

    while (yl_json_next(&iter)) {
        if (yl_json_string_is(iter.value, req->runner->finalizer)) {
            return true;
        }
    }
    return false;
}

int
yl_request_add_finalizer(struct yl_request *req)
{
    return yl_request_has_finalizer(req) ? 0 : patch(req, true);
}

int
yl_request_remove_finalizer(struct yl_request *req)
{
    int r = yl_request_has_finalizer(req) ? patch(req, false) : 0;

    if (r == YL_ENOTFOUND) {
        yl_error_clear(&req->error);
        r = 0;
    }
    return r;
}

static int
patch(struct yl_request *req, bool add)
{
    struct yl_node *diff = yl_node_new_object(req->arena);
    struct yl_node *meta = yl_node_new_object(req->arena);
    struct yl_versioned written;
    int r;

    yl_node_set(req->arena, meta, YL_STR("finalizers"), list(req, add));
    yl_node_set(req->arena, diff, YL_STR("metadata"), meta);
    r = yl_request_send_diff(req, req->runner->kind, req->key, NULL,
                             &req->object, diff, &written);
    if (r == 0) {
        req->object = written;
    }
    return r;
}

/* The object's finalizers with ours added or left out. */
static struct yl_node *
list(struct yl_request *req, bool add)
{
    struct yl_json_iter iter
        = yl_json_iter(yl_object_finalizers(req->object.object));
    struct yl_node *array = yl_node_new_array(req->arena);
    struct yl_str text;

    while (yl_json_next(&iter)) {
        if (yl_json_string(iter.value, req->arena, &text) == 0
            && !yl_str_equal(text, req->runner->finalizer)) {
            yl_node_append(array, yl_node_new_string(req->arena, text));
        }
    }
    if (add) {
        yl_node_append(array, yl_node_new_string(req->arena,
                                                 req->runner->finalizer));
    }
    return array;
}
