/* Reading ahead.  See storage/sqlite_ahead.h for why.
 *
 * Blocks are a ring: the reader fills block n_filled, the caller empties block
 * n_taken, and each block belongs to one of them.  The ring has a few hundred
 * KB, which stay in the caches of both cores. */

#include "storage/sqlite_ahead.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/thread.h"
#include "storage/sqlite_db.h"

#define N_BLOCKS 8

/* A block is full when it has this many rows or bytes. */
#define BLOCK_ROWS 64
#define BLOCK_BYTES ((size_t) 64 << 10)

struct block {
    struct yl_storage_row rows[BLOCK_ROWS];
    size_t n_rows;
    size_t n_bytes;
    struct yl_arena arena;      /* Keys and values. */
};

struct ahead {
    sqlite3 *db;
    struct block blocks[N_BLOCKS];
    int result;                 /* Of the reader, once it has ended. */
    struct yl_error error;

    struct yl_mutex lock;
    struct yl_cond changed;     /* Only one thread waits at a time: for a full
                                 * block, or for an empty one. */
    size_t n_filled YL_GUARDED;
    size_t n_taken YL_GUARDED;
    bool ended YL_GUARDED;      /* The reader has ended. */
    bool stopped YL_GUARDED;    /* The caller has stopped. */
};

static void read_all(void *ahead);
static int keep_row(void *ahead, const struct yl_storage_row *,
                    struct yl_error *err);
static int hand_over(struct ahead *);
static struct block *next_block(struct ahead *);
static int take_block(struct block *, yl_storage_row_fn *each, void *aux,
                      struct yl_error *err);
static void give_back(struct ahead *, bool stop);

int
yl_sqlite_ahead_scan(sqlite3 *db, yl_storage_row_fn *each, void *aux,
                     struct yl_error *err)
{
    struct ahead *a = yl_zalloc(sizeof *a);
    struct yl_thread reader;
    struct block *block;
    size_t i;
    int r;

    a->db = db;
    yl_mutex_init(&a->lock);
    yl_cond_init(&a->changed);
    for (i = 0; i < N_BLOCKS; i++) {
        yl_arena_init(&a->blocks[i].arena);
    }
    r = yl_thread_start(&reader, "reader", read_all, a);
    if (r < 0) {
        yl_error_set(err, r, "cannot start a thread that reads the database");
    } else {
        while (!r && (block = next_block(a)) != NULL) {
            r = take_block(block, each, aux, err);
            give_back(a, r < 0);
        }
        yl_thread_join(&reader);
        if (!r && a->result < 0) {
            r = yl_error_set(err, a->result, "%s",
                             yl_error_message(&a->error));
        }
    }
    yl_error_clear(&a->error);
    for (i = 0; i < N_BLOCKS; i++) {
        yl_arena_release(&a->blocks[i].arena);
    }
    yl_cond_destroy(&a->changed);
    yl_mutex_destroy(&a->lock);
    free(a);
    return r;
}

/* Runs on the reader's thread. */
static void
read_all(void *aux)
{
    struct ahead *a = aux;

    a->result = yl_sqlite_db_scan(a->db, keep_row, a, &a->error);
    hand_over(a);               /* The last block, which is not full. */
    yl_mutex_lock(&a->lock);
    a->ended = true;
    yl_cond_signal(&a->changed);
    yl_mutex_unlock(&a->lock);
}

static int
keep_row(void *aux, const struct yl_storage_row *row,
         struct yl_error *err YL_UNUSED)
    YL_NO_THREAD_SAFETY         /* This thread alone writes 'n_filled'. */
{
    struct ahead *a = aux;
    struct block *block = &a->blocks[a->n_filled % N_BLOCKS];
    struct yl_storage_row *copy = &block->rows[block->n_rows++];

    *copy = *row;
    copy->key = yl_arena_copy(&block->arena, row->key);
    copy->value = yl_arena_copy(&block->arena, row->value);
    block->n_bytes += row->key.size + row->value.size;
    return block->n_rows == BLOCK_ROWS || block->n_bytes >= BLOCK_BYTES
           ? hand_over(a) : 0;
}

/* Gives the reader's block to the caller and waits for an empty one.
 * YL_ECANCELED if the caller has stopped. */
static int
hand_over(struct ahead *a)
{
    struct block *block;
    bool stopped;

    yl_mutex_lock(&a->lock);
    a->n_filled++;
    yl_cond_signal(&a->changed);
    while (a->n_filled - a->n_taken == N_BLOCKS && !a->stopped) {
        yl_cond_wait(&a->changed, &a->lock);
    }
    block = &a->blocks[a->n_filled % N_BLOCKS];
    stopped = a->stopped;
    yl_mutex_unlock(&a->lock);
    if (!stopped) {
        yl_arena_clear(&block->arena);
        block->n_rows = block->n_bytes = 0;
    }
    return stopped ? YL_ECANCELED : 0;
}

/* Called by the caller's thread: waits for a block; NULL at the end. */
static struct block *
next_block(struct ahead *a)
{
    struct block *block = NULL;

    yl_mutex_lock(&a->lock);
    while (a->n_taken == a->n_filled && !a->ended) {
        yl_cond_wait(&a->changed, &a->lock);
    }
    if (a->n_taken < a->n_filled) {
        block = &a->blocks[a->n_taken % N_BLOCKS];
    }
    yl_mutex_unlock(&a->lock);
    return block;
}

static int
take_block(struct block *block, yl_storage_row_fn *each, void *aux,
           struct yl_error *err)
{
    size_t i;
    int r = 0;

    for (i = 0; i < block->n_rows && !r; i++) {
        r = each(aux, &block->rows[i], err);
    }
    return r;
}

static void
give_back(struct ahead *a, bool stop)
{
    yl_mutex_lock(&a->lock);
    a->n_taken++;
    a->stopped = stop;
    yl_cond_signal(&a->changed);
    yl_mutex_unlock(&a->lock);
}
