/* The Service "kubernetes".  See apiserver/bootstrap/bootstrap_service.h. */

#include "apiserver/bootstrap/bootstrap_service.h"

#include <string.h>

#include "apiserver/bootstrap/bootstrap_batch.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "apiserver/services/claims.h"
#include "apiserver/services/claims_addresses.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/time.h"
#include "yuloh/yaml.h"

/* The port that the server listens on by default. */
#define DEFAULT_PORT 6443

/* How many Services are read at a time, and the most addresses of one. */
#define SCAN_STEP 32
#define MAX_ADDRESSES 2

static struct yl_node *parse(struct yl_arena *, const char *yaml);
static enum yl_bootstrap_change replace_ports(struct yl_arena *,
                                              struct yl_node *stored,
                                              const struct yl_node *wanted);
static enum yl_bootstrap_change replace_ends(struct yl_arena *,
                                             struct yl_node *stored,
                                             const struct yl_node *wanted);
static int ensure_addresses(struct yl_bootstrap_batch *,
                            struct yl_ks_resource *services,
                            struct yl_error *err);
static int ensure_address(struct yl_bootstrap_batch *, const struct yl_ip *,
                          const struct yl_key *service, struct yl_error *err);
static int ensure_range(struct yl_bootstrap_batch *, const char *range,
                        struct yl_error *err);
static int ensure_ends(struct yl_bootstrap_batch *, const char *address,
                       int family, unsigned port, struct yl_error *err);

int
yl_bootstrap_service(struct yl_bootstrap_batch *batch,
                     struct yl_apiserver *server, struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    const char *address = server->opts.advertise_address;
    unsigned port = server->opts.advertise_port ? server->opts.advertise_port
                                                : DEFAULT_PORT;
    int family = yl_claims_family(server->allocators);
    struct yl_key own = yl_key_make(YL_STR("default"), YL_STR("kubernetes"));
    struct yl_ks_resource *services
        = yl_registry_builtin(server->registry, "", "services")->objects;
    char first[YL_IP_TEXT_SIZE];
    struct yl_ip ip;
    int r;

    yl_claims_first(server->allocators, first);
    r = yl_bootstrap_ensure(
        batch, "", "services",
        parse(arena, yl_arena_printf(
            arena,
            "{metadata: {name: kubernetes, namespace: default, labels: "
            "{component: apiserver, provider: kubernetes}}, spec: {clusterIP: "
            "'%s', clusterIPs: ['%s'], ipFamilies: [IPv%d], ipFamilyPolicy: "
            "SingleStack, ports: [{name: https, port: 443, targetPort: %u}]}}",
            first, first, family, port)),
        parse(arena, "{loadBalancer: {}}"), replace_ports, err);

    if (r == 0) {
        r = ensure_range(batch, yl_claims_range(server->allocators), err);
    }
    if (r == 0) {
        r = ensure_addresses(batch, services, err);
    }
    if (r == 0 && yl_ks_get(services, own, NULL, NULL) < 0
        && yl_ip_parse(yl_str_c(first), &ip)) {
        r = ensure_address(batch, &ip, &own, err);
    }

    /* No other machine can reach a loopback address, so it is not
     * published. */
    if (r == 0 && address && yl_ip_parse(yl_str_c(address), &ip)
        && !(ip.family == 4 ? ip.bytes[0] == 127
                            : !strcmp(address, "::1"))) {
        r = ensure_ends(batch, address, ip.family, port, err);
    }
    return r;
}

/* Makes the IPAddresses of Services that were written before there were
 * any. */
static int
ensure_addresses(struct yl_bootstrap_batch *batch,
                 struct yl_ks_resource *services, struct yl_error *err)
{
    struct yl_versioned items[SCAN_STEP];
    struct yl_ip ips[MAX_ADDRESSES];
    struct yl_ks_scan *scan;
    int r = yl_ks_scan_open(services, NULL, &scan, err), n, i;

    if (r < 0) {
        return r;
    }
    while ((n = yl_ks_scan_next(scan, items, SCAN_STEP)) > 0) {
        for (i = 0; i < n; i++) {
            size_t left = yl_service_addresses(items[i].object, ips,
                                               MAX_ADDRESSES);
            struct yl_key key = yl_object_key(items[i].object);

            while (r == 0 && left > 0) {
                r = ensure_address(batch, &ips[--left], &key, err);
            }
            yl_object_unref(items[i].object);
        }
    }
    yl_ks_scan_close(scan);
    return r;
}

static int
ensure_address(struct yl_bootstrap_batch *batch, const struct yl_ip *ip,
               const struct yl_key *service, struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);

    return yl_bootstrap_ensure(batch, "networking.k8s.io", "ipaddresses",
                               yl_service_address_object(arena, ip, service),
                               NULL, NULL, err);
}

/* Makes the ServiceCIDR: the range for the addresses of Services. */
static int
ensure_range(struct yl_bootstrap_batch *batch, const char *range,
             struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    char now[YL_TIME_TEXT_SIZE];

    yl_time_write(yl_time_now(), now);
    return yl_bootstrap_ensure(
        batch, "networking.k8s.io", "servicecidrs",
        parse(arena, yl_arena_printf(
            arena, "{metadata: {name: kubernetes}, spec: {cidrs: ['%s']}}",
            range)),
        parse(arena, yl_arena_printf(
            arena,
            "{conditions: [{type: Ready, status: 'True', reason: '', "
            "lastTransitionTime: '%s', message: 'Kubernetes default Service "
            "CIDR is ready'}]}", now)),
        NULL, err);
}

static int
ensure_ends(struct yl_bootstrap_batch *batch, const char *address, int family,
            unsigned port, struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    int r = yl_bootstrap_ensure(
        batch, "", "endpoints",
        parse(arena, yl_arena_printf(
            arena,
            "{metadata: {name: kubernetes, namespace: default, labels: "
            "{endpointslice.kubernetes.io/skip-mirror: 'true'}}, subsets: "
            "[{addresses: [{ip: '%s'}], ports: [{name: https, port: %u, "
            "protocol: TCP}]}]}", address, port)),
        NULL, replace_ends, err);

    if (r < 0) {
        return r;
    }
    return yl_bootstrap_ensure(
        batch, "discovery.k8s.io", "endpointslices",
        parse(arena, yl_arena_printf(
            arena,
            "{metadata: {name: kubernetes, namespace: default, labels: "
            "{kubernetes.io/service-name: kubernetes}}, addressType: IPv%d, "
            "endpoints: [{addresses: ['%s'], conditions: {ready: true}}], "
            "ports: [{name: https, port: %u, protocol: TCP}]}", family,
            address, port)),
        NULL, replace_ends, err);
}

/* The texts above are YAML. */
static struct yl_node *
parse(struct yl_arena *arena, const char *yaml)
{
    struct yl_node *root = NULL;
    struct yl_str json;

    if (yl_yaml_to_json(arena, yl_str_c(yaml), NULL, &json, NULL) < 0
        || yl_tree_parse(arena, json, NULL, &root, NULL) < 0) {
        return yl_node_new_object(arena);
    }
    return root;
}

/* Sets the member 'name' to the wanted value; false if it has that already. */
static bool
replace(struct yl_arena *arena, struct yl_node *stored,
        const struct yl_node *wanted, const char *name)
{
    const struct yl_node *have = yl_node_get(stored, yl_str_c(name));
    const struct yl_node *want = yl_node_get(wanted, yl_str_c(name));

    if (!want || (have && yl_node_equal(have, want))) {
        return false;
    }
    yl_member_set(arena, stored, name, yl_node_copy(arena, want));
    return true;
}

static enum yl_bootstrap_change
replace_ports(struct yl_arena *arena, struct yl_node *stored,
              const struct yl_node *wanted)
{
    struct yl_node *have =
        yl_member_array(yl_member_object(stored, "spec"), "ports");
    struct yl_node *want =
        yl_member_array(yl_member_object(wanted, "spec"), "ports");

    if (!have || !have->first || !want || !want->first) {
        return YL_BOOTSTRAP_KEEP;
    }
    return replace(arena, have->first, want->first, "targetPort")
               ? YL_BOOTSTRAP_UPDATE
               : YL_BOOTSTRAP_KEEP;
}

static enum yl_bootstrap_change
replace_ends(struct yl_arena *arena, struct yl_node *stored,
             const struct yl_node *wanted)
{
    static const char *const members[] = { "subsets", "endpoints", "ports" };
    bool changed = false;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(members); i++) {
        changed = replace(arena, stored, wanted, members[i]) || changed;
    }
    return changed ? YL_BOOTSTRAP_UPDATE : YL_BOOTSTRAP_KEEP;
}
