/* Tests of whole files. */

#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "yuloh/error.h"

static char directory[] = "/tmp/yuloh-file-XXXXXX";

static const char *
in_directory(const char *name)
{
    static char path[256];
    static bool made;

    if (!made) {
        assert_non_null(mkdtemp(directory));
        made = true;
    }
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

TEST(a_file_is_replaced_whole_and_private)
{
    const char *path = in_directory("key");
    struct stat st;
    char *text;

    assert_int_equal(yl_file_replace(path, YL_STR("one"), 0600, NULL), 0);
    assert_int_equal(yl_file_replace(path, YL_STR("two!"), 0600, NULL), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    text = read_file(path, NULL);
    assert_string_equal(text, "two!");
    free(text);
    assert_int_equal(unlink(path), 0);

    /* Nothing is left beside it. */
    assert_int_equal(rmdir(directory), 0);
    assert_int_equal(mkdir(directory, 0700), 0);
}

TEST(a_file_that_cannot_be_written_is_an_error)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_file_replace(in_directory("no/such/file"),
                                     YL_STR("x"), 0600, &err), YL_EIO);
    assert_non_null(strstr(yl_error_message(&err), "cannot create"));
    yl_error_clear(&err);

    /* A directory cannot be replaced by a file. */
    assert_int_equal(mkdir(in_directory("folder"), 0700), 0);
    assert_int_equal(yl_file_replace(in_directory("folder"), YL_STR("x"),
                                     0600, &err), YL_EIO);
    assert_non_null(strstr(yl_error_message(&err), "cannot write"));
    yl_error_clear(&err);
    assert_int_equal(rmdir(in_directory("folder")), 0);
}

TEST(reading_has_a_ceiling)
{
    const char *path = in_directory("read");
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf buf;

    assert_int_equal(yl_file_replace(path, YL_STR("12345"), 0600, NULL), 0);
    yl_buf_init(&buf, 5);
    assert_int_equal(yl_file_read(path, &buf, NULL), 0);
    assert_str_equal(yl_buf_str(&buf), "12345");
    yl_buf_release(&buf);
    yl_buf_init(&buf, 4);
    assert_int_equal(yl_file_read(path, &buf, &err), YL_ETOOBIG);
    assert_non_null(strstr(yl_error_message(&err), "larger than 4 bytes"));
    yl_error_clear(&err);
    yl_buf_release(&buf);
    yl_buf_init(&buf, 4);
    assert_int_equal(yl_file_read(in_directory("none"), &buf, &err),
                     YL_ENOTFOUND);
    yl_error_clear(&err);
    assert_int_equal(yl_file_read(directory, &buf, &err), YL_EIO);
    yl_error_clear(&err);
    yl_buf_release(&buf);
    unlink(in_directory("read"));
}

TEST(directories_are_made_with_those_above)
{
    struct yl_error err = YL_ERROR_INIT;
    struct stat st;

    assert_int_equal(yl_file_make_directory(in_directory("a/b"), 0700, NULL),
                     0);
    assert_int_equal(yl_file_make_directory(in_directory("a/b"), 0700, NULL),
                     0);
    assert_int_equal(stat(in_directory("a/b"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(yl_file_make_directory("/proc/none/x", 0700, &err),
                     YL_EIO);
    yl_error_clear(&err);
    rmdir(in_directory("a/b"));
    rmdir(in_directory("a"));
    rmdir(directory);
}
