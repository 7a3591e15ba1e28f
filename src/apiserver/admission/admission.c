/* Admission: the table of plugins.  See apiserver/admission/admission.h for
 * the contract. */

#include "apiserver/admission/admission.h"

#include "apiserver/admission/plugin.h"

#define BIT(OPERATION) (1u << YL_OPERATION_##OPERATION)

/* In upstream's order, with its names.  Not here: LimitRanger, ResourceQuota,
 * ServiceAccount, PodSecurity, and what asks webhooks and policies. */
static const struct plugin {
    const char *name;
    unsigned operations;
    yl_mutate_fn *mutate;
    yl_validate_fn *validate;
} plugins[] = {
    { "NamespaceLifecycle", BIT(CREATE) | BIT(UPDATE) | BIT(DELETE),
      yl_plugin_namespace_lifecycle, NULL },
    { "TaintNodesByCondition", BIT(CREATE), yl_plugin_taint_nodes, NULL },
    { "Priority", BIT(CREATE) | BIT(UPDATE) | BIT(DELETE), yl_plugin_priority,
      yl_plugin_priority_class },
    { "DefaultTolerationSeconds", BIT(CREATE) | BIT(UPDATE),
      yl_plugin_default_tolerations, NULL },
    { "DefaultStorageClass", BIT(CREATE), yl_plugin_default_storage_class,
      NULL },
    { "StorageObjectInUseProtection", BIT(CREATE),
      yl_plugin_in_use_protection, NULL },
    { "PersistentVolumeClaimResize", BIT(UPDATE), NULL,
      yl_plugin_claim_resize },
    { "RuntimeClass", BIT(CREATE), yl_plugin_runtime_class,
      yl_plugin_pod_overhead },
    { "CertificateApproval", BIT(UPDATE), NULL,
      yl_plugin_certificate_approval },
    { "CertificateSigning", BIT(UPDATE), NULL,
      yl_plugin_certificate_signing },
    { "CertificateSubjectRestriction", BIT(CREATE),
      yl_plugin_certificate_user, yl_plugin_certificate_subject },
    { "DefaultIngressClass", BIT(CREATE), yl_plugin_default_ingress_class,
      NULL },
    { "PodTopologyLabels", BIT(CREATE), yl_plugin_pod_topology_labels, NULL },
    { "NodeDeclaredFeatureValidator", BIT(UPDATE), NULL,
      yl_plugin_node_features },
    { "DeviceAdminAccess", BIT(CREATE), NULL, yl_plugin_device_admin_access },
    { "ClaimStatus", BIT(UPDATE), NULL, yl_plugin_claim_status },
};

int
yl_admit_mutate(struct yl_admission *a, struct yl_status *status)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(plugins); i++) {
        if (plugins[i].mutate && plugins[i].operations & 1u << a->operation) {
            int r = plugins[i].mutate(a, status);

            if (r < 0) {
                return r;
            }
        }
    }
    return 0;
}

int
yl_admit_validate(const struct yl_admission *a, struct yl_status *status)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(plugins); i++) {
        if (plugins[i].validate
            && plugins[i].operations & 1u << a->operation) {
            int r = plugins[i].validate(a, status);

            if (r < 0) {
                return r;
            }
        }
    }
    return 0;
}
