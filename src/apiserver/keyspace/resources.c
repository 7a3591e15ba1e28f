/* Resources by prefix, and rows from storage.  See
 * apiserver/keyspace/resources.h for the contract. */

#include "apiserver/keyspace/resources.h"

#include "apiserver/keyspace/resource.h"
#include "base/hash.h"
#include "object/object.h"
#include "storage/storage.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"
#include "yuloh/log.h"

struct loader {
    struct yl_ks_resources *resources;
    size_t bytes;               /* Of history. */
};

static struct yl_ks_resource *find(struct yl_ks_resources *resources,
                                   struct yl_str prefix)
    YL_REQUIRES(resources->lock);
static struct yl_ks_resource *find_of_key(struct yl_ks_resources *resources,
                                          struct yl_str)
    YL_REQUIRES(resources->lock);
static int load_row(void *loader, const struct yl_storage_row *,
                    struct yl_error *);
static uint8_t number_of(const struct yl_ks_resource *, struct yl_str value);
static struct yl_ks_resource *create(struct yl_ks_resources *resources,
                                     struct yl_str prefix, bool namespaced)
    YL_REQUIRES(resources->lock);
static void take_aside(struct yl_ks_resources *resources,
                       struct yl_ks_resource *)
    YL_REQUIRES(resources->lock);
static int put_row(struct yl_ks_resource *, const struct yl_storage_row *,
                   bool strict, size_t *bytes, struct yl_error *);
static int put_aside_row(void *, const struct yl_storage_row *,
                         struct yl_error *);
static void settle(struct yl_ks_resource *, uint64_t compacted);

void
yl_ks_resources_init(struct yl_ks_resources *resources,
                     struct yl_ks_history *history,
                     const _Atomic uint64_t *published,
                     struct yl_clock *clock, bool shared)
    YL_NO_THREAD_SAFETY
{
    resources->history = history;
    resources->published = published;
    resources->clock = clock;
    resources->shared = shared;
    yl_mutex_init(&resources->lock);
    yl_map_init(&resources->by_prefix);
    yl_ks_aside_init(&resources->aside);
    yl_mutex_init(&resources->all_lock);
    yl_list_init(&resources->all);
}

void
yl_ks_resources_release(struct yl_ks_resources *resources)
    YL_NO_THREAD_SAFETY
{
    struct yl_ks_resource *resource;

    YL_LIST_FOR_EACH_SAFE (resource, node, &resources->all) {
        yl_ks_resource_free(resource);
    }
    yl_map_release(&resources->by_prefix);
    yl_ks_aside_release(&resources->aside);
    yl_mutex_destroy(&resources->lock);
    yl_mutex_destroy(&resources->all_lock);
}

int
yl_ks_resources_add(struct yl_ks_resources *resources, struct yl_str prefix,
                    bool namespaced, const struct yl_type_meta *types,
                    size_t n_types, uint8_t *ret_numbers,
                    struct yl_ks_resource **ret_resource,
                    struct yl_error *err)
{
    struct yl_ks_resource *resource;
    size_t i;
    int r = 0;

    yl_mutex_lock(&resources->lock);
    resource = find(resources, prefix);
    if (resource && resource->namespaced != namespaced
        && yl_ks_count(resource) == 0) {
        /* Watchers and history of the old one are left alone; the writer goes
         * on to trim it. */
        yl_map_remove(&resources->by_prefix, &resource->by_prefix);
        resource = NULL;
    }
    if (resource && resource->namespaced != namespaced) {
        r = yl_error_set(err, YL_EINVALID,
                         "%.*s is there with another scope: its objects are "
                         "in %s", YL_STR_ARG(prefix),
                         namespaced ? "no namespace" : "namespaces");
    } else {
        bool is_new = !resource;

        if (is_new) {
            resource = create(resources, prefix, namespaced);
        }
        for (i = n_types; i-- > 0; ) {
            uint8_t number = yl_ks_resource_store_as(resource, types[i]);

            if (ret_numbers) {
                ret_numbers[i] = number;
            }
        }
        if (is_new) {
            resource->numbered = ret_numbers != NULL;
            take_aside(resources, resource);
        }
        *ret_resource = resource;
    }
    yl_mutex_unlock(&resources->lock);
    return r;
}

struct yl_ks_resource *
yl_ks_resources_find(struct yl_ks_resources *resources,
                     const struct yl_storage_row *row)
{
    struct yl_ks_resource *resource;

    yl_mutex_lock(&resources->lock);
    resource = find_of_key(resources, row->key);
    if (!resource) {
        yl_ks_aside_add(&resources->aside, row);
    }
    yl_mutex_unlock(&resources->lock);
    return resource;
}

struct yl_ks_resource *
yl_ks_resources_of(struct yl_ks_resources *resources, struct yl_str key)
{
    struct yl_ks_resource *resource;

    yl_mutex_lock(&resources->lock);
    resource = find_of_key(resources, key);
    yl_mutex_unlock(&resources->lock);
    return resource;
}

int
yl_ks_resources_read(const struct yl_ks_resource *resource,
                     const struct yl_storage_row *row,
                     struct yl_object **ret_object, struct yl_error *err)
{
    struct yl_object_opts opts = { .canonical = !resource->shared };
    struct yl_object *object = NULL;
    struct yl_key key, found;
    int r;

    r = yl_ks_resource_parse(resource,
                             yl_str_skip(row->key, resource->prefix_size),
                             &key);
    if (r < 0) {
        return yl_error_set(err, YL_ENOTFOUND, "row %llu: no object of this "
                            "resource can be stored as %.*s",
                            (unsigned long long) row->revision,
                            YL_STR_ARG(row->key));
    }
    if (!row->delete_) {
        opts.schema_generation = number_of(resource, row->value);
        r = yl_object_ingest(row->value, &opts, &object, err);
        if (r < 0) {
            yl_error_prefix(err, "row %llu, %.*s",
                            (unsigned long long) row->revision,
                            YL_STR_ARG(row->key));
            return r;
        }
        found = yl_object_key(object);
        if (!yl_key_equal(&key, &found)) {
            yl_object_unref(object);
            return yl_error_set(err, YL_ESTOREREAD,
                                "row %llu: another object is stored as %.*s",
                                (unsigned long long) row->revision,
                                YL_STR_ARG(row->key));
        }
    }
    if (object && object->managed_fields) {
        *ret_object = yl_object_keep(object);
        yl_object_unref(object);
    } else {
        *ret_object = object;
    }
    return 0;
}

/* The number of the type that a value was stored as; 0 if it has none. */
static uint8_t
number_of(const struct yl_ks_resource *resource, struct yl_str value)
{
    struct yl_arena *arena;
    struct yl_str api_version;
    uint8_t number = 0;

    if (!resource->numbered) {
        return 0;
    }
    arena = yl_arena_new();
    if (yl_json_string(yl_json_get(yl_json(value), YL_STR("apiVersion")),
                       arena, &api_version) == 0) {
        number = yl_ks_resource_number(resource, api_version);
    }
    yl_arena_free(arena);
    return number;
}

int
yl_ks_resources_load(struct yl_ks_resources *resources,
                     struct yl_storage *storage, uint64_t *ret_revision,
                     uint64_t *ret_compacted, size_t *ret_bytes,
                     struct yl_error *err)
{
    struct loader loader = { resources, 0 };
    struct yl_ks_resource *resource;
    int r;

    yl_mutex_lock(&resources->lock);
    r = yl_storage_load(storage, load_row, &loader, ret_revision,
                        ret_compacted, err);
    if (r == 0) {
        *ret_bytes = loader.bytes;
        YL_MAP_FOR_EACH (resource, by_prefix, &resources->by_prefix) {
            settle(resource, *ret_compacted);
        }
    }
    yl_mutex_unlock(&resources->lock);
    return r;
}

bool
yl_ks_resources_trim(struct yl_ks_resources *resources, uint64_t compacted,
                     size_t max)
{
    struct yl_ks_resource *resource;
    size_t n = 0;

    yl_mutex_lock(&resources->all_lock);
    YL_LIST_FOR_EACH (resource, node, &resources->all) {
        n += yl_ks_resource_trim(resource, compacted, max - n);
        if (n >= max) {
            break;
        }
    }
    yl_mutex_unlock(&resources->all_lock);
    if (n < max) {
        yl_mutex_lock(&resources->lock);
        n += yl_ks_aside_trim(&resources->aside, compacted, max - n);
        yl_mutex_unlock(&resources->lock);
    }
    return n < max;
}

static struct yl_ks_resource *
find(struct yl_ks_resources *resources, struct yl_str prefix)
{
    struct yl_ks_resource *resource;

    YL_MAP_FOR_EACH_WITH_HASH (resource, by_prefix, yl_hash_str(prefix),
                               &resources->by_prefix) {
        if (yl_str_equal(yl_ks_resource_prefix(resource), prefix)) {
            return resource;
        }
    }
    return NULL;
}

/* The resource with the longest prefix of 'key'; NULL if there is none. */
static struct yl_ks_resource *
find_of_key(struct yl_ks_resources *resources, struct yl_str key)
{
    size_t size;

    for (size = key.size; size > 0; size--) {
        struct yl_ks_resource *resource;

        if (key.data[size - 1] == '/'
            && (resource = find(resources, yl_str_n(key.data, size)))
               != NULL) {
            return resource;
        }
    }
    return NULL;
}

/* Called with the lock held. */
static int
load_row(void *loader_, const struct yl_storage_row *row,
         struct yl_error *err)
    YL_NO_THREAD_SAFETY
{
    struct loader *loader = loader_;
    struct yl_ks_resources *resources = loader->resources;
    struct yl_ks_resource *resource = find_of_key(resources, row->key);

    if (!resource) {
        yl_ks_aside_add(&resources->aside, row);
        return 0;
    }
    return put_row(resource, row, !resources->shared, &loader->bytes, err);
}

/* Creates a resource, without the rows that were kept aside for it. */
static struct yl_ks_resource *
create(struct yl_ks_resources *resources, struct yl_str prefix,
       bool namespaced)
{
    struct yl_ks_resource *resource
        = yl_ks_resource_new(resources->history, resources->published,
                             resources->clock, prefix, namespaced);

    resource->shared = resources->shared;
    yl_map_insert(&resources->by_prefix, &resource->by_prefix,
                  yl_hash_str(prefix));
    return resource;
}

/* Puts the rows that were kept aside into a new resource. */
static void
take_aside(struct yl_ks_resources *resources, struct yl_ks_resource *resource)
{
    yl_ks_aside_take(&resources->aside, yl_ks_resource_prefix(resource),
                     put_aside_row, resource);
    settle(resource, yl_ks_history_compacted(resources->history));

    /* From now on the writer trims it. */
    yl_mutex_lock(&resources->all_lock);
    yl_list_push_back(&resources->all, &resource->node);
    yl_mutex_unlock(&resources->all_lock);
}

static int
put_row(struct yl_ks_resource *resource, const struct yl_storage_row *row,
        bool strict, size_t *bytes, struct yl_error *err)
{
    struct yl_str text = yl_str_skip(row->key, resource->prefix_size);
    struct yl_error own = YL_ERROR_INIT;
    struct yl_object *object = NULL;
    int r = yl_ks_resources_read(resource, row, &object,
                                 strict ? err : &own);

    if (r < 0 && strict) {
        return r == YL_ENOTFOUND ? YL_ESTOREREAD : r;
    }
    if (r < 0) {
        yl_log_error(r, "Cannot read a stored object", YL_LOG_ERROR(&own));
        yl_error_clear(&own);
    }
    if (r != YL_ENOTFOUND) {
        struct yl_ks_version *version
            = yl_ks_pool_take(&resource->pool, object, row->revision);

        yl_mutex_lock(&resource->lock);
        *bytes += yl_ks_resource_put_foreign(resource, text, version, r < 0);
        yl_mutex_unlock(&resource->lock);
        yl_object_unref(object);
    }
    return 0;
}

/* Adds a row to a resource that was added late.  A row that cannot be read
 * must not keep out the others: there is no caller to report an error to. */
static int
put_aside_row(void *aux, const struct yl_storage_row *row,
              struct yl_error *err)
{
    size_t bytes = 0;

    return put_row(aux, row, false, &bytes, err);
}

/* Drops what was compacted already. */
static void
settle(struct yl_ks_resource *resource, uint64_t compacted)
{
    yl_ks_resource_trim(resource, compacted, SIZE_MAX);
    yl_mutex_lock(&resource->lock);
    resource->dropped = compacted;
    yl_mutex_unlock(&resource->lock);
}
