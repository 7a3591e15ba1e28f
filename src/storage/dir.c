/* Data directory.  See storage/dir.h for the contract. */

#include "storage/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"

#define PATH_CEILING ((size_t) 64 << 10)

static int make_parents(char *path, struct yl_error *err);
static int make_one(const char *path, struct yl_error *err);
static int refuse(int fd, const char *path, struct yl_error *err);

int
yl_dir_make(const char *path, struct yl_error *err)
{
    char *copy = yl_strdup(yl_str_c(path));
    int r = make_parents(copy, err);

    if (!r) {
        r = make_one(path, err);
    }
    free(copy);
    return r;
}

int
yl_dir_lock(const char *path, struct yl_error *err)
{
    char *file = yl_dir_file(path, "lock");
    char text[32];
    int size;
    int fd = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (fd < 0) {
        yl_error_set(err, YL_EIO, "cannot open %s: %m", file);
        free(file);
        return YL_EIO;
    }
    free(file);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        return refuse(fd, path, err);
    }
    yl_dir_give(path, fd);

    /* The process id in the file is only for the message to others; the lock
     * is valid even if a full disk keeps us from writing it. */
    size = snprintf(text, sizeof text, "%ld\n", (long) getpid());
    if (ftruncate(fd, 0) < 0 || pwrite(fd, text, (size_t) size, 0) < 0) {
        errno = 0;
    }
    return fd;
}

void
yl_dir_unlock(int lock)
{
    if (lock >= 0) {
        close(lock);
    }
}

void
yl_dir_give(const char *path, int fd)
{
    struct stat dir, file;

    /* A file with a second hard link may not be ours alone, so it is left as
     * it is. */
    if (geteuid() == 0 && stat(path, &dir) == 0 && dir.st_uid != 0
        && fstat(fd, &file) == 0 && file.st_uid == 0 && file.st_nlink == 1
        && fchown(fd, dir.st_uid, dir.st_gid) < 0) {
        errno = 0;              /* The file stays root's then, which does no
                                 * harm. */
    }
}

int
yl_dir_sync(const char *path, struct yl_error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int r = 0;

    if (fd < 0 || fsync(fd) < 0) {
        r = yl_error_set(err, YL_EIO, "cannot sync the directory %s: %m",
                         path);
    }
    if (fd >= 0) {
        close(fd);
    }
    return r;
}

char *
yl_dir_parent(const char *path)
{
    char *copy = yl_strdup(yl_str_c(path));
    char *parent = yl_strdup(yl_str_c(dirname(copy)));

    free(copy);
    return parent;
}

char *
yl_dir_file(const char *path, const char *name)
{
    struct yl_buf buf;

    yl_buf_init(&buf, PATH_CEILING);
    yl_buf_printf(&buf, "%s/%s", path, name);
    return yl_buf_detach(&buf);
}

/* Changes 'path' while it works, and restores it at the end. */
static int
make_parents(char *path, struct yl_error *err)
{
    char *slash = path;
    int r = 0;

    while (!r && (slash = strchr(slash + 1, '/')) != NULL) {
        *slash = '\0';
        r = make_one(path, err);
        *slash = '/';
    }
    return r;
}

static int
make_one(const char *path, struct yl_error *err)
{
    struct stat st;
    char *parent;
    int r;

    if (mkdir(path, 0700) < 0) {
        int error = errno;

        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            return 0;
        }
        errno = error == EEXIST ? ENOTDIR : error;
        return yl_error_set(err, YL_EIO, "cannot make the directory %s: %m",
                            path);
    }
    parent = yl_dir_parent(path);
    r = yl_dir_sync(parent, err);
    free(parent);
    return r;
}

static int
refuse(int fd, const char *path, struct yl_error *err)
{
    char text[32];
    unsigned long long pid = 0;
    ssize_t n;

    if (errno != EWOULDBLOCK) {
        yl_error_set(err, YL_EIO, "cannot lock %s/lock: %m", path);
        close(fd);
        return YL_EIO;
    }
    n = pread(fd, text, sizeof text, 0);
    close(fd);
    if (n > 0 && yl_str_to_u64(yl_str_trim(yl_str_n(text, (size_t) n)),
                               &pid) == 0 && pid) {
        return yl_error_set(err, YL_ECONFLICT,
                            "the data directory %s is in use by process "
                            "%llu: stop it first, or name another directory",
                            path, pid);
    }
    return yl_error_set(err, YL_ECONFLICT,
                        "the data directory %s is in use by another process: "
                        "stop it first, or name another directory", path);
}
