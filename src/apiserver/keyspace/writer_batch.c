/* A batch of writes.  See apiserver/keyspace/writer_batch.h for the
 * contract. */

#include "apiserver/keyspace/writer_batch.h"

#include <assert.h>
#include <stdlib.h>

#include "apiserver/keyspace/resource.h"
#include "base/alloc.h"
#include "object/object.h"

/* The most bytes of objects in one commit, unless a single one is larger. */
#define MAX_BYTES ((size_t) 16 << 20)

static int examine(const struct yl_ks_write *, struct yl_error *err);
static int check_all(struct yl_ks_write *, struct yl_arena *,
                     struct yl_storage_write *stored);
static int check(const struct yl_ks_write *, struct yl_arena *,
                 struct yl_storage_write *stored);
static void prepare(struct yl_ks_batch *, struct yl_ks_write *,
                    const struct yl_storage_write *stored);
static void add_value(struct yl_ks_batch *, struct yl_ks_write *,
                      const struct yl_storage_write *stored);

struct yl_ks_batch *
yl_ks_batch_new(size_t max, void (*done)(struct yl_storage_batch *),
                void *aux)
{
    struct yl_ks_batch *batch = yl_zalloc(sizeof *batch);
    size_t n = max + YL_KS_MAX_WITH;

    yl_list_init(&batch->node);
    batch->max = max;
    batch->writes = yl_malloc_array(max, sizeof *batch->writes);
    batch->groups = yl_malloc_array(max, sizeof *batch->groups);
    batch->stored = yl_malloc_array(n, sizeof *batch->stored);
    batch->pieces = yl_malloc_array(n, sizeof *batch->pieces);
    batch->commit.groups = batch->groups;
    batch->commit.done = done;
    batch->commit.aux = aux;
    yl_arena_init(&batch->keys);
    return batch;
}

void
yl_ks_batch_free(struct yl_ks_batch *batch)
{
    yl_arena_release(&batch->keys);
    yl_error_clear(&batch->commit.error);
    free(batch->pieces);
    free(batch->stored);
    free(batch->groups);
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
            || yl_ks_batch_has_key_of(batch, write))) {
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
    batch->n_writes = batch->n_with = batch->n_stored = 0;
    batch->commit.n_groups = 0;
    batch->bytes = 0;
    yl_arena_clear(&batch->keys);
    yl_error_clear(&batch->commit.error);
}

size_t
yl_ks_batch_check(struct yl_ks_batch *batch)
{
    struct yl_storage_write stored[1 + YL_KS_MAX_WITH];
    size_t i;

    for (i = 0; i < batch->n_writes; i++) {
        struct yl_ks_write *write = batch->writes[i];

        write->result = check_all(write, &batch->keys, stored);
        write->revision = 0;
        if (write->result < 0) {
            yl_error_set(&write->error, write->result, "%s",
                         yl_error_text(write->result));
        } else {
            prepare(batch, write, stored);
        }
    }
    return batch->commit.n_groups;
}

void
yl_ks_batch_settle(struct yl_ks_batch *batch)
{
    size_t i, j;

    for (i = 0; i < batch->commit.n_groups; i++) {
        const struct yl_storage_group *group = &batch->groups[i];
        struct yl_ks_write *write = group->aux;

        for (j = 0; j < group->n_writes; j++) {
            struct yl_ks_write *source = group->writes[j].aux;

            source->revision = group->writes[j].revision;
        }
        write->result = group->result;
        if (write->result == YL_ECONFLICT) {
            write->revision = group->after;
        } else if (write->result) {
            yl_error_set(&write->error, write->result, "%s",
                         batch->commit.error.message
                             ? batch->commit.error.message
                             : yl_error_text(write->result));
        }
    }
}

void
yl_ks_batch_explain(struct yl_ks_write *write)
{
    struct yl_storage_write stored[1 + YL_KS_MAX_WITH];
    struct yl_arena arena;
    int r;

    /* It was a conflict, even if the key has the expected revision by now. */
    yl_arena_init(&arena);
    r = check_all(write, &arena, stored);
    yl_arena_release(&arena);
    write->result = r < 0 ? r : YL_ECONFLICT;
    write->revision = 0;
    yl_error_set(&write->error, write->result, "%s",
                 yl_error_text(write->result));
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

/* Has 'a' the key of 'b', or of a write that goes with it? */
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

bool
yl_ks_batch_has_key_of(const struct yl_ks_batch *batch,
                       const struct yl_ks_write *write)
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

/* Checks a write and those that go with it, and fills in what is written to
 * storage: stored[0] for the write, stored[1 + I] for with[I]. */
static int
check_all(struct yl_ks_write *write, struct yl_arena *arena,
          struct yl_storage_write *stored)
{
    size_t i;
    int r = check(write, arena, &stored[0]);

    for (i = 0; i < write->n_with && r == 0; i++) {
        r = check(&write->with[i], arena, &stored[1 + i]);
    }
    return r;
}

static int
check(const struct yl_ks_write *write, struct yl_arena *arena,
      struct yl_storage_write *stored)
{
    struct yl_ks_resource *resource = write->resource;
    struct yl_str prefix = yl_ks_resource_prefix(resource);
    char *key = yl_arena_alloc(arena,
                               prefix.size + write->key.namespace_.size + 1
                               + write->key.name.size);
    struct yl_str text = yl_ks_resource_text(resource, &write->key,
                                             key + prefix.size);
    const struct yl_ks_version *last = yl_ks_resource_last(resource, text);

    memcpy(key, prefix.data, prefix.size);
    *stored = (struct yl_storage_write) {
        .key = yl_str_n(key, prefix.size + text.size),
        .expected = write->expected,
        .delete_ = !write->object,
    };
    if (last && last->unreadable) {
        /* A write that creates the object replaces the row that cannot be
         * read. */
        stored->expected = last->revision;
    }
    if (!last || !last->object) {
        return write->object && write->expected == 0 ? 0 : YL_ENOTFOUND;
    }
    if (write->object && write->expected == 0) {
        return YL_EEXISTS;
    }
    return write->expected == last->revision ? 0 : YL_ECONFLICT;
}

/* Makes one group of a write and those that go with it: the writes that store
 * come before it, those that delete after it. */
static void
prepare(struct yl_ks_batch *batch, struct yl_ks_write *write,
        const struct yl_storage_write *stored)
{
    struct yl_storage_group *group = &batch->groups[batch->commit.n_groups++];
    size_t i;

    *group = (struct yl_storage_group) {
        .writes = &batch->stored[batch->n_stored],
        .n_writes = 1 + write->n_with,
        .aux = write,
    };
    for (i = 0; i < write->n_with; i++) {
        if (write->with[i].object) {
            add_value(batch, &write->with[i], &stored[1 + i]);
        }
    }
    add_value(batch, write, &stored[0]);
    for (i = 0; i < write->n_with; i++) {
        if (!write->with[i].object) {
            add_value(batch, &write->with[i], &stored[1 + i]);
        }
    }
}

static void
add_value(struct yl_ks_batch *batch, struct yl_ks_write *write,
          const struct yl_storage_write *stored)
{
    struct yl_str *pieces = batch->pieces[batch->n_stored];
    struct yl_storage_write *copy = &batch->stored[batch->n_stored++];

    *copy = *stored;
    copy->aux = write;
    if (write->object) {
        const struct yl_ks_head *head
            = yl_ks_resource_head(write->resource, write->object);

        /* The head ends with the brace that the body starts with. */
        pieces[0] = yl_str_n(head->text, head->size);
        copy->value = pieces;
        copy->n_value = 1 + yl_object_body(write->object, &batch->keys,
                                           pieces + 1);
    }
}
