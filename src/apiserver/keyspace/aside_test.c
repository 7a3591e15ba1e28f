/* Tests of rows that wait for their resource. */

#include "apiserver/keyspace/aside.h"

#include <stdio.h>

#include "unit.h"

static int
print_row(void *aux, const struct yl_storage_row *row, struct yl_error *err)
{
    (void) err;
    fprintf(aux, "%d<%d %.*s=%.*s;", (int) row->revision, (int) row->previous,
            YL_STR_ARG(row->key), YL_STR_ARG(row->value));
    return 0;
}

static void
add(struct yl_ks_aside *aside, uint64_t revision, uint64_t previous,
    const char *key, const char *value)
{
    yl_ks_aside_add(aside, &(struct yl_storage_row) {
        .revision = revision,
        .previous = previous,
        .key = yl_str_c(key),
        .value = yl_str_c(value),
        .delete_ = !value,
    });
}

static void
expect(struct yl_ks_aside *aside, const char *prefix, const char *rows)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    yl_ks_aside_take(aside, yl_str_c(prefix), print_row, out);
    fclose(out);
    assert_string_equal(text, rows);
    free(text);
}

TEST(rows_of_a_prefix_come_in_order_and_once)
{
    struct yl_ks_aside aside;

    yl_ks_aside_init(&aside);
    expect(&aside, "/r/a/", "");
    add(&aside, 2, 0, "/r/b/y", "1");
    add(&aside, 3, 0, "/r/a/z", "1");
    add(&aside, 4, 0, "/r/a/x", "1");
    add(&aside, 5, 3, "/r/a/z", "2");
    add(&aside, 6, 0, "/r/ab/x", "1");
    add(&aside, 7, 4, "/r/a/x", NULL);
    expect(&aside, "/r/a/", "3<0 /r/a/z=1;4<0 /r/a/x=1;5<3 /r/a/z=2;"
           "7<4 /r/a/x=;");
    expect(&aside, "/r/a/", "");
    expect(&aside, "/r/b/", "2<0 /r/b/y=1;");
    yl_ks_aside_release(&aside);
}

TEST(what_nobody_can_ask_for_any_more_goes)
{
    struct yl_ks_aside aside;

    yl_ks_aside_init(&aside);
    add(&aside, 2, 0, "/r/a/x", "1");
    add(&aside, 3, 2, "/r/a/x", "2");
    add(&aside, 4, 0, "/r/a/y", "1");
    add(&aside, 5, 4, "/r/a/y", NULL);
    add(&aside, 6, 3, "/r/a/x", "3");
    add(&aside, 7, 0, "/r/a/y", "2");

    /* At 3 the second x is still there; at 5 y is gone with its deletion. */
    assert_int_equal(yl_ks_aside_trim(&aside, 2, 100), 0);
    assert_int_equal(yl_ks_aside_trim(&aside, 5, 1), 1);
    assert_int_equal(yl_ks_aside_trim(&aside, 5, 100), 2);
    assert_int_equal(yl_ks_aside_trim(&aside, 5, 100), 0);
    expect(&aside, "/r/a/", "3<2 /r/a/x=2;6<3 /r/a/x=3;7<0 /r/a/y=2;");

    /* A deletion that nothing followed takes its key along. */
    add(&aside, 8, 0, "/r/a/x", "1");
    add(&aside, 9, 8, "/r/a/x", NULL);
    assert_int_equal(yl_ks_aside_trim(&aside, 9, 100), 2);
    expect(&aside, "/r/a/", "");
    yl_ks_aside_release(&aside);
}
