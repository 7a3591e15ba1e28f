/* Pool of versions.  See apiserver/keyspace/version.h for the contract.
 *
 * malloc would round 32 bytes up to 48, and history consists mostly of
 * versions, so they are cells of slabs. */

#include "apiserver/keyspace/version.h"

#include <stdlib.h>

#include "base/alloc.h"

#define N_CELLS 127             /* A slab is just below 4 KB. */

struct yl_ks_pool_slab {
    struct yl_ks_pool_slab *next;
    struct yl_ks_version cells[N_CELLS];
};

void
yl_ks_pool_init(struct yl_ks_pool *pool)
{
    pool->spare = NULL;
    pool->slabs = NULL;
}

void
yl_ks_pool_release(struct yl_ks_pool *pool)
{
    while (pool->slabs) {
        struct yl_ks_pool_slab *slab = pool->slabs;

        pool->slabs = slab->next;
        free(slab);
    }
    yl_ks_pool_init(pool);
}

struct yl_ks_version *
yl_ks_pool_take(struct yl_ks_pool *pool, const struct yl_object *object,
                uint64_t revision)
{
    struct yl_ks_version *version;

    if (!pool->spare) {
        struct yl_ks_pool_slab *slab = yl_malloc(sizeof *slab);
        size_t i;

        slab->next = pool->slabs;
        pool->slabs = slab;
        for (i = N_CELLS; i-- > 0; ) {
            slab->cells[i].older = pool->spare;
            pool->spare = &slab->cells[i];
        }
    }
    version = pool->spare;
    pool->spare = version->older;
    version->object = yl_object_ref(object);
    version->revision = revision;
    version->older = NULL;
    version->seq = 0;
    version->unreadable = false;
    return version;
}

void
yl_ks_pool_put(struct yl_ks_pool *pool, struct yl_ks_version *version)
{
    while (version) {
        struct yl_ks_version *older = version->older;

        yl_object_unref(version->object);
        version->older = pool->spare;
        pool->spare = version;
        version = older;
    }
}
