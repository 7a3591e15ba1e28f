#ifndef BUILTIN_NETWORK_SERVICE_H
#define BUILTIN_NETWORK_SERVICE_H 1

/* What others need to know of Services. */

#include <stdbool.h>

struct yl_arena;
struct yl_at;
struct yl_check;
struct yl_node;

/* Gives an updated Service what was allocated for it and its client left out:
 * addresses, node ports, the port of health checks; and makes clusterIP and
 * clusterIPs agree.  To be called before anything new is allocated. */
void yl_service_keep_allocated(struct yl_arena *, struct yl_node *object,
                               const struct yl_node *old);

/* What is wrong with a spec's clusterIP, clusterIPs, ipFamilies and
 * ipFamilyPolicy.  Who allocates asks before, as upstream does: a client hears
 * of these faults alone then. */
void yl_service_check_addresses(struct yl_check *, const struct yl_at *spec);

/* All of what a Service must be, but for its metadata: an update has checked
 * those already. */
void yl_service_check_rest(struct yl_check *, const struct yl_node *object);

#endif /* builtin/network/service.h */
