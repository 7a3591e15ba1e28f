#ifndef APISERVER_KEYSPACE_BTREE_INDEX_H
#define APISERVER_KEYSPACE_BTREE_INDEX_H 1

/* Index of a B+tree's node: enough of each key to search without touching it.
 *
 *     keys      default/web-0001  default/web-0002  default/web-0107
 *     prefix    default/web-0                   what all of them share
 *     heads     001...            002...            107...
 *
 * Keys lie anywhere in memory, and a search that compares five of them in
 * every node waits for memory five times.  A node's index is one block of
 * memory: the bytes that its keys share, and the eight bytes that follow in
 * each key, as a number that sorts as they do.  Whole keys are compared only
 * where heads are equal. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

#define YL_BTREE_FANOUT 32
#define YL_BTREE_PREFIX 23

struct yl_btree_key {
    uint32_t size;
    char bytes[];
};

struct yl_btree_index {
    uint8_t prefix_size;
    char prefix[YL_BTREE_PREFIX];   /* Cut if there is no room for all of
                                     * it. */
    uint64_t heads[YL_BTREE_FANOUT];
};

static inline struct yl_str
yl_btree_key_str(const struct yl_btree_key *key)
{
    return yl_str_n(key->bytes, key->size);
}

/* Makes the index of 'n' keys, which are in order. */
void yl_btree_index_build(struct yl_btree_index *,
                          struct yl_btree_key *const keys[], unsigned n);

/* Update the index: the key at 'i' is new, and there are 'n' now; or it was
 * removed, and 'n' are left. */
void yl_btree_index_insert(struct yl_btree_index *,
                           struct yl_btree_key *const keys[], unsigned n,
                           unsigned i);
void yl_btree_index_remove(struct yl_btree_index *, unsigned n, unsigned i);

/* The index of the first of 'n' keys that is not less than 'key', and whether
 * it is 'key'. */
unsigned yl_btree_index_search(const struct yl_btree_index *,
                               struct yl_btree_key *const keys[], unsigned n,
                               struct yl_str key, bool *ret_equal);

#endif /* apiserver/keyspace/btree_index.h */
