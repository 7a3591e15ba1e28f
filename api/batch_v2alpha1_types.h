#ifndef BATCH_V2ALPHA1_TYPES_H
#define BATCH_V2ALPHA1_TYPES_H 1

/* Types of batch/v2alpha1, which yuloh-gen reads. */

// +groupName=batch
// +version=v2alpha1
// +k8s:openapi-model-package=io.k8s.api.batch.v2alpha1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"
#include "batch_v1_types.h"

struct batch_v2alpha1_job_template_spec {
    struct yl_object_meta metadata; // +protobuf=1
    struct batch_v1_job_spec spec; // +protobuf=2
};

struct batch_v2alpha1_cron_job_spec {
    // +required
    const char *schedule; // +protobuf=1
    const int64_t *starting_deadline_seconds; // +protobuf=2
    // +goType=v2alpha1.ConcurrencyPolicy
    const char *concurrency_policy; // +protobuf=3
    const bool *suspend; // +protobuf=4
    // +required
    struct batch_v2alpha1_job_template_spec job_template; // +protobuf=5
    const int32_t *successful_jobs_history_limit; // +protobuf=6
    const int32_t *failed_jobs_history_limit; // +protobuf=7
};

struct batch_v2alpha1_cron_job_status {
    // +listType=atomic
    const struct core_v1_object_reference *active; // +protobuf=1
    size_t n_active;
    const struct yl_time *last_schedule_time; // +protobuf=4
};

// +genclient
// +kubebuilder:resource:shortName=cj,categories=all
// +kubebuilder:subresource:status
struct batch_v2alpha1_cron_job {
    struct yl_object_meta metadata; // +protobuf=1
    struct batch_v2alpha1_cron_job_spec spec; // +protobuf=2
    struct batch_v2alpha1_cron_job_status status; // +protobuf=3
};

#endif /* batch_v2alpha1_types.h */
