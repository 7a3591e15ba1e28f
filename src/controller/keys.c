/* Keys.  See controller/keys.h.
 *
 * An entry that waits for its own writes is in the heap of the first of them
 * that is not seen.  When the source has come so far, the key comes out, and
 * yl_keys_take() looks for the next that is not seen. */

#include "controller/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct entry {
    struct yl_map_node by_key;  /* In yl_keys' 'entries'. */
    struct yl_key *key;

    /* Why it is asked for. */
    enum yl_reason_type type;   /* YL_REASON_NONE: it is not. */
    const char *kind;
    struct yl_key *object;      /* NULL: the key's own. */
    uint64_t revision;
    unsigned n_more;            /* Reasons behind the first. */

    /* What it waits for. */
    struct yl_await *awaits;    /* Keys and uids are copies. */
    size_t n_awaits, n_seen;    /* The first 'n_seen' are seen. */
    yl_msec await_until;
    unsigned source;            /* In whose heap it is. */
    struct yl_heap_node by_revision;

    /* How its last reconcile failed. */
    int code;
    char *error;                /* NULL: it did not. */
    yl_msec failed_at;
    unsigned n_failures;
};

static struct entry *find(struct yl_keys *keys, const struct yl_key *)
    YL_REQUIRES(keys->lock);
static struct entry *find_or_add(struct yl_keys *keys, const struct yl_key *)
    YL_REQUIRES(keys->lock);
static void free_if_unused(struct yl_keys *keys, struct entry *)
    YL_REQUIRES(keys->lock);
static void unpark(struct yl_keys *keys, struct entry *)
    YL_REQUIRES(keys->lock);
static void entry_free(struct entry *);
static void clear_reason(struct entry *);
static void clear_awaits(struct entry *);
static void copy_awaits(struct entry *, const struct yl_await *, size_t n);
static const char *reason_text(const struct entry *, struct yl_arena *);
static const struct yl_await *copy_await(const struct yl_await *,
                                         struct yl_arena *);

void
yl_keys_init(struct yl_keys *keys, unsigned n_sources)
{
    unsigned i;

    yl_mutex_init(&keys->lock);
    yl_mutex_lock(&keys->lock);
    yl_map_init(&keys->entries);
    keys->waiting = yl_malloc_array(n_sources, sizeof *keys->waiting);
    for (i = 0; i < n_sources; i++) {
        yl_heap_init(&keys->waiting[i]);
    }
    keys->n_sources = n_sources;
    keys->n_parked = 0;
    yl_mutex_unlock(&keys->lock);
}

void
yl_keys_release(struct yl_keys *keys)
{
    struct entry *entry;
    unsigned i;

    yl_mutex_lock(&keys->lock);
    YL_MAP_FOR_EACH_SAFE (entry, by_key, &keys->entries) {
        entry_free(entry);
    }
    yl_map_release(&keys->entries);
    for (i = 0; i < keys->n_sources; i++) {
        keys->waiting[i].count = 0;
        yl_heap_release(&keys->waiting[i]);
    }
    free(keys->waiting);
    yl_mutex_unlock(&keys->lock);
    yl_mutex_destroy(&keys->lock);
}

void
yl_keys_note(struct yl_keys *keys, const struct yl_key *key,
             const struct yl_reason *reason)
{
    struct entry *entry;

    yl_mutex_lock(&keys->lock);
    entry = find_or_add(keys, key);
    if (entry->type != YL_REASON_NONE) {
        entry->n_more++;
    } else {
        entry->type = reason->type;
        entry->kind = reason->kind;
        entry->revision = reason->revision;
        if (!yl_key_equal(key, &reason->object)) {
            entry->object = yl_key_new(&reason->object);
        }
    }
    yl_mutex_unlock(&keys->lock);
}

void
yl_keys_seen(struct yl_keys *keys, unsigned source, uint64_t revision,
             yl_wake_fn *wake, void *aux)
{
    struct yl_heap_node *node;

    yl_mutex_lock(&keys->lock);
    while ((node = yl_heap_top(&keys->waiting[source])) != NULL
           && (uint64_t) node->at <= revision) {
        struct entry *entry = YL_CONTAINER_OF(node, struct entry,
                                              by_revision);

        unpark(keys, entry);
        wake(aux, entry->key);
    }
    yl_mutex_unlock(&keys->lock);
}

bool
yl_keys_take(struct yl_keys *keys, const struct yl_key *key, yl_msec now,
             yl_await_fn *is_seen, void *aux, struct yl_arena *arena,
             struct yl_taken *ret)
{
    struct entry *entry;
    bool ready = true;

    memset(ret, 0, sizeof *ret);
    ret->reason = "somebody asked for it";
    yl_mutex_lock(&keys->lock);
    entry = find(keys, key);
    if (entry) {
        unpark(keys, entry);
        while (entry->n_seen < entry->n_awaits
               && is_seen(aux, &entry->awaits[entry->n_seen])) {
            entry->n_seen++;
        }
        if (entry->n_seen < entry->n_awaits && now < entry->await_until) {
            const struct yl_await *await = &entry->awaits[entry->n_seen];

            entry->source = await->source;
            yl_heap_push(&keys->waiting[await->source], &entry->by_revision,
                         (int64_t) await->revision);
            keys->n_parked++;
            ret->until = entry->await_until;
            ready = false;
        } else {
            ret->gave_up = entry->n_seen < entry->n_awaits
                           && !entry->awaits[entry->n_seen].of_object;
            ret->n_failures = entry->n_failures;
            ret->reason = reason_text(entry, arena);
            clear_awaits(entry);
            clear_reason(entry);
            free_if_unused(keys, entry);
        }
    }
    yl_mutex_unlock(&keys->lock);
    return ready;
}

void
yl_keys_done(struct yl_keys *keys, const struct yl_key *key,
             const struct yl_outcome *outcome)
{
    bool failed = outcome->code < 0;
    struct entry *entry;

    yl_mutex_lock(&keys->lock);
    if (failed || outcome->n_awaits || outcome->again != YL_REASON_NONE) {
        entry = find_or_add(keys, key);
    } else {
        entry = find(keys, key);
    }
    if (entry) {
        free(entry->error);
        entry->error = failed ? yl_strdup(yl_str_c(outcome->message)) : NULL;
        entry->code = outcome->code;
        entry->failed_at = outcome->now;
        entry->n_failures = failed ? entry->n_failures + 1 : 0;
        copy_awaits(entry, outcome->awaits, outcome->n_awaits);
        entry->await_until = outcome->await_until;
        if (entry->type == YL_REASON_NONE) {
            entry->type = outcome->again;
        }
        free_if_unused(keys, entry);
    }
    yl_mutex_unlock(&keys->lock);
}

size_t
yl_keys_n_parked(struct yl_keys *keys)
{
    size_t n;

    yl_mutex_lock(&keys->lock);
    n = keys->n_parked;
    yl_mutex_unlock(&keys->lock);
    return n;
}

bool
yl_keys_are_idle(struct yl_keys *keys, yl_idle_fn *is_queue_idle, void *aux)
{
    bool idle;

    yl_mutex_lock(&keys->lock);
    idle = !keys->n_parked && is_queue_idle(aux);
    yl_mutex_unlock(&keys->lock);
    return idle;
}

size_t
yl_keys_snapshot(struct yl_keys *keys, size_t max, struct yl_arena *arena,
                 const struct yl_key_status **ret_entries)
{
    struct yl_key_status *statuses;
    const struct entry *entry;
    size_t n = 0;

    yl_mutex_lock(&keys->lock);
    if (max > yl_map_count(&keys->entries)) {
        max = yl_map_count(&keys->entries);
    }
    statuses = yl_arena_array(arena, max, sizeof *statuses);
    YL_MAP_FOR_EACH (entry, by_key, &keys->entries) {
        bool waits = yl_heap_node_is_in(&entry->by_revision);

        if (n == max) {
            break;
        } else if (!entry->error && !waits) {
            continue;
        }
        statuses[n].key = yl_key_copy(entry->key, arena);
        if (entry->error) {
            statuses[n].error = yl_arena_strdup(arena,
                                                yl_str_c(entry->error));
        }
        statuses[n].code = entry->code;
        statuses[n].failed_at = entry->failed_at;
        statuses[n].n_failures = entry->n_failures;
        if (waits) {
            statuses[n].await = copy_await(&entry->awaits[entry->n_seen],
                                           arena);
        }
        n++;
    }
    yl_mutex_unlock(&keys->lock);
    *ret_entries = statuses;
    return n;
}

static struct entry *
find(struct yl_keys *keys, const struct yl_key *key)
{
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, by_key, yl_key_hash(key),
                               &keys->entries) {
        if (yl_key_equal(entry->key, key)) {
            return entry;
        }
    }
    return NULL;
}

static struct entry *
find_or_add(struct yl_keys *keys, const struct yl_key *key)
{
    struct entry *entry = find(keys, key);

    if (!entry) {
        entry = yl_zalloc(sizeof *entry);
        entry->key = yl_key_new(key);
        yl_map_insert(&keys->entries, &entry->by_key, yl_key_hash(key));
    }
    return entry;
}

static void
free_if_unused(struct yl_keys *keys, struct entry *entry)
{
    if (entry->type == YL_REASON_NONE && !entry->n_awaits && !entry->error) {
        yl_map_remove(&keys->entries, &entry->by_key);
        entry_free(entry);
    }
}

static void
unpark(struct yl_keys *keys, struct entry *entry)
{
    if (yl_heap_node_is_in(&entry->by_revision)) {
        yl_heap_remove(&keys->waiting[entry->source], &entry->by_revision);
        keys->n_parked--;
    }
}

static void
entry_free(struct entry *entry)
{
    clear_reason(entry);
    clear_awaits(entry);
    free(entry->error);
    free(entry->key);
    free(entry);
}

static void
clear_reason(struct entry *entry)
{
    free(entry->object);
    entry->object = NULL;
    entry->type = YL_REASON_NONE;
    entry->kind = NULL;
    entry->revision = 0;
    entry->n_more = 0;
}

static void
clear_awaits(struct entry *entry)
{
    free(entry->awaits);
    entry->awaits = NULL;
    entry->n_awaits = entry->n_seen = 0;
}

/* One block: the array, then the bytes of keys and uids. */
static void
copy_awaits(struct entry *entry, const struct yl_await *awaits, size_t n)
{
    size_t size = n * sizeof *awaits, i;
    char *bytes;

    clear_awaits(entry);
    if (!n) {
        return;
    }
    for (i = 0; i < n; i++) {
        size += awaits[i].object.namespace_.size + awaits[i].object.name.size
                + awaits[i].uid.size;
    }
    entry->awaits = yl_malloc(size);
    memcpy(entry->awaits, awaits, n * sizeof *awaits);
    bytes = (char *) (entry->awaits + n);
    for (i = 0; i < n; i++) {
        struct yl_str *const texts[] = {
            &entry->awaits[i].object.namespace_,
            &entry->awaits[i].object.name, &entry->awaits[i].uid };
        size_t j;

        for (j = 0; j < YL_ARRAY_SIZE(texts); j++) {
            if (texts[j]->size) {
                memcpy(bytes, texts[j]->data, texts[j]->size);
            }
            texts[j]->data = bytes;
            bytes += texts[j]->size;
        }
    }
    entry->n_awaits = n;
}

static const struct yl_await *
copy_await(const struct yl_await *await, struct yl_arena *arena)
{
    struct yl_await *copy = yl_arena_zalloc(arena, sizeof *copy);

    *copy = *await;
    copy->object = *yl_key_copy(&await->object, arena);
    copy->uid = yl_arena_copy(arena, await->uid);
    return copy;
}

static const char *
reason_text(const struct entry *entry, struct yl_arena *arena)
{
    static const char *const verbs[] = {
        [YL_REASON_NONE] = "asked for",
        [YL_REASON_LISTED] = "listed",
        [YL_REASON_ADDED] = "added",
        [YL_REASON_MODIFIED] = "modified",
        [YL_REASON_DELETED] = "deleted",
        [YL_REASON_RESYNC] = "resynced",
        [YL_REASON_RETRY] = "retry after an error",
        [YL_REASON_REQUEUE] = "asked for by the last reconcile",
    };
    const char *verb = verbs[entry->type], *more = "", *what = "";

    if (entry->n_more) {
        more = yl_arena_printf(arena, ", and %u more", entry->n_more);
    }
    if (entry->kind) {
        const struct yl_key *object = entry->object ? entry->object
                                                    : entry->key;

        what = yl_arena_printf(arena, "%s %.*s ", entry->kind,
                               YL_STR_ARG(yl_key_text(object, arena)));
        more = yl_arena_printf(arena, " at %llu%s",
                               (unsigned long long) entry->revision, more);
    }
    return yl_arena_printf(arena, "%s%s%s", what, verb, more);
}
