#ifndef BATCH_V1_TYPES_H
#define BATCH_V1_TYPES_H 1

/* Types of batch/v1, which yuloh-gen reads. */

// +groupName=batch
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.batch.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

struct batch_v1_pod_failure_policy_on_exit_codes_requirement {
    // +json=,pointer
    const char *container_name; // +protobuf=1
    // +required
    // +goType=v1.PodFailurePolicyOnExitCodesOperator
    const char *operator_; // +protobuf=2
    // +required
    // +listType=set
    const int32_t *values; // +protobuf=3
    size_t n_values;
};

struct batch_v1_pod_failure_policy_on_pod_conditions_pattern {
    // +required
    const char *type; // +protobuf=1 +goType=v1.PodConditionType
    // +json=,always
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
};

struct batch_v1_pod_failure_policy_rule {
    // +required
    const char *action; // +protobuf=1 +goType=v1.PodFailurePolicyAction
    // +protobuf=2
    const struct batch_v1_pod_failure_policy_on_exit_codes_requirement
        *on_exit_codes;
    // +listType=atomic
    // +protobuf=3
    const struct batch_v1_pod_failure_policy_on_pod_conditions_pattern
        *on_pod_conditions;
    size_t n_on_pod_conditions;
};

struct batch_v1_pod_failure_policy {
    // +required
    // +listType=atomic
    const struct batch_v1_pod_failure_policy_rule *rules; // +protobuf=1
    size_t n_rules;
};

struct batch_v1_success_policy_rule {
    // +json=,pointer
    const char *succeeded_indexes; // +protobuf=1
    const int32_t *succeeded_count; // +protobuf=2
};

struct batch_v1_success_policy {
    // +required
    // +listType=atomic
    const struct batch_v1_success_policy_rule *rules; // +protobuf=1
    size_t n_rules;
};

struct batch_v1_job_spec {
    const int32_t *parallelism; // +protobuf=1
    const int32_t *completions; // +protobuf=2
    const int64_t *active_deadline_seconds; // +protobuf=3
    // +protobuf=11
    const struct batch_v1_pod_failure_policy *pod_failure_policy;
    const struct batch_v1_success_policy *success_policy; // +protobuf=16
    const int32_t *backoff_limit; // +protobuf=7
    const int32_t *backoff_limit_per_index; // +protobuf=12
    const int32_t *max_failed_indexes; // +protobuf=13
    const struct yl_label_selector *selector; // +protobuf=4
    const bool *manual_selector; // +protobuf=5
    // +required
    struct core_v1_pod_template_spec template_; // +protobuf=6
    const int32_t *ttl_seconds_after_finished; // +protobuf=8
    // +json=,pointer
    const char *completion_mode; // +protobuf=9 +goType=v1.CompletionMode
    const bool *suspend; // +protobuf=10
    // +json=,pointer
    // +goType=v1.PodReplacementPolicy
    const char *pod_replacement_policy; // +protobuf=14
    // +json=,pointer
    const char *managed_by; // +protobuf=15
};

struct batch_v1_job_template_spec {
    struct yl_object_meta metadata; // +protobuf=1
    struct batch_v1_job_spec spec; // +protobuf=2
};

struct batch_v1_cron_job_spec {
    // +required
    const char *schedule; // +protobuf=1
    // +json=,pointer
    const char *time_zone; // +protobuf=8
    const int64_t *starting_deadline_seconds; // +protobuf=2
    const char *concurrency_policy; // +protobuf=3 +goType=v1.ConcurrencyPolicy
    const bool *suspend; // +protobuf=4
    // +required
    struct batch_v1_job_template_spec job_template; // +protobuf=5
    const int32_t *successful_jobs_history_limit; // +protobuf=6
    const int32_t *failed_jobs_history_limit; // +protobuf=7
};

struct batch_v1_cron_job_status {
    // +listType=atomic
    const struct core_v1_object_reference *active; // +protobuf=1
    size_t n_active;
    const struct yl_time *last_schedule_time; // +protobuf=4
    const struct yl_time *last_successful_time; // +protobuf=5
};

// +genclient
// +kubebuilder:resource:shortName=cj,categories=all
// +kubebuilder:subresource:status
struct batch_v1_cron_job {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +json=,omitempty
    struct batch_v1_cron_job_spec spec; // +protobuf=2
    struct batch_v1_cron_job_status status; // +protobuf=3
};

struct batch_v1_job_condition {
    // +required
    const char *type; // +protobuf=1 +goType=v1.JobConditionType
    // +required
    const char *status; // +protobuf=2 +goType=v1.ConditionStatus
    // +json=,omitempty
    struct yl_time last_probe_time; // +protobuf=3
    // +json=,omitempty
    struct yl_time last_transition_time; // +protobuf=4
    const char *reason; // +protobuf=5
    const char *message; // +protobuf=6
};

struct batch_v1_uncounted_terminated_pods {
    // +listType=set
    const char *const *succeeded; // +protobuf=1 +goType=[]types.UID
    size_t n_succeeded;
    // +listType=set
    const char *const *failed; // +protobuf=2 +goType=[]types.UID
    size_t n_failed;
};

struct batch_v1_job_status {
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=atomic
    const struct batch_v1_job_condition *conditions; // +protobuf=1
    size_t n_conditions;
    const struct yl_time *start_time; // +protobuf=2
    const struct yl_time *completion_time; // +protobuf=3
    int32_t active; // +protobuf=4
    int32_t succeeded; // +protobuf=5
    int32_t failed; // +protobuf=6
    const int32_t *terminating; // +protobuf=11
    const char *completed_indexes; // +protobuf=7
    // +json=,pointer
    const char *failed_indexes; // +protobuf=10
    // +protobuf=8
    const struct batch_v1_uncounted_terminated_pods *uncounted_terminated_pods;
    const int32_t *ready; // +protobuf=9
};

// +genclient
// +kubebuilder:resource:categories=all
// +kubebuilder:subresource:status
struct batch_v1_job {
    struct yl_object_meta metadata; // +protobuf=1
    struct batch_v1_job_spec spec; // +protobuf=2
    struct batch_v1_job_status status; // +protobuf=3
};

#endif /* batch_v1_types.h */
