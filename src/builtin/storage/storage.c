/* StorageClass, VolumeAttributesClass, CSIDriver, CSINode and
 * CSIStorageCapacity: defaults and validation.  VolumeAttachments are in
 * storage_attachment.c. */

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "gen/storage_v1_go.h"

#define MAX_PARAMETERS 512
#define MAX_PARAMETER_BYTES (256 * 1024)
#define MAX_NODE_ID 256
#define MIN_TOKEN_SECONDS 600
#define MIN_UPDATE_SECONDS 10

static const struct yl_meta_rule cluster =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };
static const struct yl_meta_rule namespaced =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void check_provisioner(struct yl_check *, const struct yl_at *);
static void check_parameters(struct yl_check *, const struct yl_at *,
                             bool allow_empty);
static void check_topologies(struct yl_check *, const struct yl_at *);
static void check_topology_term(struct yl_check *, const struct yl_at *term,
                                struct yl_node *ret_keys);
static void check_csi_driver_spec(struct yl_check *, const struct yl_at *spec);
static void check_token_requests(struct yl_check *, const struct yl_at *);
static void check_csi_node_driver(struct yl_check *, const struct yl_at *,
                                  struct yl_node *names);
static bool same_csi_node_driver(const struct yl_check *,
                                 const struct yl_node *,
                                 const struct yl_node *);

void
yl_storage_class_default(struct yl_arena *arena, struct yl_node *object)
{
    yl_member_default_str_ptr(arena, object, "reclaimPolicy", "Delete");
    yl_member_default_str_ptr(arena, object, "volumeBindingMode", "Immediate");
}

void
yl_storage_class_validate(struct yl_check *c, const struct yl_node *object)
{
    static const char *const policies[] = { "Delete", "Retain", NULL };
    static const char *const modes[] = { "Immediate", "WaitForFirstConsumer",
                                         NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at provisioner = yl_at(&root, "provisioner");
    struct yl_at parameters = yl_at(&root, "parameters");
    struct yl_at policy = yl_at(&root, "reclaimPolicy");
    struct yl_at mode = yl_at(&root, "volumeBindingMode");
    struct yl_at topologies = yl_at(&root, "allowedTopologies");

    yl_check_object_meta(c, object, &cluster);
    check_provisioner(c, &provisioner);
    check_parameters(c, &parameters, true);
    if (!yl_at_is(&policy, "")) {
        yl_check_one_of(c, &policy, policies);
    }
    if (!yl_at_has(&mode)) {
        yl_field_required(c->err, yl_at_path(&mode), NULL);
    } else {
        yl_check_one_of(c, &mode, modes);
    }
    check_topologies(c, &topologies);
}

void
yl_storage_class_validate_update(struct yl_check *c,
                                 const struct yl_node *object,
                                 const struct yl_node *old)
{
    static const char *const fixed[] = { "parameters", "provisioner",
                                         "reclaimPolicy",
                                         "volumeBindingMode" };

    yl_storage_class_validate(c, object);
    yl_check_object_meta_update(c, object, old, &cluster);
    yl_check_fixed(c, object, old, fixed, YL_ARRAY_SIZE(fixed));
}

void
yl_volume_attributes_class_validate(struct yl_check *c,
                                    const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at driver = yl_at(&root, "driverName");
    struct yl_at parameters = yl_at(&root, "parameters");

    yl_check_object_meta(c, object, &cluster);
    check_provisioner(c, &driver);
    check_parameters(c, &parameters, false);
}

void
yl_volume_attributes_class_validate_update(struct yl_check *c,
                                           const struct yl_node *object,
                                           const struct yl_node *old)
{
    static const char *const fixed[] = { "driverName", "parameters" };
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    size_t i;

    yl_check_object_meta_update(c, object, old, &cluster);
    for (i = 0; i < YL_ARRAY_SIZE(fixed); i++) {
        struct yl_at now = yl_at(&root, fixed[i]);
        struct yl_at then = yl_at(&before, fixed[i]);

        if (!yl_node_same(now.node, then.node)) {
            yl_field_forbidden(c->err, yl_at_path(&now),
                               "updates to %s are forbidden.", fixed[i]);
        }
    }
    yl_volume_attributes_class_validate(c, object);
}

void
yl_csi_driver_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");

    yl_member_default_bool_ptr(arena, spec, "attachRequired", true);
    yl_member_default_bool_ptr(arena, spec, "podInfoOnMount", false);
    yl_member_default_bool_ptr(arena, spec, "storageCapacity", false);
    yl_member_default_str_ptr(arena, spec, "fsGroupPolicy",
                              "ReadWriteOnceWithFSType");
    if (yl_member_is_zero(spec, "volumeLifecycleModes")) {
        struct yl_node *modes = yl_node_new_array(arena);

        yl_node_append(modes,
                       yl_node_new_string(arena, YL_STR("Persistent")));
        yl_member_set(arena, spec, "volumeLifecycleModes", modes);
    }
    yl_member_default_bool_ptr(arena, spec, "requiresRepublish", false);
    yl_member_default_bool_ptr(arena, spec, "seLinuxMount", false);
}

/* Drops a field whose feature gate is off. */
void
yl_csi_driver_prepare(struct yl_arena *arena YL_UNUSED,
                      struct yl_node *object)
{
    yl_member_drop(yl_member_object(object, "spec"),
                   "preventPodSchedulingIfMissing");
}

/* The generation of a CSIDriver starts at 0, unlike that of other kinds. */
void
yl_csi_driver_prepare_update(struct yl_arena *arena, struct yl_node *object,
                             const struct yl_node *old)
{
    yl_csi_driver_prepare(arena, object);
    if (!yl_node_same(yl_member_object(object, "spec"),
                      yl_member_object(old, "spec"))) {
        yl_meta_count_generation(arena, object, old);
    }
}

void
yl_csi_driver_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &cluster);
    check_csi_driver_spec(c, &spec);
}

/* Upstream's path says "attachedRequired", which is not the field's name. */
void
yl_csi_driver_validate_update(struct yl_check *c,
                              const struct yl_node *object,
                              const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at attach = yl_at(&spec, "attachRequired");
    struct yl_at was = yl_at(&then, "attachRequired");
    struct yl_at shown = yl_at_node(&spec, "attachedRequired", attach.node);
    struct yl_at modes = yl_at(&spec, "volumeLifecycleModes");
    struct yl_at old_modes = yl_at(&then, "volumeLifecycleModes");

    yl_check_object_meta_update(c, object, old, &cluster);
    check_csi_driver_spec(c, &spec);
    yl_check_immutable(c, &shown, was.node);
    yl_check_immutable(c, &modes, old_modes.node);
}

void
yl_csi_node_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at drivers = yl_at(&spec, "drivers");
    struct yl_node *names = yl_node_new_object(c->arena);

    yl_check_object_meta(c, object, &cluster);
    YL_CHECK_FOR_EACH (c, driver, &drivers) {
        check_csi_node_driver(c, &driver, names);
    }
}

/* Drivers may be added and removed, but of one that stays only the number of
 * volumes it has room for may change. */
void
yl_csi_node_validate_update(struct yl_check *c, const struct yl_node *object,
                            const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at drivers = yl_at(&spec, "drivers");
    struct yl_at old_drivers = yl_at(&then, "drivers");
    struct yl_node *by_name = yl_node_new_object(c->arena);

    yl_csi_node_validate(c, object);
    YL_CHECK_FOR_EACH (c, driver, &drivers) {
        yl_node_set(c->arena, by_name, yl_at_get_str(c, &driver, "name"),
                    yl_node_copy(c->arena, driver.node));
    }
    YL_CHECK_FOR_EACH (c, driver, &old_drivers) {
        struct yl_node *now =
            yl_node_get(by_name, yl_at_get_str(c, &driver, "name"));

        if (now && !same_csi_node_driver(c, now, driver.node)) {
            yl_member_drop(now, "allocatable");
            yl_field_invalid(c->err, yl_at_path(&drivers),
                             yl_bad_struct(c, now,
                                           YL_GO(storage_v1, csi_node_driver)),
                             YL_IMMUTABLE);
        }
    }
}

void
yl_csi_storage_capacity_validate(struct yl_check *c,
                                 const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at topology = yl_at(&root, "nodeTopology");
    struct yl_at class = yl_at(&root, "storageClassName");
    struct yl_at capacity = yl_at(&root, "capacity");

    yl_check_object_meta(c, object, &namespaced);
    yl_check_label_selector(c, &topology);
    yl_check_name(c, &class, YL_NAME_DNS1123_SUBDOMAIN);
    yl_check_quantity_not_negative(c, &capacity);
}

void
yl_csi_storage_capacity_validate_update(struct yl_check *c,
                                        const struct yl_node *object,
                                        const struct yl_node *old)
{
    static const char *const fixed[] = { "nodeTopology", "storageClassName" };

    yl_csi_storage_capacity_validate(c, object);
    yl_check_object_meta_update(c, object, old, &namespaced);
    yl_check_fixed(c, object, old, fixed, YL_ARRAY_SIZE(fixed));
}

static void
check_provisioner(struct yl_check *c, const struct yl_at *at)
{
    if (yl_check_required(c, at)) {
        yl_check_name_of(c, yl_at_path(at), YL_NAME_QUALIFIED,
                         yl_lower_case(c->arena, yl_at_str(c, at)));
    }
}

static void
check_parameters(struct yl_check *c, const struct yl_at *parameters,
                 bool allow_empty)
{
    size_t size = 0;

    if (yl_at_count(parameters) > MAX_PARAMETERS) {
        yl_field_too_long(c->err, yl_at_path(parameters), MAX_PARAMETERS);
        return;
    }
    YL_CHECK_FOR_EACH (c, value, parameters) {
        struct yl_str key = yl_at_key(&value);

        if (!key.size) {
            yl_field_invalid(c->err, yl_at_path(parameters),
                             yl_bad_string(key), "field can not be empty.");
        }
        size += key.size + yl_at_str(c, &value).size;
    }
    if (size > MAX_PARAMETER_BYTES) {
        yl_field_too_long(c->err, yl_at_path(parameters),
                          MAX_PARAMETER_BYTES);
    }
    if (!allow_empty && !yl_at_count(parameters)) {
        yl_field_required(c->err, yl_at_path(parameters),
                          "must contain at least one key/value pair");
    }
}

/* Equal terms are duplicates, and so are empty ones. */
static void
check_topologies(struct yl_check *c, const struct yl_at *topologies)
{
    struct yl_node *seen = yl_node_new_object(c->arena);
    struct yl_at counts = yl_at_root(seen);

    YL_CHECK_FOR_EACH (c, term, topologies) {
        struct yl_node *keys = yl_node_new_object(c->arena);
        struct yl_at expressions = yl_at(&term, "matchLabelExpressions");
        struct yl_buf text;
        int64_t n, i;

        check_topology_term(c, &term, keys);
        yl_buf_init(&text, SIZE_MAX);
        (void) yl_node_write_canonical(&text, keys);
        n = yl_at_get_int(&counts, yl_buf_c_str(&text));
        yl_node_set(c->arena, seen, yl_buf_str(&text),
                    yl_node_new_int64(c->arena, n + 1));
        yl_buf_release(&text);

        /* Upstream compares a term with all terms before it and, by mistake,
         * with as many empty ones as there are terms; so an empty term is
         * reported that often. */
        n += keys->n ? 0 : (int64_t) yl_at_count(topologies);
        for (i = 0; i < n && i < YL_MAX_CAUSES; i++) {
            yl_field_duplicate(c->err, yl_at_path(&expressions),
                               yl_bad_string(YL_STR("")));
        }
    }
}

/* '*ret_keys' receives each key with the set of its values. */
static void
check_topology_term(struct yl_check *c, const struct yl_at *term,
                    struct yl_node *ret_keys)
{
    struct yl_at expressions = yl_at(term, "matchLabelExpressions");

    YL_CHECK_FOR_EACH (c, requirement, &expressions) {
        struct yl_at key = yl_at(&requirement, "key");
        struct yl_at values = yl_at(&requirement, "values");
        struct yl_node *set = yl_node_new_object(c->arena);

        yl_check_required(c, &values);
        YL_CHECK_FOR_EACH (c, value, &values) {
            if (!yl_set_add(c->arena, set, yl_at_str(c, &value))) {
                yl_field_duplicate(c->err, yl_at_path(&value),
                                   yl_bad_str(c, &value));
            }
        }
        yl_check_name(c, &key, YL_NAME_QUALIFIED);
        if (yl_node_set(c->arena, ret_keys, yl_at_str(c, &key), set)) {
            yl_field_duplicate(c->err, yl_at_path(&key),
                               yl_bad_str(c, &key));
        }
    }
}

static void
check_csi_driver_spec(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const policies[] = { "File", "None",
                                            "ReadWriteOnceWithFSType", NULL };
    static const char *const modes[] = { "Persistent", "Ephemeral", NULL };
    struct yl_at attach = yl_at(spec, "attachRequired");
    struct yl_at attached = yl_at_node(spec, "attachedRequired", attach.node);
    struct yl_at info = yl_at(spec, "podInfoOnMount");
    struct yl_at capacity = yl_at(spec, "storageCapacity");
    struct yl_at policy = yl_at(spec, "fsGroupPolicy");
    struct yl_at tokens = yl_at(spec, "tokenRequests");
    struct yl_at lifecycle = yl_at(spec, "volumeLifecycleModes");
    struct yl_at mount = yl_at(spec, "seLinuxMount");
    struct yl_at period = yl_at(spec, "nodeAllocatableUpdatePeriodSeconds");
    struct yl_at secrets = yl_at(spec, "serviceAccountTokenInSecrets");

    yl_check_required(c, &attached);
    yl_check_required(c, &info);
    yl_check_required(c, &capacity);
    if (yl_at_has(&policy)) {
        yl_check_one_of(c, &policy, policies);
    }
    check_token_requests(c, &tokens);
    YL_CHECK_FOR_EACH (c, mode, &lifecycle) {
        struct yl_at shown = yl_at_node(spec, "volumeLifecycleModes",
                                        mode.node);

        if (!yl_at_is(&mode, modes[0]) && !yl_at_is(&mode, modes[1])) {
            yl_field_not_supported(c->err, yl_at_path(&shown),
                                   yl_bad_str(c, &mode), modes);
        }
    }
    yl_check_required(c, &mount);
    if (yl_at_has(&period) && yl_at_int(&period) < MIN_UPDATE_SECONDS) {
        yl_field_invalid(c->err, yl_at_path(&period),
                         yl_bad_int(yl_at_int(&period)),
                         "must be greater than or equal to 10 seconds");
    }
    if (yl_at_has(&secrets) && !yl_at_count(&tokens)) {
        yl_field_invalid(c->err, yl_at_path(&secrets),
                         yl_bad_bool(yl_at_bool(&secrets)),
                         "serviceAccountTokenInSecrets is set but no "
                         "tokenRequests are specified");
    }
}

static void
check_token_requests(struct yl_check *c, const struct yl_at *tokens)
{
    struct yl_node *audiences = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, token, tokens) {
        struct yl_at audience = yl_at(&token, "audience");
        struct yl_at seconds = yl_at(&token, "expirationSeconds");
        int64_t n = yl_at_int(&seconds);

        if (!yl_set_add(c->arena, audiences, yl_at_str(c, &audience))) {
            yl_field_duplicate(c->err, yl_at_path(&audience),
                               yl_bad_str(c, &audience));
        } else if (yl_at_has(&seconds) && n < MIN_TOKEN_SECONDS) {
            yl_field_invalid(c->err, yl_at_path(&seconds), yl_bad_int(n),
                             "may not specify a duration less than 10 "
                             "minutes");
        } else if (n > (int64_t) 1 << 32) {
            yl_field_invalid(c->err, yl_at_path(&seconds), yl_bad_int(n),
                             "may not specify a duration larger than 2^32 "
                             "seconds");
        }
    }
}

/* Errors about topology keys name the driver, as in upstream. */
static void
check_csi_node_driver(struct yl_check *c, const struct yl_at *driver,
                      struct yl_node *names)
{
    struct yl_at name = yl_at(driver, "name");
    struct yl_at id = yl_at(driver, "nodeID");
    struct yl_at allocatable = yl_at(driver, "allocatable");
    struct yl_at count = yl_at(&allocatable, "count");
    struct yl_at topology = yl_at(driver, "topologyKeys");
    struct yl_node *keys = yl_node_new_object(c->arena);

    yl_check_csi_driver_name(c, &name);
    yl_check_required(c, &id);
    if (yl_at_str(c, &id).size > MAX_NODE_ID) {
        yl_field_invalid(c->err, yl_at_path(&id), yl_bad_str(c, &id),
                         "must be %d characters or less", MAX_NODE_ID);
    }
    yl_check_not_negative(c, &count);
    if (!yl_set_add(c->arena, names, yl_at_str(c, &name))) {
        yl_field_duplicate(c->err, yl_at_path(&name), yl_bad_str(c, &name));
    }
    YL_CHECK_FOR_EACH (c, key, &topology) {
        struct yl_str s = yl_at_str(c, &key);

        if (!s.size) {
            yl_field_required(c->err, yl_at_path(driver), NULL);
        }
        if (!yl_set_add(c->arena, keys, s)) {
            yl_field_duplicate(c->err, yl_at_path(driver), yl_bad_string(s));
        }
        yl_check_name_of(c, yl_at_path(driver), YL_NAME_QUALIFIED, s);
    }
}

static bool
same_csi_node_driver(const struct yl_check *c, const struct yl_node *now,
                     const struct yl_node *then)
{
    struct yl_node *a = yl_node_copy(c->arena, now);
    struct yl_node *b = yl_node_copy(c->arena, then);

    yl_member_drop(a, "allocatable");
    yl_member_drop(b, "allocatable");
    return yl_node_equal(a, b);
}
