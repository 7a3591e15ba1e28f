/* Updates of Services, and writes to their status. */

#include "builtin/network/service.h"

#include "builtin/common/meta.h"
#include "builtin/network/ip.h"
#include "builtin/rows.h"

#define FIXED "may not change once set"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_LABEL, true, false };

static bool has_address(const struct yl_at *spec);
static bool has_node_port(const struct yl_at *spec);
static bool has_health_check(const struct yl_at *spec);
static bool is_reachable(const struct yl_at *spec);
static bool is_headless(const struct yl_at *spec);
static bool same(const struct yl_at *a, const struct yl_at *b,
                 const char *name);
static bool same_addresses(const struct yl_at *a, const struct yl_at *b);
static void keep_addresses(struct yl_arena *, struct yl_node *spec,
                           const struct yl_node *old);
static void agree(struct yl_arena *, struct yl_node *spec,
                  const struct yl_node *old);
static void keep_node_ports(struct yl_arena *, struct yl_node *spec,
                            const struct yl_node *old);
static struct yl_node *node_ports(struct yl_arena *,
                                  const struct yl_node *spec);
static struct yl_str port_key(struct yl_arena *, const struct yl_node *port);
static void drop_unused(struct yl_arena *, struct yl_node *spec,
                        const struct yl_node *old);
static void check_list_change(struct yl_check *, const struct yl_at *spec,
                              const struct yl_at *then, const char *name);
static void check_ingress(struct yl_check *, const struct yl_at *ingress);

void
yl_service_keep_allocated(struct yl_arena *arena, struct yl_node *object,
                          const struct yl_node *old)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *before = yl_member_object(old, "spec");
    struct yl_at now = yl_at_root(spec), then = yl_at_root(before);

    if (!spec || !before) {
        return;
    }
    if (has_address(&then) && has_address(&now)) {
        keep_addresses(arena, spec, before);
    }
    if (has_node_port(&then) && has_node_port(&now)) {
        keep_node_ports(arena, spec, before);
    }
    if (has_health_check(&then) && has_health_check(&now)
        && yl_member_is_zero(spec, "healthCheckNodePort")) {
        yl_member_keep(arena, spec, before, "healthCheckNodePort");
    }
    agree(arena, spec, before);
}

/* Drops fields that the new type does not use, unless the client sets them. */
void
yl_service_prepare_update(struct yl_arena *arena, struct yl_node *object,
                          const struct yl_node *old)
{
    struct yl_node *spec;
    struct yl_at now;

    yl_service_keep_allocated(arena, object, old);
    spec = yl_member_object(object, "spec");
    drop_unused(arena, spec, yl_member_object(old, "spec"));
    now = yl_at_root(spec);
    if (!yl_at_get_is(&now, "type", "LoadBalancer")) {
        yl_member_set(arena, yl_member_make(arena, object, "status"),
                      "loadBalancer", yl_node_new_object(arena));
    }
}

void
yl_service_validate_update(struct yl_check *c, const struct yl_node *object,
                           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at class = yl_at(&spec, "loadBalancerClass");
    struct yl_at port = yl_at(&spec, "healthCheckNodePort");
    bool external = yl_at_get_is(&spec, "type", "ExternalName")
                    || yl_at_get_is(&then, "type", "ExternalName");

    yl_check_object_meta_update(c, object, old, &rule);
    if (!external && (!is_headless(&spec) || !is_headless(&then))) {
        check_list_change(c, &spec, &then, "clusterIPs");
    }
    if (!external && !is_headless(&spec) && !is_headless(&then)) {
        check_list_change(c, &spec, &then, "ipFamilies");
    }
    if (yl_at_get_is(&spec, "type", "LoadBalancer")
        && yl_at_get_is(&then, "type", "LoadBalancer")
        && !same(&spec, &then, "loadBalancerClass")) {
        yl_field_invalid(c->err, yl_at_path(&class), yl_bad_at(&class),
                         FIXED);
    }
    if (yl_at_has(&class) && yl_at_get_is(&spec, "type", "LoadBalancer")) {
        yl_check_name(c, &class, YL_NAME_QUALIFIED);
    } else if (yl_at_has(&class)) {
        yl_field_forbidden(c->err, yl_at_path(&class),
                           "may only be used when `type` is "
                           "'LoadBalancer'");
    }
    if (has_health_check(&spec) && has_health_check(&then)
        && yl_at_int(&port) != yl_at_get_int(&then, "healthCheckNodePort")) {
        yl_field_forbidden(c->err, yl_at_path(&port), YL_IMMUTABLE);
    }
    yl_service_check_rest(c, object);
}

void
yl_service_validate_status(struct yl_check *c, const struct yl_node *object,
                           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at balancer = yl_at(&status, "loadBalancer");
    struct yl_at list = yl_at(&balancer, "ingress");

    yl_check_object_meta_update(c, object, old, &rule);
    if (!yl_at_get_is(&spec, "type", "LoadBalancer") && yl_at_count(&list)) {
        yl_field_forbidden(c->err, yl_at_path(&list),
                           "may only be used when `spec.type` is "
                           "'LoadBalancer'");
        return;
    }
    YL_CHECK_FOR_EACH (c, ingress, &list) {
        check_ingress(c, &ingress);
    }
}

static bool
has_address(const struct yl_at *spec)
{
    return !yl_at_get_is(spec, "type", "ExternalName");
}

static bool
has_node_port(const struct yl_at *spec)
{
    return yl_at_get_is(spec, "type", "NodePort")
           || yl_at_get_is(spec, "type", "LoadBalancer");
}

static bool
has_health_check(const struct yl_at *spec)
{
    return yl_at_get_is(spec, "type", "LoadBalancer")
           && yl_at_get_is(spec, "externalTrafficPolicy", "Local");
}

/* Whether the Service can be reached from outside of the cluster. */
static bool
is_reachable(const struct yl_at *spec)
{
    struct yl_at ips = yl_at(spec, "externalIPs");

    return has_node_port(spec)
           || (yl_at_get_is(spec, "type", "ClusterIP") && yl_at_count(&ips));
}

static bool
is_headless(const struct yl_at *spec)
{
    struct yl_at ips = yl_at(spec, "clusterIPs");
    struct yl_at first = yl_at_first(&ips);

    return yl_at_count(&ips) == 1 && yl_at_is(&first, "None");
}

static bool
same(const struct yl_at *a, const struct yl_at *b, const char *name)
{
    struct yl_at x = yl_at(a, name), y = yl_at(b, name);

    return yl_node_same(x.node, y.node);
}

static bool
same_addresses(const struct yl_at *a, const struct yl_at *b)
{
    return same(a, b, "clusterIP") && same(a, b, "clusterIPs");
}

static void
keep_addresses(struct yl_arena *arena, struct yl_node *spec,
               const struct yl_node *old)
{
    if (yl_member_is_zero(spec, "clusterIP")) {
        yl_member_keep(arena, spec, old, "clusterIP");
    }
    if (yl_member_is_zero(spec, "clusterIPs")) {
        yl_member_keep(arena, spec, old, "clusterIPs");
    }
}

/* If a client has changed only clusterIP, because it does not know clusterIPs,
 * the latter is made to agree. */
static void
agree(struct yl_arena *arena, struct yl_node *spec, const struct yl_node *old)
{
    struct yl_at now = yl_at_root(spec), then = yl_at_root(old);
    struct yl_node *list;

    if (same(&now, &then, "clusterIP")
        || !same(&now, &then, "clusterIPs")) {
        return;
    }
    yl_member_drop(spec, "clusterIPs");
    if (!yl_member_is_zero(spec, "clusterIP")) {
        list = yl_node_new_array(arena);
        yl_node_append(list, yl_node_copy(arena, yl_node_get(
            spec, YL_STR("clusterIP"))));
        yl_member_set(arena, spec, "clusterIPs", list);
    }
}

/* A port without a node port gets that of the old port of the same name,
 * unless another port uses it now. */
static void
keep_node_ports(struct yl_arena *arena, struct yl_node *spec,
                const struct yl_node *old)
{
    struct yl_node *used = node_ports(arena, spec);
    struct yl_node *by_name = yl_node_new_object(arena), *port;
    struct yl_check c = { arena, NULL };

    YL_MEMBER_EACH (port, old, "ports") {
        struct yl_at at = yl_at_root(port);

        yl_node_set(arena, by_name, yl_at_get_str(&c, &at, "name"),
                    yl_node_copy(arena, port));
    }
    YL_MEMBER_EACH (port, spec, "ports") {
        struct yl_at at = yl_at_root(port);
        struct yl_node *was =
            yl_node_get(by_name, yl_at_get_str(&c, &at, "name"));

        if (was && yl_member_is_zero(port, "nodePort")
            && !yl_member_is_zero(was, "nodePort")
            && !yl_node_get(used, port_key(arena, was))) {
            yl_member_keep(arena, port, was, "nodePort");
        }
    }
}

/* The set of node ports. */
static struct yl_node *
node_ports(struct yl_arena *arena, const struct yl_node *spec)
{
    struct yl_node *set = yl_node_new_object(arena), *port;

    YL_MEMBER_EACH (port, spec, "ports") {
        if (!yl_member_is_zero(port, "nodePort")) {
            yl_node_set(arena, set, port_key(arena, port),
                        yl_node_new_null(arena));
        }
    }
    return set;
}

static struct yl_str
port_key(struct yl_arena *arena, const struct yl_node *port)
{
    struct yl_at at = yl_at_root(port);

    return yl_str_c(yl_arena_printf(
        arena, "%lld", (long long) yl_at_get_int(&at, "nodePort")));
}

static void
drop_unused(struct yl_arena *arena, struct yl_node *spec,
            const struct yl_node *old)
{
    struct yl_at now = yl_at_root(spec), then = yl_at_root(old);
    bool was_balanced = yl_at_get_is(&then, "type", "LoadBalancer");
    bool balanced = yl_at_get_is(&now, "type", "LoadBalancer");
    struct yl_node *ports, *port, *known;
    bool none_new = true;

    if (has_address(&then) && !has_address(&now)) {
        if (same_addresses(&now, &then)) {
            yl_member_drop(spec, "clusterIP");
            yl_member_drop(spec, "clusterIPs");
        }
        if (same(&now, &then, "ipFamilies")) {
            yl_member_drop(spec, "ipFamilies");
        }
        if (same(&now, &then, "ipFamilyPolicy")) {
            yl_member_drop(spec, "ipFamilyPolicy");
        }
    }
    if (has_node_port(&then) && !has_node_port(&now)) {
        known = node_ports(arena, old);
        ports = node_ports(arena, spec);
        YL_NODE_FOR_EACH (port, ports) {
            none_new = none_new && yl_node_get(known, yl_node_key(port));
        }
        YL_MEMBER_EACH (port, spec, "ports") {
            if (none_new) {
                yl_member_drop(port, "nodePort");
            }
        }
    }
    if (has_health_check(&then) && !has_health_check(&now)
        && same(&now, &then, "healthCheckNodePort")) {
        yl_member_drop(spec, "healthCheckNodePort");
    }
    if (was_balanced && !balanced) {
        if (same(&now, &then, "allocateLoadBalancerNodePorts")) {
            yl_member_drop(spec, "allocateLoadBalancerNodePorts");
        }
        if (same(&now, &then, "loadBalancerClass")) {
            yl_member_drop(spec, "loadBalancerClass");
        }
    }
    if (!has_address(&now)
        && (yl_at_get_is(&now, "internalTrafficPolicy", "Cluster")
            || yl_at_get_is(&now, "internalTrafficPolicy", "Local"))) {
        yl_member_drop(spec, "internalTrafficPolicy");
    }
    if (is_reachable(&then) && !is_reachable(&now)
        && same(&now, &then, "externalTrafficPolicy")) {
        yl_member_drop(spec, "externalTrafficPolicy");
    }
}

/* The first address and family cannot change; a second one may be added or
 * removed.  In one error about families upstream shows the addresses. */
static void
check_list_change(struct yl_check *c, const struct yl_at *spec,
                  const struct yl_at *then, const char *name)
{
    bool is_ips = name[0] == 'c';
    struct yl_at now = yl_at(spec, name), was = yl_at(then, name);
    struct yl_at ips = yl_at(spec, "clusterIPs");
    struct yl_at policy = yl_at(spec, "ipFamilyPolicy");
    struct yl_at a = yl_at_first(&now), b = yl_at_first(&was);
    size_t n = yl_at_count(&now), n_old = yl_at_count(&was);
    size_t i;

    if (n == n_old) {
        for (i = 0; i < n; i++) {
            struct yl_field_path path =
                yl_field_index(yl_at_path(&now), is_ips ? i : 0);

            if (!yl_node_same(a.node, b.node)) {
                yl_field_invalid(c->err, &path, yl_bad_at(&now), FIXED);
            }
            yl_at_next(&a);
            yl_at_next(&b);
        }
        return;
    }
    if (n < n_old && !yl_at_count(&ips)) {
        struct yl_field_path path = yl_field_index(yl_at_path(&now), 0);

        yl_field_invalid(c->err, &path, yl_bad_at(&now),
                         "primary %s can not be unset",
                         is_ips ? "clusterIP" : "ipFamily");
    }
    if (n && n_old && !yl_node_same(a.node, b.node)) {
        yl_field_invalid(c->err, yl_at_path(&a), yl_bad_at(&ips),
                         FIXED);
    }
    if (n == 1 && n_old > 1 && !yl_at_is(&policy, "SingleStack")) {
        yl_field_invalid(c->err, yl_at_path(&policy),
                         yl_bad_at(&policy),
                         "must be set to 'SingleStack' when releasing the "
                         "secondary %s", is_ips ? "clusterIP" : "ipFamily");
    }
}

static void
check_ingress(struct yl_check *c, const struct yl_at *ingress)
{
    static const char *const modes[] = { "Proxy", "VIP", NULL };
    struct yl_at ip = yl_at(ingress, "ip");
    struct yl_at mode = yl_at(ingress, "ipMode");
    struct yl_at host = yl_at(ingress, "hostname");
    struct yl_ip address;

    if (!yl_at_is(&ip, "")) {
        yl_check_ip(c, &ip);
    }
    if (!yl_at_has(&mode)) {
        if (!yl_at_is(&ip, "")) {
            yl_field_required(c->err, yl_at_path(&mode),
                              "must be specified when `ip` is set");
        }
    } else if (yl_at_is(&ip, "")) {
        yl_field_forbidden(c->err, yl_at_path(&mode),
                           "may not be specified when `ip` is not set");
    } else {
        yl_check_one_of(c, &mode, modes);
    }
    if (!yl_at_is(&host, "")) {
        yl_check_name(c, &host, YL_NAME_DNS1123_SUBDOMAIN);
        if (yl_ip_parse(yl_at_str(c, &host), &address)) {
            yl_field_invalid(c->err, yl_at_path(&host), yl_bad_str(c, &host),
                             "must be a DNS name, not an IP address");
        }
    }
}
