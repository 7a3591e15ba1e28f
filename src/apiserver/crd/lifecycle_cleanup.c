/* Cleanup of custom resources.  See apiserver/crd/lifecycle_cleanup.h for the
 * contract. */

#include "apiserver/crd/lifecycle_cleanup.h"

#include "apiserver/keyspace/keyspace.h"
#include "base/thread.h"
#include "json/member.h"
#include "json/tree.h"
#include "object/object.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"
#include "yuloh/time.h"

#define BATCH 64                /* Objects that are deleted together. */

/* Writes that are submitted together. */
struct batch {
    struct yl_mutex lock;
    struct yl_cond done;
    size_t n_open YL_GUARDED;   /* Those that are not over. */
};

/* One of them. */
struct member {
    struct yl_ks_write write;
    struct batch *batch;
};

static int delete_batch(struct yl_keyspace *, struct yl_ks_resource *,
                        const struct yl_versioned *, int n);
static void on_done(struct yl_ks_write *);
static bool plan(struct yl_ks_write *, struct yl_arena *,
                 const struct yl_versioned *);
static int mark(struct yl_arena *, const struct yl_object *,
                struct yl_object **ret_object);

int
yl_crd_cleanup(struct yl_keyspace *keyspace, struct yl_ks_resource *objects,
               bool (*is_over)(void *aux), void *aux)
{
    struct yl_versioned items[BATCH];
    struct yl_ks_scan *scan;
    int i, n = 0, r;

    r = yl_ks_scan_open(objects, NULL, &scan, NULL);
    if (r < 0) {
        return r;
    }
    while (r == 0 && !is_over(aux)
           && (n = yl_ks_scan_next(scan, items, BATCH)) > 0) {
        r = delete_batch(keyspace, objects, items, n);
        for (i = 0; i < n; i++) {
            yl_object_unref(items[i].object);
        }
    }
    yl_ks_scan_close(scan);
    return n < 0 ? n : r;
}

static int
delete_batch(struct yl_keyspace *keyspace, struct yl_ks_resource *objects,
             const struct yl_versioned *items, int n)
{
    struct yl_arena *arena = yl_arena_new();
    struct member members[BATCH];
    struct batch batch;
    size_t n_writes = 0, i;
    int r = 0;

    yl_mutex_init(&batch.lock);
    yl_cond_init(&batch.done);
    for (i = 0; i < (size_t) n; i++) {
        struct member *member = &members[n_writes];

        *member = (struct member) { .batch = &batch };
        member->write.resource = objects;
        member->write.done = on_done;
        n_writes += plan(&member->write, arena, &items[i]);
    }
    yl_mutex_lock(&batch.lock);
    batch.n_open = n_writes;
    yl_mutex_unlock(&batch.lock);
    for (i = 0; i < n_writes; i++) {
        yl_keyspace_write(keyspace, &members[i].write);
    }
    yl_mutex_lock(&batch.lock);
    while (batch.n_open) {
        yl_cond_wait(&batch.done, &batch.lock);
    }
    yl_mutex_unlock(&batch.lock);
    for (i = 0; i < n_writes; i++) {
        int result = members[i].write.result;

        if (result < 0 && result != YL_ECONFLICT && result != YL_ENOTFOUND) {
            r = result;
        }
        yl_error_clear(&members[i].write.error);
        yl_object_unref(members[i].write.object);
    }
    yl_cond_destroy(&batch.done);
    yl_mutex_destroy(&batch.lock);
    yl_arena_free(arena);
    return r;
}

/* Runs on the writer's thread. */
static void
on_done(struct yl_ks_write *write)
{
    struct member *member = YL_CONTAINER_OF(write, struct member, write);
    struct batch *batch = member->batch;

    yl_mutex_lock(&batch->lock);
    if (!--batch->n_open) {
        yl_cond_broadcast(&batch->done);
    }
    yl_mutex_unlock(&batch->lock);
}

/* Fills in the write that deletes an object; false if there is nothing to be
 * written, as it is marked already. */
static bool
plan(struct yl_ks_write *write, struct yl_arena *arena,
     const struct yl_versioned *item)
{
    struct yl_json_iter finalizers =
        yl_json_iter(yl_object_finalizers(item->object));

    write->key = yl_object_key(item->object);
    write->expected = item->revision;
    if (!yl_json_next(&finalizers)) {
        return true;
    }
    return !yl_object_is_deleting(item->object)
           && mark(arena, item->object, &write->object) == 0;
}

static int
mark(struct yl_arena *arena, const struct yl_object *object,
     struct yl_object **ret_object)
{
    struct yl_object_opts opts = {
        .schema_generation = yl_object_schema_generation(object),
    };
    struct yl_node *tree, *metadata;
    char now[YL_TIME_TEXT_SIZE];
    int r = yl_tree_parse(arena, yl_object_json(object, arena, NULL), NULL,
                          &tree, NULL);

    if (r < 0) {
        return r;
    }
    metadata = yl_member_make(arena, tree, "metadata");
    yl_time_write((struct yl_time) { yl_time_now().seconds, 0 }, now);
    yl_member_set_str(arena, metadata, "deletionTimestamp", now);
    yl_member_set(arena, metadata, "deletionGracePeriodSeconds",
                  yl_node_new_int64(arena, 0));
    yl_member_set(arena, metadata, "generation",
                  yl_node_new_int64(arena, yl_object_generation(object) + 1));
    return yl_object_from_tree(tree, &opts, ret_object, NULL);
}
