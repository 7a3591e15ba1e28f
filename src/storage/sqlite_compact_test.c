/* Compaction: what goes, what stays, and how fast. */

#include "storage/sqlite_compact.h"

#include "storage_unit.h"
#include "torture/fault_vfs.h"
#include "unit.h"

/* In memory, for there are many batches. */
static void
init(struct store *store)
{
    fault_vfs_reset(1);
    store_init_dir(store);
    store->opts.vfs = FAULT_VFS;
    store_open(store);
}

/* Compacts without writing, until nothing is left to do. */
static void
compact_to(struct store *store, uint64_t revision)
{
    int i;

    for (i = 0; i < 100; i++) {
        assert_int_equal(store_commit(store, NULL, 0, revision), 0);
    }
}

TEST(replaced_rows_and_deletions_go)
{
    struct store store;

    init(&store);
    store_put(&store, "/a", "1", 0);        /* 2 */
    store_put(&store, "/b", "1", 0);        /* 3 */
    store_put(&store, "/a", "2", 2);        /* 4 */
    store_delete(&store, "/b", 3);          /* 5 */
    store_put(&store, "/a", "3", 4);        /* 6 */

    compact_to(&store, 3);
    assert_loads(store.storage, "2<0 /a=1\n3<0 /b=1\n4<2 /a=2\n5<3 /b gone\n"
                 "6<4 /a=3\n@6-3");
    compact_to(&store, 4);
    assert_loads(store.storage, "3<0 /b=1\n4<2 /a=2\n5<3 /b gone\n6<4 /a=3\n"
                 "@6-4");
    compact_to(&store, 5);
    assert_loads(store.storage, "4<2 /a=2\n6<4 /a=3\n@6-5");
    compact_to(&store, 2);
    assert_loads(store.storage, "4<2 /a=2\n6<4 /a=3\n@6-5");
    store_release(&store);
}

TEST(the_newest_revision_survives_the_compaction_of_its_row)
{
    struct store store;

    init(&store);
    store_put(&store, "/a", "1", 0);
    store_delete(&store, "/a", 2);
    compact_to(&store, 1000);
    assert_loads(store.storage, "@3-3");
    store_reopen(&store);
    assert_loads(store.storage, "@3-3");
    assert_int_equal(store_put(&store, "/a", "1", 0), 4);
    store_release(&store);
}

TEST(a_batch_compacts_little_more_than_it_writes)
{
    struct yl_str piece = YL_STR("1");
    struct yl_storage_write write = {
        .key = YL_STR_INIT("/b"), .value = &piece, .n_value = 1,
    };
    struct store store;
    char *loaded;
    int i;

    init(&store);
    for (i = 0; i < 1000; i++) {
        store_put(&store, "/a", "1", i ? (uint64_t) i + 1 : 0);
    }
    assert_int_equal(store_commit(&store, &write, 1, 1001), 0);
    loaded = store_loaded(store.storage);
    assert_non_null(strstr(loaded, "@1002-11"));
    free(loaded);

    /* One without writes has more time, and it goes on where it stood, also
     * in the next life. */
    store_reopen(&store);
    assert_int_equal(store_commit(&store, NULL, 0, 1001), 0);
    loaded = store_loaded(store.storage);
    assert_non_null(strstr(loaded, "@1002-523"));
    free(loaded);
    compact_to(&store, 1001);
    assert_loads(store.storage, "1001<1000 /a=1\n1002<0 /b=1\n@1002-1001");
    store_release(&store);
}

/* Should the batch fail and come back to life, its writes are removed; what
 * they replaced must be there then. */
TEST(a_batch_does_not_compact_what_it_replaces)
{
    struct yl_str piece = YL_STR("2");
    struct yl_storage_write write = {
        .key = YL_STR_INIT("/a"), .value = &piece, .n_value = 1,
        .expected = 2,
    };
    struct store store;

    init(&store);
    store_put(&store, "/a", "1", 0);
    assert_int_equal(store_commit(&store, &write, 1, 1000), 0);
    assert_loads(store.storage, "2<0 /a=1\n3<2 /a=2\n@3-2");
    store_release(&store);
}

TEST(large_batches_compact_in_steps)
{
    struct yl_storage_write writes[300];
    const struct yl_str value = YL_STR("1");
    char keys[300][16];
    struct store store;
    size_t i;

    init(&store);
    memset(writes, 0, sizeof writes);
    for (i = 0; i < 300; i++) {
        snprintf(keys[i], sizeof keys[i], "/%zu", i);
        writes[i].key = yl_str_c(keys[i]);
        writes[i].value = &value;
        writes[i].n_value = 1;
    }
    assert_int_equal(store_commit(&store, writes, 300, 0), 0);
    for (i = 0; i < 300; i++) {
        writes[i].expected = writes[i].revision;
        writes[i].delete_ = true;
    }
    assert_int_equal(store_commit(&store, writes, 300, 601), 0);
    compact_to(&store, 601);
    assert_loads(store.storage, "@601-601");
    store_release(&store);
}
