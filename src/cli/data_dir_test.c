/* Where data is unless the user says. */

#include "cli/data_dir.h"

#include <stdlib.h>
#include <unistd.h>

#include "unit.h"
#include "yuloh/error.h"

static void
assert_default(const char *want)
{
    char *path = NULL;

    assert_int_equal(yl_data_dir_default(&path, NULL), 0);
    assert_string_equal(path, want);
    free(path);
}

TEST(root_and_others_have_places_of_their_own)
{
    uid_t user = geteuid();
    struct yl_error err = YL_ERROR_INIT;
    char *path;

    if (user == 0) {
        assert_default("/var/lib/yuloh");
        if (seteuid(65534) < 0) {
            print_message("skipped: there is no user but root here\n");
            skip();
        }
    }
    setenv("HOME", "/home/somebody", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_default("/data/yuloh");
    setenv("XDG_DATA_HOME", "relative", 1);
    assert_default("/home/somebody/.local/share/yuloh");
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_int_equal(yl_data_dir_default(&path, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "--data-dir"));
    yl_error_clear(&err);
    if (user == 0) {
        assert_int_equal(seteuid(0), 0);
    }
}
