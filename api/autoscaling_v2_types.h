#ifndef AUTOSCALING_V2_TYPES_H
#define AUTOSCALING_V2_TYPES_H 1

/* Types of autoscaling/v2, which yuloh-gen reads. */

// +groupName=autoscaling
// +version=v2
// +k8s:openapi-model-package=io.k8s.api.autoscaling.v2
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct autoscaling_v2_cross_version_object_reference {
    // +required
    const char *kind; // +protobuf=1
    // +required
    const char *name; // +protobuf=2
    const char *api_version; // +protobuf=3
};

struct autoscaling_v2_metric_target {
    // +required
    const char *type; // +protobuf=1 +goType=v2.MetricTargetType
    const struct yl_quantity *value; // +protobuf=2
    const struct yl_quantity *average_value; // +protobuf=3
    const int32_t *average_utilization; // +protobuf=4
};

struct autoscaling_v2_metric_identifier {
    // +required
    const char *name; // +protobuf=1
    const struct yl_label_selector *selector; // +protobuf=2
};

struct autoscaling_v2_object_metric_source {
    // +required
    // +protobuf=1
    struct autoscaling_v2_cross_version_object_reference described_object;
    // +required
    struct autoscaling_v2_metric_target target; // +protobuf=2
    // +required
    struct autoscaling_v2_metric_identifier metric; // +protobuf=3
};

struct autoscaling_v2_pods_metric_source {
    // +required
    struct autoscaling_v2_metric_identifier metric; // +protobuf=1
    // +required
    struct autoscaling_v2_metric_target target; // +protobuf=2
};

struct autoscaling_v2_resource_metric_source {
    // +required
    const char *name; // +protobuf=1 +goType=v1.ResourceName
    // +required
    struct autoscaling_v2_metric_target target; // +protobuf=2
};

struct autoscaling_v2_container_resource_metric_source {
    // +required
    const char *name; // +protobuf=1 +goType=v1.ResourceName
    // +required
    struct autoscaling_v2_metric_target target; // +protobuf=2
    // +required
    const char *container; // +protobuf=3
};

struct autoscaling_v2_external_metric_source {
    // +required
    struct autoscaling_v2_metric_identifier metric; // +protobuf=1
    // +required
    struct autoscaling_v2_metric_target target; // +protobuf=2
};

struct autoscaling_v2_metric_spec {
    // +required
    const char *type; // +protobuf=1 +goType=v2.MetricSourceType
    const struct autoscaling_v2_object_metric_source *object; // +protobuf=2
    const struct autoscaling_v2_pods_metric_source *pods; // +protobuf=3
    // +protobuf=4
    const struct autoscaling_v2_resource_metric_source *resource;
    // +protobuf=7
    const struct autoscaling_v2_container_resource_metric_source
        *container_resource;
    // +protobuf=5
    const struct autoscaling_v2_external_metric_source *external;
};

// +typeName=HPAScalingPolicy
struct autoscaling_v2_hpa_scaling_policy {
    // +required
    const char *type; // +protobuf=1 +goType=v2.HPAScalingPolicyType
    // +required
    int32_t value; // +protobuf=2
    // +required
    int32_t period_seconds; // +protobuf=3
};

// +typeName=HPAScalingRules
struct autoscaling_v2_hpa_scaling_rules {
    const int32_t *stabilization_window_seconds; // +protobuf=3
    // +json=,pointer
    const char *select_policy; // +protobuf=1 +goType=v2.ScalingPolicySelect
    // +listType=atomic
    const struct autoscaling_v2_hpa_scaling_policy *policies; // +protobuf=2
    size_t n_policies;
    const struct yl_quantity *tolerance; // +protobuf=4
};

struct autoscaling_v2_horizontal_pod_autoscaler_behavior {
    const struct autoscaling_v2_hpa_scaling_rules *scale_up; // +protobuf=1
    const struct autoscaling_v2_hpa_scaling_rules *scale_down; // +protobuf=2
};

struct autoscaling_v2_horizontal_pod_autoscaler_spec {
    // +required
    // +protobuf=1
    struct autoscaling_v2_cross_version_object_reference scale_target_ref;
    const int32_t *min_replicas; // +protobuf=2
    // +required
    int32_t max_replicas; // +protobuf=3
    // +listType=atomic
    const struct autoscaling_v2_metric_spec *metrics; // +protobuf=4
    size_t n_metrics;
    // +protobuf=5
    const struct autoscaling_v2_horizontal_pod_autoscaler_behavior *behavior;
};

struct autoscaling_v2_metric_value_status {
    const struct yl_quantity *value; // +protobuf=1
    const struct yl_quantity *average_value; // +protobuf=2
    const int32_t *average_utilization; // +protobuf=3
};

struct autoscaling_v2_object_metric_status {
    // +required
    struct autoscaling_v2_metric_identifier metric; // +protobuf=1
    // +required
    struct autoscaling_v2_metric_value_status current; // +protobuf=2
    // +required
    // +protobuf=3
    struct autoscaling_v2_cross_version_object_reference described_object;
};

struct autoscaling_v2_pods_metric_status {
    // +required
    struct autoscaling_v2_metric_identifier metric; // +protobuf=1
    // +required
    struct autoscaling_v2_metric_value_status current; // +protobuf=2
};

struct autoscaling_v2_resource_metric_status {
    // +required
    const char *name; // +protobuf=1 +goType=v1.ResourceName
    // +required
    struct autoscaling_v2_metric_value_status current; // +protobuf=2
};

struct autoscaling_v2_container_resource_metric_status {
    // +required
    const char *name; // +protobuf=1 +goType=v1.ResourceName
    // +required
    struct autoscaling_v2_metric_value_status current; // +protobuf=2
    // +required
    const char *container; // +protobuf=3
};

struct autoscaling_v2_external_metric_status {
    // +required
    struct autoscaling_v2_metric_identifier metric; // +protobuf=1
    // +required
    struct autoscaling_v2_metric_value_status current; // +protobuf=2
};

struct autoscaling_v2_metric_status {
    // +required
    const char *type; // +protobuf=1 +goType=v2.MetricSourceType
    const struct autoscaling_v2_object_metric_status *object; // +protobuf=2
    const struct autoscaling_v2_pods_metric_status *pods; // +protobuf=3
    // +protobuf=4
    const struct autoscaling_v2_resource_metric_status *resource;
    // +protobuf=7
    const struct autoscaling_v2_container_resource_metric_status
        *container_resource;
    // +protobuf=5
    const struct autoscaling_v2_external_metric_status *external;
};

struct autoscaling_v2_horizontal_pod_autoscaler_condition {
    // +required
    // +goType=v2.HorizontalPodAutoscalerConditionType
    const char *type; // +protobuf=1
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct autoscaling_v2_horizontal_pod_autoscaler_status {
    const int64_t *observed_generation; // +protobuf=1
    const struct yl_time *last_scale_time; // +protobuf=2
    int32_t current_replicas; // +protobuf=3
    // +required
    int32_t desired_replicas; // +protobuf=4
    // +json=,always
    // +listType=atomic
    const struct autoscaling_v2_metric_status *current_metrics; // +protobuf=5
    size_t n_current_metrics;
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    // +protobuf=6
    const struct autoscaling_v2_horizontal_pod_autoscaler_condition
        *conditions;
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:shortName=hpa,categories=all
// +kubebuilder:subresource:status
struct autoscaling_v2_horizontal_pod_autoscaler {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +json=,omitempty
    struct autoscaling_v2_horizontal_pod_autoscaler_spec spec; // +protobuf=2
    // +protobuf=3
    struct autoscaling_v2_horizontal_pod_autoscaler_status status;
};

#endif /* autoscaling_v2_types.h */
