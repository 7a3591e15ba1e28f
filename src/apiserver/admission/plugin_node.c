/* TaintNodesByCondition: a new Node gets the taint "not ready".
 * PodTopologyLabels: a Pod on a Node gets the Node's topology labels.
 * NodeDeclaredFeatureValidator: a Pod is resized only if its Node supports
 * that. */

#include "apiserver/admission/plugin.h"
#include "builtin/common/meta.h"

#define NOT_READY "node.kubernetes.io/not-ready"

static bool resizes_once(const struct yl_at *spec, const struct yl_at *then);
static bool declares(const struct yl_node *node, const char *feature);
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
    spec = yl_member_make(a->arena, a->object, "spec");
    taints = yl_member_array(spec, "taints");
    if (!taints) {
        taints = yl_node_new_array(a->arena);
        yl_member_set(a->arena, spec, "taints", taints);
    }
    YL_NODE_FOR_EACH (taint, taints) {
        struct yl_at at = yl_at_root(taint);

        if (yl_at_get_is(&at, "key", NOT_READY)
            && yl_at_get_is(&at, "effect", "NoSchedule")) {
            return 0;
        }
    }
    taint = yl_node_new_object(a->arena);
    yl_member_set_str(a->arena, taint, "key", NOT_READY);
    yl_member_set_str(a->arena, taint, "effect", "NoSchedule");
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

        copy_labels(a, yl_at_get_str(&c, &spec, "nodeName"), a->object);
    } else if (a->subresource == YL_SUB_BINDING
               || yl_plugin_is_for(a, "", "bindings")) {
        struct yl_at target = yl_at(&root, "target");

        if (yl_at_get_is(&target, "kind", "Node")) {
            copy_labels(a, yl_at_get_str(&c, &target, "name"), a->object);
        }
    }
    return 0;
}

int
yl_plugin_node_features(const struct yl_admission *a,
                        struct yl_status *status)
{
    static const char *const features[] = {
        "InPlacePodLevelResourcesVerticalScaling",
        "InPlacePodVerticalScalingInitContainers",
    };
    struct yl_check c = { a->arena, NULL };
    struct yl_at root = yl_at_root(a->object), before = yl_at_root(a->old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_str name = yl_at_get_str(&c, &spec, "nodeName");
    bool needs[2], lacks[2];
    const struct yl_node *node;

    if (a->subresource != YL_SUB_RESIZE || !name.size) {
        return 0;
    }
    needs[0] = !yl_node_same(yl_member_object(spec.node, "resources"),
                             yl_member_object(then.node, "resources"));
    needs[1] = resizes_once(&spec, &then);
    if (!needs[0] && !needs[1]) {
        return 0;
    }
    node = yl_plugin_read(a, "", "nodes", YL_STR(""), name);
    if (!node) {
        return yl_plugin_forbid(a, status, "node \"%.*s\" not found",
                                YL_STR_ARG(name));
    }
    lacks[0] = needs[0] && !declares(node, features[0]);
    lacks[1] = needs[1] && !declares(node, features[1]);
    return lacks[0] || lacks[1]
           ? yl_plugin_forbid(a, status,
                              "pod update requires features %s%s%s which are "
                              "not available on node \"%.*s\"",
                              lacks[0] ? features[0] : "",
                              lacks[0] && lacks[1] ? ", " : "",
                              lacks[1] ? features[1] : "", YL_STR_ARG(name))
           : 0;
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
    labels = yl_member_object(yl_member_object(node, "metadata"), "labels");
    for (i = 0; i < YL_ARRAY_SIZE(keys); i++) {
        if (!yl_member_is_absent(labels, keys[i])) {
            metadata = yl_member_make(a->arena, object, "metadata");
            yl_member_keep(a->arena,
                           yl_member_make(a->arena, metadata, "labels"),
                           labels, keys[i]);
        }
    }
}

/* Are the resources of a container that runs once other ones than before? */
static bool
resizes_once(const struct yl_at *spec, const struct yl_at *then)
{
    const struct yl_node *now = yl_member_first(spec->node, "initContainers");
    const struct yl_node *was = yl_member_first(then->node, "initContainers");

    for (; now && was; now = now->next, was = was->next) {
        struct yl_at container = yl_at_root(was);

        if (!yl_at_get_is(&container, "restartPolicy", "Always")
            && !yl_node_same(yl_member_object(now, "resources"),
                             yl_member_object(was, "resources"))) {
            return true;
        }
    }
    return false;
}

static bool
declares(const struct yl_node *node, const char *feature)
{
    struct yl_node *name;

    YL_MEMBER_EACH (name, yl_member_object(node, "status"),
                    "declaredFeatures") {
        if (yl_node_string_is(name, yl_str_c(feature))) {
            return true;
        }
    }
    return false;
}
