/* LimitRange and ResourceQuota: defaults, validation, updates. */

#include "builtin/pod.h"
#include "builtin/pod_check.h"
#include "builtin/pod_resources.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

/* One resource in one item of a LimitRange. */
struct limits {
    struct yl_quantity min, max, default_, request, ratio;
    bool has_min, has_max, has_default, has_request, has_ratio;
    char texts[5][YL_QUANTITY_TEXT_SIZE];
};

static void copy_missing(struct yl_arena *, struct yl_node *to,
                         const struct yl_node *from);
static void check_limit(struct yl_check *, const struct yl_at *limit,
                        struct yl_node *types);
static void check_limit_type(struct yl_check *, const struct yl_at *type);
static void check_names(struct yl_check *, const struct yl_at *limit,
                        const char *list, struct yl_node *keys);
static void check_key(struct yl_check *, const struct yl_at *limit,
                      struct yl_str key);
static void check_ratio(struct yl_check *, const struct yl_at *limit,
                        struct yl_str key, const struct limits *);
static bool read_limit(struct yl_check *, const struct yl_at *limit,
                       const char *list, struct yl_str key,
                       struct yl_quantity *);
static void complain(struct yl_check *, const struct yl_at *limit,
                     const char *list, struct yl_str key,
                     const struct yl_quantity *, const char *why);
static const char *text_of(struct yl_check *, const struct yl_quantity *);
static void check_quota_list(struct yl_check *, const struct yl_at *list);
static void check_quota_name(struct yl_check *, const struct yl_at *,
                             struct yl_str name);
static void check_quota_spec(struct yl_check *, const struct yl_at *spec);
static void check_scopes(struct yl_check *, const struct yl_at *spec);
static void check_scope_selector(struct yl_check *, const struct yl_at *spec);
static void check_scope_requirement(struct yl_check *,
                                    const struct yl_at *expressions,
                                    const struct yl_at *requirement);
static bool is_scope(struct yl_str);
static bool is_quota_resource(struct yl_str name);
static bool scope_fits(struct yl_str scope, struct yl_str resource);
static bool misfits(struct yl_check *, const struct yl_at *spec,
                    struct yl_str scope);

void
yl_limit_range_default(struct yl_arena *arena, struct yl_node *object)
{
    static const char *const lists[] = { "max", "min", "default",
                                         "defaultRequest",
                                         "maxLimitRequestRatio" };
    struct yl_node *limit;
    size_t i;

    YL_EACH (limit, yl_get_object(object, "spec"), "limits") {
        struct yl_at at = yl_at_root(limit);

        for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
            yl_resource_list_default(arena, yl_get_object(limit, lists[i]));
        }
        if (yl_get_is(&at, "type", "Container")) {
            struct yl_node *request, *values;

            values = yl_make_object(arena, limit, "default");
            request = yl_make_object(arena, limit, "defaultRequest");
            copy_missing(arena, values, yl_get_object(limit, "max"));
            copy_missing(arena, request, values);
            copy_missing(arena, request, yl_get_object(limit, "min"));
        }
    }
}

void
yl_limit_range_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at limits = yl_at(&spec, "limits");
    struct yl_node *types = yl_node_new_object(c->arena);

    yl_check_object_meta(c, object, &rule);
    YL_AT_FOR_EACH (limit, &limits) {
        check_limit(c, &limit, types);
    }
}

void
yl_limit_range_validate_update(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old YL_UNUSED)
{
    yl_limit_range_validate(c, object);
}

void
yl_resource_quota_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_get_object(object, "status");

    yl_resource_list_default(arena, yl_get_object(
        yl_get_object(object, "spec"), "hard"));
    yl_resource_list_default(arena, yl_get_object(status, "hard"));
    yl_resource_list_default(arena, yl_get_object(status, "used"));
}

void
yl_resource_quota_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &rule);
    check_quota_spec(c, &spec);
}

void
yl_resource_quota_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at scopes = yl_at(&spec, "scopes");
    struct yl_at old_scopes = yl_at(&then, "scopes");
    struct yl_node *now = yl_node_new_object(c->arena);
    struct yl_node *was = yl_node_new_object(c->arena);

    yl_check_object_meta_update(c, object, old, &rule);
    check_quota_spec(c, &spec);
    YL_AT_FOR_EACH (scope, &scopes) {
        yl_set_add(c->arena, now, yl_at_str(c, &scope));
    }
    YL_AT_FOR_EACH (scope, &old_scopes) {
        yl_set_add(c->arena, was, yl_at_str(c, &scope));
    }
    if (!yl_node_equal(now, was)) {
        yl_field_invalid(c->err, yl_at_path(&scopes),
                         yl_bad_node(scopes.node), YL_IMMUTABLE);
    }
}

void
yl_resource_quota_validate_status(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at hard = yl_at(&status, "hard");
    struct yl_at used = yl_at(&status, "used");

    yl_check_object_meta_update(c, object, old, &rule);
    check_quota_list(c, &hard);
    check_quota_list(c, &used);
}

static void
copy_missing(struct yl_arena *arena, struct yl_node *to,
             const struct yl_node *from)
{
    const struct yl_node *amount;

    if (!to || !from) {
        return;
    }
    YL_NODE_FOR_EACH (amount, from) {
        if (!yl_node_get(to, yl_node_key(amount))) {
            yl_node_set(arena, to, yl_node_key(amount),
                        yl_node_copy(arena, amount));
        }
    }
}

static void
check_limit(struct yl_check *c, const struct yl_at *limit,
            struct yl_node *types)
{
    static const char not_of_pod[] =
        "may not be specified when `type` is 'Pod'";
    struct yl_at type = yl_at(limit, "type");
    struct yl_at values = yl_at(limit, "default");
    struct yl_at requests = yl_at(limit, "defaultRequest");
    struct yl_at min = yl_at(limit, "min"), max = yl_at(limit, "max");
    struct yl_at shown = yl_at_node(limit, "limits", NULL);
    struct yl_node *keys = yl_node_new_object(c->arena);
    const struct yl_node *key;

    check_limit_type(c, &type);
    if (!yl_set_add(c->arena, types, yl_at_str(c, &type))) {
        yl_field_duplicate(c->err, yl_at_path(&type), yl_bad_str(c, &type));
    }
    check_names(c, limit, "max", keys);
    check_names(c, limit, "min", keys);
    if (!yl_at_is(&type, "Pod")) {
        check_names(c, limit, "default", keys);
        check_names(c, limit, "defaultRequest", keys);
    } else {
        if (yl_at_count(&values)) {
            yl_field_forbidden(c->err, yl_at_path(&values), not_of_pod);
        }
        if (yl_at_count(&requests)) {
            yl_field_forbidden(c->err, yl_at_path(&requests), not_of_pod);
        }
    }
    if (yl_at_is(&type, "PersistentVolumeClaim")
        && !yl_get_has(&min, "storage") && !yl_get_has(&max, "storage")) {
        yl_field_required(c->err, yl_at_path(&shown),
                          "either minimum or maximum storage value is "
                          "required, but neither was provided");
    }
    check_names(c, limit, "maxLimitRequestRatio", keys);
    YL_NODE_FOR_EACH (key, keys) {
        check_key(c, limit, yl_node_key(key));
    }
}

static void
check_limit_type(struct yl_check *c, const struct yl_at *type)
{
    if (yl_check_name(c, type, YL_NAME_QUALIFIED)
        && !yl_str_find_char(yl_at_str(c, type), '/')
        && !yl_at_is(type, "Pod") && !yl_at_is(type, "Container")
        && !yl_at_is(type, "PersistentVolumeClaim")) {
        yl_field_invalid(c->err, yl_at_path(type), yl_bad_str(c, type),
                         "must be a standard limit type or fully qualified");
    }
}

static void
check_names(struct yl_check *c, const struct yl_at *limit, const char *name,
            struct yl_node *keys)
{
    struct yl_at list = yl_at(limit, name);
    struct yl_at type = yl_at(limit, "type");
    bool of_container = yl_at_is(&type, "Pod")
                        || yl_at_is(&type, "Container");

    YL_AT_FOR_EACH (amount, &list) {
        struct yl_str key = yl_at_key(&amount);

        if (of_container) {
            yl_check_container_resource_name(c, &amount, key);
        } else {
            yl_check_resource_name(c, &amount, key);
        }
        yl_set_add(c->arena, keys, key);
    }
}

static void
check_key(struct yl_check *c, const struct yl_at *limit, struct yl_str key)
{
    struct yl_at type = yl_at(limit, "type");
    bool of_pod = yl_at_is(&type, "Pod");
    struct limits l;

    l.has_min = read_limit(c, limit, "min", key, &l.min);
    l.has_max = read_limit(c, limit, "max", key, &l.max);
    l.has_default = !of_pod
                    && read_limit(c, limit, "default", key, &l.default_);
    l.has_request = !of_pod
                    && read_limit(c, limit, "defaultRequest", key,
                                  &l.request);
    if (l.has_min && l.has_max && yl_quantity_compare(&l.min, &l.max) > 0) {
        complain(c, limit, "min", key, &l.min, yl_arena_printf(
            c->arena, "min value %s is greater than max value %s",
            text_of(c, &l.min), text_of(c, &l.max)));
    }
    if (l.has_request && l.has_min
        && yl_quantity_compare(&l.min, &l.request) > 0) {
        complain(c, limit, "defaultRequest", key, &l.request, yl_arena_printf(
            c->arena, "min value %s is greater than default request value %s",
            text_of(c, &l.min), text_of(c, &l.request)));
    }
    if (l.has_request && l.has_max
        && yl_quantity_compare(&l.request, &l.max) > 0) {
        complain(c, limit, "defaultRequest", key, &l.request, yl_arena_printf(
            c->arena, "default request value %s is greater than max value %s",
            text_of(c, &l.request), text_of(c, &l.max)));
    }
    if (l.has_request && l.has_default
        && yl_quantity_compare(&l.request, &l.default_) > 0) {
        complain(c, limit, "defaultRequest", key, &l.request, yl_arena_printf(
            c->arena, "default request value %s is greater than default "
            "limit value %s", text_of(c, &l.request),
            text_of(c, &l.default_)));
    }
    if (l.has_default && l.has_min
        && yl_quantity_compare(&l.min, &l.default_) > 0) {
        complain(c, limit, "default", key, &l.min, yl_arena_printf(
            c->arena, "min value %s is greater than default value %s",
            text_of(c, &l.min), text_of(c, &l.default_)));
    }
    if (l.has_default && l.has_max
        && yl_quantity_compare(&l.default_, &l.max) > 0) {
        complain(c, limit, "default", key, &l.max, yl_arena_printf(
            c->arena, "default value %s is greater than max value %s",
            text_of(c, &l.default_), text_of(c, &l.max)));
    }
    check_ratio(c, limit, key, &l);
    if (l.has_default && l.has_request && !yl_resource_can_overcommit(key)
        && yl_quantity_compare(&l.default_, &l.request) != 0) {
        complain(c, limit, "defaultRequest", key, &l.request, yl_arena_printf(
            c->arena, "default value %s must equal to defaultRequest value "
            "%s in %.*s", text_of(c, &l.default_), text_of(c, &l.request),
            YL_STR_ARG(key)));
    }
}

/* Amounts that fit are compared by the thousandth. */
static void
check_ratio(struct yl_check *c, const struct yl_at *limit, struct yl_str key,
            const struct limits *l)
{
    static const char list[] = "maxLimitRequestRatio";
    const int64_t max_milli = INT64_MAX / 1000;
    struct yl_quantity one = yl_quantity_make(1, 0, YL_DECIMAL_SI);
    struct yl_quantity ratio;
    double value, low, high;

    if (!read_limit(c, limit, list, key, &ratio)) {
        return;
    }
    if (yl_quantity_compare(&ratio, &one) < 0) {
        complain(c, limit, list, key, &ratio, yl_arena_printf(
            c->arena, "ratio %s is less than 1", text_of(c, &ratio)));
    }
    if (!l->has_min || !l->has_max) {
        return;
    }
    value = (double) yl_quantity_value(&ratio);
    low = (double) yl_quantity_value(&l->min);
    high = (double) yl_quantity_value(&l->max);
    if (yl_quantity_value(&ratio) < max_milli
        && yl_quantity_value(&l->min) < max_milli
        && yl_quantity_value(&l->max) < max_milli) {
        value = (double) yl_quantity_milli_value(&ratio) / 1000;
        low = (double) yl_quantity_milli_value(&l->min);
        high = (double) yl_quantity_milli_value(&l->max);
    }
    if (low != 0 && value > high / low) {
        complain(c, limit, list, key, &ratio, yl_arena_printf(
            c->arena, "ratio %s is greater than max/min = %f",
            text_of(c, &ratio), high / low));
    }
}

static bool
read_limit(struct yl_check *c, const struct yl_at *limit, const char *name,
           struct yl_str key, struct yl_quantity *ret_quantity)
{
    struct yl_at list = yl_at(limit, name);

    return yl_node_type(list.node) == YL_JSON_OBJECT
           && yl_node_quantity(c->arena, yl_node_get(list.node, key),
                               ret_quantity);
}

static void
complain(struct yl_check *c, const struct yl_at *limit, const char *name,
         struct yl_str key, const struct yl_quantity *q, const char *why)
{
    struct yl_at list = yl_at_node(limit, name, NULL);
    struct yl_field_path path = yl_field_key(yl_at_path(&list), key);

    yl_field_invalid(c->err, &path, yl_bad_string(yl_str_c(text_of(c, q))),
                     "%s", why);
}

static const char *
text_of(struct yl_check *c, const struct yl_quantity *q)
{
    char room[YL_QUANTITY_TEXT_SIZE];

    return yl_arena_strdup(c->arena, yl_quantity_text(q, room));
}

static void
check_quota_list(struct yl_check *c, const struct yl_at *list)
{
    YL_AT_FOR_EACH (amount, list) {
        check_quota_name(c, &amount, yl_at_key(&amount));
        yl_check_amount(c, &amount, yl_at_key(&amount));
    }
}

static void
check_quota_name(struct yl_check *c, const struct yl_at *at,
                 struct yl_str name)
{
    yl_check_resource_name(c, at, name);
    if (!yl_str_find_char(name, '/') && !is_quota_resource(name)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                         "must be a standard resource for quota");
    }
}

static void
check_quota_spec(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at hard = yl_at(spec, "hard");

    check_quota_list(c, &hard);
    check_scopes(c, spec);
    check_scope_selector(c, spec);
}

static void
check_scopes(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at scopes = yl_at(spec, "scopes");
    struct yl_node *set = yl_node_new_object(c->arena);

    YL_AT_FOR_EACH (scope, &scopes) {
        struct yl_str s = yl_at_str(c, &scope);

        if (!is_scope(s)) {
            yl_field_invalid(c->err, yl_at_path(&scopes),
                             yl_bad_node(scopes.node), "unsupported scope");
        }
        if (misfits(c, spec, s)) {
            yl_field_invalid(c->err, yl_at_path(&scopes),
                             yl_bad_node(scopes.node),
                             "unsupported scope applied to resource");
        }
        yl_set_add(c->arena, set, s);
    }
    if ((yl_node_get(set, YL_STR("BestEffort"))
         && yl_node_get(set, YL_STR("NotBestEffort")))
        || (yl_node_get(set, YL_STR("Terminating"))
            && yl_node_get(set, YL_STR("NotTerminating")))) {
        yl_field_invalid(c->err, yl_at_path(&scopes),
                         yl_bad_node(scopes.node), "conflicting scopes");
    }
}

static void
check_scope_selector(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at selector = yl_at(spec, "scopeSelector");
    struct yl_at expressions = yl_at(&selector, "matchExpressions");
    struct yl_node *set = yl_node_new_object(c->arena);

    YL_AT_FOR_EACH (requirement, &expressions) {
        struct yl_str s = yl_get_str(c, &requirement, "scopeName");

        check_scope_requirement(c, &expressions, &requirement);
        if (misfits(c, spec, s)) {
            yl_field_invalid(c->err, yl_at_path(&expressions),
                             yl_bad_node(selector.node),
                             "unsupported scope applied to resource");
        }
        yl_set_add(c->arena, set, s);
    }
    if ((yl_node_get(set, YL_STR("BestEffort"))
         && yl_node_get(set, YL_STR("NotBestEffort")))
        || (yl_node_get(set, YL_STR("Terminating"))
            && yl_node_get(set, YL_STR("NotTerminating")))) {
        struct yl_at scopes = yl_at(spec, "scopes");

        yl_field_invalid(c->err, yl_at_path(&expressions),
                         yl_bad_node(scopes.node), "conflicting scopes");
    }
}

/* Faults name the list, not the requirement. */
static void
check_scope_requirement(struct yl_check *c, const struct yl_at *expressions,
                        const struct yl_at *requirement)
{
    struct yl_str scope = yl_get_str(c, requirement, "scopeName");
    struct yl_at op = yl_at(requirement, "operator");
    struct yl_at values = yl_at(requirement, "values");
    struct yl_at name_path = yl_at_node(expressions, "scopeName", NULL);
    struct yl_at op_path = yl_at_node(expressions, "operator", NULL);
    struct yl_at values_path = yl_at_node(expressions, "values", NULL);

    if (!is_scope(scope)) {
        yl_field_invalid(c->err, yl_at_path(&name_path),
                         yl_bad_string(scope), "unsupported scope");
    } else if (!yl_str_equal_c(scope, "PriorityClass")
               && !yl_str_equal_c(scope, "VolumeAttributesClass")
               && !yl_at_is(&op, "Exists")) {
        yl_field_invalid(c->err, yl_at_path(&op_path), yl_bad_str(c, &op),
                         "must be 'Exists' when scope is any of "
                         "ResourceQuotaScopeTerminating, "
                         "ResourceQuotaScopeNotTerminating, "
                         "ResourceQuotaScopeBestEffort, "
                         "ResourceQuotaScopeNotBestEffort or "
                         "ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    if (yl_at_is(&op, "In") || yl_at_is(&op, "NotIn")) {
        if (!yl_at_count(&values)) {
            yl_field_required(c->err, yl_at_path(&values_path),
                              "must be at least one value when `operator` is "
                              "'In' or 'NotIn' for scope selector");
        }
    } else if (yl_at_is(&op, "Exists") || yl_at_is(&op, "DoesNotExist")) {
        if (yl_at_count(&values)) {
            yl_field_invalid(c->err, yl_at_path(&values_path),
                             yl_bad_node(values.node),
                             "must be no value when `operator` is 'Exist' or "
                             "'DoesNotExist' for scope selector");
        }
    } else {
        yl_field_invalid(c->err, yl_at_path(&op_path), yl_bad_str(c, &op),
                         "not a valid selector operator");
    }
}

static bool
is_scope(struct yl_str s)
{
    static const char *const scopes[] = {
        "Terminating", "NotTerminating", "BestEffort", "NotBestEffort",
        "PriorityClass", "CrossNamespacePodAffinity", "VolumeAttributesClass",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(scopes); i++) {
        if (yl_str_equal_c(s, scopes[i])) {
            return true;
        }
    }
    return false;
}

static bool
is_quota_resource(struct yl_str name)
{
    static const char *const names[] = {
        "cpu", "memory", "ephemeral-storage", "requests.cpu",
        "requests.memory", "requests.storage", "requests.ephemeral-storage",
        "limits.cpu", "limits.memory", "limits.ephemeral-storage", "pods",
        "resourcequotas", "services", "replicationcontrollers", "secrets",
        "persistentvolumeclaims", "configmaps", "services.nodeports",
        "services.loadbalancers",
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        if (yl_str_equal_c(name, names[i])) {
            return true;
        }
    }
    return yl_str_starts_with(name, YL_STR("hugepages-"))
           || yl_str_starts_with(name, YL_STR("requests.hugepages-"));
}

/* Does the hard list have a resource that the scope knows nothing of? */
static bool
misfits(struct yl_check *c YL_UNUSED, const struct yl_at *spec,
        struct yl_str scope)
{
    struct yl_at hard = yl_at(spec, "hard");

    YL_AT_FOR_EACH (amount, &hard) {
        struct yl_str name = yl_at_key(&amount);

        if (is_quota_resource(name) && !scope_fits(scope, name)) {
            return true;
        }
    }
    return false;
}

/* Scopes are about Pods, but for that of volumes; the best effort has no more
 * than a number. */
static bool
scope_fits(struct yl_str scope, struct yl_str resource)
{
    static const char *const of_pods[] = {
        "cpu", "memory", "ephemeral-storage", "requests.cpu",
        "requests.memory", "requests.ephemeral-storage", "limits.cpu",
        "limits.memory", "limits.ephemeral-storage", "pods",
    };
    size_t i;

    if (yl_str_equal_c(scope, "BestEffort")) {
        return yl_str_equal_c(resource, "pods");
    }
    if (yl_str_equal_c(scope, "VolumeAttributesClass")) {
        return yl_str_equal_c(resource, "persistentvolumeclaims")
               || yl_str_equal_c(resource, "requests.storage");
    }
    for (i = 0; i < YL_ARRAY_SIZE(of_pods); i++) {
        if (yl_str_equal_c(resource, of_pods[i])) {
            return true;
        }
    }
    return yl_str_starts_with(resource, YL_STR("hugepages-"))
           || yl_str_starts_with(resource, YL_STR("requests.hugepages-"));
}
