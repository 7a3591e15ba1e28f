/* Databases that are refused when they are opened or loaded, and the
 * messages. */

#include "storage/sqlite_db.h"

#include "storage_unit.h"
#include "unit.h"

/* A store with three rows, closed. */
static void
prepare(struct store *store)
{
    store_init(store);
    store_put(store, "/a", "1", 0);
    store_put(store, "/b", "2", 0);
    store_delete(store, "/a", 2);
    store_close(store);
}

/* Opens it; loading must fail with 'text' and the advice. */
static void
assert_damaged(struct store *store, const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    uint64_t revision, compacted;
    FILE *out = fopen("/dev/null", "w");

    store_open(store);
    assert_int_equal(yl_storage_load(store->storage, store_print_row, out,
                                     &revision, &compacted, &err),
                     YL_ESTOREREAD);
    if (!strstr(err.message, text)) {
        fail_msg("\"%s\" does not say \"%s\"", err.message, text);
    }
    assert_non_null(strstr(err.message, "/yuloh.db is damaged: "));
    assert_non_null(strstr(err.message, "\"yuloh restore FILE\""));
    yl_error_clear(&err);
    fclose(out);
    store_close(store);
}

TEST(every_column_is_covered_by_the_checksum)
{
    static const char *const changes[] = {
        "UPDATE log SET value = '9' WHERE revision = 2",
        "UPDATE log SET value = NULL WHERE revision = 2",
        "UPDATE log SET key = '/c' WHERE revision = 2",
        "UPDATE log SET previous = 1 WHERE revision = 2",
        "UPDATE log SET previous = 7 WHERE revision = 2",
        "UPDATE log SET revision = 1 WHERE revision = 2",
        "UPDATE log SET operation = 'delete' WHERE revision = 2",
        "UPDATE log SET operation = 'else' WHERE revision = 2",
        "UPDATE log SET operation = 'put' WHERE revision = 4",
        "UPDATE log SET value = '' WHERE revision = 4",
        "UPDATE log SET checksum = checksum + 1 WHERE revision = 4",
        ("UPDATE log SET value = (SELECT value FROM log WHERE revision = 3), "
         "checksum = (SELECT checksum FROM log WHERE revision = 3) "
         "WHERE revision = 2"),
    };
    struct store store;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(changes); i++) {
        prepare(&store);
        store_sql(&store, changes[i]);
        assert_damaged(&store, "does not match its checksum");
        store_release(&store);
    }
}

TEST(a_long_key_is_cut_in_the_sentence)
{
    struct store store;

    prepare(&store);
    store_sql(&store, "UPDATE log SET key = hex(zeroblob(1000)) "
              "WHERE revision = 2");
    assert_damaged(&store, "00') does not match its checksum");
    store_release(&store);
}

TEST(a_torn_page_is_damage)
{
    struct store store;
    int fd;

    prepare(&store);
    fd = open(store_file(&store, "yuloh.db"), O_RDWR);
    assert_int_equal(pwrite(fd, "garbage", 7, 4096), 7);
    close(fd);
    store_refused(&store, YL_ESTOREREAD, "\"yuloh restore FILE\"");
    store_release(&store);
}

TEST(what_is_no_database_is_refused)
{
    struct store store;
    FILE *file;

    store_init_dir(&store);
    file = fopen(store_file(&store, "yuloh.db"), "w");
    fprintf(file, "%2000s", "no database");
    fclose(file);
    store_refused(&store, YL_ESTOREREAD, "file is not a database");
    store_release(&store);
}

TEST(a_database_of_somebody_else_is_refused)
{
    struct store store;

    prepare(&store);
    store_sql(&store, "PRAGMA application_id = 7");
    store_refused(&store, YL_ESTOREREAD,
                  "this is not a database of Yuloh's");
    store_release(&store);
}

TEST(a_newer_format_is_refused)
{
    struct store store;

    prepare(&store);
    store_sql(&store, "PRAGMA user_version = 2");
    store_refused(&store, YL_ENOSYS, "a newer Yuloh wrote this database "
                  "(format 2; this one reads up to 1)");
    store_release(&store);
}

TEST(a_database_without_its_tables_is_refused)
{
    struct store store;

    prepare(&store);
    store_sql(&store, "DELETE FROM state");
    store_refused(&store, YL_ESTOREREAD, "the database is incomplete");
    store_sql(&store, "DROP TABLE state");
    store_refused(&store, YL_EIO, "no such table: state");
    store_release(&store);
}

TEST(an_empty_file_becomes_a_database)
{
    struct store store;

    store_init_dir(&store);
    fclose(fopen(store_file(&store, "yuloh.db"), "w"));
    store_open(&store);
    assert_loads(store.storage, "@1-0");
    store_release(&store);
}

/* Another connection, such as a person's sqlite3 shell, is writing. */
TEST(a_lock_of_somebody_else_fails_the_batch)
{
    struct store store;
    sqlite3 *db;

    store_init(&store);
    assert_int_equal(sqlite3_open(store_file(&store, "yuloh.db"), &db),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    store.opts.vfs = NULL;
    sqlite3_busy_timeout(db, 0);
    assert_int_equal(store_put(&store, "/a", "1", 0), YL_EUNAVAILABLE);
    assert_non_null(strstr(store.error.message, "another program has locked"));
    sqlite3_close(db);
    assert_true(store_put(&store, "/a", "1", 0) > 0);
    store_release(&store);
}

/* Only we write rows: a foreign one in the place of ours is an error, after
 * which the next batch works again. */
TEST(a_row_of_somebody_else_is_not_mistaken_for_ours)
{
    struct store store;
    sqlite3 *db;

    store_init(&store);
    assert_int_equal(sqlite3_open(store_file(&store, "yuloh.db"), &db),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "INSERT INTO log VALUES "
                                  "(2, 0, 'put', 0, '/x', '')", NULL, NULL,
                                  NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(store_put(&store, "/a", "1", 0), YL_EIO);
    assert_int_equal(store_put(&store, "/a", "1", 0), 3);
    assert_loads(store.storage, "3<0 /a=1\n@3-0");
    store_release(&store);
}
