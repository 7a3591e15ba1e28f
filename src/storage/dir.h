#ifndef STORAGE_DIR_H
#define STORAGE_DIR_H 1

/* Data directory: created when it is missing, and locked by one process at a
 * time.
 *
 * The lock is an flock(2) on the file "lock" in the directory, so it is
 * released when the process that holds it ends, in whatever way.  The file has
 * that process's id.  Reading the database needs no lock: "yuloh backup" works
 * beside a server.
 *
 * Guarantees
 * ==========
 *
 *   - At most one holder, also within one process.
 *
 *   - A process that is refused learns the process id of the holder.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include "yuloh/error.h"

/* Creates 'path' and the directories above it, unless they exist, with access
 * for their owner only, and syncs them.  0 or YL_EIO. */
int yl_dir_make(const char *path, struct yl_error *err);

/* Takes the directory's lock: returns a descriptor, to be passed to the unlock
 * function, or YL_EIO, or YL_ECONFLICT if it is locked already. */
int yl_dir_lock(const char *path, struct yl_error *err);
void yl_dir_unlock(int lock);

/* If root runs this, gives 'fd', a file that was just created in the
 * directory, to the directory's owner: what "sudo yuloh restore" leaves can
 * then be opened by a server that runs as another user. */
void yl_dir_give(const char *path, int fd);

/* Makes sure that files that were created, renamed or removed in the directory
 * stay so after a crash.  0 or YL_EIO. */
int yl_dir_sync(const char *path, struct yl_error *err);

/* The directory that 'path' is in, for the caller to free. */
char *yl_dir_parent(const char *path);

/* "DIRECTORY/NAME", for the caller to free. */
char *yl_dir_file(const char *path, const char *name);

#endif /* storage/dir.h */
