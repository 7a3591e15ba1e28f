/* The cache of compiled schemas.  See schema/cache.h for the contract.
 *
 * A schema in the cache drops its references under the cache's lock.  So a
 * schema that is found there has a reference, and may be given out again. */

#include "schema/cache.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/thread.h"
#include "schema/compiler.h"

struct yl_schema_cache {
    struct yl_mutex lock;
    struct yl_map schemas YL_GUARDED;   /* By yl_schema_hash(). */
    size_t size YL_GUARDED;     /* Bytes of all of them. */
};

struct yl_schema_cache *
yl_schema_cache_new(void)
{
    struct yl_schema_cache *cache = yl_zalloc(sizeof *cache);

    yl_mutex_init(&cache->lock);
    return cache;
}

void
yl_schema_cache_free(struct yl_schema_cache *cache)
{
    if (cache) {
        assert(yl_schema_cache_count(cache, NULL) == 0);
        yl_mutex_destroy(&cache->lock);
        yl_map_release(&cache->schemas);
        free(cache);
    }
}

int
yl_schema_cache_compile(struct yl_schema_cache *cache,
                        const struct yl_schema_props *props,
                        const struct yl_schema_opts *opts,
                        struct yl_schema **ret_schema, struct yl_error *err)
{
    struct yl_schema *made, *found;
    size_t hash;
    int r = yl_schema_compile(props, opts, &made, err);

    if (r < 0) {
        return r;
    }
    hash = yl_schema_hash(made);
    yl_mutex_lock(&cache->lock);
    YL_MAP_FOR_EACH_WITH_HASH (found, in_cache, hash, &cache->schemas) {
        if (yl_schema_equal(found, made)) {
            break;
        }
    }
    if (found) {
        yl_schema_ref(found);
    } else {
        made->cache = cache;
        yl_map_insert(&cache->schemas, &made->in_cache, hash);
        cache->size += yl_schema_size(made);
    }
    yl_mutex_unlock(&cache->lock);
    if (found) {
        yl_schema_unref(made);
    }
    *ret_schema = found ? found : made;
    return 0;
}

size_t
yl_schema_cache_count(struct yl_schema_cache *cache, size_t *ret_size)
{
    size_t n;

    yl_mutex_lock(&cache->lock);
    n = yl_map_count(&cache->schemas);
    if (ret_size) {
        *ret_size = cache->size;
    }
    yl_mutex_unlock(&cache->lock);
    return n;
}

bool
yl_schema_cache_put(struct yl_schema *schema)
{
    struct yl_schema_cache *cache = schema->cache;
    bool last;

    yl_mutex_lock(&cache->lock);
    last = yl_ref_put(&schema->ref);
    if (last) {
        yl_map_remove(&cache->schemas, &schema->in_cache);
        cache->size -= yl_schema_size(schema);
    }
    yl_mutex_unlock(&cache->lock);
    return last;
}
