/* Store: entries by namespace and name.  See yuloh/store.h for the contract
 * and store_parts.h for what points to what. */

#include "yuloh/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "object/object.h"
#include "object/pack.h"
#include "store/store_parts.h"

#define PACK_ABOVE ((size_t) 4 << 20)

static int check_name(const struct yl_object *, struct yl_error *);
static void insert(struct yl_store *store, struct yl_candidate *)
    YL_REQUIRES(store->lock);
static struct yl_versioned remove_entry(struct yl_store *store,
                                        struct yl_store_entry *)
    YL_REQUIRES(store->lock);
static void remove_all(struct yl_store *store) YL_REQUIRES(store->lock);
static struct yl_store_space *space_find(struct yl_store *store,
                                         struct yl_str name)
    YL_REQUIRES(store->lock);
static struct yl_store_space *space_add(struct yl_store *store,
                                        struct yl_str name)
    YL_REQUIRES(store->lock);
static struct yl_store_entry *entry_find(const struct yl_store_space *,
                                         struct yl_str name, size_t hash);
static void release_object(void *);

struct yl_store *
yl_store_new(const struct yl_store_opts *opts)
{
    struct yl_store *store = yl_zalloc(sizeof *store);

    if (opts) {
        store->opts = *opts;
    }
    if (!store->opts.pack_above) {
        store->opts.pack_above = PACK_ABOVE;
    }
    yl_mutex_init(&store->lock);
    return store;
}

void
yl_store_free(struct yl_store *store)
{
    struct yl_store_index *index, *older;

    if (!store) {
        return;
    }
    yl_mutex_lock(&store->lock);
    remove_all(store);
    yl_map_release(&store->spaces);
    yl_store_pack_arrived(store);
    yl_dictionary_unref(store->dictionary);
    index = store->newest;
    yl_mutex_unlock(&store->lock);
    for (; index; index = older) {
        older = index->older;
        yl_store_index_free(index);
    }
    yl_mutex_destroy(&store->lock);
    free(store);
}

bool
yl_store_get(struct yl_store *store, const struct yl_key *key,
             struct yl_arena *arena, struct yl_versioned *ret_item)
{
    const struct yl_store_entry *entry;
    struct yl_versioned item = { NULL, 0 };

    yl_mutex_lock(&store->lock);
    entry = yl_store_find(store, key);
    if (entry) {
        item = entry->item;
        yl_object_ref(item.object);
    }
    yl_mutex_unlock(&store->lock);
    if (!item.object) {
        return false;
    }
    yl_arena_attach(arena, release_object, item.object);
    *ret_item = item;
    return true;
}

int
yl_store_add(struct yl_store *store, struct yl_versioned item,
             struct yl_error *err)
{
    struct yl_candidate candidate = { .item = item };
    struct yl_arena arena;
    int r = check_name(item.object, err);

    if (r == 0) {
        struct yl_object *kept
            = yl_store_admit_take(store, yl_object_ref(item.object));

        candidate.item.object = kept;
        yl_arena_init(&arena);
        yl_store_apply(store, &candidate, 1, &arena, NULL, NULL);
        yl_arena_release(&arena);
        yl_object_unref(candidate.old.object);
        yl_object_unref(kept);
    }
    return r;
}

bool
yl_store_delete(struct yl_store *store, const struct yl_key *key)
{
    struct yl_store_entry *entry;

    yl_mutex_lock(&store->lock);
    entry = yl_store_find(store, key);
    if (entry) {
        yl_object_unref(remove_entry(store, entry).object);
    }
    yl_mutex_unlock(&store->lock);
    return entry;
}

int
yl_store_replace(struct yl_store *store, const struct yl_versioned *items,
                 size_t n_items, struct yl_error *err)
{
    struct yl_candidate *candidates;
    struct yl_arena arena;
    size_t i;
    int r = 0;

    for (i = 0; i < n_items && r == 0; i++) {
        r = check_name(items[i].object, err);
    }
    if (r < 0) {
        return r;
    }
    yl_arena_init(&arena);
    candidates = yl_arena_array(&arena, n_items, sizeof *candidates);
    for (i = 0; i < n_items; i++) {
        candidates[i].item = items[i];
        candidates[i].item.object
            = yl_store_admit_take(store, yl_object_ref(items[i].object));
    }
    yl_store_index_compute(store, candidates, n_items, &arena);
    remove_all(store);
    for (i = 0; i < n_items; i++) {
        insert(store, &candidates[i]);
    }
    yl_store_pack_arrived(store);
    yl_mutex_unlock(&store->lock);
    for (i = 0; i < n_items; i++) {
        yl_object_unref(candidates[i].old.object);
        yl_object_unref(candidates[i].item.object);
    }
    yl_arena_release(&arena);
    return 0;
}

void
yl_store_apply(struct yl_store *store, struct yl_candidate *candidates,
               size_t n, struct yl_arena *arena, void (*then)(void *aux),
               void *aux)
{
    size_t i;

    yl_store_index_compute(store, candidates, n, arena);
    for (i = 0; i < n; i++) {
        struct yl_candidate *candidate = &candidates[i];

        if (candidate->is_deletion) {
            struct yl_key key = yl_object_key(candidate->item.object);
            struct yl_store_entry *entry = yl_store_find(store, &key);

            if (entry) {
                candidate->old = remove_entry(store, entry);
            }
        } else {
            insert(store, candidate);
        }
    }
    yl_store_pack_arrived(store);
    if (store->must_pack) {
        yl_store_pack_all(store);
    }
    if (then) {
        then(aux);
    }
    yl_mutex_unlock(&store->lock);
}

bool
yl_store_lend(struct yl_store *store, const struct yl_key *key,
              struct yl_versioned *ret_item)
{
    const struct yl_store_entry *entry;

    yl_mutex_lock(&store->lock);
    entry = yl_store_find(store, key);
    if (entry) {
        *ret_item = entry->item;
    }
    yl_mutex_unlock(&store->lock);
    return entry;
}

void
yl_store_walk(struct yl_store *store,
              void (*fn)(void *aux, struct yl_versioned), void *aux)
{
    const struct yl_store_space *space;
    const struct yl_store_entry *entry;

    yl_mutex_lock(&store->lock);
    YL_MAP_FOR_EACH (space, node, &store->spaces) {
        YL_MAP_FOR_EACH (entry, node, &space->entries) {
            fn(aux, entry->item);
        }
    }
    yl_mutex_unlock(&store->lock);
}

struct yl_store_stats
yl_store_stats(struct yl_store *store)
{
    struct yl_store_stats stats;

    yl_mutex_lock(&store->lock);
    stats = store->stats;
    stats.dictionary_bytes = store->dictionary
                             ? yl_dictionary_footprint(store->dictionary) : 0;
    yl_mutex_unlock(&store->lock);
    return stats;
}

struct yl_object *
yl_store_admit_take(struct yl_store *store, struct yl_object *object)
{
    const struct yl_store_opts *opts = &store->opts;
    struct yl_object *kept;

    if (opts->as_is) {
        return object;
    }
    kept = yl_object_reduce(object, !opts->keep_managed_fields,
                            opts->metadata_only);
    yl_object_unref(object);
    if (opts->transform) {
        struct yl_object *other = opts->transform(opts->transform_aux, kept);

        if (other) {
            yl_object_unref(kept);
            kept = other;
        }
    }
    return yl_store_pack_take(store, kept);
}

void
yl_store_count(struct yl_store *store, const struct yl_object *object, bool in)
{
    struct yl_store_stats *stats = &store->stats;
    size_t size = yl_object_footprint(object);
    size_t plain_size = yl_object_plain_footprint(object);
    size_t packed = yl_object_is_packed(object);

    stats->n_objects += in ? 1 : -1;
    stats->n_packed += in ? packed : -packed;
    stats->bytes += in ? size : -size;
    stats->plain_bytes += in ? plain_size : -plain_size;
}

struct yl_store_entry *
yl_store_find(struct yl_store *store, const struct yl_key *key)
{
    const struct yl_store_space *space = space_find(store, key->namespace_);

    return space ? entry_find(space, key->name, yl_hash_str(key->name)) : NULL;
}

/* An entry is found by its name; without one it could never be. */
static int
check_name(const struct yl_object *object, struct yl_error *err)
{
    return yl_str_is_empty(yl_object_name(object))
           ? yl_error_set(err, YL_EINVALID, "object has no name") : 0;
}

/* Adds or replaces an entry. */
static void
insert(struct yl_store *store, struct yl_candidate *candidate)
{
    struct yl_key key = yl_object_key(candidate->item.object);
    size_t hash = yl_hash_str(key.name);
    struct yl_store_space *space = space_find(store, key.namespace_);
    struct yl_store_entry *entry = NULL;

    if (space) {
        entry = entry_find(space, key.name, hash);
    } else {
        space = space_add(store, key.namespace_);
    }
    if (entry) {
        yl_store_index_remove(entry);
        yl_store_count(store, entry->item.object, false);
        candidate->old = entry->item;
    } else {
        entry = yl_zalloc(sizeof *entry);
        yl_map_insert(&space->entries, &entry->node, hash);
    }
    entry->item = candidate->item;
    entry->item.object = yl_store_pack_late(store, candidate->item.object);
    yl_store_count(store, entry->item.object, true);
    yl_store_index_insert(entry, candidate);
}

/* Returns what it held, with the reference. */
static struct yl_versioned
remove_entry(struct yl_store *store, struct yl_store_entry *entry)
{
    struct yl_versioned item = entry->item;
    struct yl_store_space *space
        = space_find(store, yl_object_namespace(item.object));

    yl_store_index_remove(entry);
    yl_store_count(store, item.object, false);
    yl_map_remove(&space->entries, &entry->node);
    if (yl_map_is_empty(&space->entries)) {
        yl_map_remove(&store->spaces, &space->node);
        yl_map_release(&space->entries);
        free(space);
    }
    free(entry);
    return item;
}

static void
remove_all(struct yl_store *store)
{
    struct yl_store_space *space;

    YL_MAP_FOR_EACH_SAFE (space, node, &store->spaces) {
        struct yl_store_entry *entry;

        YL_MAP_FOR_EACH_SAFE (entry, node, &space->entries) {
            yl_store_index_remove(entry);
            yl_store_count(store, entry->item.object, false);
            yl_object_unref(entry->item.object);
            free(entry);
        }
        yl_map_release(&space->entries);
        yl_map_remove(&store->spaces, &space->node);
        free(space);
    }
}

static struct yl_store_space *
space_find(struct yl_store *store, struct yl_str name)
{
    struct yl_store_space *space;

    YL_MAP_FOR_EACH_WITH_HASH (space, node, yl_hash_str(name),
                               &store->spaces) {
        if (yl_str_equal(space->name, name)) {
            return space;
        }
    }
    return NULL;
}

static struct yl_store_space *
space_add(struct yl_store *store, struct yl_str name)
{
    struct yl_store_space *space = yl_malloc(sizeof *space + name.size + 1);

    yl_map_init(&space->entries);
    memcpy(space->bytes, name.size ? name.data : "", name.size);
    space->name = yl_str_n(space->bytes, name.size);
    yl_map_insert(&store->spaces, &space->node, yl_hash_str(name));
    return space;
}

static struct yl_store_entry *
entry_find(const struct yl_store_space *space, struct yl_str name,
           size_t hash)
{
    struct yl_store_entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, node, hash, &space->entries) {
        if (yl_str_equal(yl_object_name(entry->item.object), name)) {
            return entry;
        }
    }
    return NULL;
}

static void
release_object(void *object)
{
    yl_object_unref(object);
}
