#ifndef STORAGE_MEMORY_CONTROL_H
#define STORAGE_MEMORY_CONTROL_H 1

/* How a test controls a storage in memory without its user's knowledge:
 * faults, and a second writer.
 *
 *     keyspace -> [memory] <- a second writer, as another server on the same
 *                             etcd would be
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include <stddef.h>
#include <stdint.h>

struct yl_storage;
struct yl_storage_group;

/* Makes the next 'n' batches fail with 'code'. */
void yl_memory_fail(struct yl_storage *, size_t n, int code);

/* Writes as the second writer: the group takes place, or does not, at once.
 * The feed delivers it as another server's.  Fills in the results of the group
 * and returns its result. */
int yl_memory_write(struct yl_storage *, struct yl_storage_group *);

/* The newest revision of a key, 0 if it is not there: for 'expected' of the
 * second writer. */
uint64_t yl_memory_newest(struct yl_storage *, const char *key);

/* Acts as if others had written outside of the feed's keys: the revision rises
 * by 'n', and there is no row. */
void yl_memory_skip(struct yl_storage *, uint64_t n);

/* Acts as if others had compacted history up to 'revision'. */
void yl_memory_compact(struct yl_storage *, uint64_t revision);

/* Makes the feed lose its place, with 'code'. */
void yl_memory_lose(struct yl_storage *, int code);

/* A rival, called before each batch of the user's that has writes, on the
 * user's thread and without locks, so that it can write first.  Borrowed;
 * NULL: none. */
struct yl_memory_rival {
    void (*turn)(struct yl_memory_rival *, struct yl_storage *);
};
void yl_memory_set_rival(struct yl_storage *, struct yl_memory_rival *);

#endif /* storage/memory_control.h */
