/* Writes to pods/ephemeralcontainers and pods/resize. */

#include <string.h>

#include "builtin/common/meta.h"
#include "builtin/common/subresources.h"
#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "gen/core_v1_go.h"

#define MIRROR "kubernetes.io/config.mirror"
#define ONLY_CPU_AND_MEMORY "only cpu and memory resources are mutable"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void keep_all_but(struct yl_arena *, struct yl_node *object,
                         const struct yl_node *old, const char *field);
static bool is_static(const struct yl_node *pod);
static struct yl_node *resize_list(struct yl_arena *,
                                   const struct yl_node *now,
                                   const struct yl_node *then);
static bool check_order(struct yl_check *, const struct yl_at *spec,
                        const struct yl_node *old, const char *list);
static bool node_resizes(const struct yl_at *status);
static void check_pod_level(struct yl_check *, const struct yl_at *spec,
                            struct yl_node *copy, const struct yl_node *old);
static bool has_amounts(const struct yl_node *resources);
static void check_all_removed(struct yl_check *, const struct yl_at *spec,
                              const struct yl_node *old, const char *list);
static void check_resized(struct yl_check *, const struct yl_at *spec,
                          const struct yl_node *old, const char *list);
static void check_restarts(struct yl_check *, const struct yl_at *container);
static void check_removed(struct yl_check *, const struct yl_at *resources,
                          const struct yl_node *old, const char *what,
                          const char *whose);
static void keep_cpu_and_memory(struct yl_arena *, struct yl_node *resources,
                                const struct yl_node *was);
static const char *class_of(struct yl_arena *, const struct yl_node *pod);

void
yl_pod_prepare_ephemeral(struct yl_arena *arena, struct yl_node *object,
                         const struct yl_node *old)
{
    keep_all_but(arena, object, old, "ephemeralContainers");
    yl_pod_spec_prepare(arena, yl_member_object(object, "spec"));
}

void
yl_pod_validate_ephemeral(struct yl_check *c, const struct yl_node *object,
                          const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at list = yl_at(&spec, "ephemeralContainers");
    struct yl_at was = yl_at(&then, "ephemeralContainers");
    struct yl_node *by_name = yl_node_new_object(c->arena);
    struct yl_field_path nothing = yl_field_key(NULL, YL_STR(""));

    if (is_static(old)) {
        yl_field_forbidden(c->err, &nothing,
                           "static pods do not support ephemeral containers");
        return;
    }
    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_pod(c, object);
    yl_check_pod_annotation_changes(c, object, old);
    YL_CHECK_FOR_EACH (c, one, &list) {
        yl_node_set(c->arena, by_name, yl_at_get_str(c, &one, "name"),
                    yl_node_copy(c->arena, one.node));
    }
    YL_CHECK_FOR_EACH (c, one, &was) {
        struct yl_str name = yl_at_get_str(c, &one, "name");
        struct yl_node *now = yl_node_get(by_name, name);

        if (!now) {
            yl_field_forbidden(c->err, yl_at_path(&list),
                               "existing ephemeral containers \"%.*s\" may "
                               "not be removed\n", YL_STR_ARG(name));
        } else if (!yl_node_equal(now, one.node)) {
            yl_field_changed(c, &list, one.node, now,
                             YL_GO(core_v1, ephemeral_container),
                             yl_arena_printf(c->arena,
                                             "existing ephemeral containers "
                                             "\"%.*s\" may not be changed",
                                             YL_STR_ARG(name)));
        }
    }
}

/* If containers were added, removed or reordered, they are left as they are:
 * validation refuses that. */
void
yl_pod_prepare_resize(struct yl_arena *arena, struct yl_node *object,
                      const struct yl_node *old)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *before = yl_member_object(old, "spec");
    struct yl_node *list = yl_member_array(spec, "containers");
    struct yl_node *inits = yl_member_array(spec, "initContainers");
    struct yl_node *was = yl_member_array(before, "containers");
    struct yl_node *old_inits = yl_member_array(before, "initContainers");

    if ((list ? list->n : 0) != (was ? was->n : 0)
        || (inits ? inits->n : 0) != (old_inits ? old_inits->n : 0)) {
        return;
    }
    list = resize_list(arena, list, was);
    inits = resize_list(arena, inits, old_inits);
    keep_all_but(arena, object, old, "resources");
    spec = yl_member_object(object, "spec");
    if (list) {
        yl_member_set(arena, spec, "containers", list);
    }
    if (inits) {
        yl_member_set(arena, spec, "initContainers", inits);
    }
    yl_pod_spec_prepare(arena, spec);
}

void
yl_pod_validate_resize(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at os = yl_at(&then, "os");
    struct yl_at old_status = yl_at(&before, "status");
    struct yl_field_path nothing = yl_field_key(NULL, YL_STR(""));
    struct yl_str class = yl_at_get_str(c, &old_status, "qosClass");
    struct yl_node *copy;
    bool ordered;

    if (is_static(old) || yl_at_get_is(&os, "name", "windows")) {
        yl_field_forbidden(c->err, &nothing, "%s pods cannot be resized",
                           is_static(old) ? "static" : "windows");
        return;
    }
    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_pod(c, object);
    if (!yl_str_equal_c(class, class_of(c->arena, object))) {
        yl_field_invalid(c->err, yl_at_path(&spec), yl_bad_string(class),
                         "Pod QOS Class may not change as a result of "
                         "resizing");
    }
    if (!node_resizes(&old_status)) {
        yl_field_forbidden(c->err, yl_at_path(&spec),
                           "Pod running on node without support for resize");
    }
    copy = yl_node_copy(c->arena, spec.node);
    check_pod_level(c, &spec, copy, then.node);
    ordered = check_order(c, &spec, then.node, "containers");
    ordered &= check_order(c, &spec, then.node, "initContainers");
    if (!ordered) {
        return;
    }
    check_all_removed(c, &spec, then.node, "initContainers");
    check_all_removed(c, &spec, then.node, "containers");
    check_resized(c, &spec, then.node, "containers");
    check_resized(c, &spec, then.node, "initContainers");
    if (yl_check_faults(c)) {
        return;
    }
    yl_member_keep(c->arena, copy, then.node, "containers");
    yl_member_keep(c->arena, copy, then.node, "initContainers");
    if (!yl_node_same(copy, then.node)) {
        yl_field_forbidden(c->err, yl_at_path(&spec), ONLY_CPU_AND_MEMORY);
    }
}

/* Puts back everything except one field of the spec. */
static void
keep_all_but(struct yl_arena *arena, struct yl_node *object,
             const struct yl_node *old, const char *field)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *before = yl_member_object(old, "spec");
    struct yl_node *now = before ? yl_node_copy(arena, before)
                                 : yl_node_new_object(arena);

    yl_member_keep(arena, now, spec, field);
    yl_member_set(arena, object, "spec", now);
    yl_member_keep(arena, object, old, "status");
    yl_meta_keep(arena, object, old);
}

static bool
is_static(const struct yl_node *pod)
{
    struct yl_node *annotations =
        yl_member_object(yl_member_object(pod, "metadata"), "annotations");

    return !yl_member_is_absent(annotations, MIRROR);
}

/* The old containers with the resources of the new ones; the new containers if
 * the names differ. */
static struct yl_node *
resize_list(struct yl_arena *arena, const struct yl_node *now,
            const struct yl_node *then)
{
    struct yl_node *list, *container;
    const struct yl_node *new;

    if (!now || !then) {
        return now ? yl_node_copy(arena, now) : NULL;
    }
    list = yl_node_copy(arena, then);
    new = now->first;
    YL_NODE_FOR_EACH (container, list) {
        struct yl_at a = yl_at_root(container), b = yl_at_root(new);
        struct yl_at name = yl_at(&a, "name"), other = yl_at(&b, "name");

        if (!yl_node_same(name.node, other.node)) {
            return yl_node_copy(arena, now);
        }
        yl_member_keep(arena, container, new, "resources");
        yl_member_keep(arena, container, new, "resizePolicy");
        new = new->next;
    }
    return list;
}

static bool
check_order(struct yl_check *c, const struct yl_at *spec,
            const struct yl_node *old, const char *name)
{
    struct yl_at list = yl_at(spec, name);
    struct yl_node *was = yl_member_array(old, name);
    const struct yl_node *then;
    size_t n = yl_check_faults(c);

    if (yl_at_count(&list) != (was ? was->n : 0)) {
        yl_field_forbidden(c->err, yl_at_path(&list),
                           "%s may not be added or removed on resize", name);
        return false;
    }
    then = was ? was->first : NULL;
    YL_CHECK_FOR_EACH (c, one, &list) {
        struct yl_at at = yl_at_root(then), now = yl_at(&one, "name");
        struct yl_at before = yl_at(&at, "name");

        if (!yl_node_same(now.node, before.node)) {
            yl_field_forbidden(c->err, yl_at_path(&now),
                               "%s may not be renamed or reordered on resize",
                               name);
        }
        then = then->next;
    }
    return yl_check_faults(c) == n;
}

/* A node that reports the resources of its running containers can resize
 * them. */
static bool
node_resizes(const struct yl_at *status)
{
    struct yl_at list = yl_at(status, "containerStatuses");

    YL_AT_FOR_EACH (one, &list) {
        struct yl_at state = yl_at(&one, "state");

        if (yl_at_get_has(&state, "running")) {
            return yl_at_get_has(&one, "resources");
        }
    }
    return true;
}

/* Checks the Pod's own resources.  In 'copy' the parts that may change are put
 * back. */
static void
check_pod_level(struct yl_check *c, const struct yl_at *spec,
                struct yl_node *copy, const struct yl_node *old)
{
    struct yl_at resources = yl_at(spec, "resources");
    struct yl_node *was = yl_member_object(old, "resources");
    struct yl_node *now = yl_member_object(copy, "resources");

    if (!has_amounts(was) && !has_amounts(now)) {
        return;
    }
    if (was && !now) {
        yl_field_forbidden(c->err, yl_at_path(&resources),
                           "pod-level resources cannot be removed");
        yl_member_keep(c->arena, copy, old, "resources");
        return;
    }
    check_removed(c, &resources, was, "requests", "pod-level resource");
    check_removed(c, &resources, was, "limits", "pod-level resource");
    keep_cpu_and_memory(c->arena, now, was);
    if (!was && !has_amounts(now) && !yl_member_first(now, "claims")) {
        yl_member_drop(copy, "resources");
        now = NULL;
    }
    if (!yl_node_same(now, was)) {
        yl_field_forbidden(c->err, yl_at_path(spec),
                           ONLY_CPU_AND_MEMORY " at pod-level");
    }
    yl_member_keep(c->arena, copy, old, "resources");
}

static bool
has_amounts(const struct yl_node *resources)
{
    struct yl_node *requests = yl_member_object(resources, "requests");
    struct yl_node *limits = yl_member_object(resources, "limits");

    return (requests && requests->n) || (limits && limits->n);
}

static void
check_all_removed(struct yl_check *c, const struct yl_at *spec,
                  const struct yl_node *old, const char *name)
{
    struct yl_at list = yl_at(spec, name);
    const struct yl_node *then = yl_member_first(old, name);

    YL_CHECK_FOR_EACH (c, one, &list) {
        struct yl_at resources = yl_at(&one, "resources");
        struct yl_node *was = yl_member_object(then, "resources");

        check_removed(c, &resources, was, "requests", "resource");
        check_removed(c, &resources, was, "limits", "resource");
        then = then->next;
    }
}

/* The claims are dropped before the comparison, as upstream does by mistake,
 * so a container with claims always counts as changed. */
static void
check_resized(struct yl_check *c, const struct yl_at *spec,
              const struct yl_node *old, const char *name)
{
    struct yl_at list = yl_at(spec, name);
    const struct yl_node *then = yl_member_first(old, name);

    YL_CHECK_FOR_EACH (c, one, &list) {
        struct yl_node *copy = yl_node_copy(c->arena, one.node);
        struct yl_node *resources = yl_member_object(copy, "resources");

        keep_cpu_and_memory(c->arena, resources,
                            yl_member_object(then, "resources"));
        yl_member_drop(resources, "claims");
        if (!yl_node_same(copy, then)) {
            if (strcmp(name, "containers")) {
                yl_field_forbidden(c->err, yl_at_path(&one),
                                   "only cpu and memory resources for init or "
                                   "sidecar containers are mutable");
            } else {
                yl_field_forbidden(c->err, yl_at_path(spec),
                                   ONLY_CPU_AND_MEMORY);
            }
        }
        if (strcmp(name, "containers") && !yl_node_same(one.node, then)) {
            check_restarts(c, &one);
        }
        then = then->next;
    }
}

/* An ordinary init container runs once, so it cannot be restarted with new
 * resources. */
static void
check_restarts(struct yl_check *c, const struct yl_at *container)
{
    struct yl_at policies = yl_at(container, "resizePolicy");

    if (yl_at_get_is(container, "restartPolicy", "Always")) {
        return;
    }
    YL_CHECK_FOR_EACH (c, policy, &policies) {
        if (yl_at_get_is(&policy, "restartPolicy", "RestartContainer")) {
            yl_field_forbidden(c->err, yl_at_path(container),
                               "non-sidecar init containers with a resize "
                               "policy of RestartContainer cannot be "
                               "resized");
        }
    }
}

static void
check_removed(struct yl_check *c, const struct yl_at *resources,
              const struct yl_node *old, const char *what, const char *whose)
{
    struct yl_at now = yl_at(resources, what);
    struct yl_at list = yl_at_root(yl_member_object(old, what));

    YL_CHECK_FOR_EACH (c, amount, &list) {
        if (!yl_at_has(&now) || !yl_node_get(now.node, yl_at_key(&amount))) {
            yl_field_forbidden(c->err, yl_at_path(&now),
                               "%s %s cannot be removed", whose, what);
            return;
        }
    }
}

static void
keep_cpu_and_memory(struct yl_arena *arena, struct yl_node *resources,
                    const struct yl_node *was)
{
    static const char *const lists[] = { "limits", "requests" };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        struct yl_node *old = yl_member_object(was, lists[i]);
        struct yl_node *list = yl_member_object(resources, lists[i]);

        if (!list && old && resources) {
            list = yl_member_make(arena, resources, lists[i]);
        }
        if (list) {
            yl_member_keep(arena, list, old, "cpu");
            yl_member_keep(arena, list, old, "memory");
            if (!list->n) {
                yl_member_drop(resources, lists[i]);
            }
        }
    }
}

static const char *
class_of(struct yl_arena *arena, const struct yl_node *pod)
{
    struct yl_node *copy = yl_node_copy(arena, pod);
    struct yl_check c = { arena, NULL };
    struct yl_at status;

    yl_member_drop(copy, "status");
    yl_pod_status_prepare(arena, copy);
    status = yl_at_root(yl_member_object(copy, "status"));
    return yl_arena_strdup(arena, yl_at_get_str(&c, &status, "qosClass"));
}
