/* managedFields that many objects have.  See managed.h for the contract. */

#include "object/managed.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/thread.h"

struct yl_managed {
    struct yl_map_node node;
    _Atomic uint32_t n_refs;    /* Reaches 0 only under the lock. */
    uint32_t size;
    uint32_t n_cuts;
    uint16_t cuts[];            /* Where something is missing, then the text.
                                 * No text is too large for 16 bits. */
};

/* Parts of a text that are to be cut out of it, in order. */
struct cuts {
    struct yl_str parts[YL_MANAGED_MAX_CUTS];
    size_t n;
    bool names;                 /* Are some of them no times? */
};

/* "2006-01-02T15:04:05Z" */
#define TIME_SIZE 20

/* Hashes of texts that were seen; a power of two of them. */
#define N_SEEN 4096

static struct yl_mutex lock = YL_MUTEX_INIT;
static struct yl_map texts YL_GUARDED_BY(lock) = YL_MAP_INIT;
static size_t seen[N_SEEN] YL_GUARDED_BY(lock);

static struct yl_managed *share_cut(struct yl_str text, const struct cuts *,
                                    char *ret_cuts);
static struct yl_managed *cut(struct yl_str text, const struct cuts *);
static void find_cuts(struct yl_str text, bool names, struct cuts *);
static const char *text_of(const struct yl_managed *);
static struct yl_managed *find(const struct yl_managed *, size_t hash)
    YL_REQUIRES(lock);
static bool drop_one_of_many(struct yl_managed *);

struct yl_managed *
yl_managed_share(struct yl_str text, char ret_cuts[YL_MANAGED_CUTS_SIZE])
{
    struct yl_managed *managed;
    struct cuts cuts;

    if (text.size > YL_MANAGED_MAX_SIZE) {
        return NULL;
    }
    find_cuts(text, false, &cuts);
    managed = share_cut(text, &cuts, ret_cuts);
    if (!managed) {
        find_cuts(text, true, &cuts);
        managed = cuts.names ? share_cut(text, &cuts, ret_cuts) : NULL;
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
yl_managed_cuts_size(const struct yl_managed *managed, const char *cuts)
{
    size_t i, size = 0;

    for (i = 0; i < managed->n_cuts; i++) {
        size += 1 + (size_t) (unsigned char) cuts[size];
    }
    return size;
}

size_t
yl_managed_size(const struct yl_managed *managed, const char *cuts)
{
    return managed->size + yl_managed_cuts_size(managed, cuts)
           - managed->n_cuts;
}

void
yl_managed_write(const struct yl_managed *managed, const char *cuts,
                 struct yl_buf *buf)
{
    const char *text = text_of(managed);
    size_t i, at = 0;

    for (i = 0; i < managed->n_cuts; i++) {
        size_t size = (unsigned char) *cuts++;

        yl_buf_append(buf, text + at, managed->cuts[i] - at);
        yl_buf_append(buf, cuts, size);
        cuts += size;
        at = managed->cuts[i];
    }
    yl_buf_append(buf, text + at, managed->size - at);
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

/* The text with these cuts, if it is there or was seen before. */
static struct yl_managed *
share_cut(struct yl_str text, const struct cuts *cuts, char *ret_cuts)
{
    struct yl_managed *candidate = cut(text, cuts), *managed;
    size_t hash = yl_hash_bytes(text_of(candidate), candidate->size);
    size_t i, *memory;

    yl_mutex_lock(&lock);
    memory = &seen[hash % N_SEEN];
    managed = find(candidate, hash);
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
    for (i = 0; managed && i < cuts->n; i++) {
        *ret_cuts++ = (char) cuts->parts[i].size;
        memcpy(ret_cuts, cuts->parts[i].data, cuts->parts[i].size);
        ret_cuts += cuts->parts[i].size;
    }
    return managed;
}

/* A text of its own, with one reference. */
static struct yl_managed *
cut(struct yl_str text, const struct cuts *cuts)
{
    const char *p = text.data, *end = text.data + text.size;
    struct yl_managed *managed
        = yl_malloc(sizeof *managed + cuts->n * sizeof *managed->cuts
                    + text.size);
    char *to = (char *) (managed->cuts + cuts->n);
    size_t i;

    atomic_init(&managed->n_refs, 1);
    managed->n_cuts = (uint32_t) cuts->n;
    managed->size = 0;
    for (i = 0; i <= cuts->n; i++) {
        const char *stop = i < cuts->n ? cuts->parts[i].data : end;

        memcpy(to + managed->size, p, (size_t) (stop - p));
        managed->size += (uint32_t) (stop - p);
        if (i < cuts->n) {
            managed->cuts[i] = (uint16_t) managed->size;
            p = stop + cuts->parts[i].size;
        }
    }
    return managed;
}

/* Finds times of the usual length and, with 'names', what follows "v: and
 * "k: up to the next quote that has no backslash. */
static void
find_cuts(struct yl_str text, bool names, struct cuts *cuts)
{
    static const char time[] = "\"time\":\"";
    const char *p = text.data, *end = text.data + text.size;

    cuts->n = 0;
    cuts->names = false;
    while (cuts->n < YL_MANAGED_MAX_CUTS
           && (p = memchr(p, '"', (size_t) (end - p)))) {
        size_t left = (size_t) (end - p);
        const char *start = p + 3, *stop;

        if (left > sizeof time + TIME_SIZE
            && !memcmp(p, time, sizeof time - 1)
            && p[sizeof time - 1 + TIME_SIZE] == '"') {
            start = p + sizeof time - 1;
            stop = start + TIME_SIZE;
        } else if (names && left > 3 && (p[1] == 'v' || p[1] == 'k')
                   && p[2] == ':') {
            stop = start;
            do {
                stop = memchr(stop, '"', (size_t) (end - stop));
            } while (stop && stop[-1] == '\\' && ++stop);
            if (!stop) {
                return;
            }
            if (stop - start > YL_MANAGED_MAX_CUT) {
                p = stop;
                continue;
            }
            cuts->names = true;
        } else {
            p++;
            continue;
        }
        cuts->parts[cuts->n++] = yl_str_range(start, stop);
        p = stop + 1;
    }
}

static const char *
text_of(const struct yl_managed *managed)
{
    return (const char *) (managed->cuts + managed->n_cuts);
}

static struct yl_managed *
find(const struct yl_managed *like, size_t hash)
{
    struct yl_managed *managed;

    YL_MAP_FOR_EACH_WITH_HASH (managed, node, hash, &texts) {
        if (managed->size == like->size && managed->n_cuts == like->n_cuts
            && !memcmp(managed->cuts, like->cuts,
                       like->n_cuts * sizeof *like->cuts)
            && !memcmp(text_of(managed), text_of(like), like->size)) {
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
