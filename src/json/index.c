/* Members of a large object by key.  See json/index.h. */

#include "json/index.h"

#include <assert.h>

#include "base/arena.h"
#include "base/hash.h"

/* What a removed member leaves in its slot, so that probing goes on. */
static struct yl_node tombstone;

struct yl_node_index {
    uint32_t mask;              /* Number of slots, a power of 2, less 1. */
    uint32_t n_used;            /* Slots that are not NULL. */
    struct yl_node *slots[];
};

static void rebuild(struct yl_arena *, struct yl_node *object);
static void put(struct yl_node_index *, struct yl_node *child);
static struct yl_node **slot_of(const struct yl_node_index *,
                                const struct yl_node *child);
static uint32_t hash_key(struct yl_str key);

void
yl_index_add(struct yl_arena *arena, struct yl_node *object,
             struct yl_node *child)
{
    struct yl_node_index *index = object->index;

    if (!index) {
        if (object->n > YL_INDEX_FROM) {
            rebuild(arena, object);
        }
    } else if ((index->n_used + 1) * 2 > index->mask) {
        rebuild(arena, object);
    } else {
        put(index, child);
    }
}

struct yl_node *
yl_index_find(const struct yl_node *object, struct yl_str key)
{
    const struct yl_node_index *index = object->index;
    uint32_t i;

    for (i = hash_key(key);; i++) {
        struct yl_node *child = index->slots[i & index->mask];

        if (!child) {
            return NULL;
        }
        if (child != &tombstone && yl_str_equal(yl_node_key(child), key)) {
            return child;
        }
    }
}

void
yl_index_remove(struct yl_node *object, struct yl_node *child)
{
    *slot_of(object->index, child) = &tombstone;
}

void
yl_index_replace(struct yl_node *object, struct yl_node *old,
                 struct yl_node *value)
{
    *slot_of(object->index, old) = value;
}

/* Makes a table of at least four slots for each member, so that it is at most
 * half full until their number has doubled. */
static void
rebuild(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node_index *index;
    struct yl_node *child;
    uint32_t n = 64;

    while (n / 4 < object->n) {
        n *= 2;
    }
    index = yl_arena_zalloc(arena, sizeof *index + n * sizeof index->slots[0]);
    index->mask = n - 1;
    YL_NODE_FOR_EACH (child, object) {
        put(index, child);
    }
    object->index = index;
}

static void
put(struct yl_node_index *index, struct yl_node *child)
{
    uint32_t i = hash_key(yl_node_key(child));

    while (index->slots[i & index->mask]) {
        i++;
    }
    index->slots[i & index->mask] = child;
    index->n_used++;
}

static struct yl_node **
slot_of(const struct yl_node_index *index, const struct yl_node *child)
{
    struct yl_node **slots = ((struct yl_node_index *) index)->slots;
    uint32_t i = hash_key(yl_node_key(child));

    while (slots[i & index->mask] != child) {
        assert(slots[i & index->mask]);
        i++;
    }
    return &slots[i & index->mask];
}

static uint32_t
hash_key(struct yl_str key)
{
    return (uint32_t) yl_hash_bytes(key.data, key.size);
}
