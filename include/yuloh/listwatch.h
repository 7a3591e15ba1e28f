#ifndef YL_LISTWATCH_H
#define YL_LISTWATCH_H 1

/* Lister-watcher: where a reflector gets its objects from.
 *
 *     API server, or a test's array -> [lister-watcher] -> reflector
 *
 * An interface and no sockets: whoever can list objects and watch them change
 * fills in a struct of functions.  A list or a watch is a call that is started
 * and then reports to a sink, item by item, until it is done or stopped.
 *
 * Guarantees
 * ==========
 *
 *   - If starting a call fails, its sink is never called.  Otherwise 'done'
 *     is called exactly once, last, unless the call is stopped first; after
 *     yl_lister_watcher_stop() nothing is called any more.
 *
 *   - A sink is never called from inside the function that starts or stops a
 *     call, so a state machine may do either at any moment, from a sink too.
 *
 *   - Options that make no sense are refused before a call starts, by the same
 *     rules for every lister-watcher.  What only the other side can know
 *     (that a revision is too old, say) comes either way: starting fails, or
 *     'done' says it; a watch may also have an ERROR event and then end.
 *
 *   - All pages of a list show the objects as of one revision.  A watch from
 *     that revision on continues it: no change is missed, none comes twice.
 *
 *   - Reading a watch frame is safe on any bytes.
 *
 * Ownership
 * =========
 *
 * Objects that a list's sink receives are the sink's; events are lent.  They
 * may be shared with others (a server in the same process), as all blocks are.
 * Their revision stands beside them: the block's own may be another, or none.
 * A call belongs to the lister-watcher and is gone when it is done or
 * stopped.
 *
 * Threads
 * =======
 *
 * A lister-watcher belongs to one thread, its loop's, on which its sinks are
 * called.
 *
 * Usage
 * =====
 *
 *     static const struct yl_watch_sink sink = { on_event, on_done };
 *     struct yl_lister_watcher_call *call;
 *     int r = yl_lister_watcher_watch(lw, &(struct yl_list_options) {
 *         .resource_version = version,
 *     }, &sink, self, &call, err);
 *     ...
 *     yl_lister_watcher_stop(lw, call); */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/object_list.h"
#include "yuloh/str.h"

YL_C_BEGIN

/* Options
 * ======= */

enum yl_version_match {
    YL_MATCH_UNSET,
    YL_MATCH_EXACT,             /* "Exact" */
    YL_MATCH_NOT_OLDER_THAN,    /* "NotOlderThan" */
};

/* What to list or watch: upstream's ListOptions.  Zeros mean everything. */
struct yl_list_options {
    /* Which state: "" is the newest, "0" any that is at hand, and of a list a
     * revision one that is not older, or with Exact, or with a limit, that
     * very one.  A watch from a revision tells what came after it; one from ""
     * or "0" starts with the objects that are there. */
    struct yl_str resource_version;
    enum yl_version_match resource_version_match;   /* Of a list. */
    int64_t limit;              /* Items on a page [all].  With "0" it may be
                                 * passed over. */
    struct yl_str continue_;    /* Where the page starts: what the page before
                                 * has said. */
    int64_t timeout_seconds;    /* When the server ends a watch. */
    struct yl_str label_selector;
    struct yl_str field_selector;

    /* Of a watch only. */
    bool allow_watch_bookmarks;
    bool send_initial_events;   /* Start with the objects that are there, not
                                 * older than the revision, and a bookmark
                                 * behind them if those are allowed. */
};

/* Do the options make sense together, for a watch or a list?  Reads their
 * revision, 0 for "" and "0".  Returns 0 or YL_EINVALID.  Whoever starts a
 * call need not ask: that does it. */
int yl_list_options_check(const struct yl_list_options *, bool watch,
                          uint64_t *ret_revision, struct yl_error *err);

/* Events
 * ====== */

enum yl_watch_type {
    YL_WATCH_ADDED,
    YL_WATCH_MODIFIED,
    YL_WATCH_DELETED,
    YL_WATCH_BOOKMARK,          /* Only says how far the watch has come. */
    YL_WATCH_ERROR,
};

struct yl_watch_event {
    enum yl_watch_type type;
    struct yl_object *object;   /* What was added, modified or deleted; NULL
                                 * for the others. */
    uint64_t revision;          /* Of the object (of a deleted one: that of its
                                 * deletion) or bookmark. */
    bool initial_events_end;    /* Of a bookmark: was everything sent that was
                                 * there when the watch began? */
    struct yl_error error;      /* Of an ERROR. */
};

/* "ADDED" and so on. */
const char *yl_watch_type_name(enum yl_watch_type);

/* Reads one frame of a watch, {"type":"ADDED","object":{...}}.  The members
 * may stand in any order; others are passed over.  'opts' are those for the
 * object, and may be NULL.  Returns 0, also for a frame that is an ERROR, or
 * YL_EINVALID for an unknown type, or the errors of yl_object_ingest() and
 * yl_status_parse(). */
int yl_watch_event_parse(struct yl_str frame,
                         const struct yl_object_opts *opts,
                         struct yl_watch_event *ret_event,
                         struct yl_error *err);

/* Lets go what the event holds. */
void yl_watch_event_clear(struct yl_watch_event *);

/* The interface
 * ============= */

struct yl_lister_watcher;
struct yl_lister_watcher_call;  /* Whatever the implementation makes of it. */

struct yl_list_sink {
    /* Receives an item, whose object is the callee's from then on. */
    void (*item)(void *aux, struct yl_versioned item);

    /* The list is complete ('err' is NULL; 'meta' is lent), or failed. */
    void (*done)(void *aux, const struct yl_list_page *meta,
                 const struct yl_error *err);
};

struct yl_watch_sink {
    /* Receives an event, which is lent; to keep its object take it out and
     * leave NULL. */
    void (*event)(void *aux, struct yl_watch_event *);

    /* The watch has ended, as all do ('err' is NULL), or broke. */
    void (*done)(void *aux, const struct yl_error *err);
};

/* What an implementation fills in; it embeds this struct in its own.  A call
 * that is done is gone: stop() is for those that are not. */
struct yl_lister_watcher {
    int (*list)(struct yl_lister_watcher *, const struct yl_list_options *,
                const struct yl_list_sink *, void *aux,
                struct yl_lister_watcher_call **ret_call, struct yl_error *);
    int (*watch)(struct yl_lister_watcher *, const struct yl_list_options *,
                 const struct yl_watch_sink *, void *aux,
                 struct yl_lister_watcher_call **ret_call, struct yl_error *);
    void (*stop)(struct yl_lister_watcher *, struct yl_lister_watcher_call *);
};

/* Start and stop.  Options are borrowed for the call, the sink (a constant)
 * and 'aux' until the end.  'options' may be NULL.  Errors are YL_EINVALID for
 * options, and those of the implementation. */
int yl_lister_watcher_list(struct yl_lister_watcher *,
                           const struct yl_list_options *options,
                           const struct yl_list_sink *, void *aux,
                           struct yl_lister_watcher_call **ret_call,
                           struct yl_error *err);
int yl_lister_watcher_watch(struct yl_lister_watcher *,
                            const struct yl_list_options *options,
                            const struct yl_watch_sink *, void *aux,
                            struct yl_lister_watcher_call **ret_call,
                            struct yl_error *err);
void yl_lister_watcher_stop(struct yl_lister_watcher *,
                            struct yl_lister_watcher_call *);

YL_C_END

#endif /* yuloh/listwatch.h */
