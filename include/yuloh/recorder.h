#ifndef YL_RECORDER_H
#define YL_RECORDER_H 1

/* Recorder: Events, which tell people what a controller did to an object.
 *
 *     reconcile -> [recorder] -> log
 *                             -> correlator -> API server (own thread)
 *
 * `kubectl describe` shows the Events of an object.  They are for people: they
 * may be counted together, left out when there are too many, and lost when the
 * server is away.  Nothing may depend on them.
 *
 * Guarantees
 * ==========
 *
 *   - Recording never blocks and never fails.  An event waits in a queue of
 *     bounded length; when that is full, it is dropped and counted.
 *
 *   - Equal events are one Event whose count grows (by a PATCH).
 *
 *   - Ten similar events (same object, type, reason and source, other
 *     messages) within ten minutes are combined into one whose message begins
 *     with "(combined from similar events): ".
 *
 *   - One object cannot flood: of each object, 25 events of a source are sent
 *     at once and then one in five minutes.
 *
 *   - Events are sent in the order in which they were recorded.  One that
 *     cannot be sent because the server is away is tried again, 12 times
 *     about every 10 s; one that the server refuses is dropped.
 *
 *   - Memory is bounded: the correlator remembers the 4,096 objects, and
 *     events, that were used last.
 *
 * The numbers are client-go's.
 *
 * Ownership
 * =========
 *
 * What is given to a call is copied.  A recorder is counted; the client
 * and the clock are lent and must outlive it.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.  A recorder has one thread of
 * its own, which sends.
 *
 * Usage
 * =====
 *
 *     struct yl_recorder *recorder = yl_recorder_new(
 *         &(struct yl_recorder_opts) {
 *             .client = client, .component = "network-controller",
 *         });
 *     yl_recorder_eventf(recorder, &subject, "Normal", "Created",
 *                        "bridge %s", name);
 *     yl_recorder_flush(recorder, 1000);
 *     yl_recorder_unref(recorder); */

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/object.h"

YL_C_BEGIN

struct yl_cancel;
struct yl_client;
struct yl_recorder;

/* What an event is about: upstream's ObjectReference. */
struct yl_event_subject {
    struct yl_str api_version;
    struct yl_str kind;
    struct yl_key key;
    struct yl_str uid;
    uint64_t revision;          /* 0: not told. */
    struct yl_str field_path;   /* "spec.containers{web}"; mostly empty. */
};

/* The subject that 'object' is; its slices are the object's. */
struct yl_event_subject yl_event_subject_of(struct yl_type_meta,
                                            struct yl_versioned object);

/* Where Events go.  The default is an API server; a test may have others.  The
 * functions may block until 'cancel' is set, and return what
 * yl_client_create() and yl_client_patch() do. */
struct yl_event_sink {
    int (*create)(void *aux, const struct yl_key *event, struct yl_str json,
                  struct yl_cancel *cancel, struct yl_versioned *ret,
                  struct yl_error *err);
    int (*patch)(void *aux, const struct yl_key *event, struct yl_str patch,
                 struct yl_cancel *cancel, struct yl_versioned *ret,
                 struct yl_error *err);
};

/* Zero means the default. */
struct yl_recorder_opts {
    struct yl_client *client;   /* [none: events go into the log only] */
    const struct yl_event_sink *sink;   /* In place of the client. */
    void *sink_aux;

    const char *component;      /* source.component ["yuloh"]; copied. */
    const char *host;           /* source.host [none]; copied. */
    bool no_log;                /* Do not log events. */
    size_t max_queue;           /* Events that wait to be sent [1000]. */

    int max_similar;            /* Similar events before they are combined
                                 * [10]. */
    yl_msec similar_within;     /* [10 minutes] */
    int burst;                  /* Events of an object at once [25]. */
    yl_msec refill;             /* Time until it may have one more [300 s]. */
    int max_tries;              /* To send an event [12]. */
    yl_msec retry_delay;        /* [10 s; the first one is random and less] */

    struct yl_clock *clock;     /* [monotonic] */
};

/* Starts the thread.  NULL if the system has no thread to give. */
struct yl_recorder *yl_recorder_new(const struct yl_recorder_opts *);
struct yl_recorder *yl_recorder_ref(struct yl_recorder *);

/* The last one drops what is not sent yet, ends a call under way, and waits
 * for the thread to end.  Call yl_recorder_flush() before. */
struct yl_recorder *yl_recorder_unref(struct yl_recorder *);

/* Records an event.  'type' is "Normal" or "Warning" (others are dropped, with
 * an error in the log); 'reason' is a word in CamelCase; 'message' is for
 * people, at most 1,024 bytes (more is cut).  A NULL recorder does nothing. */
void yl_recorder_event(struct yl_recorder *, const struct yl_event_subject *,
                       const char *type, const char *reason,
                       struct yl_str message);
void yl_recorder_eventf(struct yl_recorder *, const struct yl_event_subject *,
                        const char *type, const char *reason,
                        const char *format, ...) YL_PRINTF(5, 6);
void yl_recorder_veventf(struct yl_recorder *, const struct yl_event_subject *,
                         const char *type, const char *reason,
                         const char *format, va_list) YL_PRINTF(5, 0);

/* Waits until everything that was recorded before has been sent or given up,
 * but no longer than 'timeout'.  True if so. */
bool yl_recorder_flush(struct yl_recorder *, yl_msec timeout);

/* Facts. */
struct yl_recorder_facts {
    uint64_t n_recorded;        /* Calls of yl_recorder_event(). */
    uint64_t n_created;         /* Events that the server has taken. */
    uint64_t n_patched;         /* Of those, how often one was counted up. */
    uint64_t n_filtered;        /* Held back: too many of one object. */
    uint64_t n_dropped;         /* Lost: the queue was full, the type was
                                 * wrong, or the server refused. */
    size_t n_waiting;
};

void yl_recorder_facts(struct yl_recorder *, struct yl_recorder_facts *ret);

YL_C_END

#endif /* yuloh/recorder.h */
