#ifndef DISCOVERY_V1_TYPES_H
#define DISCOVERY_V1_TYPES_H 1

/* Types of discovery.k8s.io/v1, which yuloh-gen reads. */

// +groupName=discovery.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.discovery.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

struct discovery_v1_endpoint_conditions {
    const bool *ready; // +protobuf=1
    const bool *serving; // +protobuf=2
    const bool *terminating; // +protobuf=3
};

struct discovery_v1_for_zone {
    // +required
    const char *name; // +protobuf=1
};

struct discovery_v1_for_node {
    // +required
    const char *name; // +protobuf=1
};

struct discovery_v1_endpoint_hints {
    // +listType=atomic
    const struct discovery_v1_for_zone *for_zones; // +protobuf=1
    size_t n_for_zones;
    // +listType=atomic
    const struct discovery_v1_for_node *for_nodes; // +protobuf=2
    size_t n_for_nodes;
};

struct discovery_v1_endpoint {
    // +required
    // +listType=set
    const char *const *addresses; // +protobuf=1
    size_t n_addresses;
    struct discovery_v1_endpoint_conditions conditions; // +protobuf=2
    // +json=,pointer
    const char *hostname; // +protobuf=3
    const struct core_v1_object_reference *target_ref; // +protobuf=4
    const struct yl_string_pair *deprecated_topology; // +protobuf=5
    size_t n_deprecated_topology;
    // +json=,pointer
    const char *node_name; // +protobuf=6
    // +json=,pointer
    const char *zone; // +protobuf=7
    const struct discovery_v1_endpoint_hints *hints; // +protobuf=8
};

// +structType=atomic
struct discovery_v1_endpoint_port {
    // +json=,pointer
    const char *name; // +protobuf=1
    // +json=,pointer
    const char *protocol; // +protobuf=2 +goType=v1.Protocol
    const int32_t *port; // +protobuf=3
    // +json=,pointer
    const char *app_protocol; // +protobuf=4
};

// +genclient
// +genclient:noStatus
struct discovery_v1_endpoint_slice {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    const char *address_type; // +protobuf=4 +goType=v1.AddressType
    // +json=,always
    // +listType=atomic
    const struct discovery_v1_endpoint *endpoints; // +protobuf=2
    size_t n_endpoints;
    // +json=,always
    // +listType=atomic
    const struct discovery_v1_endpoint_port *ports; // +protobuf=3
    size_t n_ports;
};

#endif /* discovery_v1_types.h */
