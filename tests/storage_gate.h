#ifndef TESTS_STORAGE_GATE_H
#define TESTS_STORAGE_GATE_H 1

/* A gate in front of a storage, which the test opens and closes.
 *
 *     keyspace -> batches -> [gate] -> any back end
 *
 * While closed, it holds batches until the test lets them pass, one by one, in
 * any order.  It can make batches fail, and hold back what the back end feeds.
 * So any back end behind it is asynchronous, with several batches in flight,
 * under the control of the test; nothing depends on a schedule.
 *
 *     gate_init(&gate, storage, 4);
 *     gate_close(&gate);
 *     ...
 *     assert_int_equal(gate_pass(&gate), 3);      the batch had three writes
 *
 * Threads
 * =======
 *
 * The functions below may be called from any thread.  The back end is called
 * on the user's thread only: a batch that may pass is committed when the user
 * collects, for which the gate wakes it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bug.h"
#include "base/thread.h"
#include "storage/storage.h"

#define GATE_MAX 16

struct gate {
    struct yl_storage storage;  /* What the user gets. */
    struct yl_storage *inner;

    struct yl_mutex lock;
    struct yl_cond changed;
    struct yl_storage_feed *feed;
    bool closed;                /* Whether batches are held, */
    bool deaf;                  /* and what is fed. */
    struct yl_storage_batch *held[GATE_MAX];
    size_t n_held;
    struct yl_storage_batch *passed[GATE_MAX];  /* To be committed. */
    size_t n_passed;
    size_t n_failures;          /* Batches that are still to fail, */
    int failure;                /* with this code. */
    size_t n_batches;           /* Batches that the back end got. */
    uint64_t compact;           /* The highest 'compact' so far. */
};

static inline struct gate *
gate_of(struct yl_storage *storage)
{
    return YL_CONTAINER_OF(storage, struct gate, storage);
}

static inline int
gate_load(struct yl_storage *storage, yl_storage_row_fn *each, void *aux,
          uint64_t *ret_revision, uint64_t *ret_compacted,
          struct yl_error *err)
{
    return yl_storage_load(gate_of(storage)->inner, each, aux, ret_revision,
                           ret_compacted, err);
}

static inline void
gate_subscribe(struct yl_storage *storage, struct yl_storage_feed *feed)
{
    struct gate *gate = gate_of(storage);

    yl_mutex_lock(&gate->lock);
    gate->feed = feed;
    yl_mutex_unlock(&gate->lock);
    yl_storage_subscribe(gate->inner, feed);
}

static inline void
gate_commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    struct gate *gate = gate_of(storage);

    yl_mutex_lock(&gate->lock);
    if (gate->n_held + gate->n_passed == storage->max_batches) {
        yl_bug("too many batches are in flight");
    }
    if (gate->closed) {
        gate->held[gate->n_held++] = batch;
    } else {
        gate->passed[gate->n_passed++] = batch;
    }
    yl_cond_broadcast(&gate->changed);
    yl_mutex_unlock(&gate->lock);
}

static inline void
gate_fail_batch(struct yl_storage_batch *batch, int code)
{
    size_t i;

    batch->result = yl_error_set(&batch->error, code,
                                 "the storage was told to fail");
    for (i = 0; i < batch->n_groups; i++) {
        batch->groups[i].result = code;
    }
    batch->done(batch);
}

/* The next batch that may go on; NULL if there is none.  'ret_failure' is the
 * code that it fails with, or 0. */
static inline struct yl_storage_batch *
gate_next(struct gate *gate, bool *ret_deaf, int *ret_failure)
{
    struct yl_storage_batch *batch = NULL;
    size_t i;

    yl_mutex_lock(&gate->lock);
    *ret_deaf = gate->deaf;
    *ret_failure = 0;
    if (gate->n_passed) {
        batch = gate->passed[0];
        for (i = 1; i < gate->n_passed; i++) {
            gate->passed[i - 1] = gate->passed[i];
        }
        gate->n_passed--;
        if (gate->n_failures) {
            gate->n_failures--;
            *ret_failure = gate->failure;
        } else {
            gate->n_batches++;
            gate->compact = batch->compact > gate->compact ? batch->compact
                                                           : gate->compact;
        }
    }
    yl_mutex_unlock(&gate->lock);
    return batch;
}

static inline void
gate_collect(struct yl_storage *storage)
{
    struct gate *gate = gate_of(storage);
    struct yl_storage_batch *batch;
    bool deaf;

    do {
        int failure;

        batch = gate_next(gate, &deaf, &failure);
        if (failure) {
            gate_fail_batch(batch, failure);
        } else if (batch) {
            yl_storage_commit(gate->inner, batch);
        }
        if (!deaf) {
            yl_storage_collect(gate->inner);
        }
    } while (batch);
}

static const struct yl_storage_ops gate_ops = {
    .name = "gate",
    .load = gate_load,
    .subscribe = gate_subscribe,
    .commit = gate_commit,
    .collect = gate_collect,
};

/* An open gate, with so many batches in flight (0: as many as the back
 * end). */
static inline void
gate_init(struct gate *gate, struct yl_storage *inner, size_t max_batches)
{
    *gate = (struct gate) { .inner = inner };
    gate->storage.ops = &gate_ops;
    gate->storage.max_batches = max_batches ? max_batches
                                            : inner->max_batches;
    gate->storage.shared = inner->shared;
    yl_mutex_init(&gate->lock);
    yl_cond_init(&gate->changed);
}

static inline void
gate_release(struct gate *gate)
{
    yl_cond_destroy(&gate->changed);
    yl_mutex_destroy(&gate->lock);
}

/* Wakes the user, so that it collects.  The lock is held, so that the user
 * cannot unsubscribe meanwhile. */
static inline void
gate_wake(struct gate *gate)
{
    if (gate->feed) {
        gate->feed->wake(gate->feed);
    }
}

static inline void
gate_close(struct gate *gate)
{
    yl_mutex_lock(&gate->lock);
    gate->closed = true;
    yl_mutex_unlock(&gate->lock);
}

/* Stops holding; batches that are held pass. */
static inline void
gate_open(struct gate *gate)
{
    size_t i;

    yl_mutex_lock(&gate->lock);
    gate->closed = gate->deaf = false;
    for (i = 0; i < gate->n_held; i++) {
        gate->passed[gate->n_passed++] = gate->held[i];
    }
    gate->n_held = 0;
    gate_wake(gate);
    yl_mutex_unlock(&gate->lock);
}

/* Holds back what the back end feeds, and the ends of batches. */
static inline void
gate_set_deaf(struct gate *gate, bool deaf)
{
    yl_mutex_lock(&gate->lock);
    gate->deaf = deaf;
    gate_wake(gate);
    yl_mutex_unlock(&gate->lock);
}

/* Makes the next 'n' batches fail. */
static inline void
gate_fail(struct gate *gate, size_t n, int code)
{
    yl_mutex_lock(&gate->lock);
    gate->n_failures = n;
    gate->failure = code;
    yl_mutex_unlock(&gate->lock);
}

/* Waits until 'n' batches are held, and returns how many writes the last of
 * them has. */
static inline size_t
gate_await(struct gate *gate, size_t n)
{
    size_t i, n_writes = 0;

    yl_mutex_lock(&gate->lock);
    while (gate->n_held < n) {
        yl_cond_wait(&gate->changed, &gate->lock);
    }
    for (i = 0; i < gate->held[n - 1]->n_groups; i++) {
        n_writes += gate->held[n - 1]->groups[i].n_writes;
    }
    yl_mutex_unlock(&gate->lock);
    return n_writes;
}

/* Waits until 'n' batches are held, and lets the last one of them pass.
 * Returns how many writes it has. */
static inline size_t
gate_pass_nth(struct gate *gate, size_t n)
{
    size_t i, n_writes = gate_await(gate, n);

    yl_mutex_lock(&gate->lock);
    gate->passed[gate->n_passed++] = gate->held[n - 1];
    for (i = n; i < gate->n_held; i++) {
        gate->held[i - 1] = gate->held[i];
    }
    gate->n_held--;
    gate_wake(gate);
    yl_mutex_unlock(&gate->lock);
    return n_writes;
}

static inline size_t
gate_pass(struct gate *gate)
{
    return gate_pass_nth(gate, 1);
}

/* The revision up to which the back end was asked to compact, and the number
 * of batches it got. */
static inline uint64_t
gate_compact(struct gate *gate)
{
    uint64_t compact;

    yl_mutex_lock(&gate->lock);
    compact = gate->compact;
    yl_mutex_unlock(&gate->lock);
    return compact;
}

static inline size_t
gate_n_batches(struct gate *gate)
{
    size_t n;

    yl_mutex_lock(&gate->lock);
    n = gate->n_batches;
    yl_mutex_unlock(&gate->lock);
    return n;
}

#endif /* tests/storage_gate.h */
