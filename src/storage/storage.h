#ifndef STORAGE_STORAGE_H
#define STORAGE_STORAGE_H 1

/* Storage: makes groups of writes durable, and feeds back what was written.
 *
 *     start            <- rows ------------ [back end]   once, all of them
 *     keyspace's writer -- batch of groups -> [back end]   several in flight
 *                      <- feed of rows ---- [back end]   ours and others'
 *                      <- batch is done --- [back end]
 *
 * A back end knows keys and bytes, no objects.  It names revisions: one
 * counter for everything.  Whoever else writes to the same store (another
 * server on the same etcd) raises it too.  What a back end has acknowledged
 * survives a crash of the process, of the system, and the loss of power.
 *
 * The feed is the only place from which the caller learns what is stored: its
 * own writes come back through it like everybody's, and it makes them visible
 * when they do.  So all servers on one store see one order.
 *
 * Guarantees
 * ==========
 *
 *   - A group takes place as a whole or not at all, also after a crash.  It
 *     takes place only if every key of it has the expected revision at that
 *     moment.  The groups of a batch, and batches, are independent.
 *
 *   - Revisions are never used twice, also after a group that failed.  The
 *     writes of a group have ascending ones in their order, or all the same
 *     (a transaction of etcd has one); those of different groups differ.
 *
 *   - Loading delivers what was acknowledged (and perhaps, after a crash, a
 *     batch whose acknowledgement did not get out), each row once, in the
 *     order of revisions, from the oldest that was not compacted.
 *
 *   - The feed continues where loading ended and delivers every row once, in
 *     the order of revisions, without a gap.  A group is never divided between
 *     two calls.
 *
 *   - A batch is done after the feed has delivered everything it wrote.
 *
 *   - A checksum over each row is verified when it is read: damage is an
 *     error that names the row and says what to do, never another object.
 *
 * Ownership
 * =========
 *
 * Keys and values are lent for the duration of a call, those of a batch until
 * it is done.
 *
 * Threads
 * =======
 *
 * Loading, subscribing, committing and collecting are for one thread at a
 * time, the writer.  The feed and 'done' are called on it, from inside
 * yl_storage_collect() and from nowhere else; they must not call the storage.
 * Only 'wake' comes from any thread, at any moment after subscribing.  Backup
 * may be called from any other thread, at the same time.
 *
 * Usage
 * =====
 *
 *     yl_storage_load(storage, each_row, aux, &revision, &compacted, err);
 *     yl_storage_subscribe(storage, &feed);
 *     for (;;) {
 *         ... wait for writes, or for feed.wake ...
 *         yl_storage_commit(storage, &batch);    unless too many are in flight
 *         yl_storage_collect(storage);
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/error.h"
#include "yuloh/str.h"

struct yl_storage;

/* One write. */
struct yl_storage_write {
    struct yl_str key;          /* "/registry/pods/default/web". */

    /* The value in pieces, so that nobody has to join them; none of them for
     * a deletion. */
    const struct yl_str *value;
    size_t n_value;
    bool delete_;

    /* The revision that the key must have now; 0: it must not exist. */
    uint64_t expected;

    void *aux;                  /* The caller's. */

    uint64_t revision;          /* Result: under which it took place, or 0. */
};

/* Writes of different keys that take place together or not at all.
 *
 * The caller has checked 'expected' against what the feed has told it.  A back
 * end that others write to as well checks it again; one whose only writer is
 * the caller (SQLite) believes it and never answers YL_ECONFLICT. */
struct yl_storage_group {
    struct yl_storage_write *writes;
    size_t n_writes;
    void *aux;                  /* The caller's. */

    /* Results.  0, or YL_ECONFLICT, or another code that says why it did not
     * take place (YL_EIO, YL_EUNAVAILABLE).  After such a code it may still
     * turn out that it did, if the connection to the store broke in between:
     * then the feed delivers it, as somebody else's. */
    int result;

    /* Of a conflict: when the feed has come to this revision, it has told what
     * is there instead.  Whoever tries again before that would meet the same
     * conflict again. */
    uint64_t after;
};

/* Groups that are handed over together.  A key stands at most once among all
 * batches that are in flight. */
struct yl_storage_batch {
    struct yl_storage_group *groups;
    size_t n_groups;

    /* History up to this revision may go: rows that a row up to it of the
     * same key replaces, and deletions.  0: leave it.  It goes little by
     * little: each batch takes away a few rows more than it adds, and one
     * without groups some hundred.  What the batch itself writes stays. */
    uint64_t compact;

    /* The end.  'result' is 0, or the code of a group that neither took place
     * nor met a conflict (or why compaction failed), with a sentence in
     * 'error'. */
    void (*done)(struct yl_storage_batch *);
    void *aux;                  /* The caller's. */
    int result;
    struct yl_error error;      /* The batch's owner clears it. */
    uint64_t compacted;         /* Up to where history has gone. */

    struct yl_storage_batch *next;  /* The back end's. */
};

/* One row that is loaded or fed. */
struct yl_storage_row {
    uint64_t revision;
    uint64_t previous;          /* Of the same key; 0 for a creation. */
    struct yl_str key;
    struct yl_str value;        /* Empty for a deletion. */
    bool delete_;

    /* In the feed: the write that this row is, if it stands in a batch that is
     * in flight and the back end knows that.  Then 'value' may be left empty:
     * the caller has it.  NULL: somebody else's, as far as is known. */
    const struct yl_storage_write *write;
};

/* 0, or a code that ends loading. */
typedef int yl_storage_row_fn(void *aux, const struct yl_storage_row *,
                              struct yl_error *err);

/* Who is told what was written. */
struct yl_storage_feed {
    /* There is something to collect.  From any thread, perhaps with a lock of
     * the back end: note it and return.  May come in vain. */
    void (*wake)(struct yl_storage_feed *);

    /* What was written next.  Everything of one call becomes visible at
     * once. */
    void (*rows)(struct yl_storage_feed *, const struct yl_storage_row *rows,
                 size_t n_rows);

    /* Nothing else was written up to this revision: what others wrote outside
     * of our keys, for instance. */
    void (*progress)(struct yl_storage_feed *, uint64_t revision);

    /* The back end has lost its place: rows may be missing from here on, and
     * nothing comes any more.  Who needs more must load again.  Batches that
     * the feed has not told of end with an error, whatever became of them. */
    void (*lost)(struct yl_storage_feed *, const struct yl_error *);
};

/* What a back end is. */
struct yl_storage_ops {
    const char *name;           /* "sqlite". */
    int (*load)(struct yl_storage *, yl_storage_row_fn *, void *aux,
                uint64_t *ret_revision, uint64_t *ret_compacted,
                struct yl_error *err);
    void (*subscribe)(struct yl_storage *, struct yl_storage_feed *);
    void (*commit)(struct yl_storage *, struct yl_storage_batch *);
    void (*collect)(struct yl_storage *);
    int (*backup)(struct yl_storage *, const char *path,
                  struct yl_error *err);
    void (*close)(struct yl_storage *);
};

/* A back end embeds it in its own struct. */
struct yl_storage {
    const struct yl_storage_ops *ops;
    size_t max_batches;         /* That may be in flight; at least 1. */
    bool shared;                /* Do others write to it, too? */
};

/* Feeds every row to 'each', then says the newest revision (1 in a new store,
 * as in etcd: the first write is 2) and up to which one history was compacted:
 * at that one, and at newer ones, it is complete.  Before the first commit;
 * also again, while nobody is subscribed.
 *
 * The newest revision may be higher than that of the newest row, whose key may
 * have been deleted since. */
static inline int
yl_storage_load(struct yl_storage *storage, yl_storage_row_fn *each, void *aux,
                uint64_t *ret_revision, uint64_t *ret_compacted,
                struct yl_error *err)
{
    return storage->ops->load(storage, each, aux, ret_revision, ret_compacted,
                              err);
}

/* From now on 'feed' is told, beginning behind the revision that the last load
 * has said.  NULL ends it; no batch may be in flight then, and when this
 * returns 'wake' is not running and will not be called. */
static inline void
yl_storage_subscribe(struct yl_storage *storage, struct yl_storage_feed *feed)
{
    storage->ops->subscribe(storage, feed);
}

/* Starts to make a batch durable.  Nothing is called from inside. */
static inline void
yl_storage_commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    storage->ops->commit(storage, batch);
}

/* Tells what has happened since the last time: calls the feed, and 'done' of
 * batches.  Does not wait for anything. */
static inline void
yl_storage_collect(struct yl_storage *storage)
{
    storage->ops->collect(storage);
}

/* Writes a consistent copy to a new file while others go on. */
static inline int
yl_storage_backup(struct yl_storage *storage, const char *path,
                  struct yl_error *err)
{
    return storage->ops->backup(storage, path, err);
}

/* Nothing may be in flight. */
static inline void
yl_storage_close(struct yl_storage *storage)
{
    if (storage) {
        storage->ops->close(storage);
    }
}

#endif /* storage/storage.h */
