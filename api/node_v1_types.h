#ifndef NODE_V1_TYPES_H
#define NODE_V1_TYPES_H 1

/* Types of node.k8s.io/v1, which yuloh-gen reads. */

// +groupName=node.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.node.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

struct node_v1_overhead {
    const struct yl_quantity_pair *pod_fixed; // +protobuf=1
    size_t n_pod_fixed;
};

struct node_v1_scheduling {
    // +mapType=atomic
    const struct yl_string_pair *node_selector; // +protobuf=1
    size_t n_node_selector;
    // +listType=atomic
    const struct core_v1_toleration *tolerations; // +protobuf=2
    size_t n_tolerations;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct node_v1_runtime_class {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    const char *handler; // +protobuf=2
    const struct node_v1_overhead *overhead; // +protobuf=3
    const struct node_v1_scheduling *scheduling; // +protobuf=4
};

#endif /* node_v1_types.h */
