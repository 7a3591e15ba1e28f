#ifndef BENCH_SERVER_LOAD_OBJECT_H
#define BENCH_SERVER_LOAD_OBJECT_H 1

/* The objects that server_load makes: ConfigMaps, Pods, and Networks, a custom
 * resource whose definition is bench/networks.json. */

#include <stddef.h>
#include <stdint.h>

struct load_kind {
    const char *name;           /* configmaps, networks, pods. */
    const char *path;           /* Of all of them. */

    /* Writes number 'i' into 'body' as JSON and returns its size.  As stored
     * it has about 'size' bytes.  'stamp' is a number that it contains. */
    size_t (*write)(char *body, size_t max, const char *prefix, size_t i,
                    uint64_t stamp, size_t size);
};

/* NULL if nothing is called so. */
const struct load_kind *load_kind_find(const char *name);

#endif /* bench/server_load_object.h */
