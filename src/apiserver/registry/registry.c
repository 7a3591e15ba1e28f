/* The table of the resources that are served.  See registry.h for the
 * contract.
 *
 * Three maps under one lock.  Routes lead from the group, version and plural
 * of a path to a resource and version; entries hold each resource once, by its
 * hub's group and its plural; groups count the routes of each group and
 * group-version, so that yl_registry_has_group() need not walk over all
 * routes. */

#include "apiserver/registry/registry.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "apiserver/strategy/strategy.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/ref.h"
#include "base/thread.h"
#include "builtin/columns/columns.h"
#include "yuloh/error.h"

struct entry;

/* One version of a resource. */
struct route {
    struct yl_map_node node;    /* In yl_registry's 'routes'. */
    struct entry *entry;
    const struct yl_api_version *version;
};

struct entry {
    struct yl_api_resource resource;
    struct yl_ref ref;          /* The registry has one reference itself. */
    void (*release)(void *aux);
    void *aux;
    _Atomic bool told;          /* See yl_api_resource_tell(). */
    _Atomic bool retired;       /* It is no longer in the tables. */
    _Atomic bool ending;        /* Its definition is being deleted. */
    struct yl_map_node node;    /* In yl_registry's 'entries'. */
    size_t n_routes;
    struct route routes[];
};

/* A group, or a group-version, and how many routes are in it. */
struct group {
    struct yl_map_node node;    /* In yl_registry's 'groups'. */
    size_t n_routes;
    size_t n_builtin;           /* How many of them are built in. */
    uint64_t changed;           /* The generation of the last change. */
    struct yl_str group;        /* Its bytes follow the struct. */
    struct yl_str version;      /* Empty for the group itself. */
    char text[];
};

struct yl_registry {
    struct yl_mutex lock;       /* Taken last; nothing else is called under
                                 * it. */
    struct yl_map routes YL_GUARDED;
    struct yl_map entries YL_GUARDED;
    struct yl_map groups YL_GUARDED;
    uint64_t generation YL_GUARDED;
};

static struct entry *entry_new(const struct yl_api_resource *,
                               void (*release)(void *), void *aux);
static struct entry *entry_of(const struct yl_api_resource *);
static void entry_free(struct entry *);
static struct entry *find_entry(struct yl_registry *registry,
                                struct yl_str group, struct yl_str plural)
    YL_REQUIRES(registry->lock);
static struct route *find_route(struct yl_registry *registry, struct yl_gvr)
    YL_REQUIRES(registry->lock);
static bool may_put(struct yl_registry *registry,
                    const struct yl_api_resource *, const struct entry *old)
    YL_REQUIRES(registry->lock);
static void link_entry(struct yl_registry *registry, struct entry *)
    YL_REQUIRES(registry->lock);
static void unlink_entry(struct yl_registry *registry, struct entry *)
    YL_REQUIRES(registry->lock);
static void count_group(struct yl_registry *registry, const struct entry *,
                        struct yl_str name, struct yl_str version, int change)
    YL_REQUIRES(registry->lock);
static struct group *find_group(struct yl_registry *registry,
                                struct yl_str name, struct yl_str version)
    YL_REQUIRES(registry->lock);
static size_t hash_pair(struct yl_str, struct yl_str);
static int compare_resources(const void *, const void *);

struct yl_registry *
yl_registry_new(void)
{
    struct yl_registry *registry = yl_zalloc(sizeof *registry);

    yl_mutex_init(&registry->lock);
    return registry;
}

void
yl_registry_free(struct yl_registry *registry)
{
    struct entry *entry;

    if (!registry) {
        return;
    }
    yl_mutex_lock(&registry->lock);
    YL_MAP_FOR_EACH_SAFE (entry, node, &registry->entries) {
        unlink_entry(registry, entry);
        yl_api_resource_unref(&entry->resource);
    }
    yl_map_release(&registry->routes);
    yl_map_release(&registry->entries);
    yl_map_release(&registry->groups);
    yl_mutex_unlock(&registry->lock);
    yl_mutex_destroy(&registry->lock);
    free(registry);
}

int
yl_registry_put(struct yl_registry *registry,
                const struct yl_api_resource *resource,
                void (*release)(void *aux), void *aux)
{
    struct entry *entry = entry_new(resource, release, aux);
    struct entry *old;
    bool ok;

    yl_mutex_lock(&registry->lock);
    old = find_entry(registry, resource->group, resource->plural);
    ok = may_put(registry, resource, old);
    if (ok) {
        registry->generation++;
        if (old) {
            unlink_entry(registry, old);
        }
        link_entry(registry, entry);
    }
    yl_mutex_unlock(&registry->lock);

    if (!ok) {
        yl_api_resource_unref(&entry->resource);
        return YL_EEXISTS;
    }
    if (old) {
        yl_api_resource_unref(&old->resource);
    }
    return 0;
}

int
yl_registry_remove(struct yl_registry *registry, struct yl_str group,
                   struct yl_str plural)
{
    struct entry *entry;

    yl_mutex_lock(&registry->lock);
    entry = find_entry(registry, group, plural);
    if (entry && entry->resource.custom) {
        registry->generation++;
        unlink_entry(registry, entry);
    } else {
        entry = NULL;
    }
    yl_mutex_unlock(&registry->lock);

    if (!entry) {
        return YL_ENOTFOUND;
    }
    yl_api_resource_unref(&entry->resource);
    return 0;
}

int
yl_registry_find(struct yl_registry *registry, struct yl_gvr gvr,
                 const struct yl_api_resource **ret_resource,
                 const struct yl_api_version **ret_version)
{
    struct route *route;

    yl_mutex_lock(&registry->lock);
    route = find_route(registry, gvr);
    if (route) {
        yl_ref_get(&route->entry->ref);
        *ret_resource = &route->entry->resource;
        *ret_version = route->version;
    }
    yl_mutex_unlock(&registry->lock);

    return route ? 0 : YL_ENOTFOUND;
}

const struct yl_api_resource *
yl_api_resource_ref(const struct yl_api_resource *resource)
{
    yl_ref_get(&entry_of(resource)->ref);
    return resource;
}

void
yl_api_resource_unref(const struct yl_api_resource *resource)
{
    if (resource && yl_ref_put(&entry_of(resource)->ref)) {
        entry_free(entry_of(resource));
    }
}

bool
yl_api_resource_is_retired(const struct yl_api_resource *resource)
{
    return atomic_load(&entry_of(resource)->retired);
}

const char *
yl_api_resource_tell(const struct yl_api_resource *resource)
{
    return resource->no_effect
           && !atomic_exchange(&entry_of(resource)->told, true)
           ? resource->no_effect : NULL;
}

bool
yl_registry_has_group(struct yl_registry *registry, struct yl_str group,
                      struct yl_str version)
{
    bool found;

    yl_mutex_lock(&registry->lock);
    found = find_group(registry, group, version) != NULL;
    yl_mutex_unlock(&registry->lock);
    return found;
}

const struct yl_api_version *
yl_api_resource_hub(const struct yl_api_resource *resource)
{
    for (size_t i = 0; i < resource->n_versions; i++) {
        if (resource->versions[i].hub) {
            return &resource->versions[i];
        }
    }
    return resource->unserved_hub ? resource->unserved_hub
                                  : &resource->versions[0];
}

const struct yl_api_subresource *
yl_api_version_subresource(const struct yl_api_version *version,
                           struct yl_str name)
{
    for (size_t i = 0; i < version->n_subresources; i++) {
        if (yl_str_equal_c(name, version->subresources[i].name)) {
            return &version->subresources[i];
        }
    }
    return NULL;
}

const struct yl_api_resource **
yl_registry_all(struct yl_registry *registry, size_t *ret_n)
{
    const struct yl_api_resource **all;
    struct entry *entry;
    size_t n = 0;

    yl_mutex_lock(&registry->lock);
    all = yl_malloc_array(yl_map_count(&registry->entries) + 1, sizeof *all);
    YL_MAP_FOR_EACH (entry, node, &registry->entries) {
        yl_ref_get(&entry->ref);
        all[n++] = &entry->resource;
    }
    yl_mutex_unlock(&registry->lock);

    qsort(all, n, sizeof *all, compare_resources);
    *ret_n = n;
    return all;
}

bool
yl_registry_has_builtin_group(struct yl_registry *registry,
                              struct yl_str name)
{
    struct group *group;
    bool found;

    yl_mutex_lock(&registry->lock);
    group = find_group(registry, name, yl_str_null());
    found = group && group->n_builtin;
    yl_mutex_unlock(&registry->lock);
    return found;
}

uint64_t
yl_registry_generation(struct yl_registry *registry)
{
    uint64_t generation;

    yl_mutex_lock(&registry->lock);
    generation = registry->generation;
    yl_mutex_unlock(&registry->lock);
    return generation;
}

uint64_t
yl_registry_version_generation(struct yl_registry *registry,
                               struct yl_str name, struct yl_str version)
{
    struct group *group;
    uint64_t generation;

    yl_mutex_lock(&registry->lock);
    group = find_group(registry, name, version);
    generation = group ? group->changed : 0;
    yl_mutex_unlock(&registry->lock);
    return generation;
}

void
yl_registry_end(struct yl_registry *registry, struct yl_str group,
                struct yl_str plural)
{
    struct entry *entry;

    yl_mutex_lock(&registry->lock);
    entry = find_entry(registry, group, plural);
    if (entry && entry->resource.custom
        && !atomic_exchange(&entry->ending, true)) {
        registry->generation++;
        for (size_t i = 0; i < entry->n_routes; i++) {
            count_group(registry, entry, entry->routes[i].version->group,
                        entry->routes[i].version->version, 0);
        }
    }
    yl_mutex_unlock(&registry->lock);
}

bool
yl_api_resource_is_ending(const struct yl_api_resource *resource)
{
    return atomic_load(&entry_of(resource)->ending);
}

const struct yl_api_resource *
yl_registry_builtin(struct yl_registry *registry, const char *group,
                    const char *plural)
{
    struct entry *entry;

    yl_mutex_lock(&registry->lock);
    entry = find_entry(registry, yl_str_c(group), yl_str_c(plural));
    yl_mutex_unlock(&registry->lock);

    assert(entry && !entry->resource.custom);
    return &entry->resource;
}

static struct entry *
entry_new(const struct yl_api_resource *resource, void (*release)(void *),
          void *aux)
{
    struct entry *entry = yl_zalloc(sizeof *entry + resource->n_versions
                                    * sizeof entry->routes[0]);

    entry->resource = *resource;
    if (!resource->strategy) {
        entry->resource.strategy = &yl_strategy_plain;
    }
    if (!resource->columns) {
        entry->resource.columns = yl_builtin_columns(resource->group,
                                                     resource->kind);
    }
    yl_ref_init(&entry->ref);
    entry->release = release;
    entry->aux = aux;
    entry->n_routes = resource->n_versions;
    for (size_t i = 0; i < entry->n_routes; i++) {
        entry->routes[i].entry = entry;
        entry->routes[i].version = &resource->versions[i];
    }
    return entry;
}

/* Returns the entry around a resource.  Users see a resource as constant; its
 * reference count is outside of it. */
static struct entry *
entry_of(const struct yl_api_resource *resource)
{
    return YL_CONTAINER_OF((struct yl_api_resource *) (uintptr_t) resource,
                           struct entry, resource);
}

static void
entry_free(struct entry *entry)
{
    if (entry->release) {
        entry->release(entry->aux);
    }
    free(entry);
}

static struct entry *
find_entry(struct yl_registry *registry, struct yl_str group,
           struct yl_str plural)
    YL_REQUIRES(registry->lock)
{
    struct entry *entry;

    YL_MAP_FOR_EACH_WITH_HASH (entry, node, hash_pair(group, plural),
                               &registry->entries) {
        if (yl_str_equal(entry->resource.plural, plural)
            && yl_str_equal(entry->resource.group, group)) {
            break;
        }
    }
    return entry;
}

static struct route *
find_route(struct yl_registry *registry, struct yl_gvr gvr)
    YL_REQUIRES(registry->lock)
{
    struct route *route;

    YL_MAP_FOR_EACH_WITH_HASH (route, node, yl_gvr_hash(gvr),
                               &registry->routes) {
        if (yl_str_equal(route->entry->resource.plural, gvr.resource)
            && yl_str_equal(route->version->group, gvr.group)
            && yl_str_equal(route->version->version, gvr.version)) {
            break;
        }
    }
    return route;
}

/* May 'resource' be added, if 'old' (may be NULL) is removed? */
static bool
may_put(struct yl_registry *registry, const struct yl_api_resource *resource,
        const struct entry *old)
    YL_REQUIRES(registry->lock)
{
    if (old && !old->resource.custom) {
        return false;
    }
    for (size_t i = 0; i < resource->n_versions; i++) {
        struct yl_gvr gvr = {
            .group = resource->versions[i].group,
            .version = resource->versions[i].version,
            .resource = resource->plural,
        };
        struct route *route = find_route(registry, gvr);

        if (route && route->entry != old) {
            return false;
        }
    }
    return true;
}

static void
link_entry(struct yl_registry *registry, struct entry *entry)
    YL_REQUIRES(registry->lock)
{
    const struct yl_api_resource *resource = &entry->resource;

    yl_map_insert(&registry->entries, &entry->node,
                  hash_pair(resource->group, resource->plural));
    for (size_t i = 0; i < entry->n_routes; i++) {
        struct route *route = &entry->routes[i];
        struct yl_gvr gvr = {
            .group = route->version->group,
            .version = route->version->version,
            .resource = resource->plural,
        };

        yl_map_insert(&registry->routes, &route->node, yl_gvr_hash(gvr));
        count_group(registry, entry, gvr.group, yl_str_null(), 1);
        count_group(registry, entry, gvr.group, gvr.version, 1);
    }
}

static void
unlink_entry(struct yl_registry *registry, struct entry *entry)
    YL_REQUIRES(registry->lock)
{
    atomic_store(&entry->retired, true);
    yl_map_remove(&registry->entries, &entry->node);
    for (size_t i = 0; i < entry->n_routes; i++) {
        struct route *route = &entry->routes[i];

        yl_map_remove(&registry->routes, &route->node);
        count_group(registry, entry, route->version->group, yl_str_null(),
                    -1);
        count_group(registry, entry, route->version->group,
                    route->version->version, -1);
    }
}

static void
count_group(struct yl_registry *registry, const struct entry *entry,
            struct yl_str name, struct yl_str version, int change)
    YL_REQUIRES(registry->lock)
{
    struct group *group = find_group(registry, name, version);

    if (!group) {
        assert(change > 0);
        group = yl_zalloc(sizeof *group + name.size + version.size + 1);
        if (name.size) {
            memcpy(group->text, name.data, name.size);
        }
        if (version.size) {
            memcpy(group->text + name.size, version.data, version.size);
        }
        group->group = yl_str_n(group->text, name.size);
        group->version = yl_str_n(group->text + name.size, version.size);
        yl_map_insert(&registry->groups, &group->node,
                      hash_pair(name, version));
    }
    group->n_routes += (size_t) change;
    group->n_builtin += entry->resource.custom ? 0 : (size_t) change;
    group->changed = registry->generation;
    if (group->n_routes == 0) {
        yl_map_remove(&registry->groups, &group->node);
        free(group);
    }
}

static struct group *
find_group(struct yl_registry *registry, struct yl_str name,
           struct yl_str version)
    YL_REQUIRES(registry->lock)
{
    struct group *group;

    YL_MAP_FOR_EACH_WITH_HASH (group, node, hash_pair(name, version),
                               &registry->groups) {
        if (yl_str_equal(group->group, name)
            && yl_str_equal(group->version, version)) {
            break;
        }
    }
    return group;
}

static size_t
hash_pair(struct yl_str a, struct yl_str b)
{
    return yl_hash_u64(yl_hash_str(a) + 31 * yl_hash_str(b));
}

static int
compare_resources(const void *a_, const void *b_)
{
    const struct yl_api_resource *a = *(const struct yl_api_resource *const *)
                                      a_;
    const struct yl_api_resource *b = *(const struct yl_api_resource *const *)
                                      b_;
    int c = yl_api_group_compare(a->group, b->group);

    return c ? c : yl_str_compare(a->plural, b->plural);
}
