/* Defaults of the kinds that keep Pods running: ReplicationController,
 * ReplicaSet, Deployment, StatefulSet, DaemonSet. */
#include "builtin/workloads/workloads.h"

#include "builtin/common/meta.h"
#include "builtin/pods/pod.h"
#include "builtin/rows.h"

#define TEMPLATE_GENERATION "deprecated.daemonset.template.generation"

static struct yl_node *default_template(struct yl_arena *,
                                        struct yl_node *object);

void
yl_replication_controller_default(struct yl_arena *arena,
                                  struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *template = yl_member_object(spec, "template");
    struct yl_node *labels =
        yl_member_object(yl_member_object(template, "metadata"), "labels");

    if (labels) {
        struct yl_node *metadata = yl_member_make(arena, object, "metadata");

        if (yl_member_is_zero(spec, "selector")) {
            yl_member_set(arena, spec, "selector",
                          yl_node_copy(arena, labels));
        }
        if (yl_member_is_zero(metadata, "labels")) {
            yl_member_set(arena, metadata, "labels",
                          yl_node_copy(arena, labels));
        }
    }
    yl_member_default_int_ptr(arena, spec, "replicas", 1);
    if (template) {
        yl_pod_spec_default(arena, yl_member_make(arena, template, "spec"));
    }
}

void
yl_replica_set_default(struct yl_arena *arena, struct yl_node *object)
{
    yl_member_default_int_ptr(arena, default_template(arena, object),
                              "replicas", 1);
}

void
yl_deployment_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = default_template(arena, object);
    struct yl_node *strategy = yl_member_make(arena, spec, "strategy");
    struct yl_at at = yl_at_root(strategy);

    yl_member_default_int_ptr(arena, spec, "replicas", 1);
    yl_member_default_str(arena, strategy, "type", "RollingUpdate");
    if (yl_at_get_is(&at, "type", "RollingUpdate")) {
        struct yl_node *rolling =
            yl_member_make(arena, strategy, "rollingUpdate");

        yl_member_default_str_ptr(arena, rolling, "maxUnavailable", "25%");
        yl_member_default_str_ptr(arena, rolling, "maxSurge", "25%");
    }
    yl_member_default_int_ptr(arena, spec, "revisionHistoryLimit", 10);
    yl_member_default_int_ptr(arena, spec, "progressDeadlineSeconds", 600);
}

void
yl_stateful_set_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = default_template(arena, object);
    struct yl_node *strategy = yl_member_make(arena, spec, "updateStrategy");
    struct yl_node *claims = yl_member_array(spec, "volumeClaimTemplates");
    struct yl_at at = yl_at_root(strategy);
    struct yl_node *retention, *claim;

    yl_member_default_str(arena, spec, "podManagementPolicy", "OrderedReady");
    if (yl_member_is_zero(strategy, "type")) {
        yl_member_set_str(arena, strategy, "type", "RollingUpdate");
        yl_member_make(arena, strategy, "rollingUpdate");
    }
    if (yl_at_get_is(&at, "type", "RollingUpdate")) {
        yl_member_default_int_ptr(arena,
                                  yl_member_object(strategy, "rollingUpdate"),
                                  "partition", 0);
    }
    retention =
        yl_member_make(arena, spec, "persistentVolumeClaimRetentionPolicy");
    yl_member_default_str(arena, retention, "whenDeleted", "Retain");
    yl_member_default_str(arena, retention, "whenScaled", "Retain");
    yl_member_default_int_ptr(arena, spec, "replicas", 1);
    yl_member_default_int_ptr(arena, spec, "revisionHistoryLimit", 10);
    if (!claims) {
        return;
    }
    YL_NODE_FOR_EACH (claim, claims) {
        struct yl_node *status = yl_member_make(arena, claim, "status");

        yl_member_default_str(arena, status, "phase", "Pending");
        yl_resource_list_default(arena, yl_member_object(status, "capacity"));
        yl_resource_list_default(
            arena, yl_member_object(status, "allocatedResources"));
        yl_claim_spec_default(arena, yl_member_make(arena, claim, "spec"));
        yl_member_set_str(arena, claim, "apiVersion", "v1");
        yl_member_set_str(arena, claim, "kind", "PersistentVolumeClaim");
    }
}

/* Drops maxUnavailable, whose feature gate is off. */
void
yl_stateful_set_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *strategy = yl_member_object(spec, "updateStrategy");

    yl_member_drop(yl_member_object(strategy, "rollingUpdate"),
                   "maxUnavailable");
    yl_pod_template_prepare(arena, object);
}

void
yl_pod_template_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *template = yl_member_object(spec, "template");

    yl_member_drop(object, "status");
    yl_meta_set_generation(arena, object);
    yl_pod_spec_prepare(arena, yl_member_object(template, "spec"));
}

void
yl_daemon_set_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *annotations = yl_member_make(
        arena, yl_member_make(arena, object, "metadata"), "annotations");
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(annotations);
    long long n = 0;

    (void) yl_str_to_i64(yl_at_get_str(&c, &at, TEMPLATE_GENERATION), &n);
    if (n < 1) {
        yl_member_set_str(arena, annotations, TEMPLATE_GENERATION, "1");
    }
    yl_pod_template_prepare(arena, object);
}

void
yl_daemon_set_hide(struct yl_arena *arena YL_UNUSED, struct yl_node *object)
{
    struct yl_node *metadata = yl_member_object(object, "metadata");
    struct yl_node *annotations = yl_member_object(metadata, "annotations");

    yl_member_drop(annotations, TEMPLATE_GENERATION);
    if (annotations && !annotations->n) {
        yl_member_drop(metadata, "annotations");
    }
}

void
yl_daemon_set_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = default_template(arena, object);
    struct yl_node *strategy = yl_member_make(arena, spec, "updateStrategy");
    struct yl_at at = yl_at_root(strategy);

    yl_member_default_str(arena, strategy, "type", "RollingUpdate");
    if (yl_at_get_is(&at, "type", "RollingUpdate")) {
        struct yl_node *rolling =
            yl_member_make(arena, strategy, "rollingUpdate");

        yl_member_default_int_ptr(arena, rolling, "maxUnavailable", 1);
        yl_member_default_int_ptr(arena, rolling, "maxSurge", 0);
    } else {
        /* In upstream's internal type these are not pointers, so they always
         * have a value. */
        struct yl_node *rolling = yl_member_object(strategy, "rollingUpdate");

        yl_member_default_int_ptr(arena, rolling, "maxUnavailable", 0);
        yl_member_default_int_ptr(arena, rolling, "maxSurge", 0);
    }
    yl_member_default_int_ptr(arena, spec, "revisionHistoryLimit", 10);

    /* Upstream's internal type has a field templateGeneration, which becomes
     * an annotation in the API, even if it is 0. */
    yl_member_default_str(
        arena, yl_member_make(arena, yl_member_make(arena, object, "metadata"),
                              "annotations"), TEMPLATE_GENERATION, "0");
}

/* Sets the defaults of the template, which all kinds but ReplicationController
 * always have.  Returns the spec. */
static struct yl_node *
default_template(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *template = yl_member_make(arena, spec, "template");

    yl_pod_spec_default(arena, yl_member_make(arena, template, "spec"));
    return spec;
}
