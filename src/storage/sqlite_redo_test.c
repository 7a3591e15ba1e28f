/* Redo: after it a checkpoint moves everything once more. */

#include "storage/sqlite_redo.h"

#include "storage_unit.h"
#include "unit.h"

/* How many frames of the log are in the database after a checkpoint. */
static int
n_moved(sqlite3 *db)
{
    int n_log, n;

    assert_int_equal(sqlite3_wal_checkpoint_v2(db, "main",
                                               SQLITE_CHECKPOINT_PASSIVE,
                                               &n_log, &n), SQLITE_OK);
    assert_int_equal(n, n_log);
    return n;
}

/* The database with its log, but with the pages that the log has zeroed. */
static void
lose_page(struct store *store, long page)
{
    static const char zeros[4096];
    int fd = open(store_file(store, "yuloh.db"), O_RDWR);

    assert_int_equal(pwrite(fd, zeros, sizeof zeros, (page - 1) * 4096),
                     sizeof zeros);
    close(fd);
}

TEST(what_was_moved_is_moved_again)
{
    struct store store;
    sqlite3 *db, *other;
    char page[4096];
    int fd, n;

    store_init(&store);
    store_put(&store, "/a", "1", 0);
    assert_int_equal(sqlite3_open(store_file(&store, "yuloh.db"), &db),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "SELECT * FROM log", NULL, NULL, NULL),
                     SQLITE_OK);
    n = n_moved(db);
    assert_true(n > 0);

    /* Page 2 is the log's.  SQLite does not move it again by itself. */
    lose_page(&store, 2);
    assert_int_equal(n_moved(db), n);
    fd = open(store_file(&store, "yuloh.db"), O_RDONLY);
    assert_int_equal(pread(fd, page, sizeof page, 4096), sizeof page);
    assert_int_equal(page[0], 0);

    /* Who comes now finds it in the log. */
    assert_int_equal(yl_sqlite_redo(db, NULL), 0);
    assert_int_equal(sqlite3_open(store_file(&store, "yuloh.db"), &other),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "PRAGMA integrity_check; SELECT * "
                                  "FROM log", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_int_equal(n_moved(db), n);
    assert_int_equal(pread(fd, page, sizeof page, 4096), sizeof page);
    assert_int_equal(page[0], 13);      /* A leaf of a table. */
    close(fd);
    sqlite3_close(db);
    assert_int_equal(store_put(&store, "/b", "1", 0), 3);
    store_release(&store);
}

TEST(without_a_log_there_is_nothing_to_move)
{
    struct yl_error err = YL_ERROR_INIT;
    sqlite3 *db;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(yl_sqlite_redo(db, &err), YL_EIO);
    assert_non_null(strstr(yl_error_message(&err), "moved again"));
    yl_error_clear(&err);
    sqlite3_close(db);
}
