/* A library to preload: while the file that TORTURE_SYNCS_FAIL names exists,
 * no sync of this process succeeds. */

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
sync_unless_told(long number, int fd)
{
    const char *file = getenv("TORTURE_SYNCS_FAIL");

    if (file && access(file, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    return (int) syscall(number, fd);
}

int
fsync(int fd)
{
    return sync_unless_told(SYS_fsync, fd);
}

int
fdatasync(int fd)
{
    return sync_unless_told(SYS_fdatasync, fd);
}
