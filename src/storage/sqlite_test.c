/* The SQLite back end: what it promises on a disk that works. */

#include "storage/sqlite.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/dir.h"
#include "storage_unit.h"
#include "torture/power_cut.h"
#include "unit.h"

/* A row that is loaded, as text: "REVISION<PREVIOUS KEY=VALUE\n". */
static int
print_row(void *aux, const struct yl_storage_row *row,
          struct yl_error *err YL_UNUSED)
{
    FILE *out = aux;

    fprintf(out, "%d<%d %.*s", (int) row->revision, (int) row->previous,
            YL_STR_ARG(row->key));
    if (row->delete_) {
        assert_int_equal(row->value.size, 0);
        fprintf(out, " gone\n");
    } else {
        fprintf(out, "=%.*s\n", YL_STR_ARG(row->value));
    }
    return 0;
}

/* Everything that a load delivers, then "@NEWEST-COMPACTED". */
static char *
loaded(struct yl_storage *storage)
{
    uint64_t revision, compacted;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(yl_storage_load(storage, print_row, out, &revision,
                                     &compacted, NULL), 0);
    fprintf(out, "@%d-%d", (int) revision, (int) compacted);
    fclose(out);
    return text;
}

#define assert_loads(STORAGE, TEXT)                                           \
    do {                                                                      \
        char *loaded_ = loaded(STORAGE);                                      \
        assert_string_equal(loaded_, TEXT);                                   \
        free(loaded_);                                                        \
    } while (0)

TEST(a_new_store_is_at_revision_one)
{
    struct store store;

    store_init(&store);
    assert_loads(store.storage, "@1-0");
    assert_string_equal(store.storage->ops->name, "sqlite");
    store_release(&store);
}

TEST(what_was_committed_is_loaded_in_order)
{
    struct store store;

    store_init(&store);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    assert_int_equal(store_put(&store, "/b", "{\"x\":\"\xc3\xa4\"}", 0), 3);
    assert_int_equal(store_put(&store, "/a", "2", 2), 4);
    assert_int_equal(store_delete(&store, "/b", 3), 5);
    assert_int_equal(store_put(&store, "/c", "", 0), 6);
    store_reopen(&store);
    assert_loads(store.storage, "2<0 /a=1\n3<0 /b={\"x\":\"\xc3\xa4\"}\n"
                 "4<2 /a=2\n5<3 /b gone\n6<0 /c=\n@6-0");
    assert_int_equal(store_put(&store, "/d", "3", 0), 7);
    store_release(&store);
}

TEST(a_batch_gets_consecutive_revisions_and_joins_pieces)
{
    const struct yl_str pieces[] = { YL_STR_INIT("ab"), YL_STR_INIT(""),
                                     YL_STR_INIT("c") };
    struct yl_storage_write writes[] = {
        { .key = YL_STR_INIT("/a"), .value = pieces, .n_value = 3 },
        { .key = YL_STR_INIT("/b"), .value = pieces, .n_value = 1 },
        { .key = YL_STR_INIT("/c"), .value = NULL, .n_value = 0 },
    };
    struct store store;

    store_init(&store);
    assert_int_equal(store_commit(&store, writes, 3, 0), 0);
    assert_int_equal(writes[0].revision, 2);
    assert_int_equal(writes[2].revision, 4);
    assert_int_equal(writes[1].result, 0);
    assert_loads(store.storage, "2<0 /a=abc\n3<0 /b=ab\n4<0 /c=\n@4-0");
    store_release(&store);
}

/* A few hundred power cuts; tests/torture/storage_main.c makes as many as one
 * wants. */
TEST(power_cuts_lose_nothing_and_apply_nothing_twice)
{
    struct power_cut_counts counts = { 0 };
    struct store store;
    char message[300];
    unsigned seed;

    store_init_dir(&store);
    for (seed = 1; seed <= 6; seed++) {
        if (power_cut_torture(store.dir, seed, 50, &counts, message,
                              sizeof message) < 0) {
            fail_msg("seed %u: %s", seed, message);
        }
    }
    assert_int_equal(counts.n_cuts, 300);
    assert_true(counts.n_acknowledged > 10000);
    assert_true(counts.n_failed > 10);
    store_release(&store);
}
