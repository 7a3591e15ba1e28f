/* Services: their addresses and ports are claimed with a write, and their
 * IPAddresses written with it.  See apiserver/strategy/builtin.h, and
 * services/claims.h for what a claim is. */

#include "apiserver/server.h"
#include "apiserver/services/claims.h"
#include "apiserver/services/claims_addresses.h"
#include "apiserver/services/claims_allocate.h"
#include "apiserver/strategy/builtin.h"

int
yl_services_claim(const struct yl_change *change, struct yl_status *status)
{
    struct yl_claimant who = { .key = change->key, .write = change->write };

    return yl_service_allocate(change->server->allocators, change->arena,
                               &who, change->object, change->old,
                               change->dry_run, status);
}

void
yl_services_settle(struct yl_apiserver *server, const void *write)
{
    yl_claims_settle(server->allocators, write);
}

int
yl_services_with(struct yl_apiserver *server, struct yl_arena *arena,
                 const struct yl_object *before,
                 const struct yl_object *after, struct yl_ks_write *writes,
                 struct yl_error *err)
{
    return yl_service_address_writes(yl_claims_objects(server->allocators),
                                     arena, before, after, writes, err);
}
