/* The table of kinds.  See builtin/builtin.h for the contract. */

#include "builtin/builtin.h"

#include "builtin/fields.h"
#include "builtin/meta.h"

#define ROW(GROUP, KIND, NAMESPACED, NAME, PREPARE)                           \
    { GROUP, "v1", KIND, NAMESPACED, yl_##NAME##_default, PREPARE,            \
      yl_##NAME##_validate }

static const struct yl_builtin kinds[] = {
    ROW("", "Pod", true, pod, yl_pod_prepare),
    ROW("", "ReplicationController", true, replication_controller,
        yl_pod_template_prepare),
    ROW("apps", "ReplicaSet", true, replica_set, yl_pod_template_prepare),
    ROW("apps", "Deployment", true, deployment, yl_pod_template_prepare),
    ROW("apps", "StatefulSet", true, stateful_set, yl_stateful_set_prepare),
    ROW("apps", "DaemonSet", true, daemon_set, yl_daemon_set_prepare),
    ROW("batch", "Job", true, job, yl_job_prepare),
    ROW("batch", "CronJob", true, cron_job, yl_cron_job_prepare),
    ROW("", "Service", true, service, yl_service_prepare),
    ROW("", "Secret", true, secret, NULL),
    ROW("", "Namespace", false, namespace, yl_namespace_prepare),
    ROW("", "Node", false, core_node, yl_core_node_prepare),
    ROW("apiextensions.k8s.io", "CustomResourceDefinition", false, crd,
        yl_crd_prepare),
    { "", "v1", "ConfigMap", true, NULL, NULL, yl_config_map_validate },
    { "", "v1", "ServiceAccount", true, NULL, yl_service_account_prepare,
      yl_service_account_validate },
    { "", "v1", "Event", true, NULL, NULL, yl_core_event_validate },
    { "events.k8s.io", "v1", "Event", true, NULL, NULL, yl_event_validate },
    { "coordination.k8s.io", "v1", "Lease", true, NULL, yl_lease_prepare,
      yl_lease_validate },
};

const struct yl_builtin *
yl_builtin_find(struct yl_str group, struct yl_str version,
                struct yl_str kind)
{
    size_t i;

    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (yl_str_equal_c(kind, kinds[i].kind)
            && yl_str_equal_c(group, kinds[i].group)
            && yl_str_equal_c(version, kinds[i].version)) {
            return &kinds[i];
        }
    }
    return NULL;
}

const struct yl_builtin *
yl_builtin_all(size_t *ret_n)
{
    *ret_n = sizeof kinds / sizeof kinds[0];
    return kinds;
}

void
yl_builtin_default(const struct yl_builtin *kind, struct yl_arena *arena,
                   struct yl_node *object)
{
    if (kind->default_) {
        kind->default_(arena, object);
    }
}

void
yl_builtin_prepare(const struct yl_builtin *kind, struct yl_arena *arena,
                   struct yl_node *object)
{
    if (kind->prepare) {
        kind->prepare(arena, object);
    }
}

int
yl_builtin_validate(const struct yl_builtin *kind, struct yl_arena *arena,
                    const struct yl_node *object, struct yl_error *err)
{
    struct yl_error own = { 0 };
    struct yl_check c = { arena, err ? err : &own };
    size_t n = c.err->n_causes;
    int r;

    if (kind->validate) {
        kind->validate(&c, object);
    }
    if (c.err->n_causes == n) {
        struct yl_meta_rule rule = { YL_NAME_PATH_SEGMENT, kind->namespaced,
                                     true };
        struct yl_at root = yl_at_root(object);
        struct yl_at metadata = yl_at(&root, "metadata");

        /* What no kind may do without. */
        yl_check_meta(&c, &metadata, &rule);
    }
    r = c.err->n_causes > n ? YL_EINVALID : 0;
    if (!err) {
        yl_error_clear(&own);
    }
    return r;
}
