#ifndef INFORMER_INFORMER_PARTS_H
#define INFORMER_INFORMER_PARTS_H 1

/* What the files of the informer share.  See yuloh/informer.h for the
 * contract. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/list.h"
#include "base/ref.h"
#include "base/thread.h"
#include "informer/informer_metrics.h"
#include "informer/note.h"
#include "store/store_parts.h"
#include "yuloh/informer.h"
#include "yuloh/loop.h"

enum yl_informer_life {
    YL_INFORMER_NEW,
    YL_INFORMER_STARTED,
    YL_INFORMER_STOPPED,
};

struct yl_informer {
    struct yl_informer_opts opts;   /* 'name' is a copy. */
    struct yl_store *store;

    /* Of the loop's thread. */
    struct yl_delta_queue *deltas;
    struct yl_reflector *reflector; /* NULL until it starts. */
    struct yl_loop_timer timer; /* When to turn again. */
    struct yl_arena scratch;    /* For one batch. */
    size_t n_replaced;          /* Items of the lists of this turn. */
    struct yl_informer_metrics metrics;

    struct yl_mutex lock;       /* After the store's, if both are held. */
    struct yl_cond told;        /* There are notes to read, or a handler is to
                                 * end. */
    struct yl_cond idle;        /* An inline handler has returned. */
    enum yl_informer_life life YL_GUARDED;
    struct yl_note *tail YL_GUARDED;
    struct yl_list handlers YL_GUARDED;
    struct yl_list leaving YL_GUARDED;     /* Handlers that removed
                                 * themselves; their threads are to be
                                 * joined. */
    size_t n_threads YL_GUARDED;   /* Handlers that read notes. */
    struct yl_list waiters YL_GUARDED;     /* For the sync: struct
                                                     * yl_sync_waiter. */
    bool synced YL_GUARDED;
    bool telling YL_GUARDED;    /* The store has a batch that inline handlers
                                 * have not heard of yet. */
    struct yl_reflector_facts facts YL_GUARDED;    /* Without
                                 * 'last_message'. */
    char *last_error YL_GUARDED;   /* Since the last success, or
                                             * NULL. */
    _Atomic uint64_t revision;
    _Atomic bool stopped;       /* The same as in 'life', for handlers. */
};

struct yl_handler_registration {
    struct yl_ref ref;          /* Its informer's, and that of a task. */
    struct yl_informer *informer;
    const struct yl_handler *handler;
    void *aux;
    char *name;
    bool is_inline;
    yl_msec resync;             /* 0: never. */
    struct yl_list node;        /* In its informer's 'handlers' or
                                 * 'leaving'. */
    _Atomic bool removed;
    _Atomic bool synced;

    /* Guarded by the informer's lock. */
    yl_msec next_resync;
    bool resyncing;             /* Has a resync that it has not read. */
    bool waiting;               /* Its thread has read everything. */
    bool joined;                /* Inline: has it heard what was there? */
    bool calling;               /* It runs now, inline ... */
    pthread_t caller;           /* ... on this thread. */

    /* Of one that has a thread. */
    struct yl_thread thread;
    struct yl_note *cursor;     /* Its thread's. */

    /* Of an inline one that came late: joins on the loop. */
    struct yl_loop_task joining;
};

/* Somebody who waits until informers have synced. */
struct yl_sync_waiter {
    struct yl_list node;        /* In yl_informer's 'waiters'. */
    int fd;                     /* An eventfd to write to. */
};

/* informer.c: turns soon, for what another file has changed.  On the loop. */
void yl_informer_turn_soon(struct yl_informer *);

/* handler.c: tells inline handlers what the writes of a batch have changed,
 * and that everything up to 'revision' was told.  On the loop. */
struct yl_informer_batch {
    const struct yl_candidate *candidates;
    const struct yl_delta *const *deltas;   /* One for each of them. */
    size_t n;
    bool synced;                /* Was it the first list? */
    uint64_t revision;
};
void yl_handlers_tell_inline(struct yl_informer *,
                             const struct yl_informer_batch *);

/* Writes the notes of a batch, for handlers with threads. */
void yl_handlers_note(struct yl_informer *informer,
                      const struct yl_informer_batch *)
    YL_REQUIRES(informer->lock);

/* Does the resyncs that are due, and says when the next is. */
yl_msec yl_handlers_resync(struct yl_informer *, yl_msec now);

/* Ends all handlers. */
void yl_handlers_remove_all(struct yl_informer *);

/* wait.c: wakes those who wait for a sync. */
void yl_informer_wake_waiters(struct yl_informer *informer)
    YL_REQUIRES(informer->lock);

/* What a change is for a handler: ADDED, UPDATED, DELETED, or -1 if it is
 * none. */
static inline int
yl_informer_change(const struct yl_candidate *candidate)
{
    return candidate->is_deletion ? candidate->old.object ? YL_DELTA_DELETED
                                                          : -1
           : candidate->old.object ? YL_DELTA_UPDATED : YL_DELTA_ADDED;
}

#endif /* informer/informer_parts.h */
