/* Replay.  See storage/sqlite_replay.h for why. */

#include "storage/sqlite_replay.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "storage/sqlite_db.h"

#define CHUNK 65536

static int rewrite_log(const char *path, const char *vfs, struct yl_error *);
static int rewrite_file(sqlite3_file *);
static int move_log(sqlite3 *, struct yl_error *err);

int
yl_sqlite_replay(const char *path, const char *vfs, struct yl_error *err)
{
    sqlite3 *db;
    int r;

    if ((r = rewrite_log(path, vfs, err)) < 0
        || (r = yl_sqlite_db_open_plain(path, vfs, &db, err)) < 0) {
        return r;
    }
    r = move_log(db, err);
    if (r < 0) {
        yl_error_prefix(err, "%s", path);
        yl_sqlite_db_keep_wal(db);
    }
    sqlite3_close(db);
    return r;
}

/* Uses SQLite's file system layer, as tests have one of their own. */
static int
rewrite_log(const char *path, const char *vfs_name, struct yl_error *err)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
    sqlite3_file *file = yl_zalloc((size_t) vfs->szOsFile);
    char *log = sqlite3_mprintf("%s-wal", path);
    const char *name = sqlite3_create_filename(path, "", log, 0, NULL);
    int status = vfs->xOpen(vfs, sqlite3_filename_wal(name), file,
                            SQLITE_OPEN_WAL | SQLITE_OPEN_READWRITE, NULL);
    int r = 0;

    if (status == SQLITE_OK) {
        status = rewrite_file(file);
        if (status != SQLITE_OK) {
            r = yl_error_set(err, YL_EIO, "cannot make sure of %s: %s", log,
                             sqlite3_errstr(status));
        }
        file->pMethods->xClose(file);
    }
    sqlite3_free_filename(name);
    sqlite3_free(log);
    free(file);
    return r;
}

static int
rewrite_file(sqlite3_file *file)
{
    const sqlite3_io_methods *methods = file->pMethods;
    char *chunk = yl_malloc(CHUNK);
    sqlite3_int64 size = 0, at;
    int status = methods->xFileSize(file, &size);

    for (at = 0; status == SQLITE_OK && at < size; at += CHUNK) {
        int n = size - at < CHUNK ? (int) (size - at) : CHUNK;

        status = methods->xRead(file, chunk, n, at);
        if (status == SQLITE_OK) {
            status = methods->xWrite(file, chunk, n, at);
        }
    }
    if (status == SQLITE_OK) {
        status = methods->xSync(file, SQLITE_SYNC_NORMAL);
    }
    free(chunk);
    return status;
}

/* In exclusive mode SQLite keeps the log's index in its own memory, so it does
 * not use one that other processes have left, and no other process can be
 * connected. */
static int
move_log(sqlite3 *db, struct yl_error *err)
{
    int r;

    sqlite3_busy_timeout(db, 0);
    if ((r = yl_sqlite_db_exec(db, "PRAGMA locking_mode = EXCLUSIVE", err))
            < 0
        || (r = yl_sqlite_db_check_format(db, true, err)) < 0) {
        return r;
    }
    if (sqlite3_wal_checkpoint_v2(db, "main", SQLITE_CHECKPOINT_RESTART, NULL,
                                  NULL) != SQLITE_OK) {
        return yl_sqlite_db_error(db, "cannot move the log into the database",
                                  err);
    }
    return 0;
}
