/* Keyspace: its resources, and how they are filled from storage.  See
 * apiserver/keyspace/keyspace.h for the contract. */

#include "apiserver/keyspace/keyspace.h"

#include <stdlib.h>

#include "apiserver/keyspace/aside.h"
#include "apiserver/keyspace/resource.h"
#include "apiserver/keyspace/writer.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "storage/storage.h"
#include "yuloh/log.h"

#define HISTORY_AGE (5 * 60 * 1000)
#define HISTORY_BYTES ((size_t) 256 << 20)
#define MAX_BATCH 256
#define MAX_WAITING 65536

struct yl_keyspace {
    struct yl_storage *storage;
    struct yl_clock *clock;
    struct yl_ks_history history;
    struct yl_ks_resources resources;

    struct yl_mutex lock;       /* Outermost; held while rows are read. */
    struct yl_map by_prefix YL_GUARDED;     /* All resources. */
    struct yl_ks_aside aside YL_GUARDED;
    _Atomic uint64_t revision;  /* The newest that is published. */
    struct yl_ks_writer *writer;
};

struct waiter {
    struct yl_mutex lock;
    struct yl_cond changed;
    bool is_done YL_GUARDED;
};

static struct yl_ks_resource *find(struct yl_keyspace *ks,
                                   struct yl_str prefix)
    YL_REQUIRES(ks->lock);
static struct yl_ks_resource *find_of_key(struct yl_keyspace *ks,
                                          struct yl_str)
    YL_REQUIRES(ks->lock);
static int load_row(void *, const struct yl_storage_row *, struct yl_error *);
static int put_row(struct yl_ks_resource *, const struct yl_storage_row *,
                   size_t *bytes, struct yl_error *);
static int put_aside_row(void *, const struct yl_storage_row *,
                         struct yl_error *);
static void settle(struct yl_ks_resource *, uint64_t compacted);
static void waiter_done(struct yl_ks_write *);

struct yl_keyspace *
yl_keyspace_new(struct yl_storage *storage,
                const struct yl_keyspace_opts *opts)
    YL_NO_THREAD_SAFETY
{
    static const struct yl_keyspace_opts no_opts;
    struct yl_keyspace *ks = yl_zalloc(sizeof *ks);

    opts = opts ? opts : &no_opts;
    ks->storage = storage;
    ks->clock = opts->clock;
    yl_ks_history_init(&ks->history,
                       opts->history_age ? opts->history_age : HISTORY_AGE,
                       opts->history_bytes ? opts->history_bytes
                                           : HISTORY_BYTES);
    yl_mutex_init(&ks->resources.lock);
    yl_list_init(&ks->resources.all);
    yl_mutex_init(&ks->lock);
    yl_map_init(&ks->by_prefix);
    yl_ks_aside_init(&ks->aside);
    atomic_init(&ks->revision, 1);
    ks->writer = yl_ks_writer_new(&(struct yl_ks_writer_opts) {
        .storage = storage,
        .resources = &ks->resources,
        .history = &ks->history,
        .published = &ks->revision,
        .clock = opts->clock,
        .max_batch = opts->max_batch ? opts->max_batch : MAX_BATCH,
        .max_waiting = opts->max_waiting ? opts->max_waiting : MAX_WAITING,
    });
    return ks;
}

void
yl_keyspace_free(struct yl_keyspace *ks)
    YL_NO_THREAD_SAFETY
{
    struct yl_ks_resource *resource;

    if (!ks) {
        return;
    }
    yl_ks_writer_free(ks->writer);
    YL_LIST_FOR_EACH_SAFE (resource, node, &ks->resources.all) {
        yl_ks_resource_free(resource);
    }
    yl_map_release(&ks->by_prefix);
    yl_ks_aside_release(&ks->aside);
    yl_mutex_destroy(&ks->lock);
    yl_mutex_destroy(&ks->resources.lock);
    yl_ks_history_release(&ks->history);
    free(ks);
}

struct yl_ks_resource *
yl_keyspace_add(struct yl_keyspace *ks, struct yl_str prefix, bool namespaced,
                struct yl_type_meta stored_as)
{
    struct yl_ks_resource *resource;

    yl_mutex_lock(&ks->lock);
    resource = find(ks, prefix);
    if (!resource) {
        resource = yl_ks_resource_new(&ks->history, &ks->revision, ks->clock,
                                      prefix, namespaced);
        yl_ks_aside_take(&ks->aside, prefix, put_aside_row, resource);
        settle(resource, yl_ks_history_compacted(&ks->history));
        yl_map_insert(&ks->by_prefix, &resource->by_prefix,
                      yl_hash_str(prefix));

        /* From now on the writer knows it. */
        yl_mutex_lock(&ks->resources.lock);
        yl_list_push_back(&ks->resources.all, &resource->node);
        yl_mutex_unlock(&ks->resources.lock);
    }
    yl_ks_resource_store_as(resource, stored_as);
    yl_mutex_unlock(&ks->lock);
    return resource;
}

struct loader {
    struct yl_keyspace *ks;
    size_t bytes;               /* Of history. */
};

int
yl_keyspace_load(struct yl_keyspace *ks, struct yl_error *err)
{
    struct loader loader = { ks, 0 };
    struct yl_ks_resource *resource;
    uint64_t revision, compacted;
    int r;

    yl_mutex_lock(&ks->lock);
    r = yl_storage_load(ks->storage, load_row, &loader, &revision, &compacted,
                        err);
    if (r >= 0) {
        atomic_store_explicit(&ks->revision, revision, memory_order_release);
        yl_ks_history_start(&ks->history, compacted);
        yl_ks_history_note(&ks->history, yl_now(ks->clock), revision,
                           loader.bytes);
        YL_MAP_FOR_EACH (resource, by_prefix, &ks->by_prefix) {
            settle(resource, compacted);
        }
    }
    yl_mutex_unlock(&ks->lock);
    return r < 0 ? r : 0;
}

int
yl_keyspace_start(struct yl_keyspace *ks, struct yl_error *err)
{
    return yl_ks_writer_start(ks->writer, err);
}

void
yl_keyspace_stop(struct yl_keyspace *ks)
{
    yl_ks_writer_stop(ks->writer);
}

uint64_t
yl_keyspace_revision(struct yl_keyspace *ks)
{
    return atomic_load_explicit(&ks->revision, memory_order_acquire);
}

yl_msec
yl_keyspace_failed(struct yl_keyspace *ks)
{
    return yl_ks_writer_failed(ks->writer);
}

void
yl_keyspace_write(struct yl_keyspace *ks, struct yl_ks_write *write)
{
    yl_ks_writer_submit(ks->writer, write);
}

int
yl_keyspace_write_wait(struct yl_keyspace *ks, struct yl_ks_write *write)
{
    struct waiter waiter = { .is_done = false };

    yl_mutex_init(&waiter.lock);
    yl_cond_init(&waiter.changed);
    write->waiter = &waiter;
    write->done = waiter_done;
    yl_keyspace_write(ks, write);
    yl_mutex_lock(&waiter.lock);
    while (!waiter.is_done) {
        yl_cond_wait(&waiter.changed, &waiter.lock);
    }
    yl_mutex_unlock(&waiter.lock);
    yl_cond_destroy(&waiter.changed);
    yl_mutex_destroy(&waiter.lock);
    return write->result;
}

static struct yl_ks_resource *
find(struct yl_keyspace *ks, struct yl_str prefix)
{
    struct yl_ks_resource *resource;

    YL_MAP_FOR_EACH_WITH_HASH (resource, by_prefix, yl_hash_str(prefix),
                               &ks->by_prefix) {
        if (yl_str_equal(yl_ks_resource_prefix(resource), prefix)) {
            return resource;
        }
    }
    return NULL;
}

/* The resource with the longest prefix of 'key'; NULL if there is none. */
static struct yl_ks_resource *
find_of_key(struct yl_keyspace *ks, struct yl_str key)
{
    size_t size;

    for (size = key.size; size > 0; size--) {
        struct yl_ks_resource *resource;

        if (key.data[size - 1] == '/'
            && (resource = find(ks, yl_str_n(key.data, size))) != NULL) {
            return resource;
        }
    }
    return NULL;
}

static int
load_row(void *aux, const struct yl_storage_row *row, struct yl_error *err)
    YL_NO_THREAD_SAFETY
{
    struct loader *loader = aux;
    struct yl_keyspace *ks = loader->ks;
    struct yl_ks_resource *resource = find_of_key(ks, row->key);

    if (!resource) {
        yl_ks_aside_add(&ks->aside, row);
        return 0;
    }
    return put_row(resource, row, &loader->bytes, err);
}

static int
put_row(struct yl_ks_resource *resource, const struct yl_storage_row *row,
        size_t *bytes, struct yl_error *err)
{
    const struct yl_object_opts opts = { .canonical = true };
    struct yl_str text = yl_str_skip(row->key, resource->prefix_size);
    struct yl_object *object = NULL;
    struct yl_key key, found;
    int r;

    r = yl_ks_resource_parse(resource, text, &key);
    if (r < 0) {
        return yl_error_set(err, YL_ESTOREREAD,
                            "row %llu: no object of this resource can be "
                            "stored as %.*s",
                            (unsigned long long) row->revision,
                            YL_STR_ARG(row->key));
    }
    if (row->delete_) {
        if (!yl_ks_resource_newest(resource, text)) {
            return 0;
        }
    } else {
        r = yl_object_ingest(row->value, &opts, &object, err);
        if (r < 0) {
            yl_error_prefix(err, "row %llu, %.*s",
                            (unsigned long long) row->revision,
                            YL_STR_ARG(row->key));
            return r;
        }
        found = yl_object_key(object);
        if (!yl_key_equal(&key, &found)) {
            yl_object_unref(object);
            return yl_error_set(err, YL_ESTOREREAD,
                                "row %llu: another object is stored as %.*s",
                                (unsigned long long) row->revision,
                                YL_STR_ARG(row->key));
        }
    }
    yl_mutex_lock(&resource->lock);
    *bytes += yl_ks_resource_put(resource, text,
                                 yl_ks_pool_take(&resource->pool, object,
                                                 row->revision),
                                 true);
    yl_mutex_unlock(&resource->lock);
    yl_object_unref(object);
    return 0;
}

/* A row of a resource that was added late.  One that cannot be read must not
 * take the others with it: nobody waits for an error here. */
static int
put_aside_row(void *aux, const struct yl_storage_row *row,
              struct yl_error *err)
{
    struct yl_error own = YL_ERROR_INIT;
    size_t bytes = 0;
    int r = put_row(aux, row, &bytes, &own);

    (void) err;
    if (r < 0) {
        yl_log_error(r, "Cannot read a stored object", YL_LOG_ERROR(&own));
        yl_error_clear(&own);
    }
    return 0;
}

/* Lets go what was compacted already. */
static void
settle(struct yl_ks_resource *resource, uint64_t compacted)
{
    yl_ks_resource_trim(resource, compacted, SIZE_MAX);
    yl_mutex_lock(&resource->lock);
    resource->dropped = compacted;
    yl_mutex_unlock(&resource->lock);
}

static void
waiter_done(struct yl_ks_write *write)
{
    struct waiter *waiter = write->waiter;

    yl_mutex_lock(&waiter->lock);
    waiter->is_done = true;
    yl_cond_signal(&waiter->changed);
    yl_mutex_unlock(&waiter->lock);
}
