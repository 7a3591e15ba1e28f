/* B+tree.  See apiserver/keyspace/btree.h for the contract.
 *
 *     inner   children      c0    c1    c2        at most FANOUT
 *             separators       s0    s1           sI <= keys of c(I+1)
 *             counts        live keys of each child
 *     leaf    keys, values, a bit for each that is live; chained
 *
 * Splitting, merging and borrowing are one operation: the items of one or two
 * neighbours are laid out in an array and dealt to one or two nodes.  A
 * separator is the shortest string that tells its neighbours apart, and never
 * shares memory with a key in a leaf: that key may be removed before it. */

#include "apiserver/keyspace/btree.h"

#include <assert.h>
#include <stdlib.h>

#include "apiserver/keyspace/btree_index.h"
#include "base/alloc.h"

#define FANOUT YL_BTREE_FANOUT
#define MINIMUM (FANOUT / 4)
#define MERGED (FANOUT * 3 / 4)     /* Leaves room, so that the next insert
                                     * does not split again. */
#define MAX_HEIGHT 16               /* 8^16 keys. */

struct yl_btree_leaf {
    unsigned n;
    uint32_t live;              /* Bit I for key I. */
    struct yl_btree_index index;    /* Of 'keys'. */
    struct yl_btree_key *keys[FANOUT];
    void *values[FANOUT];
    struct yl_btree_leaf *next;
};

struct inner {
    unsigned n;                 /* Children. */
    struct yl_btree_index index;    /* Of 'separators'. */
    struct yl_btree_key *separators[FANOUT - 1];
    void *children[FANOUT];
    uint64_t counts[FANOUT];
};

/* The way from the root to a leaf: node I from above, and which child. */
struct path {
    struct inner *nodes[MAX_HEIGHT];
    unsigned indexes[MAX_HEIGHT];
    struct yl_btree_leaf *leaf;
};

/* What one or two leaves hold; or one or two inner nodes, with the separator
 * between them. */
struct leaf_items {
    unsigned n;
    uint64_t live;
    struct yl_btree_key *keys[2 * FANOUT];
    void *values[2 * FANOUT];
};

struct inner_items {
    unsigned n;
    struct yl_btree_key *separators[2 * FANOUT];
    void *children[2 * FANOUT];
    uint64_t counts[2 * FANOUT];
};

static void free_node(void *, unsigned height);
static struct yl_btree_key *key_new(struct yl_str);
static struct yl_btree_key *separator_new(const struct yl_btree_key *,
                                          const struct yl_btree_key *);
static void descend(const struct yl_btree *, struct yl_str, struct path *);
static unsigned leaf_search(const struct yl_btree_leaf *, struct yl_str,
                            bool *equal);
static struct yl_btree_at seek(const struct yl_btree *, struct yl_str,
                               bool *found);
static void set_live(struct yl_btree *, const struct path *, unsigned index,
                     bool);
static void add_counts(struct yl_btree *, const struct path *, int64_t);
static void leaf_insert(struct yl_btree_leaf *, unsigned,
                        struct yl_btree_key *, void *, bool);
static void leaf_split(struct yl_btree *, struct path *, unsigned,
                       struct yl_btree_key *, void *, bool);
static void parent_insert(struct yl_btree *, struct path *, unsigned level,
                          void *left, struct yl_btree_key *, void *right);
static void grow_root(struct yl_btree *, void *left, struct yl_btree_key *,
                      void *right);
static void fix_leaf(struct yl_btree *, struct path *);
static void fix_inner(struct yl_btree *, struct path *, unsigned level);
static void parent_remove(struct yl_btree *, struct path *, unsigned level,
                          unsigned left);
static uint64_t count_node(const void *, bool is_leaf);
static unsigned count_bits(uint32_t);

void
yl_btree_init(struct yl_btree *tree)
{
    *tree = (struct yl_btree) { NULL, 0, 0, 0 };
}

void
yl_btree_release(struct yl_btree *tree)
{
    if (tree->root) {
        free_node(tree->root, tree->height);
    }
    yl_btree_init(tree);
}

void *
yl_btree_get(const struct yl_btree *tree, struct yl_str key)
{
    struct path path;
    unsigned i;
    bool found;

    if (!tree->root) {
        return NULL;
    }
    descend(tree, key, &path);
    i = leaf_search(path.leaf, key, &found);
    return found ? path.leaf->values[i] : NULL;
}

void *
yl_btree_set(struct yl_btree *tree, struct yl_str key, void *value, bool live)
{
    struct path path;
    struct yl_btree_key *copy;
    void *old = NULL;
    unsigned i;
    bool found;

    assert(value);
    if (!tree->root) {
        tree->root = yl_zalloc(sizeof(struct yl_btree_leaf));
    }
    descend(tree, key, &path);
    i = leaf_search(path.leaf, key, &found);
    if (found) {
        old = path.leaf->values[i];
        path.leaf->values[i] = value;
        set_live(tree, &path, i, live);
        return old;
    }
    copy = key_new(key);
    add_counts(tree, &path, live);
    tree->n_keys++;
    if (path.leaf->n < FANOUT) {
        leaf_insert(path.leaf, i, copy, value, live);
    } else {
        leaf_split(tree, &path, i, copy, value, live);
    }
    return NULL;
}

void *
yl_btree_remove(struct yl_btree *tree, struct yl_str key)
{
    struct yl_btree_leaf *leaf;
    struct path path;
    void *old;
    unsigned i;
    bool found;

    if (!tree->root) {
        return NULL;
    }
    descend(tree, key, &path);
    leaf = path.leaf;
    i = leaf_search(leaf, key, &found);
    if (!found) {
        return NULL;
    }
    set_live(tree, &path, i, false);
    old = leaf->values[i];
    free(leaf->keys[i]);
    leaf->n--;
    memmove(&leaf->keys[i], &leaf->keys[i + 1],
            (leaf->n - i) * sizeof leaf->keys[0]);
    memmove(&leaf->values[i], &leaf->values[i + 1],
            (leaf->n - i) * sizeof leaf->values[0]);
    yl_btree_index_remove(&leaf->index, leaf->n, i);
    leaf->live = (leaf->live & (((uint32_t) 1 << i) - 1))
                 | (uint32_t) ((uint64_t) leaf->live >> (i + 1) << i);
    tree->n_keys--;
    if (leaf->n < MINIMUM) {
        fix_leaf(tree, &path);
    }
    return old;
}

uint64_t
yl_btree_rank(const struct yl_btree *tree, struct yl_str key)
{
    struct path path;
    uint64_t rank = 0;
    unsigned level, i;
    bool found;

    if (!tree->root) {
        return 0;
    }
    descend(tree, key, &path);
    for (level = 0; level < tree->height; level++) {
        for (i = 0; i < path.indexes[level]; i++) {
            rank += path.nodes[level]->counts[i];
        }
    }
    i = leaf_search(path.leaf, key, &found);
    return rank + count_bits(
        (uint32_t) (path.leaf->live & (((uint64_t) 1 << i) - 1)));
}

struct yl_btree_at
yl_btree_seek(const struct yl_btree *tree, struct yl_str key)
{
    bool found;

    return seek(tree, key, &found);
}

struct yl_btree_at
yl_btree_seek_behind(const struct yl_btree *tree, struct yl_str key)
{
    bool found;
    struct yl_btree_at at = seek(tree, key, &found);

    if (found) {
        yl_btree_next(&at);
    }
    return at;
}

struct yl_str
yl_btree_key(struct yl_btree_at at)
{
    return yl_btree_key_str(at.leaf->keys[at.index]);
}

void *
yl_btree_value(struct yl_btree_at at)
{
    return at.leaf->values[at.index];
}

void
yl_btree_next(struct yl_btree_at *at)
{
    /* There is no empty leaf to skip. */
    if (++at->index == at->leaf->n) {
        at->leaf = at->leaf->next;
        at->index = 0;
    }
}

void **
yl_btree_run(struct yl_btree_at *at, struct yl_btree_at end, size_t max,
             size_t *ret_n)
{
    struct yl_btree_leaf *leaf = at->leaf;
    unsigned n = (leaf == end.leaf ? end.index : leaf->n) - at->index;
    void **values = &leaf->values[at->index];

    n = n < max ? n : (unsigned) max;
    at->index += n;
    if (at->index == leaf->n) {
        at->leaf = leaf->next;
        at->index = 0;
    }
    *ret_n = n;
    return values;
}

static void
free_node(void *node, unsigned height)
{
    unsigned i;

    if (height == 0) {
        struct yl_btree_leaf *leaf = node;

        for (i = 0; i < leaf->n; i++) {
            free(leaf->keys[i]);
        }
    } else {
        struct inner *inner = node;

        for (i = 0; i < inner->n; i++) {
            free_node(inner->children[i], height - 1);
            if (i > 0) {
                free(inner->separators[i - 1]);
            }
        }
    }
    free(node);
}

static struct yl_btree_key *
key_new(struct yl_str s)
{
    struct yl_btree_key *key = yl_malloc(sizeof *key + s.size);

    key->size = (uint32_t) s.size;
    if (s.size) {
        memcpy(key->bytes, s.data, s.size);
    }
    return key;
}

/* The shortest prefix of 'right' that sorts after 'left'. */
static struct yl_btree_key *
separator_new(const struct yl_btree_key *left,
              const struct yl_btree_key *right)
{
    size_t n = 0;

    while (n < left->size && left->bytes[n] == right->bytes[n]) {
        n++;
    }
    return key_new(yl_str_n(right->bytes, n + 1));
}

static void
descend(const struct yl_btree *tree, struct yl_str key, struct path *path)
{
    void *node = tree->root;
    unsigned level;

    for (level = 0; level < tree->height; level++) {
        struct inner *inner = node;
        unsigned i;
        bool equal;

        /* Counts the separators that do not sort after 'key'. */
        i = yl_btree_index_search(&inner->index, inner->separators,
                                  inner->n - 1, key, &equal);
        i += equal;
        path->nodes[level] = inner;
        path->indexes[level] = i;
        node = inner->children[i];
    }
    path->leaf = node;
}

/* The first index whose key is not less than 'key'. */
static unsigned
leaf_search(const struct yl_btree_leaf *leaf, struct yl_str key, bool *equal)
{
    return yl_btree_index_search(&leaf->index, leaf->keys, leaf->n, key,
                                 equal);
}

/* The first place whose key is not less than 'key', and whether it is
 * 'key'. */
static struct yl_btree_at
seek(const struct yl_btree *tree, struct yl_str key, bool *found)
{
    struct yl_btree_at at = { NULL, 0 };
    struct path path;

    *found = false;
    if (tree->root) {
        descend(tree, key, &path);
        at.leaf = path.leaf;
        at.index = leaf_search(path.leaf, key, found);
        if (at.index == at.leaf->n) {
            at.index--;
            yl_btree_next(&at);
        }
    }
    return at;
}

static void
set_live(struct yl_btree *tree, const struct path *path, unsigned i, bool live)
{
    uint32_t bit = (uint32_t) 1 << i;
    bool was = path->leaf->live & bit;

    if (was != live) {
        path->leaf->live ^= bit;
        add_counts(tree, path, live ? 1 : -1);
    }
}

static void
add_counts(struct yl_btree *tree, const struct path *path, int64_t n)
{
    unsigned level;

    for (level = 0; level < tree->height; level++) {
        path->nodes[level]->counts[path->indexes[level]] += (uint64_t) n;
    }
    tree->n_live += (uint64_t) n;
}

static void
leaf_insert(struct yl_btree_leaf *leaf, unsigned i, struct yl_btree_key *key,
            void *value, bool live)
{
    uint32_t below = ((uint32_t) 1 << i) - 1;

    memmove(&leaf->keys[i + 1], &leaf->keys[i],
            (leaf->n - i) * sizeof leaf->keys[0]);
    memmove(&leaf->values[i + 1], &leaf->values[i],
            (leaf->n - i) * sizeof leaf->values[0]);
    leaf->keys[i] = key;
    leaf->values[i] = value;
    leaf->live = (leaf->live & below) | (uint32_t) live << i
                 | (leaf->live & ~below) << 1;
    leaf->n++;
    yl_btree_index_insert(&leaf->index, leaf->keys, leaf->n, i);
}

/* Dealing
 * ======= */

static void
leaf_take(struct leaf_items *items, const struct yl_btree_leaf *leaf)
{
    memcpy(&items->keys[items->n], leaf->keys, leaf->n * sizeof(void *));
    memcpy(&items->values[items->n], leaf->values, leaf->n * sizeof(void *));
    items->live |= (uint64_t) leaf->live << items->n;
    items->n += leaf->n;
}

static void
leaf_deal(const struct leaf_items *items, unsigned from, unsigned n,
          struct yl_btree_leaf *leaf)
{
    memcpy(leaf->keys, &items->keys[from], n * sizeof(void *));
    memcpy(leaf->values, &items->values[from], n * sizeof(void *));
    leaf->live = (uint32_t) (items->live >> from & (((uint64_t) 1 << n) - 1));
    leaf->n = n;
    yl_btree_index_build(&leaf->index, leaf->keys, n);
}

/* Takes an inner node's items; its separator I is before child I + 1, so the
 * caller provides that of the first child. */
static void
inner_take(struct inner_items *items, const struct inner *inner)
{
    memcpy(&items->children[items->n], inner->children,
           inner->n * sizeof(void *));
    memcpy(&items->counts[items->n], inner->counts,
           inner->n * sizeof inner->counts[0]);
    memcpy(&items->separators[items->n], inner->separators,
           (inner->n - 1) * sizeof(void *));
    items->n += inner->n;
}

static void
inner_deal(const struct inner_items *items, unsigned from, unsigned n,
           struct inner *inner)
{
    memcpy(inner->children, &items->children[from], n * sizeof(void *));
    memcpy(inner->counts, &items->counts[from], n * sizeof inner->counts[0]);
    memcpy(inner->separators, &items->separators[from],
           (n - 1) * sizeof(void *));
    inner->n = n;
    yl_btree_index_build(&inner->index, inner->separators, n - 1);
}

/* Growing
 * ======= */

/* Inserts into a leaf that is full. */
static void
leaf_split(struct yl_btree *tree, struct path *path, unsigned i,
           struct yl_btree_key *key, void *value, bool live)
{
    struct yl_btree_leaf *left = path->leaf;
    struct yl_btree_leaf *right = yl_zalloc(sizeof *right);
    struct leaf_items items = { .n = 0 };

    /* If keys come in ascending order, leaves are filled completely. */
    unsigned n_left = !left->next && i == FANOUT ? FANOUT : FANOUT / 2;

    leaf_take(&items, left);
    right->next = left->next;
    left->next = right;
    leaf_deal(&items, 0, n_left, left);
    leaf_deal(&items, n_left, FANOUT - n_left, right);
    if (i <= n_left && n_left < FANOUT) {
        leaf_insert(left, i, key, value, live);
    } else {
        leaf_insert(right, i - n_left, key, value, live);
    }
    parent_insert(tree, path, tree->height, left,
                  separator_new(left->keys[left->n - 1], right->keys[0]),
                  right);
}

/* The node 'left' at 'level' was split: puts 'right' behind it. */
static void
parent_insert(struct yl_btree *tree, struct path *path, unsigned level,
              void *left, struct yl_btree_key *separator, void *right)
{
    bool is_leaf = level == tree->height;
    struct inner_items items = { .n = 0 };
    struct inner *parent, *sibling;
    unsigned i, n;

    if (level == 0) {
        grow_root(tree, left, separator, right);
        return;
    }
    parent = path->nodes[level - 1];
    i = path->indexes[level - 1];
    inner_take(&items, parent);
    memmove(&items.children[i + 2], &items.children[i + 1],
            (items.n - i - 1) * sizeof(void *));
    memmove(&items.counts[i + 2], &items.counts[i + 1],
            (items.n - i - 1) * sizeof items.counts[0]);
    memmove(&items.separators[i + 1], &items.separators[i],
            (items.n - i - 1) * sizeof(void *));
    items.children[i + 1] = right;
    items.separators[i] = separator;
    items.counts[i] = count_node(left, is_leaf);
    items.counts[i + 1] = count_node(right, is_leaf);
    items.n++;
    if (items.n <= FANOUT) {
        inner_deal(&items, 0, items.n, parent);
        return;
    }
    sibling = yl_zalloc(sizeof *sibling);
    n = i + 2 == items.n ? FANOUT - MINIMUM : items.n / 2;
    inner_deal(&items, 0, n, parent);
    inner_deal(&items, n, items.n - n, sibling);
    parent_insert(tree, path, level - 1, parent, items.separators[n - 1],
                  sibling);
}

static void
grow_root(struct yl_btree *tree, void *left, struct yl_btree_key *separator,
          void *right)
{
    struct inner *root = yl_zalloc(sizeof *root);

    root->n = 2;
    root->children[0] = left;
    root->children[1] = right;
    root->separators[0] = separator;
    root->counts[0] = count_node(left, tree->height == 0);
    root->counts[1] = count_node(right, tree->height == 0);
    yl_btree_index_build(&root->index, root->separators, 1);
    tree->root = root;
    tree->height++;
    assert(tree->height <= MAX_HEIGHT);
}

/* Shrinking
 * ========= */

/* A leaf has become too empty: merges it with a neighbour, or borrows. */
static void
fix_leaf(struct yl_btree *tree, struct path *path)
{
    struct leaf_items items = { .n = 0 };
    struct yl_btree_leaf *left, *right;
    struct inner *parent;
    unsigned i, n;

    if (tree->height == 0) {
        if (path->leaf->n == 0) {
            free(path->leaf);
            tree->root = NULL;
        }
        return;
    }
    parent = path->nodes[tree->height - 1];
    i = path->indexes[tree->height - 1];
    i -= i + 1 == parent->n;
    left = parent->children[i];
    right = parent->children[i + 1];
    leaf_take(&items, left);
    leaf_take(&items, right);
    free(parent->separators[i]);
    if (items.n <= MERGED) {
        leaf_deal(&items, 0, items.n, left);
        left->next = right->next;
        free(right);
        parent->counts[i] = count_node(left, true);
        parent_remove(tree, path, tree->height, i);
        return;
    }
    n = items.n / 2;
    leaf_deal(&items, 0, n, left);
    leaf_deal(&items, n, items.n - n, right);
    parent->separators[i] = separator_new(left->keys[n - 1], right->keys[0]);
    yl_btree_index_build(&parent->index, parent->separators, parent->n - 1);
    parent->counts[i] = count_node(left, true);
    parent->counts[i + 1] = count_node(right, true);
}

/* The same for the inner node at 'level'. */
static void
fix_inner(struct yl_btree *tree, struct path *path, unsigned level)
{
    struct inner *node = path->nodes[level], *parent, *left, *right;
    struct inner_items items = { .n = 0 };
    unsigned i, n;

    if (level == 0) {
        if (node->n == 1) {
            tree->root = node->children[0];
            tree->height--;
            free(node);
        }
        return;
    }
    parent = path->nodes[level - 1];
    i = path->indexes[level - 1];
    i -= i + 1 == parent->n;
    left = parent->children[i];
    right = parent->children[i + 1];
    inner_take(&items, left);
    items.separators[items.n - 1] = parent->separators[i];
    inner_take(&items, right);
    if (items.n <= MERGED) {
        inner_deal(&items, 0, items.n, left);
        free(right);
        parent->counts[i] = count_node(left, false);
        parent_remove(tree, path, level, i);
        return;
    }
    n = items.n / 2;
    inner_deal(&items, 0, n, left);
    inner_deal(&items, n, items.n - n, right);
    parent->separators[i] = items.separators[n - 1];
    yl_btree_index_build(&parent->index, parent->separators, parent->n - 1);
    parent->counts[i] = count_node(left, false);
    parent->counts[i + 1] = count_node(right, false);
}

/* Removes the child behind 'left' of the parent of 'level', and its separator:
 * 'left' has taken its items. */
static void
parent_remove(struct yl_btree *tree, struct path *path, unsigned level,
              unsigned left)
{
    struct inner *parent = path->nodes[level - 1];
    unsigned n = parent->n - left - 2;

    memmove(&parent->children[left + 1], &parent->children[left + 2],
            n * sizeof(void *));
    memmove(&parent->counts[left + 1], &parent->counts[left + 2],
            n * sizeof parent->counts[0]);
    memmove(&parent->separators[left], &parent->separators[left + 1],
            n * sizeof(void *));
    parent->n--;
    yl_btree_index_remove(&parent->index, parent->n - 1, left);
    if (parent->n < MINIMUM) {
        fix_inner(tree, path, level - 1);
    }
}

static uint64_t
count_node(const void *node, bool is_leaf)
{
    const struct inner *inner = node;
    uint64_t n = 0;
    unsigned i;

    if (is_leaf) {
        return count_bits(((const struct yl_btree_leaf *) node)->live);
    }
    for (i = 0; i < inner->n; i++) {
        n += inner->counts[i];
    }
    return n;
}

static unsigned
count_bits(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
    return bits * 0x01010101 >> 24;
}
