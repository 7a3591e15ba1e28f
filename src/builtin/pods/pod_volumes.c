/* Validation of a Pod's volumes: their names, and that each has one source. */

#include "builtin/pods/pod_check.h"

void
yl_check_volumes(struct yl_pod_check *p, const struct yl_at *volumes)
{
    struct yl_check *c = p->c;
    struct yl_node *made = yl_node_new_object(c->arena);
    struct yl_str pod = YL_STR("");

    if (p->metadata) {
        pod = yl_at_get_str(c, p->metadata, "name");
    }
    YL_CHECK_FOR_EACH (c, volume, volumes) {
        struct yl_str name = yl_at_get_str(c, &volume, "name");

        if (pod.size && yl_at_get_has(&volume, "ephemeral")) {
            yl_set_add(c->arena, made, yl_str_c(yl_arena_printf(
                c->arena, "%.*s-%.*s", YL_STR_ARG(pod), YL_STR_ARG(name))));
        }
    }
    YL_CHECK_FOR_EACH (c, volume, volumes) {
        struct yl_at name = yl_at(&volume, "name");
        struct yl_at claim = yl_at(&volume, "persistentVolumeClaim");
        struct yl_at claim_name = yl_at(&claim, "claimName");
        struct yl_str s = yl_at_str(c, &name);
        size_t n = yl_check_faults(c);

        yl_check_volume_source(p, &volume);
        if (yl_check_required(c, &name)) {
            yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
        }
        if (yl_node_get(p->volumes, s)) {
            yl_field_duplicate(c->err, yl_at_path(&name), yl_bad_string(s));
        }
        if (yl_check_faults(c) == n) {
            yl_node_set(
                c->arena, p->volumes, s,
                yl_node_new_bool(c->arena,
                                 yl_at_has(&claim)
                                     || yl_at_get_has(&volume, "ephemeral")));
        }
        if (yl_at_has(&claim)
            && yl_node_get(made, yl_at_str(c, &claim_name))) {
            yl_field_invalid(c->err, yl_at_path(&claim_name),
                             yl_bad_str(c, &claim_name),
                             "must not reference a PVC that gets created for "
                             "an ephemeral volume");
        }
    }
}
