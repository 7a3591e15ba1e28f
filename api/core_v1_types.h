#ifndef CORE_V1_TYPES_H
#define CORE_V1_TYPES_H 1

/* Types of v1, which yuloh-gen reads. */

// +groupName=
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.core.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

// +structType=atomic
struct core_v1_object_reference {
    const char *kind; // +protobuf=1
    const char *namespace_; // +protobuf=2
    const char *name; // +protobuf=3
    const char *uid; // +protobuf=4 +goType=types.UID
    const char *api_version; // +protobuf=5
    const char *resource_version; // +protobuf=6
    const char *field_path; // +protobuf=7
};

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
struct core_v1_binding {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct core_v1_object_reference target; // +protobuf=2
};

struct core_v1_component_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.ComponentConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    const char *message; // +protobuf=3
    const char *error; // +protobuf=4
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=cs,scope=Cluster
struct core_v1_component_status {
    struct yl_object_meta metadata; // +protobuf=1
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct core_v1_component_condition *conditions; // +protobuf=2
    size_t n_conditions;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=cm
struct core_v1_config_map {
    struct yl_object_meta metadata; // +protobuf=1
    const bool *immutable; // +protobuf=4
    const struct yl_string_pair *data; // +protobuf=2
    size_t n_data;
    const struct yl_bytes_pair *binary_data; // +protobuf=3
    size_t n_binary_data;
};

// +structType=atomic
struct core_v1_endpoint_address {
    // +required
    const char *ip; // +protobuf=1
    const char *hostname; // +protobuf=3
    // +json=,pointer
    const char *node_name; // +protobuf=4
    const struct core_v1_object_reference *target_ref; // +protobuf=2
};

// +structType=atomic
struct core_v1_endpoint_port {
    const char *name; // +protobuf=1
    // +required
    int32_t port; // +protobuf=2
    const char *protocol; // +protobuf=3 +goType=v1.Protocol
    // +json=,pointer
    const char *app_protocol; // +protobuf=4
};

struct core_v1_endpoint_subset {
    // +listType=atomic
    const struct core_v1_endpoint_address *addresses; // +protobuf=1
    size_t n_addresses;
    // +listType=atomic
    const struct core_v1_endpoint_address *not_ready_addresses; // +protobuf=2
    size_t n_not_ready_addresses;
    // +listType=atomic
    const struct core_v1_endpoint_port *ports; // +protobuf=3
    size_t n_ports;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=ep
struct core_v1_endpoints {
    struct yl_object_meta metadata; // +protobuf=1
    // +listType=atomic
    const struct core_v1_endpoint_subset *subsets; // +protobuf=2
    size_t n_subsets;
};

struct core_v1_event_source {
    const char *component; // +protobuf=1
    const char *host; // +protobuf=2
};

struct core_v1_event_series {
    int32_t count; // +protobuf=1
    // +json=,omitempty
    struct yl_micro_time last_observed_time; // +protobuf=2
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=ev
struct core_v1_event {
    // +required
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct core_v1_object_reference involved_object; // +protobuf=2
    const char *reason; // +protobuf=3
    const char *message; // +protobuf=4
    struct core_v1_event_source source; // +protobuf=5
    // +json=,omitempty
    struct yl_time first_timestamp; // +protobuf=6
    // +json=,omitempty
    struct yl_time last_timestamp; // +protobuf=7
    int32_t count; // +protobuf=8
    const char *type; // +protobuf=9
    // +json=,omitempty
    struct yl_micro_time event_time; // +protobuf=10
    const struct core_v1_event_series *series; // +protobuf=11
    const char *action; // +protobuf=12
    const struct core_v1_object_reference *related; // +protobuf=13
    // +json=,always
    const char *reporting_component; // +protobuf=14
    // +json=,always
    const char *reporting_instance; // +protobuf=15
};

struct core_v1_limit_range_item {
    // +required
    const char *type; // +protobuf=1 +goType=v1.LimitType
    const struct yl_quantity_pair *max; // +protobuf=2
    size_t n_max;
    const struct yl_quantity_pair *min; // +protobuf=3
    size_t n_min;
    const struct yl_quantity_pair *default_; // +protobuf=4
    size_t n_default_;
    const struct yl_quantity_pair *default_request; // +protobuf=5
    size_t n_default_request;
    const struct yl_quantity_pair *max_limit_request_ratio; // +protobuf=6
    size_t n_max_limit_request_ratio;
};

struct core_v1_limit_range_spec {
    // +required
    // +listType=atomic
    const struct core_v1_limit_range_item *limits; // +protobuf=1
    size_t n_limits;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=limits
struct core_v1_limit_range {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_limit_range_spec spec; // +protobuf=2
};

struct core_v1_namespace_spec {
    // +listType=atomic
    const char *const *finalizers; // +protobuf=1 +goType=[]v1.FinalizerName
    size_t n_finalizers;
};

struct core_v1_namespace_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.NamespaceConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=4
    const char *reason; // +protobuf=5
    const char *message; // +protobuf=6
};

struct core_v1_namespace_status {
    const char *phase; // +protobuf=1 +goType=v1.NamespacePhase
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct core_v1_namespace_condition *conditions; // +protobuf=2
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:shortName=ns,scope=Cluster
// +kubebuilder:subresource:status
struct core_v1_namespace_ {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_namespace_spec spec; // +protobuf=2
    struct core_v1_namespace_status status; // +protobuf=3
};

struct core_v1_taint {
    // +required
    const char *key; // +protobuf=1
    const char *value; // +protobuf=2
    // +required
    const char *effect; // +protobuf=3 +goType=v1.TaintEffect
    const struct yl_time *time_added; // +protobuf=4
};

struct core_v1_config_map_node_config_source {
    // +required
    const char *namespace_; // +protobuf=1
    // +required
    const char *name; // +protobuf=2
    const char *uid; // +protobuf=3 +goType=types.UID
    const char *resource_version; // +protobuf=4
    // +required
    const char *kubelet_config_key; // +protobuf=5
};

struct core_v1_node_config_source {
    // +protobuf=2
    const struct core_v1_config_map_node_config_source *config_map;
};

struct core_v1_node_spec {
    // +json=podCIDR
    const char *pod_cidr; // +protobuf=1
    // +json=podCIDRs
    // +patchStrategy=merge
    // +listType=set
    const char *const *pod_cidrs; // +protobuf=7
    size_t n_pod_cidrs;
    // +json=providerID
    const char *provider_id; // +protobuf=3
    bool unschedulable; // +protobuf=4
    // +listType=atomic
    const struct core_v1_taint *taints; // +protobuf=5
    size_t n_taints;
    const struct core_v1_node_config_source *config_source; // +protobuf=6
    // +json=externalID
    const char *external_id; // +protobuf=2
};

struct core_v1_node_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.NodeConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_heartbeat_time; // +protobuf=3
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=4
    const char *reason; // +protobuf=5
    const char *message; // +protobuf=6
};

struct core_v1_node_address {
    // +required
    const char *type; // +protobuf=1 +goType=v1.NodeAddressType
    // +required
    const char *address; // +protobuf=2
};

struct core_v1_daemon_endpoint {
    // +required
    // +json=Port
    int32_t port; // +protobuf=1
};

struct core_v1_node_daemon_endpoints {
    struct core_v1_daemon_endpoint kubelet_endpoint; // +protobuf=1
};

struct core_v1_node_swap_status {
    const int64_t *capacity; // +protobuf=1
};

struct core_v1_node_system_info {
    // +required
    // +json=machineID
    const char *machine_id; // +protobuf=1
    // +required
    // +json=systemUUID
    const char *system_uuid; // +protobuf=2
    // +required
    // +json=bootID
    const char *boot_id; // +protobuf=3
    // +required
    const char *kernel_version; // +protobuf=4
    // +required
    const char *os_image; // +protobuf=5
    // +required
    const char *container_runtime_version; // +protobuf=6
    // +required
    const char *kubelet_version; // +protobuf=7
    // +required
    const char *kube_proxy_version; // +protobuf=8
    // +required
    const char *operating_system; // +protobuf=9
    // +required
    const char *architecture; // +protobuf=10
    const struct core_v1_node_swap_status *swap; // +protobuf=11
};

struct core_v1_container_image {
    // +json=,always
    // +listType=atomic
    const char *const *names; // +protobuf=1
    size_t n_names;
    int64_t size_bytes; // +protobuf=2
};

struct core_v1_attached_volume {
    // +required
    const char *name; // +protobuf=1 +goType=v1.UniqueVolumeName
    // +required
    const char *device_path; // +protobuf=2
};

struct core_v1_node_config_status {
    const struct core_v1_node_config_source *assigned; // +protobuf=1
    const struct core_v1_node_config_source *active; // +protobuf=2
    const struct core_v1_node_config_source *last_known_good; // +protobuf=3
    const char *error; // +protobuf=4
};

struct core_v1_node_runtime_handler_features {
    const bool *recursive_read_only_mounts; // +protobuf=1
    const bool *user_namespaces; // +protobuf=2
};

struct core_v1_node_runtime_handler {
    // +json=,always
    const char *name; // +protobuf=1
    // +protobuf=2
    const struct core_v1_node_runtime_handler_features *features;
};

struct core_v1_node_features {
    const bool *supplemental_groups_policy; // +protobuf=1
};

struct core_v1_node_status {
    const struct yl_quantity_pair *capacity; // +protobuf=1
    size_t n_capacity;
    const struct yl_quantity_pair *allocatable; // +protobuf=2
    size_t n_allocatable;
    const char *phase; // +protobuf=3 +goType=v1.NodePhase
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct core_v1_node_condition *conditions; // +protobuf=4
    size_t n_conditions;
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct core_v1_node_address *addresses; // +protobuf=5
    size_t n_addresses;
    struct core_v1_node_daemon_endpoints daemon_endpoints; // +protobuf=6
    struct core_v1_node_system_info node_info; // +protobuf=7
    // +listType=atomic
    const struct core_v1_container_image *images; // +protobuf=8
    size_t n_images;
    // +listType=atomic
    // +goType=[]v1.UniqueVolumeName
    const char *const *volumes_in_use; // +protobuf=9
    size_t n_volumes_in_use;
    // +listType=atomic
    const struct core_v1_attached_volume *volumes_attached; // +protobuf=10
    size_t n_volumes_attached;
    const struct core_v1_node_config_status *config; // +protobuf=11
    // +listType=atomic
    // +protobuf=12
    const struct core_v1_node_runtime_handler *runtime_handlers;
    size_t n_runtime_handlers;
    const struct core_v1_node_features *features; // +protobuf=13
    // +listType=atomic
    const char *const *declared_features; // +protobuf=14
    size_t n_declared_features;
};

// +genclient
// +kubebuilder:resource:shortName=no,scope=Cluster
// +kubebuilder:subresource:status
struct core_v1_node {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_node_spec spec; // +protobuf=2
    struct core_v1_node_status status; // +protobuf=3
};

// +typeName=GCEPersistentDiskVolumeSource
struct core_v1_gce_persistent_disk_volume_source {
    // +required
    const char *pd_name; // +protobuf=1 +internal:name=PDName
    const char *fs_type; // +protobuf=2
    int32_t partition; // +protobuf=3
    bool read_only; // +protobuf=4
};

// +typeName=AWSElasticBlockStoreVolumeSource
struct core_v1_aws_elastic_block_store_volume_source {
    // +required
    // +json=volumeID
    const char *volume_id; // +protobuf=1
    const char *fs_type; // +protobuf=2
    int32_t partition; // +protobuf=3
    bool read_only; // +protobuf=4
};

struct core_v1_host_path_volume_source {
    // +required
    const char *path; // +protobuf=1
    // +json=,pointer
    const char *type; // +protobuf=2 +goType=v1.HostPathType
};

struct core_v1_glusterfs_persistent_volume_source {
    // +required
    const char *endpoints; // +protobuf=1 +internal:name=EndpointsName
    // +required
    const char *path; // +protobuf=2
    bool read_only; // +protobuf=3
    // +json=,pointer
    const char *endpoints_namespace; // +protobuf=4
};

// +typeName=NFSVolumeSource
struct core_v1_nfs_volume_source {
    // +required
    const char *server; // +protobuf=1
    // +required
    const char *path; // +protobuf=2
    bool read_only; // +protobuf=3
};

// +structType=atomic
struct core_v1_secret_reference {
    const char *name; // +protobuf=1
    const char *namespace_; // +protobuf=2
};

// +typeName=RBDPersistentVolumeSource
struct core_v1_rbd_persistent_volume_source {
    // +required
    // +listType=atomic
    const char *const *monitors; // +protobuf=1 +internal:name=CephMonitors
    size_t n_monitors;
    // +required
    const char *image; // +protobuf=2 +internal:name=RBDImage
    const char *fs_type; // +protobuf=3
    // +default="rbd"
    const char *pool; // +protobuf=4 +internal:name=RBDPool
    // +default="admin"
    const char *user; // +protobuf=5 +internal:name=RadosUser
    // +default="/etc/ceph/keyring"
    const char *keyring; // +protobuf=6
    const struct core_v1_secret_reference *secret_ref; // +protobuf=7
    bool read_only; // +protobuf=8
};

// +typeName=ISCSIPersistentVolumeSource
struct core_v1_iscsi_persistent_volume_source {
    // +required
    const char *target_portal; // +protobuf=1
    // +required
    const char *iqn; // +protobuf=2
    // +required
    int32_t lun; // +protobuf=3
    // +default="default"
    const char *iscsi_interface; // +protobuf=4
    const char *fs_type; // +protobuf=5
    bool read_only; // +protobuf=6
    // +listType=atomic
    const char *const *portals; // +protobuf=7
    size_t n_portals;
    bool chap_auth_discovery; // +protobuf=8 +internal:name=DiscoveryCHAPAuth
    bool chap_auth_session; // +protobuf=11 +internal:name=SessionCHAPAuth
    const struct core_v1_secret_reference *secret_ref; // +protobuf=10
    // +json=,pointer
    const char *initiator_name; // +protobuf=12
};

struct core_v1_cinder_persistent_volume_source {
    // +required
    // +json=volumeID
    const char *volume_id; // +protobuf=1
    const char *fs_type; // +protobuf=2
    bool read_only; // +protobuf=3
    const struct core_v1_secret_reference *secret_ref; // +protobuf=4
};

// +typeName=CephFSPersistentVolumeSource
struct core_v1_ceph_fs_persistent_volume_source {
    // +required
    // +listType=atomic
    const char *const *monitors; // +protobuf=1
    size_t n_monitors;
    const char *path; // +protobuf=2
    const char *user; // +protobuf=3
    const char *secret_file; // +protobuf=4
    const struct core_v1_secret_reference *secret_ref; // +protobuf=5
    bool read_only; // +protobuf=6
};

// +typeName=FCVolumeSource
struct core_v1_fc_volume_source {
    // +json=targetWWNs
    // +listType=atomic
    const char *const *target_wwns; // +protobuf=1
    size_t n_target_wwns;
    const int32_t *lun; // +protobuf=2
    const char *fs_type; // +protobuf=3
    bool read_only; // +protobuf=4
    // +listType=atomic
    const char *const *wwids; // +protobuf=5 +internal:name=WWIDs
    size_t n_wwids;
};

struct core_v1_flocker_volume_source {
    const char *dataset_name; // +protobuf=1
    // +json=datasetUUID
    const char *dataset_uuid; // +protobuf=2
};

struct core_v1_flex_persistent_volume_source {
    // +required
    const char *driver; // +protobuf=1
    const char *fs_type; // +protobuf=2
    const struct core_v1_secret_reference *secret_ref; // +protobuf=3
    bool read_only; // +protobuf=4
    const struct yl_string_pair *options; // +protobuf=5
    size_t n_options;
};

struct core_v1_azure_file_persistent_volume_source {
    // +required
    const char *secret_name; // +protobuf=1
    // +required
    const char *share_name; // +protobuf=2
    bool read_only; // +protobuf=3
    // +json=,pointer,always
    const char *secret_namespace; // +protobuf=4
};

struct core_v1_vsphere_virtual_disk_volume_source {
    // +required
    const char *volume_path; // +protobuf=1
    const char *fs_type; // +protobuf=2
    const char *storage_policy_name; // +protobuf=3
    // +json=storagePolicyID
    const char *storage_policy_id; // +protobuf=4
};

struct core_v1_quobyte_volume_source {
    // +required
    const char *registry; // +protobuf=1
    // +required
    const char *volume; // +protobuf=2
    bool read_only; // +protobuf=3
    const char *user; // +protobuf=4
    const char *group; // +protobuf=5
    const char *tenant; // +protobuf=6
};

struct core_v1_azure_disk_volume_source {
    // +required
    const char *disk_name; // +protobuf=1
    // +required
    // +json=diskURI
    const char *disk_uri; // +protobuf=2 +internal:name=DataDiskURI
    // +json=,pointer
    // +default="ReadWrite"
    // +goType=v1.AzureDataDiskCachingMode
    const char *caching_mode; // +protobuf=3
    // +json=,pointer
    // +default="ext4"
    const char *fs_type; // +protobuf=4
    // +default=false
    const bool *read_only; // +protobuf=5
    // +json=,pointer
    // +default="Shared"
    const char *kind; // +protobuf=6 +goType=v1.AzureDataDiskKind
};

struct core_v1_photon_persistent_disk_volume_source {
    // +required
    // +json=pdID
    const char *pd_id; // +protobuf=1
    const char *fs_type; // +protobuf=2
};

struct core_v1_portworx_volume_source {
    // +required
    // +json=volumeID
    const char *volume_id; // +protobuf=1
    const char *fs_type; // +protobuf=2
    bool read_only; // +protobuf=3
};

// +typeName=ScaleIOPersistentVolumeSource
struct core_v1_scale_io_persistent_volume_source {
    // +required
    const char *gateway; // +protobuf=1
    // +required
    const char *system; // +protobuf=2
    // +required
    // +json=,always
    const struct core_v1_secret_reference *secret_ref; // +protobuf=3
    bool ssl_enabled; // +protobuf=4
    const char *protection_domain; // +protobuf=5
    const char *storage_pool; // +protobuf=6
    // +default="ThinProvisioned"
    const char *storage_mode; // +protobuf=7
    const char *volume_name; // +protobuf=8
    // +default="xfs"
    const char *fs_type; // +protobuf=9
    bool read_only; // +protobuf=10
};

struct core_v1_local_volume_source {
    // +required
    const char *path; // +protobuf=1
    // +json=,pointer
    const char *fs_type; // +protobuf=2
};

// +typeName=StorageOSPersistentVolumeSource
struct core_v1_storage_os_persistent_volume_source {
    const char *volume_name; // +protobuf=1
    const char *volume_namespace; // +protobuf=2
    const char *fs_type; // +protobuf=3
    bool read_only; // +protobuf=4
    const struct core_v1_object_reference *secret_ref; // +protobuf=5
};

// +typeName=CSIPersistentVolumeSource
struct core_v1_csi_persistent_volume_source {
    // +required
    const char *driver; // +protobuf=1
    // +required
    const char *volume_handle; // +protobuf=2
    bool read_only; // +protobuf=3
    const char *fs_type; // +protobuf=4
    const struct yl_string_pair *volume_attributes; // +protobuf=5
    size_t n_volume_attributes;
    // +protobuf=6
    const struct core_v1_secret_reference *controller_publish_secret_ref;
    // +protobuf=7
    const struct core_v1_secret_reference *node_stage_secret_ref;
    // +protobuf=8
    const struct core_v1_secret_reference *node_publish_secret_ref;
    // +protobuf=9
    const struct core_v1_secret_reference *controller_expand_secret_ref;
    // +protobuf=10
    const struct core_v1_secret_reference *node_expand_secret_ref;
};

struct core_v1_node_selector_requirement {
    // +required
    const char *key; // +protobuf=1
    // +required
    const char *operator_; // +protobuf=2 +goType=v1.NodeSelectorOperator
    // +listType=atomic
    const char *const *values; // +protobuf=3
    size_t n_values;
};

// +structType=atomic
struct core_v1_node_selector_term {
    // +listType=atomic
    // +protobuf=1
    const struct core_v1_node_selector_requirement *match_expressions;
    size_t n_match_expressions;
    // +listType=atomic
    // +protobuf=2
    const struct core_v1_node_selector_requirement *match_fields;
    size_t n_match_fields;
};

// +structType=atomic
struct core_v1_node_selector {
    // +required
    // +listType=atomic
    // +protobuf=1
    const struct core_v1_node_selector_term *node_selector_terms;
    size_t n_node_selector_terms;
};

struct core_v1_volume_node_affinity {
    const struct core_v1_node_selector *required; // +protobuf=1
};

// +embeds:name=PersistentVolumeSource,protobuf=2,first=gcePersistentDisk,last=csi
struct core_v1_persistent_volume_spec {
    const struct yl_quantity_pair *capacity; // +protobuf=1
    size_t n_capacity;
    // +protobuf=1
    const struct core_v1_gce_persistent_disk_volume_source
        *gce_persistent_disk;
    // +protobuf=2
    const struct core_v1_aws_elastic_block_store_volume_source
        *aws_elastic_block_store;
    const struct core_v1_host_path_volume_source *host_path; // +protobuf=3
    // +protobuf=4
    const struct core_v1_glusterfs_persistent_volume_source *glusterfs;
    const struct core_v1_nfs_volume_source *nfs; // +protobuf=5
    const struct core_v1_rbd_persistent_volume_source *rbd; // +protobuf=6
    const struct core_v1_iscsi_persistent_volume_source *iscsi; // +protobuf=7
    // +protobuf=8
    const struct core_v1_cinder_persistent_volume_source *cinder;
    // +protobuf=9
    // +internal:name=CephFS
    const struct core_v1_ceph_fs_persistent_volume_source *cephfs;
    const struct core_v1_fc_volume_source *fc; // +protobuf=10
    const struct core_v1_flocker_volume_source *flocker; // +protobuf=11
    // +protobuf=12
    // +internal:after=iscsi
    const struct core_v1_flex_persistent_volume_source *flex_volume;
    // +protobuf=13
    const struct core_v1_azure_file_persistent_volume_source *azure_file;
    // +protobuf=14
    const struct core_v1_vsphere_virtual_disk_volume_source *vsphere_volume;
    // +internal:after=rbd
    const struct core_v1_quobyte_volume_source *quobyte; // +protobuf=15
    const struct core_v1_azure_disk_volume_source *azure_disk; // +protobuf=16
    // +protobuf=17
    const struct core_v1_photon_persistent_disk_volume_source
        *photon_persistent_disk;
    // +protobuf=18
    const struct core_v1_portworx_volume_source *portworx_volume;
    // +json=scaleIO
    // +protobuf=19
    const struct core_v1_scale_io_persistent_volume_source *scale_io;
    const struct core_v1_local_volume_source *local; // +protobuf=20
    // +protobuf=21
    // +internal:name=StorageOS
    const struct core_v1_storage_os_persistent_volume_source *storageos;
    const struct core_v1_csi_persistent_volume_source *csi; // +protobuf=22
    // +listType=atomic
    // +goType=[]v1.PersistentVolumeAccessMode
    const char *const *access_modes; // +protobuf=3
    size_t n_access_modes;
    // +mapType=granular
    const struct core_v1_object_reference *claim_ref; // +protobuf=4
    // +goType=v1.PersistentVolumeReclaimPolicy
    const char *persistent_volume_reclaim_policy; // +protobuf=5
    const char *storage_class_name; // +protobuf=6
    // +listType=atomic
    const char *const *mount_options; // +protobuf=7
    size_t n_mount_options;
    // +json=,pointer
    const char *volume_mode; // +protobuf=8 +goType=v1.PersistentVolumeMode
    const struct core_v1_volume_node_affinity *node_affinity; // +protobuf=9
    // +json=,pointer
    const char *volume_attributes_class_name; // +protobuf=10
};

struct core_v1_persistent_volume_status {
    const char *phase; // +protobuf=1 +goType=v1.PersistentVolumePhase
    const char *message; // +protobuf=2
    const char *reason; // +protobuf=3
    const struct yl_time *last_phase_transition_time; // +protobuf=4
};

// +genclient
// +kubebuilder:resource:shortName=pv,scope=Cluster
// +kubebuilder:subresource:status
struct core_v1_persistent_volume {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_persistent_volume_spec spec; // +protobuf=2
    struct core_v1_persistent_volume_status status; // +protobuf=3
};

struct core_v1_volume_resource_requirements {
    const struct yl_quantity_pair *limits; // +protobuf=1
    size_t n_limits;
    const struct yl_quantity_pair *requests; // +protobuf=2
    size_t n_requests;
};

// +structType=atomic
struct core_v1_typed_local_object_reference {
    // +json=,pointer,always
    const char *api_group; // +protobuf=1
    // +required
    const char *kind; // +protobuf=2
    // +required
    const char *name; // +protobuf=3
};

struct core_v1_typed_object_reference {
    // +json=,pointer,always
    const char *api_group; // +protobuf=1
    // +required
    const char *kind; // +protobuf=2
    // +required
    const char *name; // +protobuf=3
    // +json=,pointer
    const char *namespace_; // +protobuf=4
};

struct core_v1_persistent_volume_claim_spec {
    // +listType=atomic
    // +goType=[]v1.PersistentVolumeAccessMode
    const char *const *access_modes; // +protobuf=1
    size_t n_access_modes;
    const struct yl_label_selector *selector; // +protobuf=4
    struct core_v1_volume_resource_requirements resources; // +protobuf=2
    const char *volume_name; // +protobuf=3
    // +json=,pointer
    const char *storage_class_name; // +protobuf=5
    // +json=,pointer
    const char *volume_mode; // +protobuf=6 +goType=v1.PersistentVolumeMode
    // +protobuf=7
    const struct core_v1_typed_local_object_reference *data_source;
    // +protobuf=8
    const struct core_v1_typed_object_reference *data_source_ref;
    // +json=,pointer
    const char *volume_attributes_class_name; // +protobuf=9
};

struct core_v1_persistent_volume_claim_condition {
    // +required
    // +goType=v1.PersistentVolumeClaimConditionType
    const char *type; // +protobuf=1
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_probe_time; // +protobuf=3
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=4
    const char *reason; // +protobuf=5
    const char *message; // +protobuf=6
};

struct core_v1_modify_volume_status {
    const char *target_volume_attributes_class_name; // +protobuf=1
    // +required
    // +goType=v1.PersistentVolumeClaimModifyVolumeStatus
    const char *status; // +protobuf=2
};

struct core_v1_persistent_volume_claim_status {
    const char *phase; // +protobuf=1 +goType=v1.PersistentVolumeClaimPhase
    // +listType=atomic
    // +goType=[]v1.PersistentVolumeAccessMode
    const char *const *access_modes; // +protobuf=2
    size_t n_access_modes;
    const struct yl_quantity_pair *capacity; // +protobuf=3
    size_t n_capacity;
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    // +protobuf=4
    const struct core_v1_persistent_volume_claim_condition *conditions;
    size_t n_conditions;
    const struct yl_quantity_pair *allocated_resources; // +protobuf=5
    size_t n_allocated_resources;
    // +mapType=granular
    // +goType=map[v1.ResourceName]v1.ClaimResourceStatus
    const struct yl_string_pair *allocated_resource_statuses; // +protobuf=7
    size_t n_allocated_resource_statuses;
    // +json=,pointer
    const char *current_volume_attributes_class_name; // +protobuf=8
    // +protobuf=9
    const struct core_v1_modify_volume_status *modify_volume_status;
};

// +genclient
// +kubebuilder:resource:shortName=pvc
// +kubebuilder:subresource:status
struct core_v1_persistent_volume_claim {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_persistent_volume_claim_spec spec; // +protobuf=2
    struct core_v1_persistent_volume_claim_status status; // +protobuf=3
};

struct core_v1_empty_dir_volume_source {
    const char *medium; // +protobuf=1 +goType=v1.StorageMedium
    const struct yl_quantity *size_limit; // +protobuf=2
};

struct core_v1_git_repo_volume_source {
    // +required
    const char *repository; // +protobuf=1
    const char *revision; // +protobuf=2
    const char *directory; // +protobuf=3
};

struct core_v1_key_to_path {
    // +required
    const char *key; // +protobuf=1
    // +required
    const char *path; // +protobuf=2
    const int32_t *mode; // +protobuf=3
};

struct core_v1_secret_volume_source {
    const char *secret_name; // +protobuf=1
    // +listType=atomic
    const struct core_v1_key_to_path *items; // +protobuf=2
    size_t n_items;
    const int32_t *default_mode; // +protobuf=3
    const bool *optional; // +protobuf=4
};

// +structType=atomic
struct core_v1_local_object_reference {
    // +default=""
    const char *name; // +protobuf=1
};

// +typeName=ISCSIVolumeSource
struct core_v1_iscsi_volume_source {
    // +required
    const char *target_portal; // +protobuf=1
    // +required
    const char *iqn; // +protobuf=2
    // +required
    int32_t lun; // +protobuf=3
    // +default="default"
    const char *iscsi_interface; // +protobuf=4
    const char *fs_type; // +protobuf=5
    bool read_only; // +protobuf=6
    // +listType=atomic
    const char *const *portals; // +protobuf=7
    size_t n_portals;
    bool chap_auth_discovery; // +protobuf=8 +internal:name=DiscoveryCHAPAuth
    bool chap_auth_session; // +protobuf=11 +internal:name=SessionCHAPAuth
    const struct core_v1_local_object_reference *secret_ref; // +protobuf=10
    // +json=,pointer
    const char *initiator_name; // +protobuf=12
};

struct core_v1_glusterfs_volume_source {
    // +required
    const char *endpoints; // +protobuf=1 +internal:name=EndpointsName
    // +required
    const char *path; // +protobuf=2
    bool read_only; // +protobuf=3
};

struct core_v1_persistent_volume_claim_volume_source {
    // +required
    const char *claim_name; // +protobuf=1
    bool read_only; // +protobuf=2
};

// +typeName=RBDVolumeSource
struct core_v1_rbd_volume_source {
    // +required
    // +listType=atomic
    const char *const *monitors; // +protobuf=1 +internal:name=CephMonitors
    size_t n_monitors;
    // +required
    const char *image; // +protobuf=2 +internal:name=RBDImage
    const char *fs_type; // +protobuf=3
    // +default="rbd"
    const char *pool; // +protobuf=4 +internal:name=RBDPool
    // +default="admin"
    const char *user; // +protobuf=5 +internal:name=RadosUser
    // +default="/etc/ceph/keyring"
    const char *keyring; // +protobuf=6
    const struct core_v1_local_object_reference *secret_ref; // +protobuf=7
    bool read_only; // +protobuf=8
};

struct core_v1_flex_volume_source {
    // +required
    const char *driver; // +protobuf=1
    const char *fs_type; // +protobuf=2
    const struct core_v1_local_object_reference *secret_ref; // +protobuf=3
    bool read_only; // +protobuf=4
    const struct yl_string_pair *options; // +protobuf=5
    size_t n_options;
};

struct core_v1_cinder_volume_source {
    // +required
    // +json=volumeID
    const char *volume_id; // +protobuf=1
    const char *fs_type; // +protobuf=2
    bool read_only; // +protobuf=3
    const struct core_v1_local_object_reference *secret_ref; // +protobuf=4
};

// +typeName=CephFSVolumeSource
struct core_v1_ceph_fs_volume_source {
    // +required
    // +listType=atomic
    const char *const *monitors; // +protobuf=1
    size_t n_monitors;
    const char *path; // +protobuf=2
    const char *user; // +protobuf=3
    const char *secret_file; // +protobuf=4
    const struct core_v1_local_object_reference *secret_ref; // +protobuf=5
    bool read_only; // +protobuf=6
};

// +structType=atomic
struct core_v1_object_field_selector {
    const char *api_version; // +protobuf=1
    // +required
    const char *field_path; // +protobuf=2
};

// +structType=atomic
struct core_v1_resource_field_selector {
    const char *container_name; // +protobuf=1
    // +required
    const char *resource; // +protobuf=2
    struct yl_quantity divisor; // +protobuf=3
};

// +typeName=DownwardAPIVolumeFile
struct core_v1_downward_api_volume_file {
    // +required
    const char *path; // +protobuf=1
    const struct core_v1_object_field_selector *field_ref; // +protobuf=2
    // +protobuf=3
    const struct core_v1_resource_field_selector *resource_field_ref;
    const int32_t *mode; // +protobuf=4
};

// +typeName=DownwardAPIVolumeSource
struct core_v1_downward_api_volume_source {
    // +listType=atomic
    const struct core_v1_downward_api_volume_file *items; // +protobuf=1
    size_t n_items;
    const int32_t *default_mode; // +protobuf=2
};

struct core_v1_azure_file_volume_source {
    // +required
    const char *secret_name; // +protobuf=1
    // +required
    const char *share_name; // +protobuf=2
    bool read_only; // +protobuf=3
};

// +embeds:name=LocalObjectReference,protobuf=1,first=name,last=name
struct core_v1_config_map_volume_source {
    // +default=""
    const char *name; // +protobuf=1
    // +listType=atomic
    const struct core_v1_key_to_path *items; // +protobuf=2
    size_t n_items;
    const int32_t *default_mode; // +protobuf=3
    const bool *optional; // +protobuf=4
};

// +embeds:name=LocalObjectReference,protobuf=1,first=name,last=name
struct core_v1_secret_projection {
    // +default=""
    const char *name; // +protobuf=1
    // +listType=atomic
    const struct core_v1_key_to_path *items; // +protobuf=2
    size_t n_items;
    const bool *optional; // +protobuf=4
};

// +typeName=DownwardAPIProjection
struct core_v1_downward_api_projection {
    // +listType=atomic
    const struct core_v1_downward_api_volume_file *items; // +protobuf=1
    size_t n_items;
};

// +embeds:name=LocalObjectReference,protobuf=1,first=name,last=name
struct core_v1_config_map_projection {
    // +default=""
    const char *name; // +protobuf=1
    // +listType=atomic
    const struct core_v1_key_to_path *items; // +protobuf=2
    size_t n_items;
    const bool *optional; // +protobuf=4
};

struct core_v1_service_account_token_projection {
    const char *audience; // +protobuf=1
    const int64_t *expiration_seconds; // +protobuf=2 +internal:value
    // +required
    const char *path; // +protobuf=3
};

struct core_v1_cluster_trust_bundle_projection {
    // +json=,pointer
    const char *name; // +protobuf=1
    // +json=,pointer
    const char *signer_name; // +protobuf=2
    const struct yl_label_selector *label_selector; // +protobuf=3
    const bool *optional; // +protobuf=5
    // +required
    const char *path; // +protobuf=4
};

struct core_v1_pod_certificate_projection {
    // +required
    // +json=,omitempty
    const char *signer_name; // +protobuf=1
    // +required
    // +json=,omitempty
    const char *key_type; // +protobuf=2
    const int32_t *max_expiration_seconds; // +protobuf=3
    const char *credential_bundle_path; // +protobuf=4
    const char *key_path; // +protobuf=5
    const char *certificate_chain_path; // +protobuf=6
    const struct yl_string_pair *user_annotations; // +protobuf=7
    size_t n_user_annotations;
};

struct core_v1_volume_projection {
    const struct core_v1_secret_projection *secret; // +protobuf=1
    // +json=downwardAPI
    const struct core_v1_downward_api_projection *downward_api; // +protobuf=2
    const struct core_v1_config_map_projection *config_map; // +protobuf=3
    // +protobuf=4
    const struct core_v1_service_account_token_projection
        *service_account_token;
    // +protobuf=5
    const struct core_v1_cluster_trust_bundle_projection *cluster_trust_bundle;
    // +protobuf=6
    const struct core_v1_pod_certificate_projection *pod_certificate;
};

struct core_v1_projected_volume_source {
    // +json=,always
    // +listType=atomic
    const struct core_v1_volume_projection *sources; // +protobuf=1
    size_t n_sources;
    const int32_t *default_mode; // +protobuf=2
};

// +typeName=ScaleIOVolumeSource
struct core_v1_scale_io_volume_source {
    // +required
    const char *gateway; // +protobuf=1
    // +required
    const char *system; // +protobuf=2
    // +required
    // +json=,always
    const struct core_v1_local_object_reference *secret_ref; // +protobuf=3
    bool ssl_enabled; // +protobuf=4
    const char *protection_domain; // +protobuf=5
    const char *storage_pool; // +protobuf=6
    // +default="ThinProvisioned"
    const char *storage_mode; // +protobuf=7
    const char *volume_name; // +protobuf=8
    // +default="xfs"
    const char *fs_type; // +protobuf=9
    bool read_only; // +protobuf=10
};

// +typeName=StorageOSVolumeSource
struct core_v1_storage_os_volume_source {
    const char *volume_name; // +protobuf=1
    const char *volume_namespace; // +protobuf=2
    const char *fs_type; // +protobuf=3
    bool read_only; // +protobuf=4
    const struct core_v1_local_object_reference *secret_ref; // +protobuf=5
};

// +typeName=CSIVolumeSource
struct core_v1_csi_volume_source {
    // +required
    const char *driver; // +protobuf=1
    const bool *read_only; // +protobuf=2
    // +json=,pointer
    const char *fs_type; // +protobuf=3
    const struct yl_string_pair *volume_attributes; // +protobuf=4
    size_t n_volume_attributes;
    // +protobuf=5
    const struct core_v1_local_object_reference *node_publish_secret_ref;
};

struct core_v1_persistent_volume_claim_template {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct core_v1_persistent_volume_claim_spec spec; // +protobuf=2
};

struct core_v1_ephemeral_volume_source {
    // +protobuf=1
    const struct core_v1_persistent_volume_claim_template
        *volume_claim_template;
};

struct core_v1_image_volume_source {
    const char *reference; // +protobuf=1
    const char *pull_policy; // +protobuf=2 +goType=v1.PullPolicy
};

// +embeds:name=VolumeSource,protobuf=2,first=hostPath,last=image
struct core_v1_volume {
    // +required
    const char *name; // +protobuf=1
    const struct core_v1_host_path_volume_source *host_path; // +protobuf=1
    const struct core_v1_empty_dir_volume_source *empty_dir; // +protobuf=2
    // +protobuf=3
    const struct core_v1_gce_persistent_disk_volume_source
        *gce_persistent_disk;
    // +protobuf=4
    const struct core_v1_aws_elastic_block_store_volume_source
        *aws_elastic_block_store;
    const struct core_v1_git_repo_volume_source *git_repo; // +protobuf=5
    const struct core_v1_secret_volume_source *secret; // +protobuf=6
    const struct core_v1_nfs_volume_source *nfs; // +protobuf=7
    const struct core_v1_iscsi_volume_source *iscsi; // +protobuf=8
    const struct core_v1_glusterfs_volume_source *glusterfs; // +protobuf=9
    // +protobuf=10
    const struct core_v1_persistent_volume_claim_volume_source
        *persistent_volume_claim;
    const struct core_v1_rbd_volume_source *rbd; // +protobuf=11
    const struct core_v1_flex_volume_source *flex_volume; // +protobuf=12
    const struct core_v1_cinder_volume_source *cinder; // +protobuf=13
    // +internal:name=CephFS
    const struct core_v1_ceph_fs_volume_source *cephfs; // +protobuf=14
    const struct core_v1_flocker_volume_source *flocker; // +protobuf=15
    // +json=downwardAPI
    // +protobuf=16
    const struct core_v1_downward_api_volume_source *downward_api;
    const struct core_v1_fc_volume_source *fc; // +protobuf=17
    const struct core_v1_azure_file_volume_source *azure_file; // +protobuf=18
    const struct core_v1_config_map_volume_source *config_map; // +protobuf=19
    // +protobuf=20
    const struct core_v1_vsphere_virtual_disk_volume_source *vsphere_volume;
    // +internal:after=rbd
    const struct core_v1_quobyte_volume_source *quobyte; // +protobuf=21
    const struct core_v1_azure_disk_volume_source *azure_disk; // +protobuf=22
    // +protobuf=23
    const struct core_v1_photon_persistent_disk_volume_source
        *photon_persistent_disk;
    const struct core_v1_projected_volume_source *projected; // +protobuf=26
    // +protobuf=24
    const struct core_v1_portworx_volume_source *portworx_volume;
    // +json=scaleIO
    const struct core_v1_scale_io_volume_source *scale_io; // +protobuf=25
    // +internal:name=StorageOS
    const struct core_v1_storage_os_volume_source *storageos; // +protobuf=27
    const struct core_v1_csi_volume_source *csi; // +protobuf=28
    const struct core_v1_ephemeral_volume_source *ephemeral; // +protobuf=29
    const struct core_v1_image_volume_source *image; // +protobuf=30
};

struct core_v1_container_port {
    const char *name; // +protobuf=1
    int32_t host_port; // +protobuf=2
    // +required
    int32_t container_port; // +protobuf=3
    // +default="TCP"
    const char *protocol; // +protobuf=4 +goType=v1.Protocol
    // +json=hostIP
    const char *host_ip; // +protobuf=5
};

// +embeds:name=LocalObjectReference,protobuf=1,first=name,last=name
struct core_v1_config_map_env_source {
    // +default=""
    const char *name; // +protobuf=1
    const bool *optional; // +protobuf=2
};

// +embeds:name=LocalObjectReference,protobuf=1,first=name,last=name
struct core_v1_secret_env_source {
    // +default=""
    const char *name; // +protobuf=1
    const bool *optional; // +protobuf=2
};

struct core_v1_env_from_source {
    const char *prefix; // +protobuf=1
    const struct core_v1_config_map_env_source *config_map_ref; // +protobuf=2
    const struct core_v1_secret_env_source *secret_ref; // +protobuf=3
};

// +structType=atomic
// +embeds:name=LocalObjectReference,protobuf=1,first=name,last=name
struct core_v1_config_map_key_selector {
    // +default=""
    const char *name; // +protobuf=1
    // +required
    const char *key; // +protobuf=2
    const bool *optional; // +protobuf=3
};

// +structType=atomic
// +embeds:name=LocalObjectReference,protobuf=1,first=name,last=name
struct core_v1_secret_key_selector {
    // +default=""
    const char *name; // +protobuf=1
    // +required
    const char *key; // +protobuf=2
    const bool *optional; // +protobuf=3
};

// +structType=atomic
struct core_v1_file_key_selector {
    // +required
    const char *volume_name; // +protobuf=1
    // +required
    const char *path; // +protobuf=2
    // +required
    const char *key; // +protobuf=3
    // +default=false
    const bool *optional; // +protobuf=4
};

struct core_v1_env_var_source {
    const struct core_v1_object_field_selector *field_ref; // +protobuf=1
    // +protobuf=2
    const struct core_v1_resource_field_selector *resource_field_ref;
    // +protobuf=3
    const struct core_v1_config_map_key_selector *config_map_key_ref;
    const struct core_v1_secret_key_selector *secret_key_ref; // +protobuf=4
    const struct core_v1_file_key_selector *file_key_ref; // +protobuf=5
};

struct core_v1_env_var {
    // +required
    const char *name; // +protobuf=1
    const char *value; // +protobuf=2
    const struct core_v1_env_var_source *value_from; // +protobuf=3
};

struct core_v1_resource_claim {
    // +required
    const char *name; // +protobuf=1
    const char *request; // +protobuf=2
};

struct core_v1_resource_requirements {
    const struct yl_quantity_pair *limits; // +protobuf=1
    size_t n_limits;
    const struct yl_quantity_pair *requests; // +protobuf=2
    size_t n_requests;
    // +listType=map
    // +listMapKey=name
    const struct core_v1_resource_claim *claims; // +protobuf=3
    size_t n_claims;
};

struct core_v1_container_resize_policy {
    // +required
    const char *resource_name; // +protobuf=1 +goType=v1.ResourceName
    // +required
    // +goType=v1.ResourceResizeRestartPolicy
    const char *restart_policy; // +protobuf=2
};

struct core_v1_container_restart_rule_on_exit_codes {
    // +required
    // +json=,omitempty
    // +goType=v1.ContainerRestartRuleOnExitCodesOperator
    const char *operator_; // +protobuf=1
    // +listType=set
    const int32_t *values; // +protobuf=2
    size_t n_values;
};

struct core_v1_container_restart_rule {
    // +required
    // +json=,omitempty
    const char *action; // +protobuf=1 +goType=v1.ContainerRestartRuleAction
    // +protobuf=2
    const struct core_v1_container_restart_rule_on_exit_codes *exit_codes;
};

struct core_v1_volume_mount {
    // +required
    const char *name; // +protobuf=1
    bool read_only; // +protobuf=2
    // +json=,pointer
    // +goType=v1.RecursiveReadOnlyMode
    const char *recursive_read_only; // +protobuf=7
    // +required
    const char *mount_path; // +protobuf=3
    const char *sub_path; // +protobuf=4
    // +json=,pointer
    // +goType=v1.MountPropagationMode
    const char *mount_propagation; // +protobuf=5
    const char *sub_path_expr; // +protobuf=6
};

struct core_v1_volume_device {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *device_path; // +protobuf=2
};

struct core_v1_exec_action {
    // +listType=atomic
    const char *const *command; // +protobuf=1
    size_t n_command;
};

// +typeName=HTTPHeader
struct core_v1_http_header {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *value; // +protobuf=2
};

// +typeName=HTTPGetAction
struct core_v1_http_get_action {
    const char *path; // +protobuf=1
    // +required
    struct yl_int_or_string port; // +protobuf=2
    const char *host; // +protobuf=3
    const char *scheme; // +protobuf=4 +goType=v1.URIScheme
    // +listType=atomic
    const struct core_v1_http_header *http_headers; // +protobuf=5
    size_t n_http_headers;
};

// +typeName=TCPSocketAction
struct core_v1_tcp_socket_action {
    // +required
    struct yl_int_or_string port; // +protobuf=1
    const char *host; // +protobuf=2
};

// +typeName=GRPCAction
struct core_v1_grpc_action {
    // +required
    int32_t port; // +protobuf=1
    // +json=,pointer,always
    // +default=""
    const char *service; // +protobuf=2
};

// +embeds:name=ProbeHandler,protobuf=1,first=exec,last=grpc
struct core_v1_probe {
    const struct core_v1_exec_action *exec; // +protobuf=1
    const struct core_v1_http_get_action *http_get; // +protobuf=2
    const struct core_v1_tcp_socket_action *tcp_socket; // +protobuf=3
    const struct core_v1_grpc_action *grpc; // +protobuf=4
    int32_t initial_delay_seconds; // +protobuf=2
    int32_t timeout_seconds; // +protobuf=3
    int32_t period_seconds; // +protobuf=4
    int32_t success_threshold; // +protobuf=5
    int32_t failure_threshold; // +protobuf=6
    const int64_t *termination_grace_period_seconds; // +protobuf=7
};

struct core_v1_sleep_action {
    // +required
    int64_t seconds; // +protobuf=1
};

struct core_v1_lifecycle_handler {
    const struct core_v1_exec_action *exec; // +protobuf=1
    const struct core_v1_http_get_action *http_get; // +protobuf=2
    const struct core_v1_tcp_socket_action *tcp_socket; // +protobuf=3
    const struct core_v1_sleep_action *sleep; // +protobuf=4
};

struct core_v1_lifecycle {
    const struct core_v1_lifecycle_handler *post_start; // +protobuf=1
    const struct core_v1_lifecycle_handler *pre_stop; // +protobuf=2
    // +json=,pointer
    const char *stop_signal; // +protobuf=3 +goType=v1.Signal
};

struct core_v1_capabilities {
    // +listType=atomic
    const char *const *add; // +protobuf=1 +goType=[]v1.Capability
    size_t n_add;
    // +listType=atomic
    const char *const *drop; // +protobuf=2 +goType=[]v1.Capability
    size_t n_drop;
};

// +typeName=SELinuxOptions
struct core_v1_se_linux_options {
    const char *user; // +protobuf=1
    const char *role; // +protobuf=2
    const char *type; // +protobuf=3
    const char *level; // +protobuf=4
};

struct core_v1_windows_security_context_options {
    // +json=,pointer
    const char *gmsa_credential_spec_name; // +protobuf=1
    // +json=,pointer
    const char *gmsa_credential_spec; // +protobuf=2
    // +json=,pointer
    const char *run_as_user_name; // +protobuf=3
    const bool *host_process; // +protobuf=4
};

// +schema={"x-kubernetes-unions":[{"discriminator":"type","fields-to-discriminateBy":{"localhostProfile":"LocalhostProfile"}}]}
struct core_v1_seccomp_profile {
    // +required
    const char *type; // +protobuf=1 +goType=v1.SeccompProfileType
    // +json=,pointer
    const char *localhost_profile; // +protobuf=2
};

// +schema={"x-kubernetes-unions":[{"discriminator":"type","fields-to-discriminateBy":{"localhostProfile":"LocalhostProfile"}}]}
struct core_v1_app_armor_profile {
    // +required
    const char *type; // +protobuf=1 +goType=v1.AppArmorProfileType
    // +json=,pointer
    const char *localhost_profile; // +protobuf=2
};

struct core_v1_security_context {
    const struct core_v1_capabilities *capabilities; // +protobuf=1
    const bool *privileged; // +protobuf=2
    const struct core_v1_se_linux_options *se_linux_options; // +protobuf=3
    // +protobuf=10
    const struct core_v1_windows_security_context_options *windows_options;
    const int64_t *run_as_user; // +protobuf=4
    const int64_t *run_as_group; // +protobuf=8
    const bool *run_as_non_root; // +protobuf=5
    const bool *read_only_root_filesystem; // +protobuf=6
    const bool *allow_privilege_escalation; // +protobuf=7
    // +json=,pointer
    const char *proc_mount; // +protobuf=9 +goType=v1.ProcMountType
    const struct core_v1_seccomp_profile *seccomp_profile; // +protobuf=11
    const struct core_v1_app_armor_profile *app_armor_profile; // +protobuf=12
};

struct core_v1_container {
    // +required
    const char *name; // +protobuf=1
    const char *image; // +protobuf=2
    // +listType=atomic
    const char *const *command; // +protobuf=3
    size_t n_command;
    // +listType=atomic
    const char *const *args; // +protobuf=4
    size_t n_args;
    const char *working_dir; // +protobuf=5
    // +patchStrategy=merge
    // +patchMergeKey=containerPort
    // +listType=map
    // +listMapKey=containerPort
    // +listMapKey=protocol
    const struct core_v1_container_port *ports; // +protobuf=6
    size_t n_ports;
    // +listType=atomic
    const struct core_v1_env_from_source *env_from; // +protobuf=19
    size_t n_env_from;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_env_var *env; // +protobuf=7
    size_t n_env;
    struct core_v1_resource_requirements resources; // +protobuf=8
    // +listType=atomic
    // +protobuf=23
    const struct core_v1_container_resize_policy *resize_policy;
    size_t n_resize_policy;
    // +json=,pointer
    // +goType=v1.ContainerRestartPolicy
    const char *restart_policy; // +protobuf=24
    // +listType=atomic
    // +protobuf=25
    const struct core_v1_container_restart_rule *restart_policy_rules;
    size_t n_restart_policy_rules;
    // +patchStrategy=merge
    // +patchMergeKey=mountPath
    // +listType=map
    // +listMapKey=mountPath
    const struct core_v1_volume_mount *volume_mounts; // +protobuf=9
    size_t n_volume_mounts;
    // +patchStrategy=merge
    // +patchMergeKey=devicePath
    // +listType=map
    // +listMapKey=devicePath
    const struct core_v1_volume_device *volume_devices; // +protobuf=21
    size_t n_volume_devices;
    const struct core_v1_probe *liveness_probe; // +protobuf=10
    const struct core_v1_probe *readiness_probe; // +protobuf=11
    const struct core_v1_probe *startup_probe; // +protobuf=22
    const struct core_v1_lifecycle *lifecycle; // +protobuf=12
    const char *termination_message_path; // +protobuf=13
    // +goType=v1.TerminationMessagePolicy
    const char *termination_message_policy; // +protobuf=20
    const char *image_pull_policy; // +protobuf=14 +goType=v1.PullPolicy
    const struct core_v1_security_context *security_context; // +protobuf=15
    bool stdin; // +protobuf=16
    bool stdin_once; // +protobuf=17
    bool tty; // +protobuf=18
};

// +embeds:name=EphemeralContainerCommon,protobuf=1,first=name,last=tty
struct core_v1_ephemeral_container {
    // +required
    const char *name; // +protobuf=1
    const char *image; // +protobuf=2
    // +listType=atomic
    const char *const *command; // +protobuf=3
    size_t n_command;
    // +listType=atomic
    const char *const *args; // +protobuf=4
    size_t n_args;
    const char *working_dir; // +protobuf=5
    // +patchStrategy=merge
    // +patchMergeKey=containerPort
    // +listType=map
    // +listMapKey=containerPort
    // +listMapKey=protocol
    const struct core_v1_container_port *ports; // +protobuf=6
    size_t n_ports;
    // +listType=atomic
    const struct core_v1_env_from_source *env_from; // +protobuf=19
    size_t n_env_from;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_env_var *env; // +protobuf=7
    size_t n_env;
    struct core_v1_resource_requirements resources; // +protobuf=8
    // +listType=atomic
    // +protobuf=23
    const struct core_v1_container_resize_policy *resize_policy;
    size_t n_resize_policy;
    // +json=,pointer
    // +goType=v1.ContainerRestartPolicy
    const char *restart_policy; // +protobuf=24
    // +listType=atomic
    // +protobuf=25
    const struct core_v1_container_restart_rule *restart_policy_rules;
    size_t n_restart_policy_rules;
    // +patchStrategy=merge
    // +patchMergeKey=mountPath
    // +listType=map
    // +listMapKey=mountPath
    const struct core_v1_volume_mount *volume_mounts; // +protobuf=9
    size_t n_volume_mounts;
    // +patchStrategy=merge
    // +patchMergeKey=devicePath
    // +listType=map
    // +listMapKey=devicePath
    const struct core_v1_volume_device *volume_devices; // +protobuf=21
    size_t n_volume_devices;
    const struct core_v1_probe *liveness_probe; // +protobuf=10
    const struct core_v1_probe *readiness_probe; // +protobuf=11
    const struct core_v1_probe *startup_probe; // +protobuf=22
    const struct core_v1_lifecycle *lifecycle; // +protobuf=12
    const char *termination_message_path; // +protobuf=13
    // +goType=v1.TerminationMessagePolicy
    const char *termination_message_policy; // +protobuf=20
    const char *image_pull_policy; // +protobuf=14 +goType=v1.PullPolicy
    const struct core_v1_security_context *security_context; // +protobuf=15
    bool stdin; // +protobuf=16
    bool stdin_once; // +protobuf=17
    bool tty; // +protobuf=18
    const char *target_container_name; // +protobuf=2
};

struct core_v1_sysctl {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *value; // +protobuf=2
};

struct core_v1_pod_security_context {
    const struct core_v1_se_linux_options *se_linux_options; // +protobuf=1
    // +protobuf=8
    const struct core_v1_windows_security_context_options *windows_options;
    const int64_t *run_as_user; // +protobuf=2
    const int64_t *run_as_group; // +protobuf=6
    const bool *run_as_non_root; // +protobuf=3
    // +listType=atomic
    const int64_t *supplemental_groups; // +protobuf=4
    size_t n_supplemental_groups;
    // +json=,pointer
    // +goType=v1.SupplementalGroupsPolicy
    const char *supplemental_groups_policy; // +protobuf=12
    const int64_t *fs_group; // +protobuf=5
    // +listType=atomic
    const struct core_v1_sysctl *sysctls; // +protobuf=7
    size_t n_sysctls;
    // +json=,pointer
    // +goType=v1.PodFSGroupChangePolicy
    const char *fs_group_change_policy; // +protobuf=9 +internal:after=fsGroup
    const struct core_v1_seccomp_profile *seccomp_profile; // +protobuf=10
    const struct core_v1_app_armor_profile *app_armor_profile; // +protobuf=11
    // +json=,pointer
    // +goType=v1.PodSELinuxChangePolicy
    const char *se_linux_change_policy; // +protobuf=13
};

struct core_v1_preferred_scheduling_term {
    // +required
    int32_t weight; // +protobuf=1
    // +required
    struct core_v1_node_selector_term preference; // +protobuf=2
};

struct core_v1_node_affinity {
    // +protobuf=1
    const struct core_v1_node_selector
        *required_during_scheduling_ignored_during_execution;
    // +listType=atomic
    // +protobuf=2
    const struct core_v1_preferred_scheduling_term
        *preferred_during_scheduling_ignored_during_execution;
    size_t n_preferred_during_scheduling_ignored_during_execution;
};

struct core_v1_pod_affinity_term {
    const struct yl_label_selector *label_selector; // +protobuf=1
    // +listType=atomic
    const char *const *namespaces; // +protobuf=2
    size_t n_namespaces;
    // +required
    const char *topology_key; // +protobuf=3
    const struct yl_label_selector *namespace_selector; // +protobuf=4
    // +listType=atomic
    const char *const *match_label_keys; // +protobuf=5
    size_t n_match_label_keys;
    // +listType=atomic
    const char *const *mismatch_label_keys; // +protobuf=6
    size_t n_mismatch_label_keys;
};

struct core_v1_weighted_pod_affinity_term {
    // +required
    int32_t weight; // +protobuf=1
    // +required
    struct core_v1_pod_affinity_term pod_affinity_term; // +protobuf=2
};

struct core_v1_pod_affinity {
    // +listType=atomic
    // +protobuf=1
    const struct core_v1_pod_affinity_term
        *required_during_scheduling_ignored_during_execution;
    size_t n_required_during_scheduling_ignored_during_execution;
    // +listType=atomic
    // +protobuf=2
    const struct core_v1_weighted_pod_affinity_term
        *preferred_during_scheduling_ignored_during_execution;
    size_t n_preferred_during_scheduling_ignored_during_execution;
};

struct core_v1_pod_anti_affinity {
    // +listType=atomic
    // +protobuf=1
    const struct core_v1_pod_affinity_term
        *required_during_scheduling_ignored_during_execution;
    size_t n_required_during_scheduling_ignored_during_execution;
    // +listType=atomic
    // +protobuf=2
    const struct core_v1_weighted_pod_affinity_term
        *preferred_during_scheduling_ignored_during_execution;
    size_t n_preferred_during_scheduling_ignored_during_execution;
};

struct core_v1_affinity {
    const struct core_v1_node_affinity *node_affinity; // +protobuf=1
    const struct core_v1_pod_affinity *pod_affinity; // +protobuf=2
    const struct core_v1_pod_anti_affinity *pod_anti_affinity; // +protobuf=3
};

struct core_v1_toleration {
    const char *key; // +protobuf=1
    const char *operator_; // +protobuf=2 +goType=v1.TolerationOperator
    const char *value; // +protobuf=3
    const char *effect; // +protobuf=4 +goType=v1.TaintEffect
    const int64_t *toleration_seconds; // +protobuf=5
};

struct core_v1_host_alias {
    // +required
    const char *ip; // +protobuf=1
    // +listType=atomic
    const char *const *hostnames; // +protobuf=2
    size_t n_hostnames;
};

// +typeName=PodDNSConfigOption
struct core_v1_pod_dns_config_option {
    const char *name; // +protobuf=1
    // +json=,pointer
    const char *value; // +protobuf=2
};

// +typeName=PodDNSConfig
struct core_v1_pod_dns_config {
    // +listType=atomic
    const char *const *nameservers; // +protobuf=1
    size_t n_nameservers;
    // +listType=atomic
    const char *const *searches; // +protobuf=2
    size_t n_searches;
    // +listType=atomic
    const struct core_v1_pod_dns_config_option *options; // +protobuf=3
    size_t n_options;
};

struct core_v1_pod_readiness_gate {
    // +required
    const char *condition_type; // +protobuf=1 +goType=v1.PodConditionType
};

struct core_v1_topology_spread_constraint {
    // +required
    int32_t max_skew; // +protobuf=1
    // +required
    const char *topology_key; // +protobuf=2
    // +required
    // +goType=v1.UnsatisfiableConstraintAction
    const char *when_unsatisfiable; // +protobuf=3
    const struct yl_label_selector *label_selector; // +protobuf=4
    const int32_t *min_domains; // +protobuf=5
    // +json=,pointer
    // +goType=v1.NodeInclusionPolicy
    const char *node_affinity_policy; // +protobuf=6
    // +json=,pointer
    // +goType=v1.NodeInclusionPolicy
    const char *node_taints_policy; // +protobuf=7
    // +listType=atomic
    const char *const *match_label_keys; // +protobuf=8
    size_t n_match_label_keys;
};

// +typeName=PodOS
struct core_v1_pod_os {
    // +required
    const char *name; // +protobuf=1 +goType=v1.OSName
};

struct core_v1_pod_scheduling_gate {
    // +required
    const char *name; // +protobuf=1
};

struct core_v1_pod_resource_claim {
    // +required
    const char *name; // +protobuf=1
    // +json=,pointer
    const char *resource_claim_name; // +protobuf=3
    // +json=,pointer
    const char *resource_claim_template_name; // +protobuf=4
};

// +schema={"x-kubernetes-unions":[{"fields-to-discriminateBy":{"podGroupName":"PodGroupName"}}]}
struct core_v1_pod_scheduling_group {
    // +json=,pointer
    const char *pod_group_name; // +protobuf=1
};

struct core_v1_pod_spec {
    // +patchStrategy=merge,retainKeys
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_volume *volumes; // +protobuf=1
    size_t n_volumes;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_container *init_containers; // +protobuf=20
    size_t n_init_containers;
    // +required
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_container *containers; // +protobuf=2
    size_t n_containers;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=34
    const struct core_v1_ephemeral_container *ephemeral_containers;
    size_t n_ephemeral_containers;
    const char *restart_policy; // +protobuf=3 +goType=v1.RestartPolicy
    const int64_t *termination_grace_period_seconds; // +protobuf=4
    const int64_t *active_deadline_seconds; // +protobuf=5
    const char *dns_policy; // +protobuf=6 +goType=v1.DNSPolicy
    // +mapType=atomic
    const struct yl_string_pair *node_selector; // +protobuf=7
    size_t n_node_selector;
    const char *service_account_name; // +protobuf=8
    const char *service_account; // +protobuf=9 +internal:absent
    const bool *automount_service_account_token; // +protobuf=21
    const char *node_name; // +protobuf=10
    bool host_network; // +protobuf=11 +internal:in=securityContext
    // +json=hostPID
    bool host_pid; // +protobuf=12 +internal:in=securityContext
    // +json=hostIPC
    bool host_ipc; // +protobuf=13 +internal:in=securityContext
    // +internal:in=securityContext
    const bool *share_process_namespace; // +protobuf=27
    // +protobuf=14
    const struct core_v1_pod_security_context *security_context;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=15
    const struct core_v1_local_object_reference *image_pull_secrets;
    size_t n_image_pull_secrets;
    const char *hostname; // +protobuf=16
    const char *subdomain; // +protobuf=17
    const struct core_v1_affinity *affinity; // +protobuf=18
    const char *scheduler_name; // +protobuf=19
    // +listType=atomic
    const struct core_v1_toleration *tolerations; // +protobuf=22
    size_t n_tolerations;
    // +patchStrategy=merge
    // +patchMergeKey=ip
    // +listType=map
    // +listMapKey=ip
    const struct core_v1_host_alias *host_aliases; // +protobuf=23
    size_t n_host_aliases;
    const char *priority_class_name; // +protobuf=24
    const int32_t *priority; // +protobuf=25
    const struct core_v1_pod_dns_config *dns_config; // +protobuf=26
    // +listType=atomic
    const struct core_v1_pod_readiness_gate *readiness_gates; // +protobuf=28
    size_t n_readiness_gates;
    // +json=,pointer
    const char *runtime_class_name; // +protobuf=29
    const bool *enable_service_links; // +protobuf=30
    // +json=,pointer
    // +internal:after=priority
    const char *preemption_policy; // +protobuf=31 +goType=v1.PreemptionPolicy
    // +internal:after=runtimeClassName
    const struct yl_quantity_pair *overhead; // +protobuf=32
    size_t n_overhead;
    // +patchStrategy=merge
    // +patchMergeKey=topologyKey
    // +listType=map
    // +listMapKey=topologyKey
    // +listMapKey=whenUnsatisfiable
    // +protobuf=33
    const struct core_v1_topology_spread_constraint
        *topology_spread_constraints;
    size_t n_topology_spread_constraints;
    // +json=setHostnameAsFQDN
    const bool *set_hostname_as_fqdn; // +protobuf=35 +internal:after=subdomain
    const struct core_v1_pod_os *os; // +protobuf=36
    const bool *host_users; // +protobuf=37 +internal:in=securityContext
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_pod_scheduling_gate *scheduling_gates; // +protobuf=38
    size_t n_scheduling_gates;
    // +patchStrategy=merge,retainKeys
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_pod_resource_claim *resource_claims; // +protobuf=39
    size_t n_resource_claims;
    const struct core_v1_resource_requirements *resources; // +protobuf=40
    // +json=,pointer
    const char *hostname_override; // +protobuf=41
    // +protobuf=43
    const struct core_v1_pod_scheduling_group *scheduling_group;
};

struct core_v1_pod_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.PodConditionType
    int64_t observed_generation; // +protobuf=7
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_probe_time; // +protobuf=3
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=4
    const char *reason; // +protobuf=5
    const char *message; // +protobuf=6
};

// +typeName=HostIP
struct core_v1_host_ip {
    // +required
    const char *ip; // +protobuf=1
};

// +typeName=PodIP
struct core_v1_pod_ip {
    // +required
    const char *ip; // +protobuf=1
};

struct core_v1_container_state_waiting {
    const char *reason; // +protobuf=1
    const char *message; // +protobuf=2
};

struct core_v1_container_state_running {
    // +json=,omitempty
    struct yl_time started_at; // +protobuf=1
};

struct core_v1_container_state_terminated {
    // +required
    int32_t exit_code; // +protobuf=1
    int32_t signal; // +protobuf=2
    const char *reason; // +protobuf=3
    const char *message; // +protobuf=4
    // +json=,omitempty
    struct yl_time started_at; // +protobuf=5
    // +json=,omitempty
    struct yl_time finished_at; // +protobuf=6
    // +json=containerID
    const char *container_id; // +protobuf=7
};

struct core_v1_container_state {
    const struct core_v1_container_state_waiting *waiting; // +protobuf=1
    const struct core_v1_container_state_running *running; // +protobuf=2
    const struct core_v1_container_state_terminated *terminated; // +protobuf=3
};

struct core_v1_image_volume_status {
    // +required
    // +json=,omitempty
    const char *image_ref; // +protobuf=1
};

struct core_v1_volume_status {
    const struct core_v1_image_volume_status *image; // +protobuf=1
};

struct core_v1_volume_mount_status {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *mount_path; // +protobuf=2
    bool read_only; // +protobuf=3
    // +json=,pointer
    // +goType=v1.RecursiveReadOnlyMode
    const char *recursive_read_only; // +protobuf=4
    const struct core_v1_volume_status *volume_status; // +protobuf=5
};

struct core_v1_linux_container_user {
    // +required
    int64_t uid; // +protobuf=1
    // +required
    int64_t gid; // +protobuf=2
    // +listType=atomic
    const int64_t *supplemental_groups; // +protobuf=3
    size_t n_supplemental_groups;
};

struct core_v1_container_user {
    const struct core_v1_linux_container_user *linux_; // +protobuf=1
};

struct core_v1_resource_health {
    // +required
    // +json=resourceID
    const char *resource_id; // +protobuf=1 +goType=v1.ResourceID
    const char *health; // +protobuf=2 +goType=v1.ResourceHealthStatus
    // +json=,pointer
    const char *message; // +protobuf=6
};

struct core_v1_resource_status {
    // +required
    const char *name; // +protobuf=1 +goType=v1.ResourceName
    // +listType=map
    // +listMapKey=resourceID
    const struct core_v1_resource_health *resources; // +protobuf=2
    size_t n_resources;
};

struct core_v1_container_status {
    // +required
    const char *name; // +protobuf=1
    struct core_v1_container_state state; // +protobuf=2
    struct core_v1_container_state last_state; // +protobuf=3
    // +required
    bool ready; // +protobuf=4
    // +required
    int32_t restart_count; // +protobuf=5
    // +required
    const char *image; // +protobuf=6
    // +required
    // +json=imageID
    const char *image_id; // +protobuf=7
    // +json=containerID
    const char *container_id; // +protobuf=8
    const bool *started; // +protobuf=9
    const struct yl_quantity_pair *allocated_resources; // +protobuf=10
    size_t n_allocated_resources;
    const struct core_v1_resource_requirements *resources; // +protobuf=11
    // +patchStrategy=merge
    // +patchMergeKey=mountPath
    // +listType=map
    // +listMapKey=mountPath
    const struct core_v1_volume_mount_status *volume_mounts; // +protobuf=12
    size_t n_volume_mounts;
    const struct core_v1_container_user *user; // +protobuf=13
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=14
    const struct core_v1_resource_status *allocated_resources_status;
    size_t n_allocated_resources_status;
    // +json=,pointer
    const char *stop_signal; // +protobuf=15 +goType=v1.Signal
};

struct core_v1_pod_resource_claim_status {
    // +required
    const char *name; // +protobuf=1
    // +json=,pointer
    const char *resource_claim_name; // +protobuf=2
};

struct core_v1_container_extended_resource_request {
    // +required
    const char *container_name; // +protobuf=1
    // +required
    const char *resource_name; // +protobuf=2
    // +required
    const char *request_name; // +protobuf=3
};

struct core_v1_pod_extended_resource_claim_status {
    // +required
    // +listType=atomic
    // +protobuf=1
    const struct core_v1_container_extended_resource_request *request_mappings;
    size_t n_request_mappings;
    // +required
    const char *resource_claim_name; // +protobuf=2
};

struct core_v1_node_allocatable_resource_claim_status {
    // +required
    const char *resource_claim_name; // +protobuf=1
    // +listType=set
    const char *const *containers; // +protobuf=2
    size_t n_containers;
    // +required
    // +goType=map[v1.ResourceName]resource.Quantity
    const struct yl_quantity_pair *resources; // +protobuf=3
    size_t n_resources;
};

struct core_v1_pod_status {
    int64_t observed_generation; // +protobuf=17
    const char *phase; // +protobuf=1 +goType=v1.PodPhase
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct core_v1_pod_condition *conditions; // +protobuf=2
    size_t n_conditions;
    const char *message; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *nominated_node_name; // +protobuf=11
    // +json=hostIP
    const char *host_ip; // +protobuf=5
    // +json=hostIPs
    // +patchStrategy=merge
    // +patchMergeKey=ip
    // +listType=atomic
    const struct core_v1_host_ip *host_ips; // +protobuf=16
    size_t n_host_ips;
    // +json=podIP
    const char *pod_ip; // +protobuf=6
    // +json=podIPs
    // +patchStrategy=merge
    // +patchMergeKey=ip
    // +listType=map
    // +listMapKey=ip
    const struct core_v1_pod_ip *pod_ips; // +protobuf=12
    size_t n_pod_ips;
    const struct yl_time *start_time; // +protobuf=7
    // +listType=atomic
    // +protobuf=10
    const struct core_v1_container_status *init_container_statuses;
    size_t n_init_container_statuses;
    // +listType=atomic
    const struct core_v1_container_status *container_statuses; // +protobuf=8
    size_t n_container_statuses;
    const char *qos_class; // +protobuf=9 +goType=v1.PodQOSClass
    // +listType=atomic
    // +protobuf=13
    const struct core_v1_container_status *ephemeral_container_statuses;
    size_t n_ephemeral_container_statuses;
    const char *resize; // +protobuf=14 +goType=v1.PodResizeStatus
    // +patchStrategy=merge,retainKeys
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=15
    const struct core_v1_pod_resource_claim_status *resource_claim_statuses;
    size_t n_resource_claim_statuses;
    // +protobuf=18
    const struct core_v1_pod_extended_resource_claim_status
        *extended_resource_claim_status;
    const struct yl_quantity_pair *allocated_resources; // +protobuf=19
    size_t n_allocated_resources;
    const struct core_v1_resource_requirements *resources; // +protobuf=20
    // +listType=atomic
    // +protobuf=21
    const struct core_v1_node_allocatable_resource_claim_status
        *node_allocatable_resource_claim_statuses;
    size_t n_node_allocatable_resource_claim_statuses;
};

// +genclient
// +kubebuilder:resource:shortName=po,categories=all
// +kubebuilder:subresource:status
struct core_v1_pod {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_pod_spec spec; // +protobuf=2
    struct core_v1_pod_status status; // +protobuf=3
};

struct core_v1_pod_template_spec {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_pod_spec spec; // +protobuf=2
};

// +genclient
// +genclient:noStatus
struct core_v1_pod_template {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_pod_template_spec template_; // +protobuf=2
};

struct core_v1_replication_controller_spec {
    // +default=1
    const int32_t *replicas; // +protobuf=1
    // +default=0
    int32_t min_ready_seconds; // +protobuf=4
    // +mapType=atomic
    const struct yl_string_pair *selector; // +protobuf=2
    size_t n_selector;
    const struct core_v1_pod_template_spec *template_; // +protobuf=3
};

struct core_v1_replication_controller_condition {
    // +required
    // +goType=v1.ReplicationControllerConditionType
    const char *type; // +protobuf=1
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct core_v1_replication_controller_status {
    // +required
    int32_t replicas; // +protobuf=1
    int32_t fully_labeled_replicas; // +protobuf=2
    int32_t ready_replicas; // +protobuf=4
    int32_t available_replicas; // +protobuf=5
    int64_t observed_generation; // +protobuf=3
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    // +protobuf=6
    const struct core_v1_replication_controller_condition *conditions;
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:shortName=rc,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
struct core_v1_replication_controller {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_replication_controller_spec spec; // +protobuf=2
    struct core_v1_replication_controller_status status; // +protobuf=3
};

struct core_v1_scoped_resource_selector_requirement {
    // +required
    const char *scope_name; // +protobuf=1 +goType=v1.ResourceQuotaScope
    // +required
    const char *operator_; // +protobuf=2 +goType=v1.ScopeSelectorOperator
    // +listType=atomic
    const char *const *values; // +protobuf=3
    size_t n_values;
};

// +structType=atomic
struct core_v1_scope_selector {
    // +listType=atomic
    // +protobuf=1
    const struct core_v1_scoped_resource_selector_requirement
        *match_expressions;
    size_t n_match_expressions;
};

struct core_v1_resource_quota_spec {
    const struct yl_quantity_pair *hard; // +protobuf=1
    size_t n_hard;
    // +listType=atomic
    const char *const *scopes; // +protobuf=2 +goType=[]v1.ResourceQuotaScope
    size_t n_scopes;
    const struct core_v1_scope_selector *scope_selector; // +protobuf=3
};

struct core_v1_resource_quota_status {
    const struct yl_quantity_pair *hard; // +protobuf=1
    size_t n_hard;
    const struct yl_quantity_pair *used; // +protobuf=2
    size_t n_used;
};

// +genclient
// +kubebuilder:resource:shortName=quota
// +kubebuilder:subresource:status
struct core_v1_resource_quota {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_resource_quota_spec spec; // +protobuf=2
    struct core_v1_resource_quota_status status; // +protobuf=3
};

// +genclient
// +genclient:noStatus
struct core_v1_secret {
    struct yl_object_meta metadata; // +protobuf=1
    const bool *immutable; // +protobuf=5
    const struct yl_bytes_pair *data; // +protobuf=2
    size_t n_data;
    const struct yl_string_pair *string_data; // +protobuf=4
    size_t n_string_data;
    const char *type; // +protobuf=3 +goType=v1.SecretType
};

struct core_v1_service_port {
    const char *name; // +protobuf=1
    // +default="TCP"
    const char *protocol; // +protobuf=2 +goType=v1.Protocol
    // +json=,pointer
    const char *app_protocol; // +protobuf=6
    // +required
    int32_t port; // +protobuf=3
    struct yl_int_or_string target_port; // +protobuf=4
    int32_t node_port; // +protobuf=5
};

// +typeName=ClientIPConfig
struct core_v1_client_ip_config {
    const int32_t *timeout_seconds; // +protobuf=1
};

struct core_v1_session_affinity_config {
    // +json=clientIP
    const struct core_v1_client_ip_config *client_ip; // +protobuf=1
};

struct core_v1_service_spec {
    // +patchStrategy=merge
    // +patchMergeKey=port
    // +listType=map
    // +listMapKey=port
    // +listMapKey=protocol
    const struct core_v1_service_port *ports; // +protobuf=1
    size_t n_ports;
    // +mapType=atomic
    const struct yl_string_pair *selector; // +protobuf=2
    size_t n_selector;
    // +json=clusterIP
    const char *cluster_ip; // +protobuf=3
    // +json=clusterIPs
    // +listType=atomic
    const char *const *cluster_ips; // +protobuf=18
    size_t n_cluster_ips;
    const char *type; // +protobuf=4 +goType=v1.ServiceType
    // +json=externalIPs
    // +listType=atomic
    const char *const *external_ips; // +protobuf=5
    size_t n_external_ips;
    const char *session_affinity; // +protobuf=7 +goType=v1.ServiceAffinity
    // +json=loadBalancerIP
    const char *load_balancer_ip; // +protobuf=8
    // +listType=atomic
    const char *const *load_balancer_source_ranges; // +protobuf=9
    size_t n_load_balancer_source_ranges;
    const char *external_name; // +protobuf=10
    // +goType=v1.ServiceExternalTrafficPolicy
    const char *external_traffic_policy; // +protobuf=11
    int32_t health_check_node_port; // +protobuf=12
    bool publish_not_ready_addresses; // +protobuf=13
    // +protobuf=14
    const struct core_v1_session_affinity_config *session_affinity_config;
    // +listType=atomic
    const char *const *ip_families; // +protobuf=19 +goType=[]v1.IPFamily
    size_t n_ip_families;
    // +json=,pointer
    const char *ip_family_policy; // +protobuf=17 +goType=v1.IPFamilyPolicy
    const bool *allocate_load_balancer_node_ports; // +protobuf=20
    // +json=,pointer
    const char *load_balancer_class; // +protobuf=21
    // +json=,pointer
    // +goType=v1.ServiceInternalTrafficPolicy
    const char *internal_traffic_policy; // +protobuf=22
    // +json=,pointer
    const char *traffic_distribution; // +protobuf=23
};

struct core_v1_port_status {
    // +required
    int32_t port; // +protobuf=1
    // +required
    const char *protocol; // +protobuf=2 +goType=v1.Protocol
    // +json=,pointer
    const char *error; // +protobuf=3
};

struct core_v1_load_balancer_ingress {
    const char *ip; // +protobuf=1
    const char *hostname; // +protobuf=2
    // +json=,pointer
    const char *ip_mode; // +protobuf=3 +goType=v1.LoadBalancerIPMode
    // +listType=atomic
    const struct core_v1_port_status *ports; // +protobuf=4
    size_t n_ports;
};

struct core_v1_load_balancer_status {
    // +listType=atomic
    const struct core_v1_load_balancer_ingress *ingress; // +protobuf=1
    size_t n_ingress;
};

struct core_v1_service_status {
    struct core_v1_load_balancer_status load_balancer; // +protobuf=1
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct yl_meta_condition *conditions; // +protobuf=2
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:shortName=svc,categories=all
// +kubebuilder:subresource:status
struct core_v1_service {
    struct yl_object_meta metadata; // +protobuf=1
    struct core_v1_service_spec spec; // +protobuf=2
    struct core_v1_service_status status; // +protobuf=3
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=sa
struct core_v1_service_account {
    struct yl_object_meta metadata; // +protobuf=1
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct core_v1_object_reference *secrets; // +protobuf=2
    size_t n_secrets;
    // +listType=atomic
    // +protobuf=3
    const struct core_v1_local_object_reference *image_pull_secrets;
    size_t n_image_pull_secrets;
    const bool *automount_service_account_token; // +protobuf=4
};

struct core_v1_topology_selector_label_requirement {
    // +required
    const char *key; // +protobuf=1
    // +required
    // +listType=atomic
    const char *const *values; // +protobuf=2
    size_t n_values;
};

// +structType=atomic
struct core_v1_topology_selector_term {
    // +listType=atomic
    // +protobuf=1
    const struct core_v1_topology_selector_label_requirement
        *match_label_expressions;
    size_t n_match_label_expressions;
};

#endif /* core_v1_types.h */
