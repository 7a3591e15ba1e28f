#ifndef ANSWERS_V1_TYPES_H
#define ANSWERS_V1_TYPES_H 1

/* What servers answer with that is no object: Statuses, metadata alone,
 * discovery.  Answers in protobuf need their numbers. */

// +groupName=meta.k8s.io
// +version=v1
// +output=answers_v1
// +k8s:openapi-model-package=io.k8s.apimachinery.pkg.apis.meta.v1
// +internal:none
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

// +typeName=StatusCause
struct answers_v1_status_cause {
    const char *reason; // +protobuf=1 +goType=v1.CauseType
    const char *message; // +protobuf=2
    const char *field; // +protobuf=3
};

// +typeName=StatusDetails
struct answers_v1_status_details {
    const char *name; // +protobuf=1
    const char *group; // +protobuf=2
    const char *kind; // +protobuf=3
    const char *uid; // +protobuf=6 +goType=types.UID
    const struct answers_v1_status_cause *causes; // +protobuf=4
    size_t n_causes;
    int32_t retry_after_seconds; // +protobuf=5
};

// +typeName=Status
struct answers_v1_status {
    struct yl_list_meta metadata; // +protobuf=1
    const char *status; // +protobuf=2
    const char *message; // +protobuf=3
    const char *reason; // +protobuf=4 +goType=v1.StatusReason
    const struct answers_v1_status_details *details; // +protobuf=5
    int32_t code; // +protobuf=6
};

// +typeName=PartialObjectMetadata
struct answers_v1_partial_object_metadata {
    struct yl_object_meta metadata; // +protobuf=1
};

// +typeName=PartialObjectMetadataList
struct answers_v1_partial_object_metadata_list {
    struct yl_list_meta metadata; // +protobuf=1
    // +protobuf=2
    const struct answers_v1_partial_object_metadata *items;
    size_t n_items;
};

// +typeName=ServerAddressByClientCIDR
struct answers_v1_server_address_by_client_cidr {
    // +json=clientCIDR
    const char *client_cidr; // +protobuf=1
    const char *server_address; // +protobuf=2
};

// +typeName=APIVersions
struct answers_v1_api_versions {
    const char *const *versions; // +protobuf=1
    size_t n_versions;
    // +json=serverAddressByClientCIDRs
    // +protobuf=2
    const struct answers_v1_server_address_by_client_cidr *server_addresses;
    size_t n_server_addresses;
};

// +typeName=GroupVersionForDiscovery
struct answers_v1_group_version_for_discovery {
    const char *group_version; // +protobuf=1
    const char *version; // +protobuf=2
};

// +typeName=APIGroup
struct answers_v1_api_group {
    const char *name; // +protobuf=1
    // +protobuf=2
    const struct answers_v1_group_version_for_discovery *versions;
    size_t n_versions;
    // +protobuf=3
    struct answers_v1_group_version_for_discovery preferred_version;
    // +json=serverAddressByClientCIDRs
    // +protobuf=4
    const struct answers_v1_server_address_by_client_cidr *server_addresses;
    size_t n_server_addresses;
};

// +typeName=APIGroupList
struct answers_v1_api_group_list {
    const struct answers_v1_api_group *groups; // +protobuf=1
    size_t n_groups;
};

// +typeName=APIResource
struct answers_v1_api_resource {
    const char *name; // +protobuf=1
    const char *singular_name; // +protobuf=6
    bool namespaced; // +protobuf=2
    const char *group; // +protobuf=8
    const char *version; // +protobuf=9
    const char *kind; // +protobuf=3
    const char *const *verbs; // +protobuf=4 +goType=v1.Verbs
    size_t n_verbs;
    const char *const *short_names; // +protobuf=5
    size_t n_short_names;
    const char *const *categories; // +protobuf=7
    size_t n_categories;
    const char *storage_version_hash; // +protobuf=10
};

// +typeName=APIResourceList
struct answers_v1_api_resource_list {
    const char *group_version; // +protobuf=1
    const struct answers_v1_api_resource *resources; // +protobuf=2
    size_t n_resources;
};

// +typeName=GroupVersionKind
struct answers_v1_group_version_kind {
    const char *group; // +protobuf=1
    const char *version; // +protobuf=2
    const char *kind; // +protobuf=3
};

// +typeName=APISubresourceDiscovery
struct answers_v1_api_subresource_discovery {
    const char *subresource; // +protobuf=1
    // +protobuf=2
    const struct answers_v1_group_version_kind *response_kind;
    // +protobuf=3
    const struct answers_v1_group_version_kind *accepted_types;
    size_t n_accepted_types;
    const char *const *verbs; // +protobuf=4
    size_t n_verbs;
};

// +typeName=APIResourceDiscovery
struct answers_v1_api_resource_discovery {
    const char *resource; // +protobuf=1
    // +protobuf=2
    const struct answers_v1_group_version_kind *response_kind;
    const char *scope; // +protobuf=3
    const char *singular_resource; // +protobuf=4
    const char *const *verbs; // +protobuf=5
    size_t n_verbs;
    const char *const *short_names; // +protobuf=6
    size_t n_short_names;
    const char *const *categories; // +protobuf=7
    size_t n_categories;
    // +protobuf=8
    const struct answers_v1_api_subresource_discovery *subresources;
    size_t n_subresources;
};

// +typeName=APIVersionDiscovery
struct answers_v1_api_version_discovery {
    const char *version; // +protobuf=1
    const struct answers_v1_api_resource_discovery *resources; // +protobuf=2
    size_t n_resources;
    const char *freshness; // +protobuf=3
};

// +typeName=APIGroupDiscovery
struct answers_v1_api_group_discovery {
    struct yl_object_meta metadata; // +protobuf=1
    const struct answers_v1_api_version_discovery *versions; // +protobuf=2
    size_t n_versions;
};

// +typeName=APIGroupDiscoveryList
struct answers_v1_api_group_discovery_list {
    struct yl_list_meta metadata; // +protobuf=1
    const struct answers_v1_api_group_discovery *items; // +protobuf=2
    size_t n_items;
};

#endif /* answers_v1_types.h */
