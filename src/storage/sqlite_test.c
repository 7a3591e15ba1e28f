/* The SQLite back end: what it promises beyond the contract of every one
 * (storage_test.c has that). */

#include "storage/sqlite.h"

#include <unistd.h>

#include "storage_unit.h"
#include "torture/fault_vfs.h"
#include "torture/power_cut.h"
#include "unit.h"

/* A few hundred power cuts; tests/torture/storage_main.c makes as many as one
 * wants. */
TEST(power_cuts_lose_nothing_and_apply_nothing_twice)
{
    struct power_cut_counts counts = { 0 };
    struct store store;
    char message[300];
    unsigned seed;

    store_init_dir(&store);
    for (seed = 1; seed <= 4; seed++) {
        if (power_cut_torture(store.dir, seed, 50, &counts, message,
                              sizeof message) < 0) {
            fail_msg("seed %u: %s", seed, message);
        }
    }
    assert_int_equal(counts.n_cuts, 200);
    assert_true(counts.n_acknowledged > 5000);
    assert_true(counts.n_failed > 10);
    store_release(&store);
}

TEST(files_are_for_their_owner_only)
{
    struct store store;
    struct stat st;

    store_init(&store);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    assert_int_equal(stat(store_file(&store, "yuloh.db"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(stat(store_file(&store, "yuloh.db-wal"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    store_release(&store);
}

TEST(a_clean_end_leaves_one_file)
{
    struct store store;

    store_init(&store);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    store_close(&store);
    assert_int_equal(access(store_file(&store, "yuloh.db"), F_OK), 0);
    assert_int_equal(access(store_file(&store, "yuloh.db-wal"), F_OK), -1);
    assert_int_equal(access(store_file(&store, "yuloh.db-shm"), F_OK), -1);
    store_release(&store);
}

TEST(a_second_process_is_refused)
{
    struct store store;

    store_init(&store);
    store_refused(&store, YL_ECONFLICT, "is in use by process ");
    store_close(&store);
    store_open(&store);
    store_release(&store);
}

TEST(a_directory_that_cannot_be_made_is_named)
{
    struct store store = { .dir = "/dev/null/x" };

    store_refused(&store, YL_EIO, "cannot make the directory /dev/null");
}

TEST(a_full_disk_is_named)
{
    struct store store;

    fault_vfs_reset(1);
    store_init_dir(&store);
    store.opts.vfs = FAULT_VFS;
    store_open(&store);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    fault_vfs_limit(1);
    assert_int_equal(store_put(&store, "/b", "2", 0), YL_EUNAVAILABLE);
    assert_string_equal(store.error.message, "nothing was written: the disk "
                        "is full; make room and try again");
    fault_vfs_limit(0);
    assert_int_equal(store_put(&store, "/b", "2", 0), 4);
    store_release(&store);
}

TEST(a_value_that_is_too_large_fails_its_batch_alone)
{
    size_t size = ((size_t) 64 << 20) + 1;
    char *large = malloc(size);
    struct yl_str pieces[2] = { { large, size - 1 }, YL_STR_INIT("x") };
    struct yl_storage_write writes[] = {
        { .key = YL_STR_INIT("/a"), .value = pieces + 1, .n_value = 1 },
        { .key = YL_STR_INIT("/b"), .value = pieces, .n_value = 2 },
    };
    struct store store;

    memset(large, 'x', size);
    store_init(&store);
    assert_int_equal(store_commit(&store, writes, 2, 0), YL_ETOOBIG);
    assert_int_equal(writes[0].revision, 0);
    assert_non_null(strstr(store.error.message, "larger than 67108864"));
    pieces[0].size = size;
    writes[1].n_value = 1;
    assert_int_equal(store_commit(&store, writes, 2, 0), YL_ETOOBIG);
    assert_int_equal(store_put(&store, "/a", "1", 0), 6);

    /* A small piece in front of it leaves nothing behind either. */
    pieces[0] = YL_STR("x");
    pieces[1] = yl_str_n(large, size);
    writes[1].n_value = 2;
    writes[0].value = pieces;
    assert_int_equal(store_commit(&store, writes, 2, 0), YL_ETOOBIG);
    assert_int_equal(store_put(&store, "/b", "1", 0), 9);
    assert_loads(store.storage, "6<0 /a=1\n9<0 /b=1\n@9-0");
    store_release(&store);
    free(large);
}

TEST(revisions_that_make_no_sense_are_damage)
{
    struct store store;

    store_init(&store);
    store_put(&store, "/a", "1", 0);
    store_close(&store);
    store_sql(&store, "UPDATE state SET compacted = 3");
    store_refused(&store, YL_ESTOREREAD, "make no sense");
    store_sql(&store, "UPDATE state SET compacted = 0, "
              "revision = 9223372036854775807");
    store_refused(&store, YL_ESTOREREAD, "make no sense");
    store_sql(&store, "UPDATE state SET revision = 0");
    store_open(&store);
    assert_loads(store.storage, "2<0 /a=1\n@2-0");
    store_release(&store);
}

TEST(a_full_disk_at_the_first_start_is_called_that)
{
    struct store store;

    fault_vfs_reset(3);
    store_init_dir(&store);
    store.opts.vfs = FAULT_VFS;
    fault_vfs_limit(1);
    store_refused(&store, YL_EUNAVAILABLE, "the disk is full");
    fault_vfs_limit(0);
    store_open(&store);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    store_release(&store);
}

/* A full disk: nothing of the batch is there, and it goes on by itself. */
TEST(a_full_disk_fails_batches_and_passes)
{
    struct store store;
    int i;

    fault_vfs_reset(2);
    store_init_dir(&store);
    store.opts.vfs = FAULT_VFS;
    store_open(&store);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    fault_vfs_limit(fault_vfs_bytes());
    for (i = 0; i < 3; i++) {
        assert_int_equal(store_put(&store, "/a", "2", 2), YL_EUNAVAILABLE);
        assert_non_null(strstr(store.error.message, "the disk is full"));
    }
    assert_loads(store.storage, "2<0 /a=1\n@2-0");
    fault_vfs_limit(0);
    assert_int_equal(store_put(&store, "/a", "3", 2), 6);
    store_reopen(&store);
    assert_loads(store.storage, "2<0 /a=1\n6<2 /a=3\n@6-0");
    store_release(&store);
}

TEST(a_failing_sync_fails_its_batch_and_passes)
{
    struct store store;

    fault_vfs_reset(3);
    store_init_dir(&store);
    store.opts.vfs = FAULT_VFS;
    store_open(&store);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    fault_vfs_fail_syncs("-wal", 1);
    assert_int_equal(store_put(&store, "/a", "2", 2), YL_EIO);
    assert_string_equal(store.error.message, "nothing was written: disk I/O "
                        "error (syncing)");
    assert_int_equal(store_put(&store, "/b", "3", 0), 4);
    store_close(&store);
    fault_vfs_power_on();
    store_open(&store);
    assert_loads(store.storage, "2<0 /a=1\n4<0 /b=3\n@4-0");
    store_release(&store);
}

/* The torture depends on it. */
TEST(the_simulated_disk_forgets_what_was_not_synced)
{
    uint64_t revision, compacted;
    struct store store;
    unsigned seed, n_lost = 0;
    int n_rows = 0;

    for (seed = 0; seed < 20; seed++) {
        fault_vfs_reset(seed);
        store_init_dir(&store);
        store.opts.vfs = FAULT_VFS;
        store_open(&store);
        store_put(&store, "/a", "1", 0);
        fault_vfs_cut_after(0);
        assert_true(fault_vfs_is_cut());
        assert_int_equal(store_put(&store, "/b", "1", 0), YL_EIO);
        store_close(&store);
        fault_vfs_power_on();

        store_sql(&store, "PRAGMA synchronous = OFF;"
                  "PRAGMA wal_autocheckpoint = 0;"
                  "UPDATE log SET value = 'never synced'");
        fault_vfs_cut_after(0);
        fault_vfs_power_on();
        store_open(&store);
        /* The new value would not match its checksum. */
        n_lost += yl_storage_load(store.storage, store_count_row, &n_rows,
                                  &revision, &compacted, NULL) == 0;
        store_release(&store);
    }
    assert_in_range(n_lost, 1, 19);
}

/* The power goes while the database is made, and again later: the journals of
 * its first transactions must not come back and undo what followed. */
TEST(nothing_of_the_creation_comes_back)
{
    char value[20000];
    struct store store;
    uint64_t n;

    memset(value, 'x', sizeof value);
    value[sizeof value - 1] = '\0';
    store_init_dir(&store);
    store.opts.vfs = FAULT_VFS;
    store.opts.data_dir = store.dir;
    for (n = 0; n < 150; n++) {
        int n_rows = 0;

        fault_vfs_reset(n);
        fault_vfs_cut_after(16 + n % 8);
        if (yl_sqlite_open(&store.opts, &store.storage, NULL) == 0) {
            store_put(&store, "/a", "1", 0);
            store_close(&store);
        }
        fault_vfs_power_on();
        store_open(&store);
        assert_true(store_put(&store, "/b", value, 0) > 0);
        store_close(&store);
        fault_vfs_cut_after(0);
        fault_vfs_power_on();
        store_open(&store);
        assert_int_equal(yl_storage_load(store.storage, store_count_row,
                                         &n_rows, &(uint64_t) { 0 },
                                         &(uint64_t) { 0 }, NULL), 0);
        assert_in_range(n_rows, 1, 2);
        store_close(&store);
    }
    store_release(&store);
}
