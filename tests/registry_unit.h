#ifndef TESTS_REGISTRY_UNIT_H
#define TESTS_REGISTRY_UNIT_H 1

/* A registry with all built-in kinds, over an empty keyspace in memory. */

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "storage/memory.h"
#include "storage/memory_control.h"
#include "storage/storage.h"

struct registry_unit {
    struct yl_storage *storage;
    struct yl_keyspace *keyspace;
    struct yl_registry *registry;
};

static void
registry_unit_init(struct registry_unit *u)
{
    u->storage = yl_memory_new(NULL);
    u->keyspace = yl_keyspace_new(u->storage, NULL);
    u->registry = yl_registry_new();
    yl_registry_add_builtins(u->registry, u->keyspace);
}

static void
registry_unit_release(struct registry_unit *u)
{
    yl_registry_free(u->registry);
    yl_keyspace_free(u->keyspace);
    yl_storage_close(u->storage);
}

#endif /* tests/registry_unit.h */
