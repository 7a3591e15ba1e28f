/* Validation of where a Pod may run: affinity, tolerations, topology
 * spread. */

#include "builtin/pods/pod_check.h"

static void check_node_affinity(struct yl_check *, const struct yl_at *);
static void check_node_term(struct yl_check *, const struct yl_at *term,
                            bool required);
static void check_node_requirement(struct yl_check *, const struct yl_at *,
                                   bool required);
static void check_node_field(struct yl_check *, const struct yl_at *);
static void check_pod_affinity(struct yl_check *, const struct yl_at *);
static void check_pod_term(struct yl_check *, const struct yl_at *term);
static void check_weight(struct yl_check *, const struct yl_at *term);
static void check_label_keys(struct yl_check *, const struct yl_at *term,
                             const char *list);
static void check_selector_keys(struct yl_check *, const struct yl_at *term);
static void check_toleration(struct yl_check *, const struct yl_at *);
static void check_min_domains(struct yl_check *, const struct yl_at *);
static const char *spread_key(struct yl_check *, const struct yl_at *);

void
yl_check_affinity(struct yl_check *c, const struct yl_at *affinity)
{
    struct yl_at node = yl_at(affinity, "nodeAffinity");
    struct yl_at pod = yl_at(affinity, "podAffinity");
    struct yl_at anti = yl_at(affinity, "podAntiAffinity");

    check_node_affinity(c, &node);
    check_pod_affinity(c, &pod);
    check_pod_affinity(c, &anti);
}

void
yl_check_tolerations(struct yl_check *c, const struct yl_at *tolerations)
{
    YL_CHECK_FOR_EACH (c, toleration, tolerations) {
        check_toleration(c, &toleration);
    }
}

void
yl_check_taint_effect(struct yl_check *c, const struct yl_at *effect)
{
    static const char *const effects[] = { "NoSchedule", "PreferNoSchedule",
                                           "NoExecute", NULL };

    yl_check_one_of(c, effect, effects);
}

void
yl_check_topology_spread(struct yl_check *c, const struct yl_at *list)
{
    static const char *const actions[] = { "DoNotSchedule", "ScheduleAnyway",
                                           NULL };
    static const char *const policies[] = { "Honor", "Ignore", NULL };
    struct yl_node *last = yl_node_new_object(c->arena);
    int64_t i = 0, at = 0;

    YL_CHECK_FOR_EACH (c, constraint, list) {
        yl_member_set(c->arena, last, spread_key(c, &constraint),
                      yl_node_new_int64(c->arena, i++));
    }
    i = 0;
    YL_CHECK_FOR_EACH (c, constraint, list) {
        struct yl_at skew = yl_at(&constraint, "maxSkew");
        struct yl_at key = yl_at(&constraint, "topologyKey");
        struct yl_at action = yl_at(&constraint, "whenUnsatisfiable");
        struct yl_at affinity = yl_at(&constraint, "nodeAffinityPolicy");
        struct yl_at taints = yl_at(&constraint, "nodeTaintsPolicy");
        struct yl_at selector = yl_at(&constraint, "labelSelector");
        struct yl_at pair = yl_at_node(
            &constraint, "{topologyKey, whenUnsatisfiable}", NULL);
        const char *text = spread_key(c, &constraint);

        yl_check_positive(c, &skew);
        if (!yl_at_str(c, &key).size) {
            yl_field_required(c->err, yl_at_path(&key), "can not be empty");
        }
        yl_check_one_of(c, &action, actions);
        (void) yl_node_int64(yl_node_get(last, yl_str_c(text)), &at);
        if (at > i++) {
            yl_field_duplicate(c->err, yl_at_path(&pair),
                               yl_bad_string(yl_str_c(text)));
        }
        check_min_domains(c, &constraint);
        if (yl_at_has(&affinity)) {
            yl_check_one_of(c, &affinity, policies);
        }
        if (yl_at_has(&taints)) {
            yl_check_one_of(c, &taints, policies);
        }
        check_label_keys(c, &constraint, "matchLabelKeys");
        check_selector_keys(c, &constraint);
        yl_check_label_selector(c, &selector);
    }
}

void
yl_check_node_selector(struct yl_check *c, const struct yl_at *selector)
{
    struct yl_at terms = yl_at(selector, "nodeSelectorTerms");

    if (!yl_at_count(&terms)) {
        yl_field_required(c->err, yl_at_path(&terms),
                          "must have at least one node selector term");
    }
    YL_CHECK_FOR_EACH (c, term, &terms) {
        check_node_term(c, &term, true);
    }
}

static void
check_node_affinity(struct yl_check *c, const struct yl_at *affinity)
{
    struct yl_at required =
        yl_at(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
    struct yl_at preferred =
        yl_at(affinity, "preferredDuringSchedulingIgnoredDuringExecution");

    if (yl_at_has(&required)) {
        yl_check_node_selector(c, &required);
    }
    YL_CHECK_FOR_EACH (c, term, &preferred) {
        struct yl_at preference = yl_at(&term, "preference");

        check_weight(c, &term);
        check_node_term(c, &preference, false);
    }
}

static void
check_node_term(struct yl_check *c, const struct yl_at *term, bool required)
{
    struct yl_at expressions = yl_at(term, "matchExpressions");
    struct yl_at fields = yl_at(term, "matchFields");

    YL_CHECK_FOR_EACH (c, requirement, &expressions) {
        check_node_requirement(c, &requirement, required);
    }
    YL_CHECK_FOR_EACH (c, requirement, &fields) {
        check_node_field(c, &requirement);
    }
}

static void
check_node_requirement(struct yl_check *c, const struct yl_at *requirement,
                       bool required)
{
    struct yl_at op = yl_at(requirement, "operator");
    struct yl_at key = yl_at(requirement, "key");
    struct yl_at values = yl_at(requirement, "values");
    size_t n = yl_at_count(&values);

    if (yl_at_is(&op, "In") || yl_at_is(&op, "NotIn")) {
        if (!n) {
            yl_field_required(c->err, yl_at_path(&values),
                              "must be specified when `operator` is 'In' or "
                              "'NotIn'");
        }
    } else if (yl_at_is(&op, "Exists") || yl_at_is(&op, "DoesNotExist")) {
        if (n) {
            yl_field_forbidden(c->err, yl_at_path(&values),
                               "may not be specified when `operator` is "
                               "'Exists' or 'DoesNotExist'");
        }
    } else if (yl_at_is(&op, "Gt") || yl_at_is(&op, "Lt")) {
        if (n != 1) {
            yl_field_required(c->err, yl_at_path(&values),
                              "must be specified single value when "
                              "`operator` is 'Lt' or 'Gt'");
        }
    } else {
        yl_field_invalid(c->err, yl_at_path(&op), yl_bad_str(c, &op),
                         "not a valid selector operator");
    }
    yl_check_name(c, &key, YL_NAME_QUALIFIED);
    if (required) {
        YL_CHECK_FOR_EACH (c, value, &values) {
            yl_check_name(c, &value, YL_NAME_LABEL_VALUE);
        }
    }
}

static void
check_node_field(struct yl_check *c, const struct yl_at *requirement)
{
    struct yl_at op = yl_at(requirement, "operator");
    struct yl_at key = yl_at(requirement, "key");
    struct yl_at values = yl_at(requirement, "values");

    if (!yl_at_is(&op, "In") && !yl_at_is(&op, "NotIn")) {
        yl_field_invalid(c->err, yl_at_path(&op), yl_bad_str(c, &op),
                         "not a valid selector operator");
    } else if (yl_at_count(&values) != 1) {
        yl_field_required(c->err, yl_at_path(&values),
                          "must be only one value when `operator` is 'In' or "
                          "'NotIn' for node field selector");
    }
    if (!yl_at_is(&key, "metadata.name")) {
        yl_field_invalid(c->err, yl_at_path(&key), yl_bad_str(c, &key),
                         "not a valid field selector key");
        return;
    }
    YL_CHECK_FOR_EACH (c, value, &values) {
        yl_check_name(c, &value, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

static void
check_pod_affinity(struct yl_check *c, const struct yl_at *affinity)
{
    struct yl_at required =
        yl_at(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
    struct yl_at preferred =
        yl_at(affinity, "preferredDuringSchedulingIgnoredDuringExecution");

    YL_CHECK_FOR_EACH (c, term, &required) {
        check_pod_term(c, &term);
    }
    YL_CHECK_FOR_EACH (c, weighted, &preferred) {
        struct yl_at term = yl_at(&weighted, "podAffinityTerm");

        check_weight(c, &weighted);
        check_pod_term(c, &term);
    }
}

static void
check_pod_term(struct yl_check *c, const struct yl_at *term)
{
    struct yl_at selector = yl_at(term, "labelSelector");
    struct yl_at namespaces = yl_at(term, "namespaceSelector");
    struct yl_at names = yl_at(term, "namespaces");
    struct yl_at path = yl_at_node(term, "namespace", NULL);
    struct yl_at mismatch = yl_at(term, "mismatchLabelKeys");
    struct yl_at match = yl_at(term, "matchLabelKeys");
    struct yl_at key = yl_at(term, "topologyKey");
    struct yl_node *others = yl_node_new_object(c->arena);

    yl_check_label_selector(c, &selector);
    yl_check_label_selector(c, &namespaces);
    YL_CHECK_FOR_EACH (c, name, &names) {
        yl_check_name_of(c, yl_at_path(&path), YL_NAME_DNS1123_LABEL,
                         yl_at_str(c, &name));
    }
    check_label_keys(c, term, "matchLabelKeys");
    check_label_keys(c, term, "mismatchLabelKeys");
    check_selector_keys(c, term);
    YL_CHECK_FOR_EACH (c, other, &mismatch) {
        yl_set_add(c->arena, others, yl_at_str(c, &other));
    }
    YL_CHECK_FOR_EACH (c, one, &match) {
        if (yl_node_get(others, yl_at_str(c, &one))) {
            yl_field_invalid(c->err, yl_at_path(&one), yl_bad_str(c, &one),
                             "exists in both matchLabelKeys and "
                             "mismatchLabelKeys");
        }
    }
    if (!yl_at_str(c, &key).size) {
        yl_field_required(c->err, yl_at_path(&key), "can not be empty");
    }
    yl_check_name(c, &key, YL_NAME_QUALIFIED);
}

static void
check_weight(struct yl_check *c, const struct yl_at *term)
{
    struct yl_at weight = yl_at(term, "weight");
    int64_t value = yl_at_int(&weight);

    if (value <= 0 || value > 100) {
        yl_field_invalid(c->err, yl_at_path(&weight), yl_bad_int(value),
                         "must be in the range 1-100");
    }
}

static void
check_label_keys(struct yl_check *c, const struct yl_at *term,
                 const char *list)
{
    struct yl_at keys = yl_at(term, list);

    if (yl_at_count(&keys) && !yl_at_get_has(term, "labelSelector")) {
        yl_field_forbidden(c->err, yl_at_path(&keys),
                           "must not be specified when labelSelector is not "
                           "set");
        return;
    }
    YL_CHECK_FOR_EACH (c, key, &keys) {
        yl_check_name(c, &key, YL_NAME_QUALIFIED);
    }
}

/* The keys of matchLabelKeys were added to the selector when the Pod was
 * created.  If the selector has such a key twice, the client has given it
 * too, which is an error. */
static void
check_selector_keys(struct yl_check *c, const struct yl_at *term)
{
    struct yl_at selector = yl_at(term, "labelSelector");
    struct yl_at labels = yl_at(&selector, "matchLabels");
    struct yl_at list = yl_at(&selector, "matchExpressions");
    struct yl_at keys = yl_at(term, "matchLabelKeys");
    struct yl_node *index = yl_node_new_object(c->arena);
    struct yl_node *seen = yl_node_new_object(c->arena);
    int64_t i = 0;

    YL_CHECK_FOR_EACH (c, key, &keys) {
        yl_node_set(c->arena, index, yl_at_str(c, &key),
                    yl_node_new_int64(c->arena, i++));
    }
    YL_CHECK_FOR_EACH (c, label, &labels) {
        yl_set_add(c->arena, seen, yl_at_key(&label));
    }
    YL_CHECK_FOR_EACH (c, requirement, &list) {
        struct yl_str key = yl_at_get_str(c, &requirement, "key");

        if (!yl_set_add(c->arena, seen, key)
            && yl_node_int64(yl_node_get(index, key), &i) == 0) {
            struct yl_field_path path =
                yl_field_index(yl_at_path(term), (size_t) i);

            yl_field_invalid(c->err, &path, yl_bad_string(key),
                             "exists in both matchLabelKeys and "
                             "labelSelector");
        }
    }
}

static void
check_toleration(struct yl_check *c, const struct yl_at *toleration)
{
    static const char *const operators[] = { "Equal", "Exists", NULL };
    static const char *const with_order[] = { "Equal", "Exists", "Lt", "Gt",
                                              NULL };
    struct yl_at key = yl_at(toleration, "key");
    struct yl_at op = yl_at(toleration, "operator");
    struct yl_at effect = yl_at(toleration, "effect");
    struct yl_str value = yl_at_get_str(c, toleration, "value");

    if (yl_at_str(c, &key).size) {
        yl_check_name(c, &key, YL_NAME_QUALIFIED);
    } else if (!yl_at_is(&op, "Exists")) {
        yl_field_invalid(c->err, yl_at_path(&op), yl_bad_str(c, &op),
                         "operator must be Exists when `key` is empty, which "
                         "means \"match all values and all keys\"");
    }
    if (yl_at_get_has(toleration, "tolerationSeconds")
        && !yl_at_is(&effect, "NoExecute")) {
        yl_field_invalid(c->err, yl_at_path(&effect), yl_bad_str(c, &effect),
                         "effect must be 'NoExecute' when "
                         "`tolerationSeconds` is set");
    }
    if (yl_at_is(&op, "") || yl_at_is(&op, "Equal")) {
        yl_check_label_value_joined(c, yl_at_path(&op), value);
    } else if (yl_at_is(&op, "Exists")) {
        if (value.size) {
            yl_field_invalid(c->err, yl_at_path(&op), yl_bad_string(value),
                             "value must be empty when `operator` is "
                             "'Exists'");
        }
    } else {
        bool order = yl_at_is(&op, "Lt") || yl_at_is(&op, "Gt");

        yl_field_not_supported(c->err, yl_at_path(&op), yl_bad_str(c, &op),
                               order ? with_order : operators);
    }
    if (yl_at_str(c, &effect).size) {
        yl_check_taint_effect(c, &effect);
    }
}

static void
check_min_domains(struct yl_check *c, const struct yl_at *constraint)
{
    struct yl_at domains = yl_at(constraint, "minDomains");
    struct yl_at action = yl_at(constraint, "whenUnsatisfiable");

    if (!yl_at_has(&domains)) {
        return;
    }
    yl_check_positive(c, &domains);
    if (!yl_at_is(&action, "DoNotSchedule")) {
        yl_field_invalid(c->err, yl_at_path(&domains),
                         yl_bad_int(yl_at_int(&domains)),
                         "can only use minDomains if "
                         "whenUnsatisfiable=DoNotSchedule, not %.*s",
                         YL_STR_ARG(yl_at_str(c, &action)));
    }
}

/* The part of a constraint that must be unique, as messages show it. */
static const char *
spread_key(struct yl_check *c, const struct yl_at *constraint)
{
    struct yl_str key = yl_at_get_str(c, constraint, "topologyKey");
    struct yl_str action = yl_at_get_str(c, constraint, "whenUnsatisfiable");

    return yl_arena_printf(c->arena, "{%.*s, %.*s}", YL_STR_ARG(key),
                           YL_STR_ARG(action));
}
