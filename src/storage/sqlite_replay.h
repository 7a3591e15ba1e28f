#ifndef STORAGE_SQLITE_REPLAY_H
#define STORAGE_SQLITE_REPLAY_H 1

/* Replay: makes a database whole again, on the disk and not only in the
 * system's memory.
 *
 * A failed sync can leave data that only looks written: the system keeps the
 * pages in memory, marks them as clean and never writes them.  The process
 * sees no difference, and neither does the next one, until the power fails.
 * SQLite trusts what it reads, so before SQLite opens the database:
 *
 *     1. Every byte of the write-ahead log is written once more, as it reads,
 *        and synced.  Now its frames are on the disk, or are found broken.
 *
 *     2. SQLite recovers the log, alone with the file and with an index of its
 *        own, moves all of it into the database, and syncs that.
 *
 * Without the first step the second could overwrite pages of the database with
 * those of a batch whose log is not on the disk: a power cut would leave a mix
 * of both.  Without the second, pages that earlier checkpoints moved could be
 * missing.  tests/torture/power_cut.h shows both within some thousand cuts. */

#include "yuloh/error.h"

/* Call it before the first connection to the database at 'path', which it
 * creates if there is none or an empty file.  YL_EUNAVAILABLE if another
 * process is connected (the first step is done then), and the errors of
 * storage/sqlite_db.h. */
int yl_sqlite_replay(const char *path, const char *vfs, struct yl_error *err);

#endif /* storage/sqlite_replay.h */
