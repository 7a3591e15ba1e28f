/* Role, ClusterRole and their bindings: defaults, validation, updates. */

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "gen/rbac_v1_go.h"

#define GROUP "rbac.authorization.k8s.io"

static const struct yl_meta_rule namespaced =
    { YL_NAME_PATH_SEGMENT, true, false };
static const struct yl_meta_rule cluster =
    { YL_NAME_PATH_SEGMENT, false, false };

static void default_binding(struct yl_arena *, struct yl_node *object);
static void check_rules(struct yl_check *, const struct yl_node *object,
                        bool is_namespaced);
static void check_rule(struct yl_check *, const struct yl_at *rule,
                       bool is_namespaced);
static void check_binding(struct yl_check *, const struct yl_node *object,
                          const char *const *kinds, bool is_namespaced);
static void check_subject(struct yl_check *, const struct yl_at *subject,
                          bool is_namespaced);
static void check_group(struct yl_check *, const struct yl_at *group);
static void check_role_ref_change(struct yl_check *,
                                  const struct yl_node *object,
                                  const struct yl_node *old);

void
yl_role_validate(struct yl_check *c, const struct yl_node *object)
{
    yl_check_object_meta(c, object, &namespaced);
    check_rules(c, object, true);
}

void
yl_role_validate_update(struct yl_check *c, const struct yl_node *object,
                        const struct yl_node *old)
{
    yl_role_validate(c, object);
    yl_check_object_meta_update(c, object, old, &namespaced);
}

void
yl_cluster_role_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at aggregation = yl_at(&root, "aggregationRule");
    struct yl_at selectors = yl_at(&aggregation, "clusterRoleSelectors");

    yl_check_object_meta(c, object, &cluster);
    check_rules(c, object, false);
    if (yl_at_has(&aggregation) && !yl_at_count(&selectors)) {
        yl_field_required(c->err, yl_at_path(&selectors),
                          "at least one clusterRoleSelector required if "
                          "aggregationRule is non-nil");
    }
    YL_CHECK_FOR_EACH (c, selector, &selectors) {
        if (!yl_check_label_selector(c, &selector)) {
            yl_field_invalid(c->err, yl_at_path(&selector),
                             yl_bad_text(YL_STR("null")),
                             "invalid label selector.");
        }
    }
}

void
yl_cluster_role_validate_update(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    yl_cluster_role_validate(c, object);
    yl_check_object_meta_update(c, object, old, &cluster);
}

void
yl_role_binding_default(struct yl_arena *arena, struct yl_node *object)
{
    default_binding(arena, object);
}

void
yl_role_binding_validate(struct yl_check *c, const struct yl_node *object)
{
    static const char *const kinds[] = { "Role", "ClusterRole", NULL };

    yl_check_object_meta(c, object, &namespaced);
    check_binding(c, object, kinds, true);
}

void
yl_role_binding_validate_update(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    yl_role_binding_validate(c, object);
    yl_check_object_meta_update(c, object, old, &namespaced);
    check_role_ref_change(c, object, old);
}

void
yl_cluster_role_binding_default(struct yl_arena *arena,
                                struct yl_node *object)
{
    default_binding(arena, object);
}

void
yl_cluster_role_binding_validate(struct yl_check *c,
                                 const struct yl_node *object)
{
    static const char *const kinds[] = { "ClusterRole", NULL };

    yl_check_object_meta(c, object, &cluster);
    check_binding(c, object, kinds, false);
}

void
yl_cluster_role_binding_validate_update(struct yl_check *c,
                                        const struct yl_node *object,
                                        const struct yl_node *old)
{
    yl_cluster_role_binding_validate(c, object);
    yl_check_object_meta_update(c, object, old, &cluster);
    check_role_ref_change(c, object, old);
}

static void
default_binding(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *subject;

    yl_member_default_str(arena, yl_member_make(arena, object, "roleRef"),
                          "apiGroup", GROUP);
    YL_MEMBER_EACH (subject, object, "subjects") {
        struct yl_at at = yl_at_root(subject);

        if (yl_at_get_is(&at, "kind", "User")
            || yl_at_get_is(&at, "kind", "Group")) {
            yl_member_default_str(arena, subject, "apiGroup", GROUP);
        }
    }
}

static void
check_rules(struct yl_check *c, const struct yl_node *object,
            bool is_namespaced)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at rules = yl_at(&root, "rules");

    YL_CHECK_FOR_EACH (c, rule, &rules) {
        check_rule(c, &rule, is_namespaced);
    }
}

static void
check_rule(struct yl_check *c, const struct yl_at *rule, bool is_namespaced)
{
    struct yl_at verbs = yl_at(rule, "verbs");
    struct yl_at urls = yl_at(rule, "nonResourceURLs");
    struct yl_at groups = yl_at(rule, "apiGroups");
    struct yl_at resources = yl_at(rule, "resources");
    struct yl_at names = yl_at(rule, "resourceNames");

    if (!yl_at_count(&verbs)) {
        yl_field_required(c->err, yl_at_path(&verbs),
                          "verbs must contain at least one value");
    }
    if (yl_at_count(&urls)) {
        if (is_namespaced) {
            yl_field_invalid(c->err, yl_at_path(&urls),
                             yl_bad_at(&urls),
                             "namespaced rules cannot apply to non-resource "
                             "URLs");
        }
        if (yl_at_count(&groups) || yl_at_count(&resources)
            || yl_at_count(&names)) {
            yl_field_invalid(c->err, yl_at_path(&urls),
                             yl_bad_at(&urls),
                             "rules cannot apply to both regular resources "
                             "and non-resource URLs");
        }
        return;
    }
    if (!yl_at_count(&groups)) {
        yl_field_required(c->err, yl_at_path(&groups),
                          "resource rules must supply at least one api "
                          "group");
    }
    if (!yl_at_count(&resources)) {
        yl_field_required(c->err, yl_at_path(&resources),
                          "resource rules must supply at least one resource");
    }
}

static void
check_binding(struct yl_check *c, const struct yl_node *object,
              const char *const *kinds, bool is_namespaced)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at ref = yl_at(&root, "roleRef");
    struct yl_at group = yl_at(&ref, "apiGroup");
    struct yl_at kind = yl_at(&ref, "kind");
    struct yl_at name = yl_at(&ref, "name");
    struct yl_at subjects = yl_at(&root, "subjects");

    check_group(c, &group);
    yl_check_one_of(c, &kind, kinds);
    if (yl_check_required(c, &name)) {
        yl_check_name(c, &name, YL_NAME_PATH_SEGMENT);
    }
    YL_CHECK_FOR_EACH (c, subject, &subjects) {
        check_subject(c, &subject, is_namespaced);
    }
}

static void
check_subject(struct yl_check *c, const struct yl_at *subject,
              bool is_namespaced)
{
    static const char *const kinds[] = { "ServiceAccount", "User", "Group",
                                         NULL };
    static const char *const no_group[] = { "", NULL };
    struct yl_at kind = yl_at(subject, "kind");
    struct yl_at name = yl_at(subject, "name");
    struct yl_at group = yl_at(subject, "apiGroup");
    struct yl_at namespace = yl_at(subject, "namespace");
    bool named = yl_check_required(c, &name);

    if (yl_at_is(&kind, "ServiceAccount")) {
        if (named) {
            yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
        }
        yl_check_one_of(c, &group, no_group);
        if (!is_namespaced) {
            yl_check_required(c, &namespace);
        }
    } else if (yl_at_is(&kind, "User") || yl_at_is(&kind, "Group")) {
        check_group(c, &group);
    } else {
        yl_check_one_of(c, &kind, kinds);
    }
}

static void
check_group(struct yl_check *c, const struct yl_at *group)
{
    static const char *const supported[] = { GROUP, NULL };

    yl_check_one_of(c, group, supported);
}

static void
check_role_ref_change(struct yl_check *c, const struct yl_node *object,
                      const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at ref = yl_at(&root, "roleRef");
    struct yl_at then = yl_at(&before, "roleRef");

    if (!yl_node_same(ref.node, then.node)) {
        yl_field_invalid(c->err, yl_at_path(&ref),
                         yl_bad_struct(c, ref.node,
                                       YL_GO(rbac_v1, role_ref)),
                         "cannot change roleRef");
    }
}
