#ifndef APPS_V1_TYPES_H
#define APPS_V1_TYPES_H 1

/* Types of apps/v1, which yuloh-gen reads. */

// +groupName=apps
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.apps.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

// +genclient
// +genclient:noStatus
struct apps_v1_controller_revision {
    struct yl_object_meta metadata; // +protobuf=1
    // +schema={"$ref":"io.k8s.apimachinery.pkg.runtime.RawExtension","type":"object"}
    struct yl_raw data; // +protobuf=2
    // +required
    int64_t revision; // +protobuf=3
};

struct apps_v1_rolling_update_daemon_set {
    // +internal:value
    const struct yl_int_or_string *max_unavailable; // +protobuf=1
    const struct yl_int_or_string *max_surge; // +protobuf=2 +internal:value
};

struct apps_v1_daemon_set_update_strategy {
    const char *type; // +protobuf=1 +goType=v1.DaemonSetUpdateStrategyType
    // +protobuf=2
    const struct apps_v1_rolling_update_daemon_set *rolling_update;
};

struct apps_v1_daemon_set_spec {
    // +required
    // +json=,always
    const struct yl_label_selector *selector; // +protobuf=1
    // +required
    struct core_v1_pod_template_spec template_; // +protobuf=2
    struct apps_v1_daemon_set_update_strategy update_strategy; // +protobuf=3
    int32_t min_ready_seconds; // +protobuf=4
    const int32_t *revision_history_limit; // +protobuf=6
};

struct apps_v1_daemon_set_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.DaemonSetConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct apps_v1_daemon_set_status {
    // +required
    int32_t current_number_scheduled; // +protobuf=1
    // +required
    int32_t number_misscheduled; // +protobuf=2
    // +required
    int32_t desired_number_scheduled; // +protobuf=3
    // +required
    int32_t number_ready; // +protobuf=4
    int64_t observed_generation; // +protobuf=5
    int32_t updated_number_scheduled; // +protobuf=6
    int32_t number_available; // +protobuf=7
    int32_t number_unavailable; // +protobuf=8
    const int32_t *collision_count; // +protobuf=9
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct apps_v1_daemon_set_condition *conditions; // +protobuf=10
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:shortName=ds,categories=all
// +kubebuilder:subresource:status
struct apps_v1_daemon_set {
    struct yl_object_meta metadata; // +protobuf=1
    struct apps_v1_daemon_set_spec spec; // +protobuf=2
    struct apps_v1_daemon_set_status status; // +protobuf=3
};

struct apps_v1_rolling_update_deployment {
    // +internal:value
    const struct yl_int_or_string *max_unavailable; // +protobuf=1
    const struct yl_int_or_string *max_surge; // +protobuf=2 +internal:value
};

struct apps_v1_deployment_strategy {
    const char *type; // +protobuf=1 +goType=v1.DeploymentStrategyType
    // +protobuf=2
    const struct apps_v1_rolling_update_deployment *rolling_update;
};

struct apps_v1_deployment_spec {
    const int32_t *replicas; // +protobuf=1
    // +required
    // +json=,always
    const struct yl_label_selector *selector; // +protobuf=2
    // +required
    struct core_v1_pod_template_spec template_; // +protobuf=3
    // +patchStrategy=retainKeys
    struct apps_v1_deployment_strategy strategy; // +protobuf=4
    int32_t min_ready_seconds; // +protobuf=5
    const int32_t *revision_history_limit; // +protobuf=6
    bool paused; // +protobuf=7
    const int32_t *progress_deadline_seconds; // +protobuf=9
};

struct apps_v1_deployment_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.DeploymentConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_update_time; // +protobuf=6
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=7
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct apps_v1_deployment_status {
    int64_t observed_generation; // +protobuf=1
    int32_t replicas; // +protobuf=2
    int32_t updated_replicas; // +protobuf=3
    int32_t ready_replicas; // +protobuf=7
    int32_t available_replicas; // +protobuf=4
    int32_t unavailable_replicas; // +protobuf=5
    const int32_t *terminating_replicas; // +protobuf=9
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct apps_v1_deployment_condition *conditions; // +protobuf=6
    size_t n_conditions;
    const int32_t *collision_count; // +protobuf=8
};

// +genclient
// +kubebuilder:resource:shortName=deploy,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
struct apps_v1_deployment {
    struct yl_object_meta metadata; // +protobuf=1
    struct apps_v1_deployment_spec spec; // +protobuf=2
    struct apps_v1_deployment_status status; // +protobuf=3
};

struct apps_v1_replica_set_spec {
    const int32_t *replicas; // +protobuf=1
    int32_t min_ready_seconds; // +protobuf=4
    // +required
    // +json=,always
    const struct yl_label_selector *selector; // +protobuf=2
    struct core_v1_pod_template_spec template_; // +protobuf=3
};

struct apps_v1_replica_set_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.ReplicaSetConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct apps_v1_replica_set_status {
    // +required
    int32_t replicas; // +protobuf=1
    int32_t fully_labeled_replicas; // +protobuf=2
    int32_t ready_replicas; // +protobuf=4
    int32_t available_replicas; // +protobuf=5
    const int32_t *terminating_replicas; // +protobuf=7
    int64_t observed_generation; // +protobuf=3
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct apps_v1_replica_set_condition *conditions; // +protobuf=6
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:shortName=rs,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
struct apps_v1_replica_set {
    struct yl_object_meta metadata; // +protobuf=1
    struct apps_v1_replica_set_spec spec; // +protobuf=2
    struct apps_v1_replica_set_status status; // +protobuf=3
};

struct apps_v1_rolling_update_stateful_set_strategy {
    const int32_t *partition; // +protobuf=1 +internal:value
    const struct yl_int_or_string *max_unavailable; // +protobuf=2
};

struct apps_v1_stateful_set_update_strategy {
    const char *type; // +protobuf=1 +goType=v1.StatefulSetUpdateStrategyType
    // +protobuf=2
    const struct apps_v1_rolling_update_stateful_set_strategy *rolling_update;
};

struct apps_v1_stateful_set_persistent_volume_claim_retention_policy {
    // +goType=v1.PersistentVolumeClaimRetentionPolicyType
    const char *when_deleted; // +protobuf=1
    // +goType=v1.PersistentVolumeClaimRetentionPolicyType
    const char *when_scaled; // +protobuf=2
};

struct apps_v1_stateful_set_ordinals {
    // +json=,always
    int32_t start; // +protobuf=1
};

struct apps_v1_stateful_set_spec {
    const int32_t *replicas; // +protobuf=1
    // +required
    // +json=,always
    const struct yl_label_selector *selector; // +protobuf=2
    // +required
    struct core_v1_pod_template_spec template_; // +protobuf=3
    // +listType=atomic
    // +protobuf=4
    const struct core_v1_persistent_volume_claim *volume_claim_templates;
    size_t n_volume_claim_templates;
    // +json=,always
    const char *service_name; // +protobuf=5
    // +goType=v1.PodManagementPolicyType
    const char *pod_management_policy; // +protobuf=6
    struct apps_v1_stateful_set_update_strategy update_strategy; // +protobuf=7
    const int32_t *revision_history_limit; // +protobuf=8
    int32_t min_ready_seconds; // +protobuf=9
    // +protobuf=10
    const struct apps_v1_stateful_set_persistent_volume_claim_retention_policy
        *persistent_volume_claim_retention_policy;
    const struct apps_v1_stateful_set_ordinals *ordinals; // +protobuf=11
};

struct apps_v1_stateful_set_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.StatefulSetConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct apps_v1_stateful_set_status {
    int64_t observed_generation; // +protobuf=1
    // +required
    int32_t replicas; // +protobuf=2
    int32_t ready_replicas; // +protobuf=3
    int32_t current_replicas; // +protobuf=4
    int32_t updated_replicas; // +protobuf=5
    const char *current_revision; // +protobuf=6
    const char *update_revision; // +protobuf=7
    const int32_t *collision_count; // +protobuf=9
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct apps_v1_stateful_set_condition *conditions; // +protobuf=10
    size_t n_conditions;
    // +json=,always
    int32_t available_replicas; // +protobuf=11
};

// +genclient
// +kubebuilder:resource:shortName=sts,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
struct apps_v1_stateful_set {
    struct yl_object_meta metadata; // +protobuf=1
    struct apps_v1_stateful_set_spec spec; // +protobuf=2
    struct apps_v1_stateful_set_status status; // +protobuf=3
};

#endif /* apps_v1_types.h */
