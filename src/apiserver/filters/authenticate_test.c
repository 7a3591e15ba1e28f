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

/* A connection from within the process acts as a user, through all filters. */
TEST(a_connection_from_within_has_an_identity)
{
    static const struct yl_user bob = { .name = YL_STR_INIT("bob") };
    static const struct yl_str groups[] = { YL_STR_INIT("system:masters") };
    static const struct yl_user manager = {
        .name = YL_STR_INIT("system:kube-controller-manager"),
        .groups = groups, .n_groups = 1,
    };

    auth_open();
    let_bob("[{'apiGroups':[''],'resources':['configmaps'],"
            "'verbs':['list']}]");
    rig.identity = &bob;
    assert_int_equal(api("GET", "/api/v1/namespaces/default/configmaps",
                         NULL), 200);
    assert_int_equal(api("GET", "/api/v1/namespaces/default/secrets", NULL),
                     403);
    assert_non_null(strstr(text_at("/message"), "User \"bob\" cannot list"));
    rig.headers = "impersonate-user: root\r\n";
    assert_int_equal(api("GET", "/api/v1/nodes", NULL), 403);

    /* It is in system:authenticated, which may look at the version. */
    assert_int_equal(api("POST", "/apis/authentication.k8s.io/v1/"
                         "selfsubjectreviews", "{}"), 201);
    assert_string_equal(text_at("/status/userInfo/username"), "bob");
    assert_string_equal(text_at("/status/userInfo/groups/0"),
                        "system:authenticated");

    /* No header makes it another one. */
    assert_int_equal(as("root", "GET", "/api/v1/nodes", NULL), 403);
    rig.identity = &manager;
    rig.headers = "impersonate-user: bob\r\n";
    assert_int_equal(api("GET", "/api/v1/nodes", NULL), 403);
    assert_int_equal(api("GET", "/api/v1/nodes", NULL), 200);
    auth_close();
}
