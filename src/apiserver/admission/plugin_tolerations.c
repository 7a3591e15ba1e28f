/* DefaultTolerationSeconds: a Pod stays for five minutes on a Node that is not
 * ready or not reachable. */

#include "apiserver/admission/plugin.h"

#define SECONDS 300

static void tolerate(struct yl_arena *, struct yl_node *spec,
                     const char *key);

int
yl_plugin_default_tolerations(struct yl_admission *a,
                              struct yl_status *status YL_UNUSED)
{
    if (yl_plugin_is_for(a, "", "pods")) {
        struct yl_node *spec = yl_member_make(a->arena, a->object, "spec");

        tolerate(a->arena, spec, "node.kubernetes.io/not-ready");
        tolerate(a->arena, spec, "node.kubernetes.io/unreachable");
    }
    return 0;
}

/* Adds a toleration, unless there is one that covers the taint, for whatever
 * time. */
static void
tolerate(struct yl_arena *arena, struct yl_node *spec, const char *key)
{
    struct yl_node *list = yl_member_array(spec, "tolerations"), *one;

    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, spec, "tolerations", list);
    }
    YL_NODE_FOR_EACH (one, list) {
        struct yl_at at = yl_at_root(one);

        if ((yl_at_get_is(&at, "key", "") || yl_at_get_is(&at, "key", key))
            && (yl_at_get_is(&at, "effect", "")
                || yl_at_get_is(&at, "effect", "NoExecute"))) {
            return;
        }
    }
    one = yl_node_new_object(arena);
    yl_member_set_str(arena, one, "key", key);
    yl_member_set_str(arena, one, "operator", "Exists");
    yl_member_set_str(arena, one, "effect", "NoExecute");
    yl_member_set(arena, one, "tolerationSeconds",
                  yl_node_new_int64(arena, SECONDS));
    yl_node_append(list, one);
}
