/* The checkpointer: the log stays small, also while others read it, and a
 * checkpoint that fails loses nothing. */

#include "storage/sqlite_checkpoint.h"

#include "base/thread.h"
#include "storage_unit.h"
#include "torture/fault_vfs.h"
#include "unit.h"

static void
init_small(struct store *store, const char *vfs)
{
    store_init_dir(store);
    store->opts.vfs = vfs;
    store->opts.restart_pages = 64;
    store->opts.step_pages = 16;
    store_open(store);
}

/* Batches of ten writes, of six pages or so. */
#define N_WRITES 10

static void
put_many(struct store *store, int n)
{
    struct yl_storage_write writes[N_WRITES];
    char value[2000];
    const struct yl_str piece = { value, sizeof value };
    int i;

    memset(value, 'x', sizeof value);
    memset(writes, 0, sizeof writes);
    for (i = 0; i < N_WRITES; i++) {
        writes[i].key = YL_STR("/a");
        writes[i].value = &piece;
        writes[i].n_value = 1;
    }
    for (i = 0; i < n; i++) {
        assert_int_equal(store_commit(store, writes, N_WRITES, 0), 0);
    }
}

static uint64_t
wal_pages(const struct store *store)
{
    struct stat st;

    assert_int_equal(stat(store_file(store, "yuloh.db-wal"), &st), 0);
    return (uint64_t) st.st_size / (4096 + 24);
}

/* Writes until the log's file does not grow any more, because it is written
 * from its start again.  When the checkpointer's thread runs is up to the
 * system, so this does not test how soon that is. */
static void
write_until_it_restarts(struct store *store)
{
    uint64_t before;
    int i = 0;

    do {
        before = wal_pages(store);
        put_many(store, 20);
        assert_true(i++ < 10000);
    } while (wal_pages(store) > before);
}

TEST(the_log_does_not_grow_without_end)
{
    struct store store;
    int i;

    init_small(&store, NULL);
    for (i = 0; i < 3; i++) {
        write_until_it_restarts(&store);
    }
    assert_true(wal_pages(&store) > 64);
    store_release(&store);
}

TEST(a_reader_delays_it_but_no_batch)
{
    struct store store;
    sqlite3 *reader;

    init_small(&store, NULL);
    put_many(&store, 1);
    assert_int_equal(sqlite3_open(store_file(&store, "yuloh.db"), &reader),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(reader, "BEGIN; SELECT * FROM state", NULL,
                                  NULL, NULL), SQLITE_OK);
    put_many(&store, 100);
    assert_true(wal_pages(&store) > 64 * 8);
    sqlite3_close(reader);
    write_until_it_restarts(&store);
    store_release(&store);
}

/* Some syncs of the database fail; no batch does, even if another connection
 * reads all the time, and nothing is lost in a power cut. */
static void
fail_syncs(unsigned seed, bool read)
{
    struct store store;
    sqlite3 *reader = NULL;
    char key[16], value[2000];
    bool failed = false;
    int i = 0, n = 0, more = 100;

    memset(value, 'x', sizeof value);
    value[sizeof value - 1] = '\0';
    fault_vfs_reset(seed);
    init_small(&store, FAULT_VFS);
    if (read) {
        assert_int_equal(sqlite3_open_v2(store_file(&store, "yuloh.db"),
                                         &reader, SQLITE_OPEN_READONLY,
                                         FAULT_VFS), SQLITE_OK);
        assert_int_equal(sqlite3_exec(reader, "SELECT * FROM state", NULL,
                                      NULL, NULL), SQLITE_OK);
    }
    fault_vfs_fail_syncs(".db", 1);

    /* Until it has failed, whenever that is, and for a while after it. */
    while (more--) {
        snprintf(key, sizeof key, "/%d", ++n);
        assert_true(store_put(&store, key, value, 0) > 0);
        assert_true(n < 100000);
        if (!failed && !more) {
            failed = fault_vfs_fail_syncs(".db", 1) == 0;
            more = 100;
        }
    }
    fault_vfs_fail_syncs(".db", 0);
    fault_vfs_cut_after(0);
    store_close(&store);
    sqlite3_close(reader);
    fault_vfs_power_on();

    store_open(&store);
    assert_int_equal(yl_storage_load(store.storage, store_count_row, &i,
                                     &(uint64_t) { 0 }, &(uint64_t) { 0 },
                                     NULL), 0);
    assert_int_equal(i, n);
    store_release(&store);
}

TEST(a_checkpoint_that_fails_is_made_good)
{
    unsigned seed;

    for (seed = 0; seed < 10; seed++) {
        fail_syncs(seed, false);
        fail_syncs(seed, true);
    }
}

TEST(it_needs_a_database)
{
    const struct yl_sqlite_opts opts = { .data_dir = NULL };
    struct yl_sqlite_checkpointer *checkpointer;
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_sqlite_checkpointer_start("/dev/null/x", &opts,
                                                  &checkpointer, &err),
                     YL_EIO);
    assert_non_null(strstr(err.message, "cannot open the database"));
    yl_error_clear(&err);
    yl_sqlite_checkpointer_stop(NULL);
}
