#ifndef APISERVER_KEYSPACE_VERSION_H
#define APISERVER_KEYSPACE_VERSION_H 1

/* Version: the state of a key from one revision until the next.
 *
 *     tree -> newest -> older -> ... -> the oldest that is kept
 *
 * Versions are cells of 32 bytes from a pool of their resource: one write
 * costs one.  Their members are written once, except 'older', which is cut
 * when history is dropped (and changes that resource.c makes to unreadable
 * ones).
 *
 * Threads
 * =======
 *
 * The writer alone takes cells from a pool and puts them back, so a pool has
 * no lock.  Everything that is linked from a tree is guarded by the lock of
 * the resource. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/object.h"

struct yl_ks_version {
    struct yl_object *object;   /* A reference; NULL: the key was deleted. */
    uint64_t revision;
    struct yl_ks_version *older;
    uint64_t seq : 63;          /* Number in the resource's log; 0: not there.
                                 * An unreadable one that made no event has
                                 * that of the event before. */

    /* The row in storage is no object.  For readers that is a deletion; the
     * key stays in the tree, so that the writer knows the revision to
     * expect. */
    uint64_t unreadable : 1;
};

struct yl_ks_pool_slab;

struct yl_ks_pool {
    struct yl_ks_version *spare;    /* Linked by 'older'. */
    struct yl_ks_pool_slab *slabs;
};

void yl_ks_pool_init(struct yl_ks_pool *);

/* Frees every cell; those in use must have dropped their objects. */
void yl_ks_pool_release(struct yl_ks_pool *);

/* A cell that holds a reference to 'object', which may be NULL. */
struct yl_ks_version *yl_ks_pool_take(struct yl_ks_pool *,
                                      const struct yl_object *object,
                                      uint64_t revision);

/* Puts a version and all older ones back, and drops their references to
 * objects. */
void yl_ks_pool_put(struct yl_ks_pool *, struct yl_ks_version *);

/* The object at 'revision'; NULL if there was none. */
static inline const struct yl_ks_version *
yl_ks_version_at(const struct yl_ks_version *version, uint64_t revision)
{
    while (version && version->revision > revision) {
        version = version->older;
    }
    return version && version->object ? version : NULL;
}

/* Did the key exist before this version? */
static inline bool
yl_ks_version_is_change(const struct yl_ks_version *version)
{
    return version->older && version->older->object;
}

#endif /* apiserver/keyspace/version.h */
