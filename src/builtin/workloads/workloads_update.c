/* Updates of ReplicationController, ReplicaSet, Deployment, StatefulSet and
 * DaemonSet, and writes to their status. */

#include "builtin/common/meta.h"
#include "builtin/pods/pod.h"
#include "builtin/rows.h"
#include "builtin/workloads/workloads.h"

#define TEMPLATE_GENERATION "deprecated.daemonset.template.generation"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void prepare_template(struct yl_arena *, struct yl_node *object);
static void check_update(struct yl_check *, const struct yl_node *object,
                         const struct yl_node *old,
                         void (*check_spec)(struct yl_check *,
                                            const struct yl_at *));
static void check_selector(struct yl_check *, const struct yl_node *object,
                           const struct yl_node *old);
static void check_counts(struct yl_check *, const struct yl_node *object,
                         const char *const *names);
static void check_at_most(struct yl_check *, const struct yl_node *object,
                          const char *const *names, const char *limit,
                          const char *why);
static void check_collisions(struct yl_check *, const struct yl_node *object,
                             const struct yl_node *old);

void
yl_pod_template_prepare_update(struct yl_arena *arena, struct yl_node *object,
                               const struct yl_node *old YL_UNUSED)
{
    prepare_template(arena, object);
}

void
yl_replication_controller_validate_update(struct yl_check *c,
                                          const struct yl_node *object,
                                          const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_replication_controller_spec(c, &spec);
}

void
yl_replication_controller_validate_status(struct yl_check *c,
                                          const struct yl_node *object,
                                          const struct yl_node *old)
{
    yl_replica_set_validate_status(c, object, old);
}

void
yl_replica_set_validate_update(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old)
{
    check_update(c, object, old, yl_check_replica_set_spec);
}

void
yl_replica_set_validate_status(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old)
{
    static const char *const counts[] = {
        "replicas", "fullyLabeledReplicas", "readyReplicas",
        "availableReplicas", "observedGeneration", "terminatingReplicas",
        NULL
    };
    static const char *const parts[] = { "fullyLabeledReplicas",
                                         "readyReplicas",
                                         "availableReplicas", NULL };

    yl_check_object_meta_update(c, object, old, &rule);
    check_counts(c, object, counts);
    check_at_most(c, object, parts, "replicas",
                  "cannot be greater than status.replicas");
    check_at_most(c, object, parts + 2, "readyReplicas",
                  "cannot be greater than readyReplicas");
}

void
yl_deployment_validate_update(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old)
{
    check_update(c, object, old, yl_check_deployment_spec);
}

/* Objects without labels get those of their template, also when a status was
 * written without labels. */
void
yl_template_labels_prepare_status(struct yl_arena *arena,
                                  struct yl_node *object,
                                  const struct yl_node *old YL_UNUSED)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_node *template =
        yl_member_object(yl_member_object(object, "spec"), "template");

    if (yl_member_is_zero(metadata, "labels")) {
        yl_member_keep(arena, metadata, yl_member_object(template, "metadata"),
                       "labels");
    }
}

void
yl_deployment_prepare_status(struct yl_arena *arena, struct yl_node *object,
                             const struct yl_node *old)
{
    yl_member_keep(arena, yl_member_make(arena, object, "metadata"),
                   yl_member_object(old, "metadata"), "labels");
}

void
yl_deployment_validate_status(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old)
{
    static const char *const counts[] = {
        "observedGeneration", "replicas", "updatedReplicas", "readyReplicas",
        "availableReplicas", "unavailableReplicas", "terminatingReplicas",
        "collisionCount", NULL
    };
    static const char *const parts[] = { "updatedReplicas", "readyReplicas",
                                         "availableReplicas", NULL };

    yl_check_object_meta_update(c, object, old, &rule);
    check_counts(c, object, counts);
    check_at_most(c, object, parts, "replicas",
                  "cannot be greater than status.replicas");
    check_at_most(c, object, parts + 2, "readyReplicas",
                  "cannot be greater than readyReplicas");
    check_collisions(c, object, old);
}

void
yl_stateful_set_prepare_update(struct yl_arena *arena, struct yl_node *object,
                               const struct yl_node *old)
{
    static const char max[] = "maxUnavailable";
    struct yl_node *rolling = yl_member_object(
        yl_member_object(yl_member_object(object, "spec"), "updateStrategy"),
        "rollingUpdate");
    struct yl_node *before = yl_member_object(
        yl_member_object(yl_member_object(old, "spec"), "updateStrategy"),
        "rollingUpdate");

    if (yl_member_is_absent(before, max)) {
        yl_member_drop(rolling, max);
    }
    prepare_template(arena, object);
}

/* The name and the claims are not validated again: they cannot change, and
 * older versions may have allowed more. */
void
yl_stateful_set_validate_update(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    static const char *const open[] = {
        "replicas", "template", "updateStrategy", "minReadySeconds",
        "ordinals", "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy",
    };
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_node *before = yl_member_object(old, "spec");
    struct yl_node *copy;
    size_t i;

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_stateful_set_spec(c, &spec, false);
    if (!spec.node || !before) {
        return;
    }
    copy = yl_node_copy(c->arena, spec.node);
    for (i = 0; i < YL_ARRAY_SIZE(open); i++) {
        yl_member_keep(c->arena, copy, before, open[i]);
    }
    if (!yl_node_equal(copy, before)) {
        yl_field_forbidden(c->err, yl_at_path(&spec),
                           "updates to statefulset spec for fields other than "
                           "'replicas', 'ordinals', 'template', "
                           "'updateStrategy', 'revisionHistoryLimit', "
                           "'persistentVolumeClaimRetentionPolicy' and "
                           "'minReadySeconds' are forbidden");
    }
}

void
yl_stateful_set_validate_status(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    static const char *const counts[] = {
        "replicas", "readyReplicas", "currentReplicas", "updatedReplicas",
        "availableReplicas", "observedGeneration", "collisionCount", NULL
    };
    static const char *const parts[] = { "readyReplicas", "currentReplicas",
                                         "updatedReplicas",
                                         "availableReplicas", NULL };

    check_counts(c, object, counts);
    check_at_most(c, object, parts, "replicas",
                  "cannot be greater than status.replicas");
    check_at_most(c, object, parts + 3, "readyReplicas",
                  "cannot be greater than status.readyReplicas");
    yl_check_object_meta_update(c, object, old, &rule);
    check_collisions(c, object, old);
}

/* The annotation counts the changes of the template. */
void
yl_daemon_set_prepare_update(struct yl_arena *arena, struct yl_node *object,
                             const struct yl_node *old)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_node *before =
        yl_member_object(yl_member_object(old, "metadata"), "annotations");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(before);
    long long n = 0;

    prepare_template(arena, object);
    if (!before) {
        return;
    }
    yl_member_keep(arena, yl_member_make(arena, metadata, "annotations"),
                   before, TEMPLATE_GENERATION);
    if (!yl_node_same(
            yl_member_object(yl_member_object(object, "spec"), "template"),
            yl_member_object(yl_member_object(old, "spec"), "template"))) {
        (void) yl_str_to_i64(yl_at_get_str(&c, &at, TEMPLATE_GENERATION), &n);
        yl_member_set_str(arena, yl_member_object(metadata, "annotations"),
                          TEMPLATE_GENERATION,
                          yl_arena_printf(arena, "%lld", n + 1));
    }
}

/* Keeps the annotation: upstream has the count in the spec, which a write to
 * /status cannot change. */
void
yl_daemon_set_prepare_status(struct yl_arena *arena, struct yl_node *object,
                             const struct yl_node *old)
{
    struct yl_node *before =
        yl_member_object(yl_member_object(old, "metadata"), "annotations");
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");

    if (!yl_member_is_absent(before, TEMPLATE_GENERATION)) {
        yl_member_keep(arena, yl_member_make(arena, metadata, "annotations"),
                       before, TEMPLATE_GENERATION);
    }
}

void
yl_daemon_set_validate_update(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta_update(c, object, old, &rule);
    check_selector(c, object, old);
    yl_check_daemon_set_spec(c, &spec);
}

void
yl_daemon_set_validate_status(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old)
{
    static const char *const counts[] = {
        "currentNumberScheduled", "numberMisscheduled",
        "desiredNumberScheduled", "numberReady", "observedGeneration",
        "updatedNumberScheduled", "numberAvailable", "numberUnavailable",
        "collisionCount", NULL
    };

    yl_check_object_meta_update(c, object, old, &rule);
    check_counts(c, object, counts);
    check_collisions(c, object, old);
}

static void
prepare_template(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *template =
        yl_member_object(yl_member_object(object, "spec"), "template");

    yl_pod_spec_prepare(arena, yl_member_object(template, "spec"));
}

static void
check_update(struct yl_check *c, const struct yl_node *object,
             const struct yl_node *old,
             void (*check_spec)(struct yl_check *, const struct yl_at *))
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta_update(c, object, old, &rule);
    check_spec(c, &spec);
    check_selector(c, object, old);
}

static void
check_selector(struct yl_check *c, const struct yl_node *object,
               const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at selector = yl_at(&spec, "selector");
    struct yl_at was = yl_at(&then, "selector");

    if (!yl_node_same(selector.node, was.node)) {
        yl_field_invalid(c->err, yl_at_path(&selector),
                         yl_bad_selector(c, &selector), YL_IMMUTABLE);
    }
}

static void
check_counts(struct yl_check *c, const struct yl_node *object,
             const char *const *names)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");

    for (; *names; names++) {
        struct yl_at count = yl_at(&status, *names);

        yl_check_not_negative(c, &count);
    }
}

static void
check_at_most(struct yl_check *c, const struct yl_node *object,
              const char *const *names, const char *limit, const char *why)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    int64_t max = yl_at_get_int(&status, limit);

    for (; *names; names++) {
        struct yl_at count = yl_at(&status, *names);

        if (yl_at_int(&count) > max) {
            yl_field_invalid(c->err, yl_at_path(&count),
                             yl_bad_int(yl_at_int(&count)), "%s", why);
        }
    }
}

static void
check_collisions(struct yl_check *c, const struct yl_node *object,
                 const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at then = yl_at(&before, "status");
    struct yl_at count = yl_at(&status, "collisionCount");
    struct yl_at was = yl_at(&then, "collisionCount");

    if (yl_at_has(&was)
        && (!yl_at_has(&count) || yl_at_int(&count) < yl_at_int(&was))) {
        yl_field_invalid(c->err, yl_at_path(&count),
                         yl_bad_int(yl_at_int(&count)),
                         "cannot be decremented");
    }
}
