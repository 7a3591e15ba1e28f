#ifndef YL_REFLECTOR_H
#define YL_REFLECTOR_H 1

/* Reflector: keeps up with what a lister-watcher has, by listing and watching.
 *
 *     lister-watcher -> [reflector] -> delta queue
 *
 *            run               last page, or the end of the stream
 *     IDLE -------> STREAMING/LISTING ----------------------> WATCHING
 *                       ^   |  failed                          |   ^
 *                       |   v                            ended |   | resumed
 *                       +-- WAITING <--------------------------+---+
 *
 * A pure state machine: it has no sockets, no threads and no clock of its own.
 * Whoever drives it calls yl_reflector_run() with the time when
 * yl_reflector_next() says so, and when the 'wake' function of its options was
 * called; afterwards it drains the delta queue.
 *
 * Guarantees
 * ==========
 *
 *   - Nothing is missed.  When the source stands still and can be reached, the
 *     consumer's state becomes equal to the source's, whatever failed before.
 *
 *   - Nothing comes twice.  A watch that ends is resumed behind the last
 *     revision that was seen, without a list.
 *
 *   - A list is complete or not there.  A page that fails or expires, or a
 *     stream that breaks off, leaves the consumer's state as it was.
 *
 *   - Gentle.  The first list comes as a stream (sendInitialEvents), which
 *     costs the server the least, or if the server refuses that in pages from
 *     its cache (revision "0").  Later lists ask for what is not older than
 *     the last revision seen.  Only if the server cannot give that (410, or
 *     "too large resource version") is it asked for the newest state.
 *
 *   - Patient.  Failed lists and failed watches have delays of their own, from
 *     0.8 s to 30 s plus chance; a delay that the server names is kept.
 *     429, an unreachable server and a watch that ends at once do not cost a
 *     new list.
 *
 *   - Never stuck.  Each watch has a random time limit of 5 to 10 minutes,
 *     after which the server ends it.  A watch that lasts longer, or a list
 *     that brings nothing for a minute, counts as broken.
 *
 * Ownership
 * =========
 *
 * The lister-watcher and the queue are lent and must outlive the reflector.
 *
 * Threads
 * =======
 *
 * A reflector belongs to the thread of its lister-watcher.
 *
 * Usage
 * =====
 *
 *     struct yl_reflector *reflector
 *         = yl_reflector_new(&(struct yl_reflector_opts) {
 *             .lister_watcher = lw, .deltas = queue, .wake = turn_again,
 *           });
 *     for (;;) {
 *         yl_reflector_run(reflector, yl_now(clock));
 *         yl_delta_queue_drain(queue, apply, store);
 *         ... let the lister-watcher's loop turn until 'turn_again' was
 *             called, or until yl_reflector_next(reflector) ...
 *     } */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"

YL_C_BEGIN

struct yl_delta_queue;
struct yl_lister_watcher;
struct yl_reflector;

enum yl_reflector_state {
    YL_REFLECTOR_IDLE,          /* Not started yet. */
    YL_REFLECTOR_STREAMING,     /* The list comes as the start of a watch. */
    YL_REFLECTOR_LISTING,
    YL_REFLECTOR_WATCHING,
    YL_REFLECTOR_WAITING,       /* Something failed; the next try is later. */
    YL_REFLECTOR_STOPPED,
};

/* Zero means the default. */
struct yl_reflector_opts {
    struct yl_lister_watcher *lister_watcher;   /* Needed. */
    struct yl_delta_queue *deltas;  /* Needed. */
    const char *name;           /* For the trace and logs ["reflector"];
                                 * copied. */

    /* There is something to do: call yl_reflector_run(), then drain the queue.
     * Called from the lister-watcher's sinks, at most once between two runs.
     * It must not call the reflector. */
    void (*wake)(void *aux);
    void *wake_aux;

    int64_t page_size;          /* Items on a page [500].  If it is set, lists
                                 * from a revision have pages, too. */
    bool no_stream;             /* List in pages without trying a stream. */
    yl_msec watch_timeout_min;  /* [5 minutes] */
    yl_msec watch_timeout_max;  /* [twice the minimum] */
    yl_msec watch_slack;        /* How much longer than its time limit a silent
                                 * watch may last [30 s]. */
    yl_msec list_stall;         /* How long a list may bring nothing [60 s]. */
    yl_msec backoff_min;        /* [0.8 s] */
    yl_msec backoff_max;        /* [30 s] */
    yl_msec backoff_reset;      /* Time without a failure after which delays
                                 * start from the minimum [2 minutes]. */
    yl_msec internal_error_retry;   /* For how long a watch that fails with an
                                 * internal error is tried again before a new
                                 * list is made [0: not at all]. */
    uint64_t seed;              /* Of chance [random]. */

    /* Something failed; the reflector goes on by itself.  For logs and
     * counters.  It must not call the reflector. */
    void (*error)(void *aux, const struct yl_error *);
    void *error_aux;

    /* The machine entered a state. */
    void (*trace)(void *aux, const char *name, enum yl_reflector_state,
                  uint64_t revision);
    void *trace_aux;
};

struct yl_reflector *yl_reflector_new(const struct yl_reflector_opts *);

/* Stops it first. */
void yl_reflector_free(struct yl_reflector *);

/* Does what is due at 'now', which never goes back.  The first call starts. */
void yl_reflector_run(struct yl_reflector *, yl_msec now);

/* When to call yl_reflector_run() again, if 'wake' is not called before:
 * YL_NEVER, or a time that may be past. */
yl_msec yl_reflector_next(const struct yl_reflector *);

/* Ends the call under way and gives up a list that is not complete.  What is
 * in the queue stays there.  A stopped reflector cannot be started again. */
void yl_reflector_stop(struct yl_reflector *);

/* Facts, for status pages, metrics and tests. */
struct yl_reflector_facts {
    enum yl_reflector_state state;
    uint64_t revision;          /* The last one seen; 0 before the first. */
    uint64_t n_lists;           /* Lists begun, streams included. */
    uint64_t n_streams;         /* Streamed lists begun. */
    uint64_t n_pages;           /* List calls. */
    uint64_t n_watches;         /* Watches begun, without streams. */
    uint64_t n_short_watches;   /* Watches that ended within a second and
                                 * without an event. */
    uint64_t n_events;          /* Events of watches. */
    uint64_t n_errors;
    int last_error;             /* Its code; 0 if there was none. */
    const char *last_message;   /* Lent until the next call of the reflector;
                                 * "" if there was no error. */
    yl_msec next_try;           /* If WAITING: when. */
};

void yl_reflector_facts(const struct yl_reflector *,
                        struct yl_reflector_facts *ret_facts);

/* "watching" and so on. */
const char *yl_reflector_state_name(enum yl_reflector_state);

YL_C_END

#endif /* yuloh/reflector.h */
