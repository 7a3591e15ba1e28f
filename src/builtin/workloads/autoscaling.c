/* HorizontalPodAutoscaler: defaults, validation, updates. */

#include "builtin/common/meta.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "yuloh/gvk.h"

#define MAX_PERIOD 1800         /* Seconds. */
#define MAX_WINDOW 3600

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };
static const char *const metric_types[] = { "ContainerResource", "External",
                                            "Object", "Pods", "Resource",
                                            NULL };

/* What a reference to the scaled object may look like. */
enum reference {
    STRICT,                     /* It must have a group. */
    CORE_TOO,                   /* It may be of the core group. */
    ANYTHING,                   /* Already stored: not checked. */
};

static void default_metrics(struct yl_arena *, struct yl_node *spec);
static void default_rules(struct yl_arena *, struct yl_node *behavior,
                          const char *name, bool up);
static void add_policy(struct yl_arena *, struct yl_node *policies,
                       const char *type, int64_t value);
static void check_spec(struct yl_check *, const struct yl_node *object,
                       const struct yl_node *old);
static void check_reference(struct yl_check *, const struct yl_at *,
                            enum reference);
static void check_metric(struct yl_check *, const struct yl_at *metric);
static void check_source(struct yl_check *, const struct yl_at *metric,
                         const char *name);
static void check_resource(struct yl_check *, const struct yl_at *source);
static void check_target(struct yl_check *, const struct yl_at *target);
static void check_positive_quantity(struct yl_check *, const struct yl_at *);
static void check_metric_name(struct yl_check *, const struct yl_at *source);
static void check_rules(struct yl_check *, const struct yl_at *rules);
static void check_policy(struct yl_check *, const struct yl_at *policy);

void
yl_hpa_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *behavior = yl_member_object(spec, "behavior");

    yl_member_default_int_ptr(arena, spec, "minReplicas", 1);
    if (yl_member_is_zero(spec, "metrics")) {
        default_metrics(arena, spec);
    }
    if (behavior) {
        default_rules(arena, behavior, "scaleUp", true);
        default_rules(arena, behavior, "scaleDown", false);
    }
}

void
yl_hpa_validate(struct yl_check *c, const struct yl_node *object)
{
    yl_check_object_meta(c, object, &rule);
    check_spec(c, object, NULL);
}

void
yl_hpa_validate_update(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &rule);
    check_spec(c, object, old);
}

void
yl_hpa_validate_status(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at current = yl_at(&status, "currentReplicas");
    struct yl_at desired = yl_at(&status, "desiredReplicas");

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_not_negative(c, &current);
    yl_check_not_negative(c, &desired);
}

/* The default metric: a CPU utilization of 80 %. */
static void
default_metrics(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *metrics = yl_node_new_array(arena);
    struct yl_node *metric = yl_node_new_object(arena);
    struct yl_node *resource = yl_member_make(arena, metric, "resource");
    struct yl_node *target = yl_member_make(arena, resource, "target");

    yl_member_set_str(arena, metric, "type", "Resource");
    yl_member_set_str(arena, resource, "name", "cpu");
    yl_member_set_str(arena, target, "type", "Utilization");
    yl_member_set(arena, target, "averageUtilization",
                  yl_node_new_int64(arena, 80));
    yl_node_append(metrics, metric);
    yl_member_set(arena, spec, "metrics", metrics);
}

static void
default_rules(struct yl_arena *arena, struct yl_node *behavior,
              const char *name, bool up)
{
    struct yl_node *rules = yl_member_make(arena, behavior, name);

    if (up) {
        yl_member_default_int_ptr(arena, rules, "stabilizationWindowSeconds",
                                  0);
    }
    yl_member_default_str_ptr(arena, rules, "selectPolicy", "Max");
    if (yl_member_is_absent(rules, "policies")) {
        struct yl_node *policies = yl_node_new_array(arena);

        if (up) {
            add_policy(arena, policies, "Pods", 4);
        }
        add_policy(arena, policies, "Percent", 100);
        yl_member_set(arena, rules, "policies", policies);
    }
}

static void
add_policy(struct yl_arena *arena, struct yl_node *policies, const char *type,
           int64_t value)
{
    struct yl_node *policy = yl_node_new_object(arena);

    yl_member_set_str(arena, policy, "type", type);
    yl_member_set(arena, policy, "value", yl_node_new_int64(arena, value));
    yl_member_set(arena, policy, "periodSeconds",
                  yl_node_new_int64(arena, 15));
    yl_node_append(policies, policy);
}

static void
check_spec(struct yl_check *c, const struct yl_node *object,
           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at min = yl_at(&spec, "minReplicas");
    struct yl_at old_min = yl_at(&then, "minReplicas");
    struct yl_at max = yl_at(&spec, "maxReplicas");
    struct yl_at ref = yl_at(&spec, "scaleTargetRef");
    struct yl_at old_ref = yl_at(&then, "scaleTargetRef");
    struct yl_at metrics = yl_at(&spec, "metrics");
    struct yl_at behavior = yl_at(&spec, "behavior");
    struct yl_at up = yl_at(&behavior, "scaleUp");
    struct yl_at down = yl_at(&behavior, "scaleDown");
    struct yl_at kind = yl_at(&ref, "kind");
    struct yl_at old_kind = yl_at(&old_ref, "kind");
    struct yl_at version = yl_at(&ref, "apiVersion");
    struct yl_at old_version = yl_at(&old_ref, "apiVersion");
    int64_t least = yl_at_has(&old_min) && !yl_at_int(&old_min) ? 0 : 1;
    bool from_zero = false;

    if (yl_at_has(&min) && yl_at_int(&min) < least) {
        yl_field_invalid(c->err, yl_at_path(&min),
                         yl_bad_int(yl_at_int(&min)),
                         "must be greater than or equal to %d", (int) least);
    }
    if (!yl_at_int(&max)) {
        yl_field_required(c->err, yl_at_path(&max),
                          "must be set and greater than 0");
    } else if (yl_at_int(&max) < 0) {
        yl_field_invalid(c->err, yl_at_path(&max),
                         yl_bad_int(yl_at_int(&max)),
                         "must be greater than or equal to 1");
    }
    if (yl_at_has(&min) && yl_at_int(&max) < yl_at_int(&min)) {
        yl_field_invalid(c->err, yl_at_path(&max),
                         yl_bad_int(yl_at_int(&max)),
                         "must be greater than or equal to `minReplicas`");
    }
    check_reference(c, &ref,
                    old && yl_node_same(kind.node, old_kind.node)
                    && yl_node_same(version.node, old_version.node)
                    ? ANYTHING
                    : yl_at_is(&kind, "ReplicationController") ? CORE_TOO
                                                               : STRICT);
    YL_CHECK_FOR_EACH (c, metric, &metrics) {
        check_metric(c, &metric);
        from_zero |= yl_at_get_is(&metric, "type", "Object")
                     || yl_at_get_is(&metric, "type", "External");
    }
    if (yl_at_has(&min) && !yl_at_int(&min) && !from_zero) {
        yl_field_forbidden(c->err, yl_at_path(&metrics),
                           "must specify at least one Object or External "
                           "metric to support scaling to zero replicas");
    }
    check_rules(c, &up);
    check_rules(c, &down);
}

static void
check_reference(struct yl_check *c, const struct yl_at *ref,
                enum reference how)
{
    static const char *const names[] = { "kind", "name" };
    struct yl_at version = yl_at(ref, "apiVersion");
    struct yl_str s = yl_at_str(c, &version);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_gv gv;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        struct yl_at name = yl_at(ref, names[i]);

        if (yl_check_required(c, &name)) {
            yl_check_name(c, &name, YL_NAME_PATH_SEGMENT);
        }
    }
    if (how == ANYTHING) {
        return;
    }
    if (yl_gv_parse(s, &gv, &err) < 0) {
        yl_field_invalid(c->err, yl_at_path(&version), yl_bad_string(s),
                         "%s", yl_error_message(&err));
        yl_error_clear(&err);
    } else if (how == STRICT && !gv.group.size) {
        yl_field_invalid(c->err, yl_at_path(&version), yl_bad_string(s),
                         "apiVersion must specify API group");
    }
}

/* There must be exactly one source, the one that the type names. */
static void
check_metric(struct yl_check *c, const struct yl_at *metric)
{
    static const char *const sources[][2] = {
        { "Object", "object" }, { "External", "external" },
        { "Pods", "pods" }, { "Resource", "resource" },
        { "ContainerResource", "containerResource" },
    };
    struct yl_at type = yl_at(metric, "type");
    const char *expected = "";
    size_t i, n = 0;

    if (yl_at_is(&type, "")) {
        yl_field_required(c->err, yl_at_path(&type),
                          "must specify a metric source type");
    }
    yl_check_one_of(c, &type, metric_types);
    for (i = 0; i < YL_ARRAY_SIZE(sources); i++) {
        if (yl_at_get_has(metric, sources[i][1]) && n++ == 0) {
            check_source(c, metric, sources[i][1]);
        }
    }
    for (i = 0; i < YL_ARRAY_SIZE(sources); i++) {
        struct yl_at source = yl_at(metric, sources[i][1]);

        if (yl_at_is(&type, sources[i][0])) {
            expected = sources[i][1];
            if (!yl_at_has(&source)) {
                yl_field_required(c->err, yl_at_path(&source),
                                  "must populate information for the given "
                                  "metric source");
            }
        }
    }
    if (!*expected) {
        yl_check_one_of(c, &type, metric_types);
    }
    for (i = 0; n != 1 && i < YL_ARRAY_SIZE(sources); i++) {
        struct yl_at source = yl_at(metric, sources[i][1]);

        if (yl_at_has(&source) && sources[i][1] != expected) {
            yl_field_forbidden(c->err, yl_at_path(&source),
                               "must populate the given metric source only");
        }
    }
}

static void
check_source(struct yl_check *c, const struct yl_at *metric, const char *name)
{
    struct yl_at source = yl_at(metric, name);
    struct yl_at target = yl_at(&source, "target");
    struct yl_at value = yl_at(&target, "value");
    struct yl_at average = yl_at(&target, "averageValue");
    struct yl_at object = yl_at(&source, "describedObject");
    const char *missing = NULL;

    if (name[0] == 'r' || name[0] == 'c') {
        check_resource(c, &source);
        return;
    }
    if (name[0] == 'o') {
        check_reference(c, &object, CORE_TOO);
    }
    check_metric_name(c, &source);
    check_target(c, &target);
    if (name[0] == 'p') {
        missing = "must specify a positive target averageValue";
    } else if (!yl_at_has(&value)) {
        missing = name[0] == 'o'
                  ? "must set either a target value or averageValue"
                  : "must set either a target value for metric or a per-pod "
                    "target";
    }
    if (missing && !yl_at_has(&average)) {
        yl_field_required(c->err, yl_at_path(&average), "%s", missing);
    }
    if (name[0] == 'e' && yl_at_has(&value) && yl_at_has(&average)) {
        yl_field_forbidden(c->err, yl_at_path(&value),
                           "may not set both a target value for metric and a "
                           "per-pod target");
    }
}

/* A resource of Pods, or of one container in them. */
static void
check_resource(struct yl_check *c, const struct yl_at *source)
{
    struct yl_at name = yl_at(source, "name");
    struct yl_at container = yl_at(source, "container");
    struct yl_at target = yl_at(source, "target");
    struct yl_at average = yl_at(&target, "averageValue");
    struct yl_at utilization = yl_at(&target, "averageUtilization");
    bool of_container = source->path.name.data[0] == 'c';

    if (yl_at_is(&name, "")) {
        yl_field_required(c->err, yl_at_path(&name),
                          "must specify a resource name");
    } else if (of_container) {
        yl_check_container_resource_name(c, &name, yl_at_str(c, &name));
    }
    if (of_container && yl_at_is(&container, "")) {
        yl_field_required(c->err, yl_at_path(&container),
                          "must specify a container");
    } else if (of_container) {
        yl_check_name(c, &container, YL_NAME_DNS1123_LABEL);
    }
    check_target(c, &target);
    if (!yl_at_has(&utilization) && !yl_at_has(&average)) {
        yl_field_required(c->err, yl_at_path(&utilization),
                          "must set either a target raw value or a target "
                          "utilization");
    }
    if (yl_at_has(&utilization) && yl_at_has(&average)) {
        yl_field_forbidden(c->err, yl_at_path(&average),
                           "may not set both a target raw value and a target "
                           "utilization");
    }
}

static void
check_target(struct yl_check *c, const struct yl_at *target)
{
    struct yl_at type = yl_at(target, "type");
    struct yl_at value = yl_at(target, "value");
    struct yl_at average = yl_at(target, "averageValue");
    struct yl_at utilization = yl_at(target, "averageUtilization");

    if (yl_at_is(&type, "")) {
        yl_field_required(c->err, yl_at_path(&type),
                          "must specify a metric target type");
    }
    if (!yl_at_is(&type, "Utilization") && !yl_at_is(&type, "Value")
        && !yl_at_is(&type, "AverageValue")) {
        yl_field_invalid(c->err, yl_at_path(&type), yl_bad_str(c, &type),
                         "must be either Utilization, Value, or "
                         "AverageValue");
    }
    check_positive_quantity(c, &value);
    check_positive_quantity(c, &average);
    if (yl_at_has(&utilization) && yl_at_int(&utilization) < 1) {
        yl_field_invalid(c->err, yl_at_path(&utilization),
                         yl_bad_int(yl_at_int(&utilization)),
                         "must be greater than 0");
    }
}

static void
check_positive_quantity(struct yl_check *c, const struct yl_at *at)
{
    char room[YL_QUANTITY_TEXT_SIZE];
    struct yl_quantity q;

    if (yl_node_quantity(c->arena, at->node, &q)
        && yl_quantity_sign(&q) <= 0) {
        yl_field_invalid(c->err, yl_at_path(at),
                         yl_bad_string(yl_quantity_text(&q, room)),
                         "must be positive");
    }
}

static void
check_metric_name(struct yl_check *c, const struct yl_at *source)
{
    struct yl_at metric = yl_at(source, "metric");
    struct yl_at name = yl_at(&metric, "name");

    if (yl_at_is(&name, "")) {
        yl_field_required(c->err, yl_at_path(&name),
                          "must specify a metric name");
    } else {
        yl_check_name(c, &name, YL_NAME_PATH_SEGMENT);
    }
}

static void
check_rules(struct yl_check *c, const struct yl_at *rules)
{
    static const char *const selects[] = { "Disabled", "Max", "Min", NULL };
    struct yl_at window = yl_at(rules, "stabilizationWindowSeconds");
    struct yl_at select = yl_at(rules, "selectPolicy");
    struct yl_at policies = yl_at(rules, "policies");
    struct yl_at tolerance = yl_at(rules, "tolerance");

    if (!yl_at_has(rules)) {
        return;
    }
    if (yl_at_int(&window) < 0 || yl_at_int(&window) > MAX_WINDOW) {
        yl_field_invalid(c->err, yl_at_path(&window),
                         yl_bad_int(yl_at_int(&window)),
                         yl_at_int(&window) < 0
                         ? "must be greater than or equal to zero"
                         : "must be less than or equal to 3600");
    }
    if (yl_at_has(&select)) {
        yl_check_one_of(c, &select, selects);
    }
    if (!yl_at_count(&policies)) {
        yl_field_required(c->err, yl_at_path(&policies),
                          "must specify at least one Policy");
    }
    YL_CHECK_FOR_EACH (c, policy, &policies) {
        check_policy(c, &policy);
    }
    yl_check_quantity_not_negative(c, &tolerance);
}

static void
check_policy(struct yl_check *c, const struct yl_at *policy)
{
    static const char *const types[] = { "Percent", "Pods", NULL };
    struct yl_at type = yl_at(policy, "type");
    struct yl_at value = yl_at(policy, "value");
    struct yl_at period = yl_at(policy, "periodSeconds");

    yl_check_one_of(c, &type, types);
    if (yl_at_int(&value) <= 0) {
        yl_field_invalid(c->err, yl_at_path(&value),
                         yl_bad_int(yl_at_int(&value)),
                         "must be greater than zero");
    }
    if (yl_at_int(&period) <= 0) {
        yl_field_invalid(c->err, yl_at_path(&period),
                         yl_bad_int(yl_at_int(&period)),
                         "must be greater than zero");
    }
    if (yl_at_int(&period) > MAX_PERIOD) {
        yl_field_invalid(c->err, yl_at_path(&period),
                         yl_bad_int(yl_at_int(&period)),
                         "must be less than or equal to %d", MAX_PERIOD);
    }
}
