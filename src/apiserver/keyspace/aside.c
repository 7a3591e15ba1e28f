/* Rows that wait for their resource.  See apiserver/keyspace/aside.h for the
 * contract. */

#include "apiserver/keyspace/aside.h"

#include <stdlib.h>

#include "base/alloc.h"

struct row {
    struct row *older;          /* Of the same key. */
    struct yl_storage_row row;  /* 'key' is lent by whoever walks. */
    char value[];
};

/* A row that is on its way out, with its own key. */
struct taken {
    struct row *row;
    char *key;                  /* Owned by the newest row of a key. */
    struct yl_str text;
};

struct taken_rows {
    struct taken *rows;
    size_t n, max;
};

static void take_key(struct taken_rows *, struct yl_str key, struct row *);
static int compare(const void *, const void *);
static void free_rows(struct row *);

void
yl_ks_aside_init(struct yl_ks_aside *aside)
{
    yl_btree_init(&aside->keys);
}

void
yl_ks_aside_release(struct yl_ks_aside *aside)
{
    struct yl_btree_at at;

    for (at = yl_btree_seek(&aside->keys, YL_STR("")); at.leaf;
         yl_btree_next(&at)) {
        free_rows(yl_btree_value(at));
    }
    yl_btree_release(&aside->keys);
}

void
yl_ks_aside_add(struct yl_ks_aside *aside, const struct yl_storage_row *row)
{
    struct row *copy = yl_malloc(sizeof *copy + row->value.size);

    copy->row = *row;
    copy->row.key = yl_str_null();
    copy->row.value = yl_str_n(copy->value, row->value.size);
    if (row->value.size) {
        memcpy(copy->value, row->value.data, row->value.size);
    }
    copy->older = yl_btree_set(&aside->keys, row->key, copy, true);
}

void
yl_ks_aside_take(struct yl_ks_aside *aside, struct yl_str prefix,
                 yl_storage_row_fn *each, void *aux)
{
    struct taken_rows taken = { NULL, 0, 0 };
    struct yl_btree_at at;
    size_t i;

    for (at = yl_btree_seek(&aside->keys, prefix);
         at.leaf && yl_str_starts_with(yl_btree_key(at), prefix);
         yl_btree_next(&at)) {
        take_key(&taken, yl_btree_key(at), yl_btree_value(at));
    }
    for (i = 0; i < taken.n; i++) {
        yl_btree_remove(&aside->keys, taken.rows[i].text);
    }
    if (taken.n) {
        qsort(taken.rows, taken.n, sizeof *taken.rows, compare);
    }
    for (i = 0; i < taken.n; i++) {
        struct yl_storage_row row = taken.rows[i].row->row;

        row.key = taken.rows[i].text;
        each(aux, &row, NULL);
    }
    for (i = 0; i < taken.n; i++) {
        free(taken.rows[i].row);
        free(taken.rows[i].key);
    }
    free(taken.rows);
}

static void
take_key(struct taken_rows *taken, struct yl_str key, struct row *row)
{
    char *copy = yl_strdup(key);
    struct yl_str text = yl_str_n(copy, key.size);

    for (; row; row = row->older) {
        if (taken->n == taken->max) {
            taken->max = taken->max * 2 + 16;
            taken->rows = yl_realloc_array(taken->rows, taken->max,
                                           sizeof *taken->rows);
        }
        taken->rows[taken->n++] = (struct taken) { row, copy, text };
        copy = NULL;
    }
}

static int
compare(const void *a_, const void *b_)
{
    const struct taken *a = a_, *b = b_;

    return (a->row->row.revision > b->row->row.revision)
           - (a->row->row.revision < b->row->row.revision);
}

static void
free_rows(struct row *row)
{
    while (row) {
        struct row *older = row->older;

        free(row);
        row = older;
    }
}
