/* ValidatingAdmissionPolicy, MutatingAdmissionPolicy and their bindings:
 * defaults, validation, updates.  Expressions are not compiled. */

#include "builtin/extension/admission_policies.h"

#include "builtin/common/meta.h"
#include "builtin/extension/admission_rules.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, true };

static void check_mutating(struct yl_check *, const struct yl_node *object,
                           const struct yl_node *old);
static void default_matches(struct yl_arena *, struct yl_node *spec,
                            const char *name);
static void check_binding(struct yl_check *, const struct yl_at *spec);
static void check_parameters(struct yl_check *, const struct yl_at *ref);
static void check_mutable(struct yl_check *, const struct yl_at *matches);
static void check_mutation(struct yl_check *, const struct yl_at *mutation);
static void check_actions(struct yl_check *, const struct yl_at *actions);

void
yl_validating_policy_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");

    yl_member_default_str_ptr(arena, spec, "failurePolicy", "Fail");
    default_matches(arena, spec, "matchConstraints");
}

void
yl_mutating_policy_default(struct yl_arena *arena, struct yl_node *object)
{
    yl_validating_policy_default(arena, object);
}

void
yl_mutating_policy_validate(struct yl_check *c, const struct yl_node *object)
{
    check_mutating(c, object, NULL);
}

void
yl_mutating_policy_validate_update(struct yl_check *c,
                                   const struct yl_node *object,
                                   const struct yl_node *old)
{
    check_mutating(c, object, old);
}

void
yl_validating_policy_binding_default(struct yl_arena *arena,
                                     struct yl_node *object)
{
    default_matches(arena, yl_member_make(arena, object, "spec"),
                    "matchResources");
}

void
yl_mutating_policy_binding_default(struct yl_arena *arena,
                                   struct yl_node *object)
{
    yl_validating_policy_binding_default(arena, object);
}

void
yl_validating_policy_binding_validate(struct yl_check *c,
                                      const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at actions = yl_at(&spec, "validationActions");

    yl_check_object_meta(c, object, &rule);
    check_binding(c, &spec);
    check_actions(c, &actions);
}

void
yl_validating_policy_binding_validate_update(
    struct yl_check *c, const struct yl_node *object,
    const struct yl_node *old YL_UNUSED)
{
    yl_validating_policy_binding_validate(c, object);
}

void
yl_mutating_policy_binding_validate(struct yl_check *c,
                                    const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at matches = yl_at(&spec, "matchResources");

    yl_check_object_meta(c, object, &rule);
    check_binding(c, &spec);
    check_mutable(c, &matches);
}

void
yl_mutating_policy_binding_validate_update(
    struct yl_check *c, const struct yl_node *object,
    const struct yl_node *old YL_UNUSED)
{
    yl_mutating_policy_binding_validate(c, object);
}

static void
check_mutating(struct yl_check *c, const struct yl_node *object,
               const struct yl_node *old)
{
    static const char *const again[] = { "IfNeeded", "Never", NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at matches = yl_at(&spec, "matchConstraints");
    struct yl_at variables = yl_at(&spec, "variables");
    struct yl_at mutations = yl_at(&spec, "mutations");
    struct yl_at reinvocation = yl_at(&spec, "reinvocationPolicy");

    yl_check_object_meta(c, object, &rule);
    yl_check_policy_head(c, &spec);
    check_mutable(c, &matches);
    yl_check_policy_conditions(c, object, old);
    yl_check_policy_variables(c, &variables);
    if (!yl_at_count(&mutations)) {
        yl_field_required(c->err, yl_at_path(&mutations),
                          "mutations must contain at least one item");
    }
    YL_CHECK_FOR_EACH (c, mutation, &mutations) {
        check_mutation(c, &mutation);
    }
    if (yl_check_required(c, &reinvocation)) {
        yl_check_one_of(c, &reinvocation, again);
    }
}

static void
default_matches(struct yl_arena *arena, struct yl_node *spec,
                const char *name)
{
    struct yl_node *matches = yl_member_object(spec, name);

    if (matches) {
        yl_member_default_str_ptr(arena, matches, "matchPolicy", "Equivalent");
        yl_member_make(arena, matches, "namespaceSelector");
        yl_member_make(arena, matches, "objectSelector");
        yl_admission_rules_default(arena, matches, "resourceRules");
        yl_admission_rules_default(arena, matches, "excludeResourceRules");
    }
}

static void
check_binding(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at name = yl_at(spec, "policyName");
    struct yl_at ref = yl_at(spec, "paramRef");
    struct yl_at matches = yl_at(spec, "matchResources");

    if (yl_check_required(c, &name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_has(&ref)) {
        check_parameters(c, &ref);
    }
    if (yl_at_has(&matches)) {
        yl_check_policy_matches(c, &matches);
    }
}

static void
check_parameters(struct yl_check *c, const struct yl_at *ref)
{
    static const char both[] = "name and selector are mutually exclusive";
    static const char *const actions[] = { "Deny", "Allow", NULL };
    struct yl_at name = yl_at(ref, "name");
    struct yl_at selector = yl_at(ref, "selector");
    struct yl_at action = yl_at(ref, "parameterNotFoundAction");
    bool named = !yl_at_is(&name, "");

    if (named) {
        yl_check_name(c, &name, YL_NAME_PATH_SEGMENT);
        if (yl_at_has(&selector)) {
            yl_field_forbidden(c->err, yl_at_path(&name), both);
        }
    }
    if (yl_at_has(&selector)) {
        yl_check_label_selector(c, &selector);
        if (named) {
            yl_field_forbidden(c->err, yl_at_path(&selector), both);
        }
    }
    if (!named && !yl_at_has(&selector)) {
        yl_field_required(c->err, yl_at_path(ref),
                          "one of name or selector must be specified");
    }
    if (yl_check_required(c, &action)) {
        yl_check_one_of(c, &action, actions);
    }
}

/* A mutating policy cannot match DELETE, because a deleted object cannot be
 * changed.  Causes do not name the rule, as in upstream. */
static void
check_mutable(struct yl_check *c, const struct yl_at *matches)
{
    static const char *const supported[] = { "*", "CONNECT", "CREATE",
                                             "UPDATE", NULL };
    struct yl_at rules = yl_at(matches, "resourceRules");
    struct yl_at path = yl_at_node(&rules, "operations", NULL);

    YL_CHECK_FOR_EACH (c, one, &rules) {
        struct yl_at operations = yl_at(&one, "operations");

        YL_CHECK_FOR_EACH (c, operation, &operations) {
            path.node = operation.node;
            yl_check_one_of(c, &path, supported);
        }
    }
}

static void
check_mutation(struct yl_check *c, const struct yl_at *mutation)
{
    static const char *const types[] = { "ApplyConfiguration", "JSONPatch",
                                         NULL };
    static const char *const fields[] = { "applyConfiguration", "jsonPatch" };
    struct yl_at type = yl_at(mutation, "patchType");
    struct yl_at expression, mine, other;
    size_t i;

    if (!yl_check_required(c, &type) || !yl_check_one_of(c, &type, types)) {
        return;
    }
    i = yl_at_is(&type, types[0]) ? 0 : 1;
    mine = yl_at(mutation, fields[i]);
    other = yl_at(mutation, fields[!i]);
    expression = yl_at(&mine, "expression");
    if (!yl_at_has(&mine)) {
        yl_field_required(c->err, yl_at_path(&mine),
                          "must be specified when patchType is %s", types[i]);
    } else if (!yl_str_trim(yl_at_str(c, &expression)).size) {
        yl_field_required(c->err, yl_at_path(&expression), NULL);
    }
    if (yl_at_has(&other)) {
        yl_field_invalid(c->err, yl_at_path(&other),
                         yl_bad_string(yl_str_c(yl_arena_printf(
                             c->arena, "{%s}", fields[!i]))),
                         "must not be specified when patchType is %s",
                         types[i]);
    }
}

static void
check_actions(struct yl_check *c, const struct yl_at *actions)
{
    static const char *const supported[] = { "Audit", "Deny", "Warn", NULL };
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, action, actions) {
        yl_check_one_of(c, &action, supported);
        if (!yl_set_add(c->arena, seen, yl_at_str(c, &action))) {
            yl_field_duplicate(c->err, yl_at_path(&action),
                               yl_bad_str(c, &action));
        }
    }
    if (yl_node_get(seen, YL_STR("Deny"))
        && yl_node_get(seen, YL_STR("Warn"))) {
        yl_field_invalid(c->err, yl_at_path(actions),
                         yl_bad_at(actions),
                         "must not contain both Deny and Warn (repeating the "
                         "same validation failure information in the API "
                         "response and headers serves no purpose)");
    }
    if (!yl_at_count(actions)) {
        yl_field_required(c->err, yl_at_path(actions),
                          "at least one validation action is required");
    }
}
