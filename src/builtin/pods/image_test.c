/* Tests of builtin/pods/image.h. */

#include "builtin/pods/image.h"

#include "unit.h"

#define HEX32 "0123456789abcdef0123456789abcdef"

TEST(a_name_without_a_tag_means_latest)
{
    static const char *const latest[] = {
        "nginx", "nginx:latest", "library/nginx", "reg.example.com:5000/x",
        "reg.example.com:5000/x/y:latest", "localhost/x", "[::1]:5000/x",
        "a.b/c__d/e-f.g_h", ("x:latest@sha256:" HEX32),
    };
    size_t i;

    for (i = 0; i < sizeof latest / sizeof latest[0]; i++) {
        if (!yl_image_is_latest(yl_str_c(latest[i]))) {
            fail_msg("%s", latest[i]);
        }
    }
}

TEST(tags_digests_and_what_is_no_name_do_not)
{
    static const char *const others[] = {
        "", "nginx:1.0", ("nginx@sha256:" HEX32), "UPPER", "UPPER:latest",
        "a:b:c", "has space", "nginx:", "nginx@sha256:abc", "nginx@",
        ("x@sha256:" HEX32 "!"), "a//b", "a..b", "a___b", "-a", "a-",
        "[::1/x", "[::1]x/y", "bad_host.example/x/", ".x/y", "x-.y/z",
        "x.y:p/z", "nginx:-x", "[g::1]/x", (HEX32 HEX32), ("@sha256:" HEX32),
        ("x@-sha:" HEX32),
    };
    size_t i;

    for (i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (yl_image_is_latest(yl_str_c(others[i]))) {
            fail_msg("%s", others[i]);
        }
    }
}

TEST(a_path_has_a_largest_size)
{
    char name[300];

    memset(name, 'a', sizeof name);
    assert_true(yl_image_is_latest(yl_str_n(name, 247)));
    assert_false(yl_image_is_latest(yl_str_n(name, 248)));
    name[1] = '/';
    assert_true(yl_image_is_latest(yl_str_n(name, 255)));
    assert_false(yl_image_is_latest(yl_str_n(name, 256)));
}
