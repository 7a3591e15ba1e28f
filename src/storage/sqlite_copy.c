/* Backup and restore.  See storage/sqlite.h for the contract and
 * storage/sqlite_copy.h for what happens on the disk.
 *
 * The copy is made with VACUUM INTO: one read transaction, so it is consistent
 * and blocks no writer; the copy has no free pages and is a single file.
 * VACUUM INTO syncs nothing, so that is done here.  The caller's progress
 * function is called from time to time and can end the copy. */

#include "storage/sqlite_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/dir.h"
#include "storage/sqlite.h"
#include "storage/sqlite_db.h"
#include "storage/temporary.h"

#define PARTIAL YL_SQLITE_FILE ".partial"
#define RESTORED YL_SQLITE_FILE ".restored"

/* Instructions of SQLite's machine between two reports. */
#define REPORT_EVERY 100000

/* Rows that are verified between two reports. */
#define VERIFY_EVERY 1024

struct copy {
    const char *path;           /* Of the copy. */
    struct yl_sqlite_progress *progress;
    uint64_t all_bytes;
};

static int restore_locked(const char *data_dir, sqlite3 *from,
                          struct yl_sqlite_progress *, struct yl_error *err);
static int open_backup(const char *path, sqlite3 **ret_db,
                       struct yl_error *err);
static int copy(sqlite3 *, const char *path, struct yl_sqlite_progress *,
                struct yl_error *err);
static int cancelled(struct yl_error *err);
static int report(void *copy);
static int start_anew(const char *path, struct yl_error *err);
static int check_row(void *copy, const struct yl_storage_row *,
                     struct yl_error *err);
static int verify(const char *path, struct yl_sqlite_progress *,
                  struct yl_error *err);
static int sync_file(const char *path, struct yl_error *err);
static int remove_in(const char *dir, const char *name, struct yl_error *);
static int rename_in(const char *dir, const char *from, const char *to,
                     struct yl_error *err);
static bool holds_database(const char *data_dir);

int
yl_sqlite_backup(const char *data_dir, const char *path,
                 struct yl_sqlite_progress *progress, struct yl_error *err)
{
    struct yl_temporary temporary;
    sqlite3 *db;
    char *from;
    int r;

    if (access(path, F_OK) == 0) {
        return yl_error_set(err, YL_EEXISTS, "%s exists already; name a new "
                            "file", path);
    } else if (!holds_database(data_dir)) {
        return yl_error_set(err, YL_ENOTFOUND, "there is no database in %s",
                            data_dir);
    }
    from = yl_dir_file(data_dir, YL_SQLITE_FILE);
    r = yl_sqlite_db_open(from, NULL, &db, err);
    free(from);
    if (r < 0) {
        return r;
    }
    yl_sqlite_db_keep_wal(db);  /* Checkpoints are left to the server. */
    r = yl_temporary_create(&temporary, path, err);
    if (r < 0) {
        sqlite3_close(db);
        return r;
    }
    r = copy(db, temporary.path, progress, err);
    sqlite3_close(db);
    if (!r && !(r = verify(temporary.path, progress, err))) {
        r = yl_temporary_appear(&temporary, path, err);
    }
    yl_temporary_release(&temporary);
    return r;
}

int
yl_sqlite_restore(const char *data_dir, const char *path, bool force,
                  struct yl_sqlite_progress *progress, struct yl_error *err)
{
    sqlite3 *from;
    int r, lock;

    if ((r = yl_dir_make(data_dir, err)) < 0) {
        return r;
    }
    lock = yl_dir_lock(data_dir, err);
    if (lock < 0) {
        return lock;
    }
    if (!force && holds_database(data_dir)) {
        r = yl_error_set(err, YL_EEXISTS,
                         "%s holds a database already; --force replaces it",
                         data_dir);
    } else {
        r = open_backup(path, &from, err);
        if (!r) {
            r = restore_locked(data_dir, from, progress, err);
            sqlite3_close(from);
        }
    }
    yl_dir_unlock(lock);
    return r;
}

int
yl_sqlite_finish_restore(const char *data_dir, struct yl_error *err)
{
    char *restored = yl_dir_file(data_dir, RESTORED);
    bool decided = access(restored, F_OK) == 0;
    int r;

    free(restored);
    if (!decided) {
        return 0;
    }
    if ((r = remove_in(data_dir, YL_SQLITE_FILE "-wal", err)) < 0
        || (r = remove_in(data_dir, YL_SQLITE_FILE "-shm", err)) < 0
        || (r = remove_in(data_dir, YL_SQLITE_FILE "-journal", err)) < 0
        || (r = yl_dir_sync(data_dir, err)) < 0
        || (r = rename_in(data_dir, RESTORED, YL_SQLITE_FILE, err)) < 0) {
        return r;
    }
    return yl_dir_sync(data_dir, err);
}

static int
restore_locked(const char *data_dir, sqlite3 *from,
               struct yl_sqlite_progress *progress, struct yl_error *err)
{
    char *partial = yl_dir_file(data_dir, PARTIAL);
    int fd, r;

    /* SQLite would apply a log that a crash has left to the new file. */
    if ((r = remove_in(data_dir, PARTIAL, err)) < 0
        || (r = remove_in(data_dir, PARTIAL "-wal", err)) < 0
        || (r = remove_in(data_dir, PARTIAL "-shm", err)) < 0
        || (r = remove_in(data_dir, PARTIAL "-journal", err)) < 0) {
        free(partial);
        return r;
    }
    fd = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        r = yl_error_set(err, YL_EIO, "cannot create %s: %m", partial);
    } else {
        yl_dir_give(data_dir, fd);
        close(fd);
        if (!(r = copy(from, partial, progress, err))
            && !(r = verify(partial, progress, err))
            && !(r = start_anew(partial, err))
            && !(r = sync_file(partial, err))
            && !(r = rename_in(data_dir, PARTIAL, RESTORED, err))
            && !(r = yl_dir_sync(data_dir, err))) {
            r = yl_sqlite_finish_restore(data_dir, err);
        } else {
            unlink(partial);
        }
    }
    free(partial);
    return r;
}

/* Opens a backup and checks all of its pages. */
static int
open_backup(const char *path, sqlite3 **ret_db, struct yl_error *err)
{
    sqlite3_stmt *stmt;
    sqlite3 *db;
    const char *text = NULL;
    int r = yl_sqlite_db_open_readonly(path, &db, err);

    if (r < 0) {
        return r;
    }
    r = yl_sqlite_db_prepare(db, "PRAGMA integrity_check(1)", &stmt, err);
    if (!r) {
        if (sqlite3_step(stmt) == SQLITE_ROW) {
            text = (const char *) sqlite3_column_text(stmt, 0);
        }
        if (!text || strcmp(text, "ok")) {
            r = yl_error_set(err, YL_ESTOREREAD, "%s; use another backup",
                             text ? text : sqlite3_errmsg(db));
        }
        sqlite3_finalize(stmt);
    }
    if (r < 0) {
        yl_error_prefix(err, "%s is damaged", path);
        sqlite3_close(db);
        return r;
    }
    *ret_db = db;
    return 0;
}

/* Copies into an empty file; sets the error if it fails. */
static int
copy(sqlite3 *db, const char *path, struct yl_sqlite_progress *progress,
     struct yl_error *err)
{
    struct copy c = { .path = path, .progress = progress };
    sqlite3_stmt *stmt;
    uint64_t n_pages;
    int r;

    if ((r = yl_sqlite_db_number(db, "SELECT p.page_count - f.freelist_count "
                                 "FROM pragma_page_count() p, "
                                 "pragma_freelist_count() f", &n_pages, err))
            < 0
        || (r = yl_sqlite_db_prepare(db, "VACUUM INTO ?1", &stmt, err)) < 0) {
        return r;
    }
    c.all_bytes = n_pages * YL_SQLITE_PAGE_SIZE;
    if (progress) {
        sqlite3_progress_handler(db, REPORT_EVERY, report, &c);
    }
    sqlite3_bind_text(stmt, 1, path, -1, SQLITE_STATIC);
    switch (sqlite3_step(stmt)) {
    case SQLITE_DONE:
        break;

    case SQLITE_INTERRUPT:
        r = cancelled(err);
        break;

    default:
        r = yl_sqlite_db_error(db, "cannot copy the database", err);
    }
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_finalize(stmt);
    if (!r && progress
        && !progress->report(progress, c.all_bytes, c.all_bytes)) {
        r = cancelled(err);
    }
    return r;
}

static int
cancelled(struct yl_error *err)
{
    return yl_error_set(err, YL_ECANCELED, "interrupted");
}

/* SQLite calls it from time to time. */
static int
report(void *copy_)
{
    const struct copy *c = copy_;
    uint64_t done = 0;
    struct stat st;

    if (stat(c->path, &st) == 0) {
        done = (uint64_t) st.st_size;
    }
    return !c->progress->report(c->progress,
                                done < c->all_bytes ? done : c->all_bytes,
                                c->all_bytes);
}

/* Drops the history and leaves a gap in the revisions. */
static int
start_anew(const char *path, struct yl_error *err)
{
    char sql[512];
    sqlite3 *db;
    int r = yl_sqlite_db_open(path, NULL, &db, err);

    if (r < 0) {
        return r;
    }
    snprintf(sql, sizeof sql,
             "PRAGMA journal_mode = DELETE;"
             "BEGIN;"
             "UPDATE state SET revision = %d + max(revision, coalesce("
             "(SELECT max(revision) FROM log), 0));"
             "UPDATE state SET compacted = revision;"
             "DELETE FROM log WHERE revision IN (SELECT previous FROM log);"
             "DELETE FROM log WHERE operation = 'delete';"
             "COMMIT", YL_SQLITE_RESTORE_GAP);
    r = yl_sqlite_db_exec(db, sql, err);
    sqlite3_close(db);
    return r;
}

/* The row itself is verified by the scan; this only reports progress. */
static int
check_row(void *copy_, const struct yl_storage_row *row, struct yl_error *err)
{
    const struct copy *c = copy_;

    return c->progress && row->revision % VERIFY_EVERY == 0
           && !c->progress->report(c->progress, c->all_bytes, c->all_bytes)
           ? cancelled(err) : 0;
}

static int
verify(const char *path, struct yl_sqlite_progress *progress,
       struct yl_error *err)
{
    struct copy c = { .path = path, .progress = progress };
    struct stat st;
    sqlite3 *db;
    int r = yl_sqlite_db_open_readonly(path, &db, err);

    if (!r) {
        c.all_bytes = stat(path, &st) == 0 ? (uint64_t) st.st_size : 0;
        r = yl_sqlite_db_scan(db, check_row, &c, err);
        sqlite3_close(db);
    }
    return r;
}

static int
sync_file(const char *path, struct yl_error *err)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    int r = 0;

    if (fd < 0 || fsync(fd) < 0) {
        r = yl_error_set(err, YL_EIO, "cannot sync %s: %m", path);
    }
    if (fd >= 0) {
        close(fd);
    }
    return r;
}

static int
remove_in(const char *dir, const char *name, struct yl_error *err)
{
    char *path = yl_dir_file(dir, name);
    int r = 0;

    if (unlink(path) < 0 && errno != ENOENT) {
        r = yl_error_set(err, YL_EIO, "cannot remove %s: %m", path);
    }
    free(path);
    return r;
}

static int
rename_in(const char *dir, const char *from, const char *to,
          struct yl_error *err)
{
    char *old = yl_dir_file(dir, from);
    char *new = yl_dir_file(dir, to);
    int r = 0;

    if (rename(old, new) < 0) {
        r = yl_error_set(err, YL_EIO, "cannot rename %s to %s: %m", old, to);
    }
    free(new);
    free(old);
    return r;
}

static bool
holds_database(const char *data_dir)
{
    char *path = yl_dir_file(data_dir, YL_SQLITE_FILE);
    struct stat st;
    bool there = stat(path, &st) == 0 && st.st_size > 0;

    free(path);
    return there;
}
