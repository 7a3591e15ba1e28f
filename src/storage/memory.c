/* Storage in memory.  See storage/memory.h for the contract.
 *
 * Rows stand in a list in the order of revisions; a map leads from each key to
 * its newest row.  A row that was replaced, or is a deletion, also stands in a
 * list of what compaction may take, in the order in which it may. */

#include "storage/memory.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/list.h"
#include "base/map.h"
#include "base/thread.h"

struct row {
    struct yl_list node;        /* In memory's 'rows'. */
    struct yl_map_node by_key;  /* In memory's 'keys', if it is the newest. */
    struct yl_list by_end;      /* In memory's 'ended', or in no list. */
    uint64_t end;               /* The revision from which it may go. */
    bool newest;                /* Of its key. */
    uint64_t revision;
    uint64_t previous;
    struct yl_str key;          /* In 'bytes'. */
    struct yl_str value;
    bool delete_;
    char bytes[];
};

struct memory {
    struct yl_storage storage;
    bool forget;

    struct yl_mutex lock;
    struct yl_list rows YL_GUARDED;
    struct yl_list ended YL_GUARDED;
    struct yl_map keys YL_GUARDED;
    uint64_t revision YL_GUARDED;   /* The newest. */
    struct yl_memory_stats stats YL_GUARDED;
    size_t n_failures YL_GUARDED;   /* Still to come, */
    int failure YL_GUARDED;         /* with this code. */
};

static int load(struct yl_storage *, yl_storage_row_fn *, void *,
                uint64_t *, uint64_t *, struct yl_error *);
static void commit(struct yl_storage *, struct yl_storage_batch *);
static void apply(struct memory *memory, struct yl_storage_write *)
    YL_REQUIRES(memory->lock);
static void end_row(struct memory *memory, struct row *, uint64_t revision)
    YL_REQUIRES(memory->lock);
static struct row *row_new(const struct yl_storage_write *, bool forget);
static struct row *find(struct memory *memory, struct yl_str key)
    YL_REQUIRES(memory->lock);
static void compact(struct memory *memory, uint64_t revision)
    YL_REQUIRES(memory->lock);
static int backup(struct yl_storage *, const char *, struct yl_error *);
static void close_memory(struct yl_storage *);

static const struct yl_storage_ops ops = {
    .name = "memory",
    .load = load,
    .commit = commit,
    .backup = backup,
    .close = close_memory,
};

struct yl_storage *
yl_memory_new(const struct yl_memory_opts *opts)
    YL_NO_THREAD_SAFETY
{
    struct memory *memory = yl_zalloc(sizeof *memory);

    memory->storage.ops = &ops;
    memory->forget = opts && opts->forget;
    yl_mutex_init(&memory->lock);
    yl_list_init(&memory->rows);
    yl_list_init(&memory->ended);
    yl_map_init(&memory->keys);
    memory->revision = 1;
    return &memory->storage;
}

void
yl_memory_fail(struct yl_storage *storage, size_t n, int code)
{
    struct memory *memory = YL_CONTAINER_OF(storage, struct memory, storage);

    yl_mutex_lock(&memory->lock);
    memory->n_failures = n;
    memory->failure = code;
    yl_mutex_unlock(&memory->lock);
}

void
yl_memory_stats(struct yl_storage *storage, struct yl_memory_stats *stats)
{
    struct memory *memory = YL_CONTAINER_OF(storage, struct memory, storage);

    yl_mutex_lock(&memory->lock);
    *stats = memory->stats;
    yl_mutex_unlock(&memory->lock);
}

static int
load(struct yl_storage *storage, yl_storage_row_fn *each, void *aux,
     uint64_t *ret_revision, uint64_t *ret_compacted, struct yl_error *err)
{
    struct memory *memory = YL_CONTAINER_OF(storage, struct memory, storage);
    struct row *row;
    int r = 0;

    yl_mutex_lock(&memory->lock);
    if (!memory->forget) {
        YL_LIST_FOR_EACH (row, node, &memory->rows) {
            r = each(aux, &(struct yl_storage_row) {
                .revision = row->revision,
                .previous = row->previous,
                .key = row->key,
                .value = row->value,
                .delete_ = row->delete_,
            }, err);
            if (r < 0) {
                break;
            }
        }
    }
    if (r >= 0) {
        *ret_revision = memory->revision;
        *ret_compacted = memory->stats.compacted;
        r = 0;
    }
    yl_mutex_unlock(&memory->lock);
    return r;
}

static void
commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    struct memory *memory = YL_CONTAINER_OF(storage, struct memory, storage);
    uint64_t goal;
    size_t i;

    yl_mutex_lock(&memory->lock);
    goal = batch->compact < memory->revision ? batch->compact
                                             : memory->revision;
    if (memory->n_failures) {
        memory->n_failures--;
        batch->result = yl_error_set(&batch->error, memory->failure,
                                     "the storage was told to fail");
    } else {
        batch->result = 0;
        for (i = 0; i < batch->n_writes; i++) {
            apply(memory, &batch->writes[i]);
        }
        if (goal > memory->stats.compacted) {
            compact(memory, goal);
        }
        memory->stats.n_batches++;
    }
    batch->compacted = memory->stats.compacted;
    yl_mutex_unlock(&memory->lock);
    batch->done(batch);
}

static void
apply(struct memory *memory, struct yl_storage_write *write)
{
    struct row *newest = find(memory, write->key), *row;
    uint64_t previous = newest && !newest->delete_ ? newest->revision : 0;

    if (previous != write->expected) {
        write->result = YL_ECONFLICT;
        return;
    }
    row = row_new(write, memory->forget);
    row->revision = ++memory->revision;
    row->previous = previous;
    yl_list_push_back(&memory->rows, &row->node);
    memory->stats.n_rows++;
    if (newest) {
        newest->newest = false;
        end_row(memory, newest, row->revision);
        row->by_key.hash = newest->by_key.hash;
        yl_map_replace(&memory->keys, &newest->by_key, &row->by_key);
    } else {
        yl_map_insert(&memory->keys, &row->by_key, yl_hash_str(row->key));
    }
    if (row->delete_) {
        end_row(memory, row, row->revision);
    }
    write->result = 0;
    write->revision = row->revision;
}

/* From 'revision' on nobody can ask for 'row' any more. */
static void
end_row(struct memory *memory, struct row *row, uint64_t revision)
{
    if (yl_list_is_empty(&row->by_end)) {
        row->end = revision;
        yl_list_push_back(&memory->ended, &row->by_end);
    }
}

static struct row *
row_new(const struct yl_storage_write *write, bool forget)
{
    struct row *row;
    size_t i, size = 0;
    char *p;

    for (i = 0; i < write->n_value && !forget; i++) {
        size += write->value[i].size;
    }
    row = yl_zalloc(sizeof *row + write->key.size + size);
    yl_list_init(&row->node);
    yl_list_init(&row->by_end);
    row->newest = true;
    row->delete_ = write->delete_;
    memcpy(row->bytes, write->key.data, write->key.size);
    row->key = yl_str_n(row->bytes, write->key.size);
    p = row->bytes + write->key.size;
    row->value = yl_str_n(p, size);
    for (i = 0; i < write->n_value && !forget; i++) {
        memcpy(p, write->value[i].data, write->value[i].size);
        p += write->value[i].size;
    }
    return row;
}

static struct row *
find(struct memory *memory, struct yl_str key)
{
    struct row *row;

    YL_MAP_FOR_EACH_WITH_HASH (row, by_key, yl_hash_str(key),
                               &memory->keys) {
        if (yl_str_equal(row->key, key)) {
            return row;
        }
    }
    return NULL;
}

static void
compact(struct memory *memory, uint64_t revision)
{
    struct row *row;

    memory->stats.compacted = revision;
    YL_LIST_FOR_EACH_SAFE (row, by_end, &memory->ended) {
        if (row->end > revision) {
            break;
        }
        if (row->newest) {
            yl_map_remove(&memory->keys, &row->by_key);
        }
        yl_list_remove(&row->by_end);
        yl_list_remove(&row->node);
        free(row);
        memory->stats.n_rows--;
    }
}

static int
backup(struct yl_storage *storage, const char *path, struct yl_error *err)
{
    (void) storage;
    return yl_error_set(err, YL_ENOSYS,
                        "a storage in memory cannot be backed up to %s",
                        path);
}

static void
close_memory(struct yl_storage *storage)
    YL_NO_THREAD_SAFETY
{
    struct memory *memory = YL_CONTAINER_OF(storage, struct memory, storage);
    struct row *row;

    YL_LIST_FOR_EACH_SAFE (row, node, &memory->rows) {
        free(row);
    }
    yl_map_release(&memory->keys);
    yl_mutex_destroy(&memory->lock);
    free(memory);
}
