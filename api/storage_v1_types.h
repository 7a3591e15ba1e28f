#ifndef STORAGE_V1_TYPES_H
#define STORAGE_V1_TYPES_H 1

/* Types of storage.k8s.io/v1, which yuloh-gen reads. */

// +groupName=storage.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.storage.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

struct storage_v1_token_request {
    // +required
    const char *audience; // +protobuf=1
    const int64_t *expiration_seconds; // +protobuf=2
};

// +typeName=CSIDriverSpec
struct storage_v1_csi_driver_spec {
    const bool *attach_required; // +protobuf=1
    const bool *pod_info_on_mount; // +protobuf=2
    // +listType=set
    // +goType=[]v1.VolumeLifecycleMode
    const char *const *volume_lifecycle_modes; // +protobuf=3
    size_t n_volume_lifecycle_modes;
    const bool *storage_capacity; // +protobuf=4
    // +json=,pointer
    const char *fs_group_policy; // +protobuf=5 +goType=v1.FSGroupPolicy
    // +listType=atomic
    const struct storage_v1_token_request *token_requests; // +protobuf=6
    size_t n_token_requests;
    const bool *requires_republish; // +protobuf=7
    const bool *se_linux_mount; // +protobuf=8
    const int64_t *node_allocatable_update_period_seconds; // +protobuf=9
    const bool *service_account_token_in_secrets; // +protobuf=10
    const bool *prevent_pod_scheduling_if_missing; // +protobuf=11
};

// +kind=CSIDriver
// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct storage_v1_csi_driver {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct storage_v1_csi_driver_spec spec; // +protobuf=2
};

struct storage_v1_volume_node_resources {
    const int32_t *count; // +protobuf=1
};

// +typeName=CSINodeDriver
struct storage_v1_csi_node_driver {
    // +required
    const char *name; // +protobuf=1
    // +required
    // +json=nodeID
    const char *node_id; // +protobuf=2
    // +json=,always
    // +listType=atomic
    const char *const *topology_keys; // +protobuf=3
    size_t n_topology_keys;
    const struct storage_v1_volume_node_resources *allocatable; // +protobuf=4
};

// +typeName=CSINodeSpec
struct storage_v1_csi_node_spec {
    // +required
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct storage_v1_csi_node_driver *drivers; // +protobuf=1
    size_t n_drivers;
};

// +kind=CSINode
// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct storage_v1_csi_node {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct storage_v1_csi_node_spec spec; // +protobuf=2
};

// +kind=CSIStorageCapacity
// +genclient
// +genclient:noStatus
struct storage_v1_csi_storage_capacity {
    struct yl_object_meta metadata; // +protobuf=1
    const struct yl_label_selector *node_topology; // +protobuf=2
    // +required
    const char *storage_class_name; // +protobuf=3
    const struct yl_quantity *capacity; // +protobuf=4
    const struct yl_quantity *maximum_volume_size; // +protobuf=5
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=sc,scope=Cluster
struct storage_v1_storage_class {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    const char *provisioner; // +protobuf=2
    const struct yl_string_pair *parameters; // +protobuf=3
    size_t n_parameters;
    // +json=,pointer
    // +goType=v1.PersistentVolumeReclaimPolicy
    const char *reclaim_policy; // +protobuf=4
    // +listType=atomic
    const char *const *mount_options; // +protobuf=5
    size_t n_mount_options;
    const bool *allow_volume_expansion; // +protobuf=6
    // +json=,pointer
    // +goType=v1.VolumeBindingMode
    const char *volume_binding_mode; // +protobuf=7
    // +listType=atomic
    // +protobuf=8
    const struct core_v1_topology_selector_term *allowed_topologies;
    size_t n_allowed_topologies;
};

struct storage_v1_volume_attachment_source {
    // +json=,pointer
    const char *persistent_volume_name; // +protobuf=1
    // +protobuf=2
    const struct core_v1_persistent_volume_spec *inline_volume_spec;
};

struct storage_v1_volume_attachment_spec {
    // +required
    const char *attacher; // +protobuf=1
    // +required
    struct storage_v1_volume_attachment_source source; // +protobuf=2
    // +required
    const char *node_name; // +protobuf=3
};

struct storage_v1_volume_error {
    // +json=,omitempty
    struct yl_time time; // +protobuf=1
    const char *message; // +protobuf=2
    const int32_t *error_code; // +protobuf=3
};

struct storage_v1_volume_attachment_status {
    // +required
    bool attached; // +protobuf=1
    const struct yl_string_pair *attachment_metadata; // +protobuf=2
    size_t n_attachment_metadata;
    const struct storage_v1_volume_error *attach_error; // +protobuf=3
    const struct storage_v1_volume_error *detach_error; // +protobuf=4
};

// +genclient
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status
struct storage_v1_volume_attachment {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct storage_v1_volume_attachment_spec spec; // +protobuf=2
    struct storage_v1_volume_attachment_status status; // +protobuf=3
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=vac,scope=Cluster
struct storage_v1_volume_attributes_class {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    const char *driver_name; // +protobuf=2
    const struct yl_string_pair *parameters; // +protobuf=3
    size_t n_parameters;
};

#endif /* storage_v1_types.h */
