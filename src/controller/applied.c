/* Applied: what was applied last.  See controller/applied.h. */

#include "controller/applied.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/key.h"

struct entry {
    struct yl_map_node by_object;
    const struct yl_kind *kind;
    struct yl_key *key;
    size_t hash;                /* Of the JSON, with the process's seed: two
                                 * texts of one size have the same one by an
                                 * accident of 1 in 2^64. */
    size_t size;
};

struct yl_applied {
    struct yl_mutex lock;
    struct yl_map entries YL_GUARDED;
};

static struct entry *find(struct yl_applied *applied, const struct yl_kind *,
                          const struct yl_key *) YL_REQUIRES(applied->lock);
static size_t hash(const struct yl_kind *, const struct yl_key *);

struct yl_applied *
yl_applied_new(void)
{
    struct yl_applied *applied = yl_zalloc(sizeof *applied);

    yl_mutex_init(&applied->lock);
    return applied;
}

void
yl_applied_free(struct yl_applied *applied)
{
    struct entry *entry;

    if (!applied) {
        return;
    }
    yl_mutex_lock(&applied->lock);
    YL_MAP_FOR_EACH_SAFE (entry, by_object, &applied->entries) {
        free(entry->key);
        free(entry);
    }
    yl_map_release(&applied->entries);
    yl_mutex_unlock(&applied->lock);
    yl_mutex_destroy(&applied->lock);
    free(applied);
}

bool
yl_applied_is(struct yl_applied *applied, const struct yl_kind *kind,
              const struct yl_key *key, struct yl_str json)
{
    const struct entry *entry;
    bool is;

    yl_mutex_lock(&applied->lock);
    entry = find(applied, kind, key);
    is = entry && entry->size == json.size
         && entry->hash == yl_hash_str(json);
    yl_mutex_unlock(&applied->lock);
    return is;
}

void
yl_applied_put(struct yl_applied *applied, const struct yl_kind *kind,
               const struct yl_key *key, struct yl_str json)
{
    struct entry *entry;

    yl_mutex_lock(&applied->lock);
    entry = find(applied, kind, key);
    if (!entry) {
        entry = yl_zalloc(sizeof *entry);
        entry->kind = kind;
        entry->key = yl_key_new(key);
        yl_map_insert(&applied->entries, &entry->by_object, hash(kind, key));
    }
    entry->hash = yl_hash_str(json);
    entry->size = json.size;
    yl_mutex_unlock(&applied->lock);
}

size_t
yl_applied_count(struct yl_applied *applied)
{
    size_t n;

    yl_mutex_lock(&applied->lock);
    n = yl_map_count(&applied->entries);
    yl_mutex_unlock(&applied->lock);
    return n;
}

void
yl_applied_forget(struct yl_applied *applied, const struct yl_kind *kind,
                  const struct yl_key *key)
{
    struct entry *entry;

    yl_mutex_lock(&applied->lock);
    entry = find(applied, kind, key);
    if (entry) {
        yl_map_remove(&applied->entries, &entry->by_object);
        free(entry->key);
        free(entry);
    }
    yl_mutex_unlock(&applied->lock);
}

static struct entry *
find(struct yl_applied *applied, const struct yl_kind *kind,
     const struct yl_key *key)
{
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, by_object, hash(kind, key),
                               &applied->entries) {
        if (entry->kind == kind && yl_key_equal(entry->key, key)) {
            return entry;
        }
    }
    return NULL;
}

static size_t
hash(const struct yl_kind *kind, const struct yl_key *key)
{
    return yl_hash_u64(yl_key_hash(key) + 31 * (uintptr_t) kind);
}
