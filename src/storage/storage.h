#ifndef STORAGE_STORAGE_H
#define STORAGE_STORAGE_H 1

/* Storage: makes groups of writes durable, and feeds back what was written.
 *
 *     start            <- rows ------------ [back end]   once, all of them
 *     keyspace's writer -- batch of groups -> [back end]   several in flight
 *                      <- feed of rows ---- [back end]   ours and others'
 *                      <- batch is done --- [back end]
 *
 * A back end knows keys and bytes, no objects.  It assigns revisions: one
 * counter for all keys.  Writes of others to the same store (another server on
 * the same etcd) raise it too.  What a back end has acknowledged survives a
 * crash of the process, of the system, and the loss of power.
 *
 * The feed is the only place from which the caller learns what is stored: its
 * own writes come back through it like those of others, and it makes them
 * visible when they do.  So all servers on one store see one order.
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
 *     batch that was not acknowledged any more), each row once, in the order
 *     of revisions, from the oldest that was not compacted.
 *
 *   - The feed continues where loading ended and delivers every row once, in
 *     the order of revisions, without a gap.  A group is never divided between
 *     two calls.
 *
 *   - A batch is done after the feed has delivered everything it wrote.
 *
 *   - A checksum over each row is verified when it is read: damage is an error
 *     that names the row and says what to do, never a wrong object.
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
 * time, the writer's.  The feed and 'done' are called on it, from inside
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

    /* The value in pieces, so that they need not be joined; no pieces for a
     * deletion. */
    const struct yl_str *value;
    size_t n_value;
    bool delete_;

    /* The revision that the key must have now; 0: it must not exist. */
    uint64_t expected;

    void *aux;                  /* For the caller. */

    uint64_t revision;          /* Result: its revision, or 0. */
};

/* Writes of different keys that take place together or not at all.
 *
 * The caller has checked 'expected' against what the feed has told it.  A back
 * end that others write to as well checks it again; one whose only writer is
 * the caller (SQLite) does not check it and never answers YL_ECONFLICT. */
struct yl_storage_group {
    struct yl_storage_write *writes;
    size_t n_writes;
    void *aux;                  /* For the caller. */

    /* Results.  0, or YL_ECONFLICT, or another code that says why it did not
     * take place (YL_EIO, YL_EUNAVAILABLE).  After such a code it may still
     * turn out that it did, if the connection to the store broke in between:
     * then the feed delivers it, as if another server had written it. */
    int result;

    /* For a conflict: when the feed has reached this revision, it has
     * delivered the write that is in the way.  A retry before that would meet
     * the same conflict again. */
    uint64_t after;
};

/* Groups that are submitted together.  A key occurs at most once in all
 * batches that are in flight. */
struct yl_storage_batch {
    struct yl_storage_group *groups;
    size_t n_groups;

    /* History up to this revision may be dropped: rows that a row up to it of
     * the same key replaces, and deletions.  0: keep it.  It is dropped little
     * by little: each batch drops a few rows more than it adds, and one
     * without groups some hundred.  Rows that the batch itself writes stay. */
    uint64_t compact;

    /* Called at the end.  'result' is 0, or the code of a group that neither
     * took place nor met a conflict (or of a failed compaction), with a
     * message in 'error'. */
    void (*done)(struct yl_storage_batch *);
    void *aux;                  /* For the caller. */
    int result;
    struct yl_error error;      /* The batch's owner clears it. */
    uint64_t compacted;         /* The revision up to which history is
                                 * dropped. */

    struct yl_storage_batch *next;  /* For the back end. */
};

/* One row that is loaded or fed. */
struct yl_storage_row {
    uint64_t revision;
    uint64_t previous;          /* The revision before of the same key; 0 for a
                                 * creation. */
    struct yl_str key;
    struct yl_str value;        /* Empty for a deletion. */
    bool delete_;

    /* In the feed: the write that this row comes from, if that is in a batch
     * in flight and the back end knows it.  Then 'value' may be empty, as the
     * caller has it.  NULL: another server's, as far as is known. */
    const struct yl_storage_write *write;
};

/* 0, or a code that ends loading. */
typedef int yl_storage_row_fn(void *aux, const struct yl_storage_row *,
                              struct yl_error *err);

/* The functions that are told what was written. */
struct yl_storage_feed {
    /* There is something to collect.  Called from any thread, perhaps with a
     * lock of the back end held: note it and return.  There may turn out to be
     * nothing. */
    void (*wake)(struct yl_storage_feed *);

    /* The rows that were written next.  All rows of one call become visible at
     * once. */
    void (*rows)(struct yl_storage_feed *, const struct yl_storage_row *rows,
                 size_t n_rows);

    /* Nothing else was written to our keys up to this revision; others may
     * have written outside of them. */
    void (*progress)(struct yl_storage_feed *, uint64_t revision);

    /* The back end has lost its place: rows may be missing from here on, and
     * nothing comes any more.  To go on, load again.  Batches whose rows the
     * feed has not delivered end with an error, whatever became of them. */
    void (*lost)(struct yl_storage_feed *, const struct yl_error *);
};

/* The functions of a back end. */
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
    size_t max_batches;         /* Batches that may be in flight; at least
                                 * 1. */
    bool shared;                /* Whether others write to it, too. */
};

/* Passes every row to 'each', then sets the newest revision (1 in a new store,
 * as in etcd: the first write is 2) and the one up to which history was
 * compacted: at that one, and at newer ones, it is complete.  Call it before
 * the first commit; it may be called again while there is no subscriber.
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

/* From now on 'feed' is called, beginning after the newest revision of the
 * last load.  NULL ends it; no batch may be in flight then, and when this
 * returns 'wake' is not running and will not be called. */
static inline void
yl_storage_subscribe(struct yl_storage *storage, struct yl_storage_feed *feed)
{
    storage->ops->subscribe(storage, feed);
}

/* Starts to make a batch durable.  Calls no callback. */
static inline void
yl_storage_commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    storage->ops->commit(storage, batch);
}

/* Reports what has happened since the last call: calls the feed, and 'done' of
 * batches.  Does not wait for anything. */
static inline void
yl_storage_collect(struct yl_storage *storage)
{
    storage->ops->collect(storage);
}

/* Writes a consistent copy to a new file while writes go on. */
static inline int
yl_storage_backup(struct yl_storage *storage, const char *path,
                  struct yl_error *err)
{
    return storage->ops->backup(storage, path, err);
}

/* No batch may be in flight. */
static inline void
yl_storage_close(struct yl_storage *storage)
{
    if (storage) {
        storage->ops->close(storage);
    }
}

#endif /* storage/storage.h */
