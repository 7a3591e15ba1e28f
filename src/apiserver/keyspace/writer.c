/* The writer's queue and its thread.  See apiserver/keyspace/writer.h for the
 * contract; writer_batch.c checks batches, publish.c publishes what storage
 * feeds back.
 *
 *     submit --> ready -----> batch --> storage --> finish --> done
 *           \     ^                                |   |
 *            followers of the same key <-----------'   '-> behind --> done
 *
 * The first write of a key that is not answered yet is in a map; later ones
 * line up behind it.  So a batch is filled without looking at writes that
 * cannot be in it, however many wait for one key. */

#include "apiserver/keyspace/writer.h"

#include <assert.h>
#include <stdlib.h>

#include "apiserver/keyspace/writer_batch.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "storage/storage.h"
#include "yuloh/log.h"

/* Events dropped in one turn: more than were added since the last, so that
 * dropping catches up. */
#define TRIM_BUSY(N) (2 * (N) + 64)
#define TRIM_IDLE 1024

/* The pause between two batches without writes, and after one that failed. */
#define COMPACT_PERIOD 100
#define RETRY_PERIOD 1000

struct yl_ks_writer {
    struct yl_ks_writer_opts opts;
    struct yl_storage_feed feed;
    struct yl_thread thread;
    bool started;
    _Atomic yl_msec failed;     /* Time at which storage refused the last
                                 * batch. */
    _Atomic bool lost;          /* Storage has lost its place in the feed. */

    struct yl_mutex lock;       /* Of the queue; nothing is taken under it. */
    struct yl_cond changed;     /* Signalled when there is something to do. */
    struct yl_list ready YL_GUARDED;    /* First writes of their keys. */
    struct yl_list refused YL_GUARDED;  /* To be answered. */
    struct yl_map keys YL_GUARDED;      /* All first writes, in a batch or
                                         * not. */
    size_t n_waiting YL_GUARDED;
    bool woken YL_GUARDED;      /* There is something to collect from
                                 * storage. */
    bool stopping YL_GUARDED;
    bool stopped YL_GUARDED;    /* The thread accepts nothing more. */

    /* Used by the thread only. */
    struct yl_list idle;        /* Batches: the first is being filled, */
    struct yl_list in_flight;   /* these are with storage. */
    struct yl_list behind;      /* Writes that wait for the feed. */
    size_t n_published;         /* Rows since history was last advanced. */
    uint64_t compacted;         /* History may be dropped up to here, */
    uint64_t trimmed;           /* is dropped in memory up to here, */
    uint64_t stored;            /* and in storage up to here. */
    yl_msec when;               /* When to advance history again, */
    yl_msec compact_when;       /* and to compact storage. */
};

static void run(void *);
static void wake(struct yl_storage_feed *);
static void receive_rows(struct yl_storage_feed *,
                         const struct yl_storage_row *, size_t n);
static void receive_progress(struct yl_storage_feed *, uint64_t revision);
static void receive_loss(struct yl_storage_feed *, const struct yl_error *);
static void receive_done(struct yl_storage_batch *);
static bool take(struct yl_ks_writer *, struct yl_list *refused);
static void fill(struct yl_ks_writer *writer) YL_REQUIRES(writer->lock);
static bool is_in_flight(struct yl_ks_writer *, const struct yl_ks_write *);
static struct yl_ks_batch *next_batch(struct yl_ks_writer *);
static void send_batch(struct yl_ks_writer *);
static void commit(struct yl_ks_writer *, struct yl_ks_batch *);
static void give_up(struct yl_ks_batch *);
static void compact_storage(struct yl_ks_writer *);
static void note_failure(struct yl_ks_writer *, const struct yl_error *);
static void note_success(struct yl_ks_writer *);
static void finish(struct yl_ks_writer *, struct yl_ks_batch *);
static bool is_behind(struct yl_ks_writer *writer, const struct yl_ks_write *)
    YL_REQUIRES(writer->lock);
static void retire(struct yl_ks_writer *writer, struct yl_ks_write *)
    YL_REQUIRES(writer->lock);
static void answer_behind(struct yl_ks_writer *);
static void hold(struct yl_ks_write *);
static void answer(struct yl_ks_write *);
static void keep_history(struct yl_ks_writer *);
static size_t write_hash(const struct yl_ks_write *);
static struct yl_ks_write *find_first(struct yl_ks_writer *writer,
                                      const struct yl_ks_write *)
    YL_REQUIRES(writer->lock);

struct yl_ks_writer *
yl_ks_writer_new(const struct yl_ks_writer_opts *opts)
{
    struct yl_ks_writer *writer = yl_zalloc(sizeof *writer);
    size_t i;

    writer->opts = *opts;
    writer->feed = (struct yl_storage_feed) {
        wake, receive_rows, receive_progress, receive_loss,
    };
    atomic_init(&writer->failed, YL_NEVER);
    yl_mutex_init(&writer->lock);
    yl_cond_init(&writer->changed);
    yl_list_init(&writer->ready);
    yl_list_init(&writer->refused);
    yl_map_init(&writer->keys);
    yl_list_init(&writer->idle);
    yl_list_init(&writer->in_flight);
    yl_list_init(&writer->behind);
    for (i = 0; i < opts->storage->max_batches; i++) {
        struct yl_ks_batch *batch = yl_ks_batch_new(opts->max_batch,
                                                    receive_done, writer);

        yl_list_push_back(&writer->idle, &batch->node);
    }
    return writer;
}

int
yl_ks_writer_start(struct yl_ks_writer *writer, struct yl_error *err)
{
    int r;

    writer->compacted
        = yl_ks_history_compacted(writer->opts.publisher.history);
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
    struct yl_ks_batch *batch;

    if (!writer) {
        return;
    }
    yl_ks_writer_stop(writer);
    assert(writer->n_waiting == 0);
    YL_LIST_FOR_EACH_SAFE (batch, node, &writer->idle) {
        yl_ks_batch_free(batch);
    }
    yl_ks_publisher_release(&writer->opts.publisher);
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
        /* Those in line may be waiting for storage; this one is not. */
        wake = yl_list_is_empty(&writer->refused);
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
        /* Signalled without the lock, on which the writer would otherwise wait
         * as soon as it wakes. */
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
    return atomic_load(&writer->lost) ? yl_now(writer->opts.clock)
                                      : atomic_load(&writer->failed);
}

static void
run(void *arg)
{
    struct yl_ks_writer *writer = arg;
    struct yl_list refused = YL_LIST_INIT(&refused);
    struct yl_storage *storage = writer->opts.storage;

    yl_storage_subscribe(storage, &writer->feed);
    while (take(writer, &refused)) {
        struct yl_list *node;

        while ((node = yl_list_pop_front(&refused)) != NULL) {
            answer(YL_CONTAINER_OF(node, struct yl_ks_write, node));
        }
        keep_history(writer);
        send_batch(writer);
        yl_storage_collect(storage);
        answer_behind(writer);
    }
    yl_storage_subscribe(storage, NULL);
}

/* The feed
 * ======== */

static struct yl_ks_writer *
writer_of(struct yl_storage_feed *feed)
{
    return YL_CONTAINER_OF(feed, struct yl_ks_writer, feed);
}

static void
wake(struct yl_storage_feed *feed)
{
    struct yl_ks_writer *writer = writer_of(feed);

    yl_mutex_lock(&writer->lock);
    writer->woken = true;
    yl_cond_signal(&writer->changed);
    yl_mutex_unlock(&writer->lock);
}

static void
receive_rows(struct yl_storage_feed *feed, const struct yl_storage_row *rows,
             size_t n)
{
    struct yl_ks_writer *writer = writer_of(feed);

    yl_ks_publish(&writer->opts.publisher, rows, n,
                  yl_now(writer->opts.clock));
    writer->n_published += n;

    /* There is history now, which will be too old at some time. */
    writer->when = writer->when == YL_NEVER ? 0 : writer->when;
}

static void
receive_progress(struct yl_storage_feed *feed, uint64_t revision)
{
    struct yl_ks_writer *writer = writer_of(feed);

    yl_ks_publish_progress(&writer->opts.publisher, revision,
                           yl_now(writer->opts.clock));
}

/* The feed has ended, so memory is out of date from here on.  The health check
 * reports it, and the server must be restarted. */
static void
receive_loss(struct yl_storage_feed *feed, const struct yl_error *err)
{
    struct yl_ks_writer *writer = writer_of(feed);

    note_failure(writer, err);
    atomic_store(&writer->lost, true);
}

static void
receive_done(struct yl_storage_batch *commit)
{
    struct yl_ks_writer *writer = commit->aux;
    struct yl_ks_batch *batch = YL_CONTAINER_OF(commit, struct yl_ks_batch,
                                                commit);
    yl_msec period = RETRY_PERIOD;

    if (commit->result == 0) {
        writer->stored = commit->compacted;
        note_success(writer);
        period = COMPACT_PERIOD;
    } else {
        note_failure(writer, &commit->error);
    }
    if (!commit->n_groups && writer->stored < writer->compacted) {
        writer->compact_when = yl_now(writer->opts.clock) + period;
        writer->when = writer->compact_when < writer->when
                       ? writer->compact_when : writer->when;
    }
    yl_ks_batch_settle(batch);
    yl_list_remove(&batch->node);
    finish(writer, batch);
    yl_list_push_back(&writer->idle, &batch->node);
}

/* Batches
 * ======= */

/* Waits for something to do, and fills the next batch.  False when the writer
 * stops. */
static bool
take(struct yl_ks_writer *writer, struct yl_list *refused)
{
    struct yl_ks_batch *batch = next_batch(writer);
    bool more;

    yl_mutex_lock(&writer->lock);
    for (;;) {
        fill(writer);
        more = !writer->stopping || writer->n_waiting > 0
               || !yl_list_is_empty(&writer->in_flight);
        if (!more || writer->woken || (batch && batch->n_writes)
            || !yl_list_is_empty(&writer->refused)
            || (writer->stopping && !yl_list_is_empty(&writer->behind))
            || yl_now(writer->opts.clock) >= writer->when) {
            break;
        }
        yl_cond_wait_until(&writer->changed, &writer->lock,
                           writer->opts.clock, writer->when);
    }
    writer->woken = false;
    writer->stopped = !more;
    writer->n_waiting -= yl_list_count(&writer->refused);
    yl_list_splice(refused, &writer->refused);
    yl_mutex_unlock(&writer->lock);
    return more;
}

static void
fill(struct yl_ks_writer *writer)
{
    struct yl_ks_batch *batch = next_batch(writer);
    struct yl_list *node;

    while (batch && (node = yl_list_front(&writer->ready)) != NULL) {
        struct yl_ks_write *write = YL_CONTAINER_OF(node, struct yl_ks_write,
                                                    node);

        if (is_in_flight(writer, write) || !yl_ks_batch_add(batch, write)) {
            break;
        }
        yl_list_remove(node);
    }
}

/* Is a key of the write in flight as one that goes with another write?  The
 * map of keys does not have those. */
static bool
is_in_flight(struct yl_ks_writer *writer, const struct yl_ks_write *write)
{
    const struct yl_ks_batch *batch;

    YL_LIST_FOR_EACH (batch, node, &writer->in_flight) {
        if (yl_ks_batch_has_key_of(batch, write)) {
            return true;
        }
    }
    return false;
}

/* The batch to fill; NULL if all are in flight. */
static struct yl_ks_batch *
next_batch(struct yl_ks_writer *writer)
{
    struct yl_list *node = yl_list_front(&writer->idle);

    return node ? YL_CONTAINER_OF(node, struct yl_ks_batch, node) : NULL;
}

static void
send_batch(struct yl_ks_writer *writer)
{
    struct yl_ks_batch *batch = next_batch(writer);

    if (batch && !batch->n_writes) {
        compact_storage(writer);
    } else if (batch && writer->lost) {
        give_up(batch);
        finish(writer, batch);
    } else if (batch && yl_ks_batch_check(batch) > 0) {
        commit(writer, batch);
    } else if (batch) {
        finish(writer, batch);
    }
}

static void
commit(struct yl_ks_writer *writer, struct yl_ks_batch *batch)
{
    yl_list_remove(&batch->node);
    yl_list_push_back(&writer->in_flight, &batch->node);
    batch->commit.compact = writer->compacted;
    batch->commit.result = 0;
    yl_storage_commit(writer->opts.storage, &batch->commit);
}

static void
give_up(struct yl_ks_batch *batch)
{
    size_t i;

    for (i = 0; i < batch->n_writes; i++) {
        batch->writes[i]->revision = 0;
        batch->writes[i]->result
            = yl_error_set(&batch->writes[i]->error, YL_EUNAVAILABLE,
                           "the server has lost touch with its storage");
    }
}

/* While there are no writes, makes storage drop the history that memory has
 * dropped. */
static void
compact_storage(struct yl_ks_writer *writer)
{
    if (writer->stored >= writer->compacted || writer->lost
        || !yl_list_is_empty(&writer->in_flight)) {
        return;
    }
    if (yl_now(writer->opts.clock) >= writer->compact_when) {
        commit(writer, next_batch(writer));
    } else if (writer->compact_when < writer->when) {
        writer->when = writer->compact_when;
    }
}

/* Logs when failures begin and when they end; to log each of them could fill
 * the disk, which may be full already. */
static void
note_failure(struct yl_ks_writer *writer, const struct yl_error *err)
{
    if (atomic_load(&writer->failed) == YL_NEVER) {
        yl_log_error(err->code, "Cannot write to storage", YL_LOG_ERROR(err));
    }
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

/* Answers
 * ======= */

/* Makes the next write of each key ready, and answers the batch, except for
 * writes that must wait for the feed. */
static void
finish(struct yl_ks_writer *writer, struct yl_ks_batch *batch)
{
    size_t i, n = 0;

    yl_mutex_lock(&writer->lock);
    for (i = 0; i < batch->n_writes; i++) {
        struct yl_ks_write *write = batch->writes[i];

        if (is_behind(writer, write)) {
            yl_list_push_back(&writer->behind, &write->node);
        } else {
            retire(writer, write);
            batch->writes[n++] = write;
        }
    }
    yl_mutex_unlock(&writer->lock);
    for (i = 0; i < n; i++) {
        answer(batch->writes[i]);
    }
    yl_ks_batch_clear(batch);
}

/* Is it a conflict with a revision that the feed has not delivered yet?  A
 * server that stops does not wait for it: the store may be out of reach. */
static bool
is_behind(struct yl_ks_writer *writer, const struct yl_ks_write *write)
{
    return write->result == YL_ECONFLICT && write->revision
           && !writer->lost && !writer->stopping
           && write->revision
              > atomic_load_explicit(writer->opts.publisher.revision,
                                     memory_order_relaxed);
}

/* Removes a write from the queue; the next one of its key becomes ready. */
static void
retire(struct yl_ks_writer *writer, struct yl_ks_write *write)
{
    struct yl_list *node = yl_list_pop_front(&write->followers);

    if (node) {
        struct yl_ks_write *next = YL_CONTAINER_OF(node, struct yl_ks_write,
                                                   node);

        yl_list_splice(&next->followers, &write->followers);
        yl_map_insert(&writer->keys, &next->by_key, write->by_key.hash);
        yl_list_push_back(&writer->ready, &next->node);
    }
    yl_map_remove(&writer->keys, &write->by_key);
    writer->n_waiting--;
}

/* Answers the writes that have waited for the feed, as far as it has come. */
static void
answer_behind(struct yl_ks_writer *writer)
{
    struct yl_list over = YL_LIST_INIT(&over);
    struct yl_ks_write *write;
    struct yl_list *node;

    if (yl_list_is_empty(&writer->behind)) {
        return;
    }
    yl_mutex_lock(&writer->lock);
    YL_LIST_FOR_EACH_SAFE (write, node, &writer->behind) {
        if (!is_behind(writer, write)) {
            yl_list_remove(&write->node);
            yl_list_push_back(&over, &write->node);
            retire(writer, write);
        }
    }
    yl_mutex_unlock(&writer->lock);
    while ((node = yl_list_pop_front(&over)) != NULL) {
        answer(YL_CONTAINER_OF(node, struct yl_ks_write, node));
    }
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

/* 'write' must not be used afterwards. */
static void
answer(struct yl_ks_write *write)
{
    size_t i;

    if (write->result == YL_ECONFLICT && write->revision) {
        yl_ks_batch_explain(write);
    }
    yl_object_unref(write->object);
    for (i = 0; i < write->n_with; i++) {
        yl_object_unref(write->with[i].object);
        yl_error_clear(&write->with[i].error);
    }
    write->done(write);
}

/* Drops history that is too old or too much. */
static void
keep_history(struct yl_ks_writer *writer)
{
    const struct yl_ks_batch *batch = next_batch(writer);
    size_t n = writer->n_published + (batch ? batch->n_writes : 0);

    writer->n_published = 0;
    writer->compacted
        = yl_ks_history_advance(writer->opts.publisher.history,
                                yl_now(writer->opts.clock), &writer->when);
    if (writer->compacted <= writer->trimmed) {
        return;
    }
    if (yl_ks_resources_trim(writer->opts.publisher.resources,
                             writer->compacted,
                             n ? TRIM_BUSY(n) : TRIM_IDLE)) {
        writer->trimmed = writer->compacted;
    } else {
        writer->when = 0;       /* There is more. */
    }
}

static size_t
write_hash(const struct yl_ks_write *write)
{
    return yl_hash_u64((uint64_t) (uintptr_t) write->resource
                       + yl_key_hash(&write->key));
}

/* The first write in line for the same key, or NULL. */
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
