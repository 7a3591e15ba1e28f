#ifndef APISERVER_SERVICES_CLAIMS_ALLOCATE_H
#define APISERVER_SERVICES_CLAIMS_ALLOCATE_H 1

/* What a Service is given: address families, cluster addresses, node ports. */

#include <stdbool.h>

struct yl_allocators;
struct yl_arena;
struct yl_claimant;
struct yl_node;
struct yl_status;

/* Fills in what 'service' needs and does not say, and claims what it says.
 * 'old' is what it replaces, or NULL; what both have is kept.  0, or a code
 * with the Status to answer; what was claimed until then is still held. */
int yl_service_allocate(struct yl_allocators *, struct yl_arena *,
                        const struct yl_claimant *, struct yl_node *service,
                        const struct yl_node *old, bool dry_run,
                        struct yl_status *);

#endif /* apiserver/services/claims_allocate.h */
