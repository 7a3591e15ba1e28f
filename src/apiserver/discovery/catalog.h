#ifndef APISERVER_DISCOVERY_CATALOG_H
#define APISERVER_DISCOVERY_CATALOG_H 1

/* Catalog: the registry at one moment, sorted as documents list it.
 *
 *     registry -> [catalog] -> discovery, OpenAPI
 *
 * Groups are in upstream's order (the core group first), versions by
 * stability, resources by name.  A resource is listed in each group and
 * version in which it is served.
 *
 * Stamps distinguish what is rendered from a group-version now from what was
 * rendered before.  A stamp may be older than what it stands for, if the
 * registry changed while the catalog was made, but never newer: then the next
 * catalog has another one.
 *
 * Ownership
 * =========
 *
 * Everything lives in the arena, which also holds the resources. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/registry/registry.h"
#include "yuloh/str.h"

struct yl_arena;

struct yl_catalog_entry {
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
};

struct yl_catalog_version {
    struct yl_str group;        /* "" for the core group. */
    struct yl_str version;
    struct yl_str api_version;  /* "apps/v1"; "v1" in the core group. */
    const struct yl_catalog_entry *entries;
    size_t n_entries;
    bool builtin, custom;       /* Has it resources of these sorts? */
    uint64_t stamp;
};

struct yl_catalog_group {
    struct yl_str name;
    const struct yl_catalog_version *versions;  /* The preferred one first. */
    size_t n_versions;
    bool builtin;               /* Has it a version with built-in resources? */
};

struct yl_catalog {
    const struct yl_catalog_group *groups;
    size_t n_groups;
};

const struct yl_catalog *yl_catalog_make(struct yl_registry *,
                                         struct yl_arena *);

/* The group or version with this name, or NULL. */
const struct yl_catalog_group *yl_catalog_group(const struct yl_catalog *,
                                                struct yl_str name);
const struct yl_catalog_version *
yl_catalog_version(const struct yl_catalog *, struct yl_str group,
                   struct yl_str version);

#endif /* apiserver/discovery/catalog.h */
