#ifndef TESTS_REGISTRY_UNIT_H
#define TESTS_REGISTRY_UNIT_H 1

/* A registry with all built-in kinds and no objects: its keyspace only writes
 * down what it is asked for.  For tests that link no keyspace. */

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "base/buf.h"

/* What yl_keyspace_add() was called with, a line for each call. */
static struct yl_buf registry_unit_added;

struct yl_ks_resource *
yl_keyspace_add(struct yl_keyspace *keyspace, struct yl_str prefix,
                bool namespaced, struct yl_type_meta stored_as)
{
    yl_buf_printf(&registry_unit_added, "%.*s %s %.*s %.*s\n",
                  YL_STR_ARG(prefix), namespaced ? "namespaced" : "cluster",
                  YL_STR_ARG(stored_as.api_version),
                  YL_STR_ARG(stored_as.kind));
    return (struct yl_ks_resource *) keyspace;
}

static struct yl_registry *
registry_unit_new(void)
{
    struct yl_registry *registry = yl_registry_new();

    yl_buf_init(&registry_unit_added, 1 << 16);
    yl_registry_add_builtins(registry,
                             (struct yl_keyspace *) &registry_unit_added);
    return registry;
}

static void
registry_unit_free(struct yl_registry *registry)
{
    yl_registry_free(registry);
    yl_buf_release(&registry_unit_added);
}

#endif /* tests/registry_unit.h */
