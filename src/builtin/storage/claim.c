/* PersistentVolumeClaim: defaults, validation, updates. */

#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "builtin/storage/volume.h"
#include "gen/core_v1_go.h"

#define OLD_CLASS "volume.beta.kubernetes.io/storage-class"
#define VAC "volumeAttributesClassName"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void keep_known_source(struct yl_node *spec);
static void copy_sources(struct yl_arena *, struct yl_node *spec);
static void copy_source(struct yl_arena *, struct yl_node *spec,
                        const struct yl_node *from, const char *to);
static void check_spec_change(struct yl_check *, const struct yl_at *spec,
                              const struct yl_at *now,
                              const struct yl_at *then, bool bound);
static bool may_name_class(const struct yl_check *, const struct yl_at *now,
                           const struct yl_at *then);
static void check_size(struct yl_check *, const struct yl_at *now,
                       const struct yl_at *then);
static bool storage_of(const struct yl_check *, const struct yl_at *list,
                       struct yl_quantity *);
static void check_vac(struct yl_check *, const struct yl_at *now,
                      const struct yl_at *then);
static void check_resize(struct yl_check *, const struct yl_at *status);
static bool check_resource_key(struct yl_check *, const struct yl_at *list,
                               struct yl_str key);

void
yl_persistent_volume_claim_default(struct yl_arena *arena,
                                   struct yl_node *object)
{
    struct yl_node *status = yl_member_make(arena, object, "status");

    yl_member_default_str(arena, status, "phase", "Pending");
    yl_resource_list_default(arena, yl_member_object(status, "capacity"));
    yl_resource_list_default(arena,
                             yl_member_object(status, "allocatedResources"));
    yl_claim_spec_default(arena, yl_member_make(arena, object, "spec"));
}

void
yl_persistent_volume_claim_prepare(struct yl_arena *arena,
                                   struct yl_node *object)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *status = yl_node_new_object(arena);

    yl_member_set_str(arena, status, "phase", "Pending");
    yl_member_set(arena, object, "status", status);
    if (!yl_member_is_zero(yl_member_object(spec, "dataSourceRef"),
                           "namespace")) {
        yl_member_drop(spec, "dataSourceRef");
    }
    keep_known_source(spec);
    copy_sources(arena, spec);
}

void
yl_persistent_volume_claim_prepare_update(struct yl_arena *arena,
                                          struct yl_node *object,
                                          const struct yl_node *old)
{
    struct yl_node *spec = yl_member_object(object, "spec");
    struct yl_node *before = yl_member_object(old, "spec");

    if (!yl_member_object(before, "dataSourceRef")
        && !yl_member_is_zero(yl_member_object(spec, "dataSourceRef"),
                              "namespace")) {
        yl_member_drop(spec, "dataSourceRef");
    }
    if (!yl_member_object(before, "dataSource")
        && !yl_member_object(before, "dataSourceRef")) {
        keep_known_source(spec);
    }
    copy_sources(arena, spec);
}

void
yl_persistent_volume_claim_validate(struct yl_check *c,
                                    const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &rule);
    yl_check_claim_spec(c, &spec);
}

/* Upstream's path for 'volumeMode' leaves out "spec". */
void
yl_persistent_volume_claim_validate_update(struct yl_check *c,
                                           const struct yl_node *object,
                                           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at mode = yl_at(&spec, "volumeMode");
    struct yl_at old_mode = yl_at(&then, "volumeMode");
    struct yl_at shown = yl_at_node(&root, "volumeMode", mode.node);

    yl_check_object_meta_update(c, object, old, &rule);
    yl_persistent_volume_claim_validate(c, object);
    check_spec_change(c, &spec, &root, &before,
                      yl_at_get_is(&status, "phase", "Bound"));
    check_size(c, &root, &before);
    yl_check_immutable(c, &shown, old_mode.node);
    check_vac(c, &root, &before);
}

void
yl_persistent_volume_claim_validate_status(struct yl_check *c,
                                           const struct yl_node *object,
                                           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at capacity = yl_at(&status, "capacity");

    yl_check_object_meta_update(c, object, old, &rule);
    YL_CHECK_FOR_EACH (c, amount, &capacity) {
        yl_check_basic_resource(c, &amount);
    }
    check_resize(c, &status);
}

/* The older field allows only claims and snapshots.  If it is used without the
 * newer one, any other kind is ignored, as in old versions of Kubernetes. */
static void
keep_known_source(struct yl_node *spec)
{
    struct yl_at source = yl_at_root(yl_member_object(spec, "dataSource"));

    if (yl_member_object(spec, "dataSourceRef")
        || (yl_at_get_is(&source, "kind", "PersistentVolumeClaim")
            && yl_at_get_is(&source, "apiGroup", ""))
        || (yl_at_get_is(&source, "kind", "VolumeSnapshot")
            && yl_at_get_is(&source, "apiGroup", "snapshot.storage.k8s.io"))) {
        return;
    }
    yl_member_drop(spec, "dataSource");
}

/* If one of the two fields is missing, it becomes a copy of the other. */
static void
copy_sources(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *source = yl_member_object(spec, "dataSource");
    struct yl_node *ref = yl_member_object(spec, "dataSourceRef");

    if (source && !ref) {
        copy_source(arena, spec, source, "dataSourceRef");
    } else if (ref && !source && yl_member_is_zero(ref, "namespace")) {
        copy_source(arena, spec, ref, "dataSource");
    }
}

static void
copy_source(struct yl_arena *arena, struct yl_node *spec,
            const struct yl_node *from, const char *to)
{
    struct yl_node *copy = yl_node_new_object(arena);

    yl_member_keep(arena, copy, from, "apiGroup");
    yl_member_keep(arena, copy, from, "kind");
    yl_member_keep(arena, copy, from, "name");
    yl_member_set(arena, spec, to, copy);
}

/* The spec of a claim cannot change, except: the volume may be set once, the
 * class if there was none, and the requests of a bound claim may grow. */
static void
check_spec_change(struct yl_check *c, const struct yl_at *at,
                  const struct yl_at *root, const struct yl_at *before,
                  bool bound)
{
    struct yl_at old_spec = yl_at(before, "spec");
    struct yl_node *now = yl_node_copy(c->arena, at->node);
    struct yl_node *then = yl_node_copy(c->arena, old_spec.node);
    struct yl_node *resources = yl_member_object(now, "resources");
    struct yl_node *requests = yl_member_object(resources, "requests");
    struct yl_node *old_requests =
        yl_member_object(yl_member_object(then, "resources"), "requests");
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at old_metadata = yl_at(before, "metadata");
    struct yl_at old_annotations = yl_at(&old_metadata, "annotations");
    struct yl_at class = yl_at(&annotations, OLD_CLASS);
    struct yl_at old_class = yl_at(&old_annotations, OLD_CLASS);

    if (yl_member_is_zero(then, "volumeName")) {
        yl_member_keep(c->arena, then, now, "volumeName");
    }
    if (may_name_class(c, root, before)) {
        yl_member_keep(c->arena, now, then, "storageClassName");
    } else if (!yl_str_equal(yl_at_str(c, &class),
                             yl_at_str(c, &old_class))) {
        yl_field_invalid(c->err, yl_at_path(&class), yl_bad_str(c, &class),
                         YL_IMMUTABLE);
    }
    if (bound) {
        if (!requests && yl_node_emptied(resources, YL_STR("requests"))) {
            requests = yl_member_make(c->arena, resources, "requests");
        }
        if (requests) {
            yl_member_keep(c->arena, requests, old_requests, "storage");
        }
        yl_member_keep(c->arena, now, then, VAC);
    }
    if (!yl_node_same(now, then)) {
        yl_field_changed(c, at, then, now,
                         YL_GO(core_v1, persistent_volume_claim_spec),
                         "spec is immutable after creation except "
                         "resources.requests and volumeAttributesClassName "
                         "for bound claims");
    }
}

/* Whether the class may be set: it may move from the annotation to the field,
 * or be added later. */
static bool
may_name_class(const struct yl_check *c, const struct yl_at *root,
               const struct yl_at *before)
{
    struct yl_at spec = yl_at(root, "spec"), then = yl_at(before, "spec");
    struct yl_at metadata = yl_at(before, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at name = yl_at(&spec, "storageClassName");
    struct yl_at class = yl_at(&annotations, OLD_CLASS);

    return yl_at_has(&name) && !yl_at_get_has(&then, "storageClassName")
           && (!yl_at_has(&class)
               || yl_str_equal(yl_at_str(c, &class), yl_at_str(c, &name)));
}

static void
check_size(struct yl_check *c, const struct yl_at *now,
           const struct yl_at *then)
{
    struct yl_at spec = yl_at(now, "spec"), old_spec = yl_at(then, "spec");
    struct yl_at resources = yl_at(&spec, "resources");
    struct yl_at requests = yl_at(&resources, "requests");
    struct yl_at storage = yl_at(&requests, "storage");
    struct yl_at old_resources = yl_at(&old_spec, "resources");
    struct yl_at old_requests = yl_at(&old_resources, "requests");
    struct yl_at old_status = yl_at(then, "status");
    struct yl_at capacity = yl_at(&old_status, "capacity");
    struct yl_quantity size, old_size, has;

    if (!storage_of(c, &old_requests, &old_size)) {
        return;
    }
    if (!storage_of(c, &requests, &size)) {
        size = yl_quantity_make(0, 0, old_size.format);
    }
    if (!storage_of(c, &capacity, &has)) {
        has = yl_quantity_make(0, 0, size.format);
    }
    if (yl_quantity_compare(&size, &old_size) < 0
        && yl_quantity_compare(&size, &has) <= 0) {
        yl_field_forbidden(c->err, yl_at_path(&storage),
                           "field can not be less than status.capacity");
    }
}

static bool
storage_of(const struct yl_check *c, const struct yl_at *list,
           struct yl_quantity *ret_size)
{
    struct yl_at storage = yl_at(list, "storage");

    return yl_node_quantity(c->arena, storage.node, ret_size);
}

/* If the volume already has a VolumeAttributesClass, the field cannot be
 * removed or emptied. */
static void
check_vac(struct yl_check *c, const struct yl_at *now,
          const struct yl_at *then)
{
    struct yl_at spec = yl_at(now, "spec"), old_spec = yl_at(then, "spec");
    struct yl_at old_status = yl_at(then, "status");
    struct yl_at class = yl_at(&spec, VAC);
    struct yl_at old_class = yl_at(&old_spec, VAC);

    if (yl_node_same(class.node, old_class.node)
        || !yl_at_get_has(&old_status, "currentVolumeAttributesClassName")) {
        return;
    }
    if (!yl_at_has(&class)) {
        yl_field_forbidden(c->err, yl_at_path(&class),
                           "update to nil is forbidden when "
                           "status.currentVolumeAttributesClassName is not "
                           "nil");
    } else if (yl_at_is(&class, "")) {
        yl_field_forbidden(c->err, yl_at_path(&class),
                           "update to empty string is forbidden when "
                           "status.currentVolumeAttributesClassName is not "
                           "nil");
    }
}

static void
check_resize(struct yl_check *c, const struct yl_at *status)
{
    static const char *const supported[] = {
        "ControllerResizeInProgress", "ControllerResizeInfeasible",
        "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending",
        NULL
    };
    struct yl_at statuses = yl_at(status, "allocatedResourceStatuses");
    struct yl_at resources = yl_at(status, "allocatedResources");

    YL_CHECK_FOR_EACH (c, one, &statuses) {
        size_t i;

        check_resource_key(c, &statuses, yl_at_key(&one));
        for (i = 0; supported[i] && !yl_at_is(&one, supported[i]); i++) {
            continue;
        }
        if (!supported[i]) {
            yl_field_not_supported(c->err, yl_at_path(&statuses),
                                   yl_bad_string(yl_at_key(&one)),
                                   supported);
        }
    }
    YL_CHECK_FOR_EACH (c, amount, &resources) {
        if (check_resource_key(c, &resources, yl_at_key(&amount))) {
            yl_check_basic_resource(c, &amount);
        }
    }
}

/* Of Kubernetes' own resources only storage is allowed. */
static bool
check_resource_key(struct yl_check *c, const struct yl_at *list,
                   struct yl_str key)
{
    static const char *const supported[] = { "storage", NULL };

    if (!yl_check_name_of(c, yl_at_path(list), YL_NAME_QUALIFIED, key)) {
        return false;
    }
    if ((!yl_str_find_char(key, '/')
         || yl_str_starts_with(key, YL_STR("kubernetes.io/")))
        && !yl_str_equal_c(key, "storage")) {
        yl_field_not_supported(c->err, yl_at_path(list), yl_bad_string(key),
                               supported);
        return false;
    }
    return true;
}
