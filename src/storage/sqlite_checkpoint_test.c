/* The checkpointer: the log stays small, whoever reads it, and a checkpoint
 * that fails costs nothing. */

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

TEST(the_log_does_not_grow_without_end)
{
    struct store store;
    int i;

    init_small(&store, NULL);
    for (i = 0; i < 60; i++) {
        put_many(&store, 5);
        usleep(2000);           /* Lets the checkpointer have its turn. */
    }

    /* Above the limit, and on a busy machine above the multiple at which the
     * writer does all the work itself, but not all that was written. */
    assert_in_range(wal_pages(&store), 10, 300 * 6 * 9 / 10);
    store_release(&store);
}

TEST(a_reader_delays_it_but_no_batch)
{
    struct store store;
    sqlite3 *reader;
    uint64_t n_pages;

    init_small(&store, NULL);
    put_many(&store, 1);
    assert_int_equal(sqlite3_open(store_file(&store, "yuloh.db"), &reader),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(reader, "BEGIN; SELECT * FROM state", NULL,
                                  NULL, NULL), SQLITE_OK);
    put_many(&store, 100);
    n_pages = wal_pages(&store);
    assert_true(n_pages > 64 * 8);
    sqlite3_close(reader);
    put_many(&store, 100);
    assert_true(wal_pages(&store) < n_pages + 600);
    store_release(&store);
}

/* All syncs of the database fail for a while; then the log is replayed, and a
 * power cut finds everything. */
TEST(a_checkpoint_that_fails_is_made_good)
{
    struct store store;
    char key[16], value[2000];
    unsigned seed;
    int i, n = 0;

    memset(value, 'x', sizeof value);
    value[sizeof value - 1] = '\0';
    for (seed = 0; seed < 5; seed++) {
        fault_vfs_reset(seed);
        init_small(&store, FAULT_VFS);
        fault_vfs_fail_syncs(".db", 2);
        for (i = n = 0; i < 300; i++) {
            snprintf(key, sizeof key, "/%d", i);
            n += store_put(&store, key, value, 0) > 0;
        }
        assert_true(n > 290);
        fault_vfs_cut_after(0);
        store_close(&store);
        fault_vfs_power_on();

        store_open(&store);
        i = 0;
        assert_int_equal(yl_storage_load(store.storage, store_count_row, &i,
                                         &(uint64_t) { 0 },
                                         &(uint64_t) { 0 }, NULL), 0);
        assert_int_equal(i, n);
        store_release(&store);
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
