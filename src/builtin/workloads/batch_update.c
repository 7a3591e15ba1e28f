/* Updates of Job and CronJob. */

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/rows.h"
#include "builtin/workloads/batch.h"
#include "gen/batch_v1_go.h"
#include "gen/core_v1_go.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void check_completions(struct yl_check *, const struct yl_at *spec,
                              const struct yl_at *then);
static void check_template(struct yl_check *, const struct yl_at *spec,
                           const struct yl_node *old);
static bool may_change_template(const struct yl_node *old);
static bool is_true(const struct yl_node *conditions, const char *type);
static void let_schedule(struct yl_arena *, struct yl_node *then,
                         const struct yl_node *now);
static void let_resize(struct yl_arena *, struct yl_node *then,
                       const struct yl_node *now, const char *list);

void
yl_job_prepare_update(struct yl_arena *arena, struct yl_node *object,
                      const struct yl_node *old YL_UNUSED)
{
    struct yl_node *template =
        yl_member_object(yl_member_object(object, "spec"), "template");

    yl_pod_spec_prepare(arena, yl_member_object(template, "spec"));
}

/* Upstream validates the spec twice. */
void
yl_job_validate_update(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    static const struct {
        const char *name;
        struct yl_go_type type; /* Of a struct. */
    } fixed[] = {
        { "completionMode", { NULL, 0, 0 } },
        { "podFailurePolicy", YL_GO_INIT(batch_v1, pod_failure_policy) },
        { "backoffLimitPerIndex", { NULL, 0, 0 } },
        { "managedBy", { NULL, 0, 0 } },
        { "successPolicy", YL_GO_INIT(batch_v1, success_policy) },
    };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at selector = yl_at(&spec, "selector");
    struct yl_at was = yl_at(&then, "selector");
    struct yl_at template = yl_at(&then, "template");
    struct yl_at meta = yl_at(&template, "metadata");
    struct yl_at labels = yl_at(&meta, "labels");
    size_t i;

    yl_check_job(
        c, object,
        yl_at_get_has(&labels, "batch.kubernetes.io/job-name")
            && yl_at_get_has(&labels, "batch.kubernetes.io/controller-uid"));
    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_job_spec(c, &spec);
    check_completions(c, &spec, &then);
    if (!yl_node_same(selector.node, was.node)) {
        yl_field_invalid(c->err, yl_at_path(&selector),
                         yl_bad_selector(c, &selector), YL_IMMUTABLE);
    }
    check_template(c, &spec, old);
    for (i = 0; i < YL_ARRAY_SIZE(fixed); i++) {
        struct yl_at now = yl_at(&spec, fixed[i].name);
        struct yl_at old_value = yl_at(&then, fixed[i].name);

        if (!yl_node_same(now.node, old_value.node)) {
            yl_field_invalid(c->err, yl_at_path(&now),
                             fixed[i].type.set && now.node
                             ? yl_bad_struct(c, now.node, fixed[i].type)
                             : yl_bad_at(&now), YL_IMMUTABLE);
        }
    }
}

void
yl_cron_job_prepare_update(struct yl_arena *arena, struct yl_node *object,
                           const struct yl_node *old YL_UNUSED)
{
    struct yl_node *job = yl_member_object(
        yl_member_object(yl_member_object(object, "spec"), "jobTemplate"),
        "spec");

    yl_pod_spec_prepare(
        arena, yl_member_object(yl_member_object(job, "template"), "spec"));
}

void
yl_cron_job_validate_update(struct yl_check *c, const struct yl_node *object,
                            const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_cron_job_spec(c, &spec);
}

/* Only an Indexed Job may change 'completions', and only together with
 * 'parallelism'. */
static void
check_completions(struct yl_check *c, const struct yl_at *spec,
                  const struct yl_at *then)
{
    struct yl_at now = yl_at(spec, "completions");
    struct yl_at was = yl_at(then, "completions");

    if (!yl_at_get_is(spec, "completionMode", "Indexed")) {
        yl_check_immutable(c, &now, was.node);
    } else if (!yl_node_same(now.node, was.node) && yl_at_has(&now)
               && yl_at_int(&now) != yl_at_get_int(spec, "parallelism")) {
        yl_field_invalid(c->err, yl_at_path(&now),
                         yl_bad_int(yl_at_int(&now)),
                         "can only be modified in tandem with "
                         "spec.parallelism");
    }
}

/* While a Job is suspended, the scheduling and the resources of its Pods may
 * change. */
static void
check_template(struct yl_check *c, const struct yl_at *spec,
               const struct yl_node *old)
{
    struct yl_node *before = yl_member_object(old, "spec");
    struct yl_at old_spec = yl_at_root(before);
    struct yl_at template = yl_at(spec, "template");
    struct yl_node *was = yl_member_object(before, "template");
    bool may = may_change_template(old);

    if (!template.node || !was) {
        return;
    }
    was = yl_node_copy(c->arena, was);
    if (may) {
        let_schedule(c->arena, was, template.node);
    }
    if (may && yl_at_get_bool(&old_spec, "suspend")) {
        struct yl_at shown = yl_at_node(spec, "template.spec", NULL);
        struct yl_at pod = yl_at(&template, "spec");
        struct yl_node *old_pod = yl_member_object(was, "spec");

        let_resize(c->arena, old_pod, pod.node, "containers");
        let_resize(c->arena, old_pod, pod.node, "initContainers");
        if (!yl_node_same(pod.node, old_pod)) {
            yl_field_invalid(c->err, yl_at_path(&shown),
                             yl_bad_struct(c, pod.node,
                                           YL_GO(core_v1, pod_spec)),
                             YL_IMMUTABLE);
        }
    } else if (!yl_node_same(template.node, was)) {
        yl_field_invalid(c->err, yl_at_path(&template),
                         yl_bad_struct(c, template.node,
                                       YL_GO(core_v1, pod_template_spec)),
                         YL_IMMUTABLE);
    }
}

static bool
may_change_template(const struct yl_node *old)
{
    struct yl_at spec = yl_at_root(yl_member_object(old, "spec"));
    struct yl_node *node = yl_member_object(old, "status");
    struct yl_at status = yl_at_root(node);

    return yl_at_get_bool(&spec, "suspend")
           && (!yl_at_get_has(&status, "startTime")
               || is_true(yl_member_array(node, "conditions"), "Suspended"))
           && !yl_at_get_int(&status, "active");
}

static bool
is_true(const struct yl_node *conditions, const char *type)
{
    struct yl_at list = yl_at_root(conditions);

    YL_AT_FOR_EACH (condition, &list) {
        if (yl_at_get_is(&condition, "type", type)) {
            return yl_at_get_is(&condition, "status", "True");
        }
    }
    return false;
}

/* Copies the scheduling fields, which may differ, from 'now' to 'then'. */
static void
let_schedule(struct yl_arena *arena, struct yl_node *then,
             const struct yl_node *now)
{
    struct yl_node *spec = yl_member_object(now, "spec");
    struct yl_node *old = yl_member_make(arena, then, "spec");
    struct yl_node *affinity = yl_member_object(spec, "affinity");
    struct yl_node *old_affinity = yl_member_object(old, "affinity");
    struct yl_node *metadata = yl_member_object(now, "metadata");
    struct yl_node *old_metadata = yl_member_make(arena, then, "metadata");

    if (affinity && !old_affinity) {
        old_affinity = yl_member_make(arena, old, "affinity");
    }
    if (old_affinity) {
        yl_member_keep(arena, old_affinity, affinity, "nodeAffinity");
        if (!affinity && !old_affinity->n) {
            yl_member_drop(old, "affinity");
        }
    }
    yl_member_keep(arena, old, spec, "nodeSelector");
    yl_member_keep(arena, old, spec, "tolerations");
    yl_member_keep(arena, old, spec, "schedulingGates");
    yl_member_keep(arena, old_metadata, metadata, "annotations");
    yl_member_keep(arena, old_metadata, metadata, "labels");
}

/* Does the same for the resources of the containers in a list. */
static void
let_resize(struct yl_arena *arena, struct yl_node *then,
           const struct yl_node *now, const char *name)
{
    struct yl_node *list = yl_member_array(now, name);
    struct yl_node *old = yl_member_array(then, name);
    struct yl_node *container, *was;

    if (!list || !old || list->n != old->n) {
        return;
    }
    was = old->first;
    YL_NODE_FOR_EACH (container, list) {
        struct yl_at a = yl_at_root(container), b = yl_at_root(was);
        struct yl_at a_name = yl_at(&a, "name"), b_name = yl_at(&b, "name");

        if (yl_node_same(a_name.node, b_name.node)) {
            yl_member_keep(arena, was, container, "resources");
        }
        was = was->next;
    }
}
