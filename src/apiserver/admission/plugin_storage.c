/* DefaultStorageClass, StorageObjectInUseProtection and
 * PersistentVolumeClaimResize. */

#include "apiserver/admission/plugin.h"

#define OLD_CLASS "volume.beta.kubernetes.io/storage-class"

static struct yl_str class_of(const struct yl_admission *,
                              const struct yl_node *claim);
static bool size_of(const struct yl_admission *, const struct yl_node *claim,
                    struct yl_quantity *);
static bool may_grow(const struct yl_admission *);

/* A claim that names no class at all (an empty name is one) gets the
 * default. */
int
yl_plugin_default_storage_class(struct yl_admission *a,
                                struct yl_status *status YL_UNUSED)
{
    struct yl_node *annotations, *spec;
    struct yl_str name;

    if (!yl_plugin_is_for(a, "", "persistentvolumeclaims")) {
        return 0;
    }
    annotations = yl_member_object(yl_member_object(a->object, "metadata"),
                                   "annotations");
    spec = yl_member_make(a->arena, a->object, "spec");
    if (!yl_member_is_absent(annotations, OLD_CLASS)
        || !yl_member_is_absent(spec, "storageClassName")) {
        return 0;
    }
    name = yl_plugin_default_class(
        a, "storage.k8s.io", "storageclasses",
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class");
    if (name.size) {
        yl_member_set(a->arena, spec, "storageClassName",
                      yl_node_new_string(a->arena, name));
    }
    return 0;
}

/* Adds a finalizer, which a controller removes when the object is no longer in
 * use. */
int
yl_plugin_in_use_protection(struct yl_admission *a,
                            struct yl_status *status YL_UNUSED)
{
    if (yl_plugin_is_for(a, "", "persistentvolumes")) {
        yl_plugin_add_finalizer(a->arena, a->object,
                                "kubernetes.io/pv-protection");
    } else if (yl_plugin_is_for(a, "", "persistentvolumeclaims")) {
        yl_plugin_add_finalizer(a->arena, a->object,
                                "kubernetes.io/pvc-protection");
    } else if (yl_plugin_is_for(a, "storage.k8s.io",
                                "volumeattributesclasses")) {
        yl_plugin_add_finalizer(a->arena, a->object,
                                "kubernetes.io/vac-protection");
    }
    return 0;
}

int
yl_plugin_claim_resize(const struct yl_admission *a, struct yl_status *status)
{
    struct yl_quantity now, before;
    struct yl_at old_status;

    if (!yl_plugin_is_for(a, "", "persistentvolumeclaims")
        || !size_of(a, a->object, &now)
        || (size_of(a, a->old, &before)
            && yl_quantity_compare(&now, &before) <= 0)) {
        return 0;
    }
    old_status = yl_at_root(yl_member_object(a->old, "status"));
    if (!yl_at_get_is(&old_status, "phase", "Bound")) {
        return yl_plugin_forbid(a, status, "Only bound persistent volume "
                                           "claims can be expanded");
    }
    if (!may_grow(a)) {
        return yl_plugin_forbid(a, status,
                                "only dynamically provisioned pvc can be "
                                "resized and the storageclass that provisions "
                                "the pvc must support resize");
    }
    return 0;
}

static bool
size_of(const struct yl_admission *a, const struct yl_node *claim,
        struct yl_quantity *ret_size)
{
    struct yl_node *spec = yl_member_object(claim, "spec");
    struct yl_node *requests =
        yl_member_object(yl_member_object(spec, "resources"), "requests");

    return requests
           && yl_node_quantity(a->arena,
                               yl_node_get(requests, YL_STR("storage")),
                               ret_size);
}

static bool
may_grow(const struct yl_admission *a)
{
    struct yl_str now = class_of(a, a->object), before = class_of(a, a->old);
    struct yl_at class;

    if (!now.size || !yl_str_equal(now, before)) {
        return false;
    }
    class = yl_at_root(yl_plugin_read(a, "storage.k8s.io", "storageclasses",
                                      YL_STR(""), now));
    return yl_at_get_bool(&class, "allowVolumeExpansion");
}

/* The class of a claim; the annotation comes first. */
static struct yl_str
class_of(const struct yl_admission *a, const struct yl_node *claim)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at root = yl_at_root(claim);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");

    return yl_at_get_has(&annotations, OLD_CLASS)
               ? yl_at_get_str(&c, &annotations, OLD_CLASS)
               : yl_at_get_str(&c, &spec, "storageClassName");
}
