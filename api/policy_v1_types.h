#ifndef POLICY_V1_TYPES_H
#define POLICY_V1_TYPES_H 1

/* Types of policy/v1, which yuloh-gen reads. */

// +groupName=policy
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.policy.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

// +kind=Eviction
// +kubebuilder:resource:path=""
struct policy_v1_eviction {
    struct yl_object_meta metadata; // +protobuf=1
    const struct yl_delete_options *delete_options; // +protobuf=2
};

struct policy_v1_pod_disruption_budget_spec {
    const struct yl_int_or_string *min_available; // +protobuf=1
    // +patchStrategy=replace
    const struct yl_label_selector *selector; // +protobuf=2
    const struct yl_int_or_string *max_unavailable; // +protobuf=3
    // +json=,pointer
    // +goType=v1.UnhealthyPodEvictionPolicyType
    const char *unhealthy_pod_eviction_policy; // +protobuf=4
};

struct policy_v1_pod_disruption_budget_status {
    int64_t observed_generation; // +protobuf=1
    const struct yl_time_pair *disrupted_pods; // +protobuf=2
    size_t n_disrupted_pods;
    // +json=,always
    int32_t disruptions_allowed; // +protobuf=3
    // +json=,always
    int32_t current_healthy; // +protobuf=4
    // +json=,always
    int32_t desired_healthy; // +protobuf=5
    // +json=,always
    int32_t expected_pods; // +protobuf=6
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct yl_meta_condition *conditions; // +protobuf=7
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:shortName=pdb
// +kubebuilder:subresource:status
struct policy_v1_pod_disruption_budget {
    struct yl_object_meta metadata; // +protobuf=1
    struct policy_v1_pod_disruption_budget_spec spec; // +protobuf=2
    struct policy_v1_pod_disruption_budget_status status; // +protobuf=3
};

#endif /* policy_v1_types.h */
