/* Defaults of Service. */

#include "builtin/network/service.h"

#include "builtin/rows.h"
#include "json/member.h"
#include "schema/at.h"

static void default_ports(struct yl_arena *, struct yl_node *spec);
static void default_affinity(struct yl_arena *, struct yl_node *spec);
static void default_ip_mode(struct yl_arena *, struct yl_node *object);

/* How long a client is sent to the same endpoint [three hours]. */
#define AFFINITY_SECONDS 10800

void
yl_service_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_at at = yl_at_root(spec);
    struct yl_at ips;
    bool balanced, node_port;

    yl_member_default_str(arena, spec, "sessionAffinity", "None");
    default_affinity(arena, spec);
    yl_member_default_str(arena, spec, "type", "ClusterIP");
    default_ports(arena, spec);
    balanced = yl_at_get_is(&at, "type", "LoadBalancer");
    node_port = yl_at_get_is(&at, "type", "NodePort");
    ips = yl_at(&at, "externalIPs");
    if (balanced || node_port
        || (yl_at_get_is(&at, "type", "ClusterIP") && yl_at_count(&ips))) {
        yl_member_default_str(arena, spec, "externalTrafficPolicy", "Cluster");
    }
    if (balanced || node_port || yl_at_get_is(&at, "type", "ClusterIP")) {
        yl_member_default_str_ptr(arena, spec, "internalTrafficPolicy",
                                  "Cluster");
    }
    if (balanced) {
        yl_member_default_bool_ptr(arena, spec,
                                   "allocateLoadBalancerNodePorts", true);
        default_ip_mode(arena, object);
    }
}

static void
default_affinity(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_at at = yl_at_root(spec);
    struct yl_node *config = yl_member_object(spec, "sessionAffinityConfig");

    if (yl_at_get_is(&at, "sessionAffinity", "None")) {
        yl_member_drop(spec, "sessionAffinityConfig");
    } else if (yl_at_get_is(&at, "sessionAffinity", "ClientIP")
               && yl_member_is_absent(yl_member_object(config, "clientIP"),
                                      "timeoutSeconds")) {
        config = yl_member_make(arena, spec, "sessionAffinityConfig");
        yl_member_default_int_ptr(arena,
                                  yl_member_make(arena, config, "clientIP"),
                                  "timeoutSeconds", AFFINITY_SECONDS);
    }
}

static void
default_ports(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *ports = yl_member_array(spec, "ports");
    struct yl_node *port;

    if (!ports) {
        return;
    }
    YL_NODE_FOR_EACH (port, ports) {
        struct yl_at at = yl_at_root(port);

        yl_member_default_str(arena, port, "protocol", "TCP");
        yl_member_default_int(arena, port, "targetPort",
                              yl_at_get_int(&at, "port"));
    }
}

static void
default_ip_mode(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *list = yl_member_array(
        yl_member_object(yl_member_object(object, "status"), "loadBalancer"),
        "ingress");
    struct yl_node *ingress;

    if (!list) {
        return;
    }
    YL_NODE_FOR_EACH (ingress, list) {
        if (!yl_member_is_zero(ingress, "ip")) {
            yl_member_default_str_ptr(arena, ingress, "ipMode", "VIP");
        }
    }
}
