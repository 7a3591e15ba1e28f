/* Texts of descriptors as trees.  See schema/parsed.h. */

#include "schema/parsed.h"

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "json/tree.h"
#include "yuloh/arena.h"

struct entry {
    struct yl_map_node node;
    const char *text;           /* Compared by its address. */
    struct yl_node *tree;       /* NULL if it is no JSON. */
};

void
yl_parsed_init(struct yl_parsed *parsed, struct yl_arena *arena)
{
    parsed->arena = arena;
    yl_map_init(&parsed->by_text);
}

void
yl_parsed_release(struct yl_parsed *parsed)
{
    yl_map_release(&parsed->by_text);
}

const struct yl_node *
yl_parsed_get(struct yl_parsed *parsed, const char *text)
{
    size_t hash = yl_hash_u64((uintptr_t) text);
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, node, hash, &parsed->by_text) {
        if (entry->text == text) {
            return entry->tree;
        }
    }
    entry = yl_arena_zalloc(parsed->arena, sizeof *entry);
    entry->text = text;
    if (yl_tree_parse(parsed->arena, yl_str_c(text), NULL, &entry->tree,
                      NULL) < 0) {
        entry->tree = NULL;
    }
    yl_map_insert(&parsed->by_text, &entry->node, hash);
    return entry->tree;
}
