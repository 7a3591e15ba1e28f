#ifndef APISERVER_KEYSPACE_WRITER_H
#define APISERVER_KEYSPACE_WRITER_H 1

/* The writer: one thread through which every change goes.
 *
 *     waiting -> batch -> check -> commit -> publish -> wake -> done
 *
 * It takes what waits, a key at most once: a later write of the same key
 * queues behind the first and gets its turn in a later batch, so writes of a
 * key take place in the order of their arrival.  Each is checked against what
 * is there; those that fail are answered without troubling storage.  The
 * others are committed together and published together.  Between batches the
 * writer lets history go, here and, with batches without writes if need be, in
 * storage.
 *
 * Threads
 * =======
 *
 * yl_ks_writer_submit() may be called from any thread; the others from the one
 * that owns the keyspace. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/keyspace/history.h"
#include "apiserver/keyspace/keyspace.h"
#include "base/list.h"
#include "base/thread.h"

struct yl_ks_writer;

/* All resources of a keyspace. */
struct yl_ks_resources {
    struct yl_mutex lock;       /* Outer: before a resource's locks. */
    struct yl_list all YL_GUARDED;
};

/* What the writer works on; lent. */
struct yl_ks_writer_opts {
    struct yl_storage *storage;
    struct yl_ks_resources *resources;
    struct yl_ks_history *history;
    _Atomic uint64_t *published;
    struct yl_clock *clock;
    size_t max_batch;
    size_t max_waiting;
};

struct yl_ks_writer *yl_ks_writer_new(const struct yl_ks_writer_opts *);

/* Starts the thread.  YL_EUNAVAILABLE. */
int yl_ks_writer_start(struct yl_ks_writer *, struct yl_error *err);

/* Answers what waits and ends the thread.  What comes later is refused at
 * once, on its own thread. */
void yl_ks_writer_stop(struct yl_ks_writer *);

/* The same, and frees the writer.  One that was never started must have
 * nothing waiting. */
void yl_ks_writer_free(struct yl_ks_writer *);

void yl_ks_writer_submit(struct yl_ks_writer *, struct yl_ks_write *);

/* When storage refused the last batch; YL_NEVER if it took it.  From any
 * thread. */
yl_msec yl_ks_writer_failed(const struct yl_ks_writer *);

#endif /* apiserver/keyspace/writer.h */
