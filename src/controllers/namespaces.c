/* Objects in every namespace.  See controllers/namespaces.h. */

#include "controllers/namespaces.h"

#include <string.h>

#include "yuloh/json.h"

static bool is_terminating(const struct yl_error *);

void
yl_namespace_of_object(struct yl_enqueuer *enqueuer,
                       const struct yl_object *object,
                       const struct yl_object *old YL_UNUSED,
                       void *aux YL_UNUSED)
{
    struct yl_key key = yl_key_make(YL_STR(""), yl_object_namespace(object));

    yl_enqueue(enqueuer, &key);
}

bool
yl_namespace_is_active(struct yl_request *req)
{
    const struct yl_object *namespace_ = yl_request_object(req);
    struct yl_json status;

    if (!namespace_ || yl_object_is_deleting(namespace_)) {
        return false;
    }
    status = yl_object_field(namespace_, yl_request_arena(req), "status");
    return yl_json_string_is(yl_json_get(status, YL_STR("phase")),
                             YL_STR("Active"));
}

int
yl_namespace_created(struct yl_request *req, int result)
{
    struct yl_error *err = yl_request_error(req);

    if (result == YL_EEXISTS || result == YL_ENOTFOUND
        || (result < 0 && is_terminating(err))) {
        yl_error_clear(err);
        return 0;
    }
    return result;
}

static bool
is_terminating(const struct yl_error *err)
{
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        if (err->causes[i].reason
            && !strcmp(err->causes[i].reason, "NamespaceTerminating")) {
            return true;
        }
    }
    return false;
}
