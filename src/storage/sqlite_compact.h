#ifndef STORAGE_SQLITE_COMPACT_H
#define STORAGE_SQLITE_COMPACT_H 1

/* Compaction: deletes rows of the log that newer ones have replaced.
 *
 * It walks the log in the order of revisions.  For each row it deletes the one
 * that the row replaces, named by its 'previous'; if the row is a deletion, it
 * is deleted too.  So all that is needed is in the rows themselves; only the
 * revision that the walk has reached is remembered, and stored in the same
 * transaction.  At that revision and at each newer one the history is
 * complete.
 *
 * A batch walks a few rows more than it wrote, so that the walk keeps up with
 * the writes and no batch takes long for it; a batch without writes walks some
 * hundred. */

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/error.h"

/* Embedded; belongs to the writer, as its connection does. */
struct yl_sqlite_compactor {
    sqlite3 *db;
    sqlite3_stmt *walk;
    sqlite3_stmt *delete_;
    sqlite3_stmt *store;
};

int yl_sqlite_compactor_init(struct yl_sqlite_compactor *, sqlite3 *,
                             struct yl_error *err);

/* Call it before the connection is closed.  A compactor of zeros is fine. */
void yl_sqlite_compactor_release(struct yl_sqlite_compactor *);

/* Runs inside of a transaction that wrote 'n_writes' rows, up to the revision
 * 'newest': walks on from '*compacted', not beyond 'goal', which is older than
 * those rows, and sets '*compacted' to how far it came. */
int yl_sqlite_compactor_run(struct yl_sqlite_compactor *, uint64_t goal,
                            uint64_t newest, size_t n_writes,
                            uint64_t *compacted, struct yl_error *err);

#endif /* storage/sqlite_compact.h */
