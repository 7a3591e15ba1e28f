#ifndef STORAGE_SQLITE_REDO_H
#define STORAGE_SQLITE_REDO_H 1

/* Redo: has checkpoints move the write-ahead log from its start again.
 *
 * A checkpoint does not sync the database unless it has moved all of the log;
 * the next one goes on where it stopped.  When the sync at the end fails, the
 * system may have dropped pages of all of them, calls them clean, and the next
 * sync succeeds: SQLite would overwrite the log, and a power cut would find
 * those pages nowhere.  They are all in the log still.  How far checkpoints
 * have come stands in the log's index, in memory that its connections share;
 * we set it back to nothing.  Readers then find every page in the log, and the
 * next checkpoint moves and syncs all of them.
 *
 * That number is the one thing of SQLite's that is touched from outside of it.
 * Its place is documented (sqlite.org/walformat.html, 2.1) and is the same
 * since 2010; an index of another version is left alone, which is an error. */

#include <sqlite3.h>

#include "yuloh/error.h"

/* 'db' is not in a transaction, but has read the database before.  0;
 * YL_EUNAVAILABLE if a checkpoint is running; YL_EIO if there is no such
 * index. */
int yl_sqlite_redo(sqlite3 *db, struct yl_error *err);

#endif /* storage/sqlite_redo.h */
