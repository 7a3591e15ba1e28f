/* DefaultIngressClass. */

#include "apiserver/admission/plugin.h"

int
yl_plugin_default_ingress_class(struct yl_admission *a,
                                struct yl_status *status YL_UNUSED)
{
    struct yl_node *annotations, *spec;
    struct yl_str name;

    if (!yl_plugin_is_for(a, "networking.k8s.io", "ingresses")) {
        return 0;
    }
    annotations = yl_member_object(yl_member_object(a->object, "metadata"),
                                   "annotations");
    spec = yl_member_make(a->arena, a->object, "spec");
    if (!yl_member_is_absent(annotations, "kubernetes.io/ingress.class")
        || !yl_member_is_absent(spec, "ingressClassName")) {
        return 0;
    }
    name = yl_plugin_default_class(
        a, "networking.k8s.io", "ingressclasses",
        "ingressclass.kubernetes.io/is-default-class", NULL);
    if (name.size) {
        yl_member_set(a->arena, spec, "ingressClassName",
                      yl_node_new_string(a->arena, name));
    }
    return 0;
}
