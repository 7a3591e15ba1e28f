#ifndef STORAGE_SQLITE_H
#define STORAGE_SQLITE_H 1

/* The SQLite back end of storage/storage.h: a log in one file.
 *
 *     DIRECTORY/yuloh.db         the log; storage/sqlite_row.h has its columns
 *     DIRECTORY/yuloh.db-wal     what was committed since the last checkpoint
 *     DIRECTORY/lock             the process that uses the directory
 *
 * The log is a table keyed by revision, without any other index: a write
 * appends a row and touches nothing else, which makes it fast (47,000 to
 * 61,000 durable writes a second, against 22,000 to 30,000 with a table of
 * current keys beside it).  Which row is the newest of a key is known after
 * loading all of them.  People can read the file too:
 *
 *     sqlite3 yuloh.db "SELECT revision, key, value FROM log"
 *
 * Guarantees
 * ==========
 *
 * Those of storage/storage.h, and:
 *
 *   - One process at a time has a directory open; a second one is refused with
 *     an error that names the first.
 *
 *   - There is no other writer, so 'expected' is not checked: it becomes the
 *     row's 'previous', and no group ends in YL_ECONFLICT.  No map of keys is
 *     kept; memory does not grow with their number.
 *
 *   - A batch is one transaction, so that it is synced once: its groups fail
 *     together.  One is in flight at a time.  It is written when it is
 *     committed and fed when it is collected, on the caller's thread, and each
 *     row of the feed names the write that it is: nothing is copied.
 *
 *   - Compaction is part of the batches: each reads a few rows more than it
 *     writes, one without writes 512, in the order of revisions, and deletes
 *     the rows that they replace.
 *
 *   - When the disk is full or a sync fails, the batch fails as a whole, and
 *     rows that it may have left are removed before the next one is written.
 *     Batches work again as soon as the disk does.
 *
 *   - A database that is damaged, not ours or newer than this program is
 *     refused with an error that says what to do.
 *
 * Threads
 * =======
 *
 * As storage/storage.h says; only one thread may open and close. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "storage/storage.h"

/* Options.  Zero means the default. */
struct yl_sqlite_opts {
    const char *data_dir;       /* Made if it is missing.  Required. */
    const char *vfs;            /* SQLite's file system, for tests. */
    size_t restart_pages;       /* The writer restarts the write-ahead log from
                                 * this size on [8192]. */
    size_t step_pages;          /* The growth of the log between checkpoints
                                 * [1024]. */
};

/* Opens the store in a data directory, for the caller to close.  Errors:
 * YL_ECONFLICT (in use), YL_ESTOREREAD (damaged), YL_ENOSYS (too new),
 * YL_EUNAVAILABLE, YL_EIO. */
int yl_sqlite_open(const struct yl_sqlite_opts *,
                   struct yl_storage **ret_storage, struct yl_error *err);

/* Backup and restore
 * ================== */

/* Reports progress from time to time.  Returning false ends the work, with
 * YL_ECANCELED. */
struct yl_sqlite_progress {
    bool (*report)(struct yl_sqlite_progress *, uint64_t done_bytes,
                   uint64_t all_bytes);
};

/* Writes a consistent copy of the database in 'data_dir' to a new file, while
 * a server uses it or not.  The file appears when it is complete, verified and
 * on the disk (storage/temporary.h).  YL_EEXISTS if there is such a file
 * already, YL_ENOTFOUND if there is no database. */
int yl_sqlite_backup(const char *data_dir, const char *path,
                     struct yl_sqlite_progress *, struct yl_error *err);

/* Replaces the database of 'data_dir' by a backup, after checking all of it.
 * The directory must not be in use, and must hold no database unless 'force'
 * is set; a crash in between leaves the old database or the new one.
 *
 * The revisions of the restored store continue YL_SQLITE_RESTORE_GAP after the
 * backup's, without history: clients that have seen revisions from after the
 * backup get 410 and list again, instead of finding other objects under the
 * revisions that they know. */
#define YL_SQLITE_RESTORE_GAP 1000000000
int yl_sqlite_restore(const char *data_dir, const char *path, bool force,
                      struct yl_sqlite_progress *, struct yl_error *err);

#endif /* storage/sqlite.h */
