#ifndef STORAGE_MEMORY_H
#define STORAGE_MEMORY_H 1

/* A back end that keeps everything in memory: for tests, and for servers whose
 * data need not survive.
 *
 * It keeps the contract of storage/storage.h except durability: what was
 * written can be loaded again as long as the storage is open.  The first write
 * has revision 2, as in etcd.  A batch is decided when it is committed, and
 * done when it is collected.  Others may write to it at the same time
 * (storage/memory_control.h), so 'expected' is checked.
 *
 * Threads
 * =======
 *
 * As storage/storage.h says; the functions below may be called from any
 * thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "storage/storage.h"

struct yl_memory_opts {
    /* Keeps keys and revisions only, so that values do not take memory twice;
     * nothing can be loaded then. */
    bool forget;

    bool shared;                /* Whether others write to it. */
    bool one_revision;          /* The writes of a group share a revision, as
                                 * in etcd. */
    size_t max_batches;         /* Batches that may be in flight [1]. */
};

/* 'opts' may be NULL. */
struct yl_storage *yl_memory_new(const struct yl_memory_opts *opts);

/* The number of batches and rows, and the revision up to which history was
 * compacted. */
struct yl_memory_stats {
    uint64_t n_batches;         /* That were committed. */
    uint64_t n_rows;
    uint64_t compacted;
};
void yl_memory_stats(struct yl_storage *, struct yl_memory_stats *);

#endif /* storage/memory.h */
