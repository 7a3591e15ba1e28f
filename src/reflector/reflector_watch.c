/* Watches, and lists that are the start of one.  See reflector/machine.h. */

#include "reflector/machine.h"

#include "yuloh/delta.h"

/* A watch that ends sooner, without an event, is very short. */
#define SHORT_WATCH YL_SECOND

static int64_t watch_seconds(struct yl_reflector *);
static bool retry_internal(struct yl_reflector *, yl_msec now);
static void on_event(void *aux, struct yl_watch_event *);
static void on_change(struct yl_reflector *, struct yl_watch_event *);
static void on_bookmark(struct yl_reflector *, const struct yl_watch_event *);
static void on_watch_done(void *aux, const struct yl_error *);

static const struct yl_watch_sink watch_sink = { on_event, on_watch_done };

/* Without a revision, or with one that was refused, the newest state is asked
 * for: such a stream costs the server no more than one from its cache. */
void
yl_reflector_start_stream(struct yl_reflector *r, yl_msec now)
{
    struct yl_reflector_version version;
    struct yl_str last = yl_reflector_version(r->facts.revision, &version);
    int64_t seconds = watch_seconds(r);
    bool newest = r->unavailable || r->facts.revision == 0;
    struct yl_error err = YL_ERROR_INIT;

    r->facts.n_streams++;
    r->n_news = 0;
    r->in_order = false;
    r->watch_limit = 0;
    yl_reflector_call_started(r, YL_REFLECTOR_STREAMING, now,
                              r->opts.list_stall);
    yl_delta_queue_replace_begin(r->opts.deltas);
    if (yl_lister_watcher_watch(
            r->opts.lister_watcher, &(struct yl_list_options) {
                .resource_version = newest ? YL_STR("") : last,
                .resource_version_match = YL_MATCH_NOT_OLDER_THAN,
                .send_initial_events = true,
                .allow_watch_bookmarks = true,
                .timeout_seconds = seconds,
            }, &watch_sink, r, &r->call, &err) < 0) {
        yl_reflector_end_call(r, &err);
        yl_error_clear(&err);
    }
}

void
yl_reflector_start_watch(struct yl_reflector *r, yl_msec now)
{
    struct yl_reflector_version version;
    struct yl_str last = yl_reflector_version(r->facts.revision, &version);
    int64_t seconds = watch_seconds(r);
    struct yl_error err = YL_ERROR_INIT;

    r->facts.n_watches++;
    r->n_news = 0;
    r->watch_limit = 0;
    r->in_order = r->facts.revision != 0;
    yl_reflector_call_started(r, YL_REFLECTOR_WATCHING, now,
                              seconds * YL_SECOND + r->opts.watch_slack);
    if (yl_lister_watcher_watch(
            r->opts.lister_watcher, &(struct yl_list_options) {
                .resource_version = last,
                .allow_watch_bookmarks = true,
                .timeout_seconds = seconds,
            }, &watch_sink, r, &r->call, &err) < 0) {
        yl_reflector_end_call(r, &err);
        yl_error_clear(&err);
    }
}

/* When the server shall end a watch: by chance, so that the watches of many
 * clients that started together do not end together. */
static int64_t
watch_seconds(struct yl_reflector *r)
{
    yl_msec min = r->opts.watch_timeout_min, max = r->opts.watch_timeout_max;
    int64_t seconds = (min + yl_chance(&r->chance, max - min + 1)) / YL_SECOND;

    return seconds > 0 ? seconds : 1;
}

/* A stream ended before its last object.  As in client-go, it is tried again
 * if the server is throttling or cannot be reached, or from the newest state
 * if the revision was refused; else a list follows at once.  One that just
 * ends is tried again, as there, but only once: if the server ends streams
 * before it has sent them, then pages are better. */
void
yl_reflector_stream_ended(struct yl_reflector *r, yl_msec now)
{
    int code = r->end.err.code;

    yl_delta_queue_replace_cancel(r->opts.deltas);
    if (code == YL_ETHROTTLED || r->end.network) {
        yl_reflector_report(r, &r->end.err);
        yl_reflector_wait_before_list(r, now);
    } else if ((r->end.expired || r->end.too_large) && !r->unavailable) {
        r->unavailable = true;
        yl_reflector_start_stream(r, now);
    } else if (code == 0 && !r->cut) {
        r->cut = true;
        yl_reflector_start_stream(r, now);
    } else {
        yl_reflector_start_page(r, now);
    }
}

/* Differs from client-go in that a very short watch, and a connection that
 * broke, are resumed at the last revision, where client-go lists again: should
 * the server not have that revision any more, it says so. */
void
yl_reflector_watch_ended(struct yl_reflector *r, yl_msec now)
{
    int code = r->end.err.code;
    bool was_short = r->n_news == 0 && now - r->started < SHORT_WATCH;

    if (code == 0 || r->end.network) {
        if (code != 0) {
            yl_reflector_report(r, &r->end.err);
        } else if (was_short) {
            r->facts.n_short_watches++;
            yl_error_set(&r->end.err, YL_EUNAVAILABLE, "very short watch: it "
                         "ended within a second, without an event");
            yl_reflector_report(r, &r->end.err);
        }
        if (was_short) {
            yl_reflector_wait_before_watch(r, now);
        } else {
            yl_reflector_start_watch(r, now);
        }
        return;
    }
    yl_reflector_report(r, &r->end.err);
    if (code == YL_ETHROTTLED || retry_internal(r, now)) {
        yl_reflector_wait_before_watch(r, now);
    } else {
        yl_reflector_wait_before_list(r, now);
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
        if (!event->object) {
            yl_error_set(&err, YL_EINVALID, "an event has no object");
            yl_reflector_report(r, &err);
            yl_error_clear(&err);
            return;
        }
        on_change(r, event);
        break;

    case YL_WATCH_BOOKMARK:
        on_bookmark(r, event);
        break;

    case YL_WATCH_ERROR:
        yl_reflector_end_call(r, &event->error);
        return;

    default:
        yl_error_set(&err, YL_EINVALID, "unknown type of event: %d",
                     (int) event->type);
        yl_reflector_report(r, &err);
        yl_error_clear(&err);
        return;
    }
    r->facts.n_events++;
    yl_reflector_wake(r);
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
        if (!streaming) {
            yl_delta_queue_bookmark(r->opts.deltas, r->facts.revision);
        }
        yl_reflector_report(r, &err);
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
        yl_reflector_enter(r, YL_REFLECTOR_WATCHING);
    }
}

static void
on_watch_done(void *aux, const struct yl_error *err)
{
    struct yl_reflector *r = aux;

    r->call = NULL;
    yl_reflector_end_call(r, err);
}
