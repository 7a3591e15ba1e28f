/* Tests of the first filter, through the whole server. */

#include "apiserver/filters/filters.h"

#include "api_rig.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

TEST(paths_that_cannot_be_are_refused)
{
    rig_open();
    assert_int_equal(api("GET", "/api/v1/%zz", NULL), 400);
    assert_string_equal(text_at("/reason"), "BadRequest");
    rig_close();
}

TEST(too_many_parameters_are_refused)
{
    struct yl_buf path;
    int i;

    rig_open();
    yl_buf_init(&path, 1 << 16);
    yl_buf_append_c(&path, MAPS "?");
    for (i = 0; i <= YL_MAX_PARAMS; i++) {
        yl_buf_append_c(&path, "a=b&");
    }
    assert_int_equal(api("GET", yl_buf_c_str(&path), NULL), 413);
    yl_buf_release(&path);
    rig_close();
}

TEST(answers_are_pretty_for_people)
{
    rig_open();
    assert_int_equal(api("GET", MAPS "/x", NULL), 404);
    assert_null(memmem(rig.body.data, rig.body.size, "\n  ", 3));
    rig.headers = "user-agent: curl/8\r\n";
    assert_int_equal(api("GET", MAPS "/x", NULL), 404);
    assert_non_null(memmem(rig.body.data, rig.body.size, "\n  ", 3));
    rig.headers = "user-agent: curl/8\r\n";
    assert_int_equal(api("GET", MAPS "/x?pretty=false", NULL), 404);
    assert_null(memmem(rig.body.data, rig.body.size, "\n  ", 3));
    assert_int_equal(api("GET", MAPS "/x?pretty=true", NULL), 404);
    assert_non_null(memmem(rig.body.data, rig.body.size, "\n  ", 3));
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(api("GET", "/api/v1/%zz", NULL), 400);
    assert_non_null(memmem(rig.body.data, rig.body.size, "code: 400\n", 10));
    rig_close();
}

TEST(a_path_that_leads_nowhere_is_told_so)
{
    static const char text[] =
        "Internal Server Error: \"/api/v1/watch?a=b\": failed to create "
        "RequestInfo: unable to determine kind and namespace from url, "
        "/api/v1/watch?a=b\n";

    rig_open();
    assert_int_equal(api("GET", "/api/v1/watch?a=b", NULL), 500);
    assert_str_equal(rig.body, text);
    rig_close();
}
