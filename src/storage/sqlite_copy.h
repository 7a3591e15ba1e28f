#ifndef STORAGE_SQLITE_COPY_H
#define STORAGE_SQLITE_COPY_H 1

/* Copies of databases: what backup and restore (storage/sqlite.h) share, and
 * the second step of a restore, which may be left to the next start by a
 * crash.
 *
 * Restoring has two steps, because SQLite would apply the old write-ahead log
 * to the new database:
 *
 *     yuloh.db.partial  --complete, on disk-->  yuloh.db.restored
 *     then: yuloh.db-wal and yuloh.db-shm go, yuloh.db.restored -> yuloh.db
 *
 * After the first rename the restore is sure to take place: the next process
 * that opens the directory, and holds its lock, does what is left of the
 * second step. */

#include "yuloh/error.h"

#define YL_SQLITE_FILE "yuloh.db"

/* Completes a restore whose first step is done; otherwise does nothing.  The
 * caller holds the directory's lock. */
int yl_sqlite_finish_restore(const char *data_dir, struct yl_error *err);

#endif /* storage/sqlite_copy.h */
