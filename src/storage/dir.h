#ifndef STORAGE_DIR_H
#define STORAGE_DIR_H 1

/* Data directory: made when it is missing, and held by one process at a time.
 *
 * The lock is an flock(2) on the file "lock" in the directory, so it goes away
 * with the process that holds it, however that ends.  The file says who that
 * is.  Reading the database needs no lock: "yuloh backup" works beside a
 * server.
 *
 * Guarantees
 * ==========
 *
 *   - At most one holder, also within one process.
 *
 *   - Whoever is refused learns the process id of the holder.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include "yuloh/error.h"

/* Makes 'path', and the directories above it, unless they are there; only its
 * owner may enter what was made, and it stays.  0 or YL_EIO. */
int yl_dir_make(const char *path, struct yl_error *err);

/* Takes the directory's lock: a descriptor, to be given back, or YL_EIO, or
 * YL_ECONFLICT if somebody has it. */
int yl_dir_lock(const char *path, struct yl_error *err);
void yl_dir_unlock(int lock);

/* Gives 'fd', a file that was just made in the directory, to the directory's
 * owner, if that is not root, who made it: what "sudo yuloh restore" leaves
 * can be opened by a server that runs as somebody else. */
void yl_dir_give(const char *path, int fd);

/* Makes sure that what was created, renamed or removed in the directory stays
 * so.  0 or YL_EIO. */
int yl_dir_sync(const char *path, struct yl_error *err);

/* The directory that 'path' is in, for the caller to free. */
char *yl_dir_parent(const char *path);

/* "DIRECTORY/NAME", for the caller to free. */
char *yl_dir_file(const char *path, const char *name);

#endif /* storage/dir.h */
