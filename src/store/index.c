/* Named indexes.  See yuloh/store.h for the contract and store_parts.h for
 * what points to what.
 *
 * Indexes are only ever added, at the front of a list whose links do not
 * change.  So a writer can call the users' functions without the lock: it
 * remembers the newest index it has asked, and when it has taken the lock, it
 * can tell whether there is a newer one to ask. */

#include "store/store_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "yuloh/owner.h"

static struct yl_store_index *find_any(struct yl_store *store,
                                       const char *name)
    YL_REQUIRES(store->lock);
static size_t snapshot(struct yl_store *store, struct yl_arena *,
                       struct yl_candidate **ret_candidates)
    YL_REQUIRES(store->lock);
static void ask(struct yl_store_index *, struct yl_candidate *,
                struct yl_arena *);
static void insert_value(struct yl_store_entry *, struct yl_store_index *,
                         struct yl_str text);
static bool has_posting(const struct yl_store_entry *,
                        const struct yl_store_index *);
static void release_object(void *);

int
yl_store_add_index(struct yl_store *store, const char *name, yl_index_fn *fn,
                   void *aux, struct yl_error *err)
{
    struct yl_store_index *index;
    struct yl_candidate *candidates;
    struct yl_arena arena;
    size_t i, n;

    yl_arena_init(&arena);
    yl_mutex_lock(&store->lock);
    if (find_any(store, name)) {
        yl_mutex_unlock(&store->lock);
        return yl_error_set(err, YL_EEXISTS, "index %s already exists", name);
    }
    index = yl_zalloc(sizeof *index);
    index->name = yl_strdup(yl_str_c(name));
    index->fn = fn;
    index->aux = aux;
    index->older = store->newest;
    store->newest = index;
    store->n_building++;
    n = snapshot(store, &arena, &candidates);
    yl_mutex_unlock(&store->lock);

    /* Whoever writes from now on asks this index, too.  What remains are the
     * entries of the snapshot that nobody replaces meanwhile. */
    for (i = 0; i < n; i++) {
        ask(index, &candidates[i], &arena);
    }
    yl_mutex_lock(&store->lock);
    for (i = 0; i < n; i++) {
        struct yl_key key = yl_object_key(candidates[i].item.object);
        struct yl_store_entry *entry = yl_store_find(store, &key);

        if (entry && entry->item.object == candidates[i].item.object
            && !has_posting(entry, index)) {
            yl_store_index_insert(entry, &candidates[i]);
        }
    }
    index->is_complete = true;
    store->n_building--;
    store->stats.n_indexes++;
    yl_mutex_unlock(&store->lock);
    yl_arena_release(&arena);
    return 0;
}

bool
yl_store_has_index(struct yl_store *store, const char *name)
{
    bool found;

    yl_mutex_lock(&store->lock);
    found = yl_store_index_find(store, name);
    yl_mutex_unlock(&store->lock);
    return found;
}

int
yl_store_index_values(struct yl_store *store, const char *name,
                      struct yl_arena *arena,
                      struct yl_store_values *ret_values,
                      struct yl_error *err)
{
    const struct yl_index_value *value;
    const struct yl_store_index *index;
    struct yl_str *values = NULL;
    size_t n = 0;

    yl_mutex_lock(&store->lock);
    index = yl_store_index_find(store, name);
    if (index) {
        values = yl_arena_array(arena, yl_map_count(&index->values),
                                sizeof *values);
        YL_MAP_FOR_EACH (value, node, &index->values) {
            values[n++] = yl_arena_copy(arena, value->text);
        }
    }
    yl_mutex_unlock(&store->lock);
    if (!values) {
        return yl_store_index_missing(name, err);
    }
    ret_values->values = values;
    ret_values->n_values = n;
    return 0;
}

void
yl_index_values_add(struct yl_index_values *values, struct yl_str text)
{
    struct yl_candidate *candidate = values->candidate;
    struct yl_candidate_value *value;

    /* Objects have a few values each. */
    for (value = candidate->values; value; value = value->next) {
        if (value->index == values->index && yl_str_equal(value->text, text)) {
            return;
        }
    }
    value = yl_arena_alloc(values->arena, sizeof *value);
    value->index = values->index;
    value->text = yl_arena_copy(values->arena, text);
    value->next = candidate->values;
    candidate->values = value;
}

void
yl_index_by_owner(void *aux YL_UNUSED, const struct yl_object *object,
                  struct yl_arena *arena, struct yl_index_values *values)
{
    struct yl_owner_iter iter = yl_owner_iter(yl_object_owners(object), arena);
    struct yl_owner owner;

    while (yl_owner_next(&iter, &owner)) {
        yl_index_values_add(values, owner.uid);
    }
}

void
yl_index_by_controller(void *aux YL_UNUSED, const struct yl_object *object,
                       struct yl_arena *arena, struct yl_index_values *values)
{
    struct yl_owner owner;

    if (yl_owner_controller(yl_object_owners(object), arena, &owner)) {
        yl_index_values_add(values, owner.uid);
    }
}

void
yl_index_by_namespace(void *aux YL_UNUSED, const struct yl_object *object,
                      struct yl_arena *arena YL_UNUSED,
                      struct yl_index_values *values)
{
    yl_index_values_add(values, yl_object_namespace(object));
}

void
yl_store_index_compute(struct yl_store *store,
                       struct yl_candidate *candidates, size_t n,
                       struct yl_arena *arena)
{
    struct yl_store_index *asked = NULL, *newest, *index;
    size_t i;

    yl_mutex_lock(&store->lock);
    while ((newest = store->newest) != asked) {
        yl_mutex_unlock(&store->lock);
        for (index = newest; index != asked; index = index->older) {
            for (i = 0; i < n; i++) {
                ask(index, &candidates[i], arena);
            }
        }
        asked = newest;
        yl_mutex_lock(&store->lock);
    }
}

void
yl_store_index_insert(struct yl_store_entry *entry,
                      const struct yl_candidate *candidate)
{
    const struct yl_candidate_value *value;

    for (value = candidate->values; value; value = value->next) {
        insert_value(entry, value->index, value->text);
    }
}

void
yl_store_index_remove(struct yl_store_entry *entry)
{
    struct yl_posting *posting, *next;

    for (posting = entry->postings; posting; posting = next) {
        struct yl_index_value *value = posting->value;

        next = posting->next;
        yl_list_remove(&posting->node);
        free(posting);
        if (!--value->n_postings) {
            yl_map_remove(&value->index->values, &value->node);
            free(value);
        }
    }
    entry->postings = NULL;
}

struct yl_store_index *
yl_store_index_find(struct yl_store *store, const char *name)
{
    struct yl_store_index *index = find_any(store, name);

    return index && index->is_complete ? index : NULL;
}

struct yl_index_value *
yl_store_index_find_value(const struct yl_store_index *index,
                          struct yl_str text)
{
    struct yl_index_value *value;

    YL_MAP_FOR_EACH_WITH_HASH (value, node, yl_hash_str(text),
                               &index->values) {
        if (yl_str_equal(value->text, text)) {
            return value;
        }
    }
    return NULL;
}

void
yl_store_index_free(struct yl_store_index *index)
{
    yl_map_release(&index->values);
    free(index->name);
    free(index);
}

int
yl_store_index_missing(const char *name, struct yl_error *err)
{
    return yl_error_set(err, YL_ENOTFOUND,
                        "Index with name %s does not exist", name);
}

static struct yl_store_index *
find_any(struct yl_store *store, const char *name)
{
    struct yl_store_index *index;

    for (index = store->newest; index; index = index->older) {
        if (!strcmp(index->name, name)) {
            return index;
        }
    }
    return NULL;
}

/* Every object of the store, held by 'arena'. */
static size_t
snapshot(struct yl_store *store, struct yl_arena *arena,
         struct yl_candidate **ret_candidates)
{
    struct yl_candidate *candidates
        = yl_arena_array(arena, store->stats.n_objects, sizeof *candidates);
    const struct yl_store_space *space;
    const struct yl_store_entry *entry;
    size_t n = 0;

    YL_MAP_FOR_EACH (space, node, &store->spaces) {
        YL_MAP_FOR_EACH (entry, node, &space->entries) {
            candidates[n++].item = entry->item;
            yl_arena_attach(arena, release_object,
                            yl_object_ref(entry->item.object));
        }
    }
    *ret_candidates = candidates;
    return n;
}

/* Asks an index for its values of one object. */
static void
ask(struct yl_store_index *index, struct yl_candidate *candidate,
    struct yl_arena *arena)
{
    struct yl_index_values values = {
        .arena = arena,
        .candidate = candidate,
        .index = index,
    };

    if (!candidate->is_deletion) {
        index->fn(index->aux, candidate->item.object, arena, &values);
    }
}

static void
insert_value(struct yl_store_entry *entry, struct yl_store_index *index,
             struct yl_str text)
{
    struct yl_index_value *value = yl_store_index_find_value(index, text);
    struct yl_posting *posting = yl_malloc(sizeof *posting);

    if (!value) {
        value = yl_malloc(sizeof *value + text.size);
        value->index = index;
        yl_list_init(&value->postings);
        value->n_postings = 0;
        memcpy(value->bytes, text.data, text.size);
        value->text = yl_str_n(value->bytes, text.size);
        yl_map_insert(&index->values, &value->node, yl_hash_str(text));
    }
    value->n_postings++;
    posting->entry = entry;
    posting->value = value;
    posting->next = entry->postings;
    entry->postings = posting;
    yl_list_push_back(&value->postings, &posting->node);
}

static bool
has_posting(const struct yl_store_entry *entry,
            const struct yl_store_index *index)
{
    const struct yl_posting *posting;

    for (posting = entry->postings; posting; posting = posting->next) {
        if (posting->value->index == index) {
            return true;
        }
    }
    return false;
}

static void
release_object(void *object)
{
    yl_object_unref(object);
}
