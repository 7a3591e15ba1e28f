/* serviceaccount-controller: the account "default" of every namespace.
 *
 * Pods that name no account run as this one. */

#include "controllers/controllers.h"
#include "controllers/namespaces.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/store.h"

#define NAME "default"

static int
reconcile(struct yl_request *req)
{
    struct yl_arena *arena = yl_request_arena(req);
    struct yl_str namespace_ = yl_request_key(req)->name;
    struct yl_key key = yl_key_make(namespace_, YL_STR(NAME));
    struct yl_versioned found;
    const char *json;

    if (!yl_namespace_is_active(req)
        || yl_store_get(yl_request_store(req, &core_v1_service_account_kind),
                        &key, arena, &found)) {
        return 0;
    }
    json = yl_arena_printf(arena, "{\"apiVersion\":\"v1\","
                           "\"kind\":\"ServiceAccount\",\"metadata\":"
                           "{\"name\":\"" NAME "\",\"namespace\":\"%.*s\"}}",
                           YL_STR_ARG(namespace_));
    return yl_namespace_created(
        req, yl_request_create(req, &core_v1_service_account_kind,
                               yl_str_c(json), NULL));
}

const struct yl_controller yl_service_account_controller = {
    .name = "serviceaccount-controller",
    .reconcile = reconcile,
    .watches = (const struct yl_watch[]) {
        { .for_ = &core_v1_namespace__kind },
        { .other = &core_v1_service_account_kind,
          .map = yl_namespace_of_object,
          .field_selector = "metadata.name=" NAME },
        { .for_ = NULL },
    },
};
