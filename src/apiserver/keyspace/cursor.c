/* Cursors: a watcher's place in the log.  See apiserver/keyspace/keyspace.h
 * for the contract. */

#include "apiserver/keyspace/resource.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Events checked under one hold of the lock. */
#define STEP 256

struct yl_ks_cursor {
    struct yl_ks_resource *resource;
    struct yl_ks_log_position position;
    uint64_t behind;            /* The revision it was opened at. */
    uint64_t revision;          /* All events up to it were seen. */

    /* The log's end when all events were seen: while that is unchanged, the
     * lock is not needed.  0: there may be more. */
    uint64_t idle_end;

    /* For what the log has no links for: a name in all namespaces. */
    size_t name_size;
    char name[];
};

static bool is_in_scope(const struct yl_ks_cursor *,
                        const struct yl_ks_version *);
static int collect(struct yl_ks_cursor *cursor, struct yl_ks_event *,
                   size_t max, uint64_t published, size_t *n)
    YL_REQUIRES(cursor->resource->lock);
static void note_seen(struct yl_ks_cursor *cursor, uint64_t revision)
    YL_REQUIRES(cursor->resource->lock);
static void fill_in(struct yl_ks_event *, const struct yl_ks_version *);

int
yl_ks_cursor_open(struct yl_ks_resource *resource,
                  const struct yl_ks_scope *scope, uint64_t revision,
                  struct yl_ks_cursor **ret_cursor, struct yl_error *err)
{
    struct yl_key key = { { NULL, 0 }, { NULL, 0 } };
    const struct yl_ks_version *newest = NULL;
    struct yl_str filter = yl_str_null();
    struct yl_ks_cursor *cursor;
    uint64_t dropped;

    if (scope) {
        key.namespace_ = resource->namespaced ? scope->namespace_ : filter;
        key.name = scope->name;
    }
    if (key.namespace_.size > YL_KS_MAX_KEY || key.name.size > YL_KS_MAX_KEY) {
        return yl_error_set(err, YL_EINVALID, "name is too long");
    }
    if (resource->namespaced && !key.namespace_.size) {
        filter = key.name;
        key.name = yl_str_null();
    }
    cursor = yl_zalloc(sizeof *cursor + filter.size);
    cursor->resource = resource;
    cursor->behind = cursor->revision = revision;
    cursor->name_size = filter.size;
    if (filter.size) {
        memcpy(cursor->name, filter.data, filter.size);
    }
    yl_mutex_lock(&resource->lock);
    dropped = resource->dropped;
    if (revision >= dropped) {
        if (key.name.size) {
            char space[YL_KS_MAX_KEY];

            newest = yl_btree_get(&resource->tree,
                                  yl_ks_resource_text(resource, &key, space));
        }
        yl_ks_log_open(&resource->log, &key, newest, revision,
                       &cursor->position);
    }
    yl_mutex_unlock(&resource->lock);
    if (revision < dropped) {
        free(cursor);
        return yl_error_set(err, YL_EEXPIRED,
                            "too old resource version: %llu (%llu)",
                            (unsigned long long) revision,
                            (unsigned long long) dropped);
    }
    *ret_cursor = cursor;
    return 0;
}

int
yl_ks_cursor_next(struct yl_ks_cursor *cursor, struct yl_ks_event *events,
                  size_t max)
{
    const struct yl_ks_resource *resource = cursor->resource;
    size_t n = 0;
    int r = 1;

    max = max < INT32_MAX ? max : INT32_MAX;
    while (n < max && r > 0) {
        /* The order matters: what is published at this load is in the log. */
        uint64_t published = atomic_load_explicit(resource->published,
                                                  memory_order_acquire);
        uint64_t end = atomic_load_explicit(&resource->log_end,
                                            memory_order_acquire);

        if (cursor->idle_end == end) {
            r = 0;
        } else {
            yl_mutex_lock(&cursor->resource->lock);
            r = collect(cursor, events, max, published, &n);
            yl_mutex_unlock(&cursor->resource->lock);
        }
        if (r == 0 && cursor->revision < published) {
            cursor->revision = published;
        }
    }
    return r < 0 && n == 0 ? r : (int) n;
}

uint64_t
yl_ks_cursor_revision(const struct yl_ks_cursor *cursor)
{
    return cursor->revision;
}

void
yl_ks_cursor_close(struct yl_ks_cursor *cursor)
{
    if (cursor) {
        struct yl_ks_resource *resource = cursor->resource;

        yl_mutex_lock(&resource->lock);
        yl_ks_log_close(&resource->log, &cursor->position);
        yl_mutex_unlock(&resource->lock);
        free(cursor);
    }
}

/* Appends events to the '*n' that are there.  1 if there may be more, 0 if
 * there are none now, or YL_EEXPIRED. */
static int
collect(struct yl_ks_cursor *cursor, struct yl_ks_event *events, size_t max,
        uint64_t published, size_t *n)
{
    struct yl_ks_log *log = &cursor->resource->log;
    struct yl_ks_version *version;
    uint64_t seen = 0;
    size_t n_seen;
    int r = 1;

    cursor->idle_end = 0;
    for (n_seen = 0; n_seen < STEP && *n < max; n_seen++) {
        r = yl_ks_log_peek(log, &cursor->position, &version);
        if (r == 0) {
            /* There may be entries that are not published yet. */
            cursor->idle_end = log->end;
        }
        if (r > 0 && version->revision > published) {
            r = 0;
        }
        if (r <= 0) {
            break;
        }

        /* A cursor that was opened at a future revision skips events before
         * it. */
        seen = version->revision;
        if (seen > cursor->behind && is_in_scope(cursor, version)) {
            fill_in(&events[(*n)++], version);
        }
        yl_ks_log_step(log, &cursor->position);
    }
    note_seen(cursor, seen);
    return r;
}

/* Notes that all events of a revision were seen, unless the next event has the
 * same one, as writes that went together may. */
static void
note_seen(struct yl_ks_cursor *cursor, uint64_t revision)
{
    struct yl_ks_version *next;

    if (revision > cursor->revision) {
        if (yl_ks_log_peek(&cursor->resource->log, &cursor->position, &next)
                > 0
            && next->revision == revision) {
            revision--;
        }
        cursor->revision = revision;
    }
}

static bool
is_in_scope(const struct yl_ks_cursor *cursor,
            const struct yl_ks_version *version)
{
    const struct yl_object *object = version->object
                                     ? version->object
                                     : version->older->object;

    return cursor->name_size == 0
           || yl_str_equal(yl_object_name(object),
                           yl_str_n(cursor->name, cursor->name_size));
}

static void
fill_in(struct yl_ks_event *event, const struct yl_ks_version *version)
{
    bool was = yl_ks_version_is_change(version);

    event->revision = version->revision;
    event->previous = was ? yl_object_ref(version->older->object) : NULL;
    if (!version->object) {
        event->type = YL_KS_DELETED;
        event->object = yl_object_ref(version->older->object);
    } else {
        event->type = was ? YL_KS_MODIFIED : YL_KS_ADDED;
        event->object = yl_object_ref(version->object);
    }
}
