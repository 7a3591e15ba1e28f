#ifndef APISERVER_KEYSPACE_WRITER_H
#define APISERVER_KEYSPACE_WRITER_H 1

/* The writer: one thread through which every change goes.
 *
 *     waiting -> batch -> check -> storage ... feed -> publish -> wake
 *                                          ... done -> answer
 *
 * It takes what waits, a key at most once: a later write of the same key
 * queues behind the first and gets its turn in a later batch, so writes of a
 * key take place in the order of their arrival.  Each is checked against what
 * is there; those that fail are answered without troubling storage.  The
 * others are committed, as many batches at a time as storage can have in
 * flight.  What storage feeds back, ours or somebody else's, is published, and
 * then the batch is answered.
 *
 * A write that met a conflict in storage waits until the feed has told what is
 * there instead: whoever tries again then starts from that, and not from the
 * state that has just been refused.
 *
 * Between batches the writer lets history go, here and, with batches without
 * writes if need be, in storage.
 *
 * Threads
 * =======
 *
 * yl_ks_writer_submit() may be called from any thread; the others from the one
 * that owns the keyspace. */

#include <stddef.h>
#include <stdint.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/keyspace/publish.h"

struct yl_ks_writer;

/* What the writer works on; lent. */
struct yl_ks_writer_opts {
    struct yl_storage *storage;
    struct yl_ks_publisher publisher;
    struct yl_clock *clock;
    size_t max_batch;
    size_t max_waiting;
};

struct yl_ks_writer *yl_ks_writer_new(const struct yl_ks_writer_opts *);

/* Starts the thread.  YL_EUNAVAILABLE. */
int yl_ks_writer_start(struct yl_ks_writer *, struct yl_error *err);

/* Answers what waits and ends the thread; conflicts that wait for the feed, at
 * once.  What comes later is refused at once, on its own thread. */
void yl_ks_writer_stop(struct yl_ks_writer *);

/* The same, and frees the writer.  One that was never started must have
 * nothing waiting. */
void yl_ks_writer_free(struct yl_ks_writer *);

void yl_ks_writer_submit(struct yl_ks_writer *, struct yl_ks_write *);

/* When storage refused the last batch; YL_NEVER if it took it.  If storage has
 * lost its place, always now.  From any thread. */
yl_msec yl_ks_writer_failed(const struct yl_ks_writer *);

#endif /* apiserver/keyspace/writer.h */
