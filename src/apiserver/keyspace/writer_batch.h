#ifndef APISERVER_KEYSPACE_WRITER_BATCH_H
#define APISERVER_KEYSPACE_WRITER_BATCH_H 1

/* A batch: the writes of one commit, from their check until they have their
 * results.  A write and those that go with it are one group for storage.
 *
 * Threads
 * =======
 *
 * The writer's thread, except yl_ks_batch_examine(), which may be called from
 * any. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/arena.h"
#include "object/object.h"
#include "storage/storage.h"

/* A head, and the pieces of a block. */
#define YL_KS_MAX_PIECES (1 + YL_OBJECT_MAX_PIECES)

struct yl_ks_batch {
    struct yl_list node;        /* The writer's. */
    size_t max;
    struct yl_ks_write **writes;
    size_t n_writes;
    size_t n_with;              /* Writes that go with others. */
    size_t bytes;
    struct yl_arena keys;       /* And parts of values. */

    /* The storage batch.  The 'aux' of a group, and of a write, is its struct
     * yl_ks_write. */
    struct yl_storage_batch commit;
    struct yl_storage_group *groups;
    struct yl_storage_write *stored;
    size_t n_stored;
    struct yl_str (*pieces)[YL_KS_MAX_PIECES];  /* Of each value. */
};

/* 'done' and 'aux' are those of the storage batch. */
struct yl_ks_batch *yl_ks_batch_new(size_t max,
                                    void (*done)(struct yl_storage_batch *),
                                    void *aux);
void yl_ks_batch_free(struct yl_ks_batch *);

/* Can this write be in a batch at all?  0 or a code, with a message in the
 * write's 'error'. */
int yl_ks_batch_examine(struct yl_ks_write *);

/* Adds a write and those that go with it; false if the batch is full, or has a
 * write of one of its keys. */
bool yl_ks_batch_add(struct yl_ks_batch *, struct yl_ks_write *);

/* Does the batch have a key of 'write' that is not in the writer's map of
 * keys, because it goes with another write on either side? */
bool yl_ks_batch_has_key_of(const struct yl_ks_batch *,
                            const struct yl_ks_write *);

void yl_ks_batch_clear(struct yl_ks_batch *);

/* Compares expected revisions with those of the keys; writes for which they
 * differ get their result here.  Returns how many are left to be written. */
size_t yl_ks_batch_check(struct yl_ks_batch *);

/* Gives every write the result of its group.  One that met a conflict in
 * storage gets YL_ECONFLICT, and its 'revision' is the one that the feed must
 * reach before it may be answered. */
void yl_ks_batch_settle(struct yl_ks_batch *);

/* Sets the error of a conflict, once the feed has reached that revision. */
void yl_ks_batch_explain(struct yl_ks_write *);

#endif /* apiserver/keyspace/writer_batch.h */
