/* The Network controller in the form of a table.
 *
 *     build/yuloh gen crd examples/network_status/network_types.h \
 *         | kubectl apply -f -
 *     build/examples/network_controller --kubeconfig=FILE -v2
 *
 * For each Network it checks that the gateway is an address of the range, says
 * in the status whether that is so, and would then make the network real.
 * What it made it takes back when the Network is deleted: 'cleanup'. */

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yuloh/arena.h>
#include <yuloh/controller.h>
#include <yuloh/log.h>
#include <yuloh/time.h>

#include "network_client.h"

/* What is wrong with a Network; NULL if nothing is. */
static const char *
find_fault(const struct network_spec *spec)
{
    const char *slash = spec->cidr ? strchr(spec->cidr, '/') : NULL;
    struct in_addr range, gateway;
    char address[INET_ADDRSTRLEN];
    unsigned long bits;
    uint32_t mask;
    char *end;

    if (!slash || (size_t) (slash - spec->cidr) >= sizeof address) {
        return "the cidr is no range such as 192.168.0.0/16";
    }
    snprintf(address, sizeof address, "%.*s", (int) (slash - spec->cidr),
             spec->cidr);
    bits = strtoul(slash + 1, &end, 10);
    if (inet_pton(AF_INET, address, &range) != 1 || *end || bits > 32) {
        return "the cidr is no range such as 192.168.0.0/16";
    } else if (!spec->gateway
               || inet_pton(AF_INET, spec->gateway, &gateway) != 1) {
        return "the gateway is no address";
    }
    mask = bits ? htonl(UINT32_MAX << (32 - bits)) : 0;
    if ((range.s_addr & mask) != (gateway.s_addr & mask)) {
        return "the gateway is outside of the cidr";
    }
    return NULL;
}

/* The Ready condition; its time changes only with its status. */
static struct yl_meta_condition
ready_condition(const struct network *network, const char *fault)
{
    struct yl_meta_condition ready = {
        .type = "Ready",
        .status = fault ? "False" : "True",
        .reason = fault ? "InvalidSpec" : "Synced",
        .message = fault ? fault : "",
        .observed_generation = network->metadata.generation,
        .last_transition_time = { .seconds = yl_time_now().seconds },
    };
    size_t i;

    for (i = 0; i < network->status.n_conditions; i++) {
        const struct yl_meta_condition *old = &network->status.conditions[i];

        if (!strcmp(old->type, "Ready")
            && !strcmp(old->status, ready.status)) {
            ready.last_transition_time = old->last_transition_time;
        }
    }
    return ready;
}

static int
reconcile(struct yl_request *req)
{
    const struct network *network = network_of(req);
    const char *fault = find_fault(&network->spec);
    struct yl_meta_condition ready = ready_condition(network, fault);

    yl_log_info(fault ? "Network cannot be made" : "Network is synchronised",
                YL_LOG_C("name", network->metadata.name),
                YL_LOG_C("cidr", network->spec.cidr),
                YL_LOG_C("gateway", network->spec.gateway),
                YL_LOG_C("reason", yl_request_reason(req)));
    return network_update_status(req, &(struct network_status) {
        .phase = fault ? "Failed" : "Ready",
        .conditions = &ready,
        .n_conditions = 1,
    });
}

static int
cleanup(struct yl_request *req)
{
    const struct network *network = network_of(req);

    yl_log_info("Network is taken back",
                YL_LOG_C("name", network->metadata.name),
                YL_LOG_C("cidr", network->spec.cidr));
    return 0;
}

static const struct yl_controller network_controller = {
    .name = "network",
    .reconcile = reconcile,
    .cleanup = cleanup,
    .watches = YL_WATCHES({ .for_ = &network_kind,
                            .changed = YL_GENERATION }),
    .workers = 2,
};

int
main(int argc, char *argv[])
{
    return yl_main(argc, argv, YL_CONTROLLERS(&network_controller));
}
