/* Writing the status of CRDs.  See apiserver/crd/lifecycle_write.h for the
 * contract. */

#include "apiserver/crd/lifecycle_write.h"

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/own.h"
#include "json/member.h"
#include "json/tree.h"
#include "object/object.h"
#include "schema/at.h"
#include "yuloh/status.h"

static int own(struct yl_apiserver *, const struct yl_api_resource *,
               struct yl_crd_write *, struct yl_error *);
static bool is_released(const struct yl_node *crd);

int
yl_crd_write_status(struct yl_apiserver *server,
                    const struct yl_api_resource *resource,
                    struct yl_crd_write *w, struct yl_error *err)
{
    struct yl_ks_write write = {
        .resource = resource->objects,
        .key = w->key,
        .expected = w->revision,
    };
    int r = own(server, resource, w, err);

    if (r == 0) {
        yl_member_drop(yl_member_object(w->tree, "metadata"),
                       "resourceVersion");
        r = yl_strategy_normalize(resource, w->arena, w->tree,
                                  YL_NORMAL_STORED, err);
    }
    if (r == 0 && !is_released(w->tree)) {
        r = yl_object_from_tree(w->tree, NULL, &write.object, err);
    }
    if (r < 0) {
        return r;
    }
    r = yl_keyspace_write_wait(server->keyspace, &write);
    if (r == 0) {
        w->old = yl_node_copy(w->arena, w->tree);
        w->revision = write.revision;
    } else if (err) {
        *err = write.error;
        write.error = (struct yl_error) YL_ERROR_INIT;
    }
    yl_error_clear(&write.error);
    yl_object_unref(write.object);
    return r;
}

/* Notes who owns the fields. */
static int
own(struct yl_apiserver *server, const struct yl_api_resource *resource,
    struct yl_crd_write *w, struct yl_error *err)
{
    struct yl_ownership ownership = {
        .arena = w->arena,
        .resource = resource,
        .version = yl_api_resource_hub(resource),
        .subresource = YL_SUB_STATUS,
        .part = YL_STR("status"),
        .manager = YL_STR("kube-apiserver"),
        .now = yl_time_now(),
        .object = w->tree,
        .live = w->old,
    };
    struct yl_status status = YL_STATUS_INIT;
    int r = server->opts.own ? server->opts.own(&ownership, &status) : 0;

    if (r < 0) {
        yl_error_set(err, r, "%s", yl_error_message(&status.error));
    }
    yl_status_clear(&status);
    return r;
}

static bool
is_released(const struct yl_node *crd)
{
    struct yl_at root = yl_at_root(crd), metadata = yl_at(&root, "metadata");
    struct yl_at finalizers = yl_at(&metadata, "finalizers");

    return yl_at_get_has(&metadata, "deletionTimestamp")
           && !yl_at_count(&finalizers);
}
