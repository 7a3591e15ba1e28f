/* TaintNodesByCondition: a new Node is not ready.  PodTopologyLabels: a Pod on
 * a Node has the labels that say where the Node is. */

#include "apiserver/admission/plugin.h"

#define NOT_READY "node.kubernetes.io/not-ready"

static void copy_labels(const struct yl_admission *, struct yl_str node,
                        struct yl_node *object);

int
yl_plugin_taint_nodes(struct yl_admission *a,
                      struct yl_status *status YL_UNUSED)
{
    struct yl_node *spec, *taints, *taint;

    if (!yl_plugin_is_for(a, "", "nodes")) {
        return 0;
    }
    spec = yl_make_object(a->arena, a->object, "spec");
    taints = yl_get_array(spec, "taints");
    if (!taints) {
        taints = yl_node_new_array(a->arena);
        yl_set(a->arena, spec, "taints", taints);
    }
    YL_NODE_FOR_EACH (taint, taints) {
        struct yl_at at = yl_at_root(taint);

        if (yl_get_is(&at, "key", NOT_READY)
            && yl_get_is(&at, "effect", "NoSchedule")) {
            return 0;
        }
    }
    taint = yl_node_new_object(a->arena);
    yl_set_str(a->arena, taint, "key", NOT_READY);
    yl_set_str(a->arena, taint, "effect", "NoSchedule");
    yl_node_append(taints, taint);
    return 0;
}

int
yl_plugin_pod_topology_labels(struct yl_admission *a,
                              struct yl_status *status YL_UNUSED)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at root = yl_at_root(a->object);

    if (yl_plugin_is_for(a, "", "pods")) {
        struct yl_at spec = yl_at(&root, "spec");

        copy_labels(a, yl_get_str(&c, &spec, "nodeName"), a->object);
    } else if (a->subresource == YL_SUB_BINDING
               || yl_plugin_is_for(a, "", "bindings")) {
        struct yl_at target = yl_at(&root, "target");

        if (yl_get_is(&target, "kind", "Node")) {
            copy_labels(a, yl_get_str(&c, &target, "name"), a->object);
        }
    }
    return 0;
}

static void
copy_labels(const struct yl_admission *a, struct yl_str node_name,
            struct yl_node *object)
{
    static const char *const keys[] = { "topology.kubernetes.io/zone",
                                        "topology.kubernetes.io/region" };
    struct yl_node *node, *labels, *metadata;
    size_t i;

    if (!node_name.size) {
        return;
    }
    node = yl_plugin_read(a, "", "nodes", YL_STR(""), node_name);
    labels = yl_get_object(yl_get_object(node, "metadata"), "labels");
    for (i = 0; i < YL_ARRAY_SIZE(keys); i++) {
        if (!yl_is_absent(labels, keys[i])) {
            metadata = yl_make_object(a->arena, object, "metadata");
            yl_keep(a->arena, yl_make_object(a->arena, metadata, "labels"),
                    labels, keys[i]);
        }
    }
}
