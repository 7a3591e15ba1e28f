#ifndef TESTS_STORAGE_UNIT_H
#define TESTS_STORAGE_UNIT_H 1

/* A store in a directory that is removed after the test, or in memory, and
 * short functions to use it.  For the tests of storage. */

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/memory.h"
#include "storage/sqlite.h"
#include "unit.h"

struct store {
    bool in_memory;
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

    if (store->in_memory) {
        store->storage = store->storage ? store->storage
                                        : yl_memory_new(NULL);
        return;
    }
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
    if (!top || strlen(top) > sizeof store->dir - sizeof "/store-XXXXXX") {
        top = "/tmp";
    }
    snprintf(store->dir, sizeof store->dir, "%s/store-XXXXXX", top);
    assert_non_null(mkdtemp(store->dir));
}

static inline void
store_init(struct store *store)
{
    store_init_dir(store);
    store_open(store);
}

static inline void
store_init_memory(struct store *store)
{
    memset(store, 0, sizeof *store);
    store->in_memory = true;
    store_open(store);
}

static inline void
store_close(struct store *store)
{
    yl_storage_close(store->storage);
    store->storage = NULL;
}

/* Acts like the end of a process and the start of the next; a store in memory
 * stays. */
static inline void
store_reopen(struct store *store)
{
    if (!store->in_memory) {
        store_close(store);
        store_open(store);
    }
}

static inline void
store_release(struct store *store)
{
    char command[128];

    store_close(store);
    yl_error_clear(&store->error);
    if (store->in_memory) {
        return;
    }
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

#define STORE_MAX_WRITES 4096

/* Commits writes, each as a group.  Returns the batch's result; the message is
 * in store->error. */
static inline int
store_commit(struct store *store, struct yl_storage_write *writes, size_t n,
             uint64_t compact)
{
    struct yl_storage_group groups[STORE_MAX_WRITES];
    struct yl_storage_batch batch = {
        .groups = groups,
        .n_groups = n,
        .compact = compact,
        .done = store_done,
        .aux = store,
    };
    size_t i;

    assert_in_range(n, 0, STORE_MAX_WRITES);
    for (i = 0; i < n; i++) {
        groups[i] = (struct yl_storage_group) {
            .writes = &writes[i], .n_writes = 1,
        };
    }
    yl_error_clear(&store->error);
    store->done = false;
    yl_storage_commit(store->storage, &batch);
    assert_false(store->done);
    yl_storage_collect(store->storage);
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

    return r < 0 ? r : write.revision ? (int) write.revision : YL_ECONFLICT;
}

static inline int
store_delete(struct store *store, const char *key, uint64_t expected)
{
    struct yl_storage_write write = {
        .key = yl_str_c(key), .delete_ = true, .expected = expected,
    };
    int r = store_commit(store, &write, 1, 0);

    return r < 0 ? r : write.revision ? (int) write.revision : YL_ECONFLICT;
}

/* Runs SQL on the database, which must not be open. */
static inline void
store_sql(struct store *store, const char *sql)
{
    char path[128];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/yuloh.db", store->dir);
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE,
                                     store->opts.vfs), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Opening must fail with 'code' and a message that contains 'text'. */
static inline void
store_refused(struct store *store, int code, const char *text)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_storage *storage;

    store->opts.data_dir = store->dir;
    assert_int_equal(yl_sqlite_open(&store->opts, &storage, &err), code);
    if (!strstr(yl_error_message(&err), text)) {
        fail_msg("\"%s\" does not say \"%s\"", yl_error_message(&err), text);
    }
    yl_error_clear(&err);
}

/* "DIRECTORY/NAME", lent until the next call. */
static inline const char *
store_file(const struct store *store, const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", store->dir, name);
    return path;
}

/* Prints a row that is loaded: "REVISION<PREVIOUS KEY=VALUE\n". */
static inline int
store_print_row(void *aux, const struct yl_storage_row *row,
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

/* Counts rows in an int. */
static inline int
store_count_row(void *aux, const struct yl_storage_row *row YL_UNUSED,
                struct yl_error *err YL_UNUSED)
{
    ++*(int *) aux;
    return 0;
}

/* Everything that a load delivers, then "@NEWEST-COMPACTED". */
static inline char *
store_loaded(struct yl_storage *storage)
{
    uint64_t revision, compacted;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(yl_storage_load(storage, store_print_row, out, &revision,
                                     &compacted, NULL), 0);
    fprintf(out, "@%d-%d", (int) revision, (int) compacted);
    fclose(out);
    return text;
}

#define assert_loads(STORAGE, TEXT)                                           \
    do {                                                                      \
        char *loaded_ = store_loaded(STORAGE);                                \
        assert_string_equal(loaded_, TEXT);                                   \
        free(loaded_);                                                        \
    } while (0)

#endif /* tests/storage_unit.h */
