/* Redo.  See storage/sqlite_redo.h for what it is good for. */

#include "storage/sqlite_redo.h"

#include <stddef.h>
#include <stdint.h>

/* Of the log's index. */
#define REGION_SIZE 32768
#define VERSION 3007000         /* The first word. */
#define BACKFILL_WORD 24        /* Which word says how much was moved. */
#define CHECKPOINT_LOCK 1

static int set_back(sqlite3_file *);

int
yl_sqlite_redo(sqlite3 *db, struct yl_error *err)
{
    sqlite3_file *file = NULL;
    int status;

    sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (!file || !file->pMethods || file->pMethods->iVersion < 2) {
        status = SQLITE_NOTFOUND;
    } else {
        status = file->pMethods->xShmLock(file, CHECKPOINT_LOCK, 1,
                                          SQLITE_SHM_LOCK
                                          | SQLITE_SHM_EXCLUSIVE);
        if (status == SQLITE_OK) {
            status = set_back(file);
            file->pMethods->xShmLock(file, CHECKPOINT_LOCK, 1,
                                     SQLITE_SHM_UNLOCK
                                     | SQLITE_SHM_EXCLUSIVE);
        }
    }
    if (status == SQLITE_OK) {
        return 0;
    }
    return yl_error_set(err, status == SQLITE_BUSY ? YL_EUNAVAILABLE : YL_EIO,
                        "cannot have the write-ahead log moved again: %s",
                        sqlite3_errstr(status));
}

static int
set_back(sqlite3_file *file)
{
    volatile void *region = NULL;
    int status = file->pMethods->xShmMap(file, 0, REGION_SIZE, 0, &region);
    volatile uint32_t *words = region;

    if (status == SQLITE_OK && (!words || words[0] != VERSION)) {
        status = SQLITE_NOTFOUND;
    }
    if (status == SQLITE_OK) {
        words[BACKFILL_WORD] = 0;
        file->pMethods->xShmBarrier(file);
    }
    return status;
}
