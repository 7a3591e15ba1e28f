/* Values that were seen already.  See schema/seen.h. */

#include "schema/seen.h"

#include "base/arena.h"
#include "base/hash.h"
#include "json/tree.h"

struct entry {
    const struct yl_node *node;
    struct yl_map_node by_text; /* In yl_seen's 'map'. */
};

void
yl_seen_init(struct yl_seen *seen, struct yl_arena *arena,
             yl_seen_equal_fn *equal)
{
    seen->equal = equal;
    seen->arena = arena;
    yl_map_init(&seen->map);
    yl_buf_init(&seen->text, SIZE_MAX);
}

void
yl_seen_release(struct yl_seen *seen)
{
    yl_map_release(&seen->map);
    yl_buf_release(&seen->text);
}

bool
yl_seen_add(struct yl_seen *seen, const struct yl_node *node)
{
    struct entry *entry;
    size_t hash;

    /* A number too large for a double has no canonical text; what is written
     * so far is good enough for a hash. */
    yl_buf_clear(&seen->text);
    yl_node_write_canonical(&seen->text, node);
    hash = yl_hash_str(yl_buf_str(&seen->text));
    YL_MAP_FOR_EACH_WITH_HASH (entry, by_text, hash, &seen->map) {
        if (seen->equal(entry->node, node)) {
            return true;
        }
    }
    entry = yl_arena_zalloc(seen->arena, sizeof *entry);
    entry->node = node;
    yl_map_insert(&seen->map, &entry->by_text, hash);
    return false;
}
