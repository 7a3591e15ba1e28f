/* A watch of a local source: initial events if they are asked for, then a
 * cursor. */

#include "apiserver/local/source_call.h"

static void run_initial(struct yl_lister_watcher_call *);
static void run_events(struct yl_lister_watcher_call *);
static void start_events(struct yl_lister_watcher_call *);
static void hand_out(struct yl_lister_watcher_call *,
                     const struct yl_ks_event *);
static void send(struct yl_lister_watcher_call *, enum yl_watch_type,
                 const struct yl_object *, uint64_t revision);
static void send_bookmark(struct yl_lister_watcher_call *, uint64_t revision,
                          bool initial_events_end);
static void expire(struct yl_lister_watcher_call *, uint64_t revision);
static void finish(struct yl_lister_watcher_call *);
static void on_timeout(struct yl_loop_timer *);
static void on_bookmark(struct yl_loop_timer *);

int
yl_local_watch_start(struct yl_lister_watcher_call *call,
                     const struct yl_list_options *options, uint64_t revision,
                     uint64_t newest, struct yl_error *err)
{
    bool initial = options->send_initial_events || revision == 0;
    const struct yl_ks_scan_opts opts = {
        .namespace_ = call->selection.namespace_,
        .name = call->selection.name,
    };
    const struct yl_ks_scope scope = {
        call->selection.namespace_, call->selection.name,
    };
    yl_msec now = yl_loop_now(call->loop);
    int r;

    if (initial && revision > newest) {
        return yl_local_too_new(revision, newest, err);
    }
    r = initial ? yl_ks_scan_open(call->objects, &opts, &call->scan, err)
                : yl_ks_cursor_open(call->objects, &scope, revision,
                                    &call->cursor, err);
    if (r < 0) {
        return r;
    }
    call->timeout.fire = on_timeout;
    call->bookmark.fire = on_bookmark;
    if (options->timeout_seconds) {
        yl_loop_timer_arm(call->loop, &call->timeout,
                          options->timeout_seconds < INT32_MAX
                              ? now + options->timeout_seconds * 1000
                              : YL_NEVER);
    }
    if (call->bookmark_period) {
        call->initial_bookmark = options->send_initial_events;
        yl_loop_timer_arm(call->loop, &call->bookmark,
                          now + call->bookmark_period);
    }
    return 0;
}

void
yl_local_watch_run(struct yl_lister_watcher_call *call)
{
    if (call->timed_out) {
        finish(call);
    } else if (!call->cursor) {
        run_initial(call);
    } else {
        run_events(call);
    }
}

void
yl_local_watch_release(struct yl_lister_watcher_call *call)
{
    yl_loop_timer_cancel(call->loop, &call->timeout);
    yl_loop_timer_cancel(call->loop, &call->bookmark);
    yl_ks_cursor_close(call->cursor);
}

/* Sends the objects there are as ADDED events. */
static void
run_initial(struct yl_lister_watcher_call *call)
{
    struct yl_versioned items[YL_LOCAL_STEP];
    int i, n = yl_ks_scan_next(call->scan, items, YL_LOCAL_STEP);

    for (i = 0; i < n; i++) {
        if (!call->stopped
            && yl_selection_matches(&call->selection, items[i].object,
                                    &call->scratch)) {
            send(call, YL_WATCH_ADDED, items[i].object, items[i].revision);
        }
        yl_arena_clear(&call->scratch);
        yl_object_unref(items[i].object);
    }
    if (n < 0) {
        expire(call, yl_ks_scan_revision(call->scan));
    } else if (n == 0) {
        start_events(call);
    }
    if (!call->stopped) {
        yl_loop_defer(call->loop, &call->chore);
    }
}

/* Turns to the cursor, as all initial events are sent. */
static void
start_events(struct yl_lister_watcher_call *call)
{
    const struct yl_ks_scope scope = {
        call->selection.namespace_, call->selection.name,
    };
    uint64_t revision = yl_ks_scan_revision(call->scan);

    if (yl_ks_cursor_open(call->objects, &scope, revision, &call->cursor,
                          NULL) < 0) {
        expire(call, revision);
        return;
    }
    yl_ks_scan_close(call->scan);
    call->scan = NULL;
    if (call->initial_bookmark) {
        send_bookmark(call, revision, true);
    }
}

static void
run_events(struct yl_lister_watcher_call *call)
{
    struct yl_ks_event events[YL_LOCAL_STEP];
    int i, n = yl_ks_cursor_next(call->cursor, events, YL_LOCAL_STEP);

    for (i = 0; i < n; i++) {
        if (!call->stopped) {
            hand_out(call, &events[i]);
        }
        yl_arena_clear(&call->scratch);
        yl_object_unref(events[i].object);
        yl_object_unref(events[i].previous);
    }
    if (n < 0) {
        expire(call, yl_ks_cursor_revision(call->cursor));
    } else if (n == YL_LOCAL_STEP && !call->stopped) {
        yl_loop_defer(call->loop, &call->chore);
    } else if (call->bookmark_due && !call->stopped) {
        call->bookmark_due = false;
        send_bookmark(call, yl_ks_cursor_revision(call->cursor), false);
    }
}

static void
hand_out(struct yl_lister_watcher_call *call, const struct yl_ks_event *event)
{
    static const enum yl_watch_type types[] = {
        [YL_KS_ADDED] = YL_WATCH_ADDED,
        [YL_KS_MODIFIED] = YL_WATCH_MODIFIED,
        [YL_KS_DELETED] = YL_WATCH_DELETED,
    };
    const struct yl_object *object;
    enum yl_ks_event_type type;

    if (yl_selection_sees(&call->selection, event, &call->scratch, &type,
                          &object)) {
        send(call, types[type], object, event->revision);
    }
}

static void
send(struct yl_lister_watcher_call *call, enum yl_watch_type type,
     const struct yl_object *object, uint64_t revision)
{
    struct yl_watch_event event = {
        .type = type,
        .object = yl_object_ref(object),
        .revision = revision,
    };

    call->watch->event(call->aux, &event);
    yl_watch_event_clear(&event);
}

static void
send_bookmark(struct yl_lister_watcher_call *call, uint64_t revision,
              bool initial_events_end)
{
    struct yl_watch_event event = {
        .type = YL_WATCH_BOOKMARK,
        .revision = revision,
        .initial_events_end = initial_events_end,
    };

    call->watch->event(call->aux, &event);
}

/* Ends the watch: events that it had not read yet were dropped from the
 * log. */
static void
expire(struct yl_lister_watcher_call *call, uint64_t revision)
{
    struct yl_watch_event event = { .type = YL_WATCH_ERROR };

    yl_error_set(&event.error, YL_EEXPIRED,
                 "too old resource version: %llu (%llu)",
                 (unsigned long long) revision,
                 (unsigned long long) yl_ks_oldest(call->objects));
    call->watch->event(call->aux, &event);
    yl_watch_event_clear(&event);
    if (!call->stopped) {
        finish(call);
    }
}

static void
finish(struct yl_lister_watcher_call *call)
{
    call->stopped = true;
    call->watch->done(call->aux, NULL);
}

static void
on_timeout(struct yl_loop_timer *timer)
{
    struct yl_lister_watcher_call *call
        = YL_CONTAINER_OF(timer, struct yl_lister_watcher_call, timeout);

    call->timed_out = true;
    yl_loop_defer(call->loop, &call->chore);
}

static void
on_bookmark(struct yl_loop_timer *timer)
{
    struct yl_lister_watcher_call *call
        = YL_CONTAINER_OF(timer, struct yl_lister_watcher_call, bookmark);

    yl_loop_timer_arm(call->loop, timer,
                      yl_loop_now(call->loop) + call->bookmark_period);
    call->bookmark_due = true;
    yl_loop_defer(call->loop, &call->chore);
}
