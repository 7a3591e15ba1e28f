/* Defaults of Job and CronJob, and what the server sets in a new Job. */
#include "builtin/workloads/batch.h"

#include <limits.h>

#include "builtin/common/meta.h"
#include "builtin/pods/pod.h"
#include "builtin/rows.h"

static bool are_defaulted(struct yl_arena *, const struct yl_node *job,
                          const struct yl_node *template_labels);
static void default_labels(struct yl_arena *, struct yl_node *object);
static void default_job_spec(struct yl_arena *, struct yl_node *spec);
static void default_failure_policy(struct yl_arena *, struct yl_node *policy);

void
yl_job_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");

    if (yl_member_is_absent(spec, "completions")
        && yl_member_is_absent(spec, "parallelism")) {
        yl_member_default_int_ptr(arena, spec, "completions", 1);
    }
    yl_member_default_int_ptr(arena, spec, "parallelism", 1);
    yl_member_default_int_ptr(
        arena, spec, "backoffLimit",
        yl_member_is_absent(spec, "backoffLimitPerIndex") ? 6 : INT_MAX);
    default_job_spec(arena, spec);
    default_labels(arena, object);
    yl_member_default_str_ptr(arena, spec, "completionMode", "NonIndexed");
    yl_member_default_bool_ptr(arena, spec, "suspend", false);
    yl_member_default_str_ptr(arena, spec, "podReplacementPolicy",
                              yl_member_is_absent(spec, "podFailurePolicy")
                                  ? "TerminatingOrFailed"
                                  : "Failed");
    yl_member_default_bool_ptr(arena, spec, "manualSelector", false);
}

void
yl_cron_job_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *template = yl_member_make(arena, spec, "jobTemplate");

    yl_member_default_str(arena, spec, "concurrencyPolicy", "Allow");
    yl_member_default_bool_ptr(arena, spec, "suspend", false);
    yl_member_default_int_ptr(arena, spec, "successfulJobsHistoryLimit", 3);
    yl_member_default_int_ptr(arena, spec, "failedJobsHistoryLimit", 1);
    default_job_spec(arena, yl_member_make(arena, template, "spec"));
}

void
yl_job_prepare(struct yl_arena *arena, struct yl_node *object)
{
    static const char *const names[] = { "job-name",
                                         "batch.kubernetes.io/job-name" };
    static const char *const uids[] = {
        "controller-uid", "batch.kubernetes.io/controller-uid"
    };
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *template = yl_member_make(arena, spec, "template");
    struct yl_check c = { arena, NULL };
    struct yl_at root = yl_at_root(object), at = yl_at_root(spec);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_node *labels, *selector, *uid, *name;
    int i;

    yl_pod_template_prepare(arena, object);
    if (yl_at_get_bool(&at, "manualSelector")) {
        return;
    }
    name = yl_node_new_string(arena, yl_at_get_str(&c, &metadata, "name"));
    uid = yl_node_new_string(arena, yl_at_get_str(&c, &metadata, "uid"));
    labels = yl_member_make(arena, yl_member_make(arena, template, "metadata"),
                            "labels");
    if (are_defaulted(arena, object, labels)) {
        yl_member_drop(yl_member_object(object, "metadata"), "labels");
    }
    for (i = 0; i < 2; i++) {
        if (labels && !yl_node_get(labels, yl_str_c(names[i]))) {
            yl_member_set(arena, labels, names[i], yl_node_copy(arena, name));
        }
        if (labels && !yl_node_get(labels, yl_str_c(uids[i]))) {
            yl_member_set(arena, labels, uids[i], yl_node_copy(arena, uid));
        }
    }
    selector = yl_member_make(arena, yl_member_make(arena, spec, "selector"),
                              "matchLabels");
    if (selector && !yl_node_get(selector, yl_str_c(uids[1]))) {
        yl_member_set(arena, selector, uids[1], uid);
    }
    default_labels(arena, object);
}

void
yl_cron_job_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *job =
        yl_member_object(yl_member_object(spec, "jobTemplate"), "spec");
    struct yl_node *template = yl_member_object(job, "template");

    yl_member_drop(object, "status");
    yl_meta_set_generation(arena, object);
    yl_pod_spec_prepare(arena, yl_member_object(template, "spec"));
}

/* Are the labels of a Job those of its template, by default_labels()?  Then
 * they are copies, which point to the same text.  In Go they are one map, so
 * that labels which the template gets come to the Job, too. */
static bool
are_defaulted(struct yl_arena *arena, const struct yl_node *job,
              const struct yl_node *template_labels)
{
    const struct yl_node *labels =
        yl_member_object(yl_member_object(job, "metadata"), "labels");
    struct yl_str one = YL_STR_INIT(""), other = YL_STR_INIT("");

    return labels && labels->first && template_labels
           && template_labels->first
           && yl_node_string(labels->first, arena, &one) == 0
           && yl_node_string(template_labels->first, arena, &other) == 0
           && one.data == other.data;
}

/* A Job without labels gets those of its Pod template. */
static void
default_labels(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *template =
        yl_member_object(yl_member_object(object, "spec"), "template");
    struct yl_node *labels =
        yl_member_object(yl_member_object(template, "metadata"), "labels");
    struct yl_node *metadata;

    if (labels && labels->n) {
        metadata = yl_member_make(arena, object, "metadata");
        if (yl_member_is_zero(metadata, "labels")) {
            yl_member_set(arena, metadata, "labels",
                          yl_node_copy(arena, labels));
        }
    }
}

/* Defaults for the spec of a Job and of a Job template. */
static void
default_job_spec(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *template = yl_member_make(arena, spec, "template");

    yl_pod_spec_default(arena, yl_member_make(arena, template, "spec"));
    default_failure_policy(arena, yl_member_object(spec, "podFailurePolicy"));
}

static void
default_failure_policy(struct yl_arena *arena, struct yl_node *policy)
{
    struct yl_node *rules = yl_member_array(policy, "rules");
    struct yl_node *rule, *pattern;

    if (!rules) {
        return;
    }
    YL_NODE_FOR_EACH (rule, rules) {
        struct yl_node *patterns = yl_member_array(rule, "onPodConditions");

        if (!patterns) {
            continue;
        }
        YL_NODE_FOR_EACH (pattern, patterns) {
            yl_member_default_str(arena, pattern, "status", "True");
        }
    }
}
