#ifndef REFLECTOR_MACHINE_H
#define REFLECTOR_MACHINE_H 1

/* The reflector's state, and the seams between its three files.
 *
 *     reflector.c         the states, delays and reports
 *     reflector_list.c    lists in pages
 *     reflector_watch.c   watches, and lists that start one
 *
 * At most one call of the lister-watcher is under way.  Its sinks put objects
 * into the delta queue and note how the call ended; they start nothing and
 * know no time.  What follows from the end of a call is decided in
 * yl_reflector_run(), by one of the three functions that are named ..._ended
 * below. */

#include <inttypes.h>
#include <stdio.h>

#include "base/backoff.h"
#include "yuloh/listwatch.h"
#include "yuloh/reflector.h"

#define YL_SECOND ((yl_msec) 1000)
#define YL_MINUTE (60 * YL_SECOND)

/* How a call ended. */
struct yl_reflector_end {
    bool is;                    /* Has it ended? */
    struct yl_error err;        /* Its code is 0 if it ended normally. */
    bool expired;               /* Was it a 410? */
    bool too_large;             /* "Too large resource version"? */
    bool network;               /* Did the connection fail, and not the
                                 * request? */
};

struct yl_reflector {
    struct yl_reflector_opts opts;  /* Defaults filled in. */
    char *name;
    struct yl_reflector_facts facts;    /* The state and the revision are kept
                                         * here, too. */
    char *last_message;         /* Of 'facts'. */
    struct yl_backoff list_backoff, watch_backoff;
    uint64_t chance;
    bool woken;                 /* Was 'wake' called since the last run? */

    /* The call under way, or the delay. */
    struct yl_lister_watcher_call *call;    /* NULL when it is done. */
    struct yl_reflector_end end;
    yl_msec started;            /* When it was started. */
    yl_msec limit;              /* How long it may be silent. */
    yl_msec deadline;           /* When to look whether it was, or when to try
                                 * again. */
    bool heard;                 /* Has it said anything since 'deadline' was
                                 * set? */
    bool watch_next;            /* If WAITING: is a watch to be resumed? */

    /* The list. */
    bool cut;                   /* Has a stream of this list just ended? */
    bool unavailable;           /* Was the last revision refused?  Then list
                                 * the newest state. */
    bool paginated;             /* Does the server page lists from "0"? */
    bool whole;                 /* Has a page expired?  Then do without. */
    char *continue_;            /* Where the next page starts, or NULL. */
    bool page_fetched;          /* Was the last page a continued one? */
    uint64_t list_revision;     /* Of its first page. */

    /* The watch. */
    uint64_t n_news;            /* Events that say something new. */
    bool in_order;              /* Is it past the objects that are there at the
                                 * start, which come in any order? */
    yl_msec watch_limit;        /* 'limit', once a stream is a watch. */
    yl_msec internal_since;     /* First of the internal errors in a row, or
                                 * YL_NEVER. */
};

/* Starting calls: a list, which is a stream or a first page; a page; a
 * watch. */
void yl_reflector_start_stream(struct yl_reflector *, yl_msec now);
void yl_reflector_start_page(struct yl_reflector *, yl_msec now);
void yl_reflector_start_watch(struct yl_reflector *, yl_msec now);

/* Notes that a call is being started, which may be silent for 'limit'. */
void yl_reflector_call_started(struct yl_reflector *, enum yl_reflector_state,
                               yl_msec now, yl_msec limit);

/* What follows when one has ended. */
void yl_reflector_stream_ended(struct yl_reflector *, yl_msec now);
void yl_reflector_list_ended(struct yl_reflector *, yl_msec now);
void yl_reflector_watch_ended(struct yl_reflector *, yl_msec now);
void yl_reflector_wait_before_list(struct yl_reflector *, yl_msec now);
void yl_reflector_wait_before_watch(struct yl_reflector *, yl_msec now);

/* For sinks.  The end of a call is noted once: an ERROR event says more than
 * the end of the watch that follows it. */
void yl_reflector_end_call(struct yl_reflector *, const struct yl_error *);
void yl_reflector_enter(struct yl_reflector *, enum yl_reflector_state);
void yl_reflector_wake(struct yl_reflector *);
void yl_reflector_report(struct yl_reflector *, const struct yl_error *);

/* A revision as text. */
struct yl_reflector_version {
    char text[24];
};

static inline struct yl_str
yl_reflector_version(uint64_t revision, struct yl_reflector_version *version)
{
    snprintf(version->text, sizeof version->text, "%" PRIu64, revision);
    return yl_str_c(version->text);
}

#endif /* reflector/machine.h */
