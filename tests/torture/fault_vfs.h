#ifndef TESTS_TORTURE_FAULT_VFS_H
#define TESTS_TORTURE_FAULT_VFS_H 1

/* A simulated disk with faults, for SQLite: a file system in memory,
 * registered as "fault", which keeps what programs see apart from what would
 * survive a power cut.
 *
 *     write  -> cache (what is read), sector marked dirty
 *     sync   -> dirty sectors of the file to the disk
 *     cut    -> of the dirty sectors some get to the disk, in no order;
 *               everything fails until the power is on again
 *     on     -> the cache is what the disk has
 *
 * Sectors have 512 bytes, so pages are torn.  A dirty sector may also get to
 * the disk early, so an older version of it may be what survives.  A file's
 * size, its creation and (where SQLite does not ask for a sync) its deletion
 * may be lost before a sync too.  After a sync that fails some of the dirty
 * sectors are on the disk, and the others will not get there unless they are
 * written again, as on Linux.
 *
 * When a process is killed, the same happens without any loss.
 *
 * There is one disk.  Connections of several threads may use it at once; the
 * functions below may be called at any time, except those that reset and
 * switch on. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name to open databases with. */
#define FAULT_VFS "fault"

/* Registers the file system if need be, empties the disk, switches all faults
 * off, and seeds the random numbers. */
void fault_vfs_reset(uint64_t seed);

/* Cuts the power when 'n' more writes, syncs, truncations and deletions have
 * been done; 0: now. */
void fault_vfs_cut_after(uint64_t n);

/* Has the power been cut? */
bool fault_vfs_is_cut(void);

/* How many operations have been counted since the reset. */
uint64_t fault_vfs_n_operations(void);

/* Switches the power on again, or starts another process.  All files must have
 * been closed before. */
void fault_vfs_power_on(void);

/* The same, but only the process ends: what it has written is there for the
 * next one, synced or not. */
void fault_vfs_kill_after(uint64_t n);

/* Makes the next 'n' syncs fail, of files whose name ends in 'suffix'.
 * Returns how many failures of the last call are still to come. */
unsigned fault_vfs_fail_syncs(const char *suffix, unsigned n);

/* Makes the next 'n' writes fail with an I/O error. */
void fault_vfs_fail_writes(unsigned n);

/* Limits the bytes of all files together; 0: no limit. */
void fault_vfs_limit(uint64_t bytes);
uint64_t fault_vfs_bytes(void);

/* Flips bits of the byte at 'offset' of a file, in cache and on the disk.
 * False if there is no such byte. */
bool fault_vfs_damage(const char *path, uint64_t offset);

/* A number from 0 to 'n' - 1, from the seed. */
uint64_t fault_vfs_random(uint64_t n);

#endif /* tests/torture/fault_vfs.h */
