#ifndef APISERVER_KEYSPACE_WRITER_BATCH_H
#define APISERVER_KEYSPACE_WRITER_BATCH_H 1

/* A batch: the writes of one commit, from their check until they are
 * published.  All of it happens on the writer's thread but
 * yl_ks_batch_examine(). */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/keyspace/keyspace.h"
#include "yuloh/clock.h"

struct yl_ks_batch;
struct yl_ks_history;

struct yl_ks_batch *yl_ks_batch_new(struct yl_storage *, size_t max);
void yl_ks_batch_free(struct yl_ks_batch *);

/* Is this a write that can be in a batch at all?  0 or a code, with a sentence
 * in the write's 'error'. */
int yl_ks_batch_examine(struct yl_ks_write *);

/* Adds a write, with those that go with it; false if the batch is full, or has
 * a write of one of its keys. */
bool yl_ks_batch_add(struct yl_ks_batch *, struct yl_ks_write *);
void yl_ks_batch_clear(struct yl_ks_batch *);

size_t yl_ks_batch_size(const struct yl_ks_batch *);

/* The write at 'i', NULL behind the last. */
struct yl_ks_write *yl_ks_batch_get(const struct yl_ks_batch *, size_t i);

/* Compares expected revisions with what is there; those that differ have
 * their result then.  Returns how many are left to be written. */
size_t yl_ks_batch_check(struct yl_ks_batch *);

/* Writes those, and waits for it; there may be none.  Storage may drop history
 * up to '*compacted', which then says how far it has.  0 if at least some took
 * place, or storage's error; every write has its result. */
int yl_ks_batch_commit(struct yl_ks_batch *, uint64_t *compacted,
                       struct yl_error *err);

/* Makes what took place visible, and wakes the listeners. */
void yl_ks_batch_publish(struct yl_ks_batch *, _Atomic uint64_t *published,
                         struct yl_ks_history *, yl_msec now);

#endif /* apiserver/keyspace/writer_batch.h */
