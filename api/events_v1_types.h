#ifndef EVENTS_V1_TYPES_H
#define EVENTS_V1_TYPES_H 1

/* Types of events.k8s.io/v1, which yuloh-gen reads. */

// +groupName=events.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.events.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

struct events_v1_event_series {
    // +required
    int32_t count; // +protobuf=1
    // +required
    struct yl_micro_time last_observed_time; // +protobuf=2
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=ev
struct events_v1_event {
    // +json=,always
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct yl_micro_time event_time; // +protobuf=2
    const struct events_v1_event_series *series; // +protobuf=3
    const char *reporting_controller; // +protobuf=4
    const char *reporting_instance; // +protobuf=5
    const char *action; // +protobuf=6
    const char *reason; // +protobuf=7
    struct core_v1_object_reference regarding; // +protobuf=8
    const struct core_v1_object_reference *related; // +protobuf=9
    const char *note; // +protobuf=10
    const char *type; // +protobuf=11
    struct core_v1_event_source deprecated_source; // +protobuf=12
    // +json=,omitempty
    struct yl_time deprecated_first_timestamp; // +protobuf=13
    // +json=,omitempty
    struct yl_time deprecated_last_timestamp; // +protobuf=14
    int32_t deprecated_count; // +protobuf=15
};

#endif /* events_v1_types.h */
