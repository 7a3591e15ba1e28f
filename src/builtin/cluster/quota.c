/* ResourceQuota: defaults and validation. */

#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/pods/pod_resources.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

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
static bool conflict(const struct yl_node *scopes);
static bool is_quota_resource(struct yl_str name);
static bool scope_fits(struct yl_str scope, struct yl_str resource);
static size_t misfits(const struct yl_at *spec, struct yl_str scope);

void
yl_resource_quota_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_member_object(object, "status");

    yl_resource_list_default(
        arena, yl_member_object(yl_member_object(object, "spec"), "hard"));
    yl_resource_list_default(arena, yl_member_object(status, "hard"));
    yl_resource_list_default(arena, yl_member_object(status, "used"));
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
    YL_CHECK_FOR_EACH (c, scope, &scopes) {
        yl_set_add(c->arena, now, yl_at_str(c, &scope));
    }
    YL_CHECK_FOR_EACH (c, scope, &old_scopes) {
        yl_set_add(c->arena, was, yl_at_str(c, &scope));
    }
    if (!yl_node_equal(now, was)) {
        yl_field_invalid(c->err, yl_at_path(&scopes),
                         yl_bad_at(&scopes), YL_IMMUTABLE);
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
check_quota_list(struct yl_check *c, const struct yl_at *list)
{
    YL_CHECK_FOR_EACH (c, amount, list) {
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
    size_t n;

    YL_CHECK_FOR_EACH (c, scope, &scopes) {
        struct yl_str s = yl_at_str(c, &scope);

        if (!is_scope(s)) {
            yl_field_invalid(c->err, yl_at_path(&scopes),
                             yl_bad_at(&scopes), "unsupported scope");
        }
        for (n = misfits(spec, s); n > 0; n--) {
            yl_field_invalid(c->err, yl_at_path(&scopes),
                             yl_bad_at(&scopes),
                             "unsupported scope applied to resource");
        }
        yl_set_add(c->arena, set, s);
    }
    if (conflict(set)) {
        yl_field_invalid(c->err, yl_at_path(&scopes),
                         yl_bad_at(&scopes), "conflicting scopes");
    }
}

static void
check_scope_selector(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at selector = yl_at(spec, "scopeSelector");
    struct yl_at expressions = yl_at(&selector, "matchExpressions");
    struct yl_node *set = yl_node_new_object(c->arena);
    size_t n;

    YL_CHECK_FOR_EACH (c, requirement, &expressions) {
        struct yl_str s = yl_at_get_str(c, &requirement, "scopeName");

        if (!is_scope(s)) {
            struct yl_at name = yl_at_node(&expressions, "scopeName", NULL);

            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "unsupported scope");
        }
        for (n = misfits(spec, s); n > 0; n--) {
            yl_field_invalid(c->err, yl_at_path(&expressions),
                             yl_bad_struct(c, selector.node,
                                           YL_GO(core_v1, scope_selector)),
                             "unsupported scope applied to resource");
        }
        check_scope_requirement(c, &expressions, &requirement);
        yl_set_add(c->arena, set, s);
    }
    if (conflict(set)) {
        struct yl_at scopes = yl_at(spec, "scopes");

        yl_field_invalid(c->err, yl_at_path(&expressions),
                         yl_bad_at(&scopes), "conflicting scopes");
    }
}

/* Causes name the list of expressions, not the requirement, as in upstream. */
static void
check_scope_requirement(struct yl_check *c, const struct yl_at *expressions,
                        const struct yl_at *requirement)
{
    struct yl_str scope = yl_at_get_str(c, requirement, "scopeName");
    struct yl_at op = yl_at(requirement, "operator");
    struct yl_at values = yl_at(requirement, "values");
    struct yl_at op_path = yl_at_node(expressions, "operator", NULL);
    struct yl_at values_path = yl_at_node(expressions, "values", NULL);

    if (is_scope(scope) && !yl_str_equal_c(scope, "PriorityClass")
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
                             yl_bad_at(&values),
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
conflict(const struct yl_node *scopes)
{
    return (yl_node_get(scopes, YL_STR("BestEffort"))
            && yl_node_get(scopes, YL_STR("NotBestEffort")))
           || (yl_node_get(scopes, YL_STR("Terminating"))
               && yl_node_get(scopes, YL_STR("NotTerminating")));
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

/* The number of resources in 'hard' that the scope does not apply to. */
static size_t
misfits(const struct yl_at *spec, struct yl_str scope)
{
    struct yl_at hard = yl_at(spec, "hard");
    size_t n = 0;

    YL_AT_FOR_EACH (amount, &hard) {
        struct yl_str name = yl_at_key(&amount);

        n += is_quota_resource(name) && !scope_fits(scope, name);
    }
    return n;
}

/* Whether a scope applies to a resource.  BestEffort applies to the number of
 * pods only, VolumeAttributesClass to storage, all others to the resources of
 * Pods. */
static bool
scope_fits(struct yl_str scope, struct yl_str resource)
{
    static const char *const of_pods[] = {
        "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu",
        "limits.memory", "pods",
    };
    size_t i;

    if (!is_scope(scope)) {
        return true;
    }
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
    return false;
}
