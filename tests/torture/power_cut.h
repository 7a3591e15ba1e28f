#ifndef TESTS_TORTURE_POWER_CUT_H
#define TESTS_TORTURE_POWER_CUT_H 1

/* Power cuts: writes batches to a store on a disk that betrays
 * (torture/fault_vfs.h), cuts the power at a random moment, opens the store
 * again and compares what it loads with what was acknowledged.  And again.
 *
 * What is demanded each time:
 *
 *   - every write that was acknowledged is there, history included, under the
 *     revision that was told;
 *
 *   - of the batches that failed or were under way when the power went, since
 *     the last that was acknowledged, at most one is there, and it is whole;
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
    uint64_t n_failed;          /* Batches, without a cut. */
    uint64_t n_revived;         /* Batches that were there although nobody was
                                 * told so. */
};

/* Runs 'n_cuts' lives of one store.  'dir' is a directory for its lock.  0, or
 * -1 and what went wrong in 'message'. */
int power_cut_torture(const char *dir, uint64_t seed, unsigned n_cuts,
                      struct power_cut_counts *, char *message, size_t size);

#endif /* tests/torture/power_cut.h */
