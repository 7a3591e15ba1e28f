#ifndef COORDINATION_V1_TYPES_H
#define COORDINATION_V1_TYPES_H 1

/* Types of coordination.k8s.io/v1, which yuloh-gen reads. */

// +groupName=coordination.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.coordination.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct coordination_v1_lease_spec {
    // +json=,pointer
    const char *holder_identity; // +protobuf=1
    const int32_t *lease_duration_seconds; // +protobuf=2
    const struct yl_micro_time *acquire_time; // +protobuf=3
    const struct yl_micro_time *renew_time; // +protobuf=4
    const int32_t *lease_transitions; // +protobuf=5
    // +json=,pointer
    const char *strategy; // +protobuf=6 +goType=v1.CoordinatedLeaseStrategy
    // +json=,pointer
    const char *preferred_holder; // +protobuf=7
};

// +genclient
// +genclient:noStatus
struct coordination_v1_lease {
    struct yl_object_meta metadata; // +protobuf=1
    struct coordination_v1_lease_spec spec; // +protobuf=2
};

#endif /* coordination_v1_types.h */
