/* The status of a ResourceClaim: the allocation, its consumers, and the state
 * of the devices. */

#include "builtin/common/conditions.h"
#include "builtin/common/meta.h"
#include "builtin/devices/devices_checks.h"
#include "builtin/network/ip.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"

#define MAX_RESERVED 256
#define MAX_RESULTS 32
#define MAX_REQUESTS 32
#define MAX_CONFIGS 64
#define MAX_CONDITIONS 8
#define MAX_DATA 10240
#define MAX_INTERFACE 256
#define MAX_HARDWARE 128
#define MAX_IPS 16

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, true };

static struct yl_node *device_ids(struct yl_check *,
                                  const struct yl_at *results);
static struct yl_str device_id(struct yl_check *, const struct yl_at *);
static void check_consumer(struct yl_check *, const struct yl_at *,
                           const void *aux);
static void check_device(struct yl_check *, const struct yl_at *,
                         const void *allocated);
static void check_network(struct yl_check *, const struct yl_at *network);
static void check_interface_address(struct yl_check *, const struct yl_at *,
                                    const void *aux);
static void check_allocation(struct yl_check *, const struct yl_at *,
                             const struct yl_node *names);
static void check_result(struct yl_check *, const struct yl_at *,
                         const void *names);
static void check_config(struct yl_check *, const struct yl_at *,
                         const void *names);
static void check_additions(struct yl_check *, const struct yl_at *reserved,
                            const struct yl_at *before);

/* When a device is no longer allocated, its entry in status.devices is
 * removed. */
void
yl_resource_claim_prepare_status(struct yl_arena *arena,
                                 struct yl_node *object,
                                 const struct yl_node *old)
{
    struct yl_error none = { 0 };
    struct yl_check c = { arena, &none };
    struct yl_at now = yl_at_root(yl_member_object(object, "status"));
    struct yl_at then = yl_at_root(yl_member_object(old, "status"));
    struct yl_at allocation = yl_at(&now, "allocation");
    struct yl_at before = yl_at(&then, "allocation");
    struct yl_at devices = yl_at(&allocation, "devices");
    struct yl_at devices_before = yl_at(&before, "devices");
    struct yl_at results = yl_at(&devices, "results");
    struct yl_at results_before = yl_at(&devices_before, "results");
    struct yl_node *left = device_ids(&c, &results);
    struct yl_node *gone = device_ids(&c, &results_before);
    struct yl_node *list = yl_member_array(now.node, "devices");
    struct yl_node *device, *next;

    yl_meta_keep(arena, object, old);
    if (!list) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (device, next, list) {
        struct yl_at at = yl_at_root(device);
        struct yl_str id = device_id(&c, &at);

        if (yl_node_get(gone, id) && !yl_node_get(left, id)) {
            yl_node_detach(device);
        }
    }
    if (!list->n) {
        yl_member_drop(yl_member_object(object, "status"), "devices");
    }
}

/* An allocation may be added and removed, but not changed. */
void
yl_resource_claim_validate_status(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at claimed = yl_at(&spec, "devices");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at then = yl_at(&before, "status");
    struct yl_at reserved = yl_at(&status, "reservedFor");
    struct yl_at reserved_before = yl_at(&then, "reservedFor");
    struct yl_at devices = yl_at(&status, "devices");
    struct yl_at allocation = yl_at(&status, "allocation");
    struct yl_at allocated = yl_at(&allocation, "devices");
    struct yl_at results = yl_at(&allocated, "results");
    struct yl_at was = yl_at(&then, "allocation");
    struct yl_node *names = yl_device_request_names(c, &claimed);
    struct yl_node *ids = device_ids(c, &results);
    struct yl_node *seen = yl_node_new_object(c->arena);

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_device_set(c, &reserved, MAX_RESERVED, check_consumer, NULL,
                        "uid");
    yl_check_device_list(c, &devices, -1, check_device, ids);
    YL_CHECK_FOR_EACH (c, device, &devices) {
        struct yl_str id = device_id(c, &device);

        if (!yl_set_add(c->arena, seen, id)) {
            yl_field_duplicate(c->err, yl_at_path(&device), yl_bad_text(id));
        }
    }
    if (yl_at_count(&reserved) && !yl_at_has(&allocation)) {
        yl_field_forbidden(c->err, yl_at_path(&reserved),
                           "may not be specified when `allocated` is not "
                           "set");
    } else if (yl_at_get_has(&metadata, "deletionTimestamp")) {
        check_additions(c, &reserved, &reserved_before);
    }
    if (yl_at_has(&allocation) && yl_at_has(&was)) {
        if (!yl_node_same(allocation.node, was.node)) {
            yl_field_invalid(c->err, yl_at_path(&allocation),
                             yl_bad_allocation(c, &allocation),
                             YL_IMMUTABLE);
        }
    } else if (yl_at_has(&allocation)) {
        check_allocation(c, &allocation, names);
    }
}

/* The set of device_id() of all results. */
static struct yl_node *
device_ids(struct yl_check *c, const struct yl_at *results)
{
    struct yl_node *ids = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, result, results) {
        yl_set_add(c->arena, ids, device_id(c, &result));
    }
    return ids;
}

/* Identifies a device, in the form that messages show. */
static struct yl_str
device_id(struct yl_check *c, const struct yl_at *device)
{
    static const char *const members[][2] = { { "Driver", "driver" },
                                              { "Pool", "pool" },
                                              { "Device", "device" },
                                              { "ShareID", "shareID" } };
    struct yl_node *id = yl_node_new_object(c->arena);
    struct yl_buf buf;
    struct yl_str text;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(members); i++) {
        yl_member_set(c->arena, id, members[i][0],
                      yl_node_new_string(
                          c->arena, yl_at_get_str(c, device, members[i][1])));
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, id);
    text = yl_arena_copy(c->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

static void
check_consumer(struct yl_check *c, const struct yl_at *consumer,
               const void *aux YL_UNUSED)
{
    struct yl_at resource = yl_at(consumer, "resource");
    struct yl_at name = yl_at(consumer, "name");
    struct yl_at uid = yl_at(consumer, "uid");

    yl_check_required(c, &resource);
    yl_check_required(c, &name);
    yl_check_required(c, &uid);
}

static void
check_device(struct yl_check *c, const struct yl_at *device,
             const void *allocated)
{
    struct yl_at driver = yl_at(device, "driver");
    struct yl_at pool = yl_at(device, "pool");
    struct yl_at name = yl_at(device, "device");
    struct yl_at share = yl_at(device, "shareID");
    struct yl_at conditions = yl_at(device, "conditions");
    struct yl_at data = yl_at(device, "data");
    struct yl_at network = yl_at(device, "networkData");
    struct yl_str id = device_id(c, device);

    yl_check_csi_driver_name(c, &driver);
    yl_check_pool_name(c, &pool);
    yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    if (yl_at_has(&share)) {
        yl_check_uuid(c, &share);
    }
    if (!yl_node_get(allocated, id)) {
        yl_field_invalid(c->err, yl_at_path(device), yl_bad_text(id),
                         "must be an allocated device in the claim");
    }
    if (yl_at_count(&conditions) > MAX_CONDITIONS) {
        yl_field_too_many(c->err, yl_at_path(&conditions),
                          (int64_t) yl_at_count(&conditions),
                          MAX_CONDITIONS);
    }
    yl_check_conditions(c, &conditions);
    if (yl_at_has(&data)) {
        yl_check_raw_object(c, &data, MAX_DATA, false);
    }
    if (yl_at_has(&network)) {
        check_network(c, &network);
    }
}

static void
check_network(struct yl_check *c, const struct yl_at *network)
{
    struct yl_at interface = yl_at(network, "interfaceName");
    struct yl_at hardware = yl_at(network, "hardwareAddress");
    struct yl_at ips = yl_at(network, "ips");

    if (yl_at_str(c, &interface).size > MAX_INTERFACE) {
        yl_field_too_long(c->err, yl_at_path(&interface), MAX_INTERFACE);
    }
    if (yl_at_str(c, &hardware).size > MAX_HARDWARE) {
        yl_field_too_long(c->err, yl_at_path(&hardware), MAX_HARDWARE);
    }
    yl_check_device_set(c, &ips, MAX_IPS, check_interface_address, NULL,
                        NULL);
}

/* An address with the length of its network's prefix. */
static void
check_interface_address(struct yl_check *c, const struct yl_at *at,
                        const void *aux YL_UNUSED)
{
    struct yl_str s = yl_at_str(c, at);
    char text[YL_IP_TEXT_SIZE];
    const char *canonical;
    struct yl_ip ip;
    unsigned bits;

    if (!yl_cidr_parse(s, &ip, &bits)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be a valid address in CIDR form, (e.g. "
                         "10.9.8.7/24 or 2001:db8::1/64)");
        return;
    }
    yl_ip_text(&ip, text);
    canonical = yl_arena_printf(c->arena, "%s/%u", text, bits);
    if (!yl_str_equal_c(s, canonical)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be in canonical form (\"%s\")", canonical);
    }
}

static void
check_allocation(struct yl_check *c, const struct yl_at *allocation,
                 const struct yl_node *names)
{
    struct yl_at devices = yl_at(allocation, "devices");
    struct yl_at results = yl_at(&devices, "results");
    struct yl_at config = yl_at(&devices, "config");
    struct yl_at selector = yl_at(allocation, "nodeSelector");

    yl_check_device_list(c, &results, MAX_RESULTS, check_result, names);
    yl_check_device_list(c, &config, MAX_CONFIGS, check_config, names);
    if (yl_at_has(&selector)) {
        yl_check_node_selector(c, &selector);
    }
}

static void
check_result(struct yl_check *c, const struct yl_at *result,
             const void *names)
{
    struct yl_at request = yl_at(result, "request");
    struct yl_at driver = yl_at(result, "driver");
    struct yl_at pool = yl_at(result, "pool");
    struct yl_at device = yl_at(result, "device");
    struct yl_at share = yl_at(result, "shareID");

    yl_check_request_ref(c, &request, names);
    yl_check_csi_driver_name(c, &driver);
    yl_check_pool_name(c, &pool);
    yl_check_name(c, &device, YL_NAME_DNS1123_LABEL);
    yl_check_device_bindings(c, result);
    if (yl_at_has(&share)) {
        yl_check_uuid(c, &share);
    }
}

static void
check_config(struct yl_check *c, const struct yl_at *config,
             const void *names)
{
    static const char *const sources[] = { "FromClaim", "FromClass", NULL };
    struct yl_at source = yl_at(config, "source");
    struct yl_at requests = yl_at(config, "requests");

    if (yl_check_required(c, &source)) {
        yl_check_one_of(c, &source, sources);
    }
    yl_check_device_set(c, &requests, MAX_REQUESTS, yl_check_request_ref,
                        names, NULL);
    yl_check_device_config(c, config, false);
}

/* No consumer may be added to a claim that is being deallocated or deleted. */
static void
check_additions(struct yl_check *c, const struct yl_at *reserved,
                const struct yl_at *before)
{
    YL_CHECK_FOR_EACH (c, consumer, reserved) {
        bool known = false;

        YL_CHECK_FOR_EACH (c, other, before) {
            known |= yl_node_same(consumer.node, other.node);
        }
        if (!known) {
            yl_field_forbidden(c->err, yl_at_path(reserved),
                               "new entries may not be added while "
                               "`deallocationRequested` or "
                               "`deletionTimestamp` are set");
            return;
        }
    }
}
