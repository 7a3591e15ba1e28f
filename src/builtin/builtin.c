/* The table of kinds.  See builtin/builtin.h for the contract. */

#include "builtin/builtin.h"

static const struct yl_builtin kinds[] = {
    { .group = "", .version = "v1", .kind = "Pod",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION | YL_BUILTIN_GRACEFUL
               | YL_BUILTIN_DELETE_RETURNS_OBJECT,
      .default_ = yl_pod_default,
      .prepare = yl_pod_prepare,
      .validate = yl_pod_validate },
    { .group = "", .version = "v1", .kind = "ReplicationController",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION | YL_BUILTIN_ORPHANS,
      .default_ = yl_replication_controller_default,
      .prepare = yl_pod_template_prepare,
      .validate = yl_replication_controller_validate },
    { .group = "apps", .version = "v1", .kind = "ReplicaSet",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION,
      .default_ = yl_replica_set_default,
      .prepare = yl_pod_template_prepare,
      .validate = yl_replica_set_validate },
    { .group = "apps", .version = "v1", .kind = "Deployment",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION
               | YL_BUILTIN_COUNTS_ANNOTATIONS,
      .default_ = yl_deployment_default,
      .prepare = yl_pod_template_prepare,
      .validate = yl_deployment_validate },
    { .group = "apps", .version = "v1", .kind = "StatefulSet",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION,
      .default_ = yl_stateful_set_default,
      .prepare = yl_stateful_set_prepare,
      .validate = yl_stateful_set_validate },
    { .group = "apps", .version = "v1", .kind = "DaemonSet",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION,
      .default_ = yl_daemon_set_default,
      .prepare = yl_daemon_set_prepare,
      .validate = yl_daemon_set_validate },
    { .group = "apps", .version = "v1", .kind = "ControllerRevision",
      .namespaced = true,
      .flags = YL_BUILTIN_UNVALIDATED },
    { .group = "batch", .version = "v1", .kind = "Job",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION | YL_BUILTIN_ORPHANS,
      .default_ = yl_job_default,
      .prepare = yl_job_prepare,
      .validate = yl_job_validate },
    { .group = "batch", .version = "v1", .kind = "CronJob",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION,
      .default_ = yl_cron_job_default,
      .prepare = yl_cron_job_prepare,
      .validate = yl_cron_job_validate },
    { .group = "", .version = "v1", .kind = "PodTemplate",
      .namespaced = true,
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "", .version = "v1", .kind = "Service",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_CREATE_ON_UPDATE
               | YL_BUILTIN_DELETE_RETURNS_OBJECT,
      .default_ = yl_service_default,
      .prepare = yl_service_prepare,
      .validate = yl_service_validate },
    { .group = "", .version = "v1", .kind = "Endpoints",
      .namespaced = true,
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_UNVALIDATED },
    { .group = "discovery.k8s.io", .version = "v1", .kind = "EndpointSlice",
      .namespaced = true,
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_UNVALIDATED },
    { .group = "", .version = "v1", .kind = "Secret",
      .namespaced = true,
      .default_ = yl_secret_default,
      .validate = yl_secret_validate },
    { .group = "", .version = "v1", .kind = "ConfigMap",
      .namespaced = true,
      .validate = yl_config_map_validate },
    { .group = "", .version = "v1", .kind = "ServiceAccount",
      .namespaced = true,
      .flags = YL_BUILTIN_DELETE_RETURNS_OBJECT,
      .prepare = yl_service_account_prepare,
      .validate = yl_service_account_validate },
    { .group = "", .version = "v1", .kind = "LimitRange",
      .namespaced = true,
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_UNVALIDATED },
    { .group = "", .version = "v1", .kind = "ResourceQuota",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "", .version = "v1", .kind = "Namespace",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_DELETE_RETURNS_OBJECT,
      .default_ = yl_namespace_default,
      .prepare = yl_namespace_prepare,
      .validate = yl_namespace_validate },
    { .group = "", .version = "v1", .kind = "Node",
      .default_ = yl_core_node_default,
      .prepare = yl_core_node_prepare,
      .validate = yl_core_node_validate },
    { .group = "", .version = "v1", .kind = "PersistentVolume",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "", .version = "v1", .kind = "PersistentVolumeClaim",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "", .version = "v1", .kind = "Event",
      .namespaced = true,
      .flags = YL_BUILTIN_CREATE_ON_UPDATE,
      .validate = yl_core_event_validate },
    { .group = "events.k8s.io", .version = "v1", .kind = "Event",
      .namespaced = true,
      .flags = YL_BUILTIN_CREATE_ON_UPDATE,
      .validate = yl_event_validate },
    { .group = "coordination.k8s.io", .version = "v1", .kind = "Lease",
      .namespaced = true,
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_CONDITIONAL_ONLY,
      .prepare = yl_lease_prepare,
      .validate = yl_lease_validate },
    { .group = "apiextensions.k8s.io", .version = "v1",
      .kind = "CustomResourceDefinition",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION
               | YL_BUILTIN_CONDITIONAL_ONLY,
      .default_ = yl_crd_default,
      .prepare = yl_crd_prepare,
      .validate = yl_crd_validate },
    { .group = "apiregistration.k8s.io", .version = "v1", .kind = "APIService",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_UNVALIDATED },
    { .group = "admissionregistration.k8s.io", .version = "v1",
      .kind = "MutatingWebhookConfiguration",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_UNVALIDATED },
    { .group = "admissionregistration.k8s.io", .version = "v1",
      .kind = "ValidatingWebhookConfiguration",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_UNVALIDATED },
    { .group = "admissionregistration.k8s.io", .version = "v1",
      .kind = "MutatingAdmissionPolicy",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_UNVALIDATED },
    { .group = "admissionregistration.k8s.io", .version = "v1",
      .kind = "MutatingAdmissionPolicyBinding",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_UNVALIDATED },
    { .group = "admissionregistration.k8s.io", .version = "v1",
      .kind = "ValidatingAdmissionPolicy",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION
               | YL_BUILTIN_CONDITIONAL_ONLY | YL_BUILTIN_UNVALIDATED },
    { .group = "admissionregistration.k8s.io", .version = "v1",
      .kind = "ValidatingAdmissionPolicyBinding",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_UNVALIDATED },
    { .group = "autoscaling", .version = "v2",
      .kind = "HorizontalPodAutoscaler",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_UNVALIDATED },
    { .group = "certificates.k8s.io", .version = "v1",
      .kind = "CertificateSigningRequest",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_UNVALIDATED },
    { .group = "flowcontrol.apiserver.k8s.io", .version = "v1",
      .kind = "FlowSchema",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION
               | YL_BUILTIN_UNVALIDATED },
    { .group = "flowcontrol.apiserver.k8s.io", .version = "v1",
      .kind = "PriorityLevelConfiguration",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION
               | YL_BUILTIN_UNVALIDATED },
    { .group = "networking.k8s.io", .version = "v1", .kind = "Ingress",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION
               | YL_BUILTIN_UNVALIDATED },
    { .group = "networking.k8s.io", .version = "v1", .kind = "IngressClass",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_UNVALIDATED },
    { .group = "networking.k8s.io", .version = "v1", .kind = "NetworkPolicy",
      .namespaced = true,
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_UNVALIDATED },
    { .group = "networking.k8s.io", .version = "v1", .kind = "IPAddress",
      .flags = YL_BUILTIN_UNVALIDATED },
    { .group = "networking.k8s.io", .version = "v1", .kind = "ServiceCIDR",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_UNVALIDATED },
    { .group = "node.k8s.io", .version = "v1", .kind = "RuntimeClass",
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_UNVALIDATED },
    { .group = "policy", .version = "v1", .kind = "PodDisruptionBudget",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_GENERATION
               | YL_BUILTIN_CONDITIONAL_ONLY | YL_BUILTIN_UNVALIDATED },
    { .group = "rbac.authorization.k8s.io", .version = "v1", .kind = "Role",
      .namespaced = true,
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_UNVALIDATED },
    { .group = "rbac.authorization.k8s.io", .version = "v1",
      .kind = "RoleBinding",
      .namespaced = true,
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_UNVALIDATED },
    { .group = "rbac.authorization.k8s.io", .version = "v1",
      .kind = "ClusterRole",
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_UNVALIDATED },
    { .group = "rbac.authorization.k8s.io", .version = "v1",
      .kind = "ClusterRoleBinding",
      .flags = YL_BUILTIN_CREATE_ON_UPDATE | YL_BUILTIN_UNVALIDATED },
    { .group = "resource.k8s.io", .version = "v1", .kind = "DeviceClass",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "resource.k8s.io", .version = "v1", .kind = "ResourceClaim",
      .namespaced = true,
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "resource.k8s.io", .version = "v1",
      .kind = "ResourceClaimTemplate",
      .namespaced = true,
      .flags = YL_BUILTIN_DELETE_RETURNS_OBJECT | YL_BUILTIN_UNVALIDATED },
    { .group = "resource.k8s.io", .version = "v1", .kind = "ResourceSlice",
      .flags = YL_BUILTIN_GENERATION | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "scheduling.k8s.io", .version = "v1", .kind = "PriorityClass",
      .flags = YL_BUILTIN_UNVALIDATED },
    { .group = "storage.k8s.io", .version = "v1", .kind = "StorageClass",
      .flags = YL_BUILTIN_DELETE_RETURNS_OBJECT | YL_BUILTIN_UNVALIDATED },
    { .group = "storage.k8s.io", .version = "v1", .kind = "VolumeAttachment",
      .flags = YL_BUILTIN_STATUS | YL_BUILTIN_CONDITIONAL_ONLY
               | YL_BUILTIN_DELETE_RETURNS_OBJECT | YL_BUILTIN_UNVALIDATED },
    { .group = "storage.k8s.io", .version = "v1",
      .kind = "VolumeAttributesClass",
      .flags = YL_BUILTIN_DELETE_RETURNS_OBJECT | YL_BUILTIN_UNVALIDATED },
    { .group = "storage.k8s.io", .version = "v1", .kind = "CSIDriver",
      .flags = YL_BUILTIN_CONDITIONAL_ONLY | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "storage.k8s.io", .version = "v1", .kind = "CSINode",
      .flags = YL_BUILTIN_CONDITIONAL_ONLY | YL_BUILTIN_DELETE_RETURNS_OBJECT
               | YL_BUILTIN_UNVALIDATED },
    { .group = "storage.k8s.io", .version = "v1", .kind = "CSIStorageCapacity",
      .namespaced = true,
      .flags = YL_BUILTIN_CONDITIONAL_ONLY | YL_BUILTIN_UNVALIDATED },
};

const struct yl_builtin *
yl_builtin_find(struct yl_str group, struct yl_str version,
                struct yl_str kind)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(kinds); i++) {
        if (yl_str_equal_c(kind, kinds[i].kind)
            && yl_str_equal_c(group, kinds[i].group)
            && yl_str_equal_c(version, kinds[i].version)) {
            return &kinds[i];
        }
    }
    return NULL;
}

const struct yl_builtin *
yl_builtin_all(size_t *ret_n)
{
    *ret_n = YL_ARRAY_SIZE(kinds);
    return kinds;
}
