#ifndef APISERVER_SERVICES_CLAIMS_ALLOCATE_H
#define APISERVER_SERVICES_CLAIMS_ALLOCATE_H 1

/* Allocation for a Service: address families, cluster addresses, node
 * ports. */

#include <stdbool.h>

struct yl_allocators;
struct yl_arena;
struct yl_claimant;
struct yl_node;
struct yl_status;

/* Fills in what 'service' needs and leaves out, and claims the values that it
 * names.  'old' is the Service it replaces, or NULL; values that both have are
 * kept.  Returns 0, or a code with the Status to answer; values claimed until
 * then are still held. */
int yl_service_allocate(struct yl_allocators *, struct yl_arena *,
                        const struct yl_claimant *, struct yl_node *service,
                        const struct yl_node *old, bool dry_run,
                        struct yl_status *);

#endif /* apiserver/services/claims_allocate.h */
