#ifndef AUTOSCALING_V1_TYPES_H
#define AUTOSCALING_V1_TYPES_H 1

/* Types of autoscaling/v1, which yuloh-gen reads. */

// +groupName=autoscaling
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.autoscaling.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

// +structType=atomic
struct autoscaling_v1_cross_version_object_reference {
    // +required
    const char *kind; // +protobuf=1
    // +required
    const char *name; // +protobuf=2
    const char *api_version; // +protobuf=3
};

struct autoscaling_v1_horizontal_pod_autoscaler_spec {
    // +required
    // +protobuf=1
    struct autoscaling_v1_cross_version_object_reference scale_target_ref;
    const int32_t *min_replicas; // +protobuf=2
    // +required
    int32_t max_replicas; // +protobuf=3
    // +json=targetCPUUtilizationPercentage
    const int32_t *target_cpu_utilization_percentage; // +protobuf=4
};

struct autoscaling_v1_horizontal_pod_autoscaler_status {
    const int64_t *observed_generation; // +protobuf=1
    const struct yl_time *last_scale_time; // +protobuf=2
    // +required
    int32_t current_replicas; // +protobuf=3
    // +required
    int32_t desired_replicas; // +protobuf=4
    // +json=currentCPUUtilizationPercentage
    const int32_t *current_cpu_utilization_percentage; // +protobuf=5
};

// +genclient
// +kubebuilder:resource:shortName=hpa,categories=all
// +kubebuilder:subresource:status
struct autoscaling_v1_horizontal_pod_autoscaler {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +json=,omitempty
    struct autoscaling_v1_horizontal_pod_autoscaler_spec spec; // +protobuf=2
    // +protobuf=3
    struct autoscaling_v1_horizontal_pod_autoscaler_status status;
};

struct autoscaling_v1_scale_spec {
    // +default=0
    int32_t replicas; // +protobuf=1
};

struct autoscaling_v1_scale_status {
    // +required
    int32_t replicas; // +protobuf=1
    const char *selector; // +protobuf=2
};

// +kind=Scale
// +kubebuilder:resource:path=""
struct autoscaling_v1_scale {
    struct yl_object_meta metadata; // +protobuf=1
    struct autoscaling_v1_scale_spec spec; // +protobuf=2
    struct autoscaling_v1_scale_status status; // +protobuf=3
};

#endif /* autoscaling_v1_types.h */
