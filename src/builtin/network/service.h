#ifndef BUILTIN_NETWORK_SERVICE_H
#define BUILTIN_NETWORK_SERVICE_H 1

/* Functions of Services that other folders need. */

#include <stdbool.h>

struct yl_arena;
struct yl_at;
struct yl_check;
struct yl_node;

/* Copies what was allocated for the old Service and left out by the client
 * into the updated one: addresses, node ports, the port of health checks.
 * Also makes clusterIP and clusterIPs agree.  Call it before anything new is
 * allocated. */
void yl_service_keep_allocated(struct yl_arena *, struct yl_node *object,
                               const struct yl_node *old);

/* Checks a spec's clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy.  The
 * allocator calls it first, as upstream does: if it fails, the client sees
 * these causes only. */
void yl_service_check_addresses(struct yl_check *, const struct yl_at *spec);

/* Checks everything in a Service except its metadata, which an update has
 * checked already. */
void yl_service_check_rest(struct yl_check *, const struct yl_node *object);

#endif /* builtin/network/service.h */
