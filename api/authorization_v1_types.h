#ifndef AUTHORIZATION_V1_TYPES_H
#define AUTHORIZATION_V1_TYPES_H 1

/* Types of authorization.k8s.io/v1, which yuloh-gen reads. */

// +groupName=authorization.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.authorization.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct authorization_v1_field_selector_attributes {
    const char *raw_selector; // +protobuf=1
    // +listType=atomic
    const struct yl_field_selector_requirement *requirements; // +protobuf=2
    size_t n_requirements;
};

struct authorization_v1_label_selector_attributes {
    const char *raw_selector; // +protobuf=1
    // +listType=atomic
    const struct yl_label_selector_requirement *requirements; // +protobuf=2
    size_t n_requirements;
};

struct authorization_v1_resource_attributes {
    const char *namespace_; // +protobuf=1
    const char *verb; // +protobuf=2
    const char *group; // +protobuf=3
    const char *version; // +protobuf=4
    const char *resource; // +protobuf=5
    const char *subresource; // +protobuf=6
    const char *name; // +protobuf=7
    // +protobuf=8
    const struct authorization_v1_field_selector_attributes *field_selector;
    // +protobuf=9
    const struct authorization_v1_label_selector_attributes *label_selector;
};

struct authorization_v1_non_resource_attributes {
    const char *path; // +protobuf=1
    const char *verb; // +protobuf=2
};

struct authorization_v1_subject_access_review_spec {
    // +protobuf=1
    const struct authorization_v1_resource_attributes *resource_attributes;
    // +protobuf=2
    const struct authorization_v1_non_resource_attributes
        *non_resource_attributes;
    const char *user; // +protobuf=3
    // +listType=atomic
    const char *const *groups; // +protobuf=4
    size_t n_groups;
    // +goType=map[string]v1.ExtraValue
    const struct yl_strings_pair *extra; // +protobuf=5
    size_t n_extra;
    const char *uid; // +protobuf=6
};

struct authorization_v1_subject_access_review_status {
    // +required
    bool allowed; // +protobuf=1
    bool denied; // +protobuf=4
    const char *reason; // +protobuf=2
    const char *evaluation_error; // +protobuf=3
};

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
struct authorization_v1_local_subject_access_review {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct authorization_v1_subject_access_review_spec spec; // +protobuf=2
    struct authorization_v1_subject_access_review_status status; // +protobuf=3
};

struct authorization_v1_self_subject_access_review_spec {
    // +protobuf=1
    const struct authorization_v1_resource_attributes *resource_attributes;
    // +protobuf=2
    const struct authorization_v1_non_resource_attributes
        *non_resource_attributes;
};

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
// +kubebuilder:resource:scope=Cluster
struct authorization_v1_self_subject_access_review {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +protobuf=2
    struct authorization_v1_self_subject_access_review_spec spec;
    struct authorization_v1_subject_access_review_status status; // +protobuf=3
};

struct authorization_v1_self_subject_rules_review_spec {
    const char *namespace_; // +protobuf=1
};

struct authorization_v1_resource_rule {
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
};

struct authorization_v1_non_resource_rule {
    // +required
    // +listType=atomic
    const char *const *verbs; // +protobuf=1
    size_t n_verbs;
    // +json=nonResourceURLs
    // +listType=atomic
    const char *const *non_resource_urls; // +protobuf=2
    size_t n_non_resource_urls;
};

struct authorization_v1_subject_rules_review_status {
    // +required
    // +listType=atomic
    const struct authorization_v1_resource_rule *resource_rules; // +protobuf=1
    size_t n_resource_rules;
    // +required
    // +listType=atomic
    // +protobuf=2
    const struct authorization_v1_non_resource_rule *non_resource_rules;
    size_t n_non_resource_rules;
    // +required
    bool incomplete; // +protobuf=3
    const char *evaluation_error; // +protobuf=4
};

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
// +kubebuilder:resource:scope=Cluster
struct authorization_v1_self_subject_rules_review {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct authorization_v1_self_subject_rules_review_spec spec; // +protobuf=2
    struct authorization_v1_subject_rules_review_status status; // +protobuf=3
};

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
// +kubebuilder:resource:scope=Cluster
struct authorization_v1_subject_access_review {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct authorization_v1_subject_access_review_spec spec; // +protobuf=2
    struct authorization_v1_subject_access_review_status status; // +protobuf=3
};

#endif /* authorization_v1_types.h */
