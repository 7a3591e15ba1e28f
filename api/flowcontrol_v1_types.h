#ifndef FLOWCONTROL_V1_TYPES_H
#define FLOWCONTROL_V1_TYPES_H 1

/* Types of flowcontrol.apiserver.k8s.io/v1, which yuloh-gen reads. */

// +groupName=flowcontrol.apiserver.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.flowcontrol.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct flowcontrol_v1_priority_level_configuration_reference {
    // +required
    const char *name; // +protobuf=1
};

struct flowcontrol_v1_flow_distinguisher_method {
    // +required
    const char *type; // +protobuf=1 +goType=v1.FlowDistinguisherMethodType
};

struct flowcontrol_v1_user_subject {
    // +required
    const char *name; // +protobuf=1
};

struct flowcontrol_v1_group_subject {
    // +required
    const char *name; // +protobuf=1
};

struct flowcontrol_v1_service_account_subject {
    // +required
    const char *namespace_; // +protobuf=1
    // +required
    const char *name; // +protobuf=2
};

// +schema={"x-kubernetes-unions":[{"discriminator":"kind","fields-to-discriminateBy":{"group":"Group","serviceAccount":"ServiceAccount","user":"User"}}]}
struct flowcontrol_v1_subject {
    // +required
    const char *kind; // +protobuf=1 +goType=v1.SubjectKind
    const struct flowcontrol_v1_user_subject *user; // +protobuf=2
    const struct flowcontrol_v1_group_subject *group; // +protobuf=3
    // +protobuf=4
    const struct flowcontrol_v1_service_account_subject *service_account;
};

struct flowcontrol_v1_resource_policy_rule {
    // +required
    // +listType=set
    const char *const *verbs; // +protobuf=1
    size_t n_verbs;
    // +required
    // +listType=set
    const char *const *api_groups; // +protobuf=2
    size_t n_api_groups;
    // +required
    // +listType=set
    const char *const *resources; // +protobuf=3
    size_t n_resources;
    bool cluster_scope; // +protobuf=4
    // +json=,always
    // +listType=set
    const char *const *namespaces; // +protobuf=5
    size_t n_namespaces;
};

struct flowcontrol_v1_non_resource_policy_rule {
    // +required
    // +listType=set
    const char *const *verbs; // +protobuf=1
    size_t n_verbs;
    // +required
    // +json=nonResourceURLs
    // +listType=set
    const char *const *non_resource_urls; // +protobuf=6
    size_t n_non_resource_urls;
};

struct flowcontrol_v1_policy_rules_with_subjects {
    // +required
    // +listType=atomic
    const struct flowcontrol_v1_subject *subjects; // +protobuf=1
    size_t n_subjects;
    // +listType=atomic
    // +protobuf=2
    const struct flowcontrol_v1_resource_policy_rule *resource_rules;
    size_t n_resource_rules;
    // +listType=atomic
    // +protobuf=3
    const struct flowcontrol_v1_non_resource_policy_rule *non_resource_rules;
    size_t n_non_resource_rules;
};

struct flowcontrol_v1_flow_schema_spec {
    // +required
    // +protobuf=1
    struct flowcontrol_v1_priority_level_configuration_reference
        priority_level_configuration;
    // +json=,always
    int32_t matching_precedence; // +protobuf=2
    // +protobuf=3
    const struct flowcontrol_v1_flow_distinguisher_method
        *distinguisher_method;
    // +listType=atomic
    // +protobuf=4
    const struct flowcontrol_v1_policy_rules_with_subjects *rules;
    size_t n_rules;
};

struct flowcontrol_v1_flow_schema_condition {
    const char *type; // +protobuf=1 +goType=v1.FlowSchemaConditionType
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct flowcontrol_v1_flow_schema_status {
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    // +protobuf=1
    const struct flowcontrol_v1_flow_schema_condition *conditions;
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status
struct flowcontrol_v1_flow_schema {
    struct yl_object_meta metadata; // +protobuf=1
    struct flowcontrol_v1_flow_schema_spec spec; // +protobuf=2
    struct flowcontrol_v1_flow_schema_status status; // +protobuf=3
};

struct flowcontrol_v1_queuing_configuration {
    // +json=,always
    int32_t queues; // +protobuf=1
    // +json=,always
    int32_t hand_size; // +protobuf=2
    // +json=,always
    int32_t queue_length_limit; // +protobuf=3
};

// +schema={"x-kubernetes-unions":[{"discriminator":"type","fields-to-discriminateBy":{"queuing":"Queuing"}}]}
struct flowcontrol_v1_limit_response {
    // +required
    const char *type; // +protobuf=1 +goType=v1.LimitResponseType
    const struct flowcontrol_v1_queuing_configuration *queuing; // +protobuf=2
};

struct flowcontrol_v1_limited_priority_level_configuration {
    // +json=,always
    const int32_t *nominal_concurrency_shares; // +protobuf=1
    struct flowcontrol_v1_limit_response limit_response; // +protobuf=2
    const int32_t *lendable_percent; // +protobuf=3
    const int32_t *borrowing_limit_percent; // +protobuf=4
};

struct flowcontrol_v1_exempt_priority_level_configuration {
    const int32_t *nominal_concurrency_shares; // +protobuf=1
    const int32_t *lendable_percent; // +protobuf=2
};

// +schema={"x-kubernetes-unions":[{"discriminator":"type","fields-to-discriminateBy":{"exempt":"Exempt","limited":"Limited"}}]}
struct flowcontrol_v1_priority_level_configuration_spec {
    // +required
    const char *type; // +protobuf=1 +goType=v1.PriorityLevelEnablement
    // +protobuf=2
    const struct flowcontrol_v1_limited_priority_level_configuration *limited;
    // +protobuf=3
    const struct flowcontrol_v1_exempt_priority_level_configuration *exempt;
};

struct flowcontrol_v1_priority_level_configuration_condition {
    // +goType=v1.PriorityLevelConfigurationConditionType
    const char *type; // +protobuf=1
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
};

struct flowcontrol_v1_priority_level_configuration_status {
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    // +protobuf=1
    const struct flowcontrol_v1_priority_level_configuration_condition
        *conditions;
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status
struct flowcontrol_v1_priority_level_configuration {
    struct yl_object_meta metadata; // +protobuf=1
    // +protobuf=2
    struct flowcontrol_v1_priority_level_configuration_spec spec;
    // +protobuf=3
    struct flowcontrol_v1_priority_level_configuration_status status;
};

#endif /* flowcontrol_v1_types.h */
