#ifndef APISERVER_KEYSPACE_BTREE_H
#define APISERVER_KEYSPACE_BTREE_H 1

/* B+tree: byte strings in order, a pointer for each, and how many are live.
 *
 * Values stand in the leaves, which are chained, so a walk reads arrays.
 * Every subtree knows how many of its keys are live, so "how many come behind
 * this key" costs a logarithm.  The user decides which keys are live: a key
 * whose object is deleted stays, not live, as long as its history is kept.
 *
 * Guarantees
 * ==========
 *
 *   - Keys are ordered by their bytes.  Finding, setting, removing and ranking
 *     cost the logarithm of the number of keys, a step of a walk a constant.
 *
 *   - Nodes are a quarter full or more, whatever is removed (the last leaf may
 *     be emptier while keys come in ascending order, and is filled completely
 *     before the next one starts).
 *
 * Ownership
 * =========
 *
 * The tree copies keys and owns the copies: those in the leaves, and others
 * that separate its subtrees, which outlive the key that they were made from.
 * Values are the user's; they must not be NULL.
 *
 * Threads
 * =======
 *
 * None of its own: users that share a tree lock it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_btree_leaf;

struct yl_btree {
    void *root;                 /* A leaf if 'height' is 0; NULL if empty. */
    unsigned height;            /* Levels of nodes above the leaves. */
    uint64_t n_keys;
    uint64_t n_live;
};

/* A place in a tree, valid until the tree is changed; the end if 'leaf' is
 * NULL. */
struct yl_btree_at {
    struct yl_btree_leaf *leaf;
    unsigned index;
};

void yl_btree_init(struct yl_btree *);

/* Frees the nodes and keys; the values are forgotten. */
void yl_btree_release(struct yl_btree *);

/* The value of 'key', or NULL. */
void *yl_btree_get(const struct yl_btree *, struct yl_str key);

/* Sets the value of 'key', and whether it is live.  Returns the former value,
 * or NULL if the key is new. */
void *yl_btree_set(struct yl_btree *, struct yl_str key, void *value,
                   bool live);

/* Removes 'key' and returns its value; NULL if it is not there. */
void *yl_btree_remove(struct yl_btree *, struct yl_str key);

/* How many live keys come before 'key'. */
uint64_t yl_btree_rank(const struct yl_btree *, struct yl_str key);

/* The first place whose key is not less than 'key'; or, for the other
 * function, is greater. */
struct yl_btree_at yl_btree_seek(const struct yl_btree *, struct yl_str key);
struct yl_btree_at yl_btree_seek_behind(const struct yl_btree *,
                                        struct yl_str key);

/* The key or value at a place that is not the end; a key is valid until it is
 * removed. */
struct yl_str yl_btree_key(struct yl_btree_at);
void *yl_btree_value(struct yl_btree_at);
void yl_btree_next(struct yl_btree_at *);

/* The values from a place on, as an array in the leaf: at least one, and none
 * from 'end' on, which must not be before the place.  Moves the place behind
 * them. */
void **yl_btree_run(struct yl_btree_at *, struct yl_btree_at end, size_t max,
                    size_t *ret_n);

static inline bool
yl_btree_at_equal(struct yl_btree_at a, struct yl_btree_at b)
{
    return a.leaf == b.leaf && a.index == b.index;
}

#endif /* apiserver/keyspace/btree.h */
