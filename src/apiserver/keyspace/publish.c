/* Publishing.  See apiserver/keyspace/publish.h for the contract. */

#include "apiserver/keyspace/publish.h"

#include <stdlib.h>

#include "apiserver/keyspace/resource.h"
#include "base/alloc.h"
#include "object/object.h"
#include "storage/storage.h"
#include "yuloh/log.h"

/* Rows published under one hold of a resource's lock. */
#define STEP 32

/* Consecutive rows of one resource, which are added to it together. */
struct run {
    struct yl_ks_resource *resource;
    struct change {
        struct yl_str text;
        struct yl_ks_version *version;
        bool foreign, unreadable;
    } changes[STEP];
    size_t n;
    size_t bytes;               /* Of history, made by earlier ones. */
};

static void add_own(struct run *, const struct yl_storage_row *);
static void add_foreign(struct run *, const struct yl_storage_row *);
static bool was_unreadable(struct yl_ks_resource *,
                           const struct yl_storage_row *);
static struct change *add(struct run *, const struct yl_storage_row *,
                          const struct yl_object *);
static void flush(struct yl_ks_publisher *, struct run *);
static void touch(struct yl_ks_publisher *, struct yl_ks_resource *);
static void touch_added(struct yl_ks_publisher *,
                        const struct yl_storage_row *, size_t n_rows);

void
yl_ks_publisher_release(struct yl_ks_publisher *publisher)
{
    free(publisher->touched);
}

void
yl_ks_publish(struct yl_ks_publisher *publisher,
              const struct yl_storage_row *rows, size_t n_rows, yl_msec now)
{
    struct run run;
    bool aside = false;
    size_t i;

    run.resource = NULL;
    run.n = run.bytes = 0;
    for (i = 0; i < n_rows; i++) {
        const struct yl_ks_write *own = rows[i].write ? rows[i].write->aux
                                                      : NULL;
        struct yl_ks_resource *resource
            = own ? own->resource
                  : yl_ks_resources_find(publisher->resources, &rows[i]);

        if (!resource) {
            aside = true;       /* It was kept aside. */
            continue;
        }
        if (resource != run.resource || run.n == STEP) {
            flush(publisher, &run);
            run.resource = resource;
        }
        if (own) {
            add_own(&run, &rows[i]);
        } else {
            add_foreign(&run, &rows[i]);
        }
    }
    flush(publisher, &run);
    atomic_store_explicit(publisher->revision, rows[n_rows - 1].revision,
                          memory_order_release);
    yl_ks_history_note(publisher->history, now, rows[n_rows - 1].revision,
                       run.bytes);
    if (aside) {
        touch_added(publisher, rows, n_rows);
    }
    for (i = 0; i < publisher->n_touched; i++) {
        yl_ks_resource_wake(publisher->touched[i]);
    }
    publisher->n_touched = 0;
}

void
yl_ks_publish_progress(struct yl_ks_publisher *publisher, uint64_t revision,
                       yl_msec now)
{
    atomic_store_explicit(publisher->revision, revision,
                          memory_order_release);
    yl_ks_history_note(publisher->history, now, revision, 0);
}

/* Adds a copy of our own object.  Blocks are made by threads that serve
 * requests, between allocations that are freed with the request; kept where
 * they are, they would leave holes of a third of their size.  Copies lie
 * close together, share managedFields, and are cheap compared with a
 * commit. */
static void
add_own(struct run *run, const struct yl_storage_row *row)
{
    const struct yl_ks_write *write = row->write->aux;
    struct yl_object *object = write->object ? yl_object_keep(write->object)
                                             : NULL;

    add(run, row, object);
    yl_object_unref(object);
}

/* Adds a row that another server wrote, whatever it contains. */
static void
add_foreign(struct run *run, const struct yl_storage_row *row)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object = NULL;
    int r = yl_ks_resources_read(run->resource, row, &object, &err);

    if (r < 0 && !was_unreadable(run->resource, row)) {
        yl_log_error(r, "Cannot read what somebody else has stored",
                     YL_LOG_ERROR(&err));
    }
    yl_error_clear(&err);
    if (r != YL_ENOTFOUND) {
        struct change *change = add(run, row, object);

        change->foreign = true;
        change->unreadable = r < 0;
    }
    yl_object_unref(object);
}

/* Was the key unreadable before?  Then it is not logged again, as such a row
 * may be rewritten all day long. */
static bool
was_unreadable(struct yl_ks_resource *resource,
               const struct yl_storage_row *row)
{
    struct yl_str text = yl_str_skip(row->key, resource->prefix_size);
    const struct yl_ks_version *last = yl_ks_resource_last(resource, text);

    return last && last->unreadable;
}

static struct change *
add(struct run *run, const struct yl_storage_row *row,
    const struct yl_object *object)
{
    struct change *change = &run->changes[run->n++];

    *change = (struct change) {
        .text = yl_str_skip(row->key, run->resource->prefix_size),
        .version = yl_ks_pool_take(&run->resource->pool, object,
                                   row->revision),
    };
    return change;
}

static void
flush(struct yl_ks_publisher *publisher, struct run *run)
{
    struct yl_ks_resource *resource = run->resource;
    size_t i;

    if (!run->n) {
        return;
    }
    yl_mutex_lock(&resource->lock);
    for (i = 0; i < run->n; i++) {
        const struct change *change = &run->changes[i];

        run->bytes += change->foreign
            ? yl_ks_resource_put_foreign(resource, change->text,
                                         change->version, change->unreadable)
            : yl_ks_resource_put(resource, change->text, change->version);
    }
    yl_mutex_unlock(&resource->lock);
    run->n = 0;
    touch(publisher, resource);
}

/* Notes the resource, whose listeners are woken once for each call. */
static void
touch(struct yl_ks_publisher *publisher, struct yl_ks_resource *resource)
{
    size_t n = publisher->n_touched;

    if (n && publisher->touched[n - 1] == resource) {
        return;
    }
    if (n == publisher->max_touched) {
        publisher->max_touched = n * 2 + 8;
        publisher->touched = yl_realloc_array(publisher->touched,
                                              publisher->max_touched,
                                              sizeof *publisher->touched);
    }
    publisher->touched[publisher->n_touched++] = resource;
}

/* A resource that was added after a row of it was put aside has taken the row
 * when nobody could see it yet. */
static void
touch_added(struct yl_ks_publisher *publisher,
            const struct yl_storage_row *rows, size_t n_rows)
{
    size_t i;

    for (i = 0; i < n_rows; i++) {
        struct yl_ks_resource *resource
            = rows[i].write ? NULL
                            : yl_ks_resources_of(publisher->resources,
                                                 rows[i].key);

        if (resource) {
            touch(publisher, resource);
        }
    }
}
