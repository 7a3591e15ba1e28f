#ifndef STORAGE_SQLITE_REDO_H
#define STORAGE_SQLITE_REDO_H 1

/* Redo: makes checkpoints move the write-ahead log from its start again.
 *
 * A checkpoint does not sync the database unless it has moved all of the log;
 * the next one goes on where it stopped.  When the sync at the end fails, the
 * system may drop pages of all these checkpoints and yet mark them as clean,
 * so that the next sync succeeds: SQLite would then overwrite the log, and
 * after a power cut those pages would be nowhere.  But at this point they are
 * all still in the log.  How far checkpoints have come is stored in the log's
 * index, in memory that its connections share; this function sets it back to
 * 0.  Readers then find every page in the log, and the next checkpoint moves
 * and syncs all of them.
 *
 * This number is the only thing inside of SQLite that is changed from outside.
 * Its place is documented (sqlite.org/walformat.html, 2.1) and has been the
 * same since 2010; an index of another version is left alone, and reported as
 * an error. */

#include <sqlite3.h>

#include "yuloh/error.h"

/* 'db' is not in a transaction, but has read the database before.  0;
 * YL_EUNAVAILABLE if a checkpoint is running; YL_EIO if there is no such
 * index. */
int yl_sqlite_redo(sqlite3 *db, struct yl_error *err);

#endif /* storage/sqlite_redo.h */
