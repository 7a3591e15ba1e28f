#ifndef YL_DELTA_H
#define YL_DELTA_H 1

/* Delta queue: what has changed, in order, between a reflector and a store.
 *
 *     reflector -> [delta queue] -> store and handlers
 *
 * A reflector puts in what it hears: objects that were added, updated or
 * deleted, and whole lists that replace everything before them.  The consumer
 * takes it out in batches, applies each batch to its store and tells its
 * handlers.  The queue asks the consumer what it knows, and so turns a list
 * into changes: an object that is known but not in the list was deleted while
 * nobody watched.
 *
 * It is client-go's RealFIFO with the checks of its DeltaFIFO.
 *
 * Guarantees
 * ==========
 *
 *   - In order.  Deltas come out in the order in which they went in, and none
 *     is merged with another or left out.
 *
 *   - Atomic.  A replacement comes out as one batch: first the deletions, then
 *     the objects of the list in its order.  A list that is given up half-way
 *     leaves no trace.
 *
 *   - No deletion is missed.  What the consumer knows and a new list does
 *     not have comes out as a DELETED delta that is marked as a tombstone: its
 *     object is the last state that the consumer knew.
 *
 *   - A new life is a new object.  If the uid of an object differs from the
 *     one that the consumer knows under this key, then the old object comes
 *     out as a DELETED tombstone and the new one as ADDED (in a replacement:
 *     REPLACED) after it.
 *
 *   - Nothing dies twice.  The deletion of an object that the consumer does
 *     not know is dropped.
 *
 *   - Transformed once.  Every object that enters goes through 'transform'
 *     once.  What the consumer knows already never does.
 *
 *   - Synced means applied.  yl_delta_queue_has_synced() becomes true when the
 *     consumer has returned from the batch of the first replacement.
 *
 * Ownership
 * =========
 *
 * The functions that put objects in take the caller's reference, even if they
 * fail.  Deltas that come out are lent for the call; a consumer that keeps an
 * object takes a reference of its own.
 *
 * Threads
 * =======
 *
 * A queue belongs to one thread, that of the loop on which the reflector and
 * the consumer run.  It has no lock.  Two threads that want to share one must
 * lock it themselves, and 'known' must be valid under that lock.
 *
 * Usage
 * =====
 *
 *     static void
 *     apply(void *store, const struct yl_delta_batch *batch)
 *     {
 *         for (size_t i = 0; i < batch->n_deltas; i++) {
 *             const struct yl_delta *delta = &batch->deltas[i];
 *             ...
 *         }
 *     }
 *
 *     yl_delta_queue_add_take(queue, object, err);
 *     yl_delta_queue_drain(queue, apply, store); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/object.h"

YL_C_BEGIN

struct yl_delta_queue;

enum yl_delta_type {
    YL_DELTA_ADDED,
    YL_DELTA_UPDATED,
    YL_DELTA_DELETED,
    YL_DELTA_REPLACED,          /* It is in a list: added, updated or both. */
    YL_DELTA_SYNC,              /* Nothing happened; look at it again. */
};

struct yl_delta {
    enum yl_delta_type type;
    struct yl_versioned object; /* Of a deletion: the last state, and the
                                 * revision of the deletion or, in a
                                 * tombstone, of that state. */
    bool tombstone;             /* Was the deletion missed?  Then the object
                                 * may have changed before it was deleted. */
    bool initial;               /* Is it part of the first list? */
};

/* What comes out at once.  Without deltas it only says how far the source has
 * come. */
struct yl_delta_batch {
    const struct yl_delta *deltas;
    size_t n_deltas;
    bool replaces;              /* Is this a replacement?  Then the deltas
                                 * make the store equal to a list. */
    uint64_t revision;          /* Of the source.  When the batch is applied,
                                 * everything up to it has been seen. */
};

/* "ADDED" and so on. */
const char *yl_delta_type_name(enum yl_delta_type);

/* What the consumer knows at this moment: all batches so far, applied. */
struct yl_delta_known {
    /* Finds an object and stores it, lent until the next batch comes out.
     * False if there is none. */
    bool (*find)(void *aux, const struct yl_key *, struct yl_versioned *ret);

    /* Calls 'fn' with each object, lent, in any order. */
    void (*each)(void *aux, void (*fn)(void *fn_aux, struct yl_versioned),
                 void *fn_aux);
};

struct yl_delta_queue_opts {
    /* What the consumer knows [nothing].  Without it there are no tombstones
     * and no SYNC deltas, and every deletion comes out. */
    const struct yl_delta_known *known;
    void *known_aux;

    /* Changes an object that enters, for instance to drop fields that nobody
     * reads or to pack it: unrefs '*object' and puts another one there, which
     * must have the same key and uid.  If it fails, the object does not enter
     * and the caller receives the error. */
    int (*transform)(void *aux, struct yl_object **object, uint64_t revision,
                     struct yl_error *err);
    void *transform_aux;

    /* Sees each delta just before it comes out. */
    void (*trace)(void *aux, const struct yl_delta *);
    void *trace_aux;

    size_t max_batch;           /* Deltas in a batch that is no replacement
                                 * [1000]. */
};

/* 'opts' may be NULL. */
struct yl_delta_queue *yl_delta_queue_new(const struct yl_delta_queue_opts *);
void yl_delta_queue_free(struct yl_delta_queue *);

/* Changes
 * =======
 *
 * 0, or the error of 'transform'. */

int yl_delta_queue_add_take(struct yl_delta_queue *, struct yl_versioned,
                            struct yl_error *err);
int yl_delta_queue_update_take(struct yl_delta_queue *, struct yl_versioned,
                               struct yl_error *err);
int yl_delta_queue_delete_take(struct yl_delta_queue *, struct yl_versioned,
                               struct yl_error *err);

/* Says that the source has come as far as 'revision', without a change. */
void yl_delta_queue_bookmark(struct yl_delta_queue *, uint64_t revision);

/* Asks for a SYNC delta of each object that the consumer knows when it is this
 * request's turn. */
void yl_delta_queue_resync(struct yl_delta_queue *);

/* Replacement
 * ===========
 *
 * A list is collected item by item.  Nothing comes out until it is complete.
 * An item with the key of an earlier one takes its place, and an item can be
 * removed again: a streamed list may bring changes among its objects. */

/* Begins a list.  One that was not ended is cancelled. */
void yl_delta_queue_replace_begin(struct yl_delta_queue *);

int yl_delta_queue_replace_item_take(struct yl_delta_queue *,
                                     struct yl_versioned, struct yl_error *);
void yl_delta_queue_replace_remove(struct yl_delta_queue *,
                                   const struct yl_key *);

/* The list is complete and shows the source at 'revision'. */
void yl_delta_queue_replace_end(struct yl_delta_queue *, uint64_t revision);

/* Forgets the items.  Does nothing when no list has begun. */
void yl_delta_queue_replace_cancel(struct yl_delta_queue *);

/* Items of the list that has begun. */
size_t yl_delta_queue_replace_count(const struct yl_delta_queue *);

/* Taking out
 * ========== */

typedef void yl_delta_batch_fn(void *aux, const struct yl_delta_batch *);

/* Hands out the next batch; false if there is none.  Or goes on until there is
 * none.  The function may put more into the queue, and must not take out. */
bool yl_delta_queue_pop(struct yl_delta_queue *, yl_delta_batch_fn *,
                        void *aux);
void yl_delta_queue_drain(struct yl_delta_queue *, yl_delta_batch_fn *,
                          void *aux);

/* Has the first replacement been applied?  As in client-go, a queue into which
 * a single change is put before any list counts as synced. */
bool yl_delta_queue_has_synced(const struct yl_delta_queue *);

/* How much is waiting: changes, bookmarks, resyncs, and the items of complete
 * lists. */
size_t yl_delta_queue_length(const struct yl_delta_queue *);

/* The revision of the last batch that came out; 0 before the first. */
uint64_t yl_delta_queue_revision(const struct yl_delta_queue *);

YL_C_END

#endif /* yuloh/delta.h */
