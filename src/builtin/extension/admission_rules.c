/* Rules of admission.  See builtin/extension/admission_rules.h for the
 * contract. */

#include "builtin/extension/admission_rules.h"

#define MAX_CONDITIONS 64

static void check_list(struct yl_check *, const struct yl_at *rule,
                       const char *name, const char *others);
static void check_resources(struct yl_check *, const struct yl_at *resources);
static bool has_wildcard(const struct yl_at *list);

void
yl_admission_rules_default(struct yl_arena *arena, struct yl_node *object,
                           const char *list)
{
    struct yl_node *rule;

    YL_MEMBER_EACH (rule, object, list) {
        yl_member_default_str_ptr(arena, rule, "scope", "*");
    }
}

void
yl_check_admission_rule(struct yl_check *c, const struct yl_at *rule)
{
    static const char *const supported[] = { "*", "CONNECT", "CREATE",
                                             "DELETE", "UPDATE", NULL };
    static const char *const scopes[] = { "*", "Cluster", "Namespaced",
                                          NULL };
    struct yl_at operations = yl_at(rule, "operations");
    struct yl_at versions = yl_at(rule, "apiVersions");
    struct yl_at resources = yl_at(rule, "resources");
    struct yl_at scope = yl_at(rule, "scope");

    check_list(c, rule, "operations", "operations");
    YL_CHECK_FOR_EACH (c, operation, &operations) {
        yl_check_one_of(c, &operation, supported);
    }
    check_list(c, rule, "apiGroups", "API groups");
    check_list(c, rule, "apiVersions", "API versions");
    YL_CHECK_FOR_EACH (c, version, &versions) {
        yl_check_required(c, &version);
    }
    check_resources(c, &resources);
    if (yl_at_has(&scope)) {
        yl_check_one_of(c, &scope, scopes);
    }
}

void
yl_check_match_conditions(struct yl_check *c, const struct yl_at *conditions)
{
    struct yl_node *names = yl_node_new_object(c->arena);

    if (yl_at_count(conditions) > MAX_CONDITIONS) {
        yl_field_too_many(c->err, yl_at_path(conditions),
                          (int64_t) yl_at_count(conditions), MAX_CONDITIONS);
    }
    YL_CHECK_FOR_EACH (c, condition, conditions) {
        struct yl_at expression = yl_at(&condition, "expression");
        struct yl_at name = yl_at(&condition, "name");
        struct yl_str s = yl_at_str(c, &name);

        if (!yl_str_trim(yl_at_str(c, &expression)).size) {
            yl_field_required(c->err, yl_at_path(&expression), NULL);
        }
        if (yl_check_required(c, &name)) {
            yl_check_name(c, &name, YL_NAME_QUALIFIED);
            if (!yl_set_add(c->arena, names, s)) {
                yl_field_duplicate(c->err, yl_at_path(&name),
                                   yl_bad_string(s));
            }
        }
    }
}

/* The list must not be empty, and a "*" must be its only element. */
static void
check_list(struct yl_check *c, const struct yl_at *rule, const char *name,
           const char *others)
{
    struct yl_at list = yl_at(rule, name);

    yl_check_required(c, &list);
    if (yl_at_count(&list) > 1 && has_wildcard(&list)) {
        yl_field_invalid(c->err, yl_at_path(&list), yl_bad_at(&list),
                         "if '*' is present, must not specify other %s",
                         others);
    }
}

/* RESOURCE or RESOURCE/SUBRESOURCE, with "*" in either place. */
static void
check_resources(struct yl_check *c, const struct yl_at *resources)
{
    struct yl_node *whole = yl_node_new_object(c->arena);
    struct yl_node *subs = yl_node_new_object(c->arena);
    bool all = false, every = false, plain = false;

    yl_check_required(c, resources);
    YL_CHECK_FOR_EACH (c, resource, resources) {
        struct yl_str s = yl_at_str(c, &resource), name, sub;

        if (!yl_check_required(c, &resource)) {
            continue;
        }
        all |= yl_str_equal_c(s, "*/*");
        every |= yl_str_equal_c(s, "*");
        if (!yl_str_cut(s, '/', &name, &sub)) {
            plain = !yl_str_equal_c(s, "*");
            continue;
        }
        if (yl_node_get(whole, name)) {
            yl_field_invalid(c->err, yl_at_path(&resource), yl_bad_string(s),
                             "if '%.*s/*' is present, must not specify %.*s",
                             YL_STR_ARG(name), YL_STR_ARG(s));
        }
        if (yl_node_get(subs, sub)) {
            yl_field_invalid(c->err, yl_at_path(&resource), yl_bad_string(s),
                             "if '*/%.*s' is present, must not specify %.*s",
                             YL_STR_ARG(sub), YL_STR_ARG(s));
        }
        if (yl_str_equal_c(sub, "*")) {
            yl_set_add(c->arena, whole, name);
        }
        if (yl_str_equal_c(name, "*")) {
            yl_set_add(c->arena, subs, sub);
        }
    }
    if (yl_at_count(resources) > 1 && all) {
        yl_field_invalid(c->err, yl_at_path(resources),
                         yl_bad_at(resources),
                         "if '*/*' is present, must not specify other "
                         "resources");
    }
    if (every && plain) {
        yl_field_invalid(c->err, yl_at_path(resources),
                         yl_bad_at(resources),
                         "if '*' is present, must not specify other resources "
                         "without subresources");
    }
}

static bool
has_wildcard(const struct yl_at *list)
{
    YL_AT_FOR_EACH (item, list) {
        if (yl_at_is(&item, "*")) {
            return true;
        }
    }
    return false;
}
