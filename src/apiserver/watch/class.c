/* Watch classes.  See apiserver/watch/class.h for the contract.
 *
 * New events are rendered by the thread that finds them first.  While
 * 'rendering' is set, only that thread uses the cursor and the scratch memory,
 * without the lock; it takes the lock again to add the frames that it has
 * made. */

#include "apiserver/watch/class.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/request.h"
#include "apiserver/watch/render.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"
#include "net/http.h"
#include "yuloh/arena.h"

/* Events taken from the log at a time. */
#define BATCH 64

/* A batch of this many bytes is complete: a watcher copies it whole, and its
 * connection takes no more at once. */
#define BATCH_BYTES YL_HTTP_PIECE

/* The largest event. */
#define MAX_EVENT ((size_t) 256 << 20)

struct yl_watch_class {
    struct yl_map_node node;    /* In the classes. */
    size_t n_members;           /* Guarded by the classes' lock. */
    struct yl_str identity;     /* In 'arena', like all that follows. */
    struct yl_arena *arena;
    const struct yl_api_resource *resource;
    struct yl_view view;
    struct yl_selection selection;

    /* Used by the thread that renders; if there is none, by the holder of the
     * lock. */
    struct yl_ks_cursor *cursor;    /* Where the log was read up to. */
    struct yl_arena *scratch;
    struct yl_buf text;

    struct yl_mutex lock;
    bool rendering YL_GUARDED;  /* Whether a thread renders. */
    struct yl_watch_waiter **waiters YL_GUARDED;    /* Wait until it has
                                                     * finished. */
    size_t n_waiters YL_GUARDED;
    struct yl_watch_batch **batches YL_GUARDED;     /* A ring of */
    size_t capacity YL_GUARDED; /* this many, a power of two. */
    uint64_t oldest YL_GUARDED; /* The first batch in the ring, */
    uint64_t newest YL_GUARDED; /* and behind the last one. */
    uint64_t first YL_GUARDED;  /* The position of the oldest frame, */
    uint64_t end YL_GUARDED;    /* and behind the last one. */
    size_t bytes YL_GUARDED;    /* Of all frames. */
    uint64_t revision YL_GUARDED;   /* Everything up to this one was read. */
    uint64_t complete_from YL_GUARDED;  /* No event after this one is
                                         * missing. */
    int broken YL_GUARDED;      /* 0, or why the log cannot be read further. */
};

/* The events that are being rendered into a class's 'text'. */
struct news {
    size_t n_frames;
    struct yl_watch_frame frames[BATCH];
};

struct yl_watch_classes {
    struct yl_mutex lock;
    struct yl_map by_identity;
};

static struct yl_str identity_of(struct yl_arena *,
                                 const struct yl_api_request *,
                                 const struct yl_view *,
                                 const struct yl_selection *);
static int class_new(struct yl_api_request *, const struct yl_view *,
                     const struct yl_selection *, uint64_t revision,
                     struct yl_str identity, struct yl_watch_class **ret_class,
                     struct yl_error *err);
static void class_free(struct yl_watch_class *);
static struct yl_watch_batch *batch_at(const struct yl_watch_class *class,
                                       uint64_t i) YL_REQUIRES(class->lock);
static void advance(struct yl_watch_class *class, struct yl_watch_waiter *)
    YL_REQUIRES(class->lock);

void
yl_watch_batch_unref(struct yl_watch_batch *batch)
{
    if (batch && yl_ref_put(&batch->ref)) {
        free(batch);
    }
}

struct yl_watch_classes *
yl_watch_classes_new(void)
{
    struct yl_watch_classes *classes = yl_zalloc(sizeof *classes);

    yl_mutex_init(&classes->lock);
    yl_map_init(&classes->by_identity);
    return classes;
}

void
yl_watch_classes_free(struct yl_watch_classes *classes)
{
    if (classes) {
        yl_map_release(&classes->by_identity);
        yl_mutex_destroy(&classes->lock);
        free(classes);
    }
}

static struct yl_watch_class *
find(struct yl_watch_classes *classes, struct yl_str identity, size_t hash)
{
    struct yl_watch_class *class;

    YL_MAP_FOR_EACH_WITH_HASH (class, node, hash, &classes->by_identity) {
        if (yl_str_equal(class->identity, identity)) {
            return class;
        }
    }
    return NULL;
}

int
yl_watch_class_join(struct yl_watch_classes *classes,
                    struct yl_api_request *req, const struct yl_view *view,
                    const struct yl_selection *selection, uint64_t revision,
                    struct yl_watch_class **ret_class, struct yl_error *err)
{
    struct yl_str identity = identity_of(view->scratch, req, view, selection);
    size_t hash = yl_hash_str(identity);
    struct yl_watch_class *class;
    int r = 0;

    yl_mutex_lock(&classes->lock);
    class = find(classes, identity, hash);
    if (!class) {
        r = class_new(req, view, selection, revision, identity, &class, err);
        if (r == 0) {
            yl_map_insert(&classes->by_identity, &class->node, hash);
        }
    }
    if (r == 0) {
        class->n_members++;
        *ret_class = class;
    }
    yl_mutex_unlock(&classes->lock);
    return r;
}

void
yl_watch_class_leave(struct yl_watch_classes *classes,
                     struct yl_watch_class *class)
{
    bool last;

    yl_mutex_lock(&classes->lock);
    last = !--class->n_members;
    if (last) {
        yl_map_remove(&classes->by_identity, &class->node);
    }
    yl_mutex_unlock(&classes->lock);
    if (last) {
        class_free(class);
    }
}

bool
yl_watch_class_find(struct yl_watch_class *class, uint64_t revision,
                    uint64_t *ret_position)
{
    bool found;

    yl_mutex_lock(&class->lock);
    found = revision >= class->complete_from && !class->broken;
    if (found) {
        uint64_t low = class->oldest, high = class->newest;
        const struct yl_watch_batch *batch;
        size_t i = 0;

        while (low < high) {
            uint64_t middle = low + (high - low) / 2;

            batch = batch_at(class, middle);
            if (batch->frames[batch->n_frames - 1].revision <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        *ret_position = class->end;
        if (low < class->newest) {
            batch = batch_at(class, low);
            while (batch->frames[i].revision <= revision) {
                i++;
            }
            *ret_position = batch->first + i;
        }
    }
    yl_mutex_unlock(&class->lock);
    return found;
}

/* The batch that contains the frame at a position.  The frame must not have
 * been dropped yet. */
static struct yl_watch_batch *
find_batch(const struct yl_watch_class *class, uint64_t position)
    YL_REQUIRES(class->lock)
{
    uint64_t low = class->oldest, high = class->newest - 1;

    /* Most watchers want the newest one. */
    while (low < high && batch_at(class, high)->first > position) {
        uint64_t middle = low + (high - low) / 2;

        if (batch_at(class, middle)->first + batch_at(class, middle)->n_frames
            <= position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return batch_at(class, high);
}

int
yl_watch_class_read(struct yl_watch_class *class, uint64_t position,
                    struct yl_watch_waiter *waiter,
                    struct yl_watch_batch **ret_batch, uint64_t *ret_revision)
{
    int r;

    yl_mutex_lock(&class->lock);
    if (position >= class->end) {
        advance(class, waiter);
    }
    if (position < class->first) {
        r = YL_EEXPIRED;
    } else if (position < class->end) {
        struct yl_watch_batch *batch = find_batch(class, position);

        yl_ref_get(&batch->ref);
        *ret_batch = batch;
        *ret_revision = batch->frames[batch->n_frames - 1].revision;
        r = 1;
    } else if (class->broken) {
        r = class->broken;
    } else {
        *ret_revision = class->revision;
        r = 0;
    }
    yl_mutex_unlock(&class->lock);
    return r;
}

bool
yl_watch_class_has_news(struct yl_watch_class *class, uint64_t position,
                        struct yl_watch_waiter *waiter)
{
    bool news;

    yl_mutex_lock(&class->lock);
    if (position >= class->end) {
        advance(class, waiter);
    }
    news = position < class->end || class->broken;
    yl_mutex_unlock(&class->lock);
    return news;
}

/* A key for the class: everything that decides which bytes a watch sees. */
static struct yl_str
identity_of(struct yl_arena *arena, const struct yl_api_request *req,
            const struct yl_view *view, const struct yl_selection *selection)
{
    struct yl_str labels = selection->labels
                               ? yl_selector_text(selection->labels, arena)
                               : yl_str_null();
    struct yl_str fields = selection->fields
                               ? yl_field_selector_text(selection->fields,
                                                        arena)
                               : yl_str_null();

    const struct yl_str parts[] = {
        req->version->group, req->version->version, selection->namespace_,
        selection->name, labels, fields,
    };
    struct yl_buf text;
    struct yl_str identity;
    size_t i;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_printf(&text, "%p %d %d %d %d", (const void *) req->resource,
                  view->form, view->include, req->accept.v1beta1,
                  view->protobuf);

    /* Watches with different keys may be allowed to see different namespaces,
     * so two keys must never be equal by chance.  Each part has its size in
     * front, so that its content cannot be mistaken for several parts. */
    for (i = 0; i < YL_ARRAY_SIZE(parts); i++) {
        yl_buf_printf(&text, " %zu:", parts[i].size);
        yl_buf_append_str(&text, parts[i]);
    }
    identity = yl_arena_copy(arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return identity;
}

/* A copy of the selection that does not depend on the request. */
static int
copy_selection(struct yl_arena *arena, const struct yl_selection *from,
               struct yl_selection *to, struct yl_error *err)
{
    int r = 0;

    *to = *from;
    to->namespace_ = yl_arena_copy(arena, from->namespace_);
    to->name = yl_arena_copy(arena, from->name);
    if (from->labels) {
        r = yl_selector_parse(yl_selector_text(from->labels, arena), arena,
                              &to->labels, err);
    }
    if (r == 0 && from->fields) {
        r = yl_field_selector_parse(yl_field_selector_text(from->fields,
                                                           arena),
                                    arena, &to->fields, err);
    }
    return r;
}

static int
class_new(struct yl_api_request *req, const struct yl_view *view,
          const struct yl_selection *selection, uint64_t revision,
          struct yl_str identity, struct yl_watch_class **ret_class,
          struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_watch_class *class = yl_arena_zalloc(arena, sizeof *class);
    struct yl_ks_scope scope;
    int r;

    class->arena = arena;
    r = copy_selection(arena, selection, &class->selection, err);
    if (r == 0) {
        scope.namespace_ = class->selection.namespace_;
        scope.name = class->selection.name;
        r = yl_ks_cursor_open(req->resource->objects, &scope, revision,
                              &class->cursor, err);
    }
    if (r < 0) {
        yl_arena_free(arena);
        return r;
    }
    class->identity = yl_arena_copy(arena, identity);
    class->resource = yl_api_resource_ref(req->resource);
    class->view = *view;
    class->view.type.api_version = yl_arena_copy(arena,
                                                 view->type.api_version);
    class->scratch = yl_arena_new();
    class->view.scratch = class->scratch;
    yl_buf_init(&class->text, MAX_EVENT);
    yl_mutex_init(&class->lock);
    yl_mutex_lock(&class->lock);
    class->complete_from = class->revision = revision;
    yl_mutex_unlock(&class->lock);
    *ret_class = class;
    return 0;
}

static void
class_free(struct yl_watch_class *class)
{
    yl_mutex_lock(&class->lock);
    for (; class->oldest < class->newest; class->oldest++) {
        yl_watch_batch_unref(batch_at(class, class->oldest));
    }
    free(class->batches);
    free(class->waiters);
    yl_mutex_unlock(&class->lock);
    yl_ks_cursor_close(class->cursor);
    yl_api_resource_unref(class->resource);
    yl_buf_release(&class->text);
    yl_arena_free(class->scratch);
    yl_mutex_destroy(&class->lock);
    yl_arena_free(class->arena);
}

static struct yl_watch_batch *
batch_at(const struct yl_watch_class *class, uint64_t i)
{
    return class->batches[i & (class->capacity - 1)];
}

static size_t
batch_size(const struct yl_watch_batch *batch)
{
    return batch->frames[batch->n_frames - 1].end;
}

/* Drops the oldest batch; the class stays complete after the revisions of that
 * batch. */
static void
drop_oldest(struct yl_watch_class *class) YL_REQUIRES(class->lock)
{
    struct yl_watch_batch *batch = batch_at(class, class->oldest++);

    class->first = batch->first + batch->n_frames;
    class->complete_from = batch->frames[batch->n_frames - 1].revision;
    class->bytes -= batch_size(batch);
    yl_watch_batch_unref(batch);
}

/* Doubles the ring; batches keep their numbers. */
static void
grow(struct yl_watch_class *class) YL_REQUIRES(class->lock)
{
    size_t capacity = class->capacity ? 2 * class->capacity : 8;
    struct yl_watch_batch **batches = yl_malloc_array(capacity,
                                                      sizeof *batches);
    uint64_t i;

    for (i = class->oldest; i < class->newest; i++) {
        batches[i & (capacity - 1)] = batch_at(class, i);
    }
    free(class->batches);
    class->batches = batches;
    class->capacity = capacity;
}

static void
add_batch(struct yl_watch_class *class, struct yl_watch_batch *batch)
    YL_REQUIRES(class->lock)
{
    size_t size = batch_size(batch);

    while (class->oldest < class->newest
           && (class->end - class->first + batch->n_frames > YL_WATCH_FRAMES
               || class->bytes + size > YL_WATCH_BYTES)) {
        drop_oldest(class);
    }
    if (class->newest - class->oldest == class->capacity) {
        grow(class);
    }
    batch->first = class->end;
    class->batches[class->newest++ & (class->capacity - 1)] = batch;
    class->end += batch->n_frames;
    class->bytes += size;
}

/* Makes a batch of what was rendered, if anything was. */
static void
finish_batch(struct yl_watch_class *class, struct news *news)
    YL_EXCLUDES(class->lock)
{
    size_t frames_size = news->n_frames * sizeof *news->frames;
    struct yl_watch_batch *batch;
    char *bytes;

    if (!news->n_frames) {
        return;
    }
    batch = yl_malloc(sizeof *batch + frames_size + class->text.size);
    bytes = (char *) batch->frames + frames_size;
    yl_ref_init(&batch->ref);
    batch->n_frames = news->n_frames;
    batch->bytes = bytes;
    memcpy(batch->frames, news->frames, frames_size);
    memcpy(bytes, class->text.data, class->text.size);
    news->n_frames = 0;
    yl_buf_clear(&class->text);
    yl_mutex_lock(&class->lock);
    add_batch(class, batch);
    yl_mutex_unlock(&class->lock);
}

/* Renders one event behind the others: 0, or a negative code. */
static int
render_event(struct yl_watch_class *class, const struct yl_ks_event *event,
             struct news *news)
{
    size_t columns, start = class->text.size;
    int r = yl_watch_render(&class->view, &class->selection, event,
                            &class->text, &columns, NULL);

    if (r > 0) {
        news->frames[news->n_frames++] = (struct yl_watch_frame) {
            event->revision, columns, class->text.size,
        };
    } else {
        class->text.size = start;
    }
    yl_arena_clear(class->scratch);
    return r < 0 ? r : 0;
}

/* Renders events and drops the references to them.  If one cannot be rendered,
 * the class is broken from there on, and its watchers read the log by
 * themselves. */
static int
render(struct yl_watch_class *class, struct yl_ks_event *events, int n)
    YL_EXCLUDES(class->lock)
{
    struct news news;
    int i, r = 0;

    news.n_frames = 0;
    yl_buf_clear(&class->text);
    for (i = 0; i < n; i++) {
        if (r == 0) {
            r = render_event(class, &events[i], &news);
        }
        if (class->text.size >= BATCH_BYTES) {
            finish_batch(class, &news);
        }
        yl_object_unref(events[i].object);
        yl_object_unref(events[i].previous);
    }
    finish_batch(class, &news);
    return r;
}

static void
add_waiter(struct yl_watch_class *class, struct yl_watch_waiter *waiter)
    YL_REQUIRES(class->lock)
{
    size_t i;

    for (i = 0; i < class->n_waiters; i++) {
        if (class->waiters[i] == waiter) {
            return;
        }
    }
    class->waiters = yl_realloc_array(class->waiters, i + 1,
                                      sizeof *class->waiters);
    class->waiters[class->n_waiters++] = waiter;
}

/* Wakes the threads that waited for the rendering to finish.  Does so without
 * the lock. */
static void
wake_waiters(struct yl_watch_class *class) YL_REQUIRES(class->lock)
{
    struct yl_watch_waiter **waiters = class->waiters;
    size_t i, n = class->n_waiters;

    if (n) {
        class->waiters = NULL;
        class->n_waiters = 0;
        yl_mutex_unlock(&class->lock);
        for (i = 0; i < n; i++) {
            waiters[i]->wake(waiters[i]);
        }
        free(waiters);
        yl_mutex_lock(&class->lock);
    }
}

/* Reads the log until there is a frame or nothing new.  It must not stop
 * earlier: a watcher that finds no frame is not woken again for events that
 * were written before. */
static void
advance(struct yl_watch_class *class, struct yl_watch_waiter *waiter)
{
    struct yl_ks_event events[BATCH];
    uint64_t end = class->end;

    if (class->rendering) {
        add_waiter(class, waiter);
        return;
    }
    while (class->end == end && !class->broken) {
        int r = 0, n = yl_ks_cursor_next(class->cursor, events, BATCH);

        if (n > 0) {
            class->rendering = true;
            yl_mutex_unlock(&class->lock);
            r = render(class, events, n);
            yl_mutex_lock(&class->lock);
        }
        class->revision = yl_ks_cursor_revision(class->cursor);
        if (n < 0 || r < 0) {
            class->broken = YL_EEXPIRED;
        }
        if (n <= 0) {
            break;
        }
    }
    if (class->rendering) {
        class->rendering = false;
        wake_waiters(class);
    }
}
