/* The lists of a strategic merge.  See schema/strategic_list.h for the
 * contract. */

#include "schema/strategic_list.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "json/tree.h"

/* An element that is to be sorted. */
struct slot {
    struct yl_node *node;
    size_t rank;                /* Position in the wanted order. */
    size_t position;            /* Position in the list now: breaks ties. */
    size_t server;              /* Position in the server's order, or
                                 * SIZE_MAX. */
};

static bool is_scalar(const struct yl_node *);
static size_t hash_identity(struct yl_arena *, const struct yl_node *);
static bool same_number(const struct yl_node *, const struct yl_node *);
static void sort_slots(struct slot *, size_t n);
static int compare_positions(const void *, const void *);
static int compare_slots(const void *, const void *);
static size_t rank_in(const struct yl_elements *, const struct yl_node *);

void
yl_elements_init(struct yl_elements *elements, struct yl_arena *arena,
                 struct yl_str merge_key)
{
    memset(elements, 0, sizeof *elements);
    elements->arena = arena;
    elements->merge_key = merge_key;
}

void
yl_elements_release(struct yl_elements *elements)
{
    yl_map_release(&elements->map);
}

void
yl_elements_add(struct yl_elements *elements, struct yl_node *node)
{
    const struct yl_node *identity =
        yl_element_identity(node, elements->merge_key);
    struct yl_element *element = yl_arena_zalloc(elements->arena,
                                                 sizeof *element);
    struct yl_element *twin = yl_elements_find(elements, identity);

    element->node = node;
    element->identity = identity;
    element->rank = elements->n++;
    if (twin) {
        element->equal = twin->equal;
        twin->equal = element;
    } else if (is_scalar(identity)) {
        yl_map_insert(&elements->map, &element->by_identity,
                      hash_identity(elements->arena, identity));
    }
}

void
yl_elements_add_list(struct yl_elements *elements, const struct yl_node *list)
{
    struct yl_node *node;

    YL_NODE_FOR_EACH (node, list) {
        yl_elements_add(elements, node);
    }
}

void
yl_elements_remove(struct yl_elements *elements, struct yl_element *element)
{
    yl_map_remove(&elements->map, &element->by_identity);
}

struct yl_element *
yl_elements_find(const struct yl_elements *elements,
                 const struct yl_node *identity)
{
    struct yl_element *element;

    if (!is_scalar(identity)) {
        return NULL;
    }
    YL_MAP_FOR_EACH_WITH_HASH (element, by_identity,
                               hash_identity(elements->arena, identity),
                               &elements->map) {
        if (yl_scalar_equal(element->identity, identity)) {
            return element;
        }
    }
    return NULL;
}

const struct yl_node *
yl_element_identity(const struct yl_node *node, struct yl_str merge_key)
{
    if (!merge_key.size) {
        return node;
    }
    return yl_node_type(node) == YL_JSON_OBJECT ? yl_node_get(node, merge_key)
                                                : NULL;
}

bool
yl_scalar_equal(const struct yl_node *a, const struct yl_node *b)
{
    bool x = false, y = false;

    if (!a || !b || a->type != b->type) {
        return false;
    }
    switch (yl_node_type(a)) {
    case YL_JSON_NULL:
        return true;

    case YL_JSON_BOOL:
        yl_node_bool(a, &x);
        yl_node_bool(b, &y);
        return x == y;

    case YL_JSON_NUMBER:
        return same_number(a, b);

    case YL_JSON_STRING:
        return yl_node_equal(a, b);

    default:
        return false;
    }
}

void
yl_elements_order(struct yl_node *list, const struct yl_elements *wanted,
                  const struct yl_elements *server)
{
    struct slot *slots = yl_malloc_array(list->n, sizeof *slots);
    struct yl_node **nodes = yl_malloc_array(list->n, sizeof *nodes);
    size_t n_wanted = 0, n = 0, end = list->n, i, j;
    struct yl_node *node;

    /* Elements with a rank fill 'slots' from the front, the others from the
     * back. */
    YL_NODE_FOR_EACH (node, list) {
        const struct yl_node *identity =
            yl_element_identity(node, wanted->merge_key);
        size_t rank = rank_in(wanted, identity);
        size_t server_rank = rank_in(server, identity);
        struct slot *slot = rank != SIZE_MAX ? &slots[n_wanted++]
                                             : &slots[--end];

        slot->node = node;
        slot->rank = rank != SIZE_MAX ? rank : server_rank;
        slot->position = n++;
        slot->server = server_rank;
    }
    sort_slots(slots, n_wanted);
    sort_slots(slots + end, n - end);

    for (i = 0, j = end; i < n_wanted || j < n; ) {
        bool other = j < n
                     && (i == n_wanted
                         || (slots[i].server != SIZE_MAX
                             && slots[j].server < slots[i].server));

        nodes[i + j - end] = slots[other ? j : i].node;
        *(other ? &j : &i) += 1;
    }
    yl_node_reorder(list, nodes, n);
    free(slots);
    free(nodes);
}

static bool
is_scalar(const struct yl_node *node)
{
    return node && node->type != YL_JSON_OBJECT && node->type != YL_JSON_ARRAY;
}

static size_t
hash_identity(struct yl_arena *arena, const struct yl_node *identity)
{
    struct yl_str text = YL_STR("");
    double number = 0;

    switch (yl_node_type(identity)) {
    case YL_JSON_STRING:
        yl_node_string(identity, arena, &text);
        return yl_hash_str(text);

    case YL_JSON_NUMBER:
        yl_node_double(identity, &number);
        number = number == 0 ? 0 : number;  /* Not -0. */
        return yl_hash_bytes(&number, sizeof number);

    default:
        return yl_hash_u64((uint64_t) yl_node_type(identity));
    }
}

/* Equal, and both whole numbers of 64 bits or neither. */
static bool
same_number(const struct yl_node *a, const struct yl_node *b)
{
    struct yl_str x = yl_str_null(), y = yl_str_null();
    long long i, j;
    double d = 0, e = 0;
    bool whole_a, whole_b;

    yl_node_number(a, &x);
    yl_node_number(b, &y);
    whole_a = yl_str_to_i64(x, &i) == 0;
    whole_b = yl_str_to_i64(y, &j) == 0;
    if (whole_a || whole_b) {
        return whole_a && whole_b && i == j;
    }
    return yl_node_double(a, &d) == 0 && yl_node_double(b, &e) == 0 && d == e;
}

/* Sorts by rank.  Upstream's comparison says that an element without a rank
 * comes first whatever it is compared with, so the order of a short list with
 * such elements is that of insertion sort. */
static void
sort_slots(struct slot *slots, size_t n)
{
    size_t i, j;

    qsort(slots, n, sizeof *slots, compare_positions);
    for (i = 0; i < n && slots[i].rank != SIZE_MAX; i++) {
        continue;
    }
    if (i == n || n > 20) {
        qsort(slots, n, sizeof *slots, compare_slots);
        return;
    }
    for (i = 1; i < n; i++) {
        for (j = i; j > 0 && (slots[j].rank == SIZE_MAX
                              || slots[j - 1].rank == SIZE_MAX
                              || slots[j].rank < slots[j - 1].rank); j--) {
            struct slot slot = slots[j];

            slots[j] = slots[j - 1];
            slots[j - 1] = slot;
        }
    }
}

static int
compare_positions(const void *a_, const void *b_)
{
    const struct slot *a = a_, *b = b_;

    return a->position < b->position ? -1 : a->position > b->position;
}

static int
compare_slots(const void *a_, const void *b_)
{
    const struct slot *a = a_, *b = b_;

    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return compare_positions(a, b);
}

/* The rank of the first element with that identity, or SIZE_MAX. */
static size_t
rank_in(const struct yl_elements *elements, const struct yl_node *identity)
{
    const struct yl_element *element = yl_elements_find(elements, identity);

    return element ? element->rank : SIZE_MAX;
}
