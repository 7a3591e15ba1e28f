/* NamespaceLifecycle: nothing is written to a namespace that does not exist,
 * nothing is created in one that is being deleted, and some namespaces cannot
 * be deleted. */

#include "apiserver/admission/plugin.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"

static bool is_immortal(struct yl_str name);
static bool is_review(const struct yl_api_resource *);
static int refuse_creation(const struct yl_admission *, struct yl_status *);

int
yl_plugin_namespace_lifecycle(struct yl_admission *a,
                              struct yl_status *status)
{
    static const struct yl_gvr namespaces =
        { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("namespaces") };
    bool is_namespace = yl_str_equal_c(a->resource->plural, "namespaces")
                        && !a->resource->group.size;
    const struct yl_api_resource *resource;
    struct yl_object *object;
    struct yl_json phase;
    uint64_t revision;
    bool leaving;

    if (is_namespace) {
        return a->operation == YL_OPERATION_DELETE && is_immortal(a->name)
               ? yl_status_forbidden(status, namespaces, a->name,
                                     YL_STR("this namespace may not be "
                                            "deleted")) : 0;
    }
    if (!a->namespace_.size || a->operation == YL_OPERATION_DELETE
        || is_review(a->resource)) {
        return 0;
    }
    resource = yl_registry_builtin(a->server->registry, "", "namespaces");
    if (yl_ks_get(resource->objects,
                  yl_key_make(YL_STR(""), a->namespace_), &object,
                  &revision) < 0) {
        return yl_status_not_found(status, namespaces, a->namespace_);
    }
    phase = yl_json_get(yl_object_field(object, a->arena, "status"),
                        YL_STR("phase"));
    leaving = yl_json_string_is(phase, YL_STR("Terminating"));
    yl_object_unref(object);
    return leaving && a->operation == YL_OPERATION_CREATE
           ? refuse_creation(a, status) : 0;
}

static bool
is_immortal(struct yl_str name)
{
    return yl_str_equal_c(name, "default")
           || yl_str_equal_c(name, "kube-system")
           || yl_str_equal_c(name, "kube-public");
}

/* Is it a review of access in a namespace?  These are let through, as a
 * refusal would reveal whether the namespace exists. */
static bool
is_review(const struct yl_api_resource *resource)
{
    return yl_str_equal_c(resource->plural, "localsubjectaccessreviews")
           && yl_str_equal_c(resource->group, "authorization.k8s.io");
}

static int
refuse_creation(const struct yl_admission *a, struct yl_status *status)
{
    int r = yl_plugin_forbid(a, status,
                             "unable to create new content in namespace %.*s "
                             "because it is being terminated",
                             YL_STR_ARG(a->namespace_));

    yl_error_add_cause(&status->error, YL_STR("NamespaceTerminating"),
                       yl_str_c(yl_arena_printf(
                           a->arena, "namespace %.*s is being terminated",
                           YL_STR_ARG(a->namespace_))),
                       YL_STR("metadata.namespace"));
    return r;
}
