/* A table that holds equal runs once.  See schema/intern.h. */

#include "schema/intern.h"

#include <string.h>

#include "base/hash.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct run {
    struct yl_map_node node;    /* In yl_intern's 'runs'. */
    size_t at, size;            /* In bytes. */
};

void
yl_intern_init(struct yl_intern *intern, struct yl_arena *arena,
               size_t row_size, size_t max)
{
    char *zeros;

    intern->arena = arena;
    intern->row_size = row_size;
    yl_map_init(&intern->runs);
    yl_buf_init(&intern->rows, max);
    zeros = yl_buf_reserve(&intern->rows, row_size);
    if (zeros) {
        memset(zeros, 0, row_size);
        yl_buf_commit(&intern->rows, row_size);
    }
}

void
yl_intern_release(struct yl_intern *intern)
{
    yl_map_release(&intern->runs);
    yl_buf_release(&intern->rows);
}

int64_t
yl_intern_add(struct yl_intern *intern, const void *rows, size_t n)
{
    size_t size = n * intern->row_size;
    size_t hash = yl_hash_bytes(rows, size);
    struct run *run;

    if (!n) {
        return 0;
    }
    YL_MAP_FOR_EACH_WITH_HASH (run, node, hash, &intern->runs) {
        if (run->size == size
            && !memcmp(intern->rows.data + run->at, rows, size)) {
            return (int64_t) (run->at / intern->row_size);
        }
    }
    run = yl_arena_zalloc(intern->arena, sizeof *run);
    run->at = intern->rows.size;
    run->size = size;
    yl_buf_append(&intern->rows, rows, size);
    if (yl_buf_error(&intern->rows)) {
        return YL_ETOOBIG;
    }
    yl_map_insert(&intern->runs, &run->node, hash);
    return (int64_t) (run->at / intern->row_size);
}
