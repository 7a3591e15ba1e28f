#ifndef APISERVER_KEYSPACE_RESOURCES_H
#define APISERVER_KEYSPACE_RESOURCES_H 1

/* All resources of a keyspace: which one a key belongs to, and what becomes of
 * rows that other programs have written.
 *
 *     row from storage -> [resources] -> object of a resource
 *                                     -> aside, until its resource is added
 *                                     -> unreadable
 *
 * A row that is no object of its resource (damaged, or written by a program
 * that stores something else there) makes its key unreadable.  For readers the
 * object is deleted then: a get finds nothing, watchers see a deletion.  The
 * keyspace remembers the row's revision, so that a write that creates the
 * object replaces the row.  A row whose key is not possible in the resource is
 * skipped.  Both are logged.
 *
 * Threads
 * =======
 *
 * Any thread.  Rows come from the writer only, or from the thread that loads
 * before the writer starts. */

#include "apiserver/keyspace/aside.h"
#include "apiserver/keyspace/history.h"
#include "apiserver/keyspace/keyspace.h"
#include "base/list.h"
#include "base/map.h"
#include "base/thread.h"

struct yl_storage;
struct yl_storage_row;

struct yl_ks_resources {
    struct yl_ks_history *history;      /* The keyspace's. */
    const _Atomic uint64_t *published;  /* The keyspace's revision. */
    struct yl_clock *clock;
    bool shared;                /* Whether others write to storage, too. */

    struct yl_mutex lock;       /* Outermost; held while rows are read. */
    struct yl_map by_prefix YL_GUARDED;     /* All resources. */
    struct yl_ks_aside aside YL_GUARDED;

    struct yl_mutex all_lock;   /* Taken under 'lock', before a resource's. */
    struct yl_list all YL_GUARDED;  /* The same, for trimming. */
};

void yl_ks_resources_init(struct yl_ks_resources *, struct yl_ks_history *,
                          const _Atomic uint64_t *published,
                          struct yl_clock *, bool shared);
void yl_ks_resources_release(struct yl_ks_resources *);

/* See yl_keyspace_add(), and yl_keyspace_add_types() if 'ret_numbers' is not
 * NULL. */
int yl_ks_resources_add(struct yl_ks_resources *, struct yl_str prefix,
                        bool namespaced, const struct yl_type_meta *types,
                        size_t n_types, uint8_t *ret_numbers,
                        struct yl_ks_resource **ret_resource,
                        struct yl_error *err);

/* The resource with the longest prefix of the row's key; NULL if there is
 * none, in which case the row is kept aside. */
struct yl_ks_resource *yl_ks_resources_find(struct yl_ks_resources *,
                                            const struct yl_storage_row *);

/* The same for a key; keeps nothing aside. */
struct yl_ks_resource *yl_ks_resources_of(struct yl_ks_resources *,
                                          struct yl_str key);

/* Makes an object of a row; NULL for a deletion.  0, or a code that says what
 * is wrong with the row: YL_ENOTFOUND if no object can have its key. */
int yl_ks_resources_read(const struct yl_ks_resource *,
                         const struct yl_storage_row *,
                         struct yl_object **ret_object, struct yl_error *err);

/* Loads everything from storage, each row into its resource or aside; drops
 * what was compacted already.  'ret_bytes' is the size of history.  A row that
 * cannot be read is an error, as this server has written it; if others write
 * too, the server starts all the same. */
int yl_ks_resources_load(struct yl_ks_resources *, struct yl_storage *,
                         uint64_t *ret_revision, uint64_t *ret_compacted,
                         size_t *ret_bytes, struct yl_error *err);

/* Drops history up to 'compacted', at most 'max' events, and rows kept aside.
 * False if there is more.  For the writer. */
bool yl_ks_resources_trim(struct yl_ks_resources *, uint64_t compacted,
                          size_t max);

#endif /* apiserver/keyspace/resources.h */
