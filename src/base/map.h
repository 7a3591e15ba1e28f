#ifndef BASE_MAP_H
#define BASE_MAP_H 1

/* Intrusive hash map: finds structs by a hash that the caller computes.
 *
 * A struct that is to be found embeds a struct yl_map_node.  The map links the
 * nodes into buckets and knows neither keys nor values: a lookup walks the
 * nodes with the right hash and the caller compares.  So a struct can be in
 * several maps at once, and inserting allocates nothing for it.
 *
 * Guarantees
 * ==========
 *
 *   - A lookup visits the nodes with the same full hash, each once.  On
 *     average it passes over at most one other node.  In the worst case, with
 *     all nodes in one bucket, it passes over every one; with hashes from
 *     base/hash.h no client can cause that on purpose.
 *
 *   - An insert costs a constant amount in the long run; a single one may
 *     rehash everything.  The map only shrinks when told to.
 *
 *   - A map of zeros is empty and holds no memory, and a map may be moved.
 *
 *   - The order of a walk is unspecified.  Nodes must not be inserted during
 *     one; YL_MAP_FOR_EACH_SAFE lets the current node be removed and freed.
 *
 * Ownership
 * =========
 *
 * The map owns its buckets, never the nodes.  yl_map_release() forgets them.
 *
 * Threads
 * =======
 *
 * None of its own: code that shares a map between threads must lock it.
 *
 * Usage
 * =====
 *
 *     struct pod { char *name; struct yl_map_node by_name; };
 *
 *     static struct pod *
 *     find(struct yl_map *pods, struct yl_str name)
 *     {
 *         struct pod *pod;
 *
 *         YL_MAP_FOR_EACH_WITH_HASH (pod, by_name, yl_hash_str(name), pods) {
 *             if (yl_str_equal_c(name, pod->name)) {
 *                 return pod;
 *             }
 *         }
 *         return NULL;
 *     } */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/compiler.h"

struct yl_map_node {
    struct yl_map_node *next;   /* In the same bucket. */
    size_t hash;
};

struct yl_map {
    struct yl_map_node **buckets;   /* NULL until the first insert. */
    size_t mask;                /* Number of buckets, less one. */
    size_t count;               /* Nodes in the map. */
};

#define YL_MAP_INIT { NULL, 0, 0 }

void yl_map_init(struct yl_map *);
void yl_map_release(struct yl_map *);

/* Forgets every node; keeps the buckets. */
void yl_map_clear(struct yl_map *);

/* Makes room for 'n' nodes in all, so that inserting them rehashes nothing. */
void yl_map_reserve(struct yl_map *, size_t n);

/* Gives memory back if the map has become much too large for its nodes.  Not
 * during a walk. */
void yl_map_shrink(struct yl_map *);

/* Adds 'node', which must not be in a map, with 'hash'.  The map does not
 * compare keys: it keeps nodes with equal keys. */
void yl_map_insert(struct yl_map *, struct yl_map_node *node, size_t hash);

/* Takes 'node', which must be in this map, out of it. */
void yl_map_remove(struct yl_map *, struct yl_map_node *node);

/* Puts 'node' in the place of 'old', which has the same hash and must be in
 * this map. */
void yl_map_replace(struct yl_map *, struct yl_map_node *old,
                    struct yl_map_node *node);

static inline size_t
yl_map_count(const struct yl_map *map)
{
    return map->count;
}

static inline bool
yl_map_is_empty(const struct yl_map *map)
{
    return map->count == 0;
}

/* Walks.  ITEM is a variable of a pointer type whose struct has MEMBER; it is
 * NULL after a walk that ran to its end.  HASH is evaluated once, MAP many
 * times. */
#define YL_MAP_FOR_EACH_WITH_HASH(ITEM, MEMBER, HASH, MAP)                    \
    for ((ITEM) = YL_CONTAINER_OR_NULL(yl_map_first_with_hash(MAP, HASH),     \
                                       ITEM, MEMBER);                         \
         (ITEM);                                                              \
         (ITEM) = YL_CONTAINER_OR_NULL(                                       \
             yl_map_next_with_hash(&(ITEM)->MEMBER), ITEM, MEMBER))

#define YL_MAP_FOR_EACH(ITEM, MEMBER, MAP)                                    \
    for ((ITEM) = YL_CONTAINER_OR_NULL(yl_map_first(MAP), ITEM, MEMBER);      \
         (ITEM);                                                              \
         (ITEM) = YL_CONTAINER_OR_NULL(yl_map_next(MAP, &(ITEM)->MEMBER),     \
                                       ITEM, MEMBER))

#define YL_MAP_FOR_EACH_SAFE(ITEM, MEMBER, MAP)                               \
    for (struct yl_map_node *ITEM##_next_ = NULL,                             \
         *ITEM##_at_ = yl_map_first(MAP);                                     \
         (ITEM##_next_ = ITEM##_at_ ? yl_map_next(MAP, ITEM##_at_) : NULL,    \
          (ITEM) = YL_CONTAINER_OR_NULL(ITEM##_at_, ITEM, MEMBER)) != NULL;   \
         ITEM##_at_ = ITEM##_next_)

/* The functions behind the walks; each returns NULL when there is no more. */
struct yl_map_node *yl_map_first(const struct yl_map *);
struct yl_map_node *yl_map_next(const struct yl_map *,
                                const struct yl_map_node *);

static inline struct yl_map_node *
yl_map_skip_to_hash(struct yl_map_node *node, size_t hash)
{
    while (node && node->hash != hash) {
        node = node->next;
    }
    return node;
}

static inline struct yl_map_node *
yl_map_first_with_hash(const struct yl_map *map, size_t hash)
{
    return map->buckets
           ? yl_map_skip_to_hash(map->buckets[hash & map->mask], hash) : NULL;
}

static inline struct yl_map_node *
yl_map_next_with_hash(const struct yl_map_node *node)
{
    return yl_map_skip_to_hash(node->next, node->hash);
}

#endif /* base/map.h */
