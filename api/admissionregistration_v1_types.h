#ifndef ADMISSIONREGISTRATION_V1_TYPES_H
#define ADMISSIONREGISTRATION_V1_TYPES_H 1

/* Types of admissionregistration.k8s.io/v1, which yuloh-gen reads. */

// +groupName=admissionregistration.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.admissionregistration.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

// +structType=atomic
struct admissionregistration_v1_param_kind {
    const char *api_version; // +protobuf=1
    const char *kind; // +protobuf=2
};

// +structType=atomic
// +embeds:name=RuleWithOperations,protobuf=2,first=operations,last=scope
// +embeds:name=Rule,protobuf=2,first=apiGroups,last=scope
struct admissionregistration_v1_named_rule_with_operations {
    // +listType=atomic
    const char *const *resource_names; // +protobuf=1
    size_t n_resource_names;
    // +listType=atomic
    const char *const *operations; // +protobuf=1 +goType=[]v1.OperationType
    size_t n_operations;
    // +listType=atomic
    const char *const *api_groups; // +protobuf=1
    size_t n_api_groups;
    // +listType=atomic
    const char *const *api_versions; // +protobuf=2
    size_t n_api_versions;
    // +listType=atomic
    const char *const *resources; // +protobuf=3
    size_t n_resources;
    // +json=,pointer
    const char *scope; // +protobuf=4 +goType=v1.ScopeType
};

// +structType=atomic
struct admissionregistration_v1_match_resources {
    const struct yl_label_selector *namespace_selector; // +protobuf=1
    const struct yl_label_selector *object_selector; // +protobuf=2
    // +listType=atomic
    // +protobuf=3
    const struct admissionregistration_v1_named_rule_with_operations
        *resource_rules;
    size_t n_resource_rules;
    // +listType=atomic
    // +protobuf=4
    const struct admissionregistration_v1_named_rule_with_operations
        *exclude_resource_rules;
    size_t n_exclude_resource_rules;
    // +json=,pointer
    const char *match_policy; // +protobuf=7 +goType=v1.MatchPolicyType
};

// +structType=atomic
struct admissionregistration_v1_variable {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *expression; // +protobuf=2
};

struct admissionregistration_v1_apply_configuration {
    const char *expression; // +protobuf=1
};

// +typeName=JSONPatch
struct admissionregistration_v1_json_patch {
    const char *expression; // +protobuf=1
};

struct admissionregistration_v1_mutation {
    // +required
    const char *patch_type; // +protobuf=2 +goType=v1.PatchType
    // +protobuf=3
    const struct admissionregistration_v1_apply_configuration
        *apply_configuration;
    // +protobuf=4
    const struct admissionregistration_v1_json_patch *json_patch;
};

struct admissionregistration_v1_match_condition {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *expression; // +protobuf=2
};

struct admissionregistration_v1_mutating_admission_policy_spec {
    // +protobuf=1
    const struct admissionregistration_v1_param_kind *param_kind;
    // +protobuf=2
    const struct admissionregistration_v1_match_resources *match_constraints;
    // +listType=atomic
    const struct admissionregistration_v1_variable *variables; // +protobuf=3
    size_t n_variables;
    // +listType=atomic
    const struct admissionregistration_v1_mutation *mutations; // +protobuf=4
    size_t n_mutations;
    // +json=,pointer
    const char *failure_policy; // +protobuf=5 +goType=v1.FailurePolicyType
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=6
    const struct admissionregistration_v1_match_condition *match_conditions;
    size_t n_match_conditions;
    // +goType=v1.ReinvocationPolicyType
    const char *reinvocation_policy; // +protobuf=7
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:categories=api-extensions,scope=Cluster
struct admissionregistration_v1_mutating_admission_policy {
    struct yl_object_meta metadata; // +protobuf=1
    // +protobuf=2
    struct admissionregistration_v1_mutating_admission_policy_spec spec;
};

// +structType=atomic
struct admissionregistration_v1_param_ref {
    const char *name; // +protobuf=1
    const char *namespace_; // +protobuf=2
    const struct yl_label_selector *selector; // +protobuf=3
    // +json=,pointer
    // +goType=v1.ParameterNotFoundActionType
    const char *parameter_not_found_action; // +protobuf=4
};

struct admissionregistration_v1_mutating_admission_policy_binding_spec {
    const char *policy_name; // +protobuf=1
    const struct admissionregistration_v1_param_ref *param_ref; // +protobuf=2
    // +protobuf=3
    const struct admissionregistration_v1_match_resources *match_resources;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:categories=api-extensions,scope=Cluster
struct admissionregistration_v1_mutating_admission_policy_binding {
    struct yl_object_meta metadata; // +protobuf=1
    // +protobuf=2
    struct admissionregistration_v1_mutating_admission_policy_binding_spec
        spec;
};

struct admissionregistration_v1_service_reference {
    // +required
    const char *namespace_; // +protobuf=1
    // +required
    const char *name; // +protobuf=2
    // +json=,pointer
    const char *path; // +protobuf=3
    const int32_t *port; // +protobuf=4
};

struct admissionregistration_v1_webhook_client_config {
    // +json=,pointer
    const char *url; // +protobuf=3
    // +protobuf=1
    const struct admissionregistration_v1_service_reference *service;
    struct yl_bytes ca_bundle; // +protobuf=2
};

// +embeds:name=Rule,protobuf=2,first=apiGroups,last=scope
struct admissionregistration_v1_rule_with_operations {
    // +listType=atomic
    const char *const *operations; // +protobuf=1 +goType=[]v1.OperationType
    size_t n_operations;
    // +listType=atomic
    const char *const *api_groups; // +protobuf=1
    size_t n_api_groups;
    // +listType=atomic
    const char *const *api_versions; // +protobuf=2
    size_t n_api_versions;
    // +listType=atomic
    const char *const *resources; // +protobuf=3
    size_t n_resources;
    // +json=,pointer
    const char *scope; // +protobuf=4 +goType=v1.ScopeType
};

struct admissionregistration_v1_mutating_webhook {
    // +required
    const char *name; // +protobuf=1
    // +required
    // +protobuf=2
    struct admissionregistration_v1_webhook_client_config client_config;
    // +listType=atomic
    // +protobuf=3
    const struct admissionregistration_v1_rule_with_operations *rules;
    size_t n_rules;
    // +json=,pointer
    const char *failure_policy; // +protobuf=4 +goType=v1.FailurePolicyType
    // +json=,pointer
    const char *match_policy; // +protobuf=9 +goType=v1.MatchPolicyType
    const struct yl_label_selector *namespace_selector; // +protobuf=5
    const struct yl_label_selector *object_selector; // +protobuf=11
    // +required
    // +json=,pointer,always
    const char *side_effects; // +protobuf=6 +goType=v1.SideEffectClass
    const int32_t *timeout_seconds; // +protobuf=7
    // +required
    // +listType=atomic
    const char *const *admission_review_versions; // +protobuf=8
    size_t n_admission_review_versions;
    // +json=,pointer
    // +goType=v1.ReinvocationPolicyType
    const char *reinvocation_policy; // +protobuf=10
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=12
    const struct admissionregistration_v1_match_condition *match_conditions;
    size_t n_match_conditions;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:categories=api-extensions,scope=Cluster
struct admissionregistration_v1_mutating_webhook_configuration {
    struct yl_object_meta metadata; // +protobuf=1
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=2
    const struct admissionregistration_v1_mutating_webhook *webhooks;
    size_t n_webhooks;
};

struct admissionregistration_v1_validation {
    // +required
    const char *expression; // +protobuf=1
    const char *message; // +protobuf=2
    // +json=,pointer
    const char *reason; // +protobuf=3 +goType=v1.StatusReason
    const char *message_expression; // +protobuf=4
};

struct admissionregistration_v1_audit_annotation {
    // +required
    const char *key; // +protobuf=1
    // +required
    const char *value_expression; // +protobuf=2
};

struct admissionregistration_v1_validating_admission_policy_spec {
    // +protobuf=1
    const struct admissionregistration_v1_param_kind *param_kind;
    // +protobuf=2
    const struct admissionregistration_v1_match_resources *match_constraints;
    // +listType=atomic
    // +protobuf=3
    const struct admissionregistration_v1_validation *validations;
    size_t n_validations;
    // +json=,pointer
    const char *failure_policy; // +protobuf=4 +goType=v1.FailurePolicyType
    // +listType=atomic
    // +protobuf=5
    const struct admissionregistration_v1_audit_annotation *audit_annotations;
    size_t n_audit_annotations;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=6
    const struct admissionregistration_v1_match_condition *match_conditions;
    size_t n_match_conditions;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    const struct admissionregistration_v1_variable *variables; // +protobuf=7
    size_t n_variables;
};

struct admissionregistration_v1_expression_warning {
    // +required
    const char *field_ref; // +protobuf=2
    // +required
    const char *warning; // +protobuf=3
};

struct admissionregistration_v1_type_checking {
    // +listType=atomic
    // +protobuf=1
    const struct admissionregistration_v1_expression_warning
        *expression_warnings;
    size_t n_expression_warnings;
};

struct admissionregistration_v1_validating_admission_policy_status {
    int64_t observed_generation; // +protobuf=1
    // +protobuf=2
    const struct admissionregistration_v1_type_checking *type_checking;
    // +listType=map
    // +listMapKey=type
    const struct yl_meta_condition *conditions; // +protobuf=3
    size_t n_conditions;
};

// +genclient
// +kubebuilder:resource:categories=api-extensions,scope=Cluster
// +kubebuilder:subresource:status
struct admissionregistration_v1_validating_admission_policy {
    struct yl_object_meta metadata; // +protobuf=1
    // +protobuf=2
    struct admissionregistration_v1_validating_admission_policy_spec spec;
    // +protobuf=3
    struct admissionregistration_v1_validating_admission_policy_status status;
};

struct admissionregistration_v1_validating_admission_policy_binding_spec {
    // +required
    // +json=,omitempty
    const char *policy_name; // +protobuf=1
    const struct admissionregistration_v1_param_ref *param_ref; // +protobuf=2
    // +protobuf=3
    const struct admissionregistration_v1_match_resources *match_resources;
    // +required
    // +json=,omitempty
    // +listType=set
    // +goType=[]v1.ValidationAction
    const char *const *validation_actions; // +protobuf=4
    size_t n_validation_actions;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:categories=api-extensions,scope=Cluster
struct admissionregistration_v1_validating_admission_policy_binding {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +json=,omitempty
    // +protobuf=2
    struct admissionregistration_v1_validating_admission_policy_binding_spec
        spec;
};

struct admissionregistration_v1_validating_webhook {
    // +required
    const char *name; // +protobuf=1
    // +required
    // +protobuf=2
    struct admissionregistration_v1_webhook_client_config client_config;
    // +listType=atomic
    // +protobuf=3
    const struct admissionregistration_v1_rule_with_operations *rules;
    size_t n_rules;
    // +json=,pointer
    const char *failure_policy; // +protobuf=4 +goType=v1.FailurePolicyType
    // +json=,pointer
    const char *match_policy; // +protobuf=9 +goType=v1.MatchPolicyType
    const struct yl_label_selector *namespace_selector; // +protobuf=5
    const struct yl_label_selector *object_selector; // +protobuf=10
    // +required
    // +json=,pointer,always
    const char *side_effects; // +protobuf=6 +goType=v1.SideEffectClass
    const int32_t *timeout_seconds; // +protobuf=7
    // +required
    // +listType=atomic
    const char *const *admission_review_versions; // +protobuf=8
    size_t n_admission_review_versions;
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=11
    const struct admissionregistration_v1_match_condition *match_conditions;
    size_t n_match_conditions;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:categories=api-extensions,scope=Cluster
struct admissionregistration_v1_validating_webhook_configuration {
    struct yl_object_meta metadata; // +protobuf=1
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    // +protobuf=2
    const struct admissionregistration_v1_validating_webhook *webhooks;
    size_t n_webhooks;
};

#endif /* admissionregistration_v1_types.h */
