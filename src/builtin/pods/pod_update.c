/* Updates of Pods: what may change, and what is put back. */

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"

#define MIRROR "kubernetes.io/config.mirror"
#define APP_ARMOR "container.apparmor.security.beta.kubernetes.io/"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void check_annotation_change(struct yl_check *, const struct yl_at *,
                                    const char *key_name, bool added);
static bool check_container_changes(struct yl_check *,
                                    const struct yl_at *spec,
                                    const struct yl_node *old,
                                    const char *list);
static bool check_deadline(struct yl_check *, const struct yl_at *spec,
                           const struct yl_at *then);
static void check_added_tolerations(struct yl_check *,
                                    const struct yl_at *spec,
                                    const struct yl_at *then);
static struct yl_str toleration_key(struct yl_arena *,
                                    const struct yl_node *toleration);
static void check_deleted_gates(struct yl_check *, const struct yl_at *spec,
                                const struct yl_at *then);
static void check_other_changes(struct yl_check *, const struct yl_at *spec,
                                const struct yl_node *old);
static void keep_images(struct yl_arena *, struct yl_node *now,
                        const struct yl_node *then, const char *list);
static void check_gated(struct yl_check *, const struct yl_at *spec,
                        struct yl_node *now, const struct yl_node *then);
static void check_narrowed(struct yl_check *, const struct yl_at *affinity,
                           const struct yl_node *old);
static bool starts_with(const struct yl_node *now, const struct yl_node *then,
                        const char *list);
static bool only_added(const struct yl_node *now, const struct yl_node *then);

void
yl_pod_prepare_update(struct yl_arena *arena, struct yl_node *object,
                      const struct yl_node *old YL_UNUSED)
{
    yl_pod_spec_prepare(arena, yl_member_object(object, "spec"));
}

void
yl_pod_validate_update(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_pod(c, object);
    yl_check_pod_annotation_changes(c, object, old);
    if (!check_container_changes(c, &spec, then.node, "containers")
        || !check_container_changes(c, &spec, then.node, "initContainers")
        || !check_deadline(c, &spec, &then)) {
        return;
    }
    check_added_tolerations(c, &spec, &then);
    check_deleted_gates(c, &spec, &then);
    if (spec.node && then.node && !yl_node_equal(spec.node, then.node)) {
        check_other_changes(c, &spec, then.node);
    }
}

void
yl_check_pod_annotation_changes(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at old_metadata = yl_at(&before, "metadata");
    struct yl_at then = yl_at(&old_metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");

    YL_CHECK_FOR_EACH (c, one, &then) {
        const struct yl_node *now =
            yl_at_has(&annotations)
            ? yl_node_get(annotations.node, yl_at_key(&one)) : NULL;

        if (!now || !yl_node_equal(now, one.node)) {
            check_annotation_change(c, &annotations,
                                    yl_arena_strdup(c->arena,
                                                    yl_at_key(&one)), false);
        }
    }
    YL_CHECK_FOR_EACH (c, one, &annotations) {
        if (!yl_at_has(&then) || !yl_node_get(then.node, yl_at_key(&one))) {
            check_annotation_change(c, &annotations,
                                    yl_arena_strdup(c->arena,
                                                    yl_at_key(&one)), true);
        }
    }
    yl_check_pod_annotations(c, &annotations, &spec);
}

static void
check_annotation_change(struct yl_check *c, const struct yl_at *annotations,
                        const char *key_name, bool added)
{
    struct yl_str key = yl_str_c(key_name);
    struct yl_field_path path = yl_field_key(yl_at_path(annotations), key);
    bool armor = yl_str_starts_with(key, YL_STR(APP_ARMOR));

    if (armor || yl_str_equal_c(key, MIRROR)) {
        yl_field_forbidden(c->err, &path, "may not %s %s",
                           added ? "add" : "remove or update",
                           armor ? "AppArmor annotations"
                                 : "mirror pod annotation");
    }
}

/* Returns false if the rest cannot be compared. */
static bool
check_container_changes(struct yl_check *c, const struct yl_at *spec,
                        const struct yl_node *old, const char *name)
{
    struct yl_at list = yl_at(spec, name);
    struct yl_node *then = yl_member_array(old, name);

    if (yl_at_count(&list) != (then ? then->n : 0)) {
        yl_field_forbidden(c->err, yl_at_path(&list),
                           "pod updates may not add or remove containers");
        return false;
    }
    YL_CHECK_FOR_EACH (c, container, &list) {
        struct yl_at image = yl_at(&container, "image");
        struct yl_str s = yl_at_str(c, &image);

        yl_check_required(c, &image);
        if (yl_str_trim(s).size != s.size) {
            yl_field_invalid(c->err, yl_at_path(&image), yl_bad_string(s),
                             "must not have leading or trailing whitespace");
        }
    }
    return true;
}

/* The deadline may be set, and shortened. */
static bool
check_deadline(struct yl_check *c, const struct yl_at *spec,
               const struct yl_at *then)
{
    struct yl_at now = yl_at(spec, "activeDeadlineSeconds");
    struct yl_at was = yl_at(then, "activeDeadlineSeconds");
    int64_t n = yl_at_int(&now);

    if (!yl_at_has(&now)) {
        if (yl_at_has(&was)) {
            yl_field_invalid(c->err, yl_at_path(&now), yl_bad_node(NULL),
                             "must not update from a positive integer to nil "
                             "value");
        }
        return true;
    }
    if (n < 0 || n > INT32_MAX) {
        yl_field_invalid(c->err, yl_at_path(&now), yl_bad_int(n),
                         "must be between 0 and 2147483647, inclusive");
        return false;
    }
    if (yl_at_has(&was) && yl_at_int(&was) < n) {
        yl_field_invalid(c->err, yl_at_path(&now), yl_bad_int(n),
                         "must be less than or equal to previous value");
        return false;
    }
    return true;
}

static void
check_added_tolerations(struct yl_check *c, const struct yl_at *spec,
                        const struct yl_at *then)
{
    struct yl_at now = yl_at(spec, "tolerations");
    struct yl_at was = yl_at(then, "tolerations");
    struct yl_node *keys = yl_node_new_object(c->arena);

    if (yl_node_same(now.node, was.node)) {
        yl_check_tolerations(c, &now);
        return;
    }
    YL_CHECK_FOR_EACH (c, one, &now) {
        yl_set_add(c->arena, keys, toleration_key(c->arena, one.node));
    }
    YL_CHECK_FOR_EACH (c, old, &was) {
        if (!yl_node_get(keys, toleration_key(c->arena, old.node))) {
            yl_field_forbidden(c->err, yl_at_path(&now),
                               "existing toleration can not be modified "
                               "except its tolerationSeconds");
            return;
        }
    }
    yl_check_tolerations(c, &now);
}

/* A toleration without its tolerationSeconds, as a key. */
static struct yl_str
toleration_key(struct yl_arena *arena, const struct yl_node *toleration)
{
    struct yl_node *copy = yl_node_copy(arena, toleration);
    struct yl_buf text;
    struct yl_str key;

    yl_member_drop(copy, "tolerationSeconds");
    yl_buf_init(&text, SIZE_MAX);
    (void) yl_node_write_canonical(&text, copy);
    key = yl_str_c(yl_arena_strdup(arena, yl_buf_str(&text)));
    yl_buf_release(&text);
    return key;
}

static void
check_deleted_gates(struct yl_check *c, const struct yl_at *spec,
                    const struct yl_at *then)
{
    struct yl_at now = yl_at(spec, "schedulingGates");
    struct yl_at was = yl_at(then, "schedulingGates");
    struct yl_node *names = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, gate, &was) {
        yl_set_add(c->arena, names, yl_at_get_str(c, &gate, "name"));
    }
    YL_CHECK_FOR_EACH (c, gate, &now) {
        struct yl_at name = yl_at(&gate, "name");
        struct yl_str s = yl_at_str(c, &name);

        if (yl_set_add(c->arena, names, s)) {
            yl_field_forbidden(c->err, yl_at_path(&name),
                               "only deletion is allowed, but found new "
                               "scheduling gate '%.*s'", YL_STR_ARG(s));
        }
    }
}

/* The fields that were checked already are put back first, so that any
 * difference left is an error. */
static void
check_other_changes(struct yl_check *c, const struct yl_at *spec,
                    const struct yl_node *old)
{
    struct yl_node *now = yl_node_copy(c->arena, spec->node);
    struct yl_at then = yl_at_root(old), at = yl_at_root(now);
    struct yl_node *gates = yl_member_array(old, "schedulingGates");

    keep_images(c->arena, now, old, "containers");
    keep_images(c->arena, now, old, "initContainers");
    yl_member_keep(c->arena, now, old, "activeDeadlineSeconds");
    yl_member_keep(c->arena, now, old, "schedulingGates");
    yl_member_keep(c->arena, now, old, "tolerations");
    if (yl_at_get_int(&then, "terminationGracePeriodSeconds") < 0
        && yl_at_get_int(&at, "terminationGracePeriodSeconds") == 1) {
        yl_member_keep(c->arena, now, old, "terminationGracePeriodSeconds");
    }
    if (gates && gates->n) {
        check_gated(c, spec, now, old);
    }
    if (!yl_node_same(now, old)) {
        yl_field_changed(
            c, spec, old, now, YL_GO(core_v1, pod_spec),
            "pod updates may not change fields other than "
            "`spec.containers[*].image`,`spec.initContainers[*].image`,"
            "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions "
            "to existing tolerations),`spec.terminationGracePeriodSeconds` "
            "(allow it to be set to 1 if it was previously negative)");
    }
}

static void
keep_images(struct yl_arena *arena, struct yl_node *now,
            const struct yl_node *then, const char *list)
{
    const struct yl_node *old = yl_member_first(then, list);
    struct yl_node *container;

    YL_MEMBER_EACH (container, now, list) {
        if (!old) {
            return;
        }
        yl_member_keep(arena, container, old, "image");
        old = old->next;
    }
}

/* While a Pod has scheduling gates, its node selector and node affinity may be
 * made stricter. */
static void
check_gated(struct yl_check *c, const struct yl_at *spec,
            struct yl_node *now, const struct yl_node *then)
{
    struct yl_at at = yl_at(spec, "nodeSelector");
    struct yl_at affinity_at = yl_at(spec, "affinity");
    struct yl_at nodes = yl_at(&affinity_at, "nodeAffinity");
    struct yl_node *selector = yl_member_object(now, "nodeSelector");
    struct yl_node *old_selector = yl_member_object(then, "nodeSelector");
    struct yl_node *affinity = yl_member_object(now, "affinity");
    struct yl_node *old_affinity = yl_member_object(then, "affinity");
    struct yl_node *was = yl_member_object(old_affinity, "nodeAffinity");

    if (!yl_node_same(selector, old_selector)) {
        if (!only_added(selector, old_selector)) {
            yl_field_invalid(c->err, yl_at_path(&at), yl_bad_at(&at),
                             "only additions to spec.nodeSelector are allowed "
                             "(no mutations or deletions)");
        }
        yl_member_keep(c->arena, now, then, "nodeSelector");
    }
    if (yl_node_same(nodes.node, was)) {
        return;
    }
    check_narrowed(c, &nodes, was);
    if (!affinity) {
        yl_member_keep(c->arena, yl_member_make(c->arena, now, "affinity"),
                       old_affinity, "nodeAffinity");
    } else if (!old_affinity && !yl_member_object(affinity, "podAffinity")
               && !yl_member_object(affinity, "podAntiAffinity")) {
        yl_member_drop(now, "affinity");
    } else {
        yl_member_keep(c->arena, affinity, old_affinity, "nodeAffinity");
    }
}

/* The terms are alternatives, so none may be added or removed; but a term may
 * get more requirements. */
static void
check_narrowed(struct yl_check *c, const struct yl_at *affinity,
               const struct yl_node *old)
{
    static const char name[] =
        "requiredDuringSchedulingIgnoredDuringExecution";
    struct yl_at required = yl_at(affinity, name);
    struct yl_at terms = yl_at(&required, "nodeSelectorTerms");
    struct yl_node *was =
        yl_member_array(yl_member_object(old, name), "nodeSelectorTerms");
    const struct yl_node *then = was ? was->first : NULL;

    if (!then) {
        return;
    }
    if (yl_at_count(&terms) != was->n) {
        yl_field_invalid(c->err, yl_at_path(&terms),
                         yl_bad_slice(c, terms.node,
                                      YL_GO(core_v1, node_selector_term)),
                         "no additions/deletions to non-empty "
                         "NodeSelectorTerms list are allowed");
        return;
    }
    YL_CHECK_FOR_EACH (c, term, &terms) {
        bool any = yl_member_first(then, "matchExpressions")
                   || yl_member_first(then, "matchFields");

        if ((!any
             && (yl_member_first(term.node, "matchExpressions")
                 || yl_member_first(term.node, "matchFields")))
            || !starts_with(term.node, then, "matchExpressions")
            || !starts_with(term.node, then, "matchFields")) {
            yl_field_invalid(c->err, yl_at_path(&term),
                             yl_bad_struct(c, term.node,
                                           YL_GO(core_v1, node_selector_term)),
                             "only additions are allowed (no mutations or "
                             "deletions)");
        }
        then = then->next;
    }
}

/* Whether the new list begins with all elements of the old one. */
static bool
starts_with(const struct yl_node *now, const struct yl_node *then,
            const char *list)
{
    const struct yl_node *a = yl_member_first(now, list);
    const struct yl_node *b = yl_member_first(then, list);

    for (; b; b = b->next) {
        if (!a || !yl_node_same(a, b)) {
            return false;
        }
        a = a->next;
    }
    return true;
}

static bool
only_added(const struct yl_node *now, const struct yl_node *then)
{
    const struct yl_node *member;

    if (!then) {
        return true;
    }
    YL_NODE_FOR_EACH (member, then) {
        struct yl_node *other = now ? yl_node_get(now, yl_node_key(member))
                                    : NULL;

        if (!other || !yl_node_equal(other, member)) {
            return false;
        }
    }
    return true;
}
