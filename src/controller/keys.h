#ifndef CONTROLLER_KEYS_H
#define CONTROLLER_KEYS_H 1

/* Keys: what a controller knows of its keys beyond what its work queue knows.
 *
 *     event --> note --> [keys] --> take --> reconcile --> done --> [keys]
 *                          ^
 *     event of any watched object: seen up to this revision
 *
 * For each key: why it was asked for, which writes of its last reconcile the
 * caches have not shown yet, and how that reconcile ended if it failed.
 *
 * Guarantees
 * ==========
 *
 *   - A reason is kept until the key is really worked on.  Of several the
 *     first is told, and how many more there were.
 *
 *   - A key whose writes are not seen is not taken before they are or its time
 *     is over.  No wake-up is lost: either yl_keys_take() sees a write or a
 *     later yl_keys_seen() wakes the key.
 *
 *   - A key about which there is nothing to remember takes no memory.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.  The functions that are passed
 * in are called with the lock held and may take those of stores and work
 * queues, nothing else. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/clock.h"
#include "yuloh/key.h"
#include "yuloh/str.h"

struct yl_arena;

enum yl_reason_type {
    YL_REASON_NONE,             /* Somebody put the key into the queue. */
    YL_REASON_LISTED,           /* The object was in the first list. */
    YL_REASON_ADDED,
    YL_REASON_MODIFIED,
    YL_REASON_DELETED,
    YL_REASON_RESYNC,
    YL_REASON_RETRY,            /* The last reconcile failed. */
    YL_REASON_REQUEUE,          /* The last reconcile asked for it. */
};

/* Why a key is worked on. */
struct yl_reason {
    enum yl_reason_type type;
    const char *kind;           /* Of the object; a constant. */
    struct yl_key object;       /* What the event was about. */
    uint64_t revision;
};

/* What a cache must show before a key comes out again. */
struct yl_await {
    unsigned source;            /* Which of the controller's watches. */
    struct yl_key object;
    uint64_t revision;          /* Of the write.  0: the object with 'uid' must
                                 * be gone. */
    struct yl_str uid;
    bool of_object;             /* The object itself must have the revision;
                                 * that the cache has come so far is not
                                 * enough. */
};

/* Does the cache show it? */
typedef bool yl_await_fn(void *aux, const struct yl_await *);

/* Receives a key that may come out now. */
typedef void yl_wake_fn(void *aux, const struct yl_key *);

struct yl_keys {
    struct yl_mutex lock;
    struct yl_map entries YL_GUARDED;       /* By key. */
    struct yl_heap *waiting YL_GUARDED;     /* Of each source: the entries that
                                             * wait for it, by revision. */
    unsigned n_sources;
    size_t n_parked YL_GUARDED;             /* Entries in those heaps. */
};

void yl_keys_init(struct yl_keys *, unsigned n_sources);
void yl_keys_release(struct yl_keys *);

/* Remembers why 'key' is asked for.  The caller then puts it into the
 * queue. */
void yl_keys_note(struct yl_keys *, const struct yl_key *key,
                  const struct yl_reason *reason);

/* The cache of 'source' shows everything up to 'revision': wakes the keys that
 * wait for no more. */
void yl_keys_seen(struct yl_keys *, unsigned source, uint64_t revision,
                  yl_wake_fn *wake, void *aux);

struct yl_taken {
    const char *reason;         /* One line, in the arena. */
    yl_msec until;              /* If it must wait: at most until then. */
    bool gave_up;               /* Writes were not seen in time. */
    unsigned n_failures;        /* Since it last succeeded. */
};

/* A worker has the key: true if it may work on it.  Else the key waits: the
 * worker gives it back and asks for it again at 'ret->until'. */
bool yl_keys_take(struct yl_keys *, const struct yl_key *key, yl_msec now,
                  yl_await_fn *is_seen, void *aux, struct yl_arena *arena,
                  struct yl_taken *ret);

/* How a reconcile ended. */
struct yl_outcome {
    int code;                   /* 0 or YL_E... */
    const char *message;        /* Of an error. */
    const struct yl_await *awaits;      /* What to wait for. */
    size_t n_awaits;
    yl_msec await_until;        /* How long at most. */
    enum yl_reason_type again;  /* Why it will come out again; YL_REASON_NONE
                                 * if it will not by itself. */
    yl_msec now;
};

void yl_keys_done(struct yl_keys *, const struct yl_key *key,
                  const struct yl_outcome *);

/* How many keys wait for their own writes. */
size_t yl_keys_n_parked(struct yl_keys *);

/* Does no key wait for its own writes, and is the queue idle, which
 * 'is_queue_idle' tells?  Asked one after the other, both could be true of a
 * key that was woken in between. */
typedef bool yl_idle_fn(void *aux);
bool yl_keys_are_idle(struct yl_keys *, yl_idle_fn *is_queue_idle, void *aux);

/* For the status page. */
struct yl_key_status {
    const struct yl_key *key;
    const char *error;          /* Of its last reconcile; NULL if none. */
    int code;
    yl_msec failed_at;
    unsigned n_failures;        /* In a row. */
    const struct yl_await *await;       /* What it waits for; NULL: nothing. */
};

/* Copies at most 'max' entries that failed or wait to 'arena'. */
size_t yl_keys_snapshot(struct yl_keys *, size_t max, struct yl_arena *arena,
                        const struct yl_key_status **ret_entries);

#endif /* controller/keys.h */
