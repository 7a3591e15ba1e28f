/* The contract of storage/storage.h, as far as it is the same on every back
 * end.  Each case runs on all of them. */

#include "storage/storage.h"

#include "storage_unit.h"

#define STORAGE_TEST(NAME)                                                    \
    static void NAME(struct store *);                                         \
    TEST(NAME##_in_sqlite)                                                    \
    {                                                                         \
        struct store store;                                                   \
                                                                              \
        store_init(&store);                                                   \
        NAME(&store);                                                         \
        store_release(&store);                                                \
    }                                                                         \
    TEST(NAME##_in_memory)                                                    \
    {                                                                         \
        struct store store;                                                   \
                                                                              \
        store_init_memory(&store);                                            \
        NAME(&store);                                                         \
        store_release(&store);                                                \
    }                                                                         \
    static void NAME(struct store *store)

STORAGE_TEST(a_new_store_is_at_revision_one)
{
    assert_loads(store->storage, "@1-0");
    assert_true(store->storage->max_batches >= 1);
    assert_string_equal(store->storage->ops->name,
                        store->in_memory ? "memory" : "sqlite");
}

STORAGE_TEST(what_was_committed_is_loaded_in_order)
{
    assert_int_equal(store_put(store, "/a", "1", 0), 2);
    assert_int_equal(store_put(store, "/b", "{\"x\":\"\xc3\xa4\"}", 0), 3);
    assert_int_equal(store_put(store, "/a", "2", 2), 4);
    assert_int_equal(store_delete(store, "/b", 3), 5);
    assert_int_equal(store_put(store, "/c", "", 0), 6);
    assert_int_equal(store_put(store, "/b", "2", 0), 7);
    store_reopen(store);
    assert_loads(store->storage, "2<0 /a=1\n3<0 /b={\"x\":\"\xc3\xa4\"}\n"
                 "4<2 /a=2\n5<3 /b gone\n6<0 /c=\n7<0 /b=2\n@7-0");
    assert_int_equal(store_put(store, "/d", "3", 0), 8);
}

STORAGE_TEST(a_batch_gets_ascending_revisions_and_joins_pieces)
{
    const struct yl_str pieces[] = { YL_STR_INIT("ab"), YL_STR_INIT(""),
                                     YL_STR_INIT("c") };
    struct yl_storage_write writes[] = {
        { .key = YL_STR_INIT("/a"), .value = pieces, .n_value = 3 },
        { .key = YL_STR_INIT("/b"), .value = pieces, .n_value = 1 },
        { .key = YL_STR_INIT("/c"), .value = NULL, .n_value = 0 },
    };

    assert_int_equal(store_commit(store, writes, 3, 0), 0);
    assert_int_equal(writes[0].revision, 2);
    assert_int_equal(writes[1].revision, 3);
    assert_int_equal(writes[2].revision, 4);
    assert_loads(store->storage, "2<0 /a=abc\n3<0 /b=ab\n4<0 /c=\n@4-0");
}

STORAGE_TEST(an_empty_batch_ends_well)
{
    assert_int_equal(store_commit(store, NULL, 0, 0), 0);
    assert_loads(store->storage, "@1-0");
}

static int
stop_loading(void *aux, const struct yl_storage_row *row,
             struct yl_error *err)
{
    ++*(int *) aux;
    return row->revision == 3
           ? yl_error_set(err, YL_EINVALID, "enough") : 0;
}

STORAGE_TEST(a_callback_can_end_loading)
{
    struct yl_error err = YL_ERROR_INIT;
    uint64_t revision = 99, compacted = 99;
    int n = 0;

    store_put(store, "/a", "1", 0);
    store_put(store, "/b", "1", 0);
    store_put(store, "/c", "1", 0);
    assert_int_equal(yl_storage_load(store->storage, stop_loading, &n,
                                     &revision, &compacted, &err),
                     YL_EINVALID);
    assert_string_equal(err.message, "enough");
    assert_int_equal(n, 2);
    assert_int_equal(revision, 99);
    yl_error_clear(&err);
}

/* It may go little by little: as often as it takes. */
static void
compact(struct store *store, uint64_t revision)
{
    int i;

    for (i = 0; i < 20; i++) {
        assert_int_equal(store_commit(store, NULL, 0, revision), 0);
    }
}

STORAGE_TEST(compaction_takes_what_was_replaced)
{
    store_put(store, "/a", "1", 0);
    store_put(store, "/a", "2", 2);
    store_put(store, "/b", "1", 0);
    store_delete(store, "/b", 4);
    store_put(store, "/a", "3", 3);
    compact(store, 4);
    assert_loads(store->storage, "3<2 /a=2\n4<0 /b=1\n5<4 /b gone\n"
                 "6<3 /a=3\n@6-4");
    compact(store, 5);
    assert_loads(store->storage, "3<2 /a=2\n6<3 /a=3\n@6-5");
    store_reopen(store);
    compact(store, 1000);
    assert_loads(store->storage, "6<3 /a=3\n@6-6");
    assert_int_equal(store_put(store, "/b", "2", 0), 7);
    assert_int_equal(store_put(store, "/a", "4", 6), 8);
}

STORAGE_TEST(a_deletion_that_was_followed_goes_too)
{
    store_put(store, "/a", "1", 0);
    store_delete(store, "/a", 2);
    store_put(store, "/a", "2", 0);
    compact(store, 3);
    assert_loads(store->storage, "4<0 /a=2\n@4-3");
    assert_int_equal(store_put(store, "/a", "3", 4), 5);
}

/* The feed
 * ======== */

/* What was told, in order: rows as store_print_row() prints them, with the
 * number of the write that they are, ";" at the end of a call, and "done". */
struct told {
    struct yl_storage_feed feed;
    struct yl_storage_write *writes;
    char *text;
    size_t size;
    FILE *out;
};

static void
tell_rows(struct yl_storage_feed *feed, const struct yl_storage_row *rows,
          size_t n_rows)
{
    struct told *told = YL_CONTAINER_OF(feed, struct told, feed);
    size_t i;

    assert_true(n_rows > 0);
    for (i = 0; i < n_rows; i++) {
        fprintf(told->out, "%d<%d %.*s%s", (int) rows[i].revision,
                (int) rows[i].previous, YL_STR_ARG(rows[i].key),
                rows[i].delete_ ? " gone" : "");
        if (rows[i].write) {
            assert_int_equal(rows[i].write->revision, rows[i].revision);
            assert_true(yl_str_equal(rows[i].write->key, rows[i].key));
            fprintf(told->out, " #%d", (int) (rows[i].write - told->writes));
        }
        fprintf(told->out, "\n");
    }
    fprintf(told->out, ";");
}

static void
tell_done(struct yl_storage_batch *batch)
{
    struct told *told = batch->aux;

    fprintf(told->out, "done");
}

static void
tell_no_wake(struct yl_storage_feed *feed)
{
    (void) feed;
}

static void
told_init(struct told *told, struct yl_storage_write *writes)
{
    *told = (struct told) {
        .feed = { .wake = tell_no_wake, .rows = tell_rows },
        .writes = writes,
    };
    told->out = open_memstream(&told->text, &told->size);
}

/* Takes what was told since the last time. */
static void
told_expect(struct told *told, const char *text)
{
    fclose(told->out);
    assert_string_equal(told->text, text);
    free(told->text);
    told->out = open_memstream(&told->text, &told->size);
}

static void
told_release(struct told *told)
{
    fclose(told->out);
    free(told->text);
}

static void
subscribe(struct store *store, struct told *told)
{
    char *loaded = store_loaded(store->storage);

    yl_storage_subscribe(store->storage, &told->feed);
    free(loaded);
}

STORAGE_TEST(the_feed_tells_of_groups_in_order_and_before_they_are_done)
{
    const struct yl_str piece = YL_STR_INIT("1");
    struct yl_storage_write writes[] = {
        { .key = YL_STR_INIT("/a"), .value = &piece, .n_value = 1 },
        { .key = YL_STR_INIT("/b"), .value = &piece, .n_value = 1 },
        { .key = YL_STR_INIT("/old"), .delete_ = true, .expected = 2 },
        { .key = YL_STR_INIT("/c"), .value = &piece, .n_value = 1 },
    };
    struct yl_storage_group groups[] = {
        { .writes = &writes[0], .n_writes = 3 },
        { .writes = &writes[3], .n_writes = 1 },
    };
    struct yl_storage_batch batch = {
        .groups = groups, .n_groups = 2, .done = tell_done,
    };
    struct told told;

    told_init(&told, writes);
    batch.aux = &told;
    assert_int_equal(store_put(store, "/old", "1", 0), 2);
    subscribe(store, &told);
    yl_storage_collect(store->storage);
    told_expect(&told, "");
    yl_storage_commit(store->storage, &batch);
    told_expect(&told, "");
    yl_storage_collect(store->storage);
    told_expect(&told, "3<0 /a #0\n4<0 /b #1\n5<2 /old gone #2\n"
                "6<0 /c #3\n;done");
    assert_int_equal(batch.result, 0);
    assert_int_equal(groups[0].result, 0);
    assert_int_equal(groups[1].result, 0);
    yl_storage_collect(store->storage);
    told_expect(&told, "");

    /* A batch without groups has nothing to tell. */
    batch.n_groups = 0;
    yl_storage_commit(store->storage, &batch);
    yl_storage_collect(store->storage);
    told_expect(&told, "done");
    yl_storage_subscribe(store->storage, NULL);
    told_release(&told);
}

STORAGE_TEST(nobody_is_told_after_unsubscribing)
{
    struct told told;

    told_init(&told, NULL);
    subscribe(store, &told);
    yl_storage_subscribe(store->storage, NULL);
    assert_int_equal(store_put(store, "/a", "1", 0), 2);
    told_expect(&told, "");

    /* The next subscriber starts where it has loaded. */
    subscribe(store, &told);
    yl_storage_collect(store->storage);
    told_expect(&told, "");
    yl_storage_subscribe(store->storage, NULL);
    told_release(&told);
}
