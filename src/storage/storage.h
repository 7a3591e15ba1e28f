#ifndef STORAGE_STORAGE_H
#define STORAGE_STORAGE_H 1

/* Storage: makes batches of writes durable, and feeds them back in order.
 *
 *     keyspace's writer -> batch -> [back end] -> a revision for each write
 *     start             <- rows  <- [back end]
 *
 * A back end knows keys and bytes, no objects.  It names revisions: one
 * counter for everything, which a write raises by one.  What it has
 * acknowledged survives a crash of the process, of the system, and the loss
 * of power.
 *
 * Guarantees
 * ==========
 *
 *   - A batch is durable as a whole or not at all.
 *
 *   - Revisions are strictly increasing and never used twice, also after a
 *     batch that failed.
 *
 *   - Loading delivers what was acknowledged (and perhaps, after a crash, a
 *     batch whose acknowledgement did not get out), each row once, in the
 *     order of revisions, from the oldest that was not compacted.
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
 * yl_storage_commit() is called by one thread, the writer; 'done' may be
 * called from any, or before commit returns.  Backup may be called from any
 * other thread, at the same time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/error.h"
#include "yuloh/str.h"

struct yl_storage;

/* One write of a batch.  A key stands in a batch at most once.
 *
 * The caller has checked 'expected' against what it knows.  A back end that
 * others write to as well (etcd) checks it again; one whose only writer is the
 * caller (SQLite) believes it and never answers YL_ECONFLICT. */
struct yl_storage_write {
    struct yl_str key;          /* "/registry/pods/default/web". */

    /* The value in pieces, so that nobody has to join them; none of them for
     * a deletion. */
    const struct yl_str *value;
    size_t n_value;
    bool delete_;

    /* The revision that the key must have now; 0: it must not exist. */
    uint64_t expected;

    /* Results. */
    int result;                 /* 0, or YL_ECONFLICT. */
    uint64_t revision;          /* Of this write, if it took place. */
};

struct yl_storage_batch {
    struct yl_storage_write *writes;
    size_t n_writes;

    /* History up to this revision may go: rows that a row up to it of the
     * same key replaces, and deletions.  0: leave it.  It goes little by
     * little: each batch takes away a few rows more than it adds, and one
     * without writes some hundred.  What the batch itself writes stays. */
    uint64_t compact;

    /* The end.  'result' is 0, or a code that says why nothing at all of the
     * batch took place (YL_EIO, YL_EUNAVAILABLE, with a sentence in
     * 'error'). */
    void (*done)(struct yl_storage_batch *);
    void *aux;
    int result;
    struct yl_error error;      /* The batch's owner clears it. */
    uint64_t compacted;         /* Up to where history has gone. */
};

/* One row that is loaded. */
struct yl_storage_row {
    uint64_t revision;
    uint64_t previous;          /* Of the same key; 0 for a creation. */
    struct yl_str key;
    struct yl_str value;        /* Empty for a deletion. */
    bool delete_;
};

/* 0, or a code that ends loading. */
typedef int yl_storage_row_fn(void *aux, const struct yl_storage_row *,
                              struct yl_error *err);

/* What a back end is. */
struct yl_storage_ops {
    const char *name;           /* "sqlite". */
    int (*load)(struct yl_storage *, yl_storage_row_fn *, void *aux,
                uint64_t *ret_revision, uint64_t *ret_compacted,
                struct yl_error *err);
    void (*commit)(struct yl_storage *, struct yl_storage_batch *);
    int (*backup)(struct yl_storage *, const char *path,
                  struct yl_error *err);
    void (*close)(struct yl_storage *);
};

struct yl_storage {
    const struct yl_storage_ops *ops;
};

/* Feeds every row to 'each', then says the newest revision (1 in a new store,
 * as in etcd: the first write is 2) and up to which one history was compacted:
 * at that one, and at newer ones, it is complete.  Before the first commit.
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

/* Starts to make a batch durable; batch->done tells. */
static inline void
yl_storage_commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    storage->ops->commit(storage, batch);
}

/* Writes a consistent copy to a new file while others go on. */
static inline int
yl_storage_backup(struct yl_storage *storage, const char *path,
                  struct yl_error *err)
{
    return storage->ops->backup(storage, path, err);
}

static inline void
yl_storage_close(struct yl_storage *storage)
{
    if (storage) {
        storage->ops->close(storage);
    }
}

#endif /* storage/storage.h */
