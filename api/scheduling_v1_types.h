#ifndef SCHEDULING_V1_TYPES_H
#define SCHEDULING_V1_TYPES_H 1

/* Types of scheduling.k8s.io/v1, which yuloh-gen reads. */

// +groupName=scheduling.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.scheduling.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=pc,scope=Cluster
struct scheduling_v1_priority_class {
    struct yl_object_meta metadata; // +protobuf=1
    // +json=,always
    int32_t value; // +protobuf=2
    bool global_default; // +protobuf=3
    const char *description; // +protobuf=4
    // +json=,pointer
    const char *preemption_policy; // +protobuf=5 +goType=v1.PreemptionPolicy
};

#endif /* scheduling_v1_types.h */
