#ifndef STORAGE_SQLITE_COMPACT_H
#define STORAGE_SQLITE_COMPACT_H 1

/* Compaction: deletes rows of the log that newer ones have replaced.
 *
 * It walks the log in the order of revisions.  A row that it passes replaces
 * the one that its 'previous' names, which goes; a deletion goes itself too.
 * So everything is found in the rows themselves: nothing is remembered but the
 * revision up to which it has walked, and that is stored in the same
 * transaction.  At that revision and at each newer one the history is
 * complete.
 *
 * A batch pays for a few rows more than it wrote, so that the walk keeps up
 * with the writes and no batch waits for it; one without writes for some
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

/* Before the connection is closed.  One that is all zeros is fine. */
void yl_sqlite_compactor_release(struct yl_sqlite_compactor *);

/* Inside of a transaction that wrote 'n_writes' rows, up to the revision
 * 'newest': walks on from '*compacted', not beyond 'goal', which is older than
 * those rows, and says how far it came. */
int yl_sqlite_compactor_run(struct yl_sqlite_compactor *, uint64_t goal,
                            uint64_t newest, size_t n_writes,
                            uint64_t *compacted, struct yl_error *err);

#endif /* storage/sqlite_compact.h */
