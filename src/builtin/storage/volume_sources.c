/* Sources of PersistentVolumes that have other rules than those of Pods.  See
 * builtin/pods/pod_check.h. */

#include "builtin/pods/pod_check.h"

static void check_iscsi_name(struct yl_check *, const struct yl_at *);

void
yl_check_persistent_iscsi(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_check *c = p->c;
    struct yl_at root = yl_at_root(source->node->parent->parent);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at portal = yl_at(source, "targetPortal");
    struct yl_at iqn = yl_at(source, "iqn");
    struct yl_at lun = yl_at(source, "lun");
    struct yl_at secret = yl_at(source, "secretRef");
    struct yl_at secret_name = yl_at(&secret, "name");
    struct yl_at initiator = yl_at(source, "initiatorName");
    struct yl_at shown = yl_at_node(source, "initiatorname", initiator.node);
    struct yl_at long_portal = yl_at_node(source, "targetportal",
                                          portal.node);

    yl_check_required(c, &portal);
    if (yl_at_has(&initiator)
        && yl_at_get_str(c, &metadata, "name").size + 1
                   + yl_at_str(c, &portal).size
               > 64) {
        yl_field_invalid(c->err, yl_at_path(&long_portal),
                         yl_bad_str(c, &portal),
                         "Total length of <volume name>:<iscsi.targetPortal> "
                         "must be under 64 characters if iscsi.initiatorName "
                         "is specified.");
    }
    if (yl_check_required(c, &iqn)) {
        check_iscsi_name(c, &iqn);
    }
    yl_check_range(c, &lun, 0, 255);
    if (yl_at_has(&secret)) {
        yl_check_required(c, &secret_name);
    } else if (yl_at_get_bool(source, "chapAuthDiscovery")
               || yl_at_get_bool(source, "chapAuthSession")) {
        yl_field_required(c->err, yl_at_path(&secret), NULL);
    }
    if (yl_at_has(&initiator)) {
        check_iscsi_name(c, &shown);
    }
}

void
yl_check_persistent_azure(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at namespace = yl_at(source, "secretNamespace");

    if (yl_at_has(&namespace)) {
        yl_check_required(p->c, &namespace);
    }
}

void
yl_check_persistent_cinder(struct yl_pod_check *p, const struct yl_at *source)
{
    struct yl_at secret = yl_at(source, "secretRef");
    struct yl_at name = yl_at(&secret, "name");
    struct yl_at namespace = yl_at(&secret, "namespace");

    if (yl_at_has(&secret)) {
        yl_check_required(p->c, &name);
        yl_check_required(p->c, &namespace);
    }
}

void
yl_check_persistent_gluster(struct yl_pod_check *p,
                            const struct yl_at *source)
{
    struct yl_at namespace = yl_at(source, "endpointsNamespace");

    if (yl_at_has(&namespace) && yl_at_is(&namespace, "")) {
        yl_field_invalid(p->c->err, yl_at_path(&namespace),
                         yl_bad_string(YL_STR("")),
                         "if the endpointnamespace is set, it must be a valid "
                         "namespace name");
    } else if (yl_at_has(&namespace)) {
        yl_check_name(p->c, &namespace, YL_NAME_DNS1123_LABEL);
    }
}

static void
check_iscsi_name(struct yl_check *c, const struct yl_at *at)
{
    if (!yl_is_iscsi_name(yl_at_str(c, at))) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_str(c, at),
                         "must be valid format");
    }
}
