/* Writes to a Job's status: which changes are allowed.
 *
 * Most rules check only what a write changes, so that a status which already
 * breaks a rule can still be written for another reason. */

#include <inttypes.h>

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "builtin/workloads/batch.h"
#include "gen/batch_v1_go.h"
#include "yuloh/time.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

/* What the conditions of a status say. */
struct state {
    bool complete, failed, failure_target, criteria_met, suspended, resumed;
};

/* A Job's status now and before. */
struct job_status {
    struct yl_check *c;
    struct yl_at spec, now, was;
    struct state state, old;
    bool finished, finished_changed, complete_changed, failed_changed;
    bool target_changed, criteria_changed;
};

static struct state read_state(const struct yl_at *status);
static bool changed(const struct job_status *, const char *field);
static void fault(const struct job_status *, const char *detail);
static void check_uncounted(const struct job_status *);
static void check_times(const struct job_status *);
static void check_ends(const struct job_status *);
static void check_finished(const struct job_status *);
static void check_indexes(const struct job_status *);
static void check_criteria(const struct job_status *);
static void check_changes(const struct job_status *);
static bool is_before(const struct yl_check *, const struct yl_at *a,
                      const struct yl_at *b);

void
yl_job_validate_status(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    static const char *const counts[] = { "active", "succeeded", "failed",
                                          "ready", "terminating" };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct job_status j = { .c = c };
    size_t i;

    j.spec = yl_at(&root, "spec");
    j.now = yl_at(&root, "status");
    j.was = yl_at(&before, "status");
    j.state = read_state(&j.now);
    j.old = read_state(&j.was);
    j.finished = j.state.complete || j.state.failed;
    j.finished_changed = j.finished != (j.old.complete || j.old.failed);
    j.complete_changed = j.state.complete != j.old.complete;
    j.failed_changed = j.state.failed != j.old.failed;
    j.target_changed = j.state.failure_target != j.old.failure_target;
    j.criteria_changed = j.state.criteria_met != j.old.criteria_met;

    yl_check_object_meta_update(c, object, old, &rule);
    for (i = 0; i < YL_ARRAY_SIZE(counts); i++) {
        struct yl_at count = yl_at(&j.now, counts[i]);

        yl_check_not_negative(c, &count);
    }
    check_uncounted(&j);
    check_times(&j);
    check_ends(&j);
    check_finished(&j);
    check_indexes(&j);
    check_criteria(&j);
    check_changes(&j);
}

static struct state
read_state(const struct yl_at *status)
{
    struct yl_at conditions = yl_at(status, "conditions");
    struct state s = { false, false, false, false, false, false };

    YL_AT_FOR_EACH (condition, &conditions) {
        struct yl_at type = yl_at(&condition, "type");

        if (yl_at_get_is(&condition, "status", "True")) {
            s.complete |= yl_at_is(&type, "Complete");
            s.failed |= yl_at_is(&type, "Failed");
            s.failure_target |= yl_at_is(&type, "FailureTarget");
            s.criteria_met |= yl_at_is(&type, "SuccessCriteriaMet");
            s.suspended |= yl_at_is(&type, "Suspended");
        }
        if (yl_at_get_is(&condition, "status", "False")) {
            s.resumed |= yl_at_is(&type, "Suspended");
        }
    }
    return s;
}

static bool
changed(const struct job_status *j, const char *field)
{
    struct yl_at now = yl_at(&j->now, field), was = yl_at(&j->was, field);

    return !yl_node_same(now.node, was.node);
}

/* Reports a fault of the conditions. */
static void
fault(const struct job_status *j, const char *detail)
{
    struct yl_at conditions = yl_at(&j->now, "conditions");

    yl_field_invalid(j->c->err, yl_at_path(&conditions), yl_bad_omitted(),
                     "%s", detail);
}

/* Each Pod may be listed once. */
static void
check_uncounted(const struct job_status *j)
{
    static const char *const lists[] = { "succeeded", "failed" };
    struct yl_at pods = yl_at(&j->now, "uncountedTerminatedPods");
    struct yl_node *seen = yl_node_new_object(j->c->arena);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        struct yl_at list = yl_at(&pods, lists[i]);

        YL_AT_FOR_EACH (uid, &list) {
            struct yl_str s = yl_at_str(j->c, &uid);

            if (!s.size) {
                yl_field_invalid(j->c->err, yl_at_path(&uid),
                                 yl_bad_string(s), "must not be empty");
            } else if (!yl_set_add(j->c->arena, seen, s)) {
                yl_field_duplicate(j->c->err, yl_at_path(&uid),
                                   yl_bad_string(s));
            }
        }
    }
}

static void
check_times(const struct job_status *j)
{
    struct yl_at start = yl_at(&j->now, "startTime");
    struct yl_at end = yl_at(&j->now, "completionTime");
    bool end_changed = changed(j, "completionTime");

    if ((j->complete_changed || j->failed_changed) && j->state.complete
        && j->state.failed) {
        fault(j, "cannot set Complete=True and Failed=true conditions");
    }
    if ((j->complete_changed || j->target_changed) && j->state.complete
        && j->state.failure_target) {
        fault(j, "cannot set Complete=True and FailureTarget=true "
                 "conditions");
    }
    if ((j->complete_changed || end_changed) && yl_at_has(&end)
        && !j->state.complete) {
        yl_field_invalid(j->c->err, yl_at_path(&end), yl_bad_at(&end),
                         "cannot set completionTime when there is no "
                         "Complete=True condition");
    }
    if ((j->complete_changed || end_changed) && !yl_at_has(&end)
        && j->state.complete) {
        yl_field_required(j->c->err, yl_at_path(&end),
                          "completionTime is required for Complete jobs");
    }
    if ((end_changed || changed(j, "startTime"))
        && is_before(j->c, &end, &start)) {
        yl_field_invalid(j->c->err, yl_at_path(&end), yl_bad_at(&end),
                         "must be equal to or after `startTime`");
    }
}

/* A final condition needs the condition that announces it: Failed needs
 * FailureTarget, Complete needs SuccessCriteriaMet. */
static void
check_ends(const struct job_status *j)
{
    if ((j->failed_changed || changed(j, "failedIndexes")) && j->state.failed
        && !j->state.failure_target) {
        fault(j, "cannot set Failed=True condition without the "
                 "FailureTarget=true condition");
    }
    if ((j->complete_changed || j->criteria_changed) && j->state.complete
        && !j->state.criteria_met) {
        fault(j, "cannot set Complete=True condition without the "
                 "SuccessCriteriaMet=true condition");
    }
}

/* A Job that has ended has started, and has no Pods left. */
static void
check_finished(const struct job_status *j)
{
    struct yl_at active = yl_at(&j->now, "active");
    struct yl_at start = yl_at(&j->now, "startTime");
    struct yl_at pods = yl_at(&j->now, "uncountedTerminatedPods");
    struct yl_at completions = yl_at(&j->spec, "completions");
    struct yl_at succeeded = yl_at(&pods, "succeeded");
    struct yl_at failed = yl_at(&pods, "failed");
    bool never_ran = yl_at_get_bool(&j->spec, "suspend")
                     && yl_at_has(&completions) && !yl_at_int(&completions);

    if (!j->finished) {
        return;
    }
    if ((j->finished_changed || changed(j, "active"))
        && yl_at_int(&active) > 0) {
        yl_field_invalid(j->c->err, yl_at_path(&active),
                         yl_bad_int(yl_at_int(&active)),
                         "active>0 is invalid for finished job");
    }
    if ((j->finished_changed || changed(j, "startTime")) && !never_ran
        && !yl_at_has(&start)) {
        yl_field_required(j->c->err, yl_at_path(&start),
                          "startTime is required for finished job");
    }
    if ((j->finished_changed || changed(j, "uncountedTerminatedPods"))
        && yl_at_count(&succeeded) + yl_at_count(&failed)) {
        yl_field_invalid(j->c->err, yl_at_path(&pods),
                         yl_bad_struct(j->c, pods.node, YL_GO(
                             batch_v1, uncounted_terminated_pods)),
                         "must be empty for finished job");
    }
}

static void
check_indexes(const struct job_status *j)
{
    struct yl_check *c = j->c;
    struct yl_at completed = yl_at(&j->now, "completedIndexes");
    struct yl_at failed = yl_at(&j->now, "failedIndexes");
    struct yl_str s = yl_at_str(c, &completed), t = yl_at_str(c, &failed);
    bool limited = yl_at_get_has(&j->spec, "backoffLimitPerIndex");
    bool bounded = yl_at_get_has(&j->spec, "completions");
    bool completed_changed = changed(j, "completedIndexes");
    bool failed_changed = changed(j, "failedIndexes");
    int64_t n = yl_at_get_int(&j->spec, "completions"), total, overlap;
    const char *text = NULL;

    if (completed_changed && bounded) {
        text = yl_job_indexes(c, s, n, &total);
        if (text) {
            yl_field_invalid(c->err, yl_at_path(&completed),
                             yl_bad_string(s),
                             "error parsing completedIndexes: %s", text);
        }
    }
    if (failed_changed && bounded && limited && yl_at_has(&failed)) {
        text = yl_job_indexes(c, t, n, &total);
        if (text) {
            yl_field_invalid(c->err, yl_at_path(&failed), yl_bad_string(t),
                             "error parsing failedIndexes: %s", text);
        }
    }
    if (completed_changed && s.size
        && !yl_at_get_is(&j->spec, "completionMode", "Indexed")) {
        yl_field_invalid(c->err, yl_at_path(&completed), yl_bad_string(s),
                         "cannot set non-empty completedIndexes when "
                         "non-indexed completion mode");
    }
    if (failed_changed && !limited && yl_at_has(&failed)) {
        yl_field_invalid(c->err, yl_at_path(&failed), yl_bad_string(t),
                         "cannot set non-null failedIndexes when "
                         "backoffLimitPerIndex is null");
    }
    if ((failed_changed || completed_changed) && bounded
        && yl_at_has(&failed)
        && yl_job_indexes_overlap(c, s, t, n, &overlap)) {
        yl_field_invalid(c->err, yl_at_path(&failed), yl_bad_string(t),
                         "failedIndexes and completedIndexes overlap at "
                         "index: %" PRId64, overlap);
    }
}

static void
check_criteria(const struct job_status *j)
{
    struct yl_at terminating = yl_at(&j->now, "terminating");
    struct yl_at ready = yl_at(&j->now, "ready");

    if ((j->finished_changed || changed(j, "terminating")) && j->finished
        && yl_at_int(&terminating) > 0) {
        yl_field_invalid(j->c->err, yl_at_path(&terminating),
                         yl_bad_int(yl_at_int(&terminating)),
                         "terminating>0 is invalid for finished job");
    }
    if ((changed(j, "ready") || changed(j, "active")) && yl_at_has(&ready)
        && yl_at_int(&ready) > yl_at_get_int(&j->now, "active")) {
        yl_field_invalid(j->c->err, yl_at_path(&ready),
                         yl_bad_int(yl_at_int(&ready)),
                         "cannot set more ready pods than active");
    }
    if (j->state.criteria_met && j->state.failed) {
        fault(j, "cannot set SuccessCriteriaMet=True and Failed=true "
                 "conditions");
    }
    if (j->state.criteria_met && j->state.failure_target) {
        fault(j, "cannot set SuccessCriteriaMet=True and FailureTarget=true "
                 "conditions");
    }
    if (yl_at_get_has(&j->spec, "successPolicy") && !j->state.criteria_met
        && j->state.complete) {
        fault(j, "cannot set Complete=True for Job with SuccessPolicy unless "
                 "SuccessCriteriaMet=True");
    }
}

/* Final conditions, counts and times cannot be taken back. */
static void
check_changes(const struct job_status *j)
{
    struct yl_at failed = yl_at(&j->now, "failed");
    struct yl_at succeeded = yl_at(&j->now, "succeeded");
    struct yl_at end = yl_at(&j->now, "completionTime");
    struct yl_at start = yl_at(&j->now, "startTime");
    struct yl_at completions = yl_at(&j->spec, "completions");
    struct yl_at parallelism = yl_at(&j->spec, "parallelism");
    bool can_shrink = yl_at_get_is(&j->spec, "completionMode", "Indexed")
                      && yl_node_same(completions.node, parallelism.node);

    if (j->old.failed && !j->state.failed) {
        fault(j, "cannot disable the terminal Failed=True condition");
    }
    if (j->old.complete && !j->state.complete) {
        fault(j, "cannot disable the terminal Complete=True condition");
    }
    if (j->old.failure_target && !j->state.failure_target) {
        fault(j, "cannot disable the terminal FailureTarget=True condition");
    }
    if (yl_at_int(&failed) < yl_at_get_int(&j->was, "failed")) {
        yl_field_invalid(j->c->err, yl_at_path(&failed),
                         yl_bad_int(yl_at_int(&failed)),
                         "cannot decrease the failed counter");
    }
    if (!can_shrink
        && yl_at_int(&succeeded) < yl_at_get_int(&j->was, "succeeded")) {
        yl_field_invalid(j->c->err, yl_at_path(&succeeded),
                         yl_bad_int(yl_at_int(&succeeded)),
                         "cannot decrease the succeeded counter");
    }
    if (yl_at_has(&end) && yl_at_get_has(&j->was, "completionTime")
        && changed(j, "completionTime")) {
        yl_field_invalid(j->c->err, yl_at_path(&end), yl_bad_at(&end),
                         YL_IMMUTABLE);
    }
    if (changed(j, "startTime") && !(j->old.suspended && j->state.resumed)
        && yl_at_get_has(&j->was, "startTime")
        && !yl_at_get_bool(&j->spec, "suspend")) {
        yl_field_invalid(j->c->err, yl_at_path(&start), yl_bad_at(&start),
                         "field is immutable for unsuspended job once set");
    }
    if (j->old.criteria_met && !j->state.criteria_met) {
        fault(j, "cannot disable the SuccessCriteriaMet=True condition");
    }
    if (j->old.complete && !j->old.criteria_met && j->state.criteria_met) {
        fault(j, "cannot set SuccessCriteriaMet=True for Job already has "
                 "Complete=true conditions");
    }
}

static bool
is_before(const struct yl_check *c, const struct yl_at *a,
          const struct yl_at *b)
{
    struct yl_time x, y;

    return yl_at_has(a) && yl_at_has(b)
           && yl_time_parse(yl_at_str(c, a), &x, NULL) == 0
           && yl_time_parse(yl_at_str(c, b), &y, NULL) == 0
           && yl_time_compare(x, y) < 0;
}
