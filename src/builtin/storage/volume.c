/* PersistentVolume: defaults, validation, updates. */
#include "builtin/storage/volume.h"

#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"
#include "yuloh/time.h"

#define INLINE "in the context of inline volumes"
#define NOT_INLINE "may not be specified " INLINE

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static void default_spec(struct yl_arena *, struct yl_node *spec);
static void set_transition_time(struct yl_arena *, struct yl_node *status);
static void check_inline(struct yl_check *, const struct yl_at *spec);
static void check_capacity(struct yl_check *, const struct yl_at *capacity);
static void check_access_modes(struct yl_check *, const struct yl_at *modes);
static void check_affinity(struct yl_check *, const struct yl_at *affinity);
static void check_sources(struct yl_check *, const struct yl_at *spec);
static void check_classes(struct yl_check *, const struct yl_at *spec,
                          bool is_inline);
static bool is_root(struct yl_str path);
static struct yl_node *source_of(struct yl_arena *, const struct yl_node *,
                                 bool without_expand_secret);
static const struct yl_node *with_new_labels(struct yl_check *,
                                             const struct yl_at *old,
                                             const struct yl_at *now);
static void rename_keys(struct yl_check *, struct yl_node *old,
                        const struct yl_node *now, const char *list);

void
yl_persistent_volume_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *path = yl_member_object(spec, "hostPath");

    yl_member_default_str(arena, yl_member_make(arena, object, "status"),
                          "phase", "Pending");
    default_spec(arena, spec);
    yl_member_default_str(arena, spec, "persistentVolumeReclaimPolicy",
                          "Retain");
    yl_member_default_str_ptr(arena, spec, "volumeMode", "Filesystem");
    if (path) {
        yl_member_default_str_ptr(arena, path, "type", "");
    }
}

/* Defaults of the volume source. */
static void
default_spec(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *disk = yl_member_object(spec, "azureDisk");
    struct yl_node *iscsi = yl_member_object(spec, "iscsi");
    struct yl_node *rbd = yl_member_object(spec, "rbd");
    struct yl_node *scale = yl_member_object(spec, "scaleIO");

    yl_resource_list_default(arena, yl_member_object(spec, "capacity"));
    if (disk) {
        yl_member_default_str_ptr(arena, disk, "cachingMode", "ReadWrite");
        yl_member_default_str_ptr(arena, disk, "fsType", "ext4");
        yl_member_default_bool_ptr(arena, disk, "readOnly", false);
        yl_member_default_str_ptr(arena, disk, "kind", "Shared");
    }
    if (iscsi) {
        yl_member_default_str(arena, iscsi, "iscsiInterface", "default");
    }
    if (rbd) {
        yl_member_default_str(arena, rbd, "pool", "rbd");
        yl_member_default_str(arena, rbd, "user", "admin");
        yl_member_default_str(arena, rbd, "keyring", "/etc/ceph/keyring");
    }
    if (scale) {
        yl_member_default_str(arena, scale, "storageMode", "ThinProvisioned");
        yl_member_default_str(arena, scale, "fsType", "xfs");
    }
}

void
yl_persistent_volume_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_node_new_object(arena);

    yl_member_set_str(arena, status, "phase", "Pending");
    set_transition_time(arena, status);
    yl_member_set(arena, object, "status", status);
}

/* When the phase changes, its time is set to now, unless the client sends
 * one. */
void
yl_persistent_volume_prepare_status(struct yl_arena *arena,
                                    struct yl_node *object,
                                    const struct yl_node *old)
{
    static const char time[] = "lastPhaseTransitionTime";
    struct yl_node *status = yl_member_make(arena, object, "status");
    struct yl_node *before = yl_member_object(old, "status");
    struct yl_at now = yl_at_root(status), then = yl_at_root(before);
    struct yl_at phase = yl_at(&now, "phase");
    struct yl_at old_phase = yl_at(&then, "phase");
    struct yl_at at = yl_at(&now, time), old_at = yl_at(&then, time);

    if (yl_node_same(phase.node, old_phase.node)) {
        if (!yl_at_has(&at)) {
            yl_member_keep(arena, status, before, time);
        }
    } else if (!yl_at_has(&at) || yl_node_same(at.node, old_at.node)) {
        set_transition_time(arena, status);
    }
}

void
yl_persistent_volume_validate(struct yl_check *c,
                              const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &rule);
    yl_check_volume_spec(c, &spec, false);
}

void
yl_check_volume_spec(struct yl_check *c, const struct yl_at *spec,
                     bool is_inline)
{
    static const char *const policies[] = { "Delete", "Recycle", "Retain",
                                            NULL };
    struct yl_at modes = yl_at(spec, "accessModes");
    struct yl_at capacity = yl_at(spec, "capacity");
    struct yl_at policy = yl_at(spec, "persistentVolumeReclaimPolicy");
    struct yl_at affinity = yl_at(spec, "nodeAffinity");
    struct yl_at path = yl_at(spec, "hostPath");

    if (is_inline) {
        check_inline(c, spec);
    }
    yl_check_required(c, &modes);
    check_access_modes(c, &modes);
    if (!is_inline) {
        check_capacity(c, &capacity);
        if (!yl_at_is(&policy, "")) {
            yl_check_one_of(c, &policy, policies);
        }
    } else if (!yl_at_is(&policy, "") && !yl_at_is(&policy, "Retain")) {
        yl_field_forbidden(c->err, yl_at_path(&policy),
                           "may only be Retain " INLINE);
    }
    if (yl_at_has(&affinity)) {
        if (is_inline) {
            yl_field_forbidden(c->err, yl_at_path(&affinity), NOT_INLINE);
        } else {
            check_affinity(c, &affinity);
        }
    }
    check_sources(c, spec);
    if (yl_at_is(&policy, "Recycle")
        && is_root(yl_at_get_str(c, &path, "path"))) {
        yl_field_forbidden(c->err, yl_at_path(&policy),
                           "may not be 'recycle' for a hostPath mount of "
                           "'/'");
    }
    check_classes(c, spec, is_inline);
}

/* Like upstream, this validates twice, and the paths of the last two fields
 * leave out "spec". */
void
yl_persistent_volume_validate_update(struct yl_check *c,
                                     const struct yl_node *object,
                                     const struct yl_node *old)
{
    static const char vac[] = "volumeAttributesClassName";
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at csi = yl_at(&then, "csi");
    bool may_set =
        yl_at_has(&csi) && !yl_at_get_has(&csi, "controllerExpandSecretRef");
    struct yl_at source = yl_at_node(&spec, "persistentvolumesource", NULL);
    struct yl_at mode = yl_at(&spec, "volumeMode");
    struct yl_at old_mode = yl_at(&then, "volumeMode");
    struct yl_at shown = yl_at_node(&root, "volumeMode", mode.node);
    struct yl_at affinity = yl_at(&spec, "nodeAffinity");
    struct yl_at old_affinity = yl_at(&then, "nodeAffinity");
    struct yl_at class = yl_at(&spec, vac);
    struct yl_node *now, *was;

    yl_persistent_volume_validate(c, object);
    yl_persistent_volume_validate(c, object);
    now = source_of(c->arena, spec.node, may_set);
    was = source_of(c->arena, then.node, false);
    if (!yl_node_same(now, was)) {
        yl_field_changed(c, &source, was, now,
                         YL_GO_EMBEDDED(core_v1, persistent_volume_spec),
                         "spec.persistentvolumesource is immutable after "
                         "creation");
    }
    yl_check_immutable(c, &shown, old_mode.node);
    if (yl_at_has(&old_affinity)
        && !yl_node_same(affinity.node,
                         with_new_labels(c, &old_affinity, &affinity))) {
        struct yl_at at = yl_at_node(&root, "nodeAffinity", affinity.node);

        yl_field_invalid(c->err, yl_at_path(&at),
                         yl_at_has(&at)
                             ? yl_bad_struct(c, at.node,
                                             YL_GO(core_v1,
                                                   volume_node_affinity))
                             : yl_bad_node(NULL),
                         YL_IMMUTABLE ", except for updating from beta label "
                         "to GA");
    }
    if (yl_at_get_has(&then, vac) && !yl_at_has(&class)) {
        yl_field_forbidden(c->err, yl_at_path(&class),
                           "update from non-nil value to nil is forbidden");
    }
}

void
yl_persistent_volume_validate_status(struct yl_check *c,
                                     const struct yl_node *object,
                                     const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &rule);
}

static void
check_access_modes(struct yl_check *c, const struct yl_at *modes)
{
    static const char *const supported[] = {
        "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod",
        NULL
    };
    bool alone = false, others = false;

    YL_CHECK_FOR_EACH (c, mode, modes) {
        size_t i;

        for (i = 0; supported[i] && !yl_at_is(&mode, supported[i]); i++) {
            continue;
        }
        if (!supported[i]) {
            yl_field_not_supported(c->err, yl_at_path(modes),
                                   yl_bad_str(c, &mode), supported);
        }
        alone |= yl_at_is(&mode, "ReadWriteOncePod");
        others |= supported[i] && !yl_at_is(&mode, "ReadWriteOncePod");
    }
    if (alone && others) {
        yl_field_forbidden(c->err, yl_at_path(modes),
                           "may not use ReadWriteOncePod with other access "
                           "modes");
    }
}

bool
yl_check_basic_resource(struct yl_check *c, const struct yl_at *at)
{
    struct yl_quantity q;

    if (!yl_node_quantity(c->arena, at->node, &q)
        || yl_quantity_value(&q) >= 0) {
        return true;
    }
    yl_field_invalid(c->err, yl_at_path(at),
                     yl_bad_int(yl_quantity_value(&q)),
                     "must be a valid resource quantity");
    return false;
}

static void
set_transition_time(struct yl_arena *arena, struct yl_node *status)
{
    char now[YL_TIME_TEXT_SIZE];

    yl_time_write(yl_time_now(), now);
    yl_member_set_str(arena, status, "lastPhaseTransitionTime", now);
}

/* Fields that a volume inside of another object must not have. */
static void
check_inline(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at claim = yl_at(spec, "claimRef");
    struct yl_at capacity = yl_at(spec, "capacity");
    struct yl_at csi = yl_at(spec, "csi");

    if (yl_at_has(&claim)) {
        yl_field_forbidden(c->err, yl_at_path(&claim), NOT_INLINE);
    }
    if (yl_at_count(&capacity)) {
        yl_field_forbidden(c->err, yl_at_path(&capacity), NOT_INLINE);
    }
    if (!yl_at_has(&csi)) {
        yl_field_required(c->err, yl_at_path(&csi),
                          "has to be specified " INLINE);
    }
}

static void
check_capacity(struct yl_check *c, const struct yl_at *capacity)
{
    static const char *const supported[] = { "storage", NULL };
    char room[YL_QUANTITY_TEXT_SIZE];
    struct yl_quantity q;

    if (!yl_at_count(capacity)) {
        yl_field_required(c->err, yl_at_path(capacity), NULL);
    }
    if (yl_at_count(capacity) != 1 || !yl_at_get_has(capacity, "storage")) {
        yl_field_not_supported(c->err, yl_at_path(capacity),
                               yl_bad_at(capacity), supported);
    }
    YL_CHECK_FOR_EACH (c, amount, capacity) {
        yl_check_basic_resource(c, &amount);
        if (yl_node_quantity(c->arena, amount.node, &q)
            && yl_quantity_sign(&q) <= 0) {
            yl_field_invalid(c->err, yl_at_path(&amount),
                             yl_bad_string(yl_quantity_text(&q, room)),
                             "must be greater than zero");
        }
    }
}

static void
check_affinity(struct yl_check *c, const struct yl_at *affinity)
{
    struct yl_at required = yl_at(affinity, "required");

    if (yl_at_has(&required)) {
        yl_check_node_selector(c, &required);
    } else {
        yl_field_required(c->err, yl_at_path(&required),
                          "must specify required node constraints");
    }
}

static void
check_sources(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_pod_check p = { .c = c, .spec = spec };

    yl_check_persistent_source(&p, spec);
}

static void
check_classes(struct yl_check *c, const struct yl_at *spec, bool is_inline)
{
    static const char *const modes[] = { "Block", "Filesystem", NULL };
    struct yl_at class = yl_at(spec, "storageClassName");
    struct yl_at mode = yl_at(spec, "volumeMode");
    struct yl_at attributes = yl_at(spec, "volumeAttributesClassName");
    struct yl_at csi = yl_at(spec, "csi");

    if (!yl_at_is(&class, "")) {
        if (is_inline) {
            yl_field_forbidden(c->err, yl_at_path(&class), NOT_INLINE);
        } else {
            yl_check_name(c, &class, YL_NAME_DNS1123_SUBDOMAIN);
        }
    }
    if (yl_at_has(&mode) && !is_inline) {
        yl_check_one_of(c, &mode, modes);
    } else if (yl_at_has(&mode) && !yl_at_is(&mode, "Filesystem")) {
        yl_field_forbidden(c->err, yl_at_path(&mode),
                           "may not specify volumeMode other than Filesystem "
                           INLINE);
    }
    if (!yl_at_has(&attributes) || is_inline) {
        return;
    }
    if (yl_at_is(&attributes, "")) {
        yl_field_required(c->err, yl_at_path(&attributes),
                          "an empty string is disallowed");
    } else {
        yl_check_name(c, &attributes, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (!yl_at_has(&csi)) {
        yl_field_required(c->err, yl_at_path(&csi),
                          "has to be specified when using "
                          "volumeAttributesClassName");
    }
}

/* Whether the path is "/", in any spelling. */
static bool
is_root(struct yl_str path)
{
    size_t i;

    for (i = 0; i < path.size; i++) {
        if (path.data[i] != '/'
            && (path.data[i] != '.'
                || (i + 1 < path.size && path.data[i + 1] != '/'))) {
            return false;
        }
    }
    return path.size && path.data[0] == '/';
}

/* A copy of the volume source: the spec without the fields about its use. */
static struct yl_node *
source_of(struct yl_arena *arena, const struct yl_node *spec,
          bool without_expand_secret)
{
    static const char *const others[] = {
        "capacity", "accessModes", "claimRef",
        "persistentVolumeReclaimPolicy", "storageClassName", "mountOptions",
        "volumeMode", "nodeAffinity", "volumeAttributesClassName",
    };
    struct yl_node *copy = spec ? yl_node_copy(arena, spec)
                                : yl_node_new_object(arena);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(others); i++) {
        yl_member_drop(copy, others[i]);
    }
    if (without_expand_secret) {
        yl_member_drop(yl_member_object(copy, "csi"),
                       "controllerExpandSecretRef");
    }
    return copy;
}

/* The old affinity, in which deprecated label names are replaced by the new
 * names if the new affinity uses those. */
static const struct yl_node *
with_new_labels(struct yl_check *c, const struct yl_at *old,
                const struct yl_at *now)
{
    struct yl_node *copy = yl_node_copy(c->arena, old->node);
    struct yl_node *then = yl_member_first(yl_member_object(copy, "required"),
                                           "nodeSelectorTerms");
    struct yl_node *term = yl_member_first(
        yl_member_object(now->node, "required"), "nodeSelectorTerms");

    for (; then && term; then = then->next, term = term->next) {
        rename_keys(c, then, term, "matchExpressions");
        rename_keys(c, then, term, "matchFields");
    }
    return copy;
}

/* As in upstream, a label without a new name may become "". */
static void
rename_keys(struct yl_check *c, struct yl_node *old,
            const struct yl_node *now, const char *list)
{
    static const char *const names[][2] = {
        { "failure-domain.beta.kubernetes.io/zone",
          "topology.kubernetes.io/zone" },
        { "failure-domain.beta.kubernetes.io/region",
          "topology.kubernetes.io/region" },
        { "beta.kubernetes.io/os", "kubernetes.io/os" },
        { "beta.kubernetes.io/arch", "kubernetes.io/arch" },
        { "beta.kubernetes.io/instance-type",
          "node.kubernetes.io/instance-type" },
    };
    struct yl_node *then = yl_member_first(old, list);
    struct yl_node *one = yl_member_first(now, list);
    size_t i;

    for (; then && one; then = then->next, one = one->next) {
        struct yl_at before = yl_at_root(then), after = yl_at_root(one);
        const char *name = "";

        for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
            if (yl_at_get_is(&before, "key", names[i][0])) {
                name = names[i][1];
            }
        }
        if (yl_at_get_is(&after, "key", name)) {
            yl_member_set_str(c->arena, then, "key", name);
        }
    }
}
