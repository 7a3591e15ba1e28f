#ifndef STORAGE_SQLITE_DB_H
#define STORAGE_SQLITE_DB_H 1

/* Connections to our database: opens it with the right settings, checks that
 * it is ours, and makes errors that say what to do.
 *
 * The file is named by PRAGMA application_id ("Yulo") and its format by PRAGMA
 * user_version, so that a newer format is refused rather than guessed at.
 * Besides the log (storage/sqlite_row.h) there is one table of one row:
 *
 *     CREATE TABLE state (
 *         compacted INTEGER NOT NULL,     history starts behind this revision
 *         revision  INTEGER NOT NULL)     the newest, unless the log has newer
 *
 * Errors
 * ======
 *
 * YL_ESTOREREAD    the file is damaged, or not ours.
 * YL_ENOSYS        its format is newer than we are.
 * YL_EUNAVAILABLE  the disk is full, or locked by another: try later.
 * YL_EIO           everything else that disks and systems do.
 *
 * Threads
 * =======
 *
 * A connection belongs to one thread at a time. */

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "storage/storage.h"

#define YL_SQLITE_APPLICATION_ID 0x59756c6f     /* "Yulo". */
#define YL_SQLITE_FORMAT 1
#define YL_SQLITE_PAGE_SIZE 4096

/* How long to wait for the lock of another connection, such as a person's
 * sqlite3 shell. */
#define YL_SQLITE_BUSY_MSEC 500

/* Opens the database at 'path' through SQLite's file system 'vfs' (NULL: the
 * usual one) and checks that it is ours.  The caller closes it with
 * sqlite3_close(). */
int yl_sqlite_db_open(const char *path, const char *vfs, sqlite3 **ret_db,
                      struct yl_error *err);

/* The same for one that is only read, as a backup is. */
int yl_sqlite_db_open_readonly(const char *path, sqlite3 **ret_db,
                               struct yl_error *err);

/* Opens a file, or creates one, without a check of its contents; the second
 * function checks them, and with 'create' makes an empty file a database of
 * ours. */
int yl_sqlite_db_open_plain(const char *path, const char *vfs,
                            sqlite3 **ret_db, struct yl_error *err);
int yl_sqlite_db_check_format(sqlite3 *, bool create, struct yl_error *err);

/* Makes sqlite3_close() leave the write-ahead log as it is, even if it closes
 * the last connection. */
void yl_sqlite_db_keep_wal(sqlite3 *);

/* Runs statements that return nothing, or whose result is not needed. */
int yl_sqlite_db_exec(sqlite3 *, const char *sql, struct yl_error *err);

int yl_sqlite_db_prepare(sqlite3 *, const char *sql, sqlite3_stmt **ret_stmt,
                         struct yl_error *err);

/* The first column of the first row; 0 where that is NULL. */
int yl_sqlite_db_number(sqlite3 *, const char *sql, uint64_t *ret_number,
                        struct yl_error *err);

/* Passes every row of the log to 'each', unless it is NULL, oldest first, and
 * verifies their checksums. */
int yl_sqlite_db_scan(sqlite3 *, yl_storage_row_fn *each, void *aux,
                      struct yl_error *err);

/* Sets the error of the last call on 'db', and returns its code.  'what' is
 * what was being done: "cannot open the database". */
int yl_sqlite_db_error(sqlite3 *db, const char *what, struct yl_error *err);

#endif /* storage/sqlite_db.h */
