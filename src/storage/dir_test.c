/* The data directory: made, held by one, and said by whom. */

#include "storage/dir.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage_unit.h"
#include "unit.h"

TEST(missing_directories_are_made_for_their_owner)
{
    struct store store;
    struct stat st;
    char path[128];

    store_init_dir(&store);
    snprintf(path, sizeof path, "%s/a/b/c", store.dir);
    assert_int_equal(yl_dir_make(path, NULL), 0);
    assert_int_equal(yl_dir_make(path, NULL), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(yl_dir_sync(path, NULL), 0);
    store_release(&store);
}

TEST(what_is_no_directory_is_refused)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_dir_make("/dev/null", &err), YL_EIO);
    assert_string_equal(err.message, "cannot make the directory /dev/null: "
                        "Not a directory");
    assert_int_equal(yl_dir_make("/dev/null/x", &err), YL_EIO);
    assert_int_equal(yl_dir_lock("/dev/null", &err), YL_EIO);
    assert_non_null(strstr(err.message, "/dev/null/lock"));
    assert_int_equal(yl_dir_sync("/dev/null", &err), YL_EIO);
    yl_error_clear(&err);
}

TEST(a_second_holder_learns_of_the_first)
{
    struct yl_error err = YL_ERROR_INIT;
    struct store store;
    char text[32];
    int lock;

    store_init_dir(&store);
    lock = yl_dir_lock(store.dir, NULL);
    assert_true(lock >= 0);
    assert_int_equal(yl_dir_lock(store.dir, &err), YL_ECONFLICT);
    snprintf(text, sizeof text, "in use by process %d:", (int) getpid());
    assert_non_null(strstr(err.message, text));

    /* The holder may not have been able to write its process id. */
    assert_int_equal(truncate(store_file(&store, "lock"), 0), 0);
    assert_int_equal(yl_dir_lock(store.dir, &err), YL_ECONFLICT);
    assert_non_null(strstr(err.message, "in use by another process:"));
    yl_error_clear(&err);

    yl_dir_unlock(lock);
    lock = yl_dir_lock(store.dir, NULL);
    assert_true(lock >= 0);
    yl_dir_unlock(lock);
    yl_dir_unlock(-1);
    store_release(&store);
}

TEST(what_root_makes_is_the_owners)
{
    struct store store;
    struct stat st;
    char other[128];
    int lock;

    store_init_dir(&store);
    if (geteuid() != 0 || chown(store.dir, 65534, 65534) < 0) {
        store_release(&store);
        print_message("skipped: nothing can be given to others here\n");
        skip();
    }
    lock = yl_dir_lock(store.dir, NULL);
    assert_true(lock >= 0);
    assert_int_equal(fstat(lock, &st), 0);
    assert_int_equal(st.st_uid, 65534);
    assert_int_equal(st.st_gid, 65534);
    yl_dir_unlock(lock);

    /* Not what else he finds there, or is made to find. */
    assert_int_equal(unlink(store_file(&store, "lock")), 0);
    snprintf(other, sizeof other, "%s/other", store.dir);
    lock = open(other, O_RDWR | O_CREAT, 0600);
    assert_true(lock >= 0);
    assert_int_equal(link(other, store_file(&store, "lock")), 0);
    yl_dir_give(store.dir, lock);
    assert_int_equal(fstat(lock, &st), 0);
    assert_int_equal(st.st_uid, 0);
    close(lock);
    assert_int_equal(unlink(store_file(&store, "lock")), 0);
    assert_int_equal(symlink("other", store_file(&store, "lock")), 0);
    assert_int_equal(yl_dir_lock(store.dir, NULL), YL_EIO);
    store_release(&store);
}

/* What was synced, one path after the other. */
static char synced[1024];

int
fsync(int fd)
{
    char link[32], path[256];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path);
    assert_true(n > 0);
    snprintf(synced + strlen(synced), sizeof synced - strlen(synced), "%.*s\n",
             (int) n, path);
    return 0;
}

TEST(what_is_made_stays)
{
    char dir[] = "/tmp/dir-XXXXXX", path[64], expected[256];

    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/a/b", dir);
    synced[0] = '\0';
    assert_int_equal(yl_dir_make(path, NULL), 0);
    snprintf(expected, sizeof expected, "%s\n%s/a\n", dir, dir);
    assert_string_equal(synced, expected);

    /* Directories that existed are left alone. */
    synced[0] = '\0';
    assert_int_equal(yl_dir_make(path, NULL), 0);
    assert_string_equal(synced, "");
    rmdir(path);
    snprintf(path, sizeof path, "%s/a", dir);
    rmdir(path);
    rmdir(dir);
}
