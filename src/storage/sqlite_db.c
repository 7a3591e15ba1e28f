/* Connections.  See storage/sqlite_db.h for the contract. */

#include "storage/sqlite_db.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "storage/sqlite_row.h"

/* The cache of the writer's connection, in KB: a few times what a batch of
 * ordinary objects changes.  More made no write cheaper, as rows are added at
 * the end. */
#define CACHE_SETTING "PRAGMA cache_size = -512"

static const char *io_name(int status);
static int open_file(const char *path, const char *vfs, int flags,
                     sqlite3 **ret_db, struct yl_error *err);
static int configure(sqlite3 *, struct yl_error *err);
static int create_tables(sqlite3 *, struct yl_error *err);
static int use_wal(sqlite3 *, struct yl_error *err);

int
yl_sqlite_db_open(const char *path, const char *vfs, sqlite3 **ret_db,
                  struct yl_error *err)
{
    sqlite3 *db;
    int r = open_file(path, vfs, SQLITE_OPEN_READWRITE, &db, err);

    if (r < 0) {
        return r;
    }
    r = configure(db, err);
    if (r < 0) {
        yl_error_prefix(err, "%s", path);
        sqlite3_close(db);
        return r;
    }
    *ret_db = db;
    return 0;
}

int
yl_sqlite_db_open_readonly(const char *path, sqlite3 **ret_db,
                           struct yl_error *err)
{
    sqlite3 *db;
    int r = open_file(path, NULL, SQLITE_OPEN_READONLY, &db, err);

    if (r < 0) {
        return r;
    }
    r = yl_sqlite_db_check_format(db, false, err);
    if (r < 0) {
        yl_error_prefix(err, "%s", path);
        sqlite3_close(db);
        return r;
    }
    *ret_db = db;
    return 0;
}

int
yl_sqlite_db_open_plain(const char *path, const char *vfs, sqlite3 **ret_db,
                        struct yl_error *err)
{
    return open_file(path, vfs, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                     ret_db, err);
}

int
yl_sqlite_db_check_format(sqlite3 *db, bool create, struct yl_error *err)
{
    uint64_t id = 0, format = 0, n_tables = 0;
    int r;

    if ((r = yl_sqlite_db_number(db, "PRAGMA application_id", &id, err)) < 0
        || (r = yl_sqlite_db_number(db, "PRAGMA user_version", &format, err))
           < 0
        || (r = yl_sqlite_db_number(db, "SELECT count(*) FROM sqlite_schema",
                                    &n_tables, err)) < 0) {
        return r;
    }
    if (create && id == 0 && format == 0 && n_tables == 0) {
        return create_tables(db, err);
    } else if (id != YL_SQLITE_APPLICATION_ID) {
        return yl_error_set(err, YL_ESTOREREAD,
                            "this is not a database of Yuloh's");
    } else if (format > YL_SQLITE_FORMAT) {
        return yl_error_set(err, YL_ENOSYS,
                            "a newer Yuloh wrote this database (format %llu; "
                            "this one reads up to %d): run the newer one, or "
                            "restore a backup of this one's",
                            (unsigned long long) format, YL_SQLITE_FORMAT);
    }
    return 0;
}

void
yl_sqlite_db_keep_wal(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

int
yl_sqlite_db_exec(sqlite3 *db, const char *sql, struct yl_error *err)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        return yl_sqlite_db_error(db, "the database does not obey", err);
    }
    return 0;
}

int
yl_sqlite_db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret_stmt,
                     struct yl_error *err)
{
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret_stmt,
                           NULL) != SQLITE_OK) {
        return yl_sqlite_db_error(db, "cannot read the database", err);
    }
    return 0;
}

int
yl_sqlite_db_number(sqlite3 *db, const char *sql, uint64_t *ret_number,
                    struct yl_error *err)
{
    sqlite3_stmt *stmt;
    int r = yl_sqlite_db_prepare(db, sql, &stmt, err);

    if (r < 0) {
        return r;
    }
    switch (sqlite3_step(stmt)) {
    case SQLITE_ROW:
        *ret_number = (uint64_t) sqlite3_column_int64(stmt, 0);
        break;

    case SQLITE_DONE:
        r = yl_error_set(err, YL_ESTOREREAD, "the database is incomplete");
        break;

    default:
        r = yl_sqlite_db_error(db, "cannot read the database", err);
    }
    sqlite3_finalize(stmt);
    return r;
}

int
yl_sqlite_db_scan(sqlite3 *db, yl_storage_row_fn *each, void *aux,
                  struct yl_error *err)
{
    sqlite3_stmt *stmt;
    struct yl_storage_row row;
    int status;
    int r = yl_sqlite_db_prepare(db, "SELECT " YL_SQLITE_ROW_COLUMNS
                                 " FROM log ORDER BY revision", &stmt, err);

    if (r < 0) {
        return r;
    }
    while ((status = sqlite3_step(stmt)) == SQLITE_ROW) {
        r = yl_sqlite_row_read(stmt, &row, err);
        if (!r && each) {
            r = each(aux, &row, err);
        }
        if (r < 0) {
            break;
        }
    }
    if (!r && status != SQLITE_DONE) {
        r = yl_sqlite_db_error(db, "cannot read the database", err);
    }
    sqlite3_finalize(stmt);
    return r;
}

int
yl_sqlite_db_error(sqlite3 *db, const char *what, struct yl_error *err)
{
    int status = sqlite3_extended_errcode(db);
    int error = sqlite3_system_errno(db);

    if ((status & 0xff) == SQLITE_FULL
        || ((status & 0xff) == SQLITE_IOERR
            && (error == ENOSPC || error == EDQUOT))) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "%s: the disk is full; make room and try again",
                            what);
    }
    switch (status & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return yl_error_set(err, YL_ESTOREREAD, "%s: %s", what,
                            sqlite3_errmsg(db));

    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "%s: another program has locked it", what);

    case SQLITE_IOERR:
        return yl_error_set(err, YL_EIO, "%s: %s (%s)", what,
                            sqlite3_errmsg(db), io_name(status));

    case SQLITE_CANTOPEN:
        return yl_error_set(err, YL_EIO, "%s: %s (%s)", what,
                            sqlite3_errmsg(db), strerror(error));

    default:
        return yl_error_set(err, YL_EIO, "%s: %s", what, sqlite3_errmsg(db));
    }
}

/* The name of the system call that failed. */
static const char *
io_name(int status)
{
    switch (status) {
    case SQLITE_IOERR_READ:
    case SQLITE_IOERR_SHORT_READ:
        return "reading";

    case SQLITE_IOERR_WRITE:
        return "writing";

    case SQLITE_IOERR_FSYNC:
    case SQLITE_IOERR_DIR_FSYNC:
        return "syncing";

    case SQLITE_IOERR_TRUNCATE:
        return "truncating";

    default:
        return "sharing memory, or locking";
    }
}

static int
open_file(const char *path, const char *vfs, int flags, sqlite3 **ret_db,
          struct yl_error *err)
{
    sqlite3 *db;
    int r;

    if (sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOMUTEX
                        | SQLITE_OPEN_EXRESCODE, vfs) != SQLITE_OK) {
        if (!db) {
            yl_out_of_memory(0);
        }
        r = yl_sqlite_db_error(db, "cannot open the database", err);
        yl_error_prefix(err, "%s", path);
        sqlite3_close(db);
        return r;
    }
    sqlite3_busy_timeout(db, YL_SQLITE_BUSY_MSEC);
    *ret_db = db;
    return 0;
}

static int
configure(sqlite3 *db, struct yl_error *err)
{
    int r = yl_sqlite_db_check_format(db, false, err);

    /* Turning on the write-ahead log is a transaction with a journal; see
     * create_tables() for why its end must be on the disk. */
    if (!r) {
        r = yl_sqlite_db_exec(db, "PRAGMA synchronous = EXTRA", err);
    }
    if (!r) {
        r = use_wal(db, err);
    }
    if (!r) {
        /* Checkpoints are made by a thread of their own.  Debian's SQLite
         * overwrites what it deletes; FAST does so only where that costs no
         * I/O. */
        r = yl_sqlite_db_exec(db, "PRAGMA synchronous = FULL;"
                              "PRAGMA wal_autocheckpoint = 0;"
                              "PRAGMA secure_delete = FAST;"
                              CACHE_SETTING, err);
    }
    return r;
}

/* One transaction: a crash leaves an empty file, which counts as a new one.
 * EXTRA syncs the directory too; without that the journal could reappear after
 * a power cut and undo everything. */
static int
create_tables(sqlite3 *db, struct yl_error *err)
{
    char sql[1024];

    snprintf(sql, sizeof sql,
             "PRAGMA page_size = %d;"
             "PRAGMA auto_vacuum = NONE;"
             "PRAGMA synchronous = EXTRA;"
             "BEGIN EXCLUSIVE;"
             "PRAGMA application_id = %d;"
             "PRAGMA user_version = %d;"
             "CREATE TABLE log ("
             "revision INTEGER PRIMARY KEY, "
             "previous INTEGER NOT NULL, "
             "operation TEXT NOT NULL, "
             "checksum INTEGER NOT NULL, "
             "key TEXT NOT NULL, "
             "value TEXT);"
             "CREATE TABLE state ("
             "compacted INTEGER NOT NULL, "
             "revision INTEGER NOT NULL);"
             "INSERT INTO state VALUES (0, 1);"
             "COMMIT",
             YL_SQLITE_PAGE_SIZE, YL_SQLITE_APPLICATION_ID,
             YL_SQLITE_FORMAT);
    return yl_sqlite_db_exec(db, sql, err);
}

static int
use_wal(sqlite3 *db, struct yl_error *err)
{
    sqlite3_stmt *stmt;
    const char *mode;
    int r = yl_sqlite_db_prepare(db, "PRAGMA journal_mode = WAL", &stmt, err);

    if (r < 0) {
        return r;
    }
    if (sqlite3_step(stmt) != SQLITE_ROW) {
        r = yl_sqlite_db_error(db, "cannot keep a write-ahead log", err);
    } else {
        mode = (const char *) sqlite3_column_text(stmt, 0);
        if (!mode || strcmp(mode, "wal")) {
            r = yl_error_set(err, YL_EIO,
                             "the file system does not let SQLite keep a "
                             "write-ahead log (it cannot share memory)");
        }
    }
    sqlite3_finalize(stmt);
    return r;
}
