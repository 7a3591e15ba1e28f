#ifndef CERTIFICATES_V1_TYPES_H
#define CERTIFICATES_V1_TYPES_H 1

/* Types of certificates.k8s.io/v1, which yuloh-gen reads. */

// +groupName=certificates.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.certificates.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct certificates_v1_certificate_signing_request_spec {
    // +required
    struct yl_bytes request; // +protobuf=1
    // +required
    const char *signer_name; // +protobuf=7
    const int32_t *expiration_seconds; // +protobuf=8
    // +listType=atomic
    const char *const *usages; // +protobuf=5 +goType=[]v1.KeyUsage
    size_t n_usages;
    const char *username; // +protobuf=2
    const char *uid; // +protobuf=3
    // +listType=atomic
    const char *const *groups; // +protobuf=4
    size_t n_groups;
    // +goType=map[string]v1.ExtraValue
    const struct yl_strings_pair *extra; // +protobuf=6
    size_t n_extra;
};

struct certificates_v1_certificate_signing_request_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.RequestConditionType
    // +required
    const char *status; // +protobuf=6 +goType=v1.ConditionStatus
    const char *reason; // +protobuf=2
    const char *message; // +protobuf=3
    // +json=,omitempty
    struct yl_time last_update_time; // +protobuf=4
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=5
};

struct certificates_v1_certificate_signing_request_status {
    // +listType=map
    // +listMapKey=type
    // +protobuf=1
    const struct certificates_v1_certificate_signing_request_condition
        *conditions;
    size_t n_conditions;
    struct yl_bytes certificate; // +protobuf=2
};

// +genclient
// +kubebuilder:resource:shortName=csr,scope=Cluster
// +kubebuilder:subresource:status
struct certificates_v1_certificate_signing_request {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +protobuf=2
    struct certificates_v1_certificate_signing_request_spec spec;
    // +protobuf=3
    struct certificates_v1_certificate_signing_request_status status;
};

#endif /* certificates_v1_types.h */
