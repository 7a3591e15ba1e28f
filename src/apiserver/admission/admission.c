/* Admission: the table of plugins.  See apiserver/admission/admission.h for
 * the contract. */

#include "apiserver/admission/admission.h"

#include <assert.h>
#include <string.h>

#include "apiserver/admission/plugin.h"
#include "apiserver/server.h"
#include "apiserver/wait.h"

#define BIT(OPERATION) YL_ADMIT(OPERATION)

static size_t index_of(const char *name);
static bool is_known(const char *name);
static const struct yl_admission_plugin *next_plugin(struct yl_admission *);
static int leave(struct yl_admission *, int result);

/* In upstream's order, with its names. */
static const struct yl_admission_plugin plugins[] = {
    { "NamespaceLifecycle", BIT(CREATE) | BIT(UPDATE) | BIT(DELETE),
      yl_plugin_namespace_lifecycle, NULL },
    { "ServiceAccount", BIT(CREATE) | BIT(UPDATE), yl_plugin_service_account,
      yl_plugin_service_account_check },
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

    /* What upstream has in other places, so that it cannot be turned off. */
    { "DeviceAdminAccess", BIT(CREATE), NULL, yl_plugin_device_admin_access },
    { "ClaimStatus", BIT(UPDATE), NULL, yl_plugin_claim_status },
};

/* Plugins that can be turned off: all but the last two. */
#define N_NAMED (YL_ARRAY_SIZE(plugins) - 2)

/* Names of upstream's other plugins. */
static const char *const absent[] = {
    "AlwaysAdmit", "AlwaysDeny", "AlwaysPullImages",
    "ClusterTrustBundleAttest", "DenyServiceExternalIPs", "EventRateLimit",
    "ExtendedResourceToleration", "ImagePolicyWebhook", "JobValidation",
    "LimitPodHardAntiAffinityTopology", "LimitRanger",
    "MutatingAdmissionPolicy", "MutatingAdmissionWebhook",
    "NamespaceAutoProvision", "NamespaceExists", "NodeRestriction",
    "OwnerReferencesPermissionEnforcement", "PodGroupProtection",
    "PodGroupWorkloadExists", "PodNodeSelector", "PodResizeValidator",
    "PodSecurity", "PodTolerationRestriction", "ResourceQuota",
    "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook",
};

int
yl_admission_choose(const char *const *on, size_t n_on,
                    const char *const *off, size_t n_off, uint64_t *ret_off,
                    struct yl_error *err)
{
    uint64_t mask = 0;
    size_t i, j;

    for (i = 0; i < n_on; i++) {
        if (!is_known(on[i])) {
            return yl_error_set(err, YL_EINVALID, "enable-admission-plugins "
                                "plugin \"%s\" is unknown", on[i]);
        }
    }
    for (i = 0; i < n_off; i++) {
        if (!is_known(off[i])) {
            return yl_error_set(err, YL_EINVALID, "disable-admission-plugins "
                                "plugin \"%s\" is unknown", off[i]);
        }
        for (j = 0; j < n_on; j++) {
            if (!strcmp(on[j], off[i])) {
                return yl_error_set(err, YL_EINVALID, "[%s] in "
                                    "enable-admission-plugins and "
                                    "disable-admission-plugins overlapped",
                                    off[i]);
            }
        }
        if (yl_admission_is_here(off[i])) {
            mask |= yl_admission_mask(off[i]);
        }
    }
    *ret_off = mask;
    return 0;
}

bool
yl_admission_is_here(const char *name)
{
    return index_of(name) < N_NAMED;
}

uint64_t
yl_admission_mask(const char *name)
{
    assert(yl_admission_is_here(name));
    return UINT64_C(1) << index_of(name);
}

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

/* The index of a plugin that can be turned off; N_NAMED if it is not here. */
static size_t
index_of(const char *name)
{
    size_t i = 0;

    while (i < N_NAMED && strcmp(plugins[i].name, name)) {
        i++;
    }
    return i;
}

static bool
is_known(const char *name)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(absent); i++) {
        if (!strcmp(absent[i], name)) {
            return true;
        }
    }
    return yl_admission_is_here(name);
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

        if (i < N_NAMED && a->server
            && a->server->opts.plugins_off & UINT64_C(1) << i) {
            continue;
        }
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
