/* Tests of graphs and rights. */

#include "unit.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/coordination_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"
#include "yuloh/controller.h"
#include "yuloh/manager.h"

static int
nothing(struct yl_request *req YL_UNUSED)
{
    return 0;
}

static const struct yl_controller demo = {
    .name = "demo",
    .reconcile = nothing,
    .cleanup = nothing,
    .watches = YL_WATCHES({ .for_ = &apps_v1_deployment_kind,
                            .changed = YL_GENERATION | YL_LABELS },
                          { .owns = &core_v1_pod_kind,
                            .metadata_only = true }),
};

static const struct yl_controller other = {
    .name = "other",
    .reconcile = nothing,
    .watches = YL_WATCHES({ .for_ = &coordination_v1_lease_kind,
                            .namespace_ = "kube-system" }),
};

TEST(the_graph_shows_who_watches_what)
{
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(
        yl_controllers_graph(YL_CONTROLLERS(&demo, &other), arena).data,
        "digraph controllers {\n"
        "    rankdir=LR;\n"
        "    \"demo\" [shape=box];\n"
        "    \"Deployment.apps\" -> \"demo\" [label=\"for, generation, "
        "labels\"];\n"
        "    \"demo\" -> \"Pod\" [label=\"owns, metadata only\"];\n"
        "    \"other\" [shape=box];\n"
        "    \"Lease.coordination.k8s.io\" -> \"other\" [label=\"for, in "
        "kube-system\"];\n"
        "}\n");
    yl_arena_free(arena);
}

TEST(rights_are_those_that_the_library_needs)
{
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(
        yl_controllers_rbac(YL_CONTROLLERS(&demo), "me", true, arena).data,
        "apiVersion: rbac.authorization.k8s.io/v1\n"
        "kind: ClusterRole\n"
        "metadata:\n"
        "  name: me\n"
        "rules:\n"
        "- apiGroups: [\"apps\"]\n"
        "  resources: [deployments]\n"
        "  verbs: [get, list, patch, watch]\n"
        "- apiGroups: [\"apps\"]\n"
        "  resources: [deployments/status]\n"
        "  verbs: [patch]\n"
        "- apiGroups: [\"apps\"]\n"
        "  resources: [deployments/finalizers]\n"
        "  verbs: [update]\n"
        "- apiGroups: [\"\"]\n"
        "  resources: [pods]\n"
        "  verbs: [create, delete, get, list, patch, update, watch]\n"
        "- apiGroups: [\"\"]\n"
        "  resources: [events]\n"
        "  verbs: [create, patch]\n"
        "- apiGroups: [\"coordination.k8s.io\"]\n"
        "  resources: [leases]\n"
        "  verbs: [create, get, update]\n");
    yl_arena_free(arena);
}
