/* Old and new values.  See schema/correlate.h for the contract.
 *
 * The recursion is as deep as the trees, whose depth their parser bounds. */

#include "schema/correlate.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "json/tree.h"
#include "schema/go_value.h"
#include "schema/shape.h"

struct entry {
    struct yl_map_node node;    /* In yl_correlate_index's 'by_key'. */
    struct yl_str key;
    const struct yl_node *element;
};

static bool same_members(struct yl_arena *, const struct yl_shape *,
                         const struct yl_node *, const struct yl_node *old);
static bool same_elements(struct yl_arena *, const struct yl_shape *,
                          const struct yl_node *, const struct yl_node *old);
static struct entry *find(const struct yl_correlate_index *, struct yl_str);
static bool write_key(struct yl_buf *, const char *keys,
                      const struct yl_node *element);

bool
yl_correlate_same(struct yl_arena *arena, const struct yl_shape *shape,
                  const struct yl_node *node, const struct yl_node *old)
{
    if (yl_node_type(node) != yl_node_type(old)) {
        return false;
    } else if (node->type == YL_JSON_OBJECT) {
        return node->n == old->n && same_members(arena, shape, node, old);
    } else if (node->type == YL_JSON_ARRAY && shape->kind == YL_VALUE_LIST
               && shape->topology == YL_TOPOLOGY_MAP) {
        return node->n == old->n && same_elements(arena, shape, node, old);
    }
    return yl_go_equal(node, old);
}

static bool
same_members(struct yl_arena *arena, const struct yl_shape *shape,
             const struct yl_node *node, const struct yl_node *old)
{
    const struct yl_node *member;

    YL_NODE_FOR_EACH (member, node) {
        struct yl_str name = yl_node_key(member);
        const struct yl_value *value = yl_shape_member(shape, name);
        const struct yl_node *was = yl_node_get(old, name);
        struct yl_shape below;

        if (!value || !was || !yl_shape_is_described(value)) {
            return false;
        }
        below = yl_shape_of_value(yl_shape_set(shape), value);
        if (!yl_correlate_same(arena, &below, member, was)) {
            return false;
        }
    }
    return true;
}

static bool
same_elements(struct yl_arena *arena, const struct yl_shape *shape,
              const struct yl_node *node, const struct yl_node *old)
{
    struct yl_shape below = yl_shape_of_value(shape->set, shape->element);
    struct yl_correlate_index index;
    const struct yl_node *element;
    bool same = true;

    yl_correlate_index_init(&index, arena, shape->list_keys, old);
    YL_NODE_FOR_EACH (element, node) {
        const struct yl_node *was = yl_correlate_find(&index, element);

        if (!was || !yl_correlate_same(arena, &below, element, was)) {
            same = false;
            break;
        }
    }
    yl_correlate_index_release(&index);
    return same;
}

void
yl_correlate_index_init(struct yl_correlate_index *index,
                        struct yl_arena *arena, const char *keys,
                        const struct yl_node *list)
{
    const struct yl_node *element;
    struct yl_buf text;

    index->arena = arena;
    index->keys = keys;
    yl_map_init(&index->by_key);
    yl_buf_init(&text, SIZE_MAX);
    YL_NODE_FOR_EACH (element, list) {
        struct yl_str key;

        yl_buf_clear(&text);
        if (!write_key(&text, keys, element)) {
            continue;
        }
        key = yl_buf_str(&text);
        if (!find(index, key)) {
            struct entry *entry = yl_arena_zalloc(arena, sizeof *entry);

            entry->key = yl_arena_copy(arena, key);
            entry->element = element;
            yl_map_insert(&index->by_key, &entry->node, yl_hash_str(key));
        }
    }
    yl_buf_release(&text);
}

void
yl_correlate_index_release(struct yl_correlate_index *index)
{
    yl_map_release(&index->by_key);
}

const struct yl_node *
yl_correlate_find(const struct yl_correlate_index *index,
                  const struct yl_node *element)
{
    struct entry *entry = NULL;
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    if (write_key(&text, index->keys, element)) {
        entry = find(index, yl_buf_str(&text));
    }
    yl_buf_release(&text);
    return entry ? entry->element : NULL;
}

static struct entry *
find(const struct yl_correlate_index *index, struct yl_str key)
{
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, node, yl_hash_str(key),
                               &index->by_key) {
        if (yl_str_equal(entry->key, key)) {
            break;
        }
    }
    return entry;
}

/* Appends the keys of an element, such that equal ones have equal texts; false
 * if it has no such keys. */
static bool
write_key(struct yl_buf *text, const char *keys, const struct yl_node *element)
{
    struct yl_str rest = yl_str_c(keys);

    if (yl_node_type(element) != YL_JSON_OBJECT || !rest.size) {
        return false;
    }
    while (rest.size) {
        struct yl_str key = rest, tail = yl_str_null();
        const struct yl_node *value;

        yl_str_cut(rest, ',', &key, &tail);
        value = yl_node_get(element, key);
        rest = tail;
        switch (yl_node_type(value)) {
        case YL_JSON_NUMBER:
            yl_buf_append_char(text, yl_go_number(value).is_int ? 'i' : 'f');
            break;

        case YL_JSON_STRING:
        case YL_JSON_BOOL:
            break;

        case YL_JSON_NONE:
        case YL_JSON_NULL:
        case YL_JSON_ARRAY:
        case YL_JSON_OBJECT:
            return false;
        }
        if (yl_node_write_canonical(text, value) < 0) {
            return false;
        }
        yl_buf_append_char(text, ',');
    }
    return true;
}
