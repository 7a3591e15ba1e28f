/* Endpoints and EndpointSlice: defaults, validation, updates. */

#include <string.h>

#include "builtin/common/checks.h"
#include "builtin/common/meta.h"
#include "builtin/network/ip.h"
#include "builtin/rows.h"

#define MAX_ADDRESSES 100
#define MAX_PORTS 20000
#define MAX_ENDPOINTS 1000
#define MAX_HINTS 8

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };
static const char *const protocols[] = { "SCTP", "TCP", "UDP", NULL };

static void check_subset(struct yl_check *, const struct yl_at *subset);
static void check_address(struct yl_check *, const struct yl_at *address);
static void check_port(struct yl_check *, const struct yl_at *port,
                       bool need_name);
static void check_slice_ports(struct yl_check *, const struct yl_at *ports);
static void check_slice_endpoints(struct yl_check *, const struct yl_at *,
                                  const struct yl_at *type);
static void check_slice_endpoint(struct yl_check *, const struct yl_at *,
                                 const struct yl_at *type);
static void check_slice_address(struct yl_check *, const struct yl_at *list,
                                const struct yl_at *address,
                                const struct yl_at *type);
static void check_domain(struct yl_check *, const struct yl_at *address);
static void check_hints(struct yl_check *, const struct yl_at *list,
                        enum yl_name_rule);

void
yl_endpoints_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *subset, *port;

    YL_MEMBER_EACH (subset, object, "subsets") {
        YL_MEMBER_EACH (port, subset, "ports") {
            yl_member_default_str(arena, port, "protocol", "TCP");
        }
    }
}

void
yl_endpoints_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at subsets = yl_at(&root, "subsets");

    yl_check_object_meta(c, object, &rule);
    YL_CHECK_FOR_EACH (c, subset, &subsets) {
        check_subset(c, &subset);
    }
}

/* Subsets that have not changed are not validated again. */
void
yl_endpoints_validate_update(struct yl_check *c, const struct yl_node *object,
                             const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &rule);
    if (yl_node_same(yl_member_array(object, "subsets"),
                     yl_member_array(old, "subsets"))) {
        yl_check_object_meta(c, object, &rule);
    } else {
        yl_endpoints_validate(c, object);
    }
}

void
yl_endpoint_slice_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *port;

    YL_MEMBER_EACH (port, object, "ports") {
        yl_member_default_str_ptr(arena, port, "name", "");
        yl_member_default_str_ptr(arena, port, "protocol", "TCP");
    }
}

/* Drops deprecatedTopology, which clients may read but not write. */
void
yl_endpoint_slice_prepare(struct yl_arena *arena YL_UNUSED,
                          struct yl_node *object)
{
    struct yl_node *endpoint;

    YL_MEMBER_EACH (endpoint, object, "endpoints") {
        yl_member_drop(endpoint, "deprecatedTopology");
    }
}

/* A change of labels counts as a new generation too, because they say which
 * Service a slice belongs to.  A change of fields that are dropped counts as
 * well. */
void
yl_endpoint_slice_prepare_update(struct yl_arena *arena,
                                 struct yl_node *object,
                                 const struct yl_node *old)
{
    struct yl_node *labels =
        yl_member_object(yl_member_object(object, "metadata"), "labels");
    struct yl_node *before =
        yl_member_object(yl_member_object(old, "metadata"), "labels");

    bool changed = !yl_node_same(yl_member_array(object, "endpoints"),
                                 yl_member_array(old, "endpoints"));

    if (changed) {
        yl_endpoint_slice_prepare(arena, object);
    }
    if (changed || !yl_node_same(labels, before)) {
        yl_meta_count_generation(arena, object, old);
    }
}

void
yl_endpoint_slice_validate(struct yl_check *c, const struct yl_node *object)
{
    static const char *const types[] = { "FQDN", "IPv4", "IPv6", NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at type = yl_at(&root, "addressType");
    struct yl_at ports = yl_at(&root, "ports");
    struct yl_at endpoints = yl_at(&root, "endpoints");

    yl_check_object_meta(c, object, &rule);
    if (yl_check_required(c, &type)) {
        yl_check_one_of(c, &type, types);
    }
    check_slice_ports(c, &ports);
    check_slice_endpoints(c, &endpoints, &type);
}

void
yl_endpoint_slice_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    static const char *const fixed[] = { "addressType" };
    const struct yl_node *shown = object;

    if (yl_node_same(yl_member_array(object, "endpoints"),
                     yl_member_array(old, "endpoints"))) {
        struct yl_node *copy = yl_node_copy(c->arena, object);

        yl_member_drop(copy, "endpoints");
        shown = copy;
    }
    yl_endpoint_slice_validate(c, shown);
    yl_check_fixed(c, object, old, fixed, 1);
}

/* Checks that an address can receive traffic: it must not be unspecified,
 * loopback, link-local or multicast. */
static void
check_ip(struct yl_check *c, const struct yl_at *at)
{
    static const uint8_t zero[16], loopback[16] = { [15] = 1 };
    struct yl_str s = yl_at_str(c, at);
    const char *why = NULL;
    struct yl_ip ip;
    const uint8_t *b = ip.bytes;

    if (!yl_ip_parse(s, &ip)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be a valid IP address");
        return;
    }
    if (!memcmp(b, zero, ip.family == 4 ? 4 : 16)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "may not be unspecified (%.*s)", YL_STR_ARG(s));
    } else if (ip.family == 4 ? b[0] == 127 : !memcmp(b, loopback, 16)) {
        why = "may not be in the loopback range (127.0.0.0/8, ::1/128)";
    } else if (ip.family == 4 ? b[0] == 169 && b[1] == 254
                              : b[0] == 0xfe && (b[1] & 0xc0) == 0x80) {
        why = "may not be in the link-local range (169.254.0.0/16, "
              "fe80::/10)";
    } else if (ip.family == 4 ? b[0] == 224 && b[1] == 0 && b[2] == 0
                              : b[0] == 0xff && (b[1] & 0x0f) == 0x02) {
        why = "may not be in the link-local multicast range (224.0.0.0/24, "
              "ff02::/10)";
    }
    if (why) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s), "%s", why);
    }
}

static void
check_subset(struct yl_check *c, const struct yl_at *subset)
{
    struct yl_at addresses = yl_at(subset, "addresses");
    struct yl_at others = yl_at(subset, "notReadyAddresses");
    struct yl_at ports = yl_at(subset, "ports");

    if (!yl_at_count(&addresses) && !yl_at_count(&others)) {
        yl_field_required(c->err, yl_at_path(subset),
                          "must specify `addresses` or `notReadyAddresses`");
    }
    YL_CHECK_FOR_EACH (c, address, &addresses) {
        check_address(c, &address);
    }
    YL_CHECK_FOR_EACH (c, address, &others) {
        check_address(c, &address);
    }
    YL_CHECK_FOR_EACH (c, port, &ports) {
        check_port(c, &port, yl_at_count(&ports) > 1);
    }
}

static void
check_address(struct yl_check *c, const struct yl_at *address)
{
    struct yl_at ip = yl_at(address, "ip");
    struct yl_at host = yl_at(address, "hostname");
    struct yl_at node = yl_at(address, "nodeName");

    yl_check_ip(c, &ip);
    if (!yl_at_is(&host, "")) {
        yl_check_name(c, &host, YL_NAME_DNS1123_LABEL);
    }
    if (yl_at_has(&node)) {
        yl_check_name(c, &node, YL_NAME_DNS1123_SUBDOMAIN);
    }
    check_ip(c, &ip);
}

static void
check_port(struct yl_check *c, const struct yl_at *port, bool need_name)
{
    struct yl_at name = yl_at(port, "name");
    struct yl_at number = yl_at(port, "port");
    struct yl_at protocol = yl_at(port, "protocol");
    struct yl_at app = yl_at(port, "appProtocol");

    if (!yl_at_is(&name, "")) {
        yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    } else if (need_name) {
        yl_field_required(c->err, yl_at_path(&name), NULL);
    }
    yl_check_range(c, &number, 1, 65535);
    if (yl_check_required(c, &protocol)) {
        yl_check_one_of(c, &protocol, protocols);
    }
    if (yl_at_has(&app)) {
        yl_check_name(c, &app, YL_NAME_QUALIFIED);
    }
}

static void
check_slice_ports(struct yl_check *c, const struct yl_at *ports)
{
    struct yl_node *names = yl_node_new_object(c->arena);

    if (yl_at_count(ports) > MAX_PORTS) {
        yl_field_too_many(c->err, yl_at_path(ports),
                          (int64_t) yl_at_count(ports), MAX_PORTS);
        return;
    }
    YL_CHECK_FOR_EACH (c, port, ports) {
        struct yl_at name = yl_at(&port, "name");
        struct yl_at protocol = yl_at(&port, "protocol");
        struct yl_at app = yl_at(&port, "appProtocol");

        if (!yl_at_is(&name, "")) {
            yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
        }
        if (!yl_set_add(c->arena, names, yl_at_str(c, &name))) {
            yl_field_duplicate(c->err, yl_at_path(&name),
                               yl_bad_str(c, &name));
        }
        if (!yl_at_has(&protocol)) {
            yl_field_required(c->err, yl_at_path(&protocol), NULL);
        } else {
            yl_check_one_of(c, &protocol, protocols);
        }
        if (yl_at_has(&app)) {
            yl_check_name(c, &app, YL_NAME_QUALIFIED);
        }
    }
}

static void
check_slice_endpoints(struct yl_check *c, const struct yl_at *endpoints,
                      const struct yl_at *type)
{
    if (yl_at_count(endpoints) > MAX_ENDPOINTS) {
        yl_field_too_many(c->err, yl_at_path(endpoints),
                          (int64_t) yl_at_count(endpoints), MAX_ENDPOINTS);
        return;
    }
    YL_CHECK_FOR_EACH (c, endpoint, endpoints) {
        check_slice_endpoint(c, &endpoint, type);
    }
}

static void
check_slice_endpoint(struct yl_check *c, const struct yl_at *endpoint,
                     const struct yl_at *type)
{
    struct yl_at addresses = yl_at(endpoint, "addresses");
    struct yl_at node = yl_at(endpoint, "nodeName");
    struct yl_at host = yl_at(endpoint, "hostname");
    struct yl_at hints = yl_at(endpoint, "hints");
    struct yl_at zones = yl_at(&hints, "forZones");
    struct yl_at nodes = yl_at(&hints, "forNodes");

    if (!yl_at_count(&addresses)) {
        yl_field_required(c->err, yl_at_path(&addresses),
                          "must contain at least 1 address");
    } else if (yl_at_count(&addresses) > MAX_ADDRESSES) {
        yl_field_too_many(c->err, yl_at_path(&addresses),
                          (int64_t) yl_at_count(&addresses), MAX_ADDRESSES);
    }
    YL_CHECK_FOR_EACH (c, address, &addresses) {
        check_slice_address(c, &addresses, &address, type);
    }
    if (yl_at_has(&node)) {
        yl_check_name(c, &node, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_has(&host)) {
        yl_check_name(c, &host, YL_NAME_DNS1123_LABEL);
    }
    check_hints(c, &zones, YL_NAME_LABEL_VALUE);
    check_hints(c, &nodes, YL_NAME_DNS1123_SUBDOMAIN);
}

/* For an address of the wrong family the cause names the list, as in
 * upstream. */
static void
check_slice_address(struct yl_check *c, const struct yl_at *list,
                    const struct yl_at *address, const struct yl_at *type)
{
    bool is_v4 = yl_at_is(type, "IPv4"), is_v6 = yl_at_is(type, "IPv6");
    struct yl_str s = yl_at_str(c, address);
    struct yl_ip ip;

    if (yl_at_is(type, "FQDN")) {
        check_domain(c, address);
    } else if ((is_v4 || is_v6)
               && (is_v4 ? yl_check_ip(c, address)
                         : yl_check_ip_strict(c, address))
               && yl_ip_parse(s, &ip)) {
        if (ip.family != (is_v4 ? 4 : 6)) {
            yl_field_invalid(c->err, yl_at_path(list), yl_bad_string(s),
                             "must be an %s address",
                             is_v4 ? "IPv4" : "IPv6");
        }
        check_ip(c, address);
    }
}

/* A domain name with at least one dot, and possibly one at its end. */
static void
check_domain(struct yl_check *c, const struct yl_at *address)
{
    struct yl_str s = yl_at_str(c, address);

    if (!yl_check_required(c, address)) {
        return;
    }
    if (s.data[s.size - 1] == '.') {
        s.size--;
    }
    if (yl_check_name_of(c, yl_at_path(address), YL_NAME_DNS1123_SUBDOMAIN, s)
        && !yl_str_find_char(s, '.')) {
        yl_field_invalid(c->err, yl_at_path(address), yl_bad_string(s),
                         "should be a domain with at least two segments "
                         "separated by dots");
    }
}

static void
check_hints(struct yl_check *c, const struct yl_at *list,
            enum yl_name_rule name_rule)
{
    struct yl_node *names = yl_node_new_object(c->arena);

    if (yl_at_count(list) > MAX_HINTS) {
        yl_field_too_many(c->err, yl_at_path(list),
                          (int64_t) yl_at_count(list), MAX_HINTS);
        return;
    }
    YL_CHECK_FOR_EACH (c, hint, list) {
        struct yl_at name = yl_at(&hint, "name");

        if (!yl_set_add(c->arena, names, yl_at_str(c, &name))) {
            yl_field_duplicate(c->err, yl_at_path(&name),
                               yl_bad_str(c, &name));
        }
        yl_check_name(c, &name, name_rule);
    }
}
