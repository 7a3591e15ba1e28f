/* RBAC's part of the bootstrap.  See bootstrap_rbac.h. */

#include "apiserver/bootstrap/bootstrap_rbac.h"

#include "apiserver/auth/policy_cover.h"
#include "apiserver/bootstrap/bootstrap_batch.h"
#include "apiserver/bootstrap/bootstrap_table.h"
#include "base/buf.h"
#include "json/tree.h"
#include "yuloh/arena.h"

#define GROUP "rbac.authorization.k8s.io"
#define AGGREGATE_TO GROUP "/aggregate-to-"
#define AUTOUPDATE "rbac.authorization.kubernetes.io/autoupdate"

static const char *const plurals[] = {
    [YL_BOOTSTRAP_CLUSTER_ROLE] = "clusterroles",
    [YL_BOOTSTRAP_ROLE] = "roles",
    [YL_BOOTSTRAP_CLUSTER_ROLE_BINDING] = "clusterrolebindings",
    [YL_BOOTSTRAP_ROLE_BINDING] = "rolebindings",
};

static struct yl_node *head_of(struct yl_arena *,
                               const struct yl_bootstrap_row *);
static struct yl_node *role_of(struct yl_arena *,
                               const struct yl_bootstrap_row *, size_t n);
static struct yl_node *binding_of(struct yl_arena *,
                                  const struct yl_bootstrap_row *);
static enum yl_bootstrap_change reconcile_role(struct yl_arena *,
                                               struct yl_node *stored,
                                               const struct yl_node *wanted);
static enum yl_bootstrap_change reconcile_binding(
    struct yl_arena *, struct yl_node *stored, const struct yl_node *wanted);
static bool is_protected(const struct yl_node *stored);
static bool merge_metadata(struct yl_arena *, struct yl_node *stored,
                           const struct yl_node *wanted);
static bool add_missing(struct yl_arena *, struct yl_node *stored,
                        const struct yl_node *wanted, const char *name);
static bool add_rules(struct yl_arena *, struct yl_node *stored,
                      const struct yl_node *wanted);
static struct yl_node *put_object(struct yl_arena *, struct yl_node *,
                                  const char *name);
static void put(struct yl_arena *, struct yl_node *, const char *name,
                const char *text);
static void put_list(struct yl_arena *, struct yl_node *, const char *name,
                     const char *texts);

int
yl_bootstrap_rbac(struct yl_bootstrap_batch *batch, struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    const struct yl_bootstrap_row *rows;
    size_t n, i, next;
    int r = 0;

    rows = yl_bootstrap_roles(&n);
    for (i = 0; i < n && r == 0; i = next) {
        bool is_role = !rows[i].role;

        next = i + 1;
        while (next < n && rows[next].what == YL_BOOTSTRAP_RULE) {
            next++;
        }
        r = yl_bootstrap_ensure(batch, GROUP, plurals[rows[i].what],
                                is_role ? role_of(arena, &rows[i], next - i)
                                        : binding_of(arena, &rows[i]),
                                NULL,
                                is_role ? reconcile_role : reconcile_binding,
                                err);
    }
    return r;
}

/* The metadata, which is alike for all rows. */
static struct yl_node *
head_of(struct yl_arena *arena, const struct yl_bootstrap_row *row)
{
    struct yl_node *root = yl_node_new_object(arena), *metadata, *labels;

    metadata = put_object(arena, root, "metadata");
    put(arena, metadata, "name", row->name);
    if (row->namespace_) {
        put(arena, metadata, "namespace", row->namespace_);
    }
    put(arena, put_object(arena, metadata, "annotations"), AUTOUPDATE,
        "true");
    labels = put_object(arena, metadata, "labels");
    put(arena, labels, "kubernetes.io/bootstrapping", "rbac-defaults");
    if (row->aggregate_to && *row->aggregate_to) {
        put(arena, labels,
            yl_arena_printf(arena, AGGREGATE_TO "%s", row->aggregate_to),
            "true");
    }
    return root;
}

/* A role from its row and the 'n' - 1 rows with rules that follow it. */
static struct yl_node *
role_of(struct yl_arena *arena, const struct yl_bootstrap_row *row, size_t n)
{
    struct yl_node *root = head_of(arena, row), *rules, *labels;
    size_t i;

    if (row->aggregates) {
        struct yl_node *selectors = yl_node_new_array(arena);
        struct yl_node *selector = yl_node_new_object(arena);

        labels = put_object(arena, selector, "matchLabels");
        put(arena, labels,
            yl_arena_printf(arena, AGGREGATE_TO "%s", row->aggregates),
            "true");
        yl_node_append(selectors, selector);
        yl_node_set(arena, put_object(arena, root, "aggregationRule"),
                    YL_STR("clusterRoleSelectors"), selectors);
    }
    rules = yl_node_new_array(arena);
    yl_node_set(arena, root, YL_STR("rules"), rules);
    for (i = 1; i < n; i++) {
        struct yl_node *rule = yl_node_new_object(arena);

        put_list(arena, rule, "verbs", row[i].verbs);
        put_list(arena, rule, "apiGroups", row[i].groups);
        put_list(arena, rule, "resources", row[i].resources);
        put_list(arena, rule, "resourceNames", row[i].names);
        put_list(arena, rule, "nonResourceURLs", row[i].urls);
        yl_node_append(rules, rule);
    }
    return root;
}

static struct yl_node *
binding_of(struct yl_arena *arena, const struct yl_bootstrap_row *row)
{
    struct yl_node *root = head_of(arena, row);
    struct yl_node *ref = put_object(arena, root, "roleRef");
    struct yl_node *subjects = yl_node_new_array(arena);
    struct yl_str rest = yl_str_c(row->subjects), one, kind, name;

    put(arena, ref, "apiGroup", GROUP);
    put(arena, ref, "kind", row->namespace_ ? "Role" : "ClusterRole");
    put(arena, ref, "name", row->role);
    while (rest.size) {
        struct yl_node *subject = yl_node_new_object(arena);

        if (!yl_str_cut(rest, ',', &one, &rest)) {
            one = rest;
            rest = yl_str_null();
        }
        yl_str_cut(one, ' ', &kind, &name);
        put(arena, subject, "kind", yl_arena_strdup(arena, kind));
        if (yl_str_equal(kind, YL_STR("ServiceAccount"))) {
            put(arena, subject, "namespace", "kube-system");
        } else {
            put(arena, subject, "apiGroup", GROUP);
        }
        put(arena, subject, "name", yl_arena_strdup(arena, name));
        yl_node_append(subjects, subject);
    }
    if (subjects->n) {
        yl_node_set(arena, root, YL_STR("subjects"), subjects);
    }
    return root;
}

static enum yl_bootstrap_change
reconcile_role(struct yl_arena *arena, struct yl_node *stored,
               const struct yl_node *wanted)
{
    const struct yl_node *rule = yl_node_get(wanted,
                                             YL_STR("aggregationRule"));
    bool changed;

    if (is_protected(stored)) {
        return YL_BOOTSTRAP_KEEP;
    }
    changed = merge_metadata(arena, stored, wanted);
    if (rule) {
        struct yl_node *own = yl_node_get(stored, YL_STR("aggregationRule"));

        if (yl_node_type(own) != YL_JSON_OBJECT) {
            own = put_object(arena, stored, "aggregationRule");
        }
        changed |= add_missing(arena, own, rule, "clusterRoleSelectors");
    } else {
        changed |= add_rules(arena, stored, wanted);
    }
    return changed ? YL_BOOTSTRAP_UPDATE : YL_BOOTSTRAP_KEEP;
}

static enum yl_bootstrap_change
reconcile_binding(struct yl_arena *arena, struct yl_node *stored,
                  const struct yl_node *wanted)
{
    bool changed;

    if (is_protected(stored)) {
        return YL_BOOTSTRAP_KEEP;
    }
    if (!yl_node_equal(yl_node_get(stored, YL_STR("roleRef")),
                       yl_node_get(wanted, YL_STR("roleRef")))) {
        return YL_BOOTSTRAP_RECREATE;
    }
    changed = merge_metadata(arena, stored, wanted);
    changed |= add_missing(arena, stored, wanted, "subjects");
    return changed ? YL_BOOTSTRAP_UPDATE : YL_BOOTSTRAP_KEEP;
}

static bool
is_protected(const struct yl_node *stored)
{
    const struct yl_node *metadata = yl_node_get(stored, YL_STR("metadata"));
    const struct yl_node *annotations
        = yl_node_get(metadata, YL_STR("annotations"));

    return yl_node_string_is(yl_node_get(annotations, YL_STR(AUTOUPDATE)),
                             YL_STR("false"));
}

/* Adds labels and annotations that are missing. */
static bool
merge_metadata(struct yl_arena *arena, struct yl_node *stored,
               const struct yl_node *wanted)
{
    static const char *const maps[] = { "labels", "annotations" };
    struct yl_node *to = yl_node_get(stored, YL_STR("metadata")), *child;
    const struct yl_node *from = yl_node_get(wanted, YL_STR("metadata"));
    bool changed = false;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(maps); i++) {
        struct yl_node *map = yl_node_get(to, yl_str_c(maps[i]));

        if (yl_node_type(map) != YL_JSON_OBJECT) {
            map = put_object(arena, to, maps[i]);
        }
        YL_NODE_FOR_EACH (child, yl_node_get(from, yl_str_c(maps[i]))) {
            if (!yl_node_get(map, yl_node_key(child))) {
                yl_node_set(arena, map, yl_node_key(child),
                            yl_node_copy(arena, child));
                changed = true;
            }
        }
    }
    return changed;
}

/* Adds the elements of a list that are missing; order does not count. */
static bool
add_missing(struct yl_arena *arena, struct yl_node *stored,
            const struct yl_node *wanted, const char *name)
{
    struct yl_node *to = yl_node_get(stored, yl_str_c(name));
    const struct yl_node *from = yl_node_get(wanted, yl_str_c(name));
    const struct yl_node *a, *b;
    bool changed = false;

    if (!from) {
        return false;
    }
    if (yl_node_type(to) != YL_JSON_ARRAY) {
        to = yl_node_new_array(arena);
        yl_node_set(arena, stored, yl_str_c(name), to);
    }
    YL_NODE_FOR_EACH (a, from) {
        YL_NODE_FOR_EACH (b, to) {
            if (yl_node_equal(a, b)) {
                break;
            }
        }
        if (!b) {
            yl_node_append(to, yl_node_copy(arena, a));
            changed = true;
        }
    }
    return changed;
}

/* Adds the rules that the role should have and that the stored rules do not
 * cover. */
static bool
add_rules(struct yl_arena *arena, struct yl_node *stored,
          const struct yl_node *wanted)
{
    struct yl_node *rules = yl_node_get(stored, YL_STR("rules"));
    struct yl_policy missing;
    size_t i;

    if (yl_policy_missing(arena, yl_policy_from_tree(arena, rules),
                          yl_policy_from_tree(arena,
                                              yl_node_get(wanted,
                                                          YL_STR("rules"))),
                          &missing) < 0
        || missing.n == 0) {
        return false;
    }
    if (yl_node_type(rules) != YL_JSON_ARRAY) {
        rules = yl_node_new_array(arena);
        yl_node_set(arena, stored, YL_STR("rules"), rules);
    }
    for (i = 0; i < missing.n; i++) {
        struct yl_node *rule;
        struct yl_buf json;

        yl_buf_init(&json, (size_t) 1 << 20);
        yl_policy_rule_write(&missing.all[i], &json);
        if (yl_tree_parse(arena, yl_arena_copy(arena, yl_buf_str(&json)),
                          NULL, &rule, NULL) == 0) {
            yl_node_append(rules, rule);
        }
        yl_buf_release(&json);
    }
    return true;
}

static struct yl_node *
put_object(struct yl_arena *arena, struct yl_node *object, const char *name)
{
    struct yl_node *child = yl_node_new_object(arena);

    yl_node_set(arena, object, yl_str_c(name), child);
    return child;
}

static void
put(struct yl_arena *arena, struct yl_node *object, const char *name,
    const char *text)
{
    yl_node_set(arena, object, yl_str_c(name),
                yl_node_new_string(arena, yl_str_c(text)));
}

/* A list from a text with commas; none for NULL. */
static void
put_list(struct yl_arena *arena, struct yl_node *object, const char *name,
         const char *texts)
{
    struct yl_node *list;
    struct yl_str rest = yl_str_c(texts), one;
    bool more = true;

    if (!texts) {
        return;
    }
    list = yl_node_new_array(arena);
    while (more) {
        more = yl_str_cut(rest, ',', &one, &rest);
        yl_node_append(list, yl_node_new_string(arena, more ? one : rest));
    }
    yl_node_set(arena, object, yl_str_c(name), list);
}
