#ifndef STORAGE_TEMPORARY_H
#define STORAGE_TEMPORARY_H 1

/* Temporary file: becomes a file of its name when it is complete, and is
 * removed else, by the next one if need be.
 *
 *     FILE.yuloh-XXXXXX  --complete, on disk-->  FILE
 *
 * Who writes one holds an flock(2) on it.  So one that nobody holds was left
 * by a process that was killed; whoever creates another in the same directory
 * removes it. */

#include "yuloh/error.h"

struct yl_temporary {
    char *path;
    int fd;                     /* For its lock. */
};

/* Creates an empty one that only its owner may read, beside 'path'.  0 or
 * YL_EIO. */
int yl_temporary_create(struct yl_temporary *, const char *path,
                        struct yl_error *err);

/* Syncs it and gives it the name 'path', which nobody must have taken
 * meanwhile (not every file system can promise that).  0, YL_EEXISTS or
 * YL_EIO. */
int yl_temporary_appear(struct yl_temporary *, const char *path,
                        struct yl_error *err);

/* Removes it, unless it has appeared.  Nobody else in this process may have it
 * open then. */
void yl_temporary_release(struct yl_temporary *);

#endif /* storage/temporary.h */
