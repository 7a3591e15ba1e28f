#ifndef APISERVER_KEYSPACE_HISTORY_H
#define APISERVER_KEYSPACE_HISTORY_H 1

/* History: how far back the past is kept, by age, by bytes, and by pins of
 * readers.
 *
 * The writer notes what it publishes; revisions of about the same time share a
 * bucket.  Buckets that are too old, or too many bytes, are dropped from the
 * front, up to the oldest pin: that raises 'compacted', the revision below
 * which nothing can be read any more.  To read the past, a reader pins a
 * revision until a deadline.
 *
 * Guarantees
 * ==========
 *
 *   - A revision that was pinned successfully is not below 'compacted' before
 *     the pin's deadline has passed or it is unpinned.
 *
 * Threads
 * =======
 *
 * yl_ks_history_note() and yl_ks_history_advance() are the writer's alone;
 * everything else may be called from any thread. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/thread.h"
#include "yuloh/clock.h"

struct yl_ks_bucket;

struct yl_ks_pin {
    struct yl_list node;        /* In yl_ks_history's 'pins'. */
    uint64_t revision;
    yl_msec deadline;
};

struct yl_ks_history {
    yl_msec age;
    size_t max_bytes;

    struct yl_mutex lock;       /* Innermost: nothing is taken under it. */
    struct yl_list pins YL_GUARDED;
    _Atomic uint64_t compacted; /* Raised under the lock. */

    /* Used by the writer only. */
    struct yl_list buckets;     /* Oldest first. */
    size_t bytes;               /* In all buckets. */
};

void yl_ks_history_init(struct yl_ks_history *, yl_msec age,
                        size_t max_bytes);
void yl_ks_history_release(struct yl_ks_history *);

/* Sets the revision up to which storage has dropped history already. */
void yl_ks_history_start(struct yl_ks_history *, uint64_t compacted);

/* Pins 'revision', or the one in 'newest' if it is 0.  0 or YL_EEXPIRED. */
int yl_ks_history_pin(struct yl_ks_history *, struct yl_ks_pin *,
                      uint64_t revision, const _Atomic uint64_t *newest,
                      yl_msec deadline);
void yl_ks_history_unpin(struct yl_ks_history *, struct yl_ks_pin *);

static inline uint64_t
yl_ks_history_compacted(struct yl_ks_history *history)
{
    return atomic_load_explicit(&history->compacted, memory_order_acquire);
}

/* Notes that everything up to 'revision' is published, which made 'bytes' of
 * history. */
void yl_ks_history_note(struct yl_ks_history *, yl_msec now,
                        uint64_t revision, size_t bytes);

/* Drops what is too old or too much, and returns up to which revision.
 * '*ret_when' is the time of the next call that can drop more: YL_NEVER if
 * none can before a new note. */
uint64_t yl_ks_history_advance(struct yl_ks_history *, yl_msec now,
                               yl_msec *ret_when);

#endif /* apiserver/keyspace/history.h */
