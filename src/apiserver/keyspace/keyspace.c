/* Keyspace: joins its parts, and fills them from storage.  See
 * apiserver/keyspace/keyspace.h for the contract. */

#include "apiserver/keyspace/keyspace.h"

#include <stdlib.h>

#include "apiserver/keyspace/resources.h"
#include "apiserver/keyspace/writer.h"
#include "base/alloc.h"
#include "storage/storage.h"

#define HISTORY_AGE (5 * 60 * 1000)
#define HISTORY_BYTES ((size_t) 256 << 20)
#define MAX_BATCH 256
#define MAX_WAITING 65536

struct yl_keyspace {
    struct yl_storage *storage;
    struct yl_clock *clock;
    struct yl_ks_history history;
    struct yl_ks_resources resources;
    _Atomic uint64_t revision;  /* The newest published one. */
    struct yl_ks_writer *writer;
};

struct waiter {
    struct yl_mutex lock;
    struct yl_cond changed;
    bool is_done YL_GUARDED;
};

static void waiter_done(struct yl_ks_write *);

struct yl_keyspace *
yl_keyspace_new(struct yl_storage *storage,
                const struct yl_keyspace_opts *opts)
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
    yl_ks_resources_init(&ks->resources, &ks->history, &ks->revision,
                         opts->clock, storage->shared);
    atomic_init(&ks->revision, 1);
    ks->writer = yl_ks_writer_new(&(struct yl_ks_writer_opts) {
        .storage = storage,
        .publisher = {
            .resources = &ks->resources,
            .history = &ks->history,
            .revision = &ks->revision,
        },
        .clock = opts->clock,
        .max_batch = opts->max_batch ? opts->max_batch : MAX_BATCH,
        .max_waiting = opts->max_waiting ? opts->max_waiting : MAX_WAITING,
    });
    return ks;
}

void
yl_keyspace_free(struct yl_keyspace *ks)
{
    if (!ks) {
        return;
    }
    yl_ks_writer_free(ks->writer);
    yl_ks_resources_release(&ks->resources);
    yl_ks_history_release(&ks->history);
    free(ks);
}

int
yl_keyspace_add(struct yl_keyspace *ks, struct yl_str prefix, bool namespaced,
                struct yl_type_meta stored_as,
                struct yl_ks_resource **ret_resource, struct yl_error *err)
{
    return yl_ks_resources_add(&ks->resources, prefix, namespaced, &stored_as,
                               1, NULL, ret_resource, err);
}

int
yl_keyspace_add_types(struct yl_keyspace *ks, struct yl_str prefix,
                      bool namespaced, const struct yl_type_meta *types,
                      size_t n_types, uint8_t *ret_numbers,
                      struct yl_ks_resource **ret_resource,
                      struct yl_error *err)
{
    return yl_ks_resources_add(&ks->resources, prefix, namespaced, types,
                               n_types, ret_numbers, ret_resource, err);
}

int
yl_keyspace_load(struct yl_keyspace *ks, struct yl_error *err)
{
    uint64_t revision, compacted;
    size_t bytes;
    int r = yl_ks_resources_load(&ks->resources, ks->storage, &revision,
                                 &compacted, &bytes, err);

    if (r >= 0) {
        atomic_store_explicit(&ks->revision, revision, memory_order_release);
        yl_ks_history_start(&ks->history, compacted);
        yl_ks_history_note(&ks->history, yl_now(ks->clock), revision,
                           bytes);
    }
    return r;
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

static void
waiter_done(struct yl_ks_write *write)
{
    struct waiter *waiter = write->waiter;

    yl_mutex_lock(&waiter->lock);
    waiter->is_done = true;
    yl_cond_signal(&waiter->changed);
    yl_mutex_unlock(&waiter->lock);
}
