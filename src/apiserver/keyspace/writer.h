#ifndef APISERVER_KEYSPACE_WRITER_H
#define APISERVER_KEYSPACE_WRITER_H 1

/* The writer: one thread through which every change goes.
 *
 *     waiting -> batch -> check -> storage ... feed -> publish -> wake
 *                                          ... done -> answer
 *
 * It takes the writes that wait, of each key at most one: a later write of the
 * same key queues behind the first and goes into a later batch, so writes of a
 * key take place in the order of their arrival.  Each is checked against the
 * key's revision; those that fail are answered without going to storage.  The
 * others are committed, as many batches at a time as storage can have in
 * flight.  What storage feeds back, our writes or others', is published, and
 * then the batch is answered.
 *
 * A write that met a conflict in storage waits until the feed has delivered
 * the other write: a retry then starts from that state, and not from the one
 * that has just been refused.
 *
 * Between batches the writer drops history in memory and in storage, with
 * batches without writes if there are no others.
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

/* Everything that the writer uses is borrowed. */
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

/* Answers the writes that wait, conflicts that wait for the feed too, and ends
 * the thread.  Later writes are refused at once, on the thread that submits
 * them. */
void yl_ks_writer_stop(struct yl_ks_writer *);

/* The same, and frees the writer.  One that was never started must have
 * nothing waiting. */
void yl_ks_writer_free(struct yl_ks_writer *);

void yl_ks_writer_submit(struct yl_ks_writer *, struct yl_ks_write *);

/* The time at which storage refused the last batch; YL_NEVER if it accepted
 * it.  Always now if storage has lost its place in the feed.  From any
 * thread. */
yl_msec yl_ks_writer_failed(const struct yl_ks_writer *);

#endif /* apiserver/keyspace/writer.h */
