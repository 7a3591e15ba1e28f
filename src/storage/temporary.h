#ifndef STORAGE_TEMPORARY_H
#define STORAGE_TEMPORARY_H 1

/* Temporary file: gets its final name when it is complete; otherwise it is
 * removed, if need be when the next one is created.
 *
 *     FILE.yuloh-XXXXXX  --complete, on disk-->  FILE
 *
 * The process that writes one holds an flock(2) on it.  So a file that is not
 * locked was left by a process that was killed; the next process that creates
 * one in the same directory removes it. */

#include "yuloh/error.h"

struct yl_temporary {
    char *path;
    int fd;                     /* For its lock. */
};

/* Creates an empty one that only its owner may read, beside 'path'.  0 or
 * YL_EIO. */
int yl_temporary_create(struct yl_temporary *, const char *path,
                        struct yl_error *err);

/* Syncs it and renames it to 'path', which must not exist by then (not every
 * file system can guarantee that).  0, YL_EEXISTS or YL_EIO. */
int yl_temporary_appear(struct yl_temporary *, const char *path,
                        struct yl_error *err);

/* Removes it, unless it was renamed.  It must not be open elsewhere in this
 * process. */
void yl_temporary_release(struct yl_temporary *);

#endif /* storage/temporary.h */
