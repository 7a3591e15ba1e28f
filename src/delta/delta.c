/* Delta queue.  See yuloh/delta.h for the contract.
 *
 * The queue holds what it was given and compares it with what the consumer
 * knows only when it comes out.  At that moment the consumer has applied
 * everything before it, so "known" means exactly "before this delta": nothing
 * that is still queued has to be searched.
 *
 *     entries:   CHANGE  CHANGE  REPLACEMENT  BOOKMARK  RESYNC
 *     batches:   [------------]  [---------]  [------]  [----]
 *
 * Because a batch is applied only after it was made, no two changes in one may
 * have the same key: the second would be compared with the state before the
 * first.  So a batch of changes ends before a key that it has already. */

#include "yuloh/delta.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/list.h"
#include "base/map.h"

#define DEFAULT_MAX_BATCH 1000

enum entry_kind {
    CHANGE,
    BOOKMARK,
    RESYNC,
    REPLACEMENT,
};

/* One item of a list. */
struct item {
    struct yl_list node;        /* In replacement's 'items'. */
    struct yl_map_node by_key;  /* In replacement's 'by_key'. */
    struct yl_versioned object;
};

struct replacement {
    struct yl_list items;       /* In the order of the list. */
    struct yl_map by_key;
};

struct entry {
    struct yl_list node;        /* In yl_delta_queue's 'entries'. */
    enum entry_kind kind;
    struct yl_delta delta;      /* Of a CHANGE. */
    struct yl_map_node by_key;  /* Of a CHANGE: in the batch being made. */
    bool buried;                /* Of a CHANGE: has the tombstone of the object
                                 * that it succeeds come out? */
    struct replacement *list;   /* Of a REPLACEMENT. */
    uint64_t revision;          /* Where the source was; 0 for a RESYNC. */
};

/* A batch that is being made. */
struct batch {
    struct yl_delta *deltas;
    size_t n_deltas;
    size_t capacity;
};

struct yl_delta_queue {
    struct yl_delta_queue_opts opts;    /* Defaults filled in. */
    struct yl_list entries;
    size_t length;              /* What yl_delta_queue_length() says. */
    struct replacement *list;   /* The one that has begun; or NULL. */
    uint64_t revision;          /* Of the last batch. */

    bool populated;             /* Has anything ever been put in? */
    bool first_list_waits;      /* Is the first replacement queued, or out? */
    bool popping;               /* Is a batch out? */
};

static int transform(struct yl_delta_queue *, struct yl_versioned *,
                     struct yl_error *);
static int change(struct yl_delta_queue *, enum yl_delta_type,
                  struct yl_versioned, struct yl_error *);
static struct entry *entry_new(struct yl_delta_queue *, enum entry_kind,
                               uint64_t revision);
static void entry_free(struct entry *);
static struct replacement *replacement_new(void);
static void replacement_free(struct replacement *);
static struct item *replacement_find(const struct replacement *,
                                     const struct yl_key *);
static void pop_changes(struct yl_delta_queue *, struct batch *);
static bool batch_has(struct yl_map *, const struct yl_key *, size_t hash);
static bool add_change(struct yl_delta_queue *, struct entry *,
                       struct batch *);
static void pop_replacement(struct yl_delta_queue *, struct entry *,
                            struct batch *);
static void pop_resync(struct yl_delta_queue *, struct batch *);
static bool is_known(const struct yl_delta_queue *, const struct yl_key *,
                     struct yl_versioned *);
static bool other_life(const struct yl_object *, const struct yl_object *);
static void batch_add(struct batch *, enum yl_delta_type, struct yl_versioned,
                      bool tombstone);
static void hand_out(struct yl_delta_queue *, struct batch *, bool replaces,
                     yl_delta_batch_fn *, void *aux);

const char *
yl_delta_type_name(enum yl_delta_type type)
{
    static const char *const names[] = {
        "ADDED", "UPDATED", "DELETED", "REPLACED", "SYNC",
    };

    return names[type];
}

struct yl_delta_queue *
yl_delta_queue_new(const struct yl_delta_queue_opts *opts)
{
    struct yl_delta_queue *q = yl_zalloc(sizeof *q);

    if (opts) {
        q->opts = *opts;
    }
    if (q->opts.max_batch == 0) {
        q->opts.max_batch = DEFAULT_MAX_BATCH;
    }
    yl_list_init(&q->entries);
    return q;
}

void
yl_delta_queue_free(struct yl_delta_queue *q)
{
    struct entry *entry;

    if (!q) {
        return;
    }
    YL_LIST_FOR_EACH_SAFE (entry, node, &q->entries) {
        entry_free(entry);
    }
    replacement_free(q->list);
    free(q);
}

int
yl_delta_queue_add_take(struct yl_delta_queue *q, struct yl_versioned object,
                        struct yl_error *err)
{
    return change(q, YL_DELTA_ADDED, object, err);
}

int
yl_delta_queue_update_take(struct yl_delta_queue *q,
                           struct yl_versioned object, struct yl_error *err)
{
    return change(q, YL_DELTA_UPDATED, object, err);
}

int
yl_delta_queue_delete_take(struct yl_delta_queue *q,
                           struct yl_versioned object, struct yl_error *err)
{
    return change(q, YL_DELTA_DELETED, object, err);
}

void
yl_delta_queue_bookmark(struct yl_delta_queue *q, uint64_t revision)
{
    entry_new(q, BOOKMARK, revision);
    q->length++;
}

void
yl_delta_queue_resync(struct yl_delta_queue *q)
{
    entry_new(q, RESYNC, 0);
    q->length++;
}

void
yl_delta_queue_replace_begin(struct yl_delta_queue *q)
{
    yl_delta_queue_replace_cancel(q);
    q->list = replacement_new();
}

int
yl_delta_queue_replace_item_take(struct yl_delta_queue *q,
                                 struct yl_versioned object,
                                 struct yl_error *err)
{
    struct yl_key key;
    struct item *item;
    int r = transform(q, &object, err);

    if (r < 0) {
        return r;
    }
    assert(q->list);
    key = yl_object_key(object.object);
    item = replacement_find(q->list, &key);
    if (item) {
        yl_object_unref(item->object.object);
    } else {
        item = yl_zalloc(sizeof *item);
        yl_list_push_back(&q->list->items, &item->node);
        yl_map_insert(&q->list->by_key, &item->by_key, yl_key_hash(&key));
    }
    item->object = object;
    return 0;
}

void
yl_delta_queue_replace_remove(struct yl_delta_queue *q,
                              const struct yl_key *key)
{
    struct item *item;

    assert(q->list);
    item = replacement_find(q->list, key);
    if (item) {
        yl_map_remove(&q->list->by_key, &item->by_key);
        yl_list_remove(&item->node);
        yl_object_unref(item->object.object);
        free(item);
    }
}

void
yl_delta_queue_replace_end(struct yl_delta_queue *q, uint64_t revision)
{
    struct entry *entry = entry_new(q, REPLACEMENT, revision);

    assert(q->list);
    entry->list = q->list;
    q->list = NULL;
    q->length += 1 + yl_map_count(&entry->list->by_key);
    if (!q->populated) {
        q->populated = true;
        q->first_list_waits = true;
    }
}

void
yl_delta_queue_replace_cancel(struct yl_delta_queue *q)
{
    replacement_free(q->list);
    q->list = NULL;
}

size_t
yl_delta_queue_replace_count(const struct yl_delta_queue *q)
{
    return q->list ? yl_map_count(&q->list->by_key) : 0;
}

bool
yl_delta_queue_pop(struct yl_delta_queue *q, yl_delta_batch_fn *fn, void *aux)
{
    struct batch batch = { NULL, 0, 0 };
    struct entry *entry;

    assert(!q->popping);
    if (yl_list_is_empty(&q->entries)) {
        return false;
    }
    entry = YL_CONTAINER_OF(yl_list_front(&q->entries), struct entry, node);
    if (entry->kind == CHANGE || entry->kind == BOOKMARK) {
        pop_changes(q, &batch);
        hand_out(q, &batch, false, fn, aux);
        return true;
    }
    yl_list_remove(&entry->node);
    q->length--;
    if (entry->kind == REPLACEMENT) {
        q->length -= yl_map_count(&entry->list->by_key);
        q->revision = entry->revision;
        pop_replacement(q, entry, &batch);
        hand_out(q, &batch, true, fn, aux);
        q->first_list_waits = false;
    } else {
        pop_resync(q, &batch);
        hand_out(q, &batch, false, fn, aux);
    }
    entry_free(entry);
    return true;
}

void
yl_delta_queue_drain(struct yl_delta_queue *q, yl_delta_batch_fn *fn,
                     void *aux)
{
    while (yl_delta_queue_pop(q, fn, aux)) {
        continue;
    }
}

bool
yl_delta_queue_has_synced(const struct yl_delta_queue *q)
{
    return q->populated && !q->first_list_waits;
}

size_t
yl_delta_queue_length(const struct yl_delta_queue *q)
{
    return q->length;
}

uint64_t
yl_delta_queue_revision(const struct yl_delta_queue *q)
{
    return q->revision;
}

/* On failure the object is let go. */
static int
transform(struct yl_delta_queue *q, struct yl_versioned *object,
          struct yl_error *err)
{
    int r = 0;

    if (q->opts.transform) {
        r = q->opts.transform(q->opts.transform_aux, &object->object,
                              object->revision, err);
        if (r < 0) {
            yl_object_unref(object->object);
        }
    }
    return r < 0 ? r : 0;
}

static int
change(struct yl_delta_queue *q, enum yl_delta_type type,
       struct yl_versioned object, struct yl_error *err)
{
    struct entry *entry;
    int r = transform(q, &object, err);

    if (r < 0) {
        return r;
    }
    entry = entry_new(q, CHANGE, object.revision);
    entry->delta.type = type;
    entry->delta.object = object;
    q->length++;
    q->populated = true;
    return 0;
}

static struct entry *
entry_new(struct yl_delta_queue *q, enum entry_kind kind, uint64_t revision)
{
    struct entry *entry = yl_zalloc(sizeof *entry);

    entry->kind = kind;
    entry->revision = revision;
    yl_list_push_back(&q->entries, &entry->node);
    return entry;
}

static void
entry_free(struct entry *entry)
{
    yl_list_remove(&entry->node);
    yl_object_unref(entry->delta.object.object);
    replacement_free(entry->list);
    free(entry);
}

static struct replacement *
replacement_new(void)
{
    struct replacement *list = yl_zalloc(sizeof *list);

    yl_list_init(&list->items);
    return list;
}

static void
replacement_free(struct replacement *list)
{
    struct item *item;

    if (!list) {
        return;
    }
    YL_LIST_FOR_EACH_SAFE (item, node, &list->items) {
        yl_object_unref(item->object.object);
        free(item);
    }
    yl_map_release(&list->by_key);
    free(list);
}

static struct item *
replacement_find(const struct replacement *list, const struct yl_key *key)
{
    struct item *item;

    YL_MAP_FOR_EACH_WITH_HASH (item, by_key, yl_key_hash(key),
                               &list->by_key) {
        struct yl_key other = yl_object_key(item->object.object);

        if (yl_key_equal(&other, key)) {
            return item;
        }
    }
    return NULL;
}

/* Makes a batch of the changes and bookmarks at the front. */
static void
pop_changes(struct yl_delta_queue *q, struct batch *batch)
{
    struct yl_map keys = YL_MAP_INIT;
    struct yl_list taken = YL_LIST_INIT(&taken);
    struct entry *entry;

    YL_LIST_FOR_EACH_SAFE (entry, node, &q->entries) {
        if (entry->kind == CHANGE) {
            struct yl_key key = yl_object_key(entry->delta.object.object);
            size_t hash = yl_key_hash(&key);

            if (batch->n_deltas >= q->opts.max_batch
                || batch_has(&keys, &key, hash)
                || !add_change(q, entry, batch)) {
                break;
            }
            if (yl_list_after(&q->entries, &entry->node)) {
                yl_map_insert(&keys, &entry->by_key, hash);
            }
        } else if (entry->kind != BOOKMARK) {
            break;
        }
        q->revision = entry->revision;
        q->length--;
        yl_list_remove(&entry->node);
        yl_list_push_back(&taken, &entry->node);
    }
    YL_LIST_FOR_EACH_SAFE (entry, node, &taken) {
        entry_free(entry);
    }
    yl_map_release(&keys);
}

static bool
batch_has(struct yl_map *keys, const struct yl_key *key, size_t hash)
{
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, by_key, hash, keys) {
        struct yl_key other = yl_object_key(entry->delta.object.object);

        if (yl_key_equal(&other, key)) {
            return true;
        }
    }
    return false;
}

/* Adds what 'entry' means to the consumer.  False if that is so far only the
 * deletion of the object that was there under the same key: the entry must
 * wait until that is applied. */
static bool
add_change(struct yl_delta_queue *q, struct entry *entry, struct batch *batch)
{
    enum yl_delta_type type = entry->delta.type;
    struct yl_versioned object = entry->delta.object, old;
    struct yl_key key = yl_object_key(object.object);

    if (q->opts.known) {
        bool found = is_known(q, &key, &old);

        if (type == YL_DELTA_DELETED) {
            if (!found) {
                return true;
            }
        } else if (!entry->buried && found
                   && other_life(object.object, old.object)) {
            batch_add(batch, YL_DELTA_DELETED, old, true);
            entry->buried = true;
            entry->delta.type = YL_DELTA_ADDED;
            return false;
        }
    }
    batch_add(batch, type, object, false);
    return true;
}

/* A walk over what is known, for those that a list does not have. */
struct missing {
    const struct replacement *list;
    struct batch *batch;
};

static void
add_if_missing(void *aux, struct yl_versioned known)
{
    struct missing *missing = aux;
    struct yl_key key = yl_object_key(known.object);
    struct item *item = replacement_find(missing->list, &key);

    if (!item || other_life(item->object.object, known.object)) {
        batch_add(missing->batch, YL_DELTA_DELETED, known, true);
    }
}

static void
pop_replacement(struct yl_delta_queue *q, struct entry *entry,
                struct batch *batch)
{
    struct missing missing = { entry->list, batch };
    struct item *item;

    if (q->opts.known) {
        q->opts.known->each(q->opts.known_aux, add_if_missing, &missing);
    }
    YL_LIST_FOR_EACH (item, node, &entry->list->items) {
        batch_add(batch, YL_DELTA_REPLACED, item->object, false);
    }
}

static void
add_sync(void *aux, struct yl_versioned known)
{
    batch_add(aux, YL_DELTA_SYNC, known, false);
}

static void
pop_resync(struct yl_delta_queue *q, struct batch *batch)
{
    if (q->opts.known) {
        q->opts.known->each(q->opts.known_aux, add_sync, batch);
    }
}

static bool
is_known(const struct yl_delta_queue *q, const struct yl_key *key,
         struct yl_versioned *ret)
{
    return q->opts.known->find(q->opts.known_aux, key, ret);
}

/* Were both objects created, but not by the same creation?  Those of a test
 * may have no uid. */
static bool
other_life(const struct yl_object *a, const struct yl_object *b)
{
    struct yl_str x = yl_object_uid(a), y = yl_object_uid(b);

    return x.size && y.size && !yl_str_equal(x, y);
}

static void
batch_add(struct batch *batch, enum yl_delta_type type,
          struct yl_versioned object, bool tombstone)
{
    if (batch->n_deltas == batch->capacity) {
        batch->capacity = batch->capacity ? 2 * batch->capacity : 16;
        batch->deltas = yl_realloc_array(batch->deltas, batch->capacity,
                                         sizeof *batch->deltas);
    }
    yl_object_ref(object.object);
    batch->deltas[batch->n_deltas++] = (struct yl_delta) {
        .type = type, .object = object, .tombstone = tombstone,
    };
}

/* Gives the batch to the consumer and lets go what it holds.  The references
 * of its own keep a tombstone's object while the consumer forgets it. */
static void
hand_out(struct yl_delta_queue *q, struct batch *batch, bool replaces,
         yl_delta_batch_fn *fn, void *aux)
{
    bool initial = !yl_delta_queue_has_synced(q);
    size_t i;

    for (i = 0; i < batch->n_deltas; i++) {
        batch->deltas[i].initial = initial;
        if (q->opts.trace) {
            q->opts.trace(q->opts.trace_aux, &batch->deltas[i]);
        }
    }
    q->popping = true;
    fn(aux, &(struct yl_delta_batch) {
        batch->deltas, batch->n_deltas, replaces, q->revision,
    });
    q->popping = false;
    for (i = 0; i < batch->n_deltas; i++) {
        yl_object_unref(batch->deltas[i].object.object);
    }
    free(batch->deltas);
}
