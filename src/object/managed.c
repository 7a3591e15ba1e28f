/* managedFields that many objects have.  See managed.h for the contract. */

#include "object/managed.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"
#include "yuloh/json.h"

struct yl_managed {
    struct yl_map_node node;
    _Atomic uint32_t n_refs;    /* Reaches 0 only under the lock. */
    uint32_t size;
    uint32_t n_times;
    uint32_t cuts[YL_MANAGED_MAX_TIMES];    /* Where times are missing. */
    char text[];
};

/* Hashes of texts that were seen; a power of two of them. */
#define N_SEEN 4096

static struct yl_mutex lock = YL_MUTEX_INIT;
static struct yl_map texts YL_GUARDED_BY(lock) = YL_MAP_INIT;
static size_t seen[N_SEEN] YL_GUARDED_BY(lock);

static struct yl_managed *without_times(struct yl_str text, char *times);
static size_t find_times(struct yl_str text,
                         const char *found[YL_MANAGED_MAX_TIMES]);
static struct yl_managed *find(const struct yl_managed *, size_t hash)
    YL_REQUIRES(lock);
static bool drop_one_of_many(struct yl_managed *);

struct yl_managed *
yl_managed_share(struct yl_str text, char times[YL_MANAGED_TIMES_SIZE])
{
    struct yl_managed *candidate, *managed;
    size_t hash, *memory;

    if (text.size > YL_MANAGED_MAX_SIZE) {
        return NULL;
    }
    candidate = without_times(text, times);
    hash = yl_hash_bytes(candidate->text, candidate->size);
    yl_mutex_lock(&lock);
    managed = find(candidate, hash);
    memory = &seen[hash % N_SEEN];
    if (managed) {
        atomic_fetch_add_explicit(&managed->n_refs, 1, memory_order_relaxed);
    } else if (*memory == hash) {
        managed = candidate;
        yl_map_insert(&texts, &managed->node, hash);
    } else {
        *memory = hash;
    }
    yl_mutex_unlock(&lock);
    if (managed != candidate) {
        free(candidate);
    }
    return managed;
}

struct yl_managed *
yl_managed_ref(struct yl_managed *managed)
{
    atomic_fetch_add_explicit(&managed->n_refs, 1, memory_order_relaxed);
    return managed;
}

void
yl_managed_unref(struct yl_managed *managed)
{
    bool last;

    if (drop_one_of_many(managed)) {
        return;
    }

    /* A lookup may take a reference until the text is out of the table. */
    yl_mutex_lock(&lock);
    last = atomic_fetch_sub_explicit(&managed->n_refs, 1,
                                     memory_order_acq_rel) == 1;
    if (last) {
        yl_map_remove(&texts, &managed->node);
        yl_map_shrink(&texts);
    }
    yl_mutex_unlock(&lock);
    if (last) {
        free(managed);
    }
}

size_t
yl_managed_times_size(const struct yl_managed *managed)
{
    return (size_t) managed->n_times * YL_MANAGED_TIME_SIZE;
}

size_t
yl_managed_size(const struct yl_managed *managed)
{
    return managed->size + yl_managed_times_size(managed);
}

void
yl_managed_write(const struct yl_managed *managed, const char *times,
                 struct yl_buf *buf)
{
    size_t i, at = 0;

    for (i = 0; i < managed->n_times; i++) {
        yl_buf_append(buf, managed->text + at, managed->cuts[i] - at);
        yl_buf_append(buf, times + i * YL_MANAGED_TIME_SIZE,
                      YL_MANAGED_TIME_SIZE);
        at = managed->cuts[i];
    }
    yl_buf_append(buf, managed->text + at, managed->size - at);
}

size_t
yl_managed_count(void)
{
    size_t n;

    yl_mutex_lock(&lock);
    n = yl_map_count(&texts);
    yl_mutex_unlock(&lock);
    return n;
}

/* A text of its own, with one reference, from which the times are cut. */
static struct yl_managed *
without_times(struct yl_str text, char *times)
{
    const char *found[YL_MANAGED_MAX_TIMES];
    const char *p = text.data, *end = text.data + text.size;
    struct yl_managed *managed = yl_malloc(sizeof *managed + text.size);
    size_t i, n = find_times(text, found);

    atomic_init(&managed->n_refs, 1);
    managed->n_times = (uint32_t) n;
    managed->size = 0;
    for (i = 0; i < n; i++) {
        memcpy(managed->text + managed->size, p, (size_t) (found[i] - p));
        managed->size += (uint32_t) (found[i] - p);
        managed->cuts[i] = managed->size;
        memcpy(times + i * YL_MANAGED_TIME_SIZE, found[i],
               YL_MANAGED_TIME_SIZE);
        p = found[i] + YL_MANAGED_TIME_SIZE;
    }
    memcpy(managed->text + managed->size, p, (size_t) (end - p));
    managed->size += (uint32_t) (end - p);
    return managed;
}

/* Finds the first times of the usual length in the entries of a text. */
static size_t
find_times(struct yl_str text, const char *found[YL_MANAGED_MAX_TIMES])
{
    const char *array = memchr(text.data, '[', text.size);
    struct yl_json_iter it;
    size_t n = 0;

    if (!array) {
        return 0;
    }
    it = yl_json_iter(yl_json(yl_str_range(array, text.data + text.size)));
    while (n < YL_MANAGED_MAX_TIMES && yl_json_next(&it)) {
        struct yl_json time = yl_json_get(it.value, YL_STR("time"));
        struct yl_str raw;

        if (yl_json_type(time) == YL_JSON_STRING) {
            raw = yl_json_raw(time);
            if (raw.size == YL_MANAGED_TIME_SIZE + 2) {
                found[n++] = raw.data + 1;
            }
        }
    }
    return n;
}

static struct yl_managed *
find(const struct yl_managed *like, size_t hash)
{
    struct yl_managed *managed;

    YL_MAP_FOR_EACH_WITH_HASH (managed, node, hash, &texts) {
        if (managed->size == like->size && managed->n_times == like->n_times
            && !memcmp(managed->cuts, like->cuts,
                       like->n_times * sizeof *like->cuts)
            && !memcmp(managed->text, like->text, like->size)) {
            return managed;
        }
    }
    return NULL;
}

/* Drops a reference, unless it may be the last one. */
static bool
drop_one_of_many(struct yl_managed *managed)
{
    uint32_t n = atomic_load_explicit(&managed->n_refs, memory_order_relaxed);

    while (n > 1) {
        if (atomic_compare_exchange_weak_explicit(&managed->n_refs, &n, n - 1,
                                                  memory_order_release,
                                                  memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}
