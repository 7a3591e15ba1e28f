/* GET of one object. */

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "apiserver/verbs/read_options.h"
#include "apiserver/verbs/verbs.h"

enum yl_step
yl_verb_get(struct yl_api_request *req)
{
    struct yl_key key = yl_key_make(req->info.namespace_, req->info.name);
    struct yl_status status = YL_STATUS_INIT;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object;
    uint64_t revision;
    enum yl_step step;

    if (!req->resource->namespaced) {
        key.namespace_ = yl_str_null();
    }
    if (yl_read_options_get(req, &status) < 0) {
        return yl_api_respond_status(req, &status);
    }
    if (yl_read_name_check(req->info.name, &err) < 0) {
        return yl_api_respond_error(req, &err);
    }
    if (yl_ks_get(req->resource->objects, key, &object, &revision) < 0) {
        yl_status_not_found(&status, yl_api_gvr(req), req->info.name);
        return yl_api_respond_status(req, &status);
    }
    step = yl_api_respond_object(req, 200, object, revision);
    yl_object_unref(object);
    return step;
}
