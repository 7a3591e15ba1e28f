/* Temporary files.  See storage/temporary.h for the contract. */

#include "storage/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "storage/dir.h"
#include "yuloh/str.h"

#define MARK ".yuloh-"
#define N_RANDOM 6

static int create(struct yl_temporary *, const char *path);
static void remove_left(const char *path);
static bool is_temporary(struct yl_str name);
static void remove_if_left(int dir, const char *name);

int
yl_temporary_create(struct yl_temporary *t, const char *path,
                    struct yl_error *err)
{
    int r;

    remove_left(path);
    do {
        r = create(t, path);
    } while (r > 0);
    return r < 0 ? yl_error_set(err, YL_EIO, "cannot create %s: %m", path)
                 : 0;
}

int
yl_temporary_appear(struct yl_temporary *t, const char *path,
                    struct yl_error *err)
{
    char *parent;
    int r;

    if (fsync(t->fd) < 0) {
        return yl_error_set(err, YL_EIO, "cannot sync %s: %m", t->path);
    }
    r = renameat2(AT_FDCWD, t->path, AT_FDCWD, path, RENAME_NOREPLACE);
    if (r < 0 && (errno == EINVAL || errno == ENOSYS)) {
        r = rename(t->path, path);
    }
    if (r < 0) {
        return yl_error_set(err, errno == EEXIST ? YL_EEXISTS : YL_EIO,
                            "cannot create %s: %m", path);
    }
    free(t->path);
    t->path = NULL;
    parent = yl_dir_parent(path);
    r = yl_dir_sync(parent, err);
    free(parent);
    return r;
}

void
yl_temporary_release(struct yl_temporary *t)
{
    if (t->path) {
        unlink(t->path);
        free(t->path);
    }
    close(t->fd);
}

/* 0; 1 if another process removed the file before it was locked, because it
 * looked abandoned; or -1. */
static int
create(struct yl_temporary *t, const char *path)
{
    struct yl_buf name;
    struct stat st;

    yl_buf_init(&name, (size_t) 64 << 10);
    yl_buf_printf(&name, "%s" MARK "XXXXXX", path);
    t->path = yl_buf_detach(&name);
    t->fd = mkostemp(t->path, O_CLOEXEC);
    if (t->fd < 0) {
        free(t->path);
        return -1;
    }
    if (flock(t->fd, LOCK_EX) < 0 || fstat(t->fd, &st) < 0
        || st.st_nlink == 0) {
        yl_temporary_release(t);
        return 1;
    }
    return 0;
}

/* A file that cannot be removed is ignored. */
static void
remove_left(const char *path)
{
    char *parent = yl_dir_parent(path);
    DIR *dir = opendir(parent);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        if (is_temporary(yl_str_c(entry->d_name))) {
            remove_if_left(dirfd(dir), entry->d_name);
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(parent);
}

static bool
is_temporary(struct yl_str name)
{
    return name.size > N_RANDOM
           && yl_str_ends_with(yl_str_n(name.data, name.size - N_RANDOM),
                               YL_STR(MARK));
}

static void
remove_if_left(int dir, const char *name)
{
    struct stat st;
    int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0) {
        return;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid()
        && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        unlinkat(dir, name, 0);
    }
    close(fd);
}
