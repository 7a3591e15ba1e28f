/* Administrative access to devices may be requested only in namespaces that
 * are labelled for it.  Upstream checks this in validation, which can read
 * namespaces there. */

#include "apiserver/admission/plugin.h"
#include "schema/field_error.h"
#include "yuloh/status.h"

#define LABEL "resource.kubernetes.io/admin-access"

static bool asks(const struct yl_at *requests, size_t *ret_index);
static bool is_for_admins(const struct yl_admission *);
static int refuse(const struct yl_admission *, size_t index,
                  struct yl_status *);

int
yl_plugin_device_admin_access(const struct yl_admission *a,
                              struct yl_status *status)
{
    bool template = yl_plugin_is_for(a, "resource.k8s.io",
                                     "resourceclaimtemplates");
    struct yl_at root = yl_at_root(a->object), spec, inner, devices, requests;
    size_t i;

    if (!template
        && !yl_plugin_is_for(a, "resource.k8s.io", "resourceclaims")) {
        return 0;
    }
    spec = yl_at(&root, "spec");
    inner = template ? yl_at(&spec, "spec") : spec;
    devices = yl_at(&inner, "devices");
    requests = yl_at(&devices, "requests");
    return asks(&requests, &i) && !is_for_admins(a) ? refuse(a, i, status)
                                                     : 0;
}

static bool
asks(const struct yl_at *requests, size_t *ret_index)
{
    *ret_index = 0;
    YL_AT_FOR_EACH (request, requests) {
        struct yl_at exactly = yl_at(&request, "exactly");

        if (yl_at_get_bool(&exactly, "adminAccess")) {
            return true;
        }
        ++*ret_index;
    }
    return false;
}

static bool
is_for_admins(const struct yl_admission *a)
{
    struct yl_at root = yl_at_root(yl_plugin_read(a, "", "namespaces",
                                                  YL_STR(""),
                                                  a->namespace_));
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at labels = yl_at(&metadata, "labels");

    return yl_at_get_is(&labels, LABEL, "true");
}

/* The message names the path in a ResourceClaim, also for a template. */
static int
refuse(const struct yl_admission *a, size_t index, struct yl_status *status)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_field_path devices = yl_field_member(&spec, YL_STR("devices"));
    struct yl_field_path requests = yl_field_member(&devices,
                                                    YL_STR("requests"));
    struct yl_field_path request = yl_field_index(&requests, index);
    struct yl_field_path path = yl_field_member(&request,
                                                YL_STR("adminAccess"));
    struct yl_check c = { a->arena, NULL };
    struct yl_at metadata =
        yl_at_root(yl_member_object(a->object, "metadata"));
    struct yl_gvk gvk = { a->resource->group, yl_str_null(),
                          a->resource->kind };
    struct yl_error err = YL_ERROR_INIT;
    int r;

    yl_field_forbidden(&err, &path,
                       "admin access to devices requires the `" LABEL ": "
                       "true` label on the containing namespace");
    r = yl_status_invalid(status, gvk, yl_at_get_str(&c, &metadata, "name"),
                          &err);
    yl_error_clear(&err);
    return r;
}
