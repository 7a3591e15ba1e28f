/* Temporary files: they appear or go. */

#include "storage/temporary.h"

#include <sys/file.h>

#include "storage_unit.h"
#include "unit.h"

static bool
is_there(const struct store *store, const char *name)
{
    return access(store_file(store, name), F_OK) == 0;
}

/* Makes a file, which it leaves open. */
static int
make(const struct store *store, const char *name)
{
    int fd = open(store_file(store, name), O_RDWR | O_CREAT, 0600);

    assert_true(fd >= 0);
    return fd;
}

TEST(it_appears_whole_or_not_at_all)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_temporary t;
    struct store store;
    struct stat st;
    char path[128];

    store_init_dir(&store);
    snprintf(path, sizeof path, "%s/a", store.dir);
    assert_int_equal(yl_temporary_create(&t, path, NULL), 0);
    assert_false(is_there(&store, "a"));
    assert_int_equal(stat(t.path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(yl_temporary_appear(&t, path, NULL), 0);
    yl_temporary_release(&t);
    assert_true(is_there(&store, "a"));

    /* Nothing is replaced, and nothing is left. */
    assert_int_equal(yl_temporary_create(&t, path, NULL), 0);
    assert_int_equal(yl_temporary_appear(&t, path, &err), YL_EEXISTS);
    assert_non_null(strstr(yl_error_message(&err), "cannot create"));
    yl_temporary_release(&t);
    unlink(store_file(&store, "a"));
    assert_int_equal(rmdir(store.dir), 0);
    assert_int_equal(yl_temporary_create(&t, path, &err), YL_EIO);
    yl_error_clear(&err);
}

TEST(one_that_was_left_is_removed_by_the_next)
{
    struct yl_temporary t;
    struct store store;
    char path[128];
    int held;

    store_init_dir(&store);
    close(make(&store, "b.yuloh-abcdef"));
    close(make(&store, "c.yuloh-abc"));
    close(make(&store, "abcdef"));
    assert_int_equal(symlink("c.yuloh-abc",
                             store_file(&store, "d.yuloh-abcdef")), 0);
    held = make(&store, "e.yuloh-abcdef");
    assert_int_equal(flock(held, LOCK_EX), 0);

    snprintf(path, sizeof path, "%s/a", store.dir);
    assert_int_equal(yl_temporary_create(&t, path, NULL), 0);
    assert_int_equal(yl_temporary_appear(&t, path, NULL), 0);
    yl_temporary_release(&t);
    assert_false(is_there(&store, "b.yuloh-abcdef"));
    assert_true(is_there(&store, "c.yuloh-abc"));
    assert_true(is_there(&store, "abcdef"));
    assert_true(is_there(&store, "d.yuloh-abcdef"));
    assert_true(is_there(&store, "e.yuloh-abcdef"));
    close(held);
    store_release(&store);
}
