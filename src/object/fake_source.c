/* Objects in memory behind a lister-watcher.  See object/fake_source.h.
 *
 * All there is is the log of events, never shortened; the N-th event has
 * revision N.  The objects at some revision are what the log up to there
 * leaves behind.  That is slow and easy to trust. */

#include "object/fake_source.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/list.h"
#include "object/object.h"

struct event {
    enum yl_watch_type type;
    struct yl_object *object;   /* Without a revision: that is where the event
                                 * stands. */
};

struct yl_fake_source {
    struct yl_lister_watcher lw;
    struct event *events;
    size_t n_events;
    uint64_t compacted;         /* What is older has expired. */
    struct yl_list calls;       /* The next one to have its turn first. */
    int n_failures;             /* Calls that shall still fail. */
    int failure;                /* How. */
    bool fail_later;
};

struct yl_lister_watcher_call {
    struct yl_list node;        /* In yl_fake_source's 'calls'. */
    const struct yl_list_sink *list;    /* One of both is set. */
    const struct yl_watch_sink *watch;
    void *aux;

    struct yl_versioned *items; /* Of a list, or initial events of a watch. */
    size_t n_items;
    size_t at;                  /* The first that is not sent. */
    struct yl_list_page meta;   /* Of a list. */
    char *continue_;

    uint64_t revision;          /* Of a watch: the last event sent. */
    bool allow_bookmarks;
    bool initial_bookmark;      /* Is one to follow the initial events? */
    bool bookmark;              /* Is one asked for? */
    bool ended;
    int end_code;
};

static int start_list(struct yl_lister_watcher *,
                      const struct yl_list_options *,
                      const struct yl_list_sink *, void *aux,
                      struct yl_lister_watcher_call **, struct yl_error *);
static int start_watch(struct yl_lister_watcher *,
                       const struct yl_list_options *,
                       const struct yl_watch_sink *, void *aux,
                       struct yl_lister_watcher_call **, struct yl_error *);
static void stop_call(struct yl_lister_watcher *,
                      struct yl_lister_watcher_call *);
static int call_new(struct yl_fake_source *, struct yl_lister_watcher_call **,
                    struct yl_error *);
static void call_free(struct yl_lister_watcher_call *);
static int list_place(const struct yl_fake_source *,
                      const struct yl_list_options *, uint64_t *revision,
                      struct yl_key *after, struct yl_error *);
static int check_revision(const struct yl_fake_source *, uint64_t revision,
                          bool at, struct yl_error *);
static void snapshot(const struct yl_fake_source *,
                     struct yl_lister_watcher_call *, uint64_t revision,
                     const struct yl_key *after);
static void cut_page(struct yl_lister_watcher_call *, int64_t limit);
static int compare_events(const void *, const void *);
static int64_t append(struct yl_fake_source *, enum yl_watch_type,
                      struct yl_object *);
static const struct event *last_event(const struct yl_fake_source *,
                                      struct yl_key);
static bool deliver(struct yl_fake_source *, struct yl_lister_watcher_call *);
static bool deliver_watch(struct yl_fake_source *,
                          struct yl_lister_watcher_call *);
static void send_event(struct yl_lister_watcher_call *, enum yl_watch_type,
                       struct yl_object *, uint64_t revision, bool initial);
static void send_expired(struct yl_fake_source *,
                         struct yl_lister_watcher_call *);
static void finish(struct yl_lister_watcher_call *);

struct yl_fake_source *
yl_fake_source_new(void)
{
    struct yl_fake_source *source = yl_zalloc(sizeof *source);

    source->lw.list = start_list;
    source->lw.watch = start_watch;
    source->lw.stop = stop_call;
    yl_list_init(&source->calls);
    return source;
}

void
yl_fake_source_free(struct yl_fake_source *source)
{
    struct yl_lister_watcher_call *call;
    size_t i;

    if (!source) {
        return;
    }
    YL_LIST_FOR_EACH_SAFE (call, node, &source->calls) {
        call_free(call);
    }
    for (i = 0; i < source->n_events; i++) {
        yl_object_unref(source->events[i].object);
    }
    free(source->events);
    free(source);
}

struct yl_lister_watcher *
yl_fake_source_lister_watcher(struct yl_fake_source *source)
{
    return &source->lw;
}

int64_t
yl_fake_source_set(struct yl_fake_source *source, struct yl_str json,
                   struct yl_error *err)
{
    struct yl_object *object;
    const struct event *last;
    int64_t revision;
    int r = yl_object_ingest(json, NULL, &object, err);

    if (r < 0) {
        return r;
    }
    last = last_event(source, yl_object_key(object));
    revision = append(source, last && last->type != YL_WATCH_DELETED
                      ? YL_WATCH_MODIFIED : YL_WATCH_ADDED, object);
    yl_object_unref(object);
    return revision;
}

int64_t
yl_fake_source_delete(struct yl_fake_source *source, struct yl_key key,
                      struct yl_error *err)
{
    const struct event *last = last_event(source, key);

    if (!last || last->type == YL_WATCH_DELETED) {
        return yl_error_set(err, YL_ENOTFOUND, "there is no such object");
    }
    return append(source, YL_WATCH_DELETED, last->object);
}

uint64_t
yl_fake_source_revision(const struct yl_fake_source *source)
{
    return source->n_events;
}

void
yl_fake_source_compact(struct yl_fake_source *source, uint64_t revision)
{
    assert(revision <= source->n_events);
    source->compacted = revision;
}

void
yl_fake_source_bookmark(struct yl_fake_source *source)
{
    struct yl_lister_watcher_call *call;

    YL_LIST_FOR_EACH (call, node, &source->calls) {
        call->bookmark = call->allow_bookmarks;
    }
}

void
yl_fake_source_end_calls(struct yl_fake_source *source, int code)
{
    struct yl_lister_watcher_call *call;

    YL_LIST_FOR_EACH (call, node, &source->calls) {
        call->ended = true;
        call->end_code = code;
    }
}

void
yl_fake_source_fail(struct yl_fake_source *source, int n, int code, bool later)
{
    source->n_failures = n;
    source->failure = code;
    source->fail_later = later;
}

bool
yl_fake_source_step(struct yl_fake_source *source)
{
    size_t n = yl_list_count(&source->calls);

    while (n-- > 0) {
        struct yl_list *node = yl_list_pop_front(&source->calls);

        yl_list_push_back(&source->calls, node);
        if (deliver(source, YL_CONTAINER_OF(node,
                                            struct yl_lister_watcher_call,
                                            node))) {
            return true;
        }
    }
    return false;
}

int
yl_fake_source_run(struct yl_fake_source *source)
{
    int n = 0;

    while (yl_fake_source_step(source)) {
        n++;
    }
    return n;
}

int
yl_fake_source_n_calls(const struct yl_fake_source *source)
{
    return (int) yl_list_count(&source->calls);
}

static int
start_list(struct yl_lister_watcher *lw, const struct yl_list_options *options,
           const struct yl_list_sink *sink, void *aux,
           struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    struct yl_fake_source *source = YL_CONTAINER_OF(lw, struct yl_fake_source,
                                                    lw);
    struct yl_lister_watcher_call *call;
    struct yl_key after = { YL_STR(""), YL_STR("") };
    uint64_t revision;
    int r = list_place(source, options, &revision, &after, err);

    if (r < 0) {
        return r;
    }
    r = call_new(source, &call, err);
    if (r < 0) {
        return r;
    }
    call->list = sink;
    call->aux = aux;
    call->meta.revision = revision;
    snapshot(source, call, revision, &after);
    cut_page(call, options->limit);
    *ret_call = call;
    return 0;
}

static int
start_watch(struct yl_lister_watcher *lw,
            const struct yl_list_options *options,
            const struct yl_watch_sink *sink, void *aux,
            struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    struct yl_fake_source *source = YL_CONTAINER_OF(lw, struct yl_fake_source,
                                                    lw);
    struct yl_lister_watcher_call *call;
    uint64_t revision;
    int r = yl_list_options_check(options, true, &revision, err);

    if (r == 0 && options->send_initial_events) {
        r = check_revision(source, revision, false, err);
    }
    if (r == 0) {
        r = call_new(source, &call, err);
    }
    if (r < 0) {
        return r;
    }
    call->watch = sink;
    call->aux = aux;
    call->revision = revision;
    call->allow_bookmarks = options->allow_watch_bookmarks;
    if (revision == 0 || options->send_initial_events) {
        struct yl_key all = { YL_STR(""), YL_STR("") };

        snapshot(source, call, source->n_events, &all);
        call->revision = source->n_events;
        call->initial_bookmark = options->send_initial_events
                                 && options->allow_watch_bookmarks;
    }
    *ret_call = call;
    return 0;
}

static void
stop_call(struct yl_lister_watcher *lw YL_UNUSED,
          struct yl_lister_watcher_call *call)
{
    call_free(call);
}

/* A new call that is in the list of calls, or the error that was ordered. */
static int
call_new(struct yl_fake_source *source,
         struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    bool fail = source->n_failures > 0;
    struct yl_lister_watcher_call *call;

    source->n_failures -= fail;
    if (fail && !source->fail_later) {
        return yl_error_set(err, source->failure, "%s",
                            yl_error_text(source->failure));
    }
    call = yl_zalloc(sizeof *call);
    call->ended = fail;
    call->end_code = fail ? source->failure : 0;
    yl_list_push_back(&source->calls, &call->node);
    *ret_call = call;
    return 0;
}

static void
call_free(struct yl_lister_watcher_call *call)
{
    yl_list_remove(&call->node);
    while (call->n_items > 0) {
        yl_object_unref(call->items[--call->n_items].object);
    }
    free(call->items);
    free(call->continue_);
    free(call);
}

/* At which revision, and behind which key, a list starts. */
static int
list_place(const struct yl_fake_source *source,
           const struct yl_list_options *options, uint64_t *revision,
           struct yl_key *after, struct yl_error *err)
{
    struct yl_str number, key;
    bool at;
    int r = yl_list_options_check(options, false, revision, err);

    if (r < 0) {
        return r;
    }
    at = options->resource_version_match == YL_MATCH_EXACT
         || (options->resource_version_match == YL_MATCH_UNSET
             && options->limit > 0 && *revision > 0);
    if (options->continue_.size) {
        at = true;
        if (!yl_str_cut(options->continue_, '/', &number, &key)
            || yl_key_parse(key, after, NULL) < 0
            || yl_revision_parse(number, revision, NULL) < 0) {
            return yl_error_set(err, YL_EBADREQUEST,
                                "continue key is not valid");
        }
    }
    r = check_revision(source, *revision, at, err);
    *revision = at ? *revision : source->n_events;
    return r;
}

/* Is 'revision' one that can be had: not in the future, nor, if it shall be
 * that very one, too old? */
static int
check_revision(const struct yl_fake_source *source, uint64_t revision, bool at,
               struct yl_error *err)
{
    if (revision > source->n_events) {
        return yl_error_set(err, YL_ETIMEOUT, "Too large resource version: %"
                            PRIu64 ", current: %zu", revision,
                            source->n_events);
    }
    if (at && revision < source->compacted) {
        return yl_error_set(err, YL_EEXPIRED,
                            "too old resource version: %" PRIu64 " (%" PRIu64
                            ")", revision, source->compacted);
    }
    return 0;
}

/* Fills in the items of 'call': the objects as they were at 'revision' whose
 * keys come behind 'after', by key. */
static void
snapshot(const struct yl_fake_source *source,
         struct yl_lister_watcher_call *call, uint64_t revision,
         const struct yl_key *after)
{
    const struct event **events = yl_malloc_array(revision, sizeof *events);
    size_t i;

    for (i = 0; i < revision; i++) {
        events[i] = &source->events[i];
    }
    qsort(events, revision, sizeof *events, compare_events);
    call->items = yl_malloc_array(revision, sizeof *call->items);
    for (i = 0; i < revision; i++) {
        struct yl_key key = yl_object_key(events[i]->object);
        bool is_last = true;

        if (i + 1 < revision) {
            struct yl_key next = yl_object_key(events[i + 1]->object);

            is_last = !yl_key_equal(&key, &next);
        }
        if (is_last && events[i]->type != YL_WATCH_DELETED
            && yl_key_compare(&key, after) > 0) {
            call->items[call->n_items++] = (struct yl_versioned) {
                yl_object_ref(events[i]->object),
                (uint64_t) (events[i] - source->events) + 1,
            };
        }
    }
    free(events);
}

/* Leaves no more than 'limit' items and says where the next page starts. */
static void
cut_page(struct yl_lister_watcher_call *call, int64_t limit)
{
    struct yl_arena arena;
    struct yl_key last;
    struct yl_buf buf;

    if (limit <= 0 || call->n_items <= (uint64_t) limit) {
        return;
    }
    call->meta.remaining = (int64_t) call->n_items - limit;
    while (call->n_items > (uint64_t) limit) {
        yl_object_unref(call->items[--call->n_items].object);
    }
    last = yl_object_key(call->items[call->n_items - 1].object);
    yl_arena_init(&arena);
    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_printf(&buf, "%" PRIu64 "/", call->meta.revision);
    yl_buf_append_str(&buf, yl_key_text(&last, &arena));
    call->continue_ = yl_buf_detach(&buf);
    call->meta.continue_ = yl_str_c(call->continue_);
    yl_arena_release(&arena);
}

/* By key, then in the order in which they happened. */
static int
compare_events(const void *a, const void *b)
{
    const struct event *x = *(const struct event *const *) a;
    const struct event *y = *(const struct event *const *) b;
    struct yl_key i = yl_object_key(x->object), j = yl_object_key(y->object);
    int c = yl_key_compare(&i, &j);

    return c ? c : x < y ? -1 : x > y;
}

/* Adds an event: 'object' under the next revision, which is returned.  The
 * resourceVersion that it came with is left out: whoever looks for the
 * revision in the block, and not beside it, shall notice. */
static int64_t
append(struct yl_fake_source *source, enum yl_watch_type type,
       struct yl_object *object)
{
    struct event event = { .type = type };
    struct yl_buf json;
    int r;

    yl_buf_init(&json, SIZE_MAX);
    yl_buf_append_c(&json, "{\"metadata\":");
    yl_buf_append(&json, object->text, object->size);
    r = yl_object_ingest(yl_buf_str(&json), NULL, &event.object, NULL);
    assert(r == 0);
    (void) r;
    yl_buf_release(&json);
    source->events = yl_realloc_array(source->events, source->n_events + 1,
                                      sizeof *source->events);
    source->events[source->n_events++] = event;
    return (int64_t) source->n_events;
}

static const struct event *
last_event(const struct yl_fake_source *source, struct yl_key key)
{
    size_t i;

    for (i = source->n_events; i > 0; i--) {
        struct yl_key other = yl_object_key(source->events[i - 1].object);

        if (yl_key_equal(&key, &other)) {
            return &source->events[i - 1];
        }
    }
    return NULL;
}

/* Calls the sink of 'call' once, if there is something to say.  The sink may
 * stop the call, so nothing touches it afterwards. */
static bool
deliver(struct yl_fake_source *source, struct yl_lister_watcher_call *call)
{
    if (call->ended) {
        finish(call);
    } else if (call->watch) {
        return deliver_watch(source, call);
    } else if (call->at < call->n_items) {
        struct yl_versioned item = call->items[call->at++];

        yl_object_ref(item.object);
        call->list->item(call->aux, item);
    } else {
        finish(call);
    }
    return true;
}

static bool
deliver_watch(struct yl_fake_source *source,
              struct yl_lister_watcher_call *call)
{
    if (call->at < call->n_items) {
        struct yl_versioned item = call->items[call->at++];

        send_event(call, YL_WATCH_ADDED, item.object, item.revision, false);
    } else if (call->initial_bookmark) {
        call->initial_bookmark = false;
        send_event(call, YL_WATCH_BOOKMARK, NULL, call->revision, true);
    } else if (call->revision < source->compacted) {
        send_expired(source, call);
    } else if (call->revision < source->n_events) {
        const struct event *event = &source->events[call->revision++];

        send_event(call, event->type, event->object, call->revision, false);
    } else if (call->bookmark) {
        call->bookmark = false;
        send_event(call, YL_WATCH_BOOKMARK, NULL, call->revision, false);
    } else {
        return false;
    }
    return true;
}

static void
send_event(struct yl_lister_watcher_call *call, enum yl_watch_type type,
           struct yl_object *object, uint64_t revision, bool initial)
{
    struct yl_watch_event event = {
        .type = type,
        .object = yl_object_ref(object),
        .revision = revision,
        .initial_events_end = initial,
    };

    call->watch->event(call->aux, &event);
    yl_watch_event_clear(&event);
}

static void
send_expired(struct yl_fake_source *source,
             struct yl_lister_watcher_call *call)
{
    struct yl_watch_event event = { .type = YL_WATCH_ERROR };

    yl_error_set(&event.error, YL_EEXPIRED,
                 "too old resource version: %" PRIu64 " (%" PRIu64 ")",
                 call->revision, source->compacted);
    call->ended = true;
    call->watch->event(call->aux, &event);
    yl_watch_event_clear(&event);
}

/* Says the last word and frees the call.  It is out of the list by then, and
 * the sink must not stop it any more. */
static void
finish(struct yl_lister_watcher_call *call)
{
    struct yl_error err = YL_ERROR_INIT;
    bool failed = call->end_code != 0;

    if (failed) {
        yl_error_set(&err, call->end_code, "%s",
                     yl_error_text(call->end_code));
    }
    yl_list_remove(&call->node);
    if (call->list) {
        call->list->done(call->aux, failed ? NULL : &call->meta,
                         failed ? &err : NULL);
    } else {
        call->watch->done(call->aux, failed ? &err : NULL);
    }
    call_free(call);
    yl_error_clear(&err);
}
