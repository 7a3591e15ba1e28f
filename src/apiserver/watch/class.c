/* Watch classes.  See apiserver/watch/class.h for the contract. */

#include "apiserver/watch/class.h"

#include <stdlib.h>
#include <string.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/request.h"
#include "apiserver/watch/render.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/arena.h"

/* Events taken from the log at a time. */
#define BATCH 64

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

    struct yl_mutex lock;
    struct yl_ks_cursor *cursor;    /* Where the log was read up to. */
    struct yl_arena *scratch;
    struct yl_buf text;
    struct yl_watch_frame **frames;     /* A ring of */
    size_t capacity;            /* this many, a power of two. */
    uint64_t first, end;        /* Positions of the oldest, behind the last. */
    size_t bytes;               /* Of all frames. */
    uint64_t complete_from;     /* Everything behind this revision is here. */
    int broken;                 /* Why the log could not be read on. */
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
static void advance(struct yl_watch_class *class) YL_REQUIRES(class->lock);

void
yl_watch_frame_unref(struct yl_watch_frame *frame)
{
    if (frame && yl_ref_put(&frame->ref)) {
        free(frame);
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
        uint64_t low = class->first, high = class->end;

        while (low < high) {
            uint64_t middle = low + (high - low) / 2;

            if (class->frames[middle & (class->capacity - 1)]->revision
                <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        *ret_position = low;
    }
    yl_mutex_unlock(&class->lock);
    return found;
}

int
yl_watch_class_read(struct yl_watch_class *class, uint64_t position,
                    struct yl_watch_frame **frames, size_t max,
                    uint64_t *ret_revision)
{
    size_t n = 0;
    int r;

    yl_mutex_lock(&class->lock);
    if (position >= class->end) {
        advance(class);
    }
    while (position >= class->first && position + n < class->end && n < max) {
        frames[n] = class->frames[(position + n) & (class->capacity - 1)];
        yl_ref_get(&frames[n]->ref);
        n++;
    }
    r = position < class->first ? YL_EEXPIRED : n ? (int) n : class->broken;
    *ret_revision = n ? frames[n - 1]->revision
                      : yl_ks_cursor_revision(class->cursor);
    yl_mutex_unlock(&class->lock);
    return r;
}

bool
yl_watch_class_has_news(struct yl_watch_class *class, uint64_t position)
{
    bool news;

    yl_mutex_lock(&class->lock);
    if (position >= class->end) {
        advance(class);
    }
    news = position < class->end || class->broken;
    yl_mutex_unlock(&class->lock);
    return news;
}

/* Everything that makes two watches see the same bytes. */
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

    return yl_str_c(yl_arena_printf(
        arena, "%p\n%.*s/%.*s\n%.*s\n%.*s\n%.*s\n%.*s\n%d %d %d %d",
        (const void *) req->resource, YL_STR_ARG(req->version->group),
        YL_STR_ARG(req->version->version), YL_STR_ARG(selection->namespace_),
        YL_STR_ARG(selection->name), YL_STR_ARG(labels), YL_STR_ARG(fields),
        view->form, view->include, req->accept.v1beta1, view->protobuf));
}

/* A copy of the selection that does not hang on the request. */
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
    class->complete_from = revision;
    class->scratch = yl_arena_new();
    class->view.scratch = class->scratch;
    yl_mutex_init(&class->lock);
    yl_buf_init(&class->text, MAX_EVENT);
    *ret_class = class;
    return 0;
}

static void
class_free(struct yl_watch_class *class)
{
    for (; class->first < class->end; class->first++) {
        yl_watch_frame_unref(
            class->frames[class->first & (class->capacity - 1)]);
    }
    free(class->frames);
    yl_ks_cursor_close(class->cursor);
    yl_api_resource_unref(class->resource);
    yl_buf_release(&class->text);
    yl_arena_free(class->scratch);
    yl_mutex_destroy(&class->lock);
    yl_arena_free(class->arena);
}

/* Lets the oldest frame go; what is behind its revision stays complete. */
static void
drop_oldest(struct yl_watch_class *class) YL_REQUIRES(class->lock)
{
    struct yl_watch_frame *frame =
        class->frames[class->first++ & (class->capacity - 1)];

    class->complete_from = frame->revision;
    class->bytes -= frame->size;
    yl_watch_frame_unref(frame);
}

/* Doubles the ring; frames keep their positions. */
static void
grow(struct yl_watch_class *class) YL_REQUIRES(class->lock)
{
    size_t capacity = class->capacity ? 2 * class->capacity : 8;
    struct yl_watch_frame **frames = yl_malloc_array(capacity,
                                                     sizeof *frames);
    uint64_t i;

    for (i = class->first; i < class->end; i++) {
        frames[i & (capacity - 1)] = class->frames[i & (class->capacity - 1)];
    }
    free(class->frames);
    class->frames = frames;
    class->capacity = capacity;
}

static void
add_frame(struct yl_watch_class *class, uint64_t revision, size_t columns)
    YL_REQUIRES(class->lock)
{
    struct yl_watch_frame *frame = yl_malloc(sizeof *frame
                                             + class->text.size);

    yl_ref_init(&frame->ref);
    frame->revision = revision;
    frame->columns = columns;
    frame->size = class->text.size;
    memcpy(frame->bytes, class->text.data, class->text.size);
    if (class->end - class->first == class->capacity
        && class->capacity < YL_WATCH_FRAMES) {
        grow(class);
    }
    while (class->first < class->end
           && (class->end - class->first == YL_WATCH_FRAMES
               || class->bytes + frame->size > YL_WATCH_BYTES)) {
        drop_oldest(class);
    }
    class->frames[class->end++ & (class->capacity - 1)] = frame;
    class->bytes += frame->size;
}

/* Renders the next events of the log.  Their number, or less if one cannot be
 * rendered: watchers see for themselves then. */
static int
render_batch(struct yl_watch_class *class) YL_REQUIRES(class->lock)
{
    struct yl_ks_event events[BATCH];
    int n = yl_ks_cursor_next(class->cursor, events, BATCH), i;

    if (n < 0) {
        class->broken = n;
    }
    for (i = 0; i < n; i++) {
        size_t columns;
        int r = 0;

        yl_buf_clear(&class->text);
        if (!class->broken) {
            r = yl_watch_render(&class->view, &class->selection, &events[i],
                                &class->text, &columns, NULL);
        }
        if (r > 0) {
            add_frame(class, events[i].revision, columns);
        } else if (r < 0) {
            class->broken = YL_EEXPIRED;
        }
        yl_object_unref(events[i].object);
        yl_object_unref(events[i].previous);
        yl_arena_clear(class->scratch);
    }
    return n;
}

/* Reads the log until there is a frame or nothing new: who looks in vain is
 * not woken again for what was written before. */
static void
advance(struct yl_watch_class *class)
{
    uint64_t end = class->end;

    while (class->end == end && !class->broken && render_batch(class) > 0) {
        continue;
    }
}
