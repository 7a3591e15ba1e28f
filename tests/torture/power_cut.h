#ifndef TESTS_TORTURE_POWER_CUT_H
#define TESTS_TORTURE_POWER_CUT_H 1

/* Power cuts: writes batches to a store on a disk with faults
 * (torture/fault_vfs.h), cuts the power at a random moment, opens the store
 * again and compares what it loads with what was acknowledged; and so on.
 *
 * What must hold each time:
 *
 *   - every acknowledged write is there, history included, under the revision
 *     that was reported;
 *
 *   - of the batches that failed or were in flight at the cut, since the last
 *     acknowledged one, at most one is there, and it is complete;
 *
 *   - no write is there twice; revisions increase strictly; each row names the
 *     key's revision before it;
 *
 *   - after a full disk or a failed sync the next batch works.
 *
 * Batches have 16 to 48 writes.  Cuts also fall into opening, recovery,
 * checkpoints, compaction and closing. */

#include <stddef.h>
#include <stdint.h>

struct power_cut_counts {
    uint64_t n_cuts;
    uint64_t n_acknowledged;    /* Writes. */
    uint64_t n_failed;          /* Batches that failed without a cut. */
    uint64_t n_revived;         /* Batches that were there although they were
                                 * not acknowledged. */
};

/* Runs 'n_cuts' rounds with one store.  'dir' is a directory for its lock.  0,
 * or -1 with the reason in 'message'. */
int power_cut_torture(const char *dir, uint64_t seed, unsigned n_cuts,
                      struct power_cut_counts *, char *message, size_t size);

#endif /* tests/torture/power_cut.h */
