/* A batch of writes.  See apiserver/keyspace/writer_batch.h for the
 * contract. */

#include "apiserver/keyspace/writer_batch.h"

#include <assert.h>
#include <stdlib.h>

#include "apiserver/keyspace/resource.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/thread.h"
#include "object/object.h"
#include "storage/storage.h"

/* Bytes of objects in one commit, unless a single one is larger. */
#define MAX_BYTES ((size_t) 16 << 20)

/* Writes that are published under one hold of a resource's lock. */
#define PUBLISH_STEP 32

/* A stored value: the resource's head, and the object's text. */
#define N_PIECES 2

struct yl_ks_batch {
    struct yl_storage *storage;
    size_t max;
    struct yl_ks_write **writes;
    size_t n_writes;
    size_t n_with;              /* Writes that go with those. */
    size_t bytes;
    struct yl_arena keys;

    /* What goes to storage: [I] is that of sources[I]. */
    struct yl_storage_batch commit;
    struct yl_str (*pieces)[N_PIECES];
    struct yl_ks_write **sources;

    struct yl_mutex lock;
    struct yl_cond changed;
    bool committed YL_GUARDED;
};

static int examine(const struct yl_ks_write *, struct yl_error *err);
static bool has_key_of(const struct yl_ks_batch *,
                       const struct yl_ks_write *);
static int check(struct yl_ks_batch *, const struct yl_ks_write *,
                 struct yl_str *ret_key);
static void prepare(struct yl_ks_batch *, struct yl_ks_write *,
                    struct yl_str key);
static void committed(struct yl_storage_batch *);
static void collect_results(struct yl_ks_batch *);
static size_t publish_run(struct yl_ks_batch *, size_t *i);
static struct yl_ks_version *make_version(const struct yl_ks_write *);
static struct yl_str text_of(const struct yl_ks_batch *, size_t i);
static void wake(struct yl_ks_batch *);

struct yl_ks_batch *
yl_ks_batch_new(struct yl_storage *storage, size_t max)
{
    struct yl_ks_batch *batch = yl_zalloc(sizeof *batch);
    size_t n = max + YL_KS_MAX_WITH;

    batch->storage = storage;
    batch->max = max;
    batch->writes = yl_malloc_array(max, sizeof *batch->writes);
    batch->commit.writes = yl_malloc_array(n, sizeof *batch->commit.writes);
    batch->commit.done = committed;
    batch->commit.aux = batch;
    batch->pieces = yl_malloc_array(n, sizeof *batch->pieces);
    batch->sources = yl_malloc_array(n, sizeof *batch->sources);
    yl_arena_init(&batch->keys);
    yl_mutex_init(&batch->lock);
    yl_cond_init(&batch->changed);
    return batch;
}

void
yl_ks_batch_free(struct yl_ks_batch *batch)
{
    yl_cond_destroy(&batch->changed);
    yl_mutex_destroy(&batch->lock);
    yl_arena_release(&batch->keys);
    yl_error_clear(&batch->commit.error);
    free(batch->sources);
    free(batch->pieces);
    free(batch->commit.writes);
    free(batch->writes);
    free(batch);
}

int
yl_ks_batch_examine(struct yl_ks_write *write)
{
    size_t i;
    int r = examine(write, &write->error);

    if (r == 0 && write->n_with > YL_KS_MAX_WITH) {
        r = yl_error_set(&write->error, YL_EINVALID,
                         "too many writes go with this one");
    }
    for (i = 0; r == 0 && i < write->n_with; i++) {
        r = examine(&write->with[i], &write->error);
    }
    return r;
}

bool
yl_ks_batch_add(struct yl_ks_batch *batch, struct yl_ks_write *write)
{
    size_t bytes = write->object ? write->object->size : 0;
    size_t n = batch->n_writes + batch->n_with + 1 + write->n_with;

    if (batch->n_writes
        && (n > batch->max || batch->bytes + bytes > MAX_BYTES
            || has_key_of(batch, write))) {
        return false;
    }
    batch->writes[batch->n_writes++] = write;
    batch->n_with += write->n_with;
    batch->bytes += bytes;
    return true;
}

void
yl_ks_batch_clear(struct yl_ks_batch *batch)
{
    batch->n_writes = batch->n_with = batch->commit.n_writes = 0;
    batch->bytes = 0;
    yl_arena_clear(&batch->keys);
}

size_t
yl_ks_batch_size(const struct yl_ks_batch *batch)
{
    return batch->n_writes;
}

struct yl_ks_write *
yl_ks_batch_get(const struct yl_ks_batch *batch, size_t i)
{
    return i < batch->n_writes ? batch->writes[i] : NULL;
}

size_t
yl_ks_batch_check(struct yl_ks_batch *batch)
{
    struct yl_str keys[1 + YL_KS_MAX_WITH];
    size_t i, j;

    for (i = 0; i < batch->n_writes; i++) {
        struct yl_ks_write *write = batch->writes[i];

        write->result = check(batch, write, &keys[0]);
        for (j = 0; j < write->n_with && write->result == 0; j++) {
            write->result = check(batch, &write->with[j], &keys[1 + j]);
        }
        if (write->result < 0) {
            yl_error_set(&write->error, write->result, "%s",
                         yl_error_text(write->result));
            continue;
        }
        for (j = 0; j < write->n_with; j++) {
            if (write->with[j].object) {
                prepare(batch, &write->with[j], keys[1 + j]);
            }
        }
        prepare(batch, write, keys[0]);
        for (j = 0; j < write->n_with; j++) {
            if (!write->with[j].object) {
                prepare(batch, &write->with[j], keys[1 + j]);
            }
        }
    }
    return batch->commit.n_writes;
}

int
yl_ks_batch_commit(struct yl_ks_batch *batch, uint64_t *compacted,
                   struct yl_error *err)
{
    batch->commit.compact = *compacted;
    batch->commit.result = 0;
    yl_error_clear(&batch->commit.error);
    yl_mutex_lock(&batch->lock);
    batch->committed = false;
    yl_mutex_unlock(&batch->lock);
    yl_storage_commit(batch->storage, &batch->commit);
    yl_mutex_lock(&batch->lock);
    while (!batch->committed) {
        yl_cond_wait(&batch->changed, &batch->lock);
    }
    yl_mutex_unlock(&batch->lock);
    *compacted = batch->commit.compacted;
    collect_results(batch);
    if (batch->commit.result) {
        yl_error_set(err, batch->commit.result, "%s",
                     yl_error_message(&batch->commit.error));
    }
    return batch->commit.result;
}

void
yl_ks_batch_publish(struct yl_ks_batch *batch, _Atomic uint64_t *published,
                    struct yl_ks_history *history, yl_msec now)
{
    uint64_t revision = atomic_load_explicit(published, memory_order_relaxed);
    size_t bytes = 0, i = 0;

    while (i < batch->commit.n_writes) {
        bytes += publish_run(batch, &i);
    }
    for (i = 0; i < batch->commit.n_writes; i++) {
        if (batch->commit.writes[i].result == 0
            && batch->commit.writes[i].revision > revision) {
            revision = batch->commit.writes[i].revision;
        }
    }
    atomic_store_explicit(published, revision, memory_order_release);
    yl_ks_history_note(history, now, revision, bytes);
    wake(batch);
}

static int
examine(const struct yl_ks_write *write, struct yl_error *err)
{
    char space[YL_KS_MAX_KEY];
    struct yl_key key;

    if (yl_str_is_null(yl_ks_resource_text(write->resource, &write->key,
                                           space))) {
        return yl_error_set(err, YL_EINVALID,
                            "no object of this resource can have this name");
    }
    if (write->object) {
        key = yl_object_key(write->object);
        if (!yl_key_equal(&key, &write->key)) {
            return yl_error_set(err, YL_EINVALID,
                                "the object has another name than its key");
        }
    }
    return 0;
}

static bool
is_same_key(const struct yl_ks_write *a, const struct yl_ks_write *b)
{
    return a->resource == b->resource && yl_key_equal(&a->key, &b->key);
}

/* Has 'a' the key of 'b', or of one that goes with it? */
static bool
is_key_in(const struct yl_ks_write *a, const struct yl_ks_write *b)
{
    size_t i;

    if (is_same_key(a, b)) {
        return true;
    }
    for (i = 0; i < b->n_with; i++) {
        if (is_same_key(a, &b->with[i])) {
            return true;
        }
    }
    return false;
}

/* The writer keeps writes of a key apart; those that go with others it does
 * not know. */
static bool
has_key_of(const struct yl_ks_batch *batch, const struct yl_ks_write *write)
{
    size_t i, j;

    for (i = 0; i < batch->n_writes && batch->n_with + write->n_with; i++) {
        bool found = is_key_in(write, batch->writes[i]);

        for (j = 0; j < write->n_with && !found; j++) {
            found = is_key_in(&write->with[j], batch->writes[i]);
        }
        if (found) {
            return true;
        }
    }
    return false;
}

/* What comes of a write. */
static int
check(struct yl_ks_batch *batch, const struct yl_ks_write *write,
      struct yl_str *ret_key)
{
    struct yl_ks_resource *resource = write->resource;
    struct yl_str prefix = yl_ks_resource_prefix(resource);
    char *key = yl_arena_alloc(&batch->keys,
                               prefix.size + write->key.namespace_.size + 1
                               + write->key.name.size);
    struct yl_str text = yl_ks_resource_text(resource, &write->key,
                                             key + prefix.size);
    const struct yl_ks_version *newest = yl_ks_resource_newest(resource,
                                                               text);

    memcpy(key, prefix.data, prefix.size);
    *ret_key = yl_str_n(key, prefix.size + text.size);
    if (!newest) {
        return write->object && write->expected == 0 ? 0 : YL_ENOTFOUND;
    }
    if (write->object && write->expected == 0) {
        return YL_EEXISTS;
    }
    return write->expected == newest->revision ? 0 : YL_ECONFLICT;
}

static void
prepare(struct yl_ks_batch *batch, struct yl_ks_write *write,
        struct yl_str key)
{
    struct yl_ks_resource *resource = write->resource;
    size_t i = batch->commit.n_writes++;
    struct yl_storage_write *commit = &batch->commit.writes[i];

    batch->sources[i] = write;
    *commit = (struct yl_storage_write) {
        .key = key,
        .expected = write->expected,
        .delete_ = !write->object,
    };
    if (write->object) {
        const struct yl_ks_head *head
            = atomic_load_explicit(&resource->head, memory_order_acquire);

        /* The text starts with a brace that the head has already. */
        batch->pieces[i][0] = yl_str_n(head->text, head->size);
        batch->pieces[i][1] = yl_str_n(write->object->text + 1,
                                       write->object->size - 1);
        commit->value = batch->pieces[i];
        commit->n_value = N_PIECES;
    }
}

static void
committed(struct yl_storage_batch *commit)
{
    struct yl_ks_batch *batch = commit->aux;

    yl_mutex_lock(&batch->lock);
    batch->committed = true;
    yl_cond_signal(&batch->changed);
    yl_mutex_unlock(&batch->lock);
}

static void
collect_results(struct yl_ks_batch *batch)
{
    size_t i;

    for (i = 0; i < batch->commit.n_writes; i++) {
        const struct yl_storage_write *commit = &batch->commit.writes[i];
        struct yl_ks_write *write = batch->sources[i];

        write->result = batch->commit.result ? batch->commit.result
                                             : commit->result;
        write->revision = write->result == 0 ? commit->revision : 0;
        if (batch->commit.result) {
            yl_error_set(&write->error, write->result, "%s",
                         yl_error_message(&batch->commit.error));
        } else if (write->result) {
            yl_error_set(&write->error, write->result, "%s",
                         yl_error_text(write->result));
        }
    }
}

/* Publishes writes from '*i' on, of one resource and under one lock.  Returns
 * the bytes of history that came of it. */
static size_t
publish_run(struct yl_ks_batch *batch, size_t *i)
{
    struct yl_ks_resource *resource = batch->sources[*i]->resource;
    struct yl_ks_version *versions[PUBLISH_STEP];
    size_t n, first = *i, bytes = 0;

    for (n = 0; n < PUBLISH_STEP && *i < batch->commit.n_writes; ++*i, n++) {
        const struct yl_ks_write *write = batch->sources[*i];

        if (write->resource != resource) {
            break;
        }
        versions[n] = write->result == 0 ? make_version(write) : NULL;
    }
    yl_mutex_lock(&resource->lock);
    for (n = 0; first + n < *i; n++) {
        if (versions[n]) {
            bytes += yl_ks_resource_put(resource, text_of(batch, first + n),
                                        versions[n], true);
        }
    }
    yl_mutex_unlock(&resource->lock);
    return bytes;
}

/* What is kept of a write.  Blocks are made by threads that serve requests,
 * between allocations that end with them; kept where they lie, they would
 * leave holes of a third of their size.  Here they lie close together, and a
 * copy is cheap beside a commit. */
static struct yl_ks_version *
make_version(const struct yl_ks_write *write)
{
    struct yl_object *object = write->object ? yl_object_clone(write->object)
                                             : NULL;
    struct yl_ks_version *version
        = yl_ks_pool_take(&write->resource->pool, object, write->revision);

    yl_object_unref(object);
    return version;
}

/* The key without its resource's prefix. */
static struct yl_str
text_of(const struct yl_ks_batch *batch, size_t i)
{
    const struct yl_ks_resource *resource = batch->sources[i]->resource;

    return yl_str_skip(batch->commit.writes[i].key, resource->prefix_size);
}

/* Wakes the listeners of every resource that was written, once for each run
 * of writes. */
static void
wake(struct yl_ks_batch *batch)
{
    struct yl_ks_resource *last = NULL;
    size_t i;

    for (i = 0; i < batch->commit.n_writes; i++) {
        struct yl_ks_write *write = batch->sources[i];

        if (write->result == 0 && write->resource != last) {
            last = write->resource;
            yl_ks_resource_wake(last);
        }
    }
}
