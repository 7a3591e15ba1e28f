/* The limit of entries of updates.  See keep.h.
 *
 *     a  b  c  d ...  (oldest first)   ->   ancient-changes  d ...
 *
 * Of too many, the oldest ones are joined, in one entry for each
 * apiVersion. */

#include <stdlib.h>

#include "apiserver/own/keep.h"
#include "yuloh/arena.h"

#define ANCIENT "ancient-changes"

/* The entries that are joined in one version. */
struct bucket {
    struct yl_str key;          /* Of the entry that they become. */
    struct yl_manager *first;   /* The oldest one; */
    struct yl_manager *joined;  /* where they go, once there is such an
                                 * entry. */
    const struct yl_field_set **sets;   /* What is joined. */
    size_t n_sets;
};

static int compare(const void *, const void *);
static struct bucket *find_bucket(struct bucket *, size_t n,
                                  struct yl_str version);
static struct bucket make_bucket(struct yl_keeper *, struct yl_manager *first,
                                 size_t n_updaters);
static void join(struct yl_keeper *, struct bucket *,
                 struct yl_manager *next);
static void drop_joined(struct yl_managers *);

void
yl_keeper_cap(struct yl_keeper *k)
{
    struct yl_managers *all = &k->managers;
    struct yl_manager **updaters;
    struct bucket *buckets;
    size_t i, n = 0, n_buckets = 0, left;
    size_t n_versions = k->o->resource->n_versions
                        + k->o->resource->n_unserved;

    for (i = 0; i < all->n; i++) {
        n += !all->items[i].applied;
    }
    if (n <= YL_OWN_MAX_UPDATERS) {
        return;
    }
    updaters = yl_arena_array(k->arena, n, sizeof *updaters);
    buckets = yl_arena_array(k->arena, n_versions + 1, sizeof *buckets);
    for (i = n = 0; i < all->n; i++) {
        if (!all->items[i].applied) {
            updaters[n++] = &all->items[i];
        }
    }
    qsort(updaters, n, sizeof *updaters, compare);
    left = n;
    for (i = 0; i < n && left > YL_OWN_MAX_UPDATERS; i++) {
        struct bucket *bucket = find_bucket(buckets, n_buckets,
                                            updaters[i]->version);

        if (bucket) {
            join(k, bucket, updaters[i]);
            left--;
        } else if (n_buckets <= n_versions) {
            buckets[n_buckets++] = make_bucket(k, updaters[i], n);
        }
    }
    for (i = 0; i < n_buckets; i++) {
        if (buckets[i].n_sets) {
            buckets[i].joined->set = yl_field_set_union_all(
                k->arena, buckets[i].sets, buckets[i].n_sets);
        }
    }
    drop_joined(all);
}

/* Orders by time, then by key. */
static int
compare(const void *a_, const void *b_)
{
    const struct yl_manager *a = *(struct yl_manager *const *) a_;
    const struct yl_manager *b = *(struct yl_manager *const *) b_;
    const struct yl_entry *x = yl_entry_of(a), *y = yl_entry_of(b);
    int64_t s = x->timed ? x->time.seconds : 0;
    int64_t t = y->timed ? y->time.seconds : 0;

    return s != t ? (s < t ? -1 : 1) : yl_str_compare(a->key, b->key);
}

static struct bucket *
find_bucket(struct bucket *buckets, size_t n, struct yl_str version)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (yl_str_equal(buckets[i].first->version, version)) {
            return &buckets[i];
        }
    }
    return NULL;
}

static struct bucket
make_bucket(struct yl_keeper *k, struct yl_manager *first, size_t n_updaters)
{
    struct yl_entry *entry = yl_entry_new(k->arena, YL_STR(ANCIENT),
                                          yl_str_null());
    struct bucket bucket = {
        .key = yl_entry_key(k->arena, entry, false, first->version),
        .first = first,
        .sets = yl_arena_array(k->arena, n_updaters, sizeof *bucket.sets),
    };

    bucket.joined = yl_managers_find(&k->managers, bucket.key);
    return bucket;
}

/* Puts the fields of 'next' where those of its version go, and marks it as
 * joined: without an 'aux'.  As upstream, an entry of earlier joins is lost if
 * it is not the oldest one itself. */
static void
join(struct yl_keeper *k, struct bucket *bucket, struct yl_manager *next)
{
    struct yl_entry *entry = yl_entry_new(k->arena, YL_STR(ANCIENT),
                                          yl_str_null());

    entry->timed = yl_entry_of(next)->timed;
    entry->time = yl_entry_of(next)->time;
    next->aux = NULL;
    if (next == bucket->joined) {
        bucket->joined = NULL;
        bucket->n_sets = 0;
        return;
    }
    if (!bucket->joined) {
        bucket->joined = bucket->first;
        bucket->joined->key = bucket->key;
    }
    if (!bucket->n_sets) {
        bucket->sets[bucket->n_sets++] = bucket->joined->set;
    }
    bucket->sets[bucket->n_sets++] = next->set;
    bucket->joined->aux = entry;
}

static void
drop_joined(struct yl_managers *all)
{
    size_t i, n = 0;

    for (i = 0; i < all->n; i++) {
        if (all->items[i].aux) {
            all->items[n++] = all->items[i];
        }
    }
    all->n = n;
}
