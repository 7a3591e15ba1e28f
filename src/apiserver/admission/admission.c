/* Admission: the table of plugins.  See apiserver/admission/admission.h for
 * the contract. */

#include "apiserver/admission/admission.h"

#include "apiserver/admission/plugin.h"
#include "apiserver/server.h"
#include "apiserver/wait.h"

#define BIT(OPERATION) YL_ADMIT(OPERATION)

static const struct yl_admission_plugin *next_plugin(struct yl_admission *);
static int leave(struct yl_admission *, int result);

/* In upstream's order, with its names.  Not here: LimitRanger, ResourceQuota,
 * ServiceAccount, PodSecurity, webhooks and policies. */
static const struct yl_admission_plugin plugins[] = {
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
    const struct yl_admission_plugin *plugin;
    int r = 0;

    while (r == 0 && (plugin = next_plugin(a)) != NULL) {
        r = plugin->mutate ? plugin->mutate(a, status) : 0;
    }
    return leave(a, r);
}

int
yl_admit_validate(struct yl_admission *a, struct yl_status *status)
{
    const struct yl_admission_plugin *plugin;
    int r = 0;

    while (r == 0 && (plugin = next_plugin(a)) != NULL) {
        r = plugin->validate ? plugin->validate(a, status) : 0;
    }
    return leave(a, r);
}

/* The next plugin that handles the operation; NULL after the last. */
static const struct yl_admission_plugin *
next_plugin(struct yl_admission *a)
{
    size_t n_more = a->server ? a->server->opts.n_plugins : 0;

    while (a->next < YL_ARRAY_SIZE(plugins) + n_more) {
        size_t i = a->next++;
        const struct yl_admission_plugin *plugin =
            i < YL_ARRAY_SIZE(plugins)
                ? &plugins[i]
                : &a->server->opts.plugins[i - YL_ARRAY_SIZE(plugins)];

        if (plugin->operations & 1u << a->operation) {
            return plugin;
        }
    }
    return NULL;
}

/* Ends a run of the plugins.  Unless one of them waits, the next run starts
 * with the first plugin. */
static int
leave(struct yl_admission *a, int result)
{
    if (result != YL_WAITING) {
        a->next = 0;
    }
    return result;
}
