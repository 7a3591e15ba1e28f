/* WATCH: events, as long as the client stays. */

#include "apiserver/answer/protobuf.h"
#include "apiserver/answer/view.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/metrics/metrics.h"
#include "apiserver/metrics/metrics_requests.h"
#include "apiserver/selection.h"
#include "apiserver/server.h"
#include "apiserver/verbs/read_options.h"
#include "apiserver/verbs/verbs.h"
#include "apiserver/watch/class.h"
#include "apiserver/watch/hub.h"
#include "apiserver/watch/render.h"
#include "base/random.h"
#include "builtin/columns/columns.h"
#include "yuloh/arena.h"
#include "yuloh/metrics.h"

/* Events handled at a time, and how many times in one turn of the loop.
 * Watchers of a class handle a batch of the class at a time. */
#define BATCH 64
#define TURN 16

/* How often a watcher without events gets a bookmark. */
#define BOOKMARK_MSEC 60000

enum phase {
    INITIAL,                    /* Sends the objects there are. */
    ALONE,                      /* Catches up, with a cursor of its own. */
    SHARED,                     /* Reads the frames of its class. */
    ENDED,
};

struct watch {
    struct yl_api_request *req;
    struct yl_watcher watcher;
    struct yl_view view;
    struct yl_selection selection;
    struct yl_read_options options;
    struct yl_watch_class *class;
    enum phase phase;
    struct yl_ks_scan *scan;    /* In INITIAL. */
    struct yl_ks_cursor *cursor;    /* In ALONE. */
    uint64_t position;          /* In SHARED. */
    uint64_t start;             /* Events up to here are passed over: they are
                                 * from before the watch, or from before it
                                 * joined its class. */
    uint64_t revision;          /* Everything up to here was sent, except
                                 * perhaps more of the same revision. */
    struct yl_loop_timer timeout;
    struct yl_loop_timer bookmark;
    bool bookmark_due;
    unsigned n_asked;           /* How often bookmarks were asked for when it
                                 * sent the last one. */
    bool timed_out;
    bool columns_sent;          /* Whether the columns of a Table are sent. */
    bool waiting;
    bool left;                  /* It has left its class, and reads what comes
                                 * next alone. */
    struct yl_counter *counter; /* Counts events; may be NULL. */
    uint64_t n_events;          /* Events that 'counter' does not have yet. */
};

static int start(struct watch *, struct yl_status *);
static enum yl_http_pull pull(void *watch, struct yl_buf *out);
static void on_news(struct yl_watcher *);
static void on_timeout(struct yl_loop_timer *);
static void on_bookmark(struct yl_loop_timer *);
static bool is_asked(const struct watch *);
static void cancel(struct yl_api_request *);
static void leave(struct watch *);

enum yl_step
yl_verb_watch(struct yl_api_request *req)
{
    static const struct yl_http_source source = { pull };
    struct watch *watch = yl_arena_zalloc(req->arena, sizeof *watch);
    struct yl_status status = YL_STATUS_INIT;
    int r;

    req->accept.pretty = false;     /* Each event is one line. */
    watch->req = req;
    r = yl_read_options_parse(req, true, &watch->options, &status);
    if (r == 0) {
        r = yl_selection_init(&watch->selection, req, &status.error);
    }
    if (r == 0) {
        r = yl_read_options_place(req, &watch->options, &status);
    }
    if (r == 0 && req->accept.yaml) {
        r = yl_error_set(&status.error, YL_ENOTACCEPTABLE,
                         "only the following media types are accepted: "
                         "application/json;stream=watch, "
                         "application/vnd.kubernetes.protobuf;stream=watch");
    }
    if (r == 0) {
        r = yl_view_init(&watch->view, req, req->accept.list, &status.error);
    }
    if (r == 0) {
        r = start(watch, &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    return yl_api_respond_source(req, 200,
                                 req->accept.protobuf
                                 ? YL_PROTOBUF_MEDIA_TYPE ";stream=watch"
                                 : "application/json", &source, watch);
}

/* The duration of the watch: the requested one, or a random one around that in
 * the options, so that watches do not all end at the same time. */
static yl_msec
duration(const struct watch *watch)
{
    yl_msec least = watch->req->server->opts.min_watch_timeout;

    if (watch->options.has_timeout && watch->options.timeout_seconds > 0) {
        return watch->options.timeout_seconds > 100000000
                   ? YL_NEVER / 2
                   : watch->options.timeout_seconds * 1000;
    }
    return least + (yl_msec) (yl_random_u64() % (uint64_t) (least + 1));
}

static int
start(struct watch *watch, struct yl_status *status)
{
    struct yl_api_request *req = watch->req;
    struct yl_loop *loop = req->http->loop;
    const struct yl_read_options *o = &watch->options;
    uint64_t now = yl_keyspace_revision(req->server->keyspace);
    struct yl_ks_scan_opts opts = {
        .namespace_ = watch->selection.namespace_,
        .name = watch->selection.name,
    };

    if (o->initial_events && o->revision > now) {
        return yl_read_too_new(req, status, o->revision, now);
    }
    watch->counter = yl_request_metrics_events(
        yl_api_metrics_requests(req->server->metrics), req);
    watch->watcher.news = on_news;
    watch->n_asked = yl_watch_hub_bookmarks_asked(req->server->watches);
    yl_watch_hub_add(req->server->watches, loop, req->resource->objects,
                     &watch->watcher);
    watch->timeout.fire = on_timeout;
    yl_loop_timer_arm(loop, &watch->timeout,
                      yl_loop_now(loop) + duration(watch));
    if (o->bookmarks) {
        watch->bookmark.fire = on_bookmark;
        yl_loop_timer_arm(loop, &watch->bookmark,
                          yl_loop_now(loop) + BOOKMARK_MSEC);
    }
    req->cancel = cancel;
    req->verb = watch;
    if (o->initial_events || (!o->revision && !o->no_initial_events)) {
        int r = yl_ks_scan_open(req->resource->objects, &opts, &watch->scan,
                                &status->error);

        if (r < 0) {
            return r;
        }
        watch->phase = INITIAL;
        watch->revision = yl_ks_scan_revision(watch->scan);
    } else {
        watch->phase = ALONE;
        watch->revision = o->revision ? o->revision : now;
    }
    watch->start = watch->revision;
    return 0;
}

static void
cancel(struct yl_api_request *req)
{
    struct watch *watch = req->verb;
    struct yl_loop *loop = req->http->loop;

    yl_loop_timer_cancel(loop, &watch->timeout);
    yl_loop_timer_cancel(loop, &watch->bookmark);
    yl_watch_hub_remove(req->server->watches, &watch->watcher);
    yl_ks_scan_close(watch->scan);
    yl_ks_cursor_close(watch->cursor);
    leave(watch);
}

static void
resume(struct watch *watch)
{
    if (watch->waiting) {
        watch->waiting = false;
        yl_http_resume(watch->req->http);
    }
}

static void
on_news(struct yl_watcher *watcher)
{
    struct watch *watch = YL_CONTAINER_OF(watcher, struct watch, watcher);

    if (watch->waiting
        && (watch->phase != SHARED || is_asked(watch)
            || yl_api_resource_is_retired(watch->req->resource)
            || yl_watch_class_has_news(watch->class, watch->position,
                                       yl_watcher_waiter(watcher)))) {
        resume(watch);
    }
}

/* Was a bookmark asked for since the last one? */
static bool
is_asked(const struct watch *watch)
{
    return watch->options.bookmarks
           && yl_watch_hub_bookmarks_asked(watch->req->server->watches)
              != watch->n_asked;
}

static void
on_timeout(struct yl_loop_timer *timer)
{
    struct watch *watch = YL_CONTAINER_OF(timer, struct watch, timeout);

    watch->timed_out = true;
    resume(watch);
}

static void
on_bookmark(struct yl_loop_timer *timer)
{
    struct watch *watch = YL_CONTAINER_OF(timer, struct watch, bookmark);
    struct yl_loop *loop = watch->req->http->loop;

    yl_loop_timer_arm(loop, timer, yl_loop_now(loop) + BOOKMARK_MSEC);
    watch->bookmark_due = true;
    resume(watch);
}

/* Scratch memory for rendering, until the pull ends. */
static void
need_scratch(struct watch *watch)
{
    if (watch->view.scratch == watch->req->arena) {
        watch->view.scratch = yl_arena_new();
    }
}

/* Appends a rendered event; the first one of a Table has the columns. */
static void
append(struct watch *watch, struct yl_buf *out, struct yl_str event,
       size_t columns)
{
    if (columns == YL_WATCH_NO_COLUMNS || watch->columns_sent) {
        yl_buf_append_str(out, event);
        return;
    }
    watch->columns_sent = true;
    yl_buf_append(out, event.data, columns);
    yl_columns_write_definitions(yl_view_columns(&watch->view), out);
    yl_buf_append_str(out, yl_str_skip(event, columns + strlen("null")));
}

/* Passes the text that was rendered at the end of 'out' through append(). */
static void
finish(struct watch *watch, struct yl_buf *out, size_t start_at,
       size_t columns)
{
    struct yl_str event;

    watch->n_events++;
    if (columns == YL_WATCH_NO_COLUMNS || watch->columns_sent) {
        return;
    }
    event = yl_arena_copy(watch->view.scratch,
                          yl_str_n(out->data + start_at,
                                   out->size - start_at));
    out->size = start_at;
    append(watch, out, event, columns);
}

static enum yl_http_pull
expire(struct watch *watch, struct yl_buf *out)
{
    need_scratch(watch);
    yl_watch_render_expired(&watch->view, watch->revision,
                            yl_ks_oldest(watch->req->resource->objects),
                            out);
    watch->phase = ENDED;
    return YL_HTTP_END;
}

static int
write_bookmark(struct watch *watch, bool initial, struct yl_buf *out)
{
    size_t at = out->size, columns;
    int r;

    need_scratch(watch);
    r = yl_watch_render_bookmark(&watch->view, watch->revision, initial, out,
                                 &columns, NULL);
    if (r == 0) {
        finish(watch, out, at, columns);
    }
    return r;
}

/* Sends the objects there are as ADDED events.  WAIT: all are sent. */
static enum yl_http_pull
pull_initial(struct watch *watch, struct yl_buf *out)
{
    struct yl_versioned items[BATCH];
    int n = yl_ks_scan_next(watch->scan, items, BATCH), i, r = 0;

    if (n < 0) {
        return expire(watch, out);
    }
    need_scratch(watch);
    for (i = 0; i < n; i++) {
        size_t at = out->size, columns;

        if (r == 0
            && yl_selection_matches(&watch->selection, items[i].object,
                                    watch->view.scratch)) {
            r = yl_watch_render_object(&watch->view, "ADDED", items[i].object,
                                       items[i].revision, out, &columns,
                                       NULL);
            if (r == 0) {
                finish(watch, out, at, columns);
            }
        }
        yl_object_unref(items[i].object);
    }
    if (n == 0) {
        yl_ks_scan_close(watch->scan);
        watch->scan = NULL;
        watch->phase = ALONE;
        if (watch->options.initial_events && watch->options.bookmarks) {
            r = write_bookmark(watch, true, out);
        }
    }
    return r < 0 ? YL_HTTP_ABORT : YL_HTTP_MORE;
}

static void
see(struct watch *watch, uint64_t revision)
{
    if (revision > watch->revision) {
        watch->revision = revision;
    }
}

/* The revision from which the log can be read, as clients may name one that
 * does not exist yet. */
static uint64_t
reached(const struct watch *watch)
{
    uint64_t now = yl_keyspace_revision(watch->req->server->keyspace);

    return watch->revision < now ? watch->revision : now;
}

static void
leave(struct watch *watch)
{
    if (watch->class) {
        yl_watch_class_leave(
            yl_watch_hub_classes(watch->req->server->watches), watch->class);
        watch->class = NULL;
    }
}

/* Joins the class, if its frames cover everything that this watch has not
 * seen. */
static bool
join(struct watch *watch)
{
    struct yl_watch_classes *classes =
        yl_watch_hub_classes(watch->req->server->watches);

    if (yl_watch_class_join(classes, watch->req, &watch->view,
                            &watch->selection, reached(watch), &watch->class,
                            NULL) < 0) {
        return false;
    }
    if (!yl_watch_class_find(watch->class, watch->revision,
                             &watch->position)) {
        leave(watch);
        return false;
    }
    yl_ks_cursor_close(watch->cursor);
    watch->cursor = NULL;
    watch->start = watch->revision;     /* The class may be behind. */
    watch->phase = SHARED;
    return true;
}

/* Has the cursor more of the revision that was sent last?  Elsewhere nobody
 * knows how much of it was sent. */
static bool
is_within_revision(const struct watch *watch)
{
    return watch->cursor && watch->revision > watch->start
           && yl_ks_cursor_revision(watch->cursor) < watch->revision;
}

static enum yl_http_pull
pull_alone(struct watch *watch, struct yl_buf *out)
{
    struct yl_ks_scope scope = { watch->selection.namespace_,
                                 watch->selection.name };
    struct yl_ks_event events[BATCH];
    int n, i, r = 0;

    need_scratch(watch);
    if (!watch->left && !is_within_revision(watch) && join(watch)) {
        return YL_HTTP_MORE;
    }
    if (!watch->cursor
        && yl_ks_cursor_open(watch->req->resource->objects, &scope,
                             reached(watch), &watch->cursor, NULL) < 0) {
        return expire(watch, out);
    }
    n = yl_ks_cursor_next(watch->cursor, events, BATCH);
    if (n < 0) {
        return expire(watch, out);
    }
    for (i = 0; i < n; i++) {
        size_t at = out->size, columns;

        if (r >= 0 && events[i].revision > watch->start) {
            r = yl_watch_render(&watch->view, &watch->selection, &events[i],
                                out, &columns, NULL);
            if (r > 0) {
                finish(watch, out, at, columns);
            }
        }
        see(watch, events[i].revision);
        yl_object_unref(events[i].object);
        yl_object_unref(events[i].previous);
    }
    watch->left = false;
    if (n == 0) {
        see(watch, yl_ks_cursor_revision(watch->cursor));
        return YL_HTTP_WAIT;
    }
    return r < 0 ? YL_HTTP_ABORT : YL_HTTP_MORE;
}

/* Appends the events of a batch that are new to this watch. */
static void
append_batch(struct watch *watch, struct yl_buf *out,
             const struct yl_watch_batch *batch)
{
    size_t i = (size_t) (watch->position - batch->first), n = batch->n_frames;

    while (i < n && batch->frames[i].revision <= watch->start) {
        i++;
    }
    watch->n_events += n - i;
    for (; i < n && watch->view.form == YL_FORM_TABLE && !watch->columns_sent;
         i++) {
        append(watch, out, yl_watch_batch_text(batch, i, i + 1),
               batch->frames[i].columns);
    }
    if (i < n) {
        yl_buf_append_str(out, yl_watch_batch_text(batch, i, n));
    }
    watch->position = batch->first + n;
}

static enum yl_http_pull
pull_shared(struct watch *watch, struct yl_buf *out)
{
    struct yl_watch_batch *batch;
    uint64_t revision;
    int r = yl_watch_class_read(watch->class, watch->position,
                                yl_watcher_waiter(&watch->watcher), &batch,
                                &revision);

    if (r < 0) {
        leave(watch);           /* It is too slow for its class, or that
                                 * could not render an event. */
        watch->left = true;
        watch->phase = ALONE;
        return YL_HTTP_MORE;
    }
    if (r > 0) {
        append_batch(watch, out, batch);
        yl_watch_batch_unref(batch);
    }
    see(watch, revision);
    return r ? YL_HTTP_MORE : YL_HTTP_WAIT;
}

static enum yl_http_pull
pull_phase(struct watch *watch, struct yl_buf *out)
{
    switch (watch->phase) {
    case INITIAL:
        return pull_initial(watch, out);
    case ALONE:
        return pull_alone(watch, out);
    case SHARED:
        return pull_shared(watch, out);
    case ENDED:
        break;
    }
    return YL_HTTP_END;
}

/* Is the watch over?  A new one gets its initial events first. */
static bool
is_over(const struct watch *watch)
{
    return watch->phase != INITIAL
           && (watch->timed_out
               || yl_watch_hub_is_draining(watch->req->server->watches));
}

static enum yl_http_pull
pull(void *aux, struct yl_buf *out)
{
    struct watch *watch = aux;
    size_t before = out->size;
    enum yl_http_pull pulled = YL_HTTP_MORE;
    int turn;

    watch->view.scratch = watch->req->arena;
    for (turn = 0; turn < TURN && pulled == YL_HTTP_MORE && !is_over(watch)
                   && out->size < before + YL_HTTP_PIECE; turn++) {
        pulled = pull_phase(watch, out);
    }
    if (watch->req->accept.list && out->size > before) {
        /* The client asked for a list, which an event is not.  Upstream ends
         * the watch at the first event. */
        out->size = before;
        watch->phase = ENDED;
        pulled = YL_HTTP_END;
    }
    if (pulled == YL_HTTP_WAIT && (watch->bookmark_due || is_asked(watch))) {
        watch->bookmark_due = false;
        watch->n_asked
            = yl_watch_hub_bookmarks_asked(watch->req->server->watches);
        pulled = write_bookmark(watch, false, out) < 0 ? YL_HTTP_ABORT
                                                       : pulled;
    }
    if ((pulled == YL_HTTP_WAIT || pulled == YL_HTTP_MORE)
        && is_over(watch)) {
        pulled = YL_HTTP_END;
    }
    if (pulled == YL_HTTP_WAIT
        && yl_api_resource_is_retired(watch->req->resource)) {
        pulled = YL_HTTP_END;   /* All its events are sent. */
    }
    watch->waiting = pulled == YL_HTTP_WAIT;
    if (watch->counter && watch->n_events) {
        yl_counter_add(watch->counter, watch->n_events);
        watch->n_events = 0;
    }
    if (pulled == YL_HTTP_MORE && out->size == before) {
        /* Nothing matched in this turn; other work of the loop comes first. */
        yl_http_resume(watch->req->http);
        pulled = YL_HTTP_WAIT;
    }
    if (watch->view.scratch != watch->req->arena) {
        yl_arena_free(watch->view.scratch);
        watch->view.scratch = watch->req->arena;
    }
    return pulled;
}
