/* ResourceSlice: the devices that a driver offers, and where they are. */

#include "builtin/devices/devices_checks.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "builtin/warnings/warnings.h"
#include "yuloh/time.h"

#define MAX_DEVICES 128
#define MAX_ADVANCED_DEVICES 64
#define MAX_COUNTER_SETS 8
#define MAX_COUNTERS 32
#define MAX_CONSUMED_SETS 2
#define MAX_VALUES 32           /* Attributes and capacities of a device. */
#define MAX_ATTRIBUTE_VALUES 48
#define MAX_TEXT 64
#define MAX_TAINTS 16

#define EXACTLY_ONE                                                           \
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, "                 \
    "`perDeviceNodeSelection` is required"
#define EXACTLY_ONE_DEVICE                                                    \
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required "   \
    "when `perDeviceNodeSelection` is set to true in the ResourceSlice spec"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, true };

/* One slice that is being validated. */
struct slice {
    bool per_device;            /* Each device has its own node selection. */
    const struct yl_node *before;   /* The old devices, or NULL. */
};

static void check_spec(struct yl_check *, const struct yl_at *spec,
                       const struct yl_at *before);
static void check_pool(struct yl_check *, const struct yl_at *pool);
static void check_fixed(struct yl_check *, const struct yl_at *spec,
                        const struct yl_at *before);
static size_t check_place(struct yl_check *, const struct yl_at *at,
                          bool device, struct yl_buf *set);
static bool is_advanced(const struct yl_at *devices);
static void check_device(struct yl_check *, const struct yl_at *device,
                         const void *slice);
static void check_values(struct yl_check *, const struct yl_at *device);
static void check_attribute(struct yl_check *, const struct yl_at *);
static void check_attribute_text(struct yl_check *, const struct yl_at *,
                                 bool version);
static bool is_version(struct yl_str);
static bool is_number(struct yl_str);
static bool are_identifiers(struct yl_str, bool release);
static void check_taint(struct yl_check *, const struct yl_at *,
                        const void *aux);
static void check_device_place(struct yl_check *, const struct yl_at *device,
                               const struct slice *);
static const struct yl_node *find_device(const struct slice *, struct yl_str);
static void check_counter_set(struct yl_check *, const struct yl_at *,
                              const void *name);

void
yl_resource_slice_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *device, *taint;
    char now[YL_TIME_TEXT_SIZE];

    yl_time_write(yl_time_now(), now);
    YL_MEMBER_EACH (device, yl_member_object(object, "spec"), "devices") {
        YL_MEMBER_EACH (taint, device, "taints") {
            yl_member_default_str_ptr(arena, taint, "timeAdded", now);
        }
    }
}

void
yl_resource_slice_prepare(struct yl_arena *arena YL_UNUSED,
                          struct yl_node *object)
{
    static const char *const lists[] = { "bools", "ints", "strings",
                                         "versions" };
    struct yl_node *device, *attribute;
    size_t i;

    YL_MEMBER_EACH (device, yl_member_object(object, "spec"), "devices") {
        struct yl_node *attributes = yl_member_object(device, "attributes");

        yl_member_drop(device, "nodeAllocatableResourceMappings");
        attribute = attributes ? attributes->first : NULL;
        for (; attribute; attribute = attribute->next) {
            for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
                yl_member_drop(attribute, lists[i]);
            }
        }
    }
}

void
yl_resource_slice_prepare_update(struct yl_arena *arena,
                                 struct yl_node *object,
                                 const struct yl_node *old YL_UNUSED)
{
    yl_resource_slice_prepare(arena, object);
}

void
yl_resource_slice_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object), none = yl_at_root(NULL);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &rule);
    check_spec(c, &spec, &none);
}

void
yl_resource_slice_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at then = yl_at(&before, "spec");

    yl_check_object_meta_update(c, object, old, &rule);
    check_spec(c, &spec, &then);
}

void
yl_resource_slice_warn(struct yl_warnings *w, const struct yl_node *object,
                       const struct yl_node *old YL_UNUSED)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at driver = yl_at(&spec, "driver");
    struct yl_str s = yl_at_str(&c, &driver);

    if (!yl_str_equal(s, yl_lower_case(w->arena, s))) {
        yl_warn_at(w, &driver, "driver names should be lowercase; \"%.*s\" "
                               "contains uppercase characters",
                   YL_STR_ARG(s));
    }
}

static void
check_spec(struct yl_check *c, const struct yl_at *spec,
           const struct yl_at *before)
{
    struct yl_at driver = yl_at(spec, "driver");
    struct yl_at pool = yl_at(spec, "pool");
    struct yl_at devices = yl_at(spec, "devices");
    struct yl_at devices_before = yl_at(before, "devices");
    struct yl_at counters = yl_at(spec, "sharedCounters");
    struct slice slice = { yl_at_get_bool(spec, "perDeviceNodeSelection"),
                           devices_before.node };
    struct yl_buf set;
    size_t n;

    yl_check_csi_driver_name(c, &driver);
    check_pool(c, &pool);
    if (before->node) {
        check_fixed(c, spec, before);
    }
    yl_buf_init(&set, SIZE_MAX);
    n = check_place(c, spec, false, &set);
    if (!n) {
        yl_field_required(c->err, yl_at_path(spec), EXACTLY_ONE);
    } else if (n > 1) {
        yl_field_invalid(c->err, yl_at_path(spec),
                         yl_bad_string(yl_buf_str(&set)),
                         EXACTLY_ONE ", but multiple fields are set");
    }
    yl_buf_release(&set);
    if (yl_at_has(&counters) && yl_at_has(&devices)) {
        yl_field_invalid(c->err, yl_at_path(spec), yl_bad_string(YL_STR("")),
                         "only one of `sharedCounters` or `devices` is "
                         "allowed");
    }
    yl_check_device_set(c, &devices, is_advanced(&devices)
                                     ? MAX_ADVANCED_DEVICES : MAX_DEVICES,
                        check_device, &slice, "name");
    yl_check_device_set(c, &counters, MAX_COUNTER_SETS, check_counter_set,
                        "name", "name");
}

static void
check_pool(struct yl_check *c, const struct yl_at *pool)
{
    struct yl_at name = yl_at(pool, "name");
    struct yl_at count = yl_at(pool, "resourceSliceCount");
    struct yl_at generation = yl_at(pool, "generation");

    yl_check_pool_name(c, &name);
    if (yl_at_int(&count) <= 0) {
        yl_field_invalid(c->err, yl_at_path(&count),
                         yl_bad_int(yl_at_int(&count)),
                         "must be greater than zero");
    }
    if (yl_at_int(&generation) < 0) {
        yl_field_invalid(c->err, yl_at_path(&generation),
                         yl_bad_int(yl_at_int(&generation)),
                         "must be greater than or equal to zero");
    }
}

static void
check_fixed(struct yl_check *c, const struct yl_at *spec,
            const struct yl_at *before)
{
    struct yl_at pool = yl_at(spec, "pool"), pool_before = yl_at(before,
                                                                 "pool");
    struct yl_at name = yl_at(&pool, "name");
    struct yl_at name_before = yl_at(&pool_before, "name");
    struct yl_at driver = yl_at(spec, "driver");
    struct yl_at driver_before = yl_at(before, "driver");
    struct yl_at node = yl_at(spec, "nodeName");
    struct yl_at node_before = yl_at(before, "nodeName");

    if (!yl_str_equal(yl_at_str(c, &name), yl_at_str(c, &name_before))) {
        yl_field_invalid(c->err, yl_at_path(&name), yl_bad_str(c, &name),
                         YL_IMMUTABLE);
    }
    if (!yl_str_equal(yl_at_str(c, &driver), yl_at_str(c, &driver_before))) {
        yl_field_invalid(c->err, yl_at_path(&driver), yl_bad_str(c, &driver),
                         YL_IMMUTABLE);
    }
    yl_check_immutable(c, &node, node_before.node);
}

/* Checks the fields that say where devices are.  Returns how many of them are
 * used, and appends their names to 'set' as "{`nodeName`, ...}". */
static size_t
check_place(struct yl_check *c, const struct yl_at *at, bool device,
            struct yl_buf *set)
{
    static const char *const flags[] = { "allNodes",
                                         "perDeviceNodeSelection" };
    struct yl_at node = yl_at(at, "nodeName");
    struct yl_at selector = yl_at(at, "nodeSelector");
    struct yl_at terms = yl_at(&selector, "nodeSelectorTerms");
    size_t n = 0, i;

    if (yl_at_has(&node) && !yl_at_is(&node, "")) {
        yl_buf_printf(set, "%s`nodeName`", n++ ? ", " : "{");
        yl_check_name(c, &node, YL_NAME_DNS1123_SUBDOMAIN);
    } else if (yl_at_has(&node)) {
        yl_field_invalid(c->err, yl_at_path(&node), yl_bad_str(c, &node),
                         device ? "must not be empty"
                                : "must be either unset or set to a "
                                  "non-empty string");
    }
    if (yl_at_has(&selector)) {
        yl_buf_printf(set, "%s`nodeSelector`", n++ ? ", " : "{");
        yl_check_node_selector(c, &selector);
        if (!device && yl_at_count(&terms) != 1) {
            yl_field_invalid(c->err, yl_at_path(&terms),
                             yl_bad_node_terms(c, &terms),
                             "must have exactly one node selector term");
        }
    }
    for (i = 0; i < (device ? 1 : YL_ARRAY_SIZE(flags)); i++) {
        struct yl_at flag = yl_at(at, flags[i]);

        if (yl_at_bool(&flag)) {
            yl_buf_printf(set, "%s`%s`", n++ ? ", " : "{", flags[i]);
        } else if (yl_at_has(&flag)) {
            yl_field_invalid(c->err, yl_at_path(&flag), yl_bad_bool(false),
                             "must be either unset or set to true");
        }
    }
    yl_buf_append_char(set, '}');
    return n;
}

/* Whether a device has taints or consumes counters.  Fewer devices are allowed
 * then, because they cost more to process. */
static bool
is_advanced(const struct yl_at *devices)
{
    YL_AT_FOR_EACH (device, devices) {
        struct yl_at taints = yl_at(&device, "taints");
        struct yl_at consumes = yl_at(&device, "consumesCounters");

        if (yl_at_count(&taints) || yl_at_count(&consumes)) {
            return true;
        }
    }
    return false;
}

static void
check_device(struct yl_check *c, const struct yl_at *device, const void *aux)
{
    const struct slice *slice = aux;
    struct yl_at name = yl_at(device, "name");
    struct yl_at taints = yl_at(device, "taints");
    struct yl_at consumes = yl_at(device, "consumesCounters");
    struct yl_at before = yl_at_root(find_device(slice,
                                                 yl_at_str(c, &name)));
    struct yl_at taints_before = yl_at(&before, "taints");

    yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    check_values(c, device);
    if (!before.node || !yl_node_same(taints.node, taints_before.node)) {
        yl_check_device_list(c, &taints, MAX_TAINTS, check_taint, NULL);
    }
    yl_check_device_set(c, &consumes, MAX_CONSUMED_SETS, check_counter_set,
                        "counterSet", "counterSet");
    check_device_place(c, device, slice);
    yl_check_device_bindings(c, device);
}

static void
check_values(struct yl_check *c, const struct yl_at *device)
{
    struct yl_at attributes = yl_at(device, "attributes");
    struct yl_at capacity = yl_at(device, "capacity");
    bool many = yl_at_get_bool(device, "allowMultipleAllocations");
    size_t n = yl_at_count(&attributes), m = yl_at_count(&capacity);

    if (n + m > MAX_VALUES) {
        yl_field_invalid(c->err, yl_at_path(device),
                         yl_bad_int((int64_t) (n + m)),
                         "the total number of attributes and capacities must "
                         "not exceed %d", MAX_VALUES);
    }
    if (n > MAX_ATTRIBUTE_VALUES) {
        yl_field_invalid(c->err, yl_at_path(device), yl_bad_int((int64_t) n),
                         "the total number of attribute values must not "
                         "exceed %d", MAX_ATTRIBUTE_VALUES);
    }
    YL_CHECK_FOR_EACH (c, attribute, &attributes) {
        yl_check_device_qualified(c, &attributes, yl_at_key(&attribute));
        check_attribute(c, &attribute);
    }
    YL_CHECK_FOR_EACH (c, one, &capacity) {
        yl_check_device_qualified(c, &capacity, yl_at_key(&one));
        yl_check_device_capacity(c, &one, many);
    }
}

static void
check_attribute(struct yl_check *c, const struct yl_at *attribute)
{
    struct yl_at text = yl_at(attribute, "string");
    struct yl_at version = yl_at(attribute, "version");
    size_t n = yl_at_get_has(attribute, "bool")
               + yl_at_get_has(attribute, "int") + yl_at_has(&text)
               + yl_at_has(&version);

    if (yl_at_has(&text)) {
        check_attribute_text(c, &text, false);
    }
    if (yl_at_has(&version)) {
        check_attribute_text(c, &version, true);
    }
    if (!n) {
        yl_field_invalid(c->err, yl_at_path(attribute),
                         yl_bad_string(YL_STR("")),
                         "exactly one value must be specified");
    } else if (n > 1) {
        yl_field_invalid(c->err, yl_at_path(attribute),
                         yl_bad_at(attribute),
                         "exactly one value must be specified");
    }
}

static void
check_attribute_text(struct yl_check *c, const struct yl_at *text,
                     bool version)
{
    struct yl_str s = yl_at_str(c, text);

    if (version && !is_version(s)) {
        yl_field_invalid(c->err, yl_at_path(text), yl_bad_string(s),
                         "must be a string compatible with semver.org spec "
                         "2.0.0");
    }
    if (s.size > MAX_TEXT) {
        yl_field_too_long(c->err, yl_at_path(text), MAX_TEXT);
    }
}

/* MAJOR.MINOR.PATCH[-RELEASE][+BUILD], as semver.org has it. */
static bool
is_version(struct yl_str s)
{
    struct yl_str release, build, part;
    int i;

    if (yl_str_cut(s, '+', &s, &build) && !are_identifiers(build, false)) {
        return false;
    }
    if (yl_str_cut(s, '-', &s, &release) && !are_identifiers(release, true)) {
        return false;
    }
    for (i = 0; i < 2; i++) {
        if (!yl_str_cut(s, '.', &part, &s) || !is_number(part)) {
            return false;
        }
    }
    return is_number(s);
}

/* Without leading zeros. */
static bool
is_number(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (s.data[i] < '0' || s.data[i] > '9') {
            return false;
        }
    }
    return s.size == 1 || (s.size && s.data[0] != '0');
}

/* Words with dots between them; in a release ('release'), numbers must have no
 * leading zeros. */
static bool
are_identifiers(struct yl_str rest, bool release)
{
    bool more = true;

    while (more) {
        struct yl_str part = rest;
        bool digits = true;
        size_t i;

        more = yl_str_cut(rest, '.', &part, &rest);
        for (i = 0; i < part.size; i++) {
            char ch = part.data[i];
            bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
                          || ch == '-';

            if (!letter && (ch < '0' || ch > '9')) {
                return false;
            }
            digits &= !letter;
        }
        if (!part.size || (release && digits && !is_number(part))) {
            return false;
        }
    }
    return true;
}

static void
check_taint(struct yl_check *c, const struct yl_at *taint,
            const void *aux YL_UNUSED)
{
    yl_check_device_taint(c, taint);
}

static void
check_device_place(struct yl_check *c, const struct yl_at *device,
                   const struct slice *slice)
{
    struct yl_buf set;
    size_t n;

    if (!slice->per_device) {
        if (yl_at_get_has(device, "nodeName")
            || yl_at_get_has(device, "nodeSelector")
            || yl_at_get_has(device, "allNodes")) {
            yl_field_invalid(c->err, yl_at_path(device), yl_bad_node(NULL),
                             "`nodeName`, `nodeSelector` and `allNodes` can "
                             "only be set if `perDeviceNodeSelection` is set "
                             "to true in the ResourceSlice spec");
        }
        return;
    }
    yl_buf_init(&set, SIZE_MAX);
    n = check_place(c, device, true, &set);
    if (!n) {
        yl_field_required(c->err, yl_at_path(device), EXACTLY_ONE_DEVICE);
    } else if (n > 1) {
        yl_field_invalid(c->err, yl_at_path(device),
                         yl_bad_string(yl_buf_str(&set)), EXACTLY_ONE_DEVICE);
    }
    yl_buf_release(&set);
}

/* The old device of that name.  A linear search: a slice has few. */
static const struct yl_node *
find_device(const struct slice *slice, struct yl_str name)
{
    const struct yl_node *device = slice->before ? slice->before->first
                                                 : NULL;

    for (; device; device = device->next) {
        if (yl_node_string_is(yl_node_get(device, YL_STR("name")), name)) {
            return device;
        }
    }
    return NULL;
}

/* Checks counters and the name of their set, which is in the member 'aux'. */
static void
check_counter_set(struct yl_check *c, const struct yl_at *set,
                  const void *aux)
{
    struct yl_at name = yl_at(set, aux);
    struct yl_at counters = yl_at(set, "counters");

    if (yl_check_required(c, &name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    }
    if (!yl_at_count(&counters)) {
        yl_field_required(c->err, yl_at_path(&counters), NULL);
    } else if (yl_at_count(&counters) > MAX_COUNTERS) {
        yl_field_too_many(c->err, yl_at_path(&counters),
                          (int64_t) yl_at_count(&counters), MAX_COUNTERS);
    } else {
        YL_CHECK_FOR_EACH (c, counter, &counters) {
            yl_check_name_of(c, yl_at_path(&counters), YL_NAME_DNS1123_LABEL,
                             yl_at_key(&counter));
        }
    }
}
