/* Reflector.  See yuloh/reflector.h for the contract.
 *
 * At most one call of the lister-watcher is under way.  Its sinks put objects
 * into the delta queue and note how the call ended; they start nothing and
 * know no time.  What follows from the end of a call is decided in
 * yl_reflector_run(), in one of three functions: stream_ended(),
 * list_ended() and watch_ended().  What client-go does in each case is said
 * there, and where this differs. */

#include "yuloh/reflector.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/backoff.h"
#include "base/random.h"
#include "yuloh/delta.h"
#include "yuloh/listwatch.h"

#define SECOND ((yl_msec) 1000)
#define MINUTE (60 * SECOND)

/* Page size of client-go's pager. */
#define PAGE_SIZE 500

/* A watch that ends sooner, without an event, is very short. */
#define SHORT_WATCH SECOND

/* The longest delay that a server can name. */
#define MAX_RETRY_AFTER (10 * MINUTE)

/* How a call ended. */
struct end {
    bool is;                    /* Has it ended? */
    struct yl_error err;        /* Its code is 0 if it ended normally. */
    bool too_large;             /* "Too large resource version"? */
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
    struct end end;
    yl_msec started;            /* When it was started. */
    yl_msec limit;              /* How long it may be silent. */
    yl_msec deadline;           /* When to look whether it was, or when to try
                                 * again. */
    bool heard;                 /* Has it said anything since 'deadline' was
                                 * set? */
    bool watch_next;            /* If WAITING: is a watch to be resumed? */

    /* The list. */
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

static bool step(struct yl_reflector *, yl_msec now);
static bool look(struct yl_reflector *, yl_msec now);
static void begin_list(struct yl_reflector *, yl_msec now);
static void start_stream(struct yl_reflector *, yl_msec now);
static void start_page(struct yl_reflector *, yl_msec now);
static int64_t page_limit(const struct yl_reflector *);
static void start_watch(struct yl_reflector *, yl_msec now);
static int64_t watch_seconds(struct yl_reflector *);
static void started(struct yl_reflector *, enum yl_reflector_state,
                    yl_msec now, yl_msec limit);
static void stream_ended(struct yl_reflector *, yl_msec now);
static void list_ended(struct yl_reflector *, yl_msec now);
static void page_ended(struct yl_reflector *, yl_msec now);
static void watch_ended(struct yl_reflector *, yl_msec now);
static bool retry_internal(struct yl_reflector *, yl_msec now);
static void wait_before_list(struct yl_reflector *, yl_msec now);
static void wait_before_watch(struct yl_reflector *, yl_msec now);
static void wait_for(struct yl_reflector *, yl_msec now, yl_msec delay);
static void on_item(void *aux, struct yl_versioned);
static void on_page(void *aux, const struct yl_list_page *,
                    const struct yl_error *);
static void on_event(void *aux, struct yl_watch_event *);
static void on_change(struct yl_reflector *, struct yl_watch_event *);
static void on_bookmark(struct yl_reflector *, const struct yl_watch_event *);
static void on_watch_done(void *aux, const struct yl_error *);
static void end_call(struct yl_reflector *, const struct yl_error *);
static void stop_call(struct yl_reflector *);
static void enter(struct yl_reflector *, enum yl_reflector_state);
static void wake(struct yl_reflector *);
static void report(struct yl_reflector *, const struct yl_error *);
static bool is_too_large(const struct yl_error *);
static bool is_expired(int code);
static bool is_network(int code);
static yl_msec or_default(yl_msec value, yl_msec default_);

static const struct yl_list_sink list_sink = { on_item, on_page };
static const struct yl_watch_sink watch_sink = { on_event, on_watch_done };

/* Revision as text. */
struct version {
    char text[24];
};

static struct yl_str
version_of(uint64_t revision, struct version *version)
{
    snprintf(version->text, sizeof version->text, "%" PRIu64, revision);
    return yl_str_c(version->text);
}

struct yl_reflector *
yl_reflector_new(const struct yl_reflector_opts *opts)
{
    struct yl_reflector *r = yl_zalloc(sizeof *r);
    struct yl_reflector_opts *o = &r->opts;

    assert(opts->lister_watcher && opts->deltas);
    *o = *opts;
    r->name = yl_strdup(yl_str_c(o->name ? o->name : "reflector"));
    o->name = r->name;
    o->watch_timeout_min = or_default(o->watch_timeout_min, 5 * MINUTE);
    o->watch_timeout_max = or_default(o->watch_timeout_max,
                                      2 * o->watch_timeout_min);
    if (o->watch_timeout_max < o->watch_timeout_min) {
        o->watch_timeout_max = o->watch_timeout_min;
    }
    o->watch_slack = or_default(o->watch_slack, 30 * SECOND);
    o->list_stall = or_default(o->list_stall, MINUTE);
    o->backoff_min = or_default(o->backoff_min, 800);
    o->backoff_max = or_default(o->backoff_max, 30 * SECOND);
    o->backoff_reset = or_default(o->backoff_reset, 2 * MINUTE);
    r->chance = o->seed ? o->seed : yl_random_u64();
    yl_backoff_init(&r->list_backoff, o->backoff_min, o->backoff_max,
                    o->backoff_reset, r->chance + 1);
    yl_backoff_init(&r->watch_backoff, o->backoff_min, o->backoff_max,
                    o->backoff_reset, r->chance + 2);
    r->internal_since = YL_NEVER;
    return r;
}

void
yl_reflector_free(struct yl_reflector *r)
{
    if (!r) {
        return;
    }
    yl_reflector_stop(r);
    yl_error_clear(&r->end.err);
    free(r->continue_);
    free(r->last_message);
    free(r->name);
    free(r);
}

void
yl_reflector_run(struct yl_reflector *r, yl_msec now)
{
    r->woken = false;
    while (step(r, now)) {
        continue;
    }
}

yl_msec
yl_reflector_next(const struct yl_reflector *r)
{
    switch (r->facts.state) {
    case YL_REFLECTOR_IDLE:
        return 0;

    case YL_REFLECTOR_STOPPED:
        return YL_NEVER;

    default:
        return r->woken ? 0 : r->deadline;
    }
}

void
yl_reflector_stop(struct yl_reflector *r)
{
    if (r->facts.state == YL_REFLECTOR_STOPPED) {
        return;
    }
    stop_call(r);
    yl_delta_queue_replace_cancel(r->opts.deltas);
    enter(r, YL_REFLECTOR_STOPPED);
}

void
yl_reflector_facts(const struct yl_reflector *r,
                   struct yl_reflector_facts *ret_facts)
{
    *ret_facts = r->facts;
    ret_facts->last_message = r->last_message ? r->last_message : "";
    ret_facts->next_try = r->facts.state == YL_REFLECTOR_WAITING
                          ? r->deadline : YL_NEVER;
}

const char *
yl_reflector_state_name(enum yl_reflector_state state)
{
    static const char *const names[] = {
        "idle", "streaming", "listing", "watching", "waiting", "stopped",
    };

    return names[state];
}

/* Does one thing; false if there is nothing to do before the deadline or the
 * next word of the call. */
static bool
step(struct yl_reflector *r, yl_msec now)
{
    switch (r->facts.state) {
    case YL_REFLECTOR_IDLE:
        begin_list(r, now);
        return true;

    case YL_REFLECTOR_WAITING:
        if (now < r->deadline) {
            return false;
        }
        if (r->watch_next) {
            start_watch(r, now);
        } else {
            begin_list(r, now);
        }
        return true;

    case YL_REFLECTOR_STREAMING:
        if (!look(r, now)) {
            return false;
        }
        stream_ended(r, now);
        return true;

    case YL_REFLECTOR_LISTING:
        if (!look(r, now)) {
            return false;
        }
        list_ended(r, now);
        return true;

    case YL_REFLECTOR_WATCHING:
        if (r->watch_limit) {
            /* A stream has become a watch since the last run. */
            r->limit = r->watch_limit;
            r->deadline = r->started + r->limit;
            r->watch_limit = 0;
        }
        if (!look(r, now)) {
            return false;
        }
        watch_ended(r, now);
        return true;

    case YL_REFLECTOR_STOPPED:
        return false;
    }
    return false;
}

/* Has the call ended?  One that was silent for too long is ended here. */
static bool
look(struct yl_reflector *r, yl_msec now)
{
    struct yl_error err = YL_ERROR_INIT;

    if (!r->end.is && now >= r->deadline) {
        if (r->heard) {
            r->heard = false;
            r->deadline = now + r->limit;
        } else {
            yl_error_set(&err, YL_EUNAVAILABLE,
                         "nothing was received for %" PRId64 " s",
                         r->limit / SECOND);
            end_call(r, &err);
            yl_error_clear(&err);
        }
    }
    if (r->end.is) {
        stop_call(r);
    }
    return r->end.is;
}

/* Starting calls
 * ============== */

static void
begin_list(struct yl_reflector *r, yl_msec now)
{
    r->facts.n_lists++;
    r->whole = false;
    free(r->continue_);
    r->continue_ = NULL;
    if (r->opts.no_stream) {
        start_page(r, now);
    } else {
        start_stream(r, now);
    }
}

/* Without a revision, or with one that was refused, the newest state is asked
 * for: such a stream costs the server no more than one from its cache. */
static void
start_stream(struct yl_reflector *r, yl_msec now)
{
    struct version version;
    int64_t seconds = watch_seconds(r);
    bool newest = r->unavailable || r->facts.revision == 0;
    struct yl_error err = YL_ERROR_INIT;

    r->facts.n_streams++;
    r->n_news = 0;
    r->in_order = false;
    r->watch_limit = 0;
    started(r, YL_REFLECTOR_STREAMING, now, r->opts.list_stall);
    yl_delta_queue_replace_begin(r->opts.deltas);
    if (yl_lister_watcher_watch(
            r->opts.lister_watcher, &(struct yl_list_options) {
                .resource_version = newest ? YL_STR("")
                                    : version_of(r->facts.revision, &version),
                .resource_version_match = YL_MATCH_NOT_OLDER_THAN,
                .send_initial_events = true,
                .allow_watch_bookmarks = true,
                .timeout_seconds = seconds,
            }, &watch_sink, r, &r->call, &err) < 0) {
        end_call(r, &err);
        yl_error_clear(&err);
    }
}

static void
start_page(struct yl_reflector *r, yl_msec now)
{
    struct version version;
    struct yl_list_options options = { .limit = page_limit(r) };
    struct yl_error err = YL_ERROR_INIT;

    r->facts.n_pages++;
    r->page_fetched = r->continue_ != NULL;
    if (r->continue_) {
        options.continue_ = yl_str_c(r->continue_);
    } else {
        yl_delta_queue_replace_begin(r->opts.deltas);
        if (!r->unavailable) {
            options.resource_version = version_of(r->facts.revision, &version);
        }
        if (!r->unavailable && r->facts.revision && options.limit) {
            /* With a limit, a revision alone would mean that very one. */
            options.resource_version_match = YL_MATCH_NOT_OLDER_THAN;
        }
    }
    started(r, YL_REFLECTOR_LISTING, now, r->opts.list_stall);
    if (yl_lister_watcher_list(r->opts.lister_watcher, &options, &list_sink, r,
                               &r->call, &err) < 0) {
        end_call(r, &err);
        yl_error_clear(&err);
    }
}

/* A kube-apiserver answers a list from a revision out of its cache only if
 * there is no limit; from "0" it passes the limit over. */
static int64_t
page_limit(const struct yl_reflector *r)
{
    if (r->whole) {
        return 0;
    } else if (r->opts.page_size > 0) {
        return r->opts.page_size;
    } else if (r->paginated || r->unavailable || r->facts.revision == 0) {
        return PAGE_SIZE;
    } else {
        return 0;
    }
}

static void
start_watch(struct yl_reflector *r, yl_msec now)
{
    struct version version;
    int64_t seconds = watch_seconds(r);
    struct yl_error err = YL_ERROR_INIT;

    r->facts.n_watches++;
    r->n_news = 0;
    r->watch_limit = 0;
    r->in_order = r->facts.revision != 0;
    started(r, YL_REFLECTOR_WATCHING, now,
            seconds * SECOND + r->opts.watch_slack);
    if (yl_lister_watcher_watch(
            r->opts.lister_watcher, &(struct yl_list_options) {
                .resource_version = version_of(r->facts.revision, &version),
                .allow_watch_bookmarks = true,
                .timeout_seconds = seconds,
            }, &watch_sink, r, &r->call, &err) < 0) {
        end_call(r, &err);
        yl_error_clear(&err);
    }
}

/* When the server shall end a watch: by chance, so that the watches of many
 * clients that started together do not end together. */
static int64_t
watch_seconds(struct yl_reflector *r)
{
    yl_msec min = r->opts.watch_timeout_min, max = r->opts.watch_timeout_max;
    int64_t seconds = (min + yl_chance(&r->chance, max - min + 1)) / SECOND;

    return seconds > 0 ? seconds : 1;
}

static void
started(struct yl_reflector *r, enum yl_reflector_state state, yl_msec now,
        yl_msec limit)
{
    yl_error_clear(&r->end.err);
    r->end.is = false;
    r->end.too_large = false;
    r->heard = false;
    r->started = now;
    r->limit = limit;
    r->deadline = now + limit;
    enter(r, state);
}

/* What follows
 * ============ */

/* A stream ended before its last object.  As in client-go, it is tried again
 * if the server is throttling or cannot be reached, or from the newest state
 * if the revision was refused; else a list follows at once. */
static void
stream_ended(struct yl_reflector *r, yl_msec now)
{
    int code = r->end.err.code;

    yl_delta_queue_replace_cancel(r->opts.deltas);
    if (code == YL_ETHROTTLED || (is_network(code) && !r->end.too_large)) {
        report(r, &r->end.err);
        wait_before_list(r, now);
    } else if ((is_expired(code) || r->end.too_large) && !r->unavailable) {
        r->unavailable = true;
        start_stream(r, now);
    } else {
        start_page(r, now);
    }
}

static void
list_ended(struct yl_reflector *r, yl_msec now)
{
    bool refused = is_expired(r->end.err.code) || r->end.too_large;

    if (r->end.err.code == 0) {
        page_ended(r, now);
        return;
    }
    yl_delta_queue_replace_cancel(r->opts.deltas);
    free(r->continue_);
    r->continue_ = NULL;
    if (is_expired(r->end.err.code) && r->page_fetched && !r->whole) {
        /* The revision of this list is gone.  Do without pages, which come too
         * late. */
        r->whole = true;
        start_page(r, now);
    } else if (refused && !r->unavailable) {
        r->unavailable = true;
        r->whole = false;
        start_page(r, now);
    } else {
        report(r, &r->end.err);
        wait_before_list(r, now);
    }
}

static void
page_ended(struct yl_reflector *r, yl_msec now)
{
    if (r->continue_) {
        if (r->facts.revision == 0 && !r->unavailable) {
            r->paginated = true;
        }
        start_page(r, now);
        return;
    }
    yl_delta_queue_replace_end(r->opts.deltas, r->list_revision);
    r->unavailable = false;
    r->facts.revision = r->list_revision;
    start_watch(r, now);
}

/* Differs from client-go in that a very short watch, and a connection that
 * broke, are resumed at the last revision, where client-go lists again: should
 * the server not have that revision any more, it says so. */
static void
watch_ended(struct yl_reflector *r, yl_msec now)
{
    int code = r->end.err.code;
    bool was_short = r->n_news == 0 && now - r->started < SHORT_WATCH;

    if (code == 0 || (is_network(code) && !r->end.too_large)) {
        if (code != 0) {
            report(r, &r->end.err);
        } else if (was_short) {
            r->facts.n_short_watches++;
            yl_error_set(&r->end.err, YL_EUNAVAILABLE, "very short watch: it "
                         "ended within a second, without an event");
            report(r, &r->end.err);
        }
        if (was_short) {
            wait_before_watch(r, now);
        } else {
            start_watch(r, now);
        }
        return;
    }
    report(r, &r->end.err);
    if (code == YL_ETHROTTLED || retry_internal(r, now)) {
        wait_before_watch(r, now);
    } else {
        wait_before_list(r, now);
    }
}

/* Is it an internal error, and the first one not too long ago? */
static bool
retry_internal(struct yl_reflector *r, yl_msec now)
{
    if (r->end.err.code != YL_EINTERNAL) {
        return false;
    }
    if (r->n_news > 0 || r->internal_since == YL_NEVER) {
        r->internal_since = now;
    }
    if (now - r->internal_since < r->opts.internal_error_retry) {
        return true;
    }
    r->internal_since = YL_NEVER;
    return false;
}

static void
wait_before_list(struct yl_reflector *r, yl_msec now)
{
    r->watch_next = false;
    wait_for(r, now, yl_backoff_next(&r->list_backoff, now));
}

static void
wait_before_watch(struct yl_reflector *r, yl_msec now)
{
    r->watch_next = true;
    wait_for(r, now, yl_backoff_next(&r->watch_backoff, now));
}

/* Waits for 'delay', or longer if the server has said so. */
static void
wait_for(struct yl_reflector *r, yl_msec now, yl_msec delay)
{
    yl_msec told = r->end.err.retry_after;

    told = told > MAX_RETRY_AFTER ? MAX_RETRY_AFTER : told;
    r->deadline = now + (told > delay ? told : delay);
    enter(r, YL_REFLECTOR_WAITING);
}

/* Sinks
 * ===== */

static void
on_item(void *aux, struct yl_versioned item)
{
    struct yl_reflector *r = aux;
    struct yl_error err = YL_ERROR_INIT;

    r->heard = true;
    if (r->end.is) {
        yl_object_unref(item.object);
    } else if (yl_delta_queue_replace_item_take(r->opts.deltas, item,
                                                &err) < 0) {
        /* As in client-go, a list with an object that cannot be transformed
         * is no list. */
        end_call(r, &err);
        yl_error_clear(&err);
    }
}

static void
on_page(void *aux, const struct yl_list_page *meta, const struct yl_error *err)
{
    struct yl_reflector *r = aux;
    struct yl_error again = YL_ERROR_INIT;

    r->call = NULL;
    if (!err && !r->end.is) {
        if (!r->page_fetched) {
            r->list_revision = meta->revision;
        } else if (yl_str_equal_c(meta->continue_, r->continue_)) {
            yl_error_set(&again, YL_EINTERNAL,
                         "a page of the list names itself as the next");
            err = &again;
        }
        free(r->continue_);
        r->continue_ = meta->continue_.size ? yl_strdup(meta->continue_)
                                            : NULL;
    }
    end_call(r, err);
    yl_error_clear(&again);
}

static void
on_event(void *aux, struct yl_watch_event *event)
{
    struct yl_reflector *r = aux;
    struct yl_error err = YL_ERROR_INIT;

    r->heard = true;
    if (r->end.is) {
        return;
    }
    switch (event->type) {
    case YL_WATCH_ADDED:
    case YL_WATCH_MODIFIED:
    case YL_WATCH_DELETED:
        if (event->object) {
            on_change(r, event);
        }
        break;

    case YL_WATCH_BOOKMARK:
        on_bookmark(r, event);
        break;

    case YL_WATCH_ERROR:
        end_call(r, &event->error);
        return;

    default:
        yl_error_set(&err, YL_EINVALID, "unknown type of event: %d",
                     (int) event->type);
        report(r, &err);
        yl_error_clear(&err);
        return;
    }
    r->facts.n_events++;
    wake(r);
}

static void
on_change(struct yl_reflector *r, struct yl_watch_event *event)
{
    struct yl_versioned object = { event->object, event->revision };
    bool streaming = r->facts.state == YL_REFLECTOR_STREAMING;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_key key;
    int result = 0;

    r->n_news++;
    if (streaming && event->type == YL_WATCH_DELETED) {
        key = yl_object_key(event->object);
        yl_delta_queue_replace_remove(r->opts.deltas, &key);
        return;
    }
    event->object = NULL;
    if (streaming) {
        result = yl_delta_queue_replace_item_take(r->opts.deltas, object,
                                                  &err);
    } else if (event->type == YL_WATCH_ADDED) {
        result = yl_delta_queue_add_take(r->opts.deltas, object, &err);
    } else if (event->type == YL_WATCH_MODIFIED) {
        result = yl_delta_queue_update_take(r->opts.deltas, object, &err);
    } else {
        result = yl_delta_queue_delete_take(r->opts.deltas, object, &err);
    }
    if (!streaming) {
        r->in_order = r->in_order || event->type != YL_WATCH_ADDED;
        if (r->in_order && event->revision) {
            r->facts.revision = event->revision;
        }
    }
    if (result < 0) {
        /* One object that cannot be transformed does not stop the others. */
        report(r, &err);
        yl_error_clear(&err);
    }
}

static void
on_bookmark(struct yl_reflector *r, const struct yl_watch_event *event)
{
    if (r->facts.state != YL_REFLECTOR_STREAMING) {
        r->in_order = true;
        if (event->revision && event->revision != r->facts.revision) {
            r->n_news++;
            r->facts.revision = event->revision;
            yl_delta_queue_bookmark(r->opts.deltas, event->revision);
        }
    } else if (event->initial_events_end) {
        /* The list is complete, and the stream goes on as a watch. */
        r->n_news++;
        r->in_order = true;
        r->unavailable = false;
        r->facts.revision = event->revision;
        r->watch_limit = r->opts.watch_timeout_max + r->opts.watch_slack;
        yl_delta_queue_replace_end(r->opts.deltas, event->revision);
        enter(r, YL_REFLECTOR_WATCHING);
    }
}

static void
on_watch_done(void *aux, const struct yl_error *err)
{
    struct yl_reflector *r = aux;

    r->call = NULL;
    end_call(r, err);
}

/* Helpers
 * ======= */

/* Notes how the call has ended, unless that is noted already: an ERROR event
 * says more than the end of the watch that it is followed by. */
static void
end_call(struct yl_reflector *r, const struct yl_error *err)
{
    if (!r->end.is) {
        r->end.is = true;
        if (err) {
            yl_error_set(&r->end.err, err->code ? err->code : YL_EINTERNAL,
                         "%s", yl_error_message(err));
            r->end.err.retry_after = err->retry_after;
            r->end.too_large = is_too_large(err);
        }
    }
    wake(r);
}

static void
stop_call(struct yl_reflector *r)
{
    if (r->call) {
        yl_lister_watcher_stop(r->opts.lister_watcher, r->call);
        r->call = NULL;
    }
}

static void
enter(struct yl_reflector *r, enum yl_reflector_state state)
{
    r->facts.state = state;
    if (r->opts.trace) {
        r->opts.trace(r->opts.trace_aux, r->name, state, r->facts.revision);
    }
}

static void
wake(struct yl_reflector *r)
{
    if (!r->woken) {
        r->woken = true;
        if (r->opts.wake) {
            r->opts.wake(r->opts.wake_aux);
        }
    }
}

static void
report(struct yl_reflector *r, const struct yl_error *err)
{
    r->facts.n_errors++;
    r->facts.last_error = err->code;
    free(r->last_message);
    r->last_message = yl_strdup(yl_str_c(yl_error_message(err)));
    if (r->opts.error) {
        r->opts.error(r->opts.error_aux, err);
    }
}

/* Servers up to 1.18 said it in the message only. */
static bool
is_too_large(const struct yl_error *err)
{
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        if (err->causes[i].reason
            && !strcmp(err->causes[i].reason, "ResourceVersionTooLarge")) {
            return true;
        }
    }
    return err->code == YL_ETIMEOUT
           && strstr(yl_error_message(err), "Too large resource version");
}

static bool
is_expired(int code)
{
    return code == YL_EEXPIRED || code == YL_EGONE;
}

/* Did the connection fail, and not the request? */
static bool
is_network(int code)
{
    return code == YL_EUNAVAILABLE || code == YL_ETIMEOUT || code == YL_EIO
           || code == YL_ETRUNCATED;
}

static yl_msec
or_default(yl_msec value, yl_msec default_)
{
    return value > 0 ? value : default_;
}
