/* When a store packs its objects.  See yuloh/store.h for the contract and
 * object/pack.h for packed blocks.
 *
 * A store counts the bytes that it holds and those that were admitted and will
 * be written soon: a list that is under way waits as a whole in a delta queue.
 * When both together pass the limit, a dictionary is trained, on the objects
 * that are arriving or, if those are few, on those that are there.  From then
 * on objects are packed when they are admitted, so that a list never needs the
 * room of its plain objects.  Those that came before are packed when they are
 * written; those that are there already at once. */

#include "store/store_parts.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "object/pack.h"

/* One byte of this many is a sample. */
#define SAMPLE_RATIO 8

static bool arrive(struct yl_store *store, struct yl_object *)
    YL_REQUIRES(store->lock);
static void take_sample(struct yl_store *store, struct yl_object *)
    YL_REQUIRES(store->lock);
static void take_samples(struct yl_store *store) YL_REQUIRES(store->lock);
static struct yl_dictionary *begin_packing(struct yl_store *);
static void drop_samples(struct yl_object **, size_t n);

struct yl_object *
yl_store_pack_take(struct yl_store *store, struct yl_object *object)
{
    struct yl_dictionary *dictionary;
    struct yl_object *packed = NULL;
    bool is_time;

    if (store->opts.never_pack) {
        return object;
    }
    yl_mutex_lock(&store->lock);
    dictionary = store->dictionary ? yl_dictionary_ref(store->dictionary)
                                   : NULL;
    is_time = !dictionary && arrive(store, object);
    yl_mutex_unlock(&store->lock);
    if (is_time) {
        dictionary = begin_packing(store);
    }
    if (dictionary) {
        packed = yl_object_pack(object, dictionary);
        yl_dictionary_unref(dictionary);
    }
    if (packed) {
        yl_object_unref(object);
    }
    return packed ? packed : object;
}

struct yl_object *
yl_store_pack_late(struct yl_store *store, struct yl_object *object)
{
    struct yl_object *packed = store->dictionary && store->has_plain
                               ? yl_object_pack(object, store->dictionary)
                               : NULL;

    return packed ? packed : yl_object_ref(object);
}

void
yl_store_pack_all(struct yl_store *store)
{
    struct yl_store_space *space;
    struct yl_store_entry *entry;

    store->must_pack = store->n_building;
    if (store->must_pack) {
        return;
    }
    YL_MAP_FOR_EACH (space, node, &store->spaces) {
        YL_MAP_FOR_EACH (entry, node, &space->entries) {
            struct yl_object *packed
                = yl_object_pack(entry->item.object, store->dictionary);

            if (packed) {
                yl_store_count(store, entry->item.object, false);
                yl_object_unref(entry->item.object);
                entry->item.object = packed;
                yl_store_count(store, packed, true);
            }
        }
    }
}

void
yl_store_pack_arrived(struct yl_store *store)
{
    store->arriving = 0;
    store->has_plain = false;
    drop_samples(store->samples, store->n_samples);
    store->samples = NULL;
    store->n_samples = store->sample_bytes = 0;
}

/* Counts an object that will be written.  Is it time to pack? */
static bool
arrive(struct yl_store *store, struct yl_object *object)
{
    store->arriving += yl_object_footprint(object);
    if (store->sample_bytes < store->arriving / SAMPLE_RATIO) {
        take_sample(store, object);
    }
    return store->stats.bytes + store->arriving > store->opts.pack_above;
}

static void
take_sample(struct yl_store *store, struct yl_object *object)
{
    if (store->sample_bytes < YL_DICTIONARY_SAMPLES
        && !yl_object_is_packed(object)) {
        store->samples = yl_realloc_array(store->samples, store->n_samples + 1,
                                          sizeof *store->samples);
        store->samples[store->n_samples++] = yl_object_ref(object);
        store->sample_bytes += yl_object_footprint(object);
    }
}

/* Some of the objects that are there, from everywhere. */
static void
take_samples(struct yl_store *store)
{
    size_t ratio = store->stats.bytes / YL_DICTIONARY_SAMPLES + 1, seen = 0;
    const struct yl_store_space *space;
    const struct yl_store_entry *entry;

    YL_MAP_FOR_EACH (space, node, &store->spaces) {
        YL_MAP_FOR_EACH (entry, node, &space->entries) {
            seen += yl_object_footprint(entry->item.object);
            if (store->sample_bytes <= seen / ratio) {
                take_sample(store, entry->item.object);
            }
        }
    }
}

/* Trains a dictionary, without the lock as it takes 25 ms, and packs what is
 * there.  Returns a reference to it. */
static struct yl_dictionary *
begin_packing(struct yl_store *store)
{
    struct yl_dictionary *dictionary;
    struct yl_object **samples;
    size_t n;

    yl_mutex_lock(&store->lock);
    if (store->sample_bytes < YL_DICTIONARY_SAMPLES / 2) {
        take_samples(store);
    }
    samples = store->samples;
    n = store->n_samples;
    store->samples = NULL;
    store->n_samples = store->sample_bytes = 0;
    yl_mutex_unlock(&store->lock);

    dictionary = yl_pack_train(samples, n);
    drop_samples(samples, n);
    yl_mutex_lock(&store->lock);
    if (store->dictionary) {
        /* Another thread was quicker. */
        yl_dictionary_unref(dictionary);
    } else {
        store->dictionary = dictionary;
        store->has_plain = true;
        yl_store_pack_all(store);
    }
    dictionary = yl_dictionary_ref(store->dictionary);
    yl_mutex_unlock(&store->lock);
    return dictionary;
}

static void
drop_samples(struct yl_object **samples, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        yl_object_unref(samples[i]);
    }
    free(samples);
}
