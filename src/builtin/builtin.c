/* The table of kinds.  See builtin/builtin.h for the contract. */

#include "builtin/builtin.h"

#include "builtin/fields.h"

#define ROW(GROUP, KIND, NAMESPACED, NAME)                                    \
    { GROUP, "v1", KIND, NAMESPACED, yl_##NAME##_default, NULL,               \
      yl_##NAME##_validate }

static const struct yl_builtin kinds[] = {
    ROW("", "Pod", true, pod),
    ROW("", "ReplicationController", true, replication_controller),
    ROW("apps", "ReplicaSet", true, replica_set),
    ROW("apps", "Deployment", true, deployment),
    ROW("apps", "StatefulSet", true, stateful_set),
    ROW("apps", "DaemonSet", true, daemon_set),
    { "batch", "v1", "Job", true, yl_job_default, yl_job_prepare,
      yl_job_validate },
    ROW("batch", "CronJob", true, cron_job),
    { "", "v1", "Service", true, yl_service_default, NULL, NULL },
    ROW("", "Secret", true, secret),
    { "", "v1", "Namespace", false, yl_namespace_default,
      yl_namespace_prepare, yl_namespace_validate },
    ROW("", "Node", false, core_node),
    { "", "v1", "ConfigMap", true, NULL, NULL, yl_config_map_validate },
    { "", "v1", "ServiceAccount", true, NULL, NULL,
      yl_service_account_validate },
    { "", "v1", "Event", true, NULL, NULL, yl_core_event_validate },
    { "events.k8s.io", "v1", "Event", true, NULL, NULL, yl_event_validate },
    { "coordination.k8s.io", "v1", "Lease", true, NULL, NULL,
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
    r = c.err->n_causes > n ? YL_EINVALID : 0;
    if (!err) {
        yl_error_clear(&own);
    }
    return r;
}
