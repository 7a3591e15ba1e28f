/* Storage in memory.  See storage/memory.h and storage/memory_control.h for
 * the contract.
 *
 * Rows stand in a list in the order of revisions; a map leads from each key to
 * its newest row.  A row that was replaced, or is a deletion, is also in a
 * list of rows that compaction may free, in the order in which it may do so.
 * The feed is a place in the list of rows. */

#include "storage/memory.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/list.h"
#include "base/map.h"
#include "base/thread.h"
#include "storage/memory_control.h"

/* Rows in one call of the feed, unless a group is larger. */
#define FEED_STEP 256

struct row {
    struct yl_list node;        /* In memory's 'rows'. */
    struct yl_map_node by_key;  /* In memory's 'keys', if it is the newest. */
    struct yl_list by_end;      /* In memory's 'ended', or in no list. */
    uint64_t end;               /* The revision from which it may be freed. */
    bool newest;                /* Whether it is the newest of its key. */
    bool more;                  /* The next row is of the same group. */
    struct yl_storage_row row;  /* 'write' is set until the row was fed. */
    char bytes[];               /* Its key and its value. */
};

struct memory {
    struct yl_storage storage;
    bool forget, one_revision;

    struct yl_mutex lock;       /* Taken before the lock that 'wake' takes. */
    struct yl_list rows YL_GUARDED;
    struct yl_list ended YL_GUARDED;
    struct yl_map keys YL_GUARDED;
    uint64_t revision YL_GUARDED;   /* The newest. */
    struct yl_memory_stats stats YL_GUARDED;

    struct yl_storage_feed *feed YL_GUARDED;
    struct row *unfed YL_GUARDED;   /* The next row to feed, or NULL. */
    uint64_t fed YL_GUARDED;    /* Revision that the feed has reached. */
    int lost YL_GUARDED;        /* A loss that is not reported yet. */

    struct yl_memory_rival *rival YL_GUARDED;
    size_t n_failures YL_GUARDED;   /* Batches that are still to fail, */
    int failure YL_GUARDED;         /* with this code. */

    /* Used by the writer only. */
    struct yl_storage_batch *finished, **finished_tail;
    struct yl_storage_row *step;    /* Rows of one call of the feed. */
    size_t max_step;
};

static struct memory *cast(struct yl_storage *);
static int load(struct yl_storage *, yl_storage_row_fn *, void *,
                uint64_t *, uint64_t *, struct yl_error *);
static void subscribe(struct yl_storage *, struct yl_storage_feed *);
static void commit(struct yl_storage *, struct yl_storage_batch *);
static void collect(struct yl_storage *);
static int backup(struct yl_storage *, const char *, struct yl_error *);
static void close_(struct yl_storage *);

static void wake(struct memory *memory) YL_REQUIRES(memory->lock);
static void decide(struct memory *memory, struct yl_storage_batch *)
    YL_REQUIRES(memory->lock);
static void fail(struct memory *memory, struct yl_storage_batch *)
    YL_REQUIRES(memory->lock);
static void apply_group(struct memory *memory, struct yl_storage_group *,
                        bool own)
    YL_REQUIRES(memory->lock);
static struct row *apply(struct memory *memory, struct yl_storage_write *,
                         bool own)
    YL_REQUIRES(memory->lock);
static uint64_t newest_of(struct memory *memory, struct yl_str key)
    YL_REQUIRES(memory->lock);
static void end_row(struct memory *memory, struct row *, uint64_t revision)
    YL_REQUIRES(memory->lock);
static struct row *row_new(const struct yl_storage_write *, bool forget);
static struct row *find(struct memory *memory, struct yl_str key)
    YL_REQUIRES(memory->lock);
static void compact(struct memory *memory, uint64_t revision)
    YL_REQUIRES(memory->lock);
static size_t next_step(struct memory *memory) YL_REQUIRES(memory->lock);
static void tell_loss(struct yl_storage_feed *, int code);

static const struct yl_storage_ops ops = {
    .name = "memory",
    .load = load,
    .subscribe = subscribe,
    .commit = commit,
    .collect = collect,
    .backup = backup,
    .close = close_,
};

struct yl_storage *
yl_memory_new(const struct yl_memory_opts *opts)
    YL_NO_THREAD_SAFETY
{
    static const struct yl_memory_opts no_opts;
    struct memory *memory = yl_zalloc(sizeof *memory);

    opts = opts ? opts : &no_opts;
    memory->storage.ops = &ops;
    memory->storage.max_batches = opts->max_batches ? opts->max_batches : 1;
    memory->storage.shared = opts->shared;
    memory->forget = opts->forget;
    memory->one_revision = opts->one_revision;
    yl_mutex_init(&memory->lock);
    yl_list_init(&memory->rows);
    yl_list_init(&memory->ended);
    yl_map_init(&memory->keys);
    memory->revision = memory->fed = 1;
    memory->finished_tail = &memory->finished;
    return &memory->storage;
}

void
yl_memory_stats(struct yl_storage *storage, struct yl_memory_stats *stats)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    *stats = memory->stats;
    yl_mutex_unlock(&memory->lock);
}

/* Control
 * ======= */

void
yl_memory_fail(struct yl_storage *storage, size_t n, int code)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    memory->n_failures = n;
    memory->failure = code;
    yl_mutex_unlock(&memory->lock);
}

int
yl_memory_write(struct yl_storage *storage, struct yl_storage_group *group)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    apply_group(memory, group, false);
    wake(memory);
    yl_mutex_unlock(&memory->lock);
    return group->result;
}

uint64_t
yl_memory_newest(struct yl_storage *storage, const char *key)
{
    struct memory *memory = cast(storage);
    uint64_t revision;

    yl_mutex_lock(&memory->lock);
    revision = newest_of(memory, yl_str_c(key));
    yl_mutex_unlock(&memory->lock);
    return revision;
}

void
yl_memory_skip(struct yl_storage *storage, uint64_t n)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    memory->revision += n;
    wake(memory);
    yl_mutex_unlock(&memory->lock);
}

void
yl_memory_compact(struct yl_storage *storage, uint64_t revision)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    compact(memory, revision);
    yl_mutex_unlock(&memory->lock);
}

void
yl_memory_lose(struct yl_storage *storage, int code)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    memory->lost = code;
    wake(memory);
    yl_mutex_unlock(&memory->lock);
}

void
yl_memory_set_rival(struct yl_storage *storage, struct yl_memory_rival *rival)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    memory->rival = rival;
    yl_mutex_unlock(&memory->lock);
}

/* Back end
 * ======== */

static struct memory *
cast(struct yl_storage *storage)
{
    return YL_CONTAINER_OF(storage, struct memory, storage);
}

static int
load(struct yl_storage *storage, yl_storage_row_fn *each, void *aux,
     uint64_t *ret_revision, uint64_t *ret_compacted, struct yl_error *err)
{
    struct memory *memory = cast(storage);
    struct row *row;
    int r = 0;

    yl_mutex_lock(&memory->lock);
    if (!memory->forget) {
        YL_LIST_FOR_EACH (row, node, &memory->rows) {
            r = each(aux, &row->row, err);
            if (r < 0) {
                break;
            }
        }
    }
    if (r >= 0) {
        *ret_revision = memory->revision;
        *ret_compacted = memory->stats.compacted;
        if (!memory->feed) {
            memory->fed = memory->revision;
            memory->unfed = NULL;
        }
        r = 0;
    }
    yl_mutex_unlock(&memory->lock);
    return r;
}

static void
subscribe(struct yl_storage *storage, struct yl_storage_feed *feed)
{
    struct memory *memory = cast(storage);

    yl_mutex_lock(&memory->lock);
    memory->feed = feed;
    wake(memory);
    yl_mutex_unlock(&memory->lock);
}

static void
commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    struct memory *memory = cast(storage);
    struct yl_memory_rival *rival;

    yl_mutex_lock(&memory->lock);
    rival = batch->n_groups ? memory->rival : NULL;
    yl_mutex_unlock(&memory->lock);
    if (rival) {
        rival->turn(rival, storage);
    }
    yl_mutex_lock(&memory->lock);
    decide(memory, batch);
    yl_mutex_unlock(&memory->lock);
    batch->next = NULL;
    *memory->finished_tail = batch;
    memory->finished_tail = &batch->next;
}

static void
collect(struct yl_storage *storage)
{
    struct memory *memory = cast(storage);
    struct yl_storage_feed *feed;
    struct yl_storage_batch *batch;
    uint64_t progress;
    int lost;

    yl_mutex_lock(&memory->lock);
    feed = memory->feed;
    lost = memory->lost;
    memory->lost = 0;
    while (memory->unfed) {
        size_t n = next_step(memory);

        /* The rows stay as long as 'fed' is before them. */
        yl_mutex_unlock(&memory->lock);
        if (feed) {
            feed->rows(feed, memory->step, n);
        }
        yl_mutex_lock(&memory->lock);
        memory->fed = memory->step[n - 1].revision;
    }
    progress = memory->fed < memory->revision ? memory->revision : 0;
    memory->fed = memory->revision;
    yl_mutex_unlock(&memory->lock);
    if (feed && progress) {
        feed->progress(feed, progress);
    }
    if (feed && lost) {
        tell_loss(feed, lost);
    }
    while ((batch = memory->finished) != NULL) {
        memory->finished = batch->next;
        if (!batch->next) {
            memory->finished_tail = &memory->finished;
        }
        batch->done(batch);
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
close_(struct yl_storage *storage)
    YL_NO_THREAD_SAFETY
{
    struct memory *memory = cast(storage);
    struct row *row;

    YL_LIST_FOR_EACH_SAFE (row, node, &memory->rows) {
        free(row);
    }
    yl_map_release(&memory->keys);
    yl_mutex_destroy(&memory->lock);
    free(memory->step);
    free(memory);
}

/* Called with the lock held, so that a feed that has unsubscribed is not
 * woken. */
static void
wake(struct memory *memory)
{
    if (memory->feed) {
        memory->feed->wake(memory->feed);
    }
}

static void
decide(struct memory *memory, struct yl_storage_batch *batch)
{
    uint64_t goal = batch->compact < memory->revision ? batch->compact
                                                      : memory->revision;
    size_t i;

    if (memory->n_failures) {
        fail(memory, batch);
    } else {
        batch->result = 0;
        for (i = 0; i < batch->n_groups; i++) {
            apply_group(memory, &batch->groups[i], true);
        }
        if (goal > memory->stats.compacted) {
            compact(memory, goal);
        }
        memory->stats.n_batches++;
    }
    batch->compacted = memory->stats.compacted;
}

static void
fail(struct memory *memory, struct yl_storage_batch *batch)
{
    size_t i, j;

    memory->n_failures--;
    batch->result = yl_error_set(&batch->error, memory->failure,
                                 "the storage was told to fail");
    for (i = 0; i < batch->n_groups; i++) {
        batch->groups[i].result = memory->failure;
        for (j = 0; j < batch->groups[i].n_writes; j++) {
            batch->groups[i].writes[j].revision = 0;
        }
    }
}

static void
apply_group(struct memory *memory, struct yl_storage_group *group, bool own)
{
    size_t i;

    group->result = 0;
    for (i = 0; i < group->n_writes; i++) {
        struct yl_storage_write *write = &group->writes[i];

        write->revision = 0;
        if (newest_of(memory, write->key) != write->expected) {
            group->result = YL_ECONFLICT;
        }
    }
    if (group->result) {
        group->after = memory->revision;
        return;
    }
    for (i = 0; i < group->n_writes; i++) {
        memory->revision += i == 0 || !memory->one_revision;
        apply(memory, &group->writes[i], own)->more = i + 1 < group->n_writes;
    }
}

static struct row *
apply(struct memory *memory, struct yl_storage_write *write, bool own)
{
    struct row *newest = find(memory, write->key);
    struct row *row = row_new(write, own && memory->forget);

    write->revision = row->row.revision = memory->revision;
    row->row.previous = write->expected;
    row->row.write = own ? write : NULL;
    yl_list_push_back(&memory->rows, &row->node);
    memory->unfed = memory->unfed ? memory->unfed : row;
    memory->stats.n_rows++;
    if (newest) {
        newest->newest = false;
        end_row(memory, newest, memory->revision);
        row->by_key.hash = newest->by_key.hash;
        yl_map_replace(&memory->keys, &newest->by_key, &row->by_key);
    } else {
        yl_map_insert(&memory->keys, &row->by_key,
                      yl_hash_str(row->row.key));
    }
    if (write->delete_) {
        end_row(memory, row, memory->revision);
    }
    return row;
}

static uint64_t
newest_of(struct memory *memory, struct yl_str key)
{
    const struct row *row = find(memory, key);

    return row && !row->row.delete_ ? row->row.revision : 0;
}

/* Notes that 'row' is not visible from 'revision' on. */
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
    row->row.delete_ = write->delete_;
    memcpy(row->bytes, write->key.data, write->key.size);
    row->row.key = yl_str_n(row->bytes, write->key.size);
    p = row->bytes + write->key.size;
    row->row.value = yl_str_n(p, size);
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
        if (yl_str_equal(row->row.key, key)) {
            return row;
        }
    }
    return NULL;
}

/* Frees rows; those that were not fed yet stay. */
static void
compact(struct memory *memory, uint64_t revision)
{
    struct row *row;

    revision = revision < memory->fed ? revision : memory->fed;
    if (revision <= memory->stats.compacted) {
        return;
    }
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

/* Puts the rows of the next call of the feed into 'step', and returns their
 * number. */
static size_t
next_step(struct memory *memory)
{
    struct row *row = memory->unfed;
    bool more = true;
    size_t n = 0;

    while (row && (n < FEED_STEP || more)) {
        if (n == memory->max_step) {
            memory->max_step = memory->max_step * 2 + 16;
            memory->step = yl_realloc_array(memory->step, memory->max_step,
                                            sizeof *memory->step);
        }
        memory->step[n++] = row->row;
        row->row.write = NULL;
        more = row->more;
        row = row->node.next == &memory->rows
              ? NULL : YL_CONTAINER_OF(row->node.next, struct row, node);
    }
    memory->unfed = row;
    return n;
}

static void
tell_loss(struct yl_storage_feed *feed, int code)
{
    struct yl_error err = YL_ERROR_INIT;

    yl_error_set(&err, code, "the storage was told to lose its place");
    feed->lost(feed, &err);
    yl_error_clear(&err);
}
