/* Rows that wait for their resource.  See apiserver/keyspace/aside.h for the
 * contract. */

#include "apiserver/keyspace/aside.h"

#include <stdlib.h>

#include "base/alloc.h"

struct row {
    struct row *older;          /* Of the same key. */
    struct row *newer;
    struct yl_list by_end;      /* In 'ended', or alone. */
    uint64_t end;               /* The revision from which it may be freed. */
    struct yl_storage_row row;  /* 'value' follows it in memory, then 'key'. */
    char bytes[];
};

/* Rows that are being taken out. */
struct taken {
    struct row **rows;
    size_t n, max;
};

static void take_key(struct taken *, struct row *);
static void end_row(struct yl_ks_aside *, struct row *, uint64_t revision);
static void forget(struct yl_ks_aside *, struct row *);
static int compare(const void *, const void *);
static void free_rows(struct row *);

void
yl_ks_aside_init(struct yl_ks_aside *aside)
{
    yl_btree_init(&aside->keys);
    yl_list_init(&aside->ended);
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
    struct row *copy = yl_malloc(sizeof *copy + row->value.size
                                 + row->key.size);

    copy->row = *row;
    copy->row.value = yl_str_n(copy->bytes, row->value.size);
    copy->row.key = yl_str_n(copy->bytes + row->value.size, row->key.size);
    if (row->value.size) {
        memcpy(copy->bytes, row->value.data, row->value.size);
    }
    memcpy(copy->bytes + row->value.size, row->key.data, row->key.size);
    copy->newer = NULL;
    yl_list_init(&copy->by_end);
    copy->older = yl_btree_set(&aside->keys, row->key, copy, true);
    if (copy->older) {
        copy->older->newer = copy;
        end_row(aside, copy->older, row->revision);
    }
    if (row->delete_) {
        end_row(aside, copy, row->revision);
    }
}

void
yl_ks_aside_take(struct yl_ks_aside *aside, struct yl_str prefix,
                 yl_storage_row_fn *each, void *aux)
{
    struct taken taken = { NULL, 0, 0 };
    struct yl_btree_at at;
    size_t i;

    for (at = yl_btree_seek(&aside->keys, prefix);
         at.leaf && yl_str_starts_with(yl_btree_key(at), prefix);
         yl_btree_next(&at)) {
        take_key(&taken, yl_btree_value(at));
    }
    if (taken.n) {
        qsort(taken.rows, taken.n, sizeof *taken.rows, compare);
    }
    for (i = 0; i < taken.n; i++) {
        each(aux, &taken.rows[i]->row, NULL);
    }
    for (i = 0; i < taken.n; i++) {
        forget(aside, taken.rows[i]);
    }
    free(taken.rows);
}

size_t
yl_ks_aside_trim(struct yl_ks_aside *aside, uint64_t compacted, size_t max)
{
    struct yl_list *node;
    size_t n = 0;

    while (n < max && (node = yl_list_front(&aside->ended)) != NULL) {
        struct row *row = YL_CONTAINER_OF(node, struct row, by_end);

        if (row->end > compacted) {
            break;
        }
        forget(aside, row);
        n++;
    }
    return n;
}

static void
take_key(struct taken *taken, struct row *row)
{
    for (; row; row = row->older) {
        if (taken->n == taken->max) {
            taken->max = taken->max * 2 + 16;
            taken->rows = yl_realloc_array(taken->rows, taken->max,
                                           sizeof *taken->rows);
        }
        taken->rows[taken->n++] = row;
    }
}

/* Notes that 'row' is not visible from 'revision' on. */
static void
end_row(struct yl_ks_aside *aside, struct row *row, uint64_t revision)
{
    if (yl_list_is_empty(&row->by_end)) {
        row->end = revision;
        yl_list_push_back(&aside->ended, &row->by_end);
    }
}

static void
forget(struct yl_ks_aside *aside, struct row *row)
{
    if (row->older) {
        row->older->newer = row->newer;
    }
    if (row->newer) {
        row->newer->older = row->older;
    } else if (row->older) {
        yl_btree_set(&aside->keys, row->row.key, row->older, true);
    } else {
        yl_btree_remove(&aside->keys, row->row.key);
    }
    yl_list_remove(&row->by_end);
    free(row);
}

static int
compare(const void *a_, const void *b_)
{
    const struct row *const *a = a_, *const *b = b_;

    return ((*a)->row.revision > (*b)->row.revision)
           - ((*a)->row.revision < (*b)->row.revision);
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
