/* Reading ahead: many more rows than fit ahead, through the back end. */

#include "storage/sqlite_ahead.h"

#include <pthread.h>

#include "storage_unit.h"
#include "unit.h"

/* More than the reader may be ahead. */
#define N_ROWS 2000

struct seen {
    pthread_t caller;
    int n_rows;
    int enough;                 /* Fails at this row; 0: never. */
};

static int
see(void *aux, const struct yl_storage_row *row, struct yl_error *err)
{
    struct seen *seen = aux;
    char key[32];

    assert_true(pthread_equal(pthread_self(), seen->caller));
    snprintf(key, sizeof key, "/%d", seen->n_rows);
    assert_true(yl_str_equal_c(row->key, key));
    assert_int_equal(row->revision, seen->n_rows + 2);
    assert_int_equal(row->value.size, row->revision % 100 == 0 ? 100000 : 500);
    assert_int_equal(row->value.data[row->value.size - 1], 'x');
    seen->n_rows++;
    return seen->n_rows == seen->enough
           ? yl_error_set(err, YL_EINVALID, "enough") : 0;
}

/* Rows of two sizes, of which the larger fill a block each. */
static void
prepare(struct store *store)
{
    struct yl_storage_write writes[100];
    struct yl_str small, large;
    char *bytes = malloc(100000);
    char keys[100][32];
    int i, j;

    memset(bytes, 'x', 100000);
    small = yl_str_n(bytes, 500);
    large = yl_str_n(bytes, 100000);
    store_init(store);
    for (i = 0; i < N_ROWS; i += 100) {
        for (j = 0; j < 100; j++) {
            snprintf(keys[j], sizeof keys[j], "/%d", i + j);
            writes[j] = (struct yl_storage_write) {
                .key = yl_str_c(keys[j]),
                .value = (i + j + 2) % 100 == 0 ? &large : &small,
                .n_value = 1,
            };
        }
        assert_int_equal(store_commit(store, writes, 100, 0), 0);
    }
    free(bytes);
}

static int
load(struct store *store, struct seen *seen, struct yl_error *err)
{
    uint64_t revision, compacted;

    seen->caller = pthread_self();
    return yl_storage_load(store->storage, see, seen, &revision, &compacted,
                           err);
}

TEST(rows_come_in_order_and_on_the_callers_thread)
{
    struct seen seen = { .n_rows = 0 };
    struct store store;

    prepare(&store);
    assert_int_equal(load(&store, &seen, NULL), 0);
    assert_int_equal(seen.n_rows, N_ROWS);
    store_release(&store);
}

TEST(a_callback_stops_a_reader_that_waits)
{
    struct yl_error err = YL_ERROR_INIT;
    struct seen seen = { .enough = 3 };
    struct store store;

    prepare(&store);
    assert_int_equal(load(&store, &seen, &err), YL_EINVALID);
    assert_string_equal(err.message, "enough");
    assert_int_equal(seen.n_rows, 3);
    yl_error_clear(&err);

    /* The connection is as good as before. */
    seen = (struct seen) { .n_rows = 0 };
    assert_int_equal(load(&store, &seen, NULL), 0);
    assert_int_equal(seen.n_rows, N_ROWS);
    store_release(&store);
}

TEST(what_stands_before_a_damaged_row_is_delivered)
{
    struct yl_error err = YL_ERROR_INIT;
    struct seen seen = { .n_rows = 0 };
    struct store store;

    prepare(&store);
    store_close(&store);
    store_sql(&store, "UPDATE log SET checksum = 0 WHERE revision = 1502");
    store_open(&store);
    assert_int_equal(load(&store, &seen, &err), YL_ESTOREREAD);
    assert_non_null(strstr(err.message, "row 1502 ('/1500') does not match"));
    assert_int_equal(seen.n_rows, 1500);
    yl_error_clear(&err);
    store_release(&store);
}
