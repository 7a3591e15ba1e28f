/* The APIServices for the group-versions that this server serves itself.  See
 * apiserver/bootstrap/bootstrap_api_services.h. */

#include "apiserver/bootstrap/bootstrap_api_services.h"

#include "apiserver/bootstrap/bootstrap_batch.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/compiler.h"

#define GROUP "apiregistration.k8s.io"
#define MANAGED "kube-aggregator.kubernetes.io/automanaged"

/* Upstream's priorities.  Versions that upstream no longer serves come
 * last. */
static const struct {
    const char *group, *version;
    int group_priority, version_priority;
} services[] = {
    { "", "v1", 18000, 1 },
    { "apps", "v1", 17800, 15 },
    { "events.k8s.io", "v1", 17750, 15 },
    { "authentication.k8s.io", "v1", 17700, 15 },
    { "authorization.k8s.io", "v1", 17600, 15 },
    { "autoscaling", "v1", 17500, 15 },
    { "autoscaling", "v2", 17500, 30 },
    { "batch", "v1", 17400, 15 },
    { "batch", "v1beta1", 17400, 9 },
    { "batch", "v2alpha1", 17400, 8 },
    { "certificates.k8s.io", "v1", 17300, 15 },
    { "networking.k8s.io", "v1", 17200, 15 },
    { "policy", "v1", 17100, 15 },
    { "rbac.authorization.k8s.io", "v1", 17000, 15 },
    { "storage.k8s.io", "v1", 16800, 15 },
    { "admissionregistration.k8s.io", "v1", 16700, 15 },
    { "apiextensions.k8s.io", "v1", 16700, 15 },
    { "apiextensions.k8s.io", "v1beta1", 16700, 9 },
    { "scheduling.k8s.io", "v1", 16600, 15 },
    { "coordination.k8s.io", "v1", 16500, 15 },
    { "node.k8s.io", "v1", 16300, 15 },
    { "discovery.k8s.io", "v1", 16200, 15 },
    { "resource.k8s.io", "v1", 16200, 21 },
    { "flowcontrol.apiserver.k8s.io", "v1", 16100, 21 },
};

static struct yl_node *make_service(struct yl_arena *, size_t i);
static enum yl_bootstrap_change reconcile(struct yl_arena *,
                                          struct yl_node *stored,
                                          const struct yl_node *wanted);

int
yl_bootstrap_api_services(struct yl_bootstrap_batch *batch,
                          struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    size_t i;
    int r = 0;

    for (i = 0; i < YL_ARRAY_SIZE(services) && r == 0; i++) {
        r = yl_bootstrap_ensure(batch, GROUP, "apiservices",
                                make_service(arena, i), NULL, reconcile, err);
    }
    return r;
}

static struct yl_node *
make_service(struct yl_arena *arena, size_t i)
{
    struct yl_node *root = yl_node_new_object(arena);
    struct yl_node *metadata = yl_node_new_object(arena);
    struct yl_node *labels = yl_node_new_object(arena);
    struct yl_node *spec = yl_node_new_object(arena);
    const char *name = yl_arena_printf(arena, "%s.%s", services[i].version,
                                       services[i].group);

    yl_node_set(arena, root, YL_STR("metadata"), metadata);
    yl_node_set(arena, metadata, YL_STR("name"),
                yl_node_new_string(arena, yl_str_c(name)));
    yl_node_set(arena, metadata, YL_STR("labels"), labels);
    yl_node_set(arena, labels, YL_STR(MANAGED),
                yl_node_new_string(arena, YL_STR("onstart")));
    yl_node_set(arena, root, YL_STR("spec"), spec);
    if (*services[i].group) {
        yl_node_set(arena, spec, YL_STR("group"),
                    yl_node_new_string(arena, yl_str_c(services[i].group)));
    }
    yl_node_set(arena, spec, YL_STR("version"),
                yl_node_new_string(arena, yl_str_c(services[i].version)));
    yl_node_set(arena, spec, YL_STR("groupPriorityMinimum"),
                yl_node_new_int64(arena, services[i].group_priority));
    yl_node_set(arena, spec, YL_STR("versionPriority"),
                yl_node_new_int64(arena, services[i].version_priority));
    return root;
}

/* Restores the spec, if the object still has the label. */
static enum yl_bootstrap_change
reconcile(struct yl_arena *arena, struct yl_node *stored,
          const struct yl_node *wanted)
{
    const struct yl_node *metadata = yl_node_get(stored, YL_STR("metadata"));
    const struct yl_node *labels = yl_node_get(metadata, YL_STR("labels"));
    const struct yl_node *spec = yl_node_get(wanted, YL_STR("spec"));

    if (!yl_node_string_is(yl_node_get(labels, YL_STR(MANAGED)),
                           YL_STR("onstart"))
        || yl_node_equal(yl_node_get(stored, YL_STR("spec")), spec)) {
        return YL_BOOTSTRAP_KEEP;
    }
    yl_node_set(arena, stored, YL_STR("spec"), yl_node_copy(arena, spec));
    return YL_BOOTSTRAP_UPDATE;
}
