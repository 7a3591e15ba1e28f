/* What a write of a built-in kind cannot set.  See builtin.h.
 *
 * Most kinds with a status follow one rule: it is written through /status
 * only, which writes nothing else.  Whether that resets metadata too differs
 * from kind to kind. */

#include "apiserver/strategy/builtin.h"

#define STATUS_ONLY "metadata spec"     /* /status resets metadata too. */

/* The exceptions.  A member that is NULL is as the rule says, "" means that
 * nothing is reset. */
static const struct {
    const char *group, *plural;
    const char *object;         /* Reset by a write of the object, */
    const char *status;         /* and by one of its status. */
} exceptions[] = {
    { "", "pods", NULL,
      "spec metadata.deletionTimestamp metadata.ownerReferences" },
    { "admissionregistration.k8s.io", "validatingadmissionpolicies", NULL,
      STATUS_ONLY },
    { "apiregistration.k8s.io", "apiservices", NULL, STATUS_ONLY },
    { "apps", "deployments", NULL, "spec metadata.labels" },
    { "certificates.k8s.io", "certificatesigningrequests", "spec status",
      "spec status.conditions" },
    { "certificates.k8s.io", "podcertificaterequests", "", NULL },
    { "flowcontrol.apiserver.k8s.io", "flowschemas", NULL, STATUS_ONLY },
    { "flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", NULL,
      STATUS_ONLY },
    { "internal.apiserver.k8s.io", "storageversions", NULL, STATUS_ONLY },
    { "networking.k8s.io", "servicecidrs", NULL, STATUS_ONLY },
    { "resource.k8s.io", "devicetaintrules", NULL, STATUS_ONLY },
    { "resource.k8s.io", "resourceclaims", NULL, STATUS_ONLY },
    { "resource.k8s.io", "resourcepoolstatusrequests", NULL, STATUS_ONLY },
    { "scheduling.k8s.io", "podgroups", "", STATUS_ONLY },
    { "storage.k8s.io", "volumeattachments", NULL, STATUS_ONLY },
    { "storagemigration.k8s.io", "storageversionmigrations", NULL,
      STATUS_ONLY },
};

const char *
yl_builtin_reset_fields(const struct yl_api_resource *resource,
                        const struct yl_api_version *written,
                        const struct yl_api_version *of YL_UNUSED,
                        enum yl_subresource part)
{
    const char *paths = NULL;
    size_t i;

    switch (part) {
    case YL_SUB_FINALIZE:
        return "status";
    case YL_SUB_APPROVAL:
        return "spec status.certificate";
    case YL_SUB_NONE:
    case YL_SUB_STATUS:
        break;
    default:
        return NULL;
    }
    if (!yl_api_version_subresource(written, YL_STR("status"))) {
        return NULL;
    }
    for (i = 0; i < YL_ARRAY_SIZE(exceptions) && !paths; i++) {
        if (yl_str_equal_c(resource->plural, exceptions[i].plural)
            && yl_str_equal_c(resource->group, exceptions[i].group)) {
            paths = part == YL_SUB_NONE ? exceptions[i].object
                                        : exceptions[i].status;
        }
    }
    if (!paths) {
        paths = part == YL_SUB_NONE ? "status" : "spec";
    }
    return paths[0] ? paths : NULL;
}
