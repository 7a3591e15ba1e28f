#ifndef YL_META_TYPES_H
#define YL_META_TYPES_H 1

/* Metadata and other structs that all API groups share, as records.
 *
 * <yuloh/types.h> includes this.  Members mean what they mean in Kubernetes;
 * which empty ones are written is said by markers (docs/markers.md).
 * apiVersion and kind are in no record: the kind's descriptor holds them. */

// +groupName=meta.k8s.io
// +version=v1
// +output=meta_v1
// +include=yuloh/types.h
// +prefix=yl_
// +k8s:openapi-model-package=io.k8s.apimachinery.pkg.apis.meta.v1
// +internal:none

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/types.h"

YL_C_BEGIN

/* An owner: the object is garbage once its owners are deleted. */
// +structType=atomic
struct yl_owner_reference {
    const char *api_version;            // +protobuf=5
    const char *kind;                   // +protobuf=1
    const char *name;                   // +protobuf=3
    const char *uid;                    // +protobuf=4 +goType=types.UID
    const bool *controller;             // +protobuf=6
    const bool *block_owner_deletion;   // +protobuf=7
};

/* Which fields a manager owns. */
struct yl_managed_fields_entry {
    const char *manager;                // +optional +protobuf=1
    // +goType=v1.ManagedFieldsOperationType
    const char *operation;              // +optional +protobuf=2
    const char *api_version;            // +optional +protobuf=3
    const struct yl_time *time;         // +protobuf=4
    const char *fields_type;            // +optional +protobuf=6
    // +json=,omitzero
    // +optional +protobuf=7
    // +schema={"$ref":"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1","type":"object"}
    struct yl_raw fields_v1; // +goType=v1.FieldsV1
    const char *subresource;            // +optional +protobuf=8
};

/* What every object has. */
struct yl_object_meta {
    const char *name;                   // +optional +protobuf=1
    const char *generate_name;          // +optional +protobuf=2
    const char *namespace_;             // +optional +protobuf=3
    const char *self_link;              // +optional +protobuf=4
    // +goType=types.UID
    const char *uid;                    // +optional +protobuf=5
    const char *resource_version;       // +optional +protobuf=6
    int64_t generation;                 // +optional +protobuf=7
    // +optional +json=,omitzero
    struct yl_time creation_timestamp;  // +protobuf=8
    const struct yl_time *deletion_timestamp;           // +protobuf=9
    const int64_t *deletion_grace_period_seconds;       // +protobuf=10
    // +optional +protobuf=11
    const struct yl_string_pair *labels;
    size_t n_labels;
    // +optional +protobuf=12
    const struct yl_string_pair *annotations;
    size_t n_annotations;
    // +optional +protobuf=13
    // +patchStrategy=merge +patchMergeKey=uid
    // +listType=map +listMapKey=uid
    const struct yl_owner_reference *owner_references;
    size_t n_owner_references;
    // +optional +protobuf=14
    // +patchStrategy=merge +listType=set
    const char *const *finalizers;
    size_t n_finalizers;
    // +optional +protobuf=17
    // +listType=atomic
    const struct yl_managed_fields_entry *managed_fields;
    size_t n_managed_fields;
};

/* Which part of a sharded list this is. */
struct yl_shard_info {
    const char *selector;               // +protobuf=1
};

/* What every list has. */
struct yl_list_meta {
    const char *self_link;              // +optional +protobuf=1
    const char *resource_version;       // +optional +protobuf=2
    const char *continue_;              // +optional +protobuf=3
    const int64_t *remaining_item_count;        // +protobuf=4
    const struct yl_shard_info *shard_info;     // +protobuf=5
};

/* Selects objects by their labels. */
struct yl_label_selector_requirement {
    const char *key;                    // +protobuf=1
    // +goType=v1.LabelSelectorOperator
    const char *operator_;              // +protobuf=2
    // +optional +protobuf=3 +listType=atomic
    const char *const *values;
    size_t n_values;
};

// +structType=atomic
struct yl_label_selector {
    // +optional +protobuf=1
    const struct yl_string_pair *match_labels;
    size_t n_match_labels;
    // +optional +protobuf=2 +listType=atomic
    const struct yl_label_selector_requirement *match_expressions;
    size_t n_match_expressions;
};

/* Selects objects by their fields. */
struct yl_field_selector_requirement {
    const char *key;                    // +protobuf=1
    // +goType=v1.FieldSelectorOperator
    const char *operator_;              // +protobuf=2
    // +optional +protobuf=3 +listType=atomic
    const char *const *values;
    size_t n_values;
};

/* This is not struct yl_condition, which reads a condition in the bytes of an
 * object. */

/* What is known about one aspect of an object. */
// +typeName=Condition
struct yl_meta_condition {
    const char *type;                   // +protobuf=1
    // +goType=v1.ConditionStatus
    const char *status;                 // +protobuf=2
    int64_t observed_generation;        // +optional +protobuf=3
    struct yl_time last_transition_time;        // +protobuf=4
    const char *reason;                 // +protobuf=5
    const char *message;                // +protobuf=6
};

/* What must hold for a change to be carried out. */
struct yl_preconditions {
    // +optional +json=,pointer +protobuf=1
    const char *uid; // +goType=types.UID
    // +optional +json=,pointer +protobuf=2
    const char *resource_version;
};

/* How a deletion is carried out. */
struct yl_delete_options {
    const char *api_version;            // +optional
    const char *kind;                   // +optional
    const int64_t *grace_period_seconds;        // +protobuf=1
    const struct yl_preconditions *preconditions;       // +protobuf=2
    const bool *orphan_dependents;      // +protobuf=3
    // +optional +json=,pointer +protobuf=4
    const char *propagation_policy; // +goType=v1.DeletionPropagation
    // +optional +protobuf=5 +listType=atomic
    const char *const *dry_run;
    size_t n_dry_run;
    // +protobuf=6
    const bool *ignore_store_read_error_with_cluster_breaking_potential;
};

/* A group and a resource without a version. */
struct yl_group_resource {
    const char *group;                  // +protobuf=1
    const char *resource;               // +protobuf=2
};

YL_C_END

#endif /* yuloh/meta_types.h */
