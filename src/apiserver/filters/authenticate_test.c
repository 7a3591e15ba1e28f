/* Tests of the filter that finds out who asks. */

#include "auth_rig.h"

TEST(an_unknown_token_is_answered_401)
{
    auth_open();
    assert_int_equal(as("wrong", "GET", "/api/v1/nodes", NULL), 401);
    assert_string_equal(text_at("/message"), "Unauthorized");
    assert_string_equal(text_at("/reason"), "Unauthorized");
    assert_string_equal(text_at("/details"), "");
    rig.headers = "authorization: Bearer  x\r\n";
    assert_int_equal(as(NULL, "GET", "/api/v1/nodes", NULL), 403);
    assert_non_null(memmem(rig.head.data, rig.head.size, "extra space", 11));
    assert_int_equal(as("root", "GET", "/api/v1/nodes", NULL), 200);
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(as("wrong", "GET", "/api/v1/nodes", NULL), 401);
    assert_non_null(memmem(rig.body.data, rig.body.size,
                           "message: Unauthorized\n", 22));
    auth_close();
}

TEST(where_everything_is_allowed_nobody_is_shut_out)
{
    auth_open_with((struct yl_apiserver_opts) {
        .authorize_always = true, .anonymous_health_only = true,
    });
    assert_int_equal(as(NULL, "GET", "/version", NULL), 200);
    assert_int_equal(as(NULL, "GET", "/readyz", NULL), 200);
    assert_int_equal(as(NULL, "GET", "/metrics", NULL), 401);
    assert_int_equal(as(NULL, "GET", "/api/v1/nodes", NULL), 401);
    assert_int_equal(as("bob", "GET", "/api/v1/nodes", NULL), 200);
    auth_close();
}
