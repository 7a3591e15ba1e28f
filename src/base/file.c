/* Whole files.  See base/file.h. */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "yuloh/error.h"

#define PIECE ((size_t) 64 << 10)

static int write_all(int fd, struct yl_str content);
static int sync_directory_of(const char *path);
static char *name_beside(const char *path);

int
yl_file_read(const char *path, struct yl_buf *buf, struct yl_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = 0;

    if (fd < 0) {
        return yl_error_set(err, errno == ENOENT ? YL_ENOTFOUND : YL_EIO,
                            "cannot open %s: %s", path, strerror(errno));
    }
    for (;;) {
        size_t left = buf->ceiling - buf->size;
        char *room = yl_buf_reserve(buf, left < PIECE ? left : PIECE);
        char more;
        ssize_t n;

        /* At the ceiling, reading one more byte tells whether the file is
         * longer. */
        n = left ? read(fd, room, left < PIECE ? left : PIECE)
                 : read(fd, &more, 1);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            r = yl_error_set(err, YL_EIO, "cannot read %s: %s", path,
                             strerror(errno));
        } else if (n > 0 && left == 0) {
            r = yl_error_set(err, YL_ETOOBIG, "%s is larger than %zu bytes",
                             path, buf->ceiling);
        }
        if (n <= 0 || r < 0) {
            break;
        }
        yl_buf_commit(buf, (size_t) n);
    }
    close(fd);
    return r;
}

int
yl_file_replace(const char *path, struct yl_str content, mode_t mode,
                struct yl_error *err)
{
    char *beside = name_beside(path);
    int fd = mkstemp(beside);
    int saved;

    if (fd < 0) {
        yl_error_set(err, YL_EIO, "cannot create %s: %s", beside,
                     strerror(errno));
        free(beside);
        return YL_EIO;
    }
    if (write_all(fd, content) == 0 && fchmod(fd, mode) == 0
        && fsync(fd) == 0 && rename(beside, path) == 0) {
        close(fd);
        free(beside);
        if (sync_directory_of(path) == 0) {
            return 0;
        }
        return yl_error_set(err, YL_EIO, "cannot flush the directory of %s: "
                            "%s", path, strerror(errno));
    }
    saved = errno;
    close(fd);
    unlink(beside);
    free(beside);
    return yl_error_set(err, YL_EIO, "cannot write %s: %s", path,
                        strerror(saved));
}

int
yl_file_make_directory(const char *path, mode_t mode, struct yl_error *err)
{
    char *copy = yl_strdup(yl_str_c(path));
    char *slash = copy;
    int r = 0;

    do {
        slash = strchr(slash + 1, '/');
        if (slash) {
            *slash = '\0';
        }
        if (mkdir(copy, slash ? 0755 : mode) < 0 && errno != EEXIST) {
            r = yl_error_set(err, YL_EIO, "cannot make directory %s: %s",
                             copy, strerror(errno));
        }
        if (slash) {
            *slash = '/';
        }
    } while (slash && r == 0);
    free(copy);
    return r;
}

static int
write_all(int fd, struct yl_str content)
{
    while (content.size > 0) {
        ssize_t n = write(fd, content.data, content.size);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return -1;
        }
        content = yl_str_skip(content, (size_t) n);
    }
    return 0;
}

/* Syncs the directory, because a rename is durable only after that. */
static int
sync_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = yl_strdup(!slash ? YL_STR(".")
                                : slash == path ? YL_STR("/")
                                : yl_str_range(path, slash));
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int r;

    free(directory);
    if (fd < 0) {
        return -1;
    }
    r = fsync(fd);
    close(fd);
    return r;
}

static char *
name_beside(const char *path)
{
    struct yl_buf name;

    yl_buf_init(&name, strlen(path) + 16);
    yl_buf_append_c(&name, path);
    yl_buf_append_c(&name, ".XXXXXX");
    return yl_buf_detach(&name);
}
