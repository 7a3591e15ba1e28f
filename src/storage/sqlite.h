#ifndef STORAGE_SQLITE_H
#define STORAGE_SQLITE_H 1

/* The SQLite back end of storage/storage.h: a log in one file.
 *
 *     DIRECTORY/yuloh.db         the log; storage/sqlite_row.h has its columns
 *     DIRECTORY/yuloh.db-wal     what was committed since the last checkpoint
 *     DIRECTORY/lock             who uses the directory
 *
 * The log is a table keyed by revision, without any other index: a write
 * appends a row and touches nothing else, which is what makes it fast (47,000
 * to 61,000 durable writes a second where a table of current keys beside it
 * made 22,000 to 30,000).  Which row is a key's newest is known by whoever
 * loaded them all.  The file is for people too:
 *
 *     sqlite3 yuloh.db "SELECT revision, key, value FROM log"
 *
 * Guarantees
 * ==========
 *
 * Those of storage/storage.h, and:
 *
 *   - One process at a time has a directory open; a second one is refused and
 *     told who has it.
 *
 *   - Nobody else writes, so 'expected' is believed, not checked: it becomes
 *     the row's 'previous', and no group ends in YL_ECONFLICT.  No map of keys
 *     is kept; memory does not grow with their number.
 *
 *   - A batch is one transaction, so that it is synced once: its groups fail
 *     together.  One is in flight at a time.  It is written when it is
 *     committed and fed when it is collected, on the caller's thread, and each
 *     row of the feed names the write that it is: nothing is copied.
 *
 *   - Compaction rides in the batches: each reads a few rows more than it
 *     writes, one without writes 512, in the order of revisions, and deletes
 *     the rows that they replace.
 *
 *   - When the disk is full or a sync fails, the batch fails as a whole, and
 *     what it may have left behind is removed before the next one is written.
 *     Batches work again as soon as the disk does.
 *
 *   - A database that is damaged, not ours or newer than this program is
 *     refused with a sentence that says what to do.
 *
 * Threads
 * =======
 *
 * As storage/storage.h says; opening and closing are for one thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "storage/storage.h"

/* Options.  Zero means the default. */
struct yl_sqlite_opts {
    const char *data_dir;       /* Made if it is missing.  Required. */
    const char *vfs;            /* SQLite's file system, for tests. */
    size_t restart_pages;       /* Of the write-ahead log, from which the
                                 * writer restarts it [8192]. */
    size_t step_pages;          /* By which it grows between checkpoints
                                 * [1024]. */
};

/* Opens the store in a data directory, for the caller to close.  Errors:
 * YL_ECONFLICT (in use), YL_ESTOREREAD (damaged), YL_ENOSYS (too new),
 * YL_EUNAVAILABLE, YL_EIO. */
int yl_sqlite_open(const struct yl_sqlite_opts *,
                   struct yl_storage **ret_storage, struct yl_error *err);

/* Backup and restore
 * ================== */

/* Who wants to know how far it is; called now and then.  False ends it, with
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

/* Makes a backup the database of 'data_dir', after checking all of it.  The
 * directory must not be in use, and must hold no database unless 'force'
 * allows to replace it; a crash in between leaves the old one or the new one.
 *
 * The restored store continues YL_SQLITE_RESTORE_GAP revisions behind the
 * backup's, without history: clients that remember what was written after the
 * backup get 410 and list again, instead of meeting their revisions anew. */
#define YL_SQLITE_RESTORE_GAP 1000000000
int yl_sqlite_restore(const char *data_dir, const char *path, bool force,
                      struct yl_sqlite_progress *, struct yl_error *err);

#endif /* storage/sqlite.h */
