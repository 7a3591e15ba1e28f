/* Tests of the storage in memory. */

#include "storage/memory.h"

#include <stdio.h>

#include "unit.h"

static int
print_row(void *aux, const struct yl_storage_row *row, struct yl_error *err)
{
    (void) err;
    fprintf(aux, "%d<%d %.*s=%.*s;", (int) row->revision, (int) row->previous,
            YL_STR_ARG(row->key),
            YL_STR_ARG(row->delete_ ? YL_STR("gone") : row->value));
    return 0;
}

static void
expect(struct yl_storage *storage, const char *rows)
{
    uint64_t revision, compacted;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(yl_storage_load(storage, print_row, out, &revision,
                                     &compacted, NULL), 0);
    fprintf(out, "@%d-%d", (int) revision, (int) compacted);
    fclose(out);
    assert_string_equal(text, rows);
    free(text);
}

static void
done(struct yl_storage_batch *batch)
{
    ++*(int *) batch->aux;
}

/* One write as a batch: its revision, or the code. */
static int
commit(struct yl_storage *storage, const char *key, const char *value,
       uint64_t expected, uint64_t compact)
{
    struct yl_str pieces[] = { YL_STR("v"), yl_str_c(value) };
    struct yl_storage_write write = {
        .key = yl_str_c(key),
        .value = pieces,
        .n_value = value ? 2 : 0,
        .delete_ = !value,
        .expected = expected,
    };
    int n_done = 0;
    struct yl_storage_batch batch = {
        .writes = &write,
        .n_writes = key ? 1 : 0,
        .compact = compact,
        .done = done,
        .aux = &n_done,
    };

    yl_storage_commit(storage, &batch);
    assert_int_equal(n_done, 1);
    assert_int_equal(batch.error.code, batch.result);
    yl_error_clear(&batch.error);
    return batch.result ? batch.result
                        : write.result ? write.result : (int) write.revision;
}

TEST(rows_come_back_in_order)
{
    struct yl_storage *s = yl_memory_new(NULL);

    expect(s, "@1-0");
    assert_int_equal(commit(s, "/a", "1", 0, 0), 2);
    assert_int_equal(commit(s, "/b", "1", 0, 0), 3);
    assert_int_equal(commit(s, "/a", "2", 2, 0), 4);
    assert_int_equal(commit(s, "/b", NULL, 3, 0), 5);
    assert_int_equal(commit(s, "/b", "2", 0, 0), 6);
    expect(s, "2<0 /a=v1;3<0 /b=v1;4<2 /a=v2;5<3 /b=gone;6<0 /b=v2;@6-0");
    yl_storage_close(s);
}

TEST(a_write_that_expected_something_else_is_a_conflict)
{
    struct yl_storage *s = yl_memory_new(NULL);

    assert_int_equal(commit(s, "/a", "1", 7, 0), YL_ECONFLICT);
    assert_int_equal(commit(s, "/a", "1", 0, 0), 2);
    assert_int_equal(commit(s, "/a", "1", 0, 0), YL_ECONFLICT);
    expect(s, "2<0 /a=v1;@2-0");
    yl_storage_close(s);
}

TEST(compaction_takes_what_was_replaced)
{
    struct yl_storage *s = yl_memory_new(NULL);
    struct yl_memory_stats stats;

    commit(s, "/a", "1", 0, 0);
    commit(s, "/a", "2", 2, 0);
    commit(s, "/b", "1", 0, 0);
    commit(s, "/b", NULL, 4, 0);
    commit(s, "/a", "3", 3, 0);
    commit(s, NULL, NULL, 0, 4);
    expect(s, "3<2 /a=v2;4<0 /b=v1;5<4 /b=gone;6<3 /a=v3;@6-4");
    commit(s, NULL, NULL, 0, 5);
    expect(s, "3<2 /a=v2;6<3 /a=v3;@6-5");
    assert_int_equal(commit(s, "/b", "2", 0, 6), 7);
    expect(s, "6<3 /a=v3;7<0 /b=v2;@7-6");
    yl_memory_stats(s, &stats);
    assert_int_equal(stats.n_rows, 2);
    assert_int_equal(stats.compacted, 6);

    /* Not further than there is anything, nor what the batch replaces. */
    assert_int_equal(commit(s, "/b", "3", 7, 1000), 8);
    expect(s, "6<3 /a=v3;7<0 /b=v2;8<7 /b=v3;@8-7");
    yl_storage_close(s);
}

TEST(a_deletion_that_was_followed_goes_too)
{
    struct yl_storage *s = yl_memory_new(NULL);

    commit(s, "/a", "1", 0, 0);
    commit(s, "/a", NULL, 2, 0);
    commit(s, "/a", "2", 0, 0);
    commit(s, NULL, NULL, 0, 3);
    expect(s, "4<0 /a=v2;@4-3");
    assert_int_equal(commit(s, "/a", "3", 4, 0), 5);
    yl_storage_close(s);
}

TEST(it_fails_when_told_to)
{
    struct yl_storage *s = yl_memory_new(NULL);
    struct yl_memory_stats stats;

    yl_memory_fail(s, 2, YL_EIO);
    assert_int_equal(commit(s, "/a", "1", 0, 0), YL_EIO);
    assert_int_equal(commit(s, "/a", "1", 0, 0), YL_EIO);
    assert_int_equal(commit(s, "/a", "1", 0, 0), 2);
    yl_memory_stats(s, &stats);
    assert_int_equal(stats.n_batches, 1);
    assert_int_equal(yl_storage_backup(s, "x", NULL), YL_ENOSYS);
    yl_storage_close(s);
}

static int
refuse(void *aux, const struct yl_storage_row *row, struct yl_error *err)
{
    (void) aux;
    return yl_error_set(err, YL_EINVALID, "%d", (int) row->revision);
}

TEST(loading_ends_where_it_is_refused)
{
    struct yl_storage *s = yl_memory_new(NULL);
    struct yl_error err = YL_ERROR_INIT;
    uint64_t revision = 99, compacted = 99;

    commit(s, "/a", "1", 0, 0);
    commit(s, "/b", "1", 0, 0);
    assert_int_equal(yl_storage_load(s, refuse, NULL, &revision, &compacted,
                                     &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "2");
    assert_int_equal(revision, 99);
    yl_error_clear(&err);
    yl_storage_close(s);
}

TEST(one_that_forgets_has_nothing_to_load)
{
    struct yl_storage *s
        = yl_memory_new(&(struct yl_memory_opts) { .forget = true });

    assert_int_equal(commit(s, "/a", "1", 0, 0), 2);
    assert_int_equal(commit(s, "/a", "2", 0, 0), YL_ECONFLICT);
    expect(s, "@2-0");
    yl_storage_close(s);
}
