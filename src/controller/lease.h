#ifndef CONTROLLER_LEASE_H
#define CONTROLLER_LEASE_H 1

/* Lease: the object by which replicas agree on a leader, as JSON.
 *
 *     {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
 *      "metadata":{...},
 *      "spec":{"holderIdentity":"a","leaseDurationSeconds":15,
 *              "acquireTime":"...","renewTime":"...","leaseTransitions":0}}
 *
 * Only what leader election reads and writes is known here; everything else in
 * the object stays as it is. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/object.h"
#include "yuloh/time.h"

struct yl_arena;
struct yl_lease_label;          /* yuloh/leader_election.h */

/* What a Lease says: client-go's LeaderElectionRecord.  Absent members read as
 * zeros. */
struct yl_lease {
    struct yl_str holder;       /* Empty: nobody holds it. */
    int64_t duration_seconds;
    int64_t transitions;        /* How often the holder has changed. */
    struct yl_time acquired, renewed;
};

/* Reads a Lease; its holder lives in 'arena'.  What is of another type than it
 * should be reads as absent. */
void yl_lease_read(const struct yl_object *, struct yl_arena *arena,
                   struct yl_lease *ret_lease);

/* The JSON of a new Lease. */
struct yl_str yl_lease_create(const struct yl_key *, const struct yl_lease *,
                              const struct yl_lease_label *labels,
                              size_t n_labels, struct yl_arena *arena);

/* The JSON of 'old' with what 'lease' says and with these labels besides its
 * own, at its revision.  YL_ESYNTAX and so on if 'old' is no object. */
int yl_lease_change(struct yl_versioned old, const struct yl_lease *lease,
                    const struct yl_lease_label *labels, size_t n_labels,
                    struct yl_arena *arena, struct yl_str *ret_json,
                    struct yl_error *err);

#endif /* controller/lease.h */
