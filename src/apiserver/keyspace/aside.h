#ifndef APISERVER_KEYSPACE_ASIDE_H
#define APISERVER_KEYSPACE_ASIDE_H 1

/* Rows from storage whose resource has not been added yet, such as those of
 * custom resources: their definitions are objects themselves and must be read
 * first.  Rows wait here as bytes, ordered by key, so that the cost of taking
 * those of a prefix depends on their number alone.
 *
 * Threads
 * =======
 *
 * None of its own: the keyspace's lock guards it. */

#include "apiserver/keyspace/btree.h"
#include "base/list.h"
#include "storage/storage.h"

struct yl_ks_aside {
    struct yl_btree keys;       /* To the newest row of each key. */
    struct yl_list ended;       /* Rows that were replaced, and deletions, in
                                 * the order in which they may be freed. */
};

void yl_ks_aside_init(struct yl_ks_aside *);
void yl_ks_aside_release(struct yl_ks_aside *);

/* Keeps a copy of a row, which is newer than all others. */
void yl_ks_aside_add(struct yl_ks_aside *, const struct yl_storage_row *);

/* Feeds all rows whose key starts with 'prefix' to 'each', in the order of
 * revisions, and forgets them.  What 'each' returns is ignored. */
void yl_ks_aside_take(struct yl_ks_aside *, struct yl_str prefix,
                      yl_storage_row_fn *each, void *aux);

/* Frees at most 'max' rows that no reader can see once history up to
 * 'compacted' is dropped.  Returns how many were freed. */
size_t yl_ks_aside_trim(struct yl_ks_aside *, uint64_t compacted, size_t max);

#endif /* apiserver/keyspace/aside.h */
