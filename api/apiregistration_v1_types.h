#ifndef APIREGISTRATION_V1_TYPES_H
#define APIREGISTRATION_V1_TYPES_H 1

/* Types of apiregistration.k8s.io/v1, which yuloh-gen reads. */

// +groupName=apiregistration.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.kube-aggregator.pkg.apis.apiregistration.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct apiregistration_v1_service_reference {
    const char *namespace_; // +protobuf=1
    const char *name; // +protobuf=2
    const int32_t *port; // +protobuf=3
};

// +typeName=APIServiceSpec
struct apiregistration_v1_api_service_spec {
    const struct apiregistration_v1_service_reference *service; // +protobuf=1
    const char *group; // +protobuf=2
    const char *version; // +protobuf=3
    // +json=insecureSkipTLSVerify
    bool insecure_skip_tls_verify; // +protobuf=4
    // +schema={"x-kubernetes-list-type":"atomic"}
    struct yl_bytes ca_bundle; // +protobuf=5
    // +required
    int32_t group_priority_minimum; // +protobuf=7
    // +required
    int32_t version_priority; // +protobuf=8
};

// +typeName=APIServiceCondition
struct apiregistration_v1_api_service_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.APIServiceConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

// +typeName=APIServiceStatus
struct apiregistration_v1_api_service_status {
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    // +protobuf=1
    const struct apiregistration_v1_api_service_condition *conditions;
    size_t n_conditions;
};

// +kind=APIService
// +genclient
// +kubebuilder:resource:categories=api-extensions,scope=Cluster
// +kubebuilder:subresource:status
struct apiregistration_v1_api_service {
    struct yl_object_meta metadata; // +protobuf=1
    struct apiregistration_v1_api_service_spec spec; // +protobuf=2
    struct apiregistration_v1_api_service_status status; // +protobuf=3
};

#endif /* apiregistration_v1_types.h */
