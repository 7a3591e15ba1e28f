#ifndef APIEXTENSIONS_V1BETA1_TYPES_H
#define APIEXTENSIONS_V1BETA1_TYPES_H 1

/* Types of apiextensions.k8s.io/v1beta1, which yuloh-gen reads. */

// +groupName=apiextensions.k8s.io
// +version=v1beta1
// +k8s:openapi-model-package=io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"

struct apiextensions_v1beta1_custom_resource_definition_names {
    // +required
    const char *plural; // +protobuf=1
    const char *singular; // +protobuf=2
    // +listType=atomic
    const char *const *short_names; // +protobuf=3
    size_t n_short_names;
    // +required
    const char *kind; // +protobuf=4
    const char *list_kind; // +protobuf=5
    // +listType=atomic
    const char *const *categories; // +protobuf=6
    size_t n_categories;
};

struct apiextensions_v1beta1_external_documentation {
    const char *description; // +protobuf=1
    const char *url; // +protobuf=2
};

struct apiextensions_v1beta1_validation_rule {
    // +required
    const char *rule; // +protobuf=1
    const char *message; // +protobuf=2
    const char *message_expression; // +protobuf=3
    // +json=,pointer
    const char *reason; // +protobuf=4 +goType=v1beta1.FieldValueErrorReason
    const char *field_path; // +protobuf=5
    const bool *optional_old_self; // +protobuf=6
};

// +typeName=JSONSchemaProps
struct apiextensions_v1beta1_json_schema_props {
    const char *id; // +protobuf=1
    // +json=$schema
    // +internal:name=Schema
    const char *_schema; // +protobuf=2 +goType=v1beta1.JSONSchemaURL
    // +json=$ref,pointer
    const char *_ref; // +protobuf=3 +internal:name=Ref
    const char *description; // +protobuf=4
    const char *type; // +protobuf=5
    const char *format; // +protobuf=6
    const char *title; // +protobuf=7
    // +json=,omitzero
    // +schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSON"}
    struct yl_raw default_; // +protobuf=8 +goType=v1beta1.JSON
    // +kubebuilder:validation:Format="double"
    const double *maximum; // +protobuf=9
    bool exclusive_maximum; // +protobuf=10
    // +kubebuilder:validation:Format="double"
    const double *minimum; // +protobuf=11
    bool exclusive_minimum; // +protobuf=12
    const int64_t *max_length; // +protobuf=13
    const int64_t *min_length; // +protobuf=14
    const char *pattern; // +protobuf=15
    const int64_t *max_items; // +protobuf=16
    const int64_t *min_items; // +protobuf=17
    bool unique_items; // +protobuf=18
    // +kubebuilder:validation:Format="double"
    const double *multiple_of; // +protobuf=19
    // +listType=atomic
    // +items:schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSON"}
    const struct yl_raw *enum_; // +protobuf=20 +goType=[]v1beta1.JSON
    size_t n_enum_;
    const int64_t *max_properties; // +protobuf=21
    const int64_t *min_properties; // +protobuf=22
    // +listType=atomic
    const char *const *required; // +protobuf=23
    size_t n_required;
    // +json=,omitzero
    // +schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSONSchemaPropsOrArray"}
    struct yl_raw items; // +protobuf=24 +goType=v1beta1.JSONSchemaPropsOrArray
    // +listType=atomic
    // +protobuf=25
    const struct apiextensions_v1beta1_json_schema_props *all_of;
    size_t n_all_of;
    // +listType=atomic
    // +protobuf=26
    const struct apiextensions_v1beta1_json_schema_props *one_of;
    size_t n_one_of;
    // +listType=atomic
    // +protobuf=27
    const struct apiextensions_v1beta1_json_schema_props *any_of;
    size_t n_any_of;
    const struct apiextensions_v1beta1_json_schema_props *not_; // +protobuf=28
    // +protobuf=29
    const struct yl_pair_of_apiextensions_v1beta1_json_schema_props
        *properties;
    size_t n_properties;
    // +json=,omitzero
    // +schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSONSchemaPropsOrBool"}
    // +goType=v1beta1.JSONSchemaPropsOrBool
    struct yl_raw additional_properties; // +protobuf=30
    // +protobuf=31
    const struct yl_pair_of_apiextensions_v1beta1_json_schema_props
        *pattern_properties;
    size_t n_pattern_properties;
    // +values:schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSONSchemaPropsOrStringArray"}
    // +goType=v1beta1.JSONSchemaDependencies
    const struct yl_raw_pair *dependencies; // +protobuf=32
    size_t n_dependencies;
    // +json=,omitzero
    // +schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSONSchemaPropsOrBool"}
    // +goType=v1beta1.JSONSchemaPropsOrBool
    struct yl_raw additional_items; // +protobuf=33
    // +protobuf=34
    const struct yl_pair_of_apiextensions_v1beta1_json_schema_props
        *definitions; // +goType=v1beta1.JSONSchemaDefinitions
    size_t n_definitions;
    // +protobuf=35
    const struct apiextensions_v1beta1_external_documentation *external_docs;
    // +json=,omitzero
    // +schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.JSON"}
    struct yl_raw example; // +protobuf=36 +goType=v1beta1.JSON
    bool nullable; // +protobuf=37 +internal:after=type
    // +json=x-kubernetes-preserve-unknown-fields
    // +internal:name=XPreserveUnknownFields
    const bool *x_kubernetes_preserve_unknown_fields; // +protobuf=38
    // +json=x-kubernetes-embedded-resource
    // +internal:name=XEmbeddedResource
    bool x_kubernetes_embedded_resource; // +protobuf=39
    // +json=x-kubernetes-int-or-string
    // +internal:name=XIntOrString
    bool x_kubernetes_int_or_string; // +protobuf=40
    // +json=x-kubernetes-list-map-keys
    // +listType=atomic
    // +internal:name=XListMapKeys
    const char *const *x_kubernetes_list_map_keys; // +protobuf=41
    size_t n_x_kubernetes_list_map_keys;
    // +json=x-kubernetes-list-type,pointer
    // +internal:name=XListType
    const char *x_kubernetes_list_type; // +protobuf=42
    // +json=x-kubernetes-map-type,pointer
    const char *x_kubernetes_map_type; // +protobuf=43 +internal:name=XMapType
    // +json=x-kubernetes-validations
    // +patchStrategy=merge
    // +patchMergeKey=rule
    // +listType=map
    // +listMapKey=rule
    // +protobuf=44
    // +internal:name=XValidations
    const struct apiextensions_v1beta1_validation_rule
        *x_kubernetes_validations; // +goType=v1beta1.ValidationRules
    size_t n_x_kubernetes_validations;
};

struct apiextensions_v1beta1_custom_resource_validation {
    // +json=openAPIV3Schema
    // +protobuf=1
    const struct apiextensions_v1beta1_json_schema_props *open_apiv3_schema;
};

struct apiextensions_v1beta1_custom_resource_subresource_scale {
    // +required
    const char *spec_replicas_path; // +protobuf=1
    // +required
    const char *status_replicas_path; // +protobuf=2
    // +json=,pointer
    const char *label_selector_path; // +protobuf=3
};

struct apiextensions_v1beta1_custom_resource_subresources {
    // +json=,omitzero
    // +schema={"$ref":"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceSubresourceStatus","type":"object"}
    // +goType=v1beta1.CustomResourceSubresourceStatus
    struct yl_raw status; // +protobuf=1
    // +protobuf=2
    const struct apiextensions_v1beta1_custom_resource_subresource_scale
        *scale;
};

struct apiextensions_v1beta1_custom_resource_column_definition {
    // +required
    const char *name; // +protobuf=1
    // +required
    const char *type; // +protobuf=2
    const char *format; // +protobuf=3
    const char *description; // +protobuf=4
    int32_t priority; // +protobuf=5
    // +required
    // +json=JSONPath
    const char *json_path; // +protobuf=6
};

struct apiextensions_v1beta1_selectable_field {
    // +required
    const char *json_path; // +protobuf=1
};

struct apiextensions_v1beta1_custom_resource_definition_version {
    // +required
    const char *name; // +protobuf=1
    // +required
    bool served; // +protobuf=2
    // +required
    bool storage; // +protobuf=3
    bool deprecated; // +protobuf=7
    // +json=,pointer
    const char *deprecation_warning; // +protobuf=8
    // +protobuf=4
    const struct apiextensions_v1beta1_custom_resource_validation *schema;
    // +protobuf=5
    const struct apiextensions_v1beta1_custom_resource_subresources
        *subresources;
    // +listType=atomic
    // +protobuf=6
    const struct apiextensions_v1beta1_custom_resource_column_definition
        *additional_printer_columns;
    size_t n_additional_printer_columns;
    // +listType=atomic
    // +protobuf=9
    const struct apiextensions_v1beta1_selectable_field *selectable_fields;
    size_t n_selectable_fields;
};

struct apiextensions_v1beta1_service_reference {
    // +required
    const char *namespace_; // +protobuf=1
    // +required
    const char *name; // +protobuf=2
    // +json=,pointer
    const char *path; // +protobuf=3
    const int32_t *port; // +protobuf=4
};

struct apiextensions_v1beta1_webhook_client_config {
    // +json=,pointer
    const char *url; // +protobuf=3
    // +protobuf=1
    const struct apiextensions_v1beta1_service_reference *service;
    struct yl_bytes ca_bundle; // +protobuf=2
};

struct apiextensions_v1beta1_custom_resource_conversion {
    // +required
    const char *strategy; // +protobuf=1 +goType=v1beta1.ConversionStrategyType
    // +protobuf=2
    const struct apiextensions_v1beta1_webhook_client_config
        *webhook_client_config;
    // +listType=atomic
    const char *const *conversion_review_versions; // +protobuf=3
    size_t n_conversion_review_versions;
};

struct apiextensions_v1beta1_custom_resource_definition_spec {
    // +required
    const char *group; // +protobuf=1
    const char *version; // +protobuf=2
    // +required
    // +protobuf=3
    struct apiextensions_v1beta1_custom_resource_definition_names names;
    // +required
    const char *scope; // +protobuf=4 +goType=v1beta1.ResourceScope
    // +protobuf=5
    const struct apiextensions_v1beta1_custom_resource_validation *validation;
    // +protobuf=6
    const struct apiextensions_v1beta1_custom_resource_subresources
        *subresources;
    // +listType=atomic
    // +protobuf=7
    const struct apiextensions_v1beta1_custom_resource_definition_version
        *versions;
    size_t n_versions;
    // +listType=atomic
    // +protobuf=8
    const struct apiextensions_v1beta1_custom_resource_column_definition
        *additional_printer_columns;
    size_t n_additional_printer_columns;
    // +listType=atomic
    // +protobuf=11
    const struct apiextensions_v1beta1_selectable_field *selectable_fields;
    size_t n_selectable_fields;
    // +protobuf=9
    const struct apiextensions_v1beta1_custom_resource_conversion *conversion;
    const bool *preserve_unknown_fields; // +protobuf=10
};

struct apiextensions_v1beta1_custom_resource_definition_condition {
    // +required
    // +goType=v1beta1.CustomResourceDefinitionConditionType
    const char *type; // +protobuf=1
    // +required
    const char *status; // +protobuf=2 +goType=v1beta1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=3
    const char *reason; // +protobuf=4
    const char *message; // +protobuf=5
    int64_t observed_generation; // +protobuf=6
};

struct apiextensions_v1beta1_custom_resource_definition_status {
    // +json=,always
    // +listType=map
    // +listMapKey=type
    // +protobuf=1
    const struct apiextensions_v1beta1_custom_resource_definition_condition
        *conditions;
    size_t n_conditions;
    // +json=,always
    // +protobuf=2
    struct apiextensions_v1beta1_custom_resource_definition_names
        accepted_names;
    // +json=,always
    // +listType=atomic
    const char *const *stored_versions; // +protobuf=3
    size_t n_stored_versions;
    int64_t observed_generation; // +protobuf=4
};

// +genclient
// +kubebuilder:resource:shortName=crd;crds,categories=api-extensions,scope=Cluster
// +kubebuilder:subresource:status
struct apiextensions_v1beta1_custom_resource_definition {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +protobuf=2
    struct apiextensions_v1beta1_custom_resource_definition_spec spec;
    // +protobuf=3
    struct apiextensions_v1beta1_custom_resource_definition_status status;
};

#endif /* apiextensions_v1beta1_types.h */
