#ifndef SCHEMA_CACHE_H
#define SCHEMA_CACHE_H 1

/* Compiled schemas that are in use, so that equal ones are held once.
 *
 *     CRD --> props --> [cache] --> schema/compile.h
 *                          |               |
 *                          '--- the same <-'--> or a new schema
 *
 * Guarantees
 * ==========
 *
 *   - Equal schemas that are in use at the same time are one, whatever the
 *     order of their members was.
 *
 *   - The cache keeps nothing alive: with the last reference a schema goes.
 *
 * Ownership
 * =========
 *
 * Schemas are counted, see yl_schema_ref().  The cache must outlive them.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that
 * yl_schema_cache_free() must come last. */

#include <stddef.h>

#include "schema/compile.h"

struct yl_schema_cache;

struct yl_schema_cache *yl_schema_cache_new(void);
void yl_schema_cache_free(struct yl_schema_cache *);

/* As yl_schema_compile(), but returns a reference to the equal schema that is
 * in use, if there is one. */
int yl_schema_cache_compile(struct yl_schema_cache *,
                            const struct yl_schema_props *,
                            const struct yl_schema_opts *,
                            struct yl_schema **ret_schema,
                            struct yl_error *err);

/* How many schemas are in use, and the bytes that they hold. */
size_t yl_schema_cache_count(struct yl_schema_cache *, size_t *ret_size);

#endif /* schema/cache.h */
