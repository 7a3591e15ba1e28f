/* Choosing controllers.  See controllers/choose.h for the contract. */

#include "controllers/choose.h"

#include <string.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"

/* All of kube-controller-manager's, with their names from before 1.28. */
static const struct {
    const char *name, *old;
} known[] = {
    { "bootstrap-signer-controller", "bootstrapsigner" },
    { "certificatesigningrequest-approving-controller", "csrapproving" },
    { "certificatesigningrequest-cleaner-controller", "csrcleaner" },
    { "certificatesigningrequest-signing-controller", "csrsigning" },
    { "clusterrole-aggregation-controller", "clusterrole-aggregation" },
    { "cronjob-controller", "cronjob" },
    { "daemonset-controller", "daemonset" },
    { "deployment-controller", "deployment" },
    { "device-taint-eviction-controller", NULL },
    { "disruption-controller", "disruption" },
    { "endpoints-controller", "endpoint" },
    { "endpointslice-controller", "endpointslice" },
    { "endpointslice-mirroring-controller", "endpointslicemirroring" },
    { "ephemeral-volume-controller", "ephemeral-volume" },
    { "garbage-collector-controller", "garbagecollector" },
    { "horizontal-pod-autoscaler-controller", "horizontalpodautoscaling" },
    { "job-controller", "job" },
    { "kube-apiserver-serving-clustertrustbundle-publisher-controller",
      NULL },
    { "legacy-serviceaccount-token-cleaner-controller",
      "legacy-service-account-token-cleaner" },
    { "namespace-controller", "namespace" },
    { "node-ipam-controller", "nodeipam" },
    { "node-lifecycle-controller", "nodelifecycle" },
    { "persistentvolume-attach-detach-controller", "attachdetach" },
    { "persistentvolume-binder-controller", "persistentvolume-binder" },
    { "persistentvolume-expander-controller", "persistentvolume-expander" },
    { "persistentvolume-protection-controller", "pv-protection" },
    { "persistentvolumeclaim-protection-controller", "pvc-protection" },
    { "pod-garbage-collector-controller", "podgc" },
    { "podcertificaterequest-cleaner-controller", NULL },
    { "podgroup-protection-controller", NULL },
    { "replicaset-controller", "replicaset" },
    { "replicationcontroller-controller", "replicationcontroller" },
    { "resourceclaim-controller", "resource-claim-controller" },
    { "resourcepoolstatusrequest-controller", NULL },
    { "resourcequota-controller", "resourcequota" },
    { "root-ca-certificate-publisher-controller", "root-ca-cert-publisher" },
    { "selinux-warning-controller", NULL },
    { "service-cidr-controller", NULL },
    { "serviceaccount-controller", "serviceaccount" },
    { "serviceaccount-token-controller", "serviceaccount-token" },
    { "statefulset-controller", "statefulset" },
    { "storage-version-migrator-controller", NULL },
    { "storageversion-garbage-collector-controller", "storage-version-gc" },
    { "taint-eviction-controller", NULL },
    { "token-cleaner-controller", "tokencleaner" },
    { "ttl-after-finished-controller", "ttl-after-finished" },
    { "ttl-controller", "ttl" },
    { "validatingadmissionpolicy-status-controller", NULL },
    { "volumeattributesclass-protection-controller", NULL },
};

static const char *canonical(const char *name);

int
yl_controllers_check_names(const char *const *words, size_t n,
                           struct yl_error *err)
{
    size_t i;

    for (i = 0; i < n; i++) {
        const char *name = *words[i] == '-' ? words[i] + 1 : words[i];

        if (strcmp(name, "*") && !canonical(name)) {
            return yl_error_set(err, YL_EINVALID, "\"%s\" is not in the list "
                                "of known controllers", name);
        }
    }
    return 0;
}

bool
yl_controllers_is_chosen(const char *const *words, size_t n,
                         const char *name)
{
    bool star = n == 0;
    size_t i;

    for (i = 0; i < n; i++) {
        bool off = *words[i] == '-';
        const char *word = words[i] + off;
        const char *which = canonical(word);

        if (which && !strcmp(which, name)) {
            return !off;
        }
        star = star || (!off && !strcmp(word, "*"));
    }
    return star;
}

/* The new name of a controller; NULL if it is unknown. */
static const char *
canonical(const char *name)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(known); i++) {
        if (!strcmp(name, known[i].name)
            || (known[i].old && !strcmp(name, known[i].old))) {
            return known[i].name;
        }
    }
    return NULL;
}
