/* Index of a node.  See apiserver/keyspace/btree_index.h for the contract. */

#include "apiserver/keyspace/btree_index.h"

static size_t shared(struct yl_str, struct yl_str, size_t max);
static uint64_t head_of(struct yl_str key, size_t from);

void
yl_btree_index_build(struct yl_btree_index *index,
                     struct yl_btree_key *const keys[], unsigned n)
{
    struct yl_str first;
    unsigned i;

    index->prefix_size = 0;
    if (n == 0) {
        return;
    }

    /* The bytes that the first and the last key share are shared by all. */
    first = yl_btree_key_str(keys[0]);
    index->prefix_size = (uint8_t) shared(first,
                                          yl_btree_key_str(keys[n - 1]),
                                          YL_BTREE_PREFIX);
    memcpy(index->prefix, first.data, index->prefix_size);
    for (i = 0; i < n; i++) {
        index->heads[i] = head_of(yl_btree_key_str(keys[i]),
                                  index->prefix_size);
    }
}

void
yl_btree_index_insert(struct yl_btree_index *index,
                      struct yl_btree_key *const keys[], unsigned n,
                      unsigned i)
{
    struct yl_str key = yl_btree_key_str(keys[i]);

    if (n == 1 || !yl_str_starts_with(key, yl_str_n(index->prefix,
                                                    index->prefix_size))) {
        yl_btree_index_build(index, keys, n);
        return;
    }
    memmove(&index->heads[i + 1], &index->heads[i],
            (n - 1 - i) * sizeof index->heads[0]);
    index->heads[i] = head_of(key, index->prefix_size);
}

void
yl_btree_index_remove(struct yl_btree_index *index, unsigned n, unsigned i)
{
    memmove(&index->heads[i], &index->heads[i + 1],
            (n - i) * sizeof index->heads[0]);
}

unsigned
yl_btree_index_search(const struct yl_btree_index *index,
                      struct yl_btree_key *const keys[], unsigned n,
                      struct yl_str key, bool *ret_equal)
{
    struct yl_str prefix = yl_str_n(index->prefix, index->prefix_size);
    unsigned low = 0, high = n;
    uint64_t head;

    *ret_equal = false;
    if (!yl_str_starts_with(key, prefix)) {
        return yl_str_compare(key, prefix) < 0 ? 0 : n;
    }
    head = head_of(key, prefix.size);
    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (index->heads[middle] < head) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (high = low; high < n && index->heads[high] == head; high++) {
        continue;
    }
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int c = yl_str_compare(yl_btree_key_str(keys[middle]), key);

        if (c == 0) {
            *ret_equal = true;
            return middle;
        } else if (c < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The number of leading bytes that both share, at most 'max'. */
static size_t
shared(struct yl_str a, struct yl_str b, size_t max)
{
    size_t n = 0;

    max = a.size < max ? a.size : max;
    max = b.size < max ? b.size : max;
    while (n < max && a.data[n] == b.data[n]) {
        n++;
    }
    return n;
}

/* Eight bytes from 'from' on as a number; bytes behind the end count as 0. */
static uint64_t
head_of(struct yl_str key, size_t from)
{
    const unsigned char *p = (const unsigned char *) key.data + from;
    unsigned char bytes[8] = { 0 };

    if (key.size - from < sizeof bytes) {
        memcpy(bytes, p, key.size - from);
        p = bytes;
    }
    return (uint64_t) p[0] << 56 | (uint64_t) p[1] << 48
           | (uint64_t) p[2] << 40 | (uint64_t) p[3] << 32
           | (uint64_t) p[4] << 24 | (uint64_t) p[5] << 16
           | (uint64_t) p[6] << 8 | (uint64_t) p[7];
}
