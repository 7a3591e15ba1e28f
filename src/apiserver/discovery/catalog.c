/* The registry, sorted as documents list it.  See catalog.h. */

#include "apiserver/discovery/catalog.h"

#include <stdlib.h>

#include "yuloh/arena.h"

/* References that are dropped when the arena is freed. */
struct held {
    const struct yl_api_resource **all;
    size_t n;
};

static void let_go(void *held);
static int compare_entries(const void *, const void *);
static bool same_version(const struct yl_catalog_entry *,
                         const struct yl_catalog_entry *);
static size_t fill_versions(struct yl_arena *,
                            const struct yl_catalog_entry *entries,
                            size_t n_entries, struct yl_catalog_version *);
static void set_stamps(struct yl_registry *, uint64_t generation,
                       struct yl_catalog_version *versions, size_t n);
static size_t fill_groups(const struct yl_catalog_version *versions,
                          size_t n_versions, struct yl_catalog_group *);

const struct yl_catalog *
yl_catalog_make(struct yl_registry *registry, struct yl_arena *arena)
{
    struct held *held = yl_arena_zalloc(arena, sizeof *held);
    struct yl_catalog *catalog = yl_arena_zalloc(arena, sizeof *catalog);
    struct yl_catalog_entry *entries;
    struct yl_catalog_version *versions;
    struct yl_catalog_group *groups;
    uint64_t generation = yl_registry_generation(registry);
    size_t n = 0, n_entries = 0, n_versions;

    held->all = yl_registry_all(registry, &held->n);
    yl_arena_attach(arena, let_go, held);
    for (size_t i = 0; i < held->n; i++) {
        n += held->all[i]->n_versions;
    }
    entries = yl_arena_array(arena, n, sizeof *entries);
    for (size_t i = 0; i < held->n; i++) {
        for (size_t j = 0; j < held->all[i]->n_versions; j++) {
            entries[n_entries++] = (struct yl_catalog_entry) {
                .resource = held->all[i],
                .version = &held->all[i]->versions[j],
            };
        }
    }
    qsort(entries, n, sizeof *entries, compare_entries);

    /* An upper bound: each entry has at most one group and one version of its
     * own. */
    versions = yl_arena_array(arena, n, sizeof *versions);
    n_versions = fill_versions(arena, entries, n, versions);
    set_stamps(registry, generation, versions, n_versions);
    groups = yl_arena_array(arena, n_versions, sizeof *groups);
    catalog->n_groups = fill_groups(versions, n_versions, groups);
    catalog->groups = groups;
    return catalog;
}

const struct yl_catalog_group *
yl_catalog_group(const struct yl_catalog *catalog, struct yl_str name)
{
    for (size_t i = 0; i < catalog->n_groups; i++) {
        if (yl_str_equal(catalog->groups[i].name, name)) {
            return &catalog->groups[i];
        }
    }
    return NULL;
}

const struct yl_catalog_version *
yl_catalog_version(const struct yl_catalog *catalog, struct yl_str group,
                   struct yl_str version)
{
    const struct yl_catalog_group *found = yl_catalog_group(catalog, group);

    for (size_t i = 0; found && i < found->n_versions; i++) {
        if (yl_str_equal(found->versions[i].version, version)) {
            return &found->versions[i];
        }
    }
    return NULL;
}

static void
let_go(void *held_)
{
    struct held *held = held_;

    for (size_t i = 0; i < held->n; i++) {
        yl_api_resource_unref(held->all[i]);
    }
    free(held->all);
}

static int
compare_entries(const void *a_, const void *b_)
{
    const struct yl_catalog_entry *a = a_, *b = b_;
    int c = yl_api_group_compare(a->version->group, b->version->group);

    if (!c) {
        c = yl_version_compare(b->version->version, a->version->version);
    }
    return c ? c : yl_str_compare(a->resource->plural, b->resource->plural);
}

static bool
same_version(const struct yl_catalog_entry *a,
             const struct yl_catalog_entry *b)
{
    return yl_str_equal(a->version->group, b->version->group)
           && yl_str_equal(a->version->version, b->version->version);
}

static size_t
fill_versions(struct yl_arena *arena, const struct yl_catalog_entry *entries,
              size_t n_entries, struct yl_catalog_version *versions)
{
    size_t n = 0;

    for (size_t i = 0; i < n_entries; i++) {
        if (i == 0 || !same_version(&entries[i - 1], &entries[i])) {
            struct yl_gv gv = { entries[i].version->group,
                                entries[i].version->version };

            versions[n++] = (struct yl_catalog_version) {
                .group = gv.group,
                .version = gv.version,
                .api_version = yl_gv_api_version(gv, arena),
                .entries = &entries[i],
            };
        }
        versions[n - 1].n_entries++;
        *(entries[i].resource->custom ? &versions[n - 1].custom
                                      : &versions[n - 1].builtin) = true;
    }
    return n;
}

/* 'generation' is that of the registry before its resources were read. */
static void
set_stamps(struct yl_registry *registry, uint64_t generation,
           struct yl_catalog_version *versions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t stamp = yl_registry_version_generation(registry,
                                                        versions[i].group,
                                                        versions[i].version);

        versions[i].stamp = stamp < generation ? stamp : generation;
    }
}

static size_t
fill_groups(const struct yl_catalog_version *versions, size_t n_versions,
            struct yl_catalog_group *groups)
{
    size_t n = 0;

    for (size_t i = 0; i < n_versions; i++) {
        if (i == 0
            || !yl_str_equal(versions[i - 1].group, versions[i].group)) {
            groups[n++] = (struct yl_catalog_group) {
                .name = versions[i].group,
                .versions = &versions[i],
            };
        }
        groups[n - 1].n_versions++;
        groups[n - 1].builtin |= versions[i].builtin;
    }
    return n;
}
