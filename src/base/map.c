/* Intrusive hash map.  See base/map.h for the contract.
 *
 * Chained buckets, a power of two of them, never fewer than nodes after an
 * insert.  The full hash stands in each node, so that rehashing needs no key
 * and a lookup compares keys only when the hashes are equal. */

#include "base/map.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MIN_BUCKETS 4

static void resize(struct yl_map *, size_t n_buckets);
static size_t buckets_for(size_t n_nodes);
static struct yl_map_node **find_link(struct yl_map *,
                                      const struct yl_map_node *);
static struct yl_map_node *first_from(const struct yl_map *, size_t bucket);

void
yl_map_init(struct yl_map *map)
{
    memset(map, 0, sizeof *map);
}

void
yl_map_release(struct yl_map *map)
{
    free(map->buckets);
    yl_map_init(map);
}

void
yl_map_clear(struct yl_map *map)
{
    if (map->count) {
        memset(map->buckets, 0, (map->mask + 1) * sizeof *map->buckets);
        map->count = 0;
    }
}

void
yl_map_reserve(struct yl_map *map, size_t n)
{
    if (n && (!map->buckets || n > map->mask + 1)) {
        resize(map, buckets_for(n));
    }
}

void
yl_map_shrink(struct yl_map *map)
{
    if (!map->count) {
        yl_map_release(map);
    } else if (buckets_for(map->count) < (map->mask + 1) / 2) {
        resize(map, buckets_for(map->count));
    }
}

void
yl_map_insert(struct yl_map *map, struct yl_map_node *node, size_t hash)
{
    struct yl_map_node **bucket;

    if (!map->buckets || map->count > map->mask) {
        resize(map, buckets_for(map->count + 1));
    }
    bucket = &map->buckets[hash & map->mask];
    node->hash = hash;
    node->next = *bucket;
    *bucket = node;
    map->count++;
}

void
yl_map_remove(struct yl_map *map, struct yl_map_node *node)
{
    *find_link(map, node) = node->next;
    node->next = NULL;
    map->count--;
}

void
yl_map_replace(struct yl_map *map, struct yl_map_node *old,
               struct yl_map_node *node)
{
    *find_link(map, old) = node;
    node->hash = old->hash;
    node->next = old->next;
    old->next = NULL;
}

struct yl_map_node *
yl_map_first(const struct yl_map *map)
{
    return map->count ? first_from(map, 0) : NULL;
}

struct yl_map_node *
yl_map_next(const struct yl_map *map, const struct yl_map_node *node)
{
    return node->next ? node->next
                      : first_from(map, (node->hash & map->mask) + 1);
}

static void
resize(struct yl_map *map, size_t n_buckets)
{
    struct yl_map_node **old = map->buckets;
    size_t n_old = old ? map->mask + 1 : 0;
    struct yl_map_node **buckets;
    size_t i;

    buckets = yl_malloc_array(n_buckets, sizeof *buckets);
    memset(buckets, 0, n_buckets * sizeof *buckets);
    for (i = 0; i < n_old; i++) {
        struct yl_map_node *node, *next;

        for (node = old[i]; node; node = next) {
            struct yl_map_node **bucket = &buckets[node->hash
                                                   & (n_buckets - 1)];

            next = node->next;
            node->next = *bucket;
            *bucket = node;
        }
    }
    free(old);
    map->buckets = buckets;
    map->mask = n_buckets - 1;
}

static size_t
buckets_for(size_t n_nodes)
{
    size_t n = MIN_BUCKETS;

    if (n_nodes > SIZE_MAX / 2) {
        yl_out_of_memory(SIZE_MAX);
    }
    while (n < n_nodes) {
        n *= 2;
    }
    return n;
}

/* The pointer that points to 'node'. */
static struct yl_map_node **
find_link(struct yl_map *map, const struct yl_map_node *node)
{
    struct yl_map_node **link = &map->buckets[node->hash & map->mask];

    while (*link != node) {
        assert(*link);
        link = &(*link)->next;
    }
    return link;
}

static struct yl_map_node *
first_from(const struct yl_map *map, size_t bucket)
{
    for (; bucket <= map->mask; bucket++) {
        if (map->buckets[bucket]) {
            return map->buckets[bucket];
        }
    }
    return NULL;
}
