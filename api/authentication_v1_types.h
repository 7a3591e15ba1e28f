#ifndef AUTHENTICATION_V1_TYPES_H
#define AUTHENTICATION_V1_TYPES_H 1

/* Types of authentication.k8s.io/v1, which yuloh-gen reads. */

// +groupName=authentication.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.authentication.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct authentication_v1_user_info {
    const char *username; // +protobuf=1
    const char *uid; // +protobuf=2
    // +listType=atomic
    const char *const *groups; // +protobuf=3
    size_t n_groups;
    // +goType=map[string]v1.ExtraValue
    const struct yl_strings_pair *extra; // +protobuf=4
    size_t n_extra;
};

struct authentication_v1_self_subject_review_status {
    struct authentication_v1_user_info user_info; // +protobuf=1
};

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
// +kubebuilder:resource:scope=Cluster
struct authentication_v1_self_subject_review {
    struct yl_object_meta metadata; // +protobuf=1
    struct authentication_v1_self_subject_review_status status; // +protobuf=2
};

struct authentication_v1_bound_object_reference {
    const char *kind; // +protobuf=1
    const char *api_version; // +protobuf=2
    const char *name; // +protobuf=3
    const char *uid; // +protobuf=4 +goType=types.UID
};

struct authentication_v1_token_request_spec {
    // +json=,always
    // +listType=atomic
    const char *const *audiences; // +protobuf=1
    size_t n_audiences;
    // +json=,always
    const int64_t *expiration_seconds; // +protobuf=4
    // +json=,always
    // +protobuf=3
    const struct authentication_v1_bound_object_reference *bound_object_ref;
};

struct authentication_v1_token_request_status {
    // +json=,always
    const char *token; // +protobuf=1
    // +json=,always
    struct yl_time expiration_timestamp; // +protobuf=2
};

// +kind=TokenRequest
// +kubebuilder:resource:path=""
struct authentication_v1_token_request {
    struct yl_object_meta metadata; // +protobuf=1
    // +json=,always
    struct authentication_v1_token_request_spec spec; // +protobuf=2
    struct authentication_v1_token_request_status status; // +protobuf=3
};

struct authentication_v1_token_review_spec {
    // +required
    // +json=,omitempty
    const char *token; // +protobuf=1
    // +listType=atomic
    const char *const *audiences; // +protobuf=2
    size_t n_audiences;
};

struct authentication_v1_token_review_status {
    bool authenticated; // +protobuf=1
    struct authentication_v1_user_info user; // +protobuf=2
    // +listType=atomic
    const char *const *audiences; // +protobuf=4
    size_t n_audiences;
    const char *error; // +protobuf=3
};

// +genclient
// +genclient:noStatus
// +genclient:onlyVerbs=create
// +kubebuilder:resource:scope=Cluster
struct authentication_v1_token_review {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    struct authentication_v1_token_review_spec spec; // +protobuf=2
    struct authentication_v1_token_review_status status; // +protobuf=3
};

#endif /* authentication_v1_types.h */
