#ifndef RESOURCE_V1_TYPES_H
#define RESOURCE_V1_TYPES_H 1

/* Types of resource.k8s.io/v1, which yuloh-gen reads. */

// +groupName=resource.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.resource.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

// +typeName=CELDeviceSelector
struct resource_v1_cel_device_selector {
    // +required
    const char *expression; // +protobuf=1
};

struct resource_v1_device_selector {
    const struct resource_v1_cel_device_selector *cel; // +protobuf=1
};

struct resource_v1_opaque_device_configuration {
    // +required
    const char *driver; // +protobuf=1
    // +required
    // +schema={"$ref":"io.k8s.apimachinery.pkg.runtime.RawExtension","type":"object"}
    struct yl_raw parameters; // +protobuf=2
};

// +embeds:name=DeviceConfiguration,protobuf=1,first=opaque,last=opaque
struct resource_v1_device_class_configuration {
    // +protobuf=1
    const struct resource_v1_opaque_device_configuration *opaque;
};

struct resource_v1_device_class_spec {
    // +listType=atomic
    const struct resource_v1_device_selector *selectors; // +protobuf=1
    size_t n_selectors;
    // +listType=atomic
    const struct resource_v1_device_class_configuration *config; // +protobuf=2
    size_t n_config;
    // +json=,pointer
    const char *extended_resource_name; // +protobuf=4
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct resource_v1_device_class {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct resource_v1_device_class_spec spec; // +protobuf=2
};

struct resource_v1_device_toleration {
    const char *key; // +protobuf=1
    // +default="Equal"
    const char *operator_; // +protobuf=2 +goType=v1.DeviceTolerationOperator
    const char *value; // +protobuf=3
    const char *effect; // +protobuf=4 +goType=v1.DeviceTaintEffect
    const int64_t *toleration_seconds; // +protobuf=5
};

struct resource_v1_capacity_requirements {
    // +goType=map[v1.QualifiedName]resource.Quantity
    const struct yl_quantity_pair *requests; // +protobuf=1
    size_t n_requests;
};

struct resource_v1_exact_device_request {
    // +required
    const char *device_class_name; // +protobuf=1
    // +listType=atomic
    const struct resource_v1_device_selector *selectors; // +protobuf=2
    size_t n_selectors;
    const char *allocation_mode; // +protobuf=3 +goType=v1.DeviceAllocationMode
    int64_t count; // +protobuf=4
    const bool *admin_access; // +protobuf=5
    // +listType=atomic
    const struct resource_v1_device_toleration *tolerations; // +protobuf=6
    size_t n_tolerations;
    const struct resource_v1_capacity_requirements *capacity; // +protobuf=7
};

struct resource_v1_device_sub_request {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *device_class_name; // +protobuf=2
    // +listType=atomic
    const struct resource_v1_device_selector *selectors; // +protobuf=3
    size_t n_selectors;
    const char *allocation_mode; // +protobuf=4 +goType=v1.DeviceAllocationMode
    int64_t count; // +protobuf=5
    // +listType=atomic
    const struct resource_v1_device_toleration *tolerations; // +protobuf=6
    size_t n_tolerations;
    const struct resource_v1_capacity_requirements *capacity; // +protobuf=7
};

struct resource_v1_device_request {
    // +required
    const char *name; // +protobuf=1
    const struct resource_v1_exact_device_request *exactly; // +protobuf=2
    // +listType=atomic
    // +protobuf=3
    const struct resource_v1_device_sub_request *first_available;
    size_t n_first_available;
};

struct resource_v1_device_constraint {
    // +listType=atomic
    const char *const *requests; // +protobuf=1
    size_t n_requests;
    // +json=,pointer
    const char *match_attribute; // +protobuf=2 +goType=v1.FullyQualifiedName
    // +json=,pointer
    // +goType=v1.FullyQualifiedName
    const char *distinct_attribute; // +protobuf=3
};

// +embeds:name=DeviceConfiguration,protobuf=2,first=opaque,last=opaque
struct resource_v1_device_claim_configuration {
    // +listType=atomic
    const char *const *requests; // +protobuf=1
    size_t n_requests;
    // +protobuf=1
    const struct resource_v1_opaque_device_configuration *opaque;
};

struct resource_v1_device_claim {
    // +json=,always
    // +listType=atomic
    const struct resource_v1_device_request *requests; // +protobuf=1
    size_t n_requests;
    // +listType=atomic
    const struct resource_v1_device_constraint *constraints; // +protobuf=2
    size_t n_constraints;
    // +listType=atomic
    const struct resource_v1_device_claim_configuration *config; // +protobuf=3
    size_t n_config;
};

struct resource_v1_resource_claim_spec {
    // +json=,always
    struct resource_v1_device_claim devices; // +protobuf=1
};

struct resource_v1_device_request_allocation_result {
    // +required
    const char *request; // +protobuf=1
    // +required
    const char *driver; // +protobuf=2
    // +required
    const char *pool; // +protobuf=3
    // +required
    const char *device; // +protobuf=4
    const bool *admin_access; // +protobuf=5
    // +listType=atomic
    const struct resource_v1_device_toleration *tolerations; // +protobuf=6
    size_t n_tolerations;
    // +listType=atomic
    const char *const *binding_conditions; // +protobuf=7
    size_t n_binding_conditions;
    // +listType=atomic
    const char *const *binding_failure_conditions; // +protobuf=8
    size_t n_binding_failure_conditions;
    // +json=shareID,pointer
    const char *share_id; // +protobuf=9 +goType=types.UID
    // +goType=map[v1.QualifiedName]resource.Quantity
    const struct yl_quantity_pair *consumed_capacity; // +protobuf=10
    size_t n_consumed_capacity;
};

// +embeds:name=DeviceConfiguration,protobuf=3,first=opaque,last=opaque
struct resource_v1_device_allocation_configuration {
    // +required
    const char *source; // +protobuf=1 +goType=v1.AllocationConfigSource
    // +listType=atomic
    const char *const *requests; // +protobuf=2
    size_t n_requests;
    // +protobuf=1
    const struct resource_v1_opaque_device_configuration *opaque;
};

struct resource_v1_device_allocation_result {
    // +listType=atomic
    // +protobuf=1
    const struct resource_v1_device_request_allocation_result *results;
    size_t n_results;
    // +listType=atomic
    // +protobuf=2
    const struct resource_v1_device_allocation_configuration *config;
    size_t n_config;
};

struct resource_v1_allocation_result {
    struct resource_v1_device_allocation_result devices; // +protobuf=1
    const struct core_v1_node_selector *node_selector; // +protobuf=3
    const struct yl_time *allocation_timestamp; // +protobuf=5
};

struct resource_v1_resource_claim_consumer_reference {
    const char *api_group; // +protobuf=1
    // +required
    const char *resource; // +protobuf=3
    // +required
    const char *name; // +protobuf=4
    // +required
    const char *uid; // +protobuf=5 +goType=types.UID
};

struct resource_v1_network_device_data {
    const char *interface_name; // +protobuf=1
    // +listType=atomic
    const char *const *ips; // +protobuf=2
    size_t n_ips;
    const char *hardware_address; // +protobuf=3
};

struct resource_v1_allocated_device_status {
    // +required
    const char *driver; // +protobuf=1
    // +required
    const char *pool; // +protobuf=2
    // +required
    const char *device; // +protobuf=3
    // +json=shareID,pointer
    const char *share_id; // +protobuf=7
    // +json=,always
    // +listType=map
    // +listMapKey=type
    const struct yl_meta_condition *conditions; // +protobuf=4
    size_t n_conditions;
    // +json=,omitzero
    // +schema={"$ref":"io.k8s.apimachinery.pkg.runtime.RawExtension","type":"object"}
    struct yl_raw data; // +protobuf=5
    const struct resource_v1_network_device_data *network_data; // +protobuf=6
};

struct resource_v1_resource_claim_status {
    const struct resource_v1_allocation_result *allocation; // +protobuf=1
    // +patchStrategy=merge
    // +patchMergeKey=uid
    // +listType=map
    // +listMapKey=uid
    // +protobuf=2
    const struct resource_v1_resource_claim_consumer_reference *reserved_for;
    size_t n_reserved_for;
    // +listType=map
    // +listMapKey=driver
    // +listMapKey=device
    // +listMapKey=pool
    // +listMapKey=shareID
    const struct resource_v1_allocated_device_status *devices; // +protobuf=4
    size_t n_devices;
};

// +genclient
// +kubebuilder:subresource:status
struct resource_v1_resource_claim {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct resource_v1_resource_claim_spec spec; // +protobuf=2
    struct resource_v1_resource_claim_status status; // +protobuf=3
};

struct resource_v1_resource_claim_template_spec {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct resource_v1_resource_claim_spec spec; // +protobuf=2
};

// +genclient
// +genclient:noStatus
struct resource_v1_resource_claim_template {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct resource_v1_resource_claim_template_spec spec; // +protobuf=2
};

struct resource_v1_resource_pool {
    // +required
    const char *name; // +protobuf=1
    // +required
    int64_t generation; // +protobuf=2
    // +required
    int64_t resource_slice_count; // +protobuf=3
};

struct resource_v1_device_attribute {
    const int64_t *int_; // +protobuf=2 +internal:name=IntValue
    const bool *bool_; // +protobuf=3 +internal:name=BoolValue
    // +json=,pointer
    const char *string; // +protobuf=4 +internal:name=StringValue
    // +json=,pointer
    const char *version; // +protobuf=5 +internal:name=VersionValue
    // +listType=atomic
    const int64_t *ints; // +protobuf=6
    size_t n_ints;
    // +listType=atomic
    const bool *bools; // +protobuf=7
    size_t n_bools;
    // +listType=atomic
    const char *const *strings; // +protobuf=8
    size_t n_strings;
    // +listType=atomic
    const char *const *versions; // +protobuf=9
    size_t n_versions;
};

struct resource_v1_capacity_request_policy_range {
    // +required
    const struct yl_quantity *min; // +protobuf=1
    const struct yl_quantity *max; // +protobuf=2
    const struct yl_quantity *step; // +protobuf=3
};

struct resource_v1_capacity_request_policy {
    // +json=,always
    const struct yl_quantity *default_; // +protobuf=1
    // +listType=atomic
    const struct yl_quantity *valid_values; // +protobuf=3
    size_t n_valid_values;
    // +protobuf=4
    const struct resource_v1_capacity_request_policy_range *valid_range;
};

struct resource_v1_device_capacity {
    // +required
    struct yl_quantity value; // +protobuf=1
    // +protobuf=2
    const struct resource_v1_capacity_request_policy *request_policy;
};

struct resource_v1_counter {
    // +required
    struct yl_quantity value; // +protobuf=1
};

struct resource_v1_device_counter_consumption {
    // +required
    const char *counter_set; // +protobuf=1
    // +required
    // +json=,omitempty
    const struct yl_pair_of_resource_v1_counter *counters; // +protobuf=2
    size_t n_counters;
};

struct resource_v1_device_taint {
    // +required
    const char *key; // +protobuf=1
    const char *value; // +protobuf=2
    // +required
    const char *effect; // +protobuf=3 +goType=v1.DeviceTaintEffect
    const struct yl_time *time_added; // +protobuf=4
};

struct resource_v1_node_allocatable_resource_mapping {
    // +json=,pointer
    const char *capacity_key; // +protobuf=1 +goType=v1.QualifiedName
    const struct yl_quantity *allocation_multiplier; // +protobuf=2
};

struct resource_v1_device {
    // +required
    const char *name; // +protobuf=1
    // +protobuf=2
    // +goType=map[v1.QualifiedName]v1.DeviceAttribute
    const struct yl_pair_of_resource_v1_device_attribute *attributes;
    size_t n_attributes;
    // +protobuf=3
    // +goType=map[v1.QualifiedName]v1.DeviceCapacity
    const struct yl_pair_of_resource_v1_device_capacity *capacity;
    size_t n_capacity;
    // +listType=atomic
    // +protobuf=4
    const struct resource_v1_device_counter_consumption *consumes_counters;
    size_t n_consumes_counters;
    // +json=,pointer
    const char *node_name; // +protobuf=5
    const struct core_v1_node_selector *node_selector; // +protobuf=6
    const bool *all_nodes; // +protobuf=7
    // +listType=atomic
    const struct resource_v1_device_taint *taints; // +protobuf=8
    size_t n_taints;
    const bool *binds_to_node; // +protobuf=9
    // +listType=atomic
    const char *const *binding_conditions; // +protobuf=10
    size_t n_binding_conditions;
    // +listType=atomic
    const char *const *binding_failure_conditions; // +protobuf=11
    size_t n_binding_failure_conditions;
    const bool *allow_multiple_allocations; // +protobuf=12
    // +protobuf=13
    // +goType=map[v1.ResourceName]v1.NodeAllocatableResourceMapping
    const struct yl_pair_of_resource_v1_node_allocatable_resource_mapping
        *node_allocatable_resource_mappings;
    size_t n_node_allocatable_resource_mappings;
};

struct resource_v1_counter_set {
    // +required
    const char *name; // +protobuf=1
    // +required
    // +json=,omitempty
    const struct yl_pair_of_resource_v1_counter *counters; // +protobuf=2
    size_t n_counters;
};

struct resource_v1_resource_slice_spec {
    // +required
    const char *driver; // +protobuf=1
    // +required
    struct resource_v1_resource_pool pool; // +protobuf=2
    // +json=,pointer
    const char *node_name; // +protobuf=3
    const struct core_v1_node_selector *node_selector; // +protobuf=4
    const bool *all_nodes; // +protobuf=5
    // +listType=atomic
    const struct resource_v1_device *devices; // +protobuf=6
    size_t n_devices;
    const bool *per_device_node_selection; // +protobuf=7
    // +listType=atomic
    const struct resource_v1_counter_set *shared_counters; // +protobuf=8
    size_t n_shared_counters;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct resource_v1_resource_slice {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct resource_v1_resource_slice_spec spec; // +protobuf=2
};

#endif /* resource_v1_types.h */
