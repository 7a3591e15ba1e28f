#ifndef RBAC_V1_TYPES_H
#define RBAC_V1_TYPES_H 1

/* Types of rbac.authorization.k8s.io/v1, which yuloh-gen reads. */

// +groupName=rbac.authorization.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.rbac.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct rbac_v1_policy_rule {
    // +required
    // +listType=atomic
    const char *const *verbs; // +protobuf=1
    size_t n_verbs;
    // +listType=atomic
    const char *const *api_groups; // +protobuf=2
    size_t n_api_groups;
    // +listType=atomic
    const char *const *resources; // +protobuf=3
    size_t n_resources;
    // +listType=atomic
    const char *const *resource_names; // +protobuf=4
    size_t n_resource_names;
    // +json=nonResourceURLs
    // +listType=atomic
    const char *const *non_resource_urls; // +protobuf=5
    size_t n_non_resource_urls;
};

struct rbac_v1_aggregation_rule {
    // +listType=atomic
    const struct yl_label_selector *cluster_role_selectors; // +protobuf=1
    size_t n_cluster_role_selectors;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct rbac_v1_cluster_role {
    struct yl_object_meta metadata; // +protobuf=1
    // +json=,always
    // +listType=atomic
    const struct rbac_v1_policy_rule *rules; // +protobuf=2
    size_t n_rules;
    const struct rbac_v1_aggregation_rule *aggregation_rule; // +protobuf=3
};

// +structType=atomic
struct rbac_v1_subject {
    // +required
    const char *kind; // +protobuf=1
    const char *api_group; // +protobuf=2
    // +required
    const char *name; // +protobuf=3
    const char *namespace_; // +protobuf=4
};

// +structType=atomic
struct rbac_v1_role_ref {
    // +json=,always
    const char *api_group; // +protobuf=1
    // +required
    const char *kind; // +protobuf=2
    // +required
    const char *name; // +protobuf=3
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct rbac_v1_cluster_role_binding {
    struct yl_object_meta metadata; // +protobuf=1
    // +listType=atomic
    const struct rbac_v1_subject *subjects; // +protobuf=2
    size_t n_subjects;
    // +required
    struct rbac_v1_role_ref role_ref; // +protobuf=3
};

// +genclient
// +genclient:noStatus
struct rbac_v1_role {
    struct yl_object_meta metadata; // +protobuf=1
    // +json=,always
    // +listType=atomic
    const struct rbac_v1_policy_rule *rules; // +protobuf=2
    size_t n_rules;
};

// +genclient
// +genclient:noStatus
struct rbac_v1_role_binding {
    struct yl_object_meta metadata; // +protobuf=1
    // +listType=atomic
    const struct rbac_v1_subject *subjects; // +protobuf=2
    size_t n_subjects;
    // +required
    struct rbac_v1_role_ref role_ref; // +protobuf=3
};

#endif /* rbac_v1_types.h */
