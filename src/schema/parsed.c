/* Texts of descriptors, parsed.  See schema/parsed.h. */

#include "schema/parsed.h"

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "json/tree.h"
#include "schema/compile.h"
#include "schema/props.h"
#include "yuloh/arena.h"

struct entry {
    struct yl_map_node node;
    const char *text;           /* Compared by its address. */
    struct yl_node *tree;       /* NULL if it is no JSON. */
    struct yl_schema *schema;   /* NULL if it was not asked for, or is
                                 * invalid. */
    bool compiled;              /* Was it asked for? */
};

static struct entry *entry_of(struct yl_parsed *, const char *text);
static struct yl_schema *compile(struct yl_arena *, const struct yl_node *);

void
yl_parsed_init(struct yl_parsed *parsed, struct yl_arena *arena)
{
    parsed->arena = arena;
    yl_map_init(&parsed->by_text);
}

void
yl_parsed_release(struct yl_parsed *parsed)
{
    struct entry *entry;

    YL_MAP_FOR_EACH (entry, node, &parsed->by_text) {
        yl_schema_unref(entry->schema);
    }
    yl_map_release(&parsed->by_text);
}

const struct yl_node *
yl_parsed_get(struct yl_parsed *parsed, const char *text)
{
    return entry_of(parsed, text)->tree;
}

const struct yl_schema *
yl_parsed_schema(struct yl_parsed *parsed, const char *text)
{
    struct entry *entry = entry_of(parsed, text);

    if (!entry->compiled) {
        entry->compiled = true;
        entry->schema = compile(parsed->arena, entry->tree);
    }
    return entry->schema;
}

static struct entry *
entry_of(struct yl_parsed *parsed, const char *text)
{
    size_t hash = yl_hash_u64((uintptr_t) text);
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, node, hash, &parsed->by_text) {
        if (entry->text == text) {
            return entry;
        }
    }
    entry = yl_arena_zalloc(parsed->arena, sizeof *entry);
    entry->text = text;
    if (yl_tree_parse(parsed->arena, yl_str_c(text), NULL, &entry->tree,
                      NULL) < 0) {
        entry->tree = NULL;
    }
    yl_map_insert(&parsed->by_text, &entry->node, hash);
    return entry;
}

static struct yl_schema *
compile(struct yl_arena *arena, const struct yl_node *tree)
{
    struct yl_schema_opts opts = { .any = true };
    const struct yl_schema_props *props;
    struct yl_schema *schema = NULL;

    if (yl_schema_props_read(arena, tree, NULL, &props, NULL) == 0) {
        (void) yl_schema_compile(props, &opts, &schema, NULL);
    }
    return schema;
}
