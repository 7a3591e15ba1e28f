#ifndef TESTS_STORAGE_UNIT_H
#define TESTS_STORAGE_UNIT_H 1

/* A store in a directory that goes away with the test, and short words for
 * what is done to it.  For the tests of storage and of what stands on it. */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/sqlite.h"
#include "unit.h"

struct store {
    char dir[64];
    struct yl_sqlite_opts opts;
    struct yl_storage *storage;
    struct yl_error error;      /* Of the last commit. */
    bool done;
};

static inline void
store_open(struct store *store)
{
    struct yl_error err = YL_ERROR_INIT;

    store->opts.data_dir = store->dir;
    if (yl_sqlite_open(&store->opts, &store->storage, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

/* A directory without a store. */
static inline void
store_init_dir(struct store *store)
{
    const char *top = getenv("TMPDIR");

    memset(store, 0, sizeof *store);
    snprintf(store->dir, sizeof store->dir, "%s/store-XXXXXX",
             top ? top : "/tmp");
    assert_non_null(mkdtemp(store->dir));
}

static inline void
store_init(struct store *store)
{
    store_init_dir(store);
    store_open(store);
}

static inline void
store_close(struct store *store)
{
    yl_storage_close(store->storage);
    store->storage = NULL;
}

static inline void
store_reopen(struct store *store)
{
    store_close(store);
    store_open(store);
}

static inline void
store_release(struct store *store)
{
    char command[128];

    store_close(store);
    yl_error_clear(&store->error);
    snprintf(command, sizeof command, "rm -rf '%s'", store->dir);
    assert_int_equal(system(command), 0);
}

static inline void
store_done(struct yl_storage_batch *batch)
{
    struct store *store = batch->aux;

    assert_false(store->done);
    store->done = true;
}

/* The batch's result; the sentence is in store->error. */
static inline int
store_commit(struct store *store, struct yl_storage_write *writes, size_t n,
             uint64_t compact)
{
    struct yl_storage_batch batch = {
        .writes = writes,
        .n_writes = n,
        .compact = compact,
        .done = store_done,
        .aux = store,
    };

    yl_error_clear(&store->error);
    store->done = false;
    yl_storage_commit(store->storage, &batch);
    assert_true(store->done);
    store->error = batch.error;
    return batch.result;
}

/* The new revision, or a code. */
static inline int
store_put(struct store *store, const char *key, const char *value,
          uint64_t expected)
{
    struct yl_str piece = yl_str_c(value);
    struct yl_storage_write write = {
        .key = yl_str_c(key), .value = &piece, .n_value = 1,
        .expected = expected,
    };
    int r = store_commit(store, &write, 1, 0);

    return r < 0 ? r : (int) write.revision;
}

static inline int
store_delete(struct store *store, const char *key, uint64_t expected)
{
    struct yl_storage_write write = {
        .key = yl_str_c(key), .delete_ = true, .expected = expected,
    };
    int r = store_commit(store, &write, 1, 0);

    return r < 0 ? r : (int) write.revision;
}

/* "DIRECTORY/NAME", lent until the next call. */
static inline const char *
store_file(const struct store *store, const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", store->dir, name);
    return path;
}

#endif /* tests/storage_unit.h */
