/* The writer's queue and its thread.  See apiserver/keyspace/writer.h for the
 * contract; writer_batch.c is what happens to a batch.
 *
 *     submit --> ready -----> batch --> finish --> done
 *           \     ^                      |
 *            followers of the same key <-'
 *
 * The first write of a key that is on its way stands in a map; later ones
 * line up behind it.  So taking a batch never looks at a write that cannot be
 * in it, however many wait for one key. */

#include "apiserver/keyspace/writer.h"

#include <assert.h>
#include <stdlib.h>

#include "apiserver/keyspace/resource.h"
#include "apiserver/keyspace/writer_batch.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "yuloh/log.h"

/* Events that are let go in one turn: more than come in, so that history
 * catches up. */
#define TRIM_BUSY(N) (2 * (N) + 64)
#define TRIM_IDLE 1024

/* How long to leave storage alone between two batches without writes, and
 * after one that failed. */
#define COMPACT_PERIOD 100
#define RETRY_PERIOD 1000

struct yl_ks_writer {
    struct yl_ks_writer_opts opts;
    struct yl_thread thread;
    bool started;
    _Atomic yl_msec failed;     /* When storage refused the last batch. */

    struct yl_mutex lock;       /* Of the queue; nothing is taken under it. */
    struct yl_cond changed;     /* There is something to do. */
    struct yl_list ready YL_GUARDED;    /* First writes of their keys. */
    struct yl_list refused YL_GUARDED;  /* To be answered. */
    struct yl_map keys YL_GUARDED;      /* First writes, in a batch or not. */
    size_t n_waiting YL_GUARDED;
    bool stopping YL_GUARDED;
    bool stopped YL_GUARDED;    /* The thread takes nothing more. */

    /* The thread's. */
    struct yl_ks_batch *batch;
    uint64_t compacted;         /* History may go up to here, */
    uint64_t trimmed;           /* and is gone up to here, */
    uint64_t stored;            /* in storage up to here. */
    yl_msec when;               /* Look at history again. */
};

static void run(void *);
static int commit(struct yl_ks_writer *);
static void compact_storage(struct yl_ks_writer *);
static void note_failure(struct yl_ks_writer *, struct yl_error *);
static void note_success(struct yl_ks_writer *);
static bool take(struct yl_ks_writer *, struct yl_list *refused);
static void finish(struct yl_ks_writer *);
static void hold(struct yl_ks_write *);
static void answer(struct yl_ks_write *);
static void keep_history(struct yl_ks_writer *);
static bool trim(struct yl_ks_writer *, size_t max);
static size_t write_hash(const struct yl_ks_write *);
static struct yl_ks_write *find_first(struct yl_ks_writer *writer,
                                      const struct yl_ks_write *)
    YL_REQUIRES(writer->lock);

struct yl_ks_writer *
yl_ks_writer_new(const struct yl_ks_writer_opts *opts)
{
    struct yl_ks_writer *writer = yl_zalloc(sizeof *writer);

    writer->opts = *opts;
    atomic_init(&writer->failed, YL_NEVER);
    yl_mutex_init(&writer->lock);
    yl_cond_init(&writer->changed);
    yl_list_init(&writer->ready);
    yl_list_init(&writer->refused);
    yl_map_init(&writer->keys);
    writer->batch = yl_ks_batch_new(opts->storage, opts->max_batch);
    return writer;
}

int
yl_ks_writer_start(struct yl_ks_writer *writer, struct yl_error *err)
{
    int r;

    writer->compacted = yl_ks_history_compacted(writer->opts.history);
    writer->trimmed = writer->stored = writer->compacted;
    r = yl_thread_start(&writer->thread, "yuloh-writer", run, writer);
    if (r < 0) {
        return yl_error_set(err, r, "cannot start the writer's thread");
    }
    writer->started = true;
    return 0;
}

void
yl_ks_writer_stop(struct yl_ks_writer *writer)
{
    if (writer->started) {
        yl_mutex_lock(&writer->lock);
        writer->stopping = true;
        yl_cond_signal(&writer->changed);
        yl_mutex_unlock(&writer->lock);
        yl_thread_join(&writer->thread);
        writer->started = false;
    }
}

void
yl_ks_writer_free(struct yl_ks_writer *writer)
    YL_NO_THREAD_SAFETY
{
    if (!writer) {
        return;
    }
    yl_ks_writer_stop(writer);
    assert(writer->n_waiting == 0);
    yl_ks_batch_free(writer->batch);
    yl_map_release(&writer->keys);
    yl_cond_destroy(&writer->changed);
    yl_mutex_destroy(&writer->lock);
    free(writer);
}

void
yl_ks_writer_submit(struct yl_ks_writer *writer, struct yl_ks_write *write)
{
    struct yl_ks_write *first;
    int refusal = yl_ks_batch_examine(write);
    size_t hash = write_hash(write);
    bool wake, stopped;

    hold(write);
    yl_list_init(&write->followers);
    yl_mutex_lock(&writer->lock);
    stopped = writer->stopped;
    wake = yl_list_is_empty(&writer->ready)
           && yl_list_is_empty(&writer->refused);
    if (refusal == 0 && writer->n_waiting >= writer->opts.max_waiting) {
        refusal = YL_ETHROTTLED;
        yl_error_set(&write->error, refusal, "too many writes are waiting");
    }
    writer->n_waiting += !stopped;
    if (stopped) {
        wake = false;
    } else if (refusal) {
        write->result = refusal;
        yl_list_push_back(&writer->refused, &write->node);
    } else if ((first = find_first(writer, write)) != NULL) {
        yl_list_push_back(&first->followers, &write->node);
        wake = false;
    } else {
        yl_map_insert(&writer->keys, &write->by_key, hash);
        yl_list_push_back(&writer->ready, &write->node);
    }
    yl_mutex_unlock(&writer->lock);
    if (wake) {
        /* Without the lock, which the writer would wake up only to wait
         * for. */
        yl_cond_signal(&writer->changed);
    }
    if (stopped) {
        write->result = refusal ? refusal
                                : yl_error_set(&write->error, YL_EUNAVAILABLE,
                                               "the server is shutting down");
        answer(write);
    }
}

yl_msec
yl_ks_writer_failed(const struct yl_ks_writer *writer)
{
    return atomic_load(&writer->failed);
}

static void
run(void *arg)
{
    struct yl_ks_writer *writer = arg;
    struct yl_list refused = YL_LIST_INIT(&refused);

    while (take(writer, &refused)) {
        struct yl_list *node;

        while ((node = yl_list_pop_front(&refused)) != NULL) {
            answer(YL_CONTAINER_OF(node, struct yl_ks_write, node));
        }
        keep_history(writer);
        if (yl_ks_batch_check(writer->batch) > 0) {
            if (commit(writer) == 0) {
                yl_ks_batch_publish(writer->batch, writer->opts.published,
                                    writer->opts.history,
                                    yl_now(writer->opts.clock));

                /* There is history now, which will be too old some time. */
                writer->when = writer->when == YL_NEVER ? 0 : writer->when;
            }
        } else if (!yl_ks_batch_size(writer->batch)) {
            compact_storage(writer);
        }
        finish(writer);
    }
}

static int
commit(struct yl_ks_writer *writer)
{
    struct yl_error err = YL_ERROR_INIT;
    uint64_t compacted = writer->compacted;
    int r = yl_ks_batch_commit(writer->batch, &compacted, &err);

    if (r == 0) {
        writer->stored = compacted;
        note_success(writer);
    } else {
        note_failure(writer, &err);
    }
    return r;
}

/* While nobody writes: has storage let go what we have. */
static void
compact_storage(struct yl_ks_writer *writer)
{
    yl_msec when = YL_NEVER;

    if (writer->stored < writer->compacted) {
        when = commit(writer) < 0 ? RETRY_PERIOD : COMPACT_PERIOD;
        when = writer->stored < writer->compacted
               ? yl_now(writer->opts.clock) + when : YL_NEVER;
    }
    writer->when = when < writer->when ? when : writer->when;
}

/* The log tells when trouble begins and when it ends; what is between them
 * would fill the disk that may be full. */
static void
note_failure(struct yl_ks_writer *writer, struct yl_error *err)
{
    if (atomic_load(&writer->failed) == YL_NEVER) {
        yl_log_error(err->code, "Cannot write to storage", YL_LOG_ERROR(err));
    }
    yl_error_clear(err);
    atomic_store(&writer->failed, yl_now(writer->opts.clock));
}

static void
note_success(struct yl_ks_writer *writer)
{
    if (atomic_load(&writer->failed) != YL_NEVER) {
        yl_log_info("Storage takes writes again");
        atomic_store(&writer->failed, YL_NEVER);
    }
}

/* Waits for something to do, and fills the batch.  False at the end. */
static bool
take(struct yl_ks_writer *writer, struct yl_list *refused)
{
    struct yl_list *node;
    bool more;

    yl_mutex_lock(&writer->lock);
    while (yl_list_is_empty(&writer->ready)
           && yl_list_is_empty(&writer->refused) && !writer->stopping
           && yl_now(writer->opts.clock) < writer->when) {
        yl_cond_wait_until(&writer->changed, &writer->lock,
                           writer->opts.clock, writer->when);
    }
    more = !writer->stopping || writer->n_waiting > 0;
    writer->stopped = !more;
    writer->n_waiting -= yl_list_count(&writer->refused);
    yl_list_splice(refused, &writer->refused);
    while ((node = yl_list_front(&writer->ready)) != NULL
           && yl_ks_batch_add(writer->batch,
                              YL_CONTAINER_OF(node, struct yl_ks_write,
                                              node))) {
        yl_list_remove(node);
    }
    yl_mutex_unlock(&writer->lock);
    return more;
}

/* Lets the next write of each key take its turn, and answers the batch. */
static void
finish(struct yl_ks_writer *writer)
{
    struct yl_ks_write *write;
    size_t i;

    yl_mutex_lock(&writer->lock);
    for (i = 0; (write = yl_ks_batch_get(writer->batch, i)) != NULL; i++) {
        struct yl_list *node = yl_list_pop_front(&write->followers);

        if (node) {
            struct yl_ks_write *next
                = YL_CONTAINER_OF(node, struct yl_ks_write, node);

            yl_list_splice(&next->followers, &write->followers);
            yl_map_insert(&writer->keys, &next->by_key, write->by_key.hash);
            yl_list_push_back(&writer->ready, &next->node);
        }
        yl_map_remove(&writer->keys, &write->by_key);
        writer->n_waiting--;
    }
    yl_mutex_unlock(&writer->lock);
    for (i = 0; (write = yl_ks_batch_get(writer->batch, i)) != NULL; i++) {
        answer(write);
    }
    yl_ks_batch_clear(writer->batch);
}

static void
hold(struct yl_ks_write *write)
{
    size_t i;

    write->object = yl_object_ref(write->object);
    for (i = 0; i < write->n_with; i++) {
        write->with[i].object = yl_object_ref(write->with[i].object);
    }
}

/* Nothing of 'write' may be looked at afterwards. */
static void
answer(struct yl_ks_write *write)
{
    size_t i;

    yl_object_unref(write->object);
    for (i = 0; i < write->n_with; i++) {
        yl_object_unref(write->with[i].object);
        yl_error_clear(&write->with[i].error);
    }
    write->done(write);
}

/* Lets history go that is too old or too much. */
static void
keep_history(struct yl_ks_writer *writer)
{
    size_t n = yl_ks_batch_size(writer->batch);

    writer->compacted = yl_ks_history_advance(writer->opts.history,
                                              yl_now(writer->opts.clock),
                                              &writer->when);
    if (writer->compacted > writer->trimmed
        && trim(writer, n ? TRIM_BUSY(n) : TRIM_IDLE)) {
        writer->when = 0;       /* There is more. */
    }
}

/* Lets at most 'max' events go.  True if there are more. */
static bool
trim(struct yl_ks_writer *writer, size_t max)
{
    struct yl_ks_resources *resources = writer->opts.resources;
    struct yl_ks_resource *resource;
    size_t n = 0;

    yl_mutex_lock(&resources->lock);
    YL_LIST_FOR_EACH (resource, node, &resources->all) {
        n += yl_ks_resource_trim(resource, writer->compacted, max - n);
        if (n >= max) {
            break;
        }
    }
    yl_mutex_unlock(&resources->lock);
    if (n < max) {
        writer->trimmed = writer->compacted;
    }
    return n >= max;
}

static size_t
write_hash(const struct yl_ks_write *write)
{
    return yl_hash_u64((uint64_t) (uintptr_t) write->resource
                       + yl_key_hash(&write->key));
}

/* The write of the same key that is first in line, or NULL. */
static struct yl_ks_write *
find_first(struct yl_ks_writer *writer, const struct yl_ks_write *write)
{
    struct yl_ks_write *first;

    YL_MAP_FOR_EACH_WITH_HASH (first, by_key, write_hash(write),
                               &writer->keys) {
        if (first->resource == write->resource
            && yl_key_equal(&first->key, &write->key)) {
            return first;
        }
    }
    return NULL;
}
