/* Tests of where requests go, through the whole server. */

#include "apiserver/filters/filters.h"

#include "api_rig.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

static bool
says(const char *text)
{
    return memmem(rig.body.data, rig.body.size, text, strlen(text)) != NULL;
}

TEST(what_is_not_served_is_404)
{
    rig_open();
    assert_int_equal(api("GET", "/apis/nope/v1/things", NULL), 404);
    assert_true(says("404 page not found"));
    assert_int_equal(api("GET", "/api/v2/pods", NULL), 404);
    assert_string_equal(text_at("/message"),
                        "the server could not find the requested resource");
    assert_int_equal(api("GET", "/apis/apps/v1/things", NULL), 404);
    assert_string_equal(text_at("/reason"), "NotFound");
    assert_int_equal(api("GET", MAPS "/a/nothing", NULL), 404);
    assert_int_equal(api("GET", "//api/v1/namespaces", NULL), 404);
    assert_true(says("404 page not found"));
    assert_int_equal(api("GET", "//version", NULL), 404);
    assert_int_equal(api("GET", "/apis/apps/v1/namespaces/n/deployments/d/"
                                "scale/more", NULL), 404);
    rig_close();
}

TEST(a_path_must_fit_the_scope)
{
    rig_open();
    assert_int_equal(api("GET", "/api/v1/namespaces/default/nodes", NULL),
                     404);
    assert_int_equal(api("GET", "/api/v1/configmaps/a", NULL), 404);
    assert_int_equal(api("GET", "/api/v1/configmaps", NULL), 200);
    assert_int_equal(api("GET", "/api/v1/nodes", NULL), 200);
    assert_int_equal(api("GET", "/api/v1/namespaces/default", NULL), 200);
    assert_int_equal(api("GET", "/api/v1/namespaces/default/namespaces",
                         NULL), 404);
    assert_int_equal(api("POST", "/api/v1/bindings", "{}"), 404);
    rig_close();
}

TEST(methods_that_a_resource_has_not_are_405)
{
    rig_open();
    assert_int_equal(api("PUT", MAPS, "{}"), 405);
    assert_string_equal(text_at("/reason"), "MethodNotAllowed");
    assert_int_equal(api("POST", MAPS "/a", "{}"), 405);
    assert_int_equal(api("POST", "/api/v1/configmaps", "{}"), 405);
    assert_int_equal(api("DELETE", "/api/v1/configmaps", NULL), 405);
    assert_int_equal(api("POST", "/api/v1/watch/configmaps", "{}"), 405);
    assert_int_equal(api("GET", "/api/v1/componentstatuses?watch=1", NULL),
                     405);
    assert_non_null(memmem(rig.head.data, rig.head.size, "deprecated", 10));
    assert_int_equal(api("GET", "/apis/apps/v1/watch/namespaces/n/"
                                "deployments/d/status", NULL), 404);
    assert_int_equal(api("GET", "/apis/authorization.k8s.io/v1/"
                                "selfsubjectaccessreviews", NULL), 405);
    assert_int_equal(api("GET", "/apis/authorization.k8s.io/v1/"
                                "selfsubjectaccessreviews/a", NULL), 404);
    rig_close();
}

TEST(head_is_not_get)
{
    int fd;

    rig_open();
    fd = rig_send("HEAD", MAPS, NULL);
    yl_buf_clear(&rig.answer);
    while (rig_receive(fd)
           && !memmem(rig.answer.data, rig.answer.size, "\r\n\r\n", 4)) {
        yl_http_server_turn(rig.http, false);
    }
    rig_split();
    assert_int_equal(rig.status, 405);
    assert_int_equal(rig.body.size, 0);
    close(fd);
    rig_close();
}

TEST(forms_that_do_not_exist_are_406)
{
    rig_open();
    rig.headers = "accept: text/html\r\n";
    assert_int_equal(api("GET", MAPS, NULL), 406);
    assert_true(says("Available representations"));
    assert_true(says("stream=watch"));
    rig.headers = "accept: application/json;as=Nothing;v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", MAPS, NULL), 406);
    assert_true(says("only the following media types are accepted"));
    rig.headers = "accept: text/html\r\n";
    assert_int_equal(api("GET", MAPS "/a", NULL), 406);
    assert_false(says("stream=watch"));
    rig_close();
}

TEST(reviews_and_discovery_have_their_own_places)
{
    rig_open();
    assert_int_equal(api("POST", "/apis/authorization.k8s.io/v1/"
                                 "selfsubjectaccessreviews",
                         "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\","
                         "\"resource\":\"pods\"}}}"), 201);
    assert_string_equal(text_at("/status/allowed"), "true");
    assert_int_equal(api("GET", "/api", NULL), 200);
    assert_int_equal(api("GET", "/version", NULL), 200);
    rig_close();
}

TEST(a_watch_is_a_get)
{
    rig_open();
    assert_int_equal(api("POST", "/api/v1/watch/configmaps", "{}"), 405);
    assert_string_equal(text_at("/message"),
                        "the server does not allow this method on the "
                        "requested resource");
    assert_int_equal(api("DELETE", "/api/v1/watch/namespaces/default/"
                                   "configmaps/a", NULL), 405);
    rig_close();
}

TEST(a_namespace_of_dots_leads_nowhere)
{
    rig_open();
    assert_int_equal(api("GET", "/api/v1/namespaces/../configmaps/b", NULL),
                     400);
    assert_string_equal(text_at("/message"),
                        "invalid key: \"/configmaps/../b\"");
    assert_int_equal(api("GET", "/api/v1/namespaces/./configmaps", NULL),
                     400);
    assert_string_equal(text_at("/message"), "invalid key: \"/configmaps/.\"");
    assert_int_equal(api("POST", "/api/v1/namespaces/../configmaps",
                         "{\"metadata\":{\"name\":\"a\"}}"), 404);
    assert_int_equal(api("GET", "/api/v1/namespaces/..", NULL), 400);
    rig_close();
}
