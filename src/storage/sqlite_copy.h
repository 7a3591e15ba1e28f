#ifndef STORAGE_SQLITE_COPY_H
#define STORAGE_SQLITE_COPY_H 1

/* Copies of databases: what backup and restore (storage/sqlite.h) share, and
 * the end of a restore that a crash may have left to the next start.
 *
 * Restoring has two steps, because SQLite would apply the old write-ahead log
 * to the new database:
 *
 *     yuloh.db.partial  --complete, on disk-->  yuloh.db.restored
 *     then: yuloh.db-wal and yuloh.db-shm go, yuloh.db.restored -> yuloh.db
 *
 * From the first rename on the restore is decided.  Whoever opens the
 * directory next, with its lock, does what is left of the second. */

#include "yuloh/error.h"

#define YL_SQLITE_FILE "yuloh.db"

/* Ends a restore that was decided; else does nothing.  The caller holds the
 * directory's lock. */
int yl_sqlite_finish_restore(const char *data_dir, struct yl_error *err);

#endif /* storage/sqlite_copy.h */
