/* Validation of Service.
 *
 * Values that the server allocates, an address and ports, may still be absent
 * here. */

#include "builtin/network/service.h"

#include <inttypes.h>

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/network/ip.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"

#define ONLY_BALANCED "may only be used when `type` is 'LoadBalancer'"
#define HINTS "service.kubernetes.io/topology-aware-hints"
#define MODE "service.kubernetes.io/topology-mode"
#define RANGES "service.beta.kubernetes.io/load-balancer-source-ranges"
#define MAX_AFFINITY 86400      /* Seconds. */

static void check_topology(struct yl_check *, const struct yl_at *metadata);
static void check_type(struct yl_check *, const struct yl_at *spec);
static void check_external_name(struct yl_check *, const struct yl_at *spec);
static void check_ports(struct yl_check *, const struct yl_at *spec);
static void check_ports_unique(struct yl_check *, const struct yl_at *spec);
static void check_affinity(struct yl_check *, const struct yl_at *spec);
static void check_ip_families(struct yl_check *, const struct yl_at *spec);
static bool check_ip_list(struct yl_check *, const struct yl_at *ips);
static void check_external_ips(struct yl_check *, const struct yl_at *ips);
static void check_balancer(struct yl_check *, const struct yl_at *root,
                           const struct yl_at *spec);
static void check_source_ranges(struct yl_check *, const struct yl_at *root,
                                const struct yl_at *spec);
static void check_traffic(struct yl_check *, const struct yl_at *spec);
static bool is_headless(const struct yl_at *spec);

void
yl_service_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_object(object, "spec");

    yl_member_drop(object, "status");
    if (!yl_member_is_zero(spec, "clusterIP")
        && yl_member_is_zero(spec, "clusterIPs")) {
        struct yl_node *list = yl_node_new_array(arena);

        yl_node_append(list, yl_node_copy(arena, yl_node_get(
            spec, YL_STR("clusterIP"))));
        yl_member_set(arena, spec, "clusterIPs", list);
    }
}

void
yl_service_validate(struct yl_check *c, const struct yl_node *object)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_LABEL, true, false };

    yl_check_object_meta(c, object, &rule);
    yl_service_check_rest(c, object);
}

void
yl_service_check_rest(struct yl_check *c, const struct yl_node *object)
{
    static const char *const types[] = { "ClusterIP", "ExternalName",
                                         "LoadBalancer", "NodePort", NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at ports = yl_at(&spec, "ports");
    struct yl_at type = yl_at(&spec, "type");
    struct yl_at selector = yl_at(&spec, "selector");
    struct yl_at external = yl_at(&spec, "externalIPs");

    check_topology(c, &metadata);
    if (!yl_at_count(&ports) && !is_headless(&spec)
        && !yl_at_is(&type, "ExternalName")) {
        yl_field_required(c->err, yl_at_path(&ports), NULL);
    }
    check_type(c, &spec);
    check_ports(c, &spec);
    yl_check_labels(c, &selector);
    check_affinity(c, &spec);
    yl_service_check_addresses(c, &spec);
    check_external_ips(c, &external);
    if (yl_check_required(c, &type)) {
        yl_check_one_of(c, &type, types);
    }
    check_ports_unique(c, &spec);
    check_balancer(c, &root, &spec);
    check_traffic(c, &spec);
}

void
yl_service_check_addresses(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at one = yl_at(spec, "clusterIP");
    struct yl_at ips = yl_at(spec, "clusterIPs");
    struct yl_at first = yl_at_first(&ips);
    struct yl_at families = yl_at(spec, "ipFamilies");
    struct yl_at family;

    if (yl_at_get_is(spec, "type", "ExternalName")) {
        return;
    }
    if (yl_at_is(&one, "")) {
        if (yl_at_count(&ips)) {
            yl_field_invalid(c->err, yl_at_path(&ips), yl_bad_at(&ips),
                             "must be empty when `clusterIP` is not "
                             "specified");
        }
    } else if (!yl_at_count(&ips)) {
        yl_field_required(c->err, yl_at_path(&ips), NULL);
    } else if (!yl_str_equal(yl_at_str(c, &first), yl_at_str(c, &one))) {
        yl_field_invalid(c->err, yl_at_path(&ips), yl_bad_at(&ips),
                         "first value must match `clusterIP`");
    }
    check_ip_families(c, spec);
    if (!check_ip_list(c, &ips) || is_headless(spec)) {
        return;
    }
    family = yl_at_first(&families);
    YL_CHECK_FOR_EACH (c, ip, &ips) {
        struct yl_ip parsed;

        if (!yl_at_has(&family)
            || !yl_ip_parse(yl_at_str(c, &ip), &parsed)) {
            break;
        }
        if ((yl_at_is(&family, "IPv4") && parsed.family == 6)
            || (yl_at_is(&family, "IPv6") && parsed.family == 4)) {
            yl_field_invalid(c->err, yl_at_path(&ip), yl_bad_str(c, &ip),
                             "expected an %.*s value as indicated by "
                             "`ipFamilies[%zu]`",
                             YL_STR_ARG(yl_at_str(c, &family)),
                             ip.path.index);
        }
        yl_at_next(&family);
    }
}

static void
check_topology(struct yl_check *c, const struct yl_at *metadata)
{
    struct yl_at annotations = yl_at(metadata, "annotations");
    struct yl_at hints = yl_at(&annotations, HINTS);
    struct yl_at mode = yl_at(&annotations, MODE);
    struct yl_field_path path =
        yl_field_key(yl_at_path(&annotations), YL_STR(MODE));

    if (yl_at_has(&hints) && yl_at_has(&mode)
        && !yl_str_equal(yl_at_str(c, &hints), yl_at_str(c, &mode))) {
        yl_field_invalid(c->err, &path, yl_bad_str(c, &mode),
                         "must match annotations[" HINTS "] when both are "
                         "specified");
    }
}

static void
check_type(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at type = yl_at(spec, "type");
    struct yl_at ips = yl_at(spec, "clusterIPs");

    if (yl_at_is(&type, "ExternalName")) {
        check_external_name(c, spec);
    } else if ((yl_at_is(&type, "LoadBalancer")
                || yl_at_is(&type, "NodePort")) && is_headless(spec)) {
        struct yl_at first = yl_at_first(&ips);

        yl_field_invalid(c->err, yl_at_path(&first), yl_bad_str(c, &first),
                         "may not be set to 'None' for %.*s services",
                         YL_STR_ARG(yl_at_str(c, &type)));
    }
}

static void
check_external_name(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const fields[] = { "clusterIPs", "ipFamilies",
                                          "ipFamilyPolicy" };
    struct yl_at at = yl_at(spec, "externalName");
    struct yl_str name = yl_at_str(c, &at);
    size_t i;

    for (i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct yl_at field = yl_at(spec, fields[i]);

        if (yl_at_has(&field) && (i == 2 || yl_at_count(&field))) {
            yl_field_forbidden(c->err, yl_at_path(&field),
                               "may not be set for ExternalName services");
        }
    }
    if (yl_str_ends_with(name, YL_STR("."))) {
        name.size--;
    }
    if (!name.size) {
        yl_field_required(c->err, yl_at_path(&at), NULL);
    } else {
        yl_check_name_of(c, yl_at_path(&at), YL_NAME_DNS1123_SUBDOMAIN, name);
    }
}

static void
check_ports(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const protocols[] = { "SCTP", "TCP", "UDP", NULL };
    struct yl_at ports = yl_at(spec, "ports");
    struct yl_node *names = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, port, &ports) {
        struct yl_at name = yl_at(&port, "name");
        struct yl_at number = yl_at(&port, "port");
        struct yl_at protocol = yl_at(&port, "protocol");
        struct yl_at target = yl_at(&port, "targetPort");
        struct yl_at app = yl_at(&port, "appProtocol");
        struct yl_str s = yl_at_str(c, &name);

        if (s.size) {
            yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
            if (!yl_set_add(c->arena, names, s)) {
                yl_field_duplicate(c->err, yl_at_path(&name),
                                   yl_bad_string(s));
            }
        } else if (yl_at_count(&ports) > 1) {
            yl_field_required(c->err, yl_at_path(&name), NULL);
        }
        yl_check_range(c, &number, 1, 65535);
        if (yl_check_required(c, &protocol)) {
            yl_check_one_of(c, &protocol, protocols);
        }
        yl_check_port(c, &target);
        if (yl_at_has(&app)) {
            yl_check_name(c, &app, YL_NAME_QUALIFIED);
        }
    }
}

static void
check_ports_unique(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at ports = yl_at(spec, "ports");
    struct yl_node *node_ports = yl_node_new_object(c->arena);
    struct yl_node *numbers = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, port, &ports) {
        struct yl_at node_port = yl_at(&port, "nodePort");

        if (yl_at_int(&node_port) && yl_at_get_is(spec, "type", "ClusterIP")) {
            yl_field_forbidden(c->err, yl_at_path(&node_port),
                               "may not be used when `type` is 'ClusterIP'");
        }
    }
    YL_CHECK_FOR_EACH (c, port, &ports) {
        struct yl_at node_port = yl_at(&port, "nodePort");
        struct yl_str protocol = yl_at_get_str(c, &port, "protocol");
        int64_t n = yl_at_int(&node_port);

        if (n && !yl_set_add(c->arena, node_ports, yl_str_c(yl_arena_printf(
                c->arena, "%.*s/%" PRId64, YL_STR_ARG(protocol), n)))) {
            yl_field_duplicate(c->err, yl_at_path(&node_port), yl_bad_int(n));
        }
    }
    YL_CHECK_FOR_EACH (c, port, &ports) {
        struct yl_str protocol = yl_at_get_str(c, &port, "protocol");
        int64_t n = yl_at_get_int(&port, "port");

        if (!yl_set_add(c->arena, numbers, yl_str_c(yl_arena_printf(
                c->arena, "%.*s/%" PRId64, YL_STR_ARG(protocol), n)))) {
            struct yl_node *shown = yl_node_new_object(c->arena);

            /* Upstream compares, and shows, ports of these two fields. */
            yl_member_keep(c->arena, shown, port.node, "protocol");
            yl_member_keep(c->arena, shown, port.node, "port");
            yl_field_duplicate(c->err, yl_at_path(&port),
                               yl_bad_struct(c, shown,
                                             YL_GO(core_v1, service_port)));
        }
    }
}

static void
check_affinity(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const kinds[] = { "ClientIP", "None", NULL };
    struct yl_at affinity = yl_at(spec, "sessionAffinity");
    struct yl_at config = yl_at(spec, "sessionAffinityConfig");
    struct yl_at client = yl_at(&config, "clientIP");
    struct yl_at timeout = yl_at(&client, "timeoutSeconds");
    const struct yl_at *missing = !yl_at_has(&config) ? &config
                                  : !yl_at_has(&client) ? &client
                                  : !yl_at_has(&timeout) ? &timeout : NULL;
    int64_t n = yl_at_int(&timeout);

    if (yl_check_required(c, &affinity)) {
        yl_check_one_of(c, &affinity, kinds);
    }
    if (yl_at_is(&affinity, "None") && yl_at_has(&config)) {
        yl_field_forbidden(c->err, yl_at_path(&config),
                           "must not be set when session affinity is None");
    }
    if (!yl_at_is(&affinity, "ClientIP")) {
        return;
    }
    if (missing) {
        yl_field_required(c->err, yl_at_path(missing),
                          "when session affinity type is ClientIP");
    } else if (n <= 0 || n > MAX_AFFINITY) {
        yl_field_invalid(c->err, yl_at_path(&timeout), yl_bad_int(n),
                         "must be greater than 0 and less than %d",
                         MAX_AFFINITY);
    }
}

static void
check_ip_families(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const supported[] = { "IPv4", "IPv6", NULL };
    static const char *const policies[] = { "PreferDualStack",
                                            "RequireDualStack", "SingleStack",
                                            NULL };
    struct yl_at families = yl_at(spec, "ipFamilies");
    struct yl_at policy = yl_at(spec, "ipFamilyPolicy");
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, family, &families) {
        yl_check_one_of(c, &family, supported);
        if (!yl_set_add(c->arena, seen, yl_at_str(c, &family))) {
            yl_field_duplicate(c->err, yl_at_path(&family),
                               yl_bad_str(c, &family));
        }
    }
    if (yl_at_has(&policy)) {
        yl_check_one_of(c, &policy, policies);
    }
}

/* Returns false if one of them is not an address. */
static bool
check_ip_list(struct yl_check *c, const struct yl_at *ips)
{
    bool good = true;
    int families = 0;

    YL_CHECK_FOR_EACH (c, ip, ips) {
        struct yl_ip parsed;

        if (!ip.path.index && yl_at_is(&ip, "None")) {
            if (yl_at_count(ips) > 1) {
                good = false;
                yl_field_invalid(c->err, yl_at_path(ips), yl_bad_at(ips),
                                 "'None' must be the first and only value");
            }
            continue;
        }
        good &= yl_check_ip(c, &ip);
        if (yl_ip_parse(yl_at_str(c, &ip), &parsed)) {
            families |= parsed.family == 4 ? 1 : 2;
        }
    }
    if (yl_at_count(ips) > 2) {
        yl_field_invalid(c->err, yl_at_path(ips), yl_bad_at(ips),
                         "may only hold up to 2 values");
    }
    if (good && yl_at_count(ips) > 1 && families != 3) {
        yl_field_invalid(c->err, yl_at_path(ips), yl_bad_at(ips),
                         "may specify no more than one IP for each IP "
                         "family");
    }
    return good;
}

static void
check_external_ips(struct yl_check *c, const struct yl_at *ips)
{
    YL_CHECK_FOR_EACH (c, ip, ips) {
        static const uint8_t zeros[16];
        struct yl_str s = yl_at_str(c, &ip);
        const char *fault = NULL;
        struct yl_ip a;
        bool v4;

        if (!yl_check_ip(c, &ip) || !yl_ip_parse(s, &a)) {
            continue;
        }
        v4 = a.family == 4;
        if (!memcmp(a.bytes, zeros, v4 ? 4 : 16)) {
            yl_field_invalid(c->err, yl_at_path(&ip), yl_bad_string(s),
                             "may not be unspecified (%.*s)", YL_STR_ARG(s));
        } else if (v4 ? a.bytes[0] == 127
                      : !memcmp(a.bytes, zeros, 15) && a.bytes[15] == 1) {
            fault = "may not be in the loopback range (127.0.0.0/8, "
                    "::1/128)";
        } else if (v4 ? a.bytes[0] == 169 && a.bytes[1] == 254
                      : a.bytes[0] == 0xfe && (a.bytes[1] & 0xc0) == 0x80) {
            fault = "may not be in the link-local range (169.254.0.0/16, "
                    "fe80::/10)";
        } else if (v4 ? a.bytes[0] == 224 && !a.bytes[1] && !a.bytes[2]
                      : a.bytes[0] == 0xff && (a.bytes[1] & 0x0f) == 2) {
            fault = "may not be in the link-local multicast range "
                    "(224.0.0.0/24, ff02::/10)";
        }
        if (fault) {
            yl_field_invalid(c->err, yl_at_path(&ip), yl_bad_string(s), "%s",
                             fault);
        }
    }
}

static void
check_balancer(struct yl_check *c, const struct yl_at *root,
               const struct yl_at *spec)
{
    bool balanced = yl_at_get_is(spec, "type", "LoadBalancer");
    struct yl_at allocate = yl_at(spec, "allocateLoadBalancerNodePorts");
    struct yl_at shown =
        yl_at_node(root, "allocateLoadBalancerNodePorts", NULL);
    struct yl_at class = yl_at(spec, "loadBalancerClass");

    check_source_ranges(c, root, spec);
    if (yl_at_has(&allocate) && !balanced) {
        yl_field_forbidden(c->err, yl_at_path(&allocate), ONLY_BALANCED);
    }
    if (!yl_at_has(&allocate) && balanced) {
        yl_field_required(c->err, yl_at_path(&shown), NULL);
    }
    if (yl_at_has(&class) && balanced) {
        yl_check_name(c, &class, YL_NAME_QUALIFIED);
    } else if (yl_at_has(&class)) {
        yl_field_forbidden(c->err, yl_at_path(&class), ONLY_BALANCED);
    }
}

static void
check_source_ranges(struct yl_check *c, const struct yl_at *root,
                    const struct yl_at *spec)
{
    bool balanced = yl_at_get_is(spec, "type", "LoadBalancer");
    struct yl_at list = yl_at(spec, "loadBalancerSourceRanges");
    struct yl_at ranges =
        yl_at_node(spec, "LoadBalancerSourceRanges", list.node);
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at annotation = yl_at(&annotations, RANGES);
    struct yl_str rest = yl_str_trim(yl_at_str(c, &annotation)), part;
    bool more = rest.size != 0;

    if (yl_at_count(&ranges)) {
        if (!balanced) {
            yl_field_forbidden(c->err, yl_at_path(&ranges), ONLY_BALANCED);
        }
        YL_CHECK_FOR_EACH (c, range, &ranges) {
            struct yl_at trimmed = range;

            trimmed.node = yl_node_new_string(
                c->arena, yl_str_trim(yl_at_str(c, &range)));
            yl_check_cidr(c, &trimmed);
        }
        return;
    }
    if (!yl_at_has(&annotation)) {
        return;
    }
    annotation.path = yl_field_key(yl_at_path(&annotations), YL_STR(RANGES));
    if (!balanced) {
        yl_field_forbidden(c->err, yl_at_path(&annotation), ONLY_BALANCED);
    }
    while (more) {
        part = rest;
        more = yl_str_cut(rest, ',', &part, &rest);
        annotation.node = yl_node_new_string(c->arena, yl_str_trim(part));
        yl_check_cidr(c, &annotation);
    }
}

static void
check_traffic(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const policies[] = { "Cluster", "Local", NULL };
    static const char *const spreads[] = { "PreferClose", "PreferSameZone",
                                           "PreferSameNode", NULL };
    struct yl_at type = yl_at(spec, "type");
    struct yl_at ips = yl_at(spec, "externalIPs");
    struct yl_at external = yl_at(spec, "externalTrafficPolicy");
    struct yl_at internal = yl_at(spec, "internalTrafficPolicy");
    struct yl_at health = yl_at(spec, "healthCheckNodePort");
    struct yl_at spread = yl_at(spec, "trafficDistribution");
    bool balanced = yl_at_is(&type, "LoadBalancer");
    bool node_port = yl_at_is(&type, "NodePort");
    bool cluster = yl_at_is(&type, "ClusterIP");

    if (balanced || node_port || (cluster && yl_at_count(&ips))) {
        if (yl_check_required(c, &external)) {
            yl_check_one_of(c, &external, policies);
        }
    } else if (!yl_at_is(&external, "")) {
        yl_field_invalid(c->err, yl_at_path(&external),
                         yl_bad_str(c, &external),
                         "may only be set for externally-accessible "
                         "services");
    }
    if (yl_at_int(&health) && balanced && yl_at_is(&external, "Local")) {
        yl_check_range(c, &health, 1, 65535);
    } else if (yl_at_int(&health)) {
        yl_field_invalid(c->err, yl_at_path(&health),
                         yl_bad_int(yl_at_int(&health)),
                         "may only be set when `type` is 'LoadBalancer' and "
                         "`externalTrafficPolicy` is 'Local'");
    }
    if (yl_at_has(&internal)) {
        yl_check_one_of(c, &internal, policies);
    } else if (balanced || node_port || cluster) {
        yl_field_required(c->err, yl_at_path(&internal), NULL);
    }
    if (yl_at_has(&spread)) {
        yl_check_one_of(c, &spread, spreads);
    }
}

static bool
is_headless(const struct yl_at *spec)
{
    struct yl_at ips = yl_at(spec, "clusterIPs");
    struct yl_at first = yl_at_first(&ips);

    return yl_at_count(&ips) == 1 && yl_at_is(&first, "None");
}
