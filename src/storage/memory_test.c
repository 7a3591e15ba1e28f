/* The storage in memory: what it promises beyond the contract of every back
 * end (storage_test.c has that), and what tests do to it. */

#include "storage/memory.h"

#include <stdio.h>

#include "storage/memory_control.h"
#include "storage_unit.h"

static void
open_with(struct store *store, struct yl_memory_opts opts)
{
    memset(store, 0, sizeof *store);
    store->in_memory = true;
    store->storage = yl_memory_new(&opts);
}

TEST(a_write_that_expected_something_else_is_a_conflict)
{
    struct store store;

    store_init_memory(&store);
    assert_int_equal(store_put(&store, "/a", "1", 7), YL_ECONFLICT);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    assert_int_equal(store_put(&store, "/a", "1", 0), YL_ECONFLICT);
    assert_int_equal(store_delete(&store, "/a", 1), YL_ECONFLICT);
    assert_loads(store.storage, "2<0 /a=1\n@2-0");
    store_release(&store);
}

/* A group of three writes, the last of which is a deletion. */
struct three {
    struct yl_str piece;
    struct yl_storage_write writes[3];
    struct yl_storage_group group;
};

static struct yl_storage_group *
three_init(struct three *three, uint64_t expected)
{
    *three = (struct three) {
        .piece = YL_STR("1"),
        .writes = {
            { .key = YL_STR("/a"), .value = &three->piece, .n_value = 1 },
            { .key = YL_STR("/b"), .value = &three->piece, .n_value = 1 },
            { .key = YL_STR("/c"), .delete_ = true, .expected = expected },
        },
        .group = { .writes = three->writes, .n_writes = 3 },
    };
    return &three->group;
}

static void
ignore_done(struct yl_storage_batch *batch)
{
    assert_int_equal(batch->result, 0);
}

TEST(of_a_group_everything_takes_place_or_nothing)
{
    struct three bad, good;
    struct yl_storage_group groups[2];
    struct yl_storage_batch batch = {
        .groups = groups, .n_groups = 2, .done = ignore_done,
    };
    struct store store;

    store_init_memory(&store);
    assert_int_equal(store_put(&store, "/c", "1", 0), 2);
    groups[0] = *three_init(&bad, 7);
    groups[1] = *three_init(&good, 2);
    yl_storage_commit(store.storage, &batch);
    yl_storage_collect(store.storage);
    assert_int_equal(groups[0].result, YL_ECONFLICT);
    assert_int_equal(groups[0].after, 2);
    assert_int_equal(groups[0].writes[0].revision, 0);
    assert_int_equal(groups[1].result, 0);
    assert_loads(store.storage, "2<0 /c=1\n3<0 /a=1\n4<0 /b=1\n"
                 "5<2 /c gone\n@5-0");
    store_release(&store);
}

TEST(a_group_can_have_one_revision)
{
    struct three three;
    struct store store;

    open_with(&store, (struct yl_memory_opts) { .one_revision = true });
    assert_int_equal(store_put(&store, "/c", "1", 0), 2);
    assert_int_equal(yl_memory_write(store.storage, three_init(&three, 2)),
                     0);
    assert_loads(store.storage, "2<0 /c=1\n3<0 /a=1\n3<0 /b=1\n"
                 "3<2 /c gone\n@3-0");
    store_release(&store);
}

TEST(it_fails_when_told_to)
{
    struct store store;
    struct yl_memory_stats stats;

    store_init_memory(&store);
    yl_memory_fail(store.storage, 2, YL_EIO);
    assert_int_equal(store_put(&store, "/a", "1", 0), YL_EIO);
    assert_int_equal(store_put(&store, "/a", "1", 0), YL_EIO);
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    yl_memory_stats(store.storage, &stats);
    assert_int_equal(stats.n_batches, 1);
    assert_int_equal(yl_storage_backup(store.storage, "x", NULL), YL_ENOSYS);
    store_release(&store);
}

TEST(one_that_forgets_has_nothing_to_load)
{
    struct store store;

    open_with(&store, (struct yl_memory_opts) { .forget = true });
    assert_int_equal(store_put(&store, "/a", "1", 0), 2);
    assert_int_equal(store_put(&store, "/a", "2", 0), YL_ECONFLICT);
    assert_loads(store.storage, "@2-0");
    store_release(&store);
}

/* The feed, and a second writer
 * ============================= */

struct listener {
    struct yl_storage_feed feed;
    char log[512];
    int n_woken;
};

static void
note(struct listener *listener, const char *text)
{
    size_t size = strlen(listener->log);

    snprintf(listener->log + size, sizeof listener->log - size, "%s", text);
}

static void
on_wake(struct yl_storage_feed *feed)
{
    YL_CONTAINER_OF(feed, struct listener, feed)->n_woken++;
}

static void
on_rows(struct yl_storage_feed *feed, const struct yl_storage_row *rows,
        size_t n)
{
    struct listener *listener = YL_CONTAINER_OF(feed, struct listener, feed);
    size_t i;

    for (i = 0; i < n; i++) {
        char text[64];

        snprintf(text, sizeof text, "%d%.*s=%.*s%s ", (int) rows[i].revision,
                 YL_STR_ARG(rows[i].key), YL_STR_ARG(rows[i].value),
                 rows[i].write ? "(own)" : "");
        note(listener, text);
    }
    note(listener, "|");
}

static void
on_progress(struct yl_storage_feed *feed, uint64_t revision)
{
    char text[32];

    snprintf(text, sizeof text, "progress %d", (int) revision);
    note(YL_CONTAINER_OF(feed, struct listener, feed), text);
}

static void
on_lost(struct yl_storage_feed *feed, const struct yl_error *err)
{
    char text[32];

    snprintf(text, sizeof text, "lost %s", yl_error_name(err->code));
    note(YL_CONTAINER_OF(feed, struct listener, feed), text);
}

static void
listen(struct listener *listener, struct yl_storage *storage)
{
    char *loaded = store_loaded(storage);

    free(loaded);
    *listener = (struct listener) {
        .feed = { on_wake, on_rows, on_progress, on_lost },
    };
    yl_storage_subscribe(storage, &listener->feed);
    listener->n_woken = 0;
}

/* What was told since the last time. */
static void
expect(struct listener *listener, struct yl_storage *storage,
       const char *text)
{
    yl_storage_collect(storage);
    assert_string_equal(listener->log, text);
    listener->log[0] = '\0';
}

/* Another server writes. */
static int
write_behind(struct store *store, const char *key, const char *value,
             uint64_t expected)
{
    struct yl_str piece = yl_str_c(value);
    struct yl_storage_write write = {
        .key = yl_str_c(key), .value = &piece, .n_value = value ? 1 : 0,
        .delete_ = !value, .expected = expected,
    };
    struct yl_storage_group group = { .writes = &write, .n_writes = 1 };
    int r = yl_memory_write(store->storage, &group);

    return r < 0 ? r : (int) write.revision;
}

TEST(the_feed_tells_of_others_too)
{
    struct listener listener;
    struct store store;

    store_init_memory(&store);
    listen(&listener, store.storage);
    assert_int_equal(write_behind(&store, "/a", "1", 0), 2);
    assert_int_equal(listener.n_woken, 1);
    assert_string_equal(listener.log, "");
    assert_int_equal(write_behind(&store, "/a", "2", 0), YL_ECONFLICT);

    /* Our own comes behind it, in the same call. */
    assert_int_equal(store_put(&store, "/b", "1", 0), 3);
    expect(&listener, store.storage, "2/a=1 3/b=1(own) |");
    assert_int_equal(yl_memory_newest(store.storage, "/a"), 2);
    assert_int_equal(write_behind(&store, "/a", NULL, 2), 4);
    assert_int_equal(yl_memory_newest(store.storage, "/a"), 0);
    expect(&listener, store.storage, "4/a= |");
    expect(&listener, store.storage, "");
    yl_storage_subscribe(store.storage, NULL);
    assert_int_equal(write_behind(&store, "/a", "3", 0), 5);
    expect(&listener, store.storage, "");
    store_release(&store);
}

TEST(the_feed_continues_where_loading_ended)
{
    struct listener listener;
    struct store store;
    char *loaded;

    store_init_memory(&store);
    store_put(&store, "/a", "1", 0);
    loaded = store_loaded(store.storage);
    write_behind(&store, "/a", "2", 2);
    listener = (struct listener) {
        .feed = { on_wake, on_rows, on_progress, on_lost },
    };
    yl_storage_subscribe(store.storage, &listener.feed);
    assert_int_equal(listener.n_woken, 1);
    expect(&listener, store.storage, "3/a=2 |");
    free(loaded);
    store_release(&store);
}

TEST(a_group_is_not_divided_between_calls)
{
    enum { N = 400 };
    struct yl_storage_write *writes = calloc(N, sizeof *writes);
    char (*keys)[16] = calloc(N, sizeof *keys);
    struct yl_str piece = YL_STR("1");
    struct yl_storage_group group = { .writes = writes, .n_writes = N };
    struct listener listener;
    struct store store;
    const char *first;
    int i;

    store_init_memory(&store);
    listen(&listener, store.storage);
    for (i = 0; i < N; i++) {
        snprintf(keys[i], sizeof keys[i], "/%d", i);
        writes[i] = (struct yl_storage_write) {
            .key = yl_str_c(keys[i]), .value = &piece, .n_value = 1,
        };
    }
    assert_int_equal(yl_memory_write(store.storage, &group), 0);
    yl_storage_collect(store.storage);

    /* The log is full long before the end of the first call. */
    first = strchr(listener.log, '|');
    assert_null(first);
    assert_int_equal(writes[N - 1].revision, N + 1);
    free(writes);
    free(keys);
    store_release(&store);
}

TEST(progress_is_told_where_there_are_no_rows)
{
    struct listener listener;
    struct store store;

    store_init_memory(&store);
    listen(&listener, store.storage);
    yl_memory_skip(store.storage, 5);
    assert_int_equal(listener.n_woken, 1);
    expect(&listener, store.storage, "progress 6");
    assert_int_equal(store_put(&store, "/a", "1", 0), 7);
    expect(&listener, store.storage, "7/a=1(own) |");
    yl_memory_lose(store.storage, YL_EEXPIRED);
    expect(&listener, store.storage, "lost EEXPIRED");
    store_release(&store);
}

TEST(what_was_not_fed_is_not_compacted)
{
    struct listener listener;
    struct yl_memory_stats stats;
    struct store store;

    store_init_memory(&store);
    listen(&listener, store.storage);
    write_behind(&store, "/a", "1", 0);
    write_behind(&store, "/a", "2", 2);
    yl_memory_compact(store.storage, 3);
    yl_memory_stats(store.storage, &stats);
    assert_int_equal(stats.compacted, 1);
    assert_int_equal(stats.n_rows, 2);
    expect(&listener, store.storage, "2/a=1 3/a=2 |");
    yl_memory_compact(store.storage, 3);
    yl_memory_stats(store.storage, &stats);
    assert_int_equal(stats.compacted, 3);
    assert_int_equal(stats.n_rows, 1);
    store_release(&store);
}

struct rival {
    struct yl_memory_rival rival;
    struct store *store;
    int n;
};

static void
rival_turn(struct yl_memory_rival *rival_, struct yl_storage *storage)
{
    struct rival *rival = YL_CONTAINER_OF(rival_, struct rival, rival);

    assert_ptr_equal(storage, rival->store->storage);
    if (rival->n++ == 0) {
        assert_int_equal(write_behind(rival->store, "/a", "theirs", 0), 2);
    }
}

TEST(a_rival_comes_before_each_batch)
{
    struct store store;
    struct rival rival = { .rival = { rival_turn }, .store = &store };

    store_init_memory(&store);
    yl_memory_set_rival(store.storage, &rival.rival);
    assert_int_equal(store_put(&store, "/a", "ours", 0), YL_ECONFLICT);
    assert_int_equal(store_put(&store, "/a", "ours", 2), 3);
    assert_int_equal(store_commit(&store, NULL, 0, 0), 0);
    assert_int_equal(rival.n, 2);
    yl_memory_set_rival(store.storage, NULL);
    assert_int_equal(store_put(&store, "/a", "ours", 3), 4);
    assert_int_equal(rival.n, 2);
    assert_loads(store.storage,
                 "2<0 /a=theirs\n3<2 /a=ours\n4<3 /a=ours\n@4-0");
    store_release(&store);
}
