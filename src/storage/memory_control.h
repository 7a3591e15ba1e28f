#ifndef STORAGE_MEMORY_CONTROL_H
#define STORAGE_MEMORY_CONTROL_H 1

/* What a test does to a storage in memory behind the back of who uses it:
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

/* The next 'n' batches fail with 'code'. */
void yl_memory_fail(struct yl_storage *, size_t n, int code);

/* The second writer: a group that takes place, or does not, at once.  The feed
 * delivers it as somebody else's.  Fills in the results of the group and
 * returns that. */
int yl_memory_write(struct yl_storage *, struct yl_storage_group *);

/* The newest revision of a key, 0 if it is not there: what the second writer
 * expects. */
uint64_t yl_memory_newest(struct yl_storage *, const char *key);

/* Others have written where the feed does not look: the revision rises by
 * 'n', and there is no row. */
void yl_memory_skip(struct yl_storage *, uint64_t n);

/* Others have compacted history up to 'revision'. */
void yl_memory_compact(struct yl_storage *, uint64_t revision);

/* The feed loses its place, with 'code'. */
void yl_memory_lose(struct yl_storage *, int code);

/* Somebody whose turn it is before each of the user's batches that writes
 * something is decided; called on the user's thread, without locks.  Lent;
 * NULL: nobody. */
struct yl_memory_rival {
    void (*turn)(struct yl_memory_rival *, struct yl_storage *);
};
void yl_memory_set_rival(struct yl_storage *, struct yl_memory_rival *);

#endif /* storage/memory_control.h */
