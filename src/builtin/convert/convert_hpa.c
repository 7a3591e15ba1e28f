/* HorizontalPodAutoscalers of two versions.  See builtin/convert/convert_hpa.h
 * for the contract.
 *
 * v1 has a field for only one of v2's metrics, the utilization of CPU.  The
 * other metrics become JSON in annotations, with members in the order of
 * upstream's structs; so does the behaviour, with the names of Go's fields. */

#include "builtin/convert/convert_hpa.h"

#include <string.h>

#include "builtin/go/go_value.h"
#include "gen/autoscaling_v2_go.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "yuloh/arena.h"

#define ALPHA "autoscaling.alpha.kubernetes.io/"
#define METRICS ALPHA "metrics"
#define CURRENT_METRICS ALPHA "current-metrics"
#define CONDITIONS ALPHA "conditions"
#define BEHAVIOR ALPHA "behavior"

/* The utilization of CPU in percent that v1 without any metric means. */
#define DEFAULT_CPU 80

/* A field of a metric in v1, and where it is in v2. */
struct place {
    const char *source;         /* "object", ... */
    const char *v1;
    const char *outer;          /* NULL: the fields stand side by side. */
    const char *v2;
    bool always;                /* A quantity that is never left out. */
};

/* In the order of upstream's structs. */
static const char *const sources[] = { "object", "pods", "resource",
                                       "containerResource", "external" };
static const struct place specs[] = {
    { "object", "target", NULL, "describedObject", false },
    { "object", "metricName", "metric", "name", false },
    { "object", "targetValue", "target", "value", true },
    { "object", "selector", "metric", "selector", false },
    { "object", "averageValue", "target", "averageValue", false },
    { "pods", "metricName", "metric", "name", false },
    { "pods", "targetAverageValue", "target", "averageValue", true },
    { "pods", "selector", "metric", "selector", false },
    { "resource", "name", NULL, "name", false },
    { "resource", "targetAverageUtilization", "target",
      "averageUtilization", false },
    { "resource", "targetAverageValue", "target", "averageValue", false },
    { "containerResource", "name", NULL, "name", false },
    { "containerResource", "targetAverageUtilization", "target",
      "averageUtilization", false },
    { "containerResource", "targetAverageValue", "target", "averageValue",
      false },
    { "containerResource", "container", NULL, "container", false },
    { "external", "metricName", "metric", "name", false },
    { "external", "metricSelector", "metric", "selector", false },
    { "external", "targetValue", "target", "value", false },
    { "external", "targetAverageValue", "target", "averageValue", false },
};
static const struct place statuses[] = {
    { "object", "target", NULL, "describedObject", false },
    { "object", "metricName", "metric", "name", false },
    { "object", "currentValue", "current", "value", true },
    { "object", "selector", "metric", "selector", false },
    { "object", "averageValue", "current", "averageValue", false },
    { "pods", "metricName", "metric", "name", false },
    { "pods", "currentAverageValue", "current", "averageValue", true },
    { "pods", "selector", "metric", "selector", false },
    { "resource", "name", NULL, "name", false },
    { "resource", "currentAverageUtilization", "current",
      "averageUtilization", false },
    { "resource", "currentAverageValue", "current", "averageValue", true },
    { "containerResource", "name", NULL, "name", false },
    { "containerResource", "currentAverageUtilization", "current",
      "averageUtilization", false },
    { "containerResource", "currentAverageValue", "current", "averageValue",
      true },
    { "containerResource", "container", NULL, "container", false },
    { "external", "metricName", "metric", "name", false },
    { "external", "metricSelector", "metric", "selector", false },
    { "external", "currentValue", "current", "value", true },
    { "external", "currentAverageValue", "current", "averageValue", false },
};

/* One annotation holds upstream's internal type, with Go's names. */
static const struct yl_go_type go_behavior
    = YL_GO_INIT(autoscaling_v2, horizontal_pod_autoscaler_behavior);

static const char *const condition_names[] = {
    "type", "status", "lastTransitionTime", "reason", "message",
};

static bool is_cpu(const struct yl_node *metric, const char *outer);
static struct yl_node *cpu_metric(struct yl_arena *, const char *outer,
                                  const struct yl_node *utilization);
static struct yl_node *metric_to_v1(struct yl_arena *,
                                    const struct yl_node *metric,
                                    const struct place *, size_t n);
static struct yl_node *metric_to_v2(struct yl_arena *,
                                    const struct yl_node *metric,
                                    const struct place *, size_t n);
static void set_target_type(struct yl_arena *, struct yl_node *source,
                            const char *name);
static struct yl_node *list_of(struct yl_arena *, struct yl_node *object,
                               const char *name);
static struct yl_node *conditions_in_order(struct yl_arena *,
                                           const struct yl_node *);
static void annotate(struct yl_arena *, struct yl_node *object,
                     const char *key, const struct yl_node *value);
static void annotate_text(struct yl_arena *, struct yl_node *object,
                          const char *key, struct yl_str text);
static struct yl_node *read_annotation(struct yl_arena *,
                                       const struct yl_node *object,
                                       const char *key);
static void drop_annotations(struct yl_node *object);
static bool has_rules(const struct yl_node *behavior);

int
yl_convert_hpa_to_v1(struct yl_arena *arena, struct yl_node *object,
                     struct yl_error *err YL_UNUSED)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *status = yl_member_make(arena, object, "status");
    struct yl_node *behavior = yl_member_object(spec, "behavior");
    struct yl_node *conditions = yl_member_array(status, "conditions");
    struct yl_node *others = yl_node_new_array(arena);
    struct yl_node *current = yl_node_new_array(arena), *metric;

    drop_annotations(object);
    YL_MEMBER_EACH (metric, spec, "metrics") {
        if (!is_cpu(metric, "target")) {
            yl_node_append(others, metric_to_v1(arena, metric, specs,
                                                YL_ARRAY_SIZE(specs)));
        } else if (yl_member_is_absent(spec,
                                       "targetCPUUtilizationPercentage")) {
            yl_member_set(
                arena, spec, "targetCPUUtilizationPercentage",
                yl_node_copy(
                    arena,
                    yl_node_get(
                        yl_member_object(yl_member_object(metric, "resource"),
                                         "target"),
                        YL_STR("averageUtilization"))));
        }
    }
    YL_MEMBER_EACH (metric, status, "currentMetrics") {
        yl_node_append(current, metric_to_v1(arena, metric, statuses,
                                             YL_ARRAY_SIZE(statuses)));
        if (is_cpu(metric, "current")) {
            yl_member_set(
                arena, status, "currentCPUUtilizationPercentage",
                yl_node_copy(
                    arena,
                    yl_node_get(
                        yl_member_object(yl_member_object(metric, "resource"),
                                         "current"),
                        YL_STR("averageUtilization"))));
        }
    }
    if (others->n) {
        annotate(arena, object, METRICS, others);
    }
    if (current->n) {
        annotate(arena, object, CURRENT_METRICS, current);
    }
    if (behavior) {
        annotate_text(arena, object, BEHAVIOR,
                      yl_go_text(arena, behavior, go_behavior));
    }
    if (conditions && conditions->n) {
        annotate(arena, object, CONDITIONS,
                 conditions_in_order(arena, conditions));
    }
    yl_member_drop(spec, "metrics");
    yl_member_drop(spec, "behavior");
    yl_member_drop(status, "currentMetrics");
    yl_member_drop(status, "conditions");
    if (yl_member_is_absent(status, "currentReplicas")) {
        yl_member_set(arena, status, "currentReplicas",
                      yl_node_new_int64(arena, 0));
    }
    return 0;
}

int
yl_convert_hpa_to_v2(struct yl_arena *arena, struct yl_node *object,
                     struct yl_error *err YL_UNUSED)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *status = yl_member_make(arena, object, "status");
    struct yl_node *cpu = yl_node_get(
        spec, YL_STR("targetCPUUtilizationPercentage"));
    struct yl_node *used = yl_node_get(
        status, YL_STR("currentCPUUtilizationPercentage"));
    struct yl_node *others = read_annotation(arena, object, METRICS);
    struct yl_node *current = read_annotation(arena, object,
                                              CURRENT_METRICS);
    struct yl_node *behavior = read_annotation(arena, object, BEHAVIOR);
    struct yl_node *conditions = read_annotation(arena, object, CONDITIONS);
    struct yl_node *metric;

    if (yl_node_type(others) == YL_JSON_ARRAY) {
        struct yl_node *metrics = list_of(arena, spec, "metrics");

        YL_NODE_FOR_EACH (metric, others) {
            yl_node_append(metrics, metric_to_v2(arena, metric, specs,
                                                 YL_ARRAY_SIZE(specs)));
        }
    }
    if (yl_node_type(cpu) != YL_JSON_NUMBER
        && !yl_member_array(spec, "metrics")) {
        cpu = yl_node_new_int64(arena, DEFAULT_CPU);
    }
    if (yl_node_type(cpu) == YL_JSON_NUMBER) {
        yl_node_append(list_of(arena, spec, "metrics"),
                       cpu_metric(arena, "target", cpu));
    }
    if (yl_node_type(current) == YL_JSON_ARRAY) {
        struct yl_node *metrics = list_of(arena, status, "currentMetrics");

        YL_NODE_FOR_EACH (metric, current) {
            yl_node_append(metrics, metric_to_v2(arena, metric, statuses,
                                                 YL_ARRAY_SIZE(statuses)));
        }
    } else if (yl_node_type(used) == YL_JSON_NUMBER) {
        yl_node_append(list_of(arena, status, "currentMetrics"),
                       cpu_metric(arena, "current", used));
    }
    if (has_rules(behavior)) {
        yl_member_set(arena, spec, "behavior",
                      yl_go_to_json(arena, behavior, go_behavior));
    }
    if (yl_node_type(conditions) == YL_JSON_ARRAY) {
        yl_member_set(arena, status, "conditions",
                      yl_node_copy(arena, conditions));
    }
    yl_member_drop(spec, "targetCPUUtilizationPercentage");
    yl_member_drop(status, "currentCPUUtilizationPercentage");
    drop_annotations(object);
    return 0;
}

/* Has a behavior rules?  One without is none. */
static bool
has_rules(const struct yl_node *behavior)
{
    const struct yl_node *rules;

    if (yl_node_type(behavior) == YL_JSON_OBJECT) {
        YL_NODE_FOR_EACH (rules, behavior) {
            if (yl_node_type(rules) != YL_JSON_NULL) {
                return true;
            }
        }
    }
    return false;
}

/* Whether it is the metric that v1 has a field for. */
static bool
is_cpu(const struct yl_node *metric, const char *outer)
{
    struct yl_at at = yl_at_root(metric);
    struct yl_at resource = yl_at(&at, "resource");
    struct yl_at target = yl_at(&resource, outer);

    return yl_at_get_is(&at, "type", "Resource")
           && yl_at_get_is(&resource, "name", "cpu")
           && yl_at_get_has(&target, "averageUtilization");
}

static struct yl_node *
cpu_metric(struct yl_arena *arena, const char *outer,
           const struct yl_node *utilization)
{
    struct yl_node *metric = yl_node_new_object(arena);
    struct yl_node *resource = yl_member_make(arena, metric, "resource");
    struct yl_node *target = yl_member_make(arena, resource, outer);

    yl_member_set_str(arena, metric, "type", "Resource");
    yl_member_set_str(arena, resource, "name", "cpu");
    if (!strcmp(outer, "target")) {
        yl_member_set_str(arena, target, "type", "Utilization");
    }
    yl_member_set(arena, target, "averageUtilization",
                  yl_node_copy(arena, utilization));
    return metric;
}

static struct yl_node *
metric_to_v1(struct yl_arena *arena, const struct yl_node *metric,
             const struct place *places, size_t n)
{
    static const char *const reference[] = { "kind", "name", "apiVersion" };
    struct yl_node *result = yl_node_new_object(arena);
    size_t i, k;

    yl_member_keep(arena, result, metric, "type");
    for (i = 0; i < YL_ARRAY_SIZE(sources); i++) {
        struct yl_node *source = yl_member_object(metric, sources[i]), *to;

        if (!source) {
            continue;
        }
        to = yl_member_make(arena, result, sources[i]);
        for (k = 0; k < n; k++) {
            const struct place *p = &places[k];
            struct yl_node *from =
                p->outer ? yl_member_object(source, p->outer) : source;
            struct yl_node *value = from ? yl_node_get(from,
                                                       yl_str_c(p->v2))
                                         : NULL;

            if (strcmp(p->source, sources[i])) {
                continue;
            }
            if (!strcmp(p->v2, "describedObject")) {
                struct yl_node *ref = yl_member_make(arena, to, p->v1);

                yl_member_keep(arena, ref, value, reference[0]);
                yl_member_keep(arena, ref, value, reference[1]);
                yl_member_keep(arena, ref, value, reference[2]);
            } else if (value) {
                yl_member_set(arena, to, p->v1, yl_node_copy(arena, value));
            } else if (p->always) {
                yl_member_set_str(arena, to, p->v1, "0");
            }
        }
    }
    return result;
}

static struct yl_node *
metric_to_v2(struct yl_arena *arena, const struct yl_node *metric,
             const struct place *places, size_t n)
{
    struct yl_node *result = yl_node_new_object(arena);
    size_t i, k;

    yl_member_keep(arena, result, metric, "type");
    for (i = 0; i < YL_ARRAY_SIZE(sources); i++) {
        struct yl_node *source = yl_member_object(metric, sources[i]), *to;

        if (!source) {
            continue;
        }
        to = yl_member_make(arena, result, sources[i]);
        for (k = 0; k < n; k++) {
            const struct place *p = &places[k];
            struct yl_node *value = yl_node_get(source, yl_str_c(p->v1));

            if (!strcmp(p->source, sources[i])
                && yl_node_type(value) > YL_JSON_NULL) {
                yl_member_set(
                    arena, p->outer ? yl_member_make(arena, to, p->outer) : to,
                    p->v2, yl_node_copy(arena, value));
            }
        }
        if (places == specs) {
            set_target_type(arena, to, sources[i]);
        }
    }
    return result;
}

/* v1 has no type: it follows from the fields that are set.  One of them is
 * always written in v1, so its zero counts as absent if the other one is
 * set. */
static void
set_target_type(struct yl_arena *arena, struct yl_node *source,
                const char *name)
{
    struct yl_node *target = yl_member_make(arena, source, "target");
    struct yl_at at = yl_at_root(target);
    const char *type = "AverageValue";

    if (!strcmp(name, "object")
        && yl_member_is_absent(target, "averageValue")) {
        type = "Value";
    } else if (!strcmp(name, "object") && yl_at_get_is(&at, "value", "0")) {
        yl_member_drop(target, "value");
    } else if (!strcmp(name, "external")
               && !yl_member_is_absent(target, "value")) {
        type = "Value";
    } else if (!yl_member_is_absent(target, "averageUtilization")) {
        type = "Utilization";
    }
    yl_member_set_str(arena, target, "type", type);
}

static struct yl_node *
list_of(struct yl_arena *arena, struct yl_node *object, const char *name)
{
    struct yl_node *list = yl_member_array(object, name);

    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, object, name, list);
    }
    return list;
}

static struct yl_node *
conditions_in_order(struct yl_arena *arena, const struct yl_node *conditions)
{
    struct yl_node *result = yl_node_new_array(arena);
    const struct yl_node *condition;
    size_t i;

    YL_NODE_FOR_EACH (condition, conditions) {
        struct yl_node *one = yl_node_new_object(arena);

        for (i = 0; i < YL_ARRAY_SIZE(condition_names); i++) {
            yl_member_keep(arena, one, condition, condition_names[i]);
            if (i == 2 && yl_member_is_absent(one, condition_names[i])) {
                yl_member_set(arena, one, condition_names[i],
                              yl_node_new_null(arena));
            }
        }
        yl_node_append(result, one);
    }
    return result;
}

static void
annotate(struct yl_arena *arena, struct yl_node *object, const char *key,
         const struct yl_node *value)
{
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    yl_node_write(&text, value);
    annotate_text(arena, object, key, yl_buf_str(&text));
    yl_buf_release(&text);
}

static void
annotate_text(struct yl_arena *arena, struct yl_node *object, const char *key,
              struct yl_str text)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");

    yl_member_set(arena, yl_member_make(arena, metadata, "annotations"), key,
                  yl_node_new_string(arena, text));
}

/* The value of an annotation that is JSON; NULL if it is not. */
static struct yl_node *
read_annotation(struct yl_arena *arena, const struct yl_node *object,
                const char *key)
{
    struct yl_check c = { arena, NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_str text = yl_at_get_str(&c, &annotations, key);
    struct yl_node *value = NULL;

    if (!text.size
        || yl_tree_parse(arena, yl_arena_copy(arena, text), NULL, &value,
                         NULL) < 0) {
        return NULL;
    }
    return value;
}

static void
drop_annotations(struct yl_node *object)
{
    static const char *const keys[] = { METRICS, CURRENT_METRICS, CONDITIONS,
                                        BEHAVIOR };
    struct yl_node *metadata = yl_member_object(object, "metadata");
    struct yl_node *annotations = yl_member_object(metadata, "annotations");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(keys); i++) {
        yl_member_drop(annotations, keys[i]);
    }
    if (annotations && !annotations->n) {
        yl_member_drop(metadata, "annotations");
    }
}
