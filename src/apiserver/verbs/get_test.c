/* Gets, through the whole server. */

#include "api_rig.h"

#define MAPS "/api/v1/namespaces/default/configmaps"

TEST(an_object_is_as_it_was_made)
{
    rig_open();
    assert_int_equal(api("POST", MAPS, "{\"metadata\":{\"name\":\"a\"},"
                                       "\"data\":{\"k\":\"v\"}}"), 201);
    assert_int_equal(api("GET", MAPS "/a", NULL), 200);
    assert_string_equal(text_at("/kind"), "ConfigMap");
    assert_string_equal(text_at("/data/k"), "v");
    assert_int_equal(api("GET", "/api/v1/namespaces/default", NULL), 200);
    assert_string_equal(text_at("/kind"), "Namespace");
    rig_close();
}

TEST(a_revision_may_be_asked_for_if_it_has_come)
{
    rig_open();
    assert_int_equal(api("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}"),
                     201);
    assert_int_equal(api("GET", MAPS "/a?resourceVersion=0", NULL), 200);
    assert_int_equal(api("GET", MAPS "/a?resourceVersion=2", NULL), 200);
    assert_int_equal(api("GET", MAPS "/a?resourceVersion=9999", NULL), 504);
    assert_string_equal(text_at("/details/causes/0/reason"),
                        "ResourceVersionTooLarge");
    assert_non_null(memmem(rig.head.data, rig.head.size, "retry-after: 1",
                           14));
    assert_int_equal(api("GET", MAPS "/a?resourceVersion=x", NULL), 500);
    rig_close();
}

TEST(names_that_cannot_be_are_refused)
{
    rig_open();
    assert_int_equal(api("GET", MAPS "/..", NULL), 400);
    assert_int_equal(api("GET", MAPS "/.", NULL), 400);
    assert_int_equal(api("GET", MAPS "/a%25b", NULL), 400);
    assert_int_equal(api("GET", MAPS "/a", NULL), 404);
    assert_string_equal(text_at("/message"), "configmaps \"a\" not found");
    assert_string_equal(text_at("/details/name"), "a");
    rig_close();
}

TEST(an_object_is_told_in_the_form_that_was_asked_for)
{
    rig_open();
    assert_int_equal(api("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}"),
                     201);
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(api("GET", MAPS "/a", NULL), 200);
    assert_int_equal(strncmp(rig.body.data, "apiVersion: v1\n", 15), 0);
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    assert_int_equal(api("GET", MAPS "/a", NULL), 200);
    assert_string_equal(text_at("/rows/0/cells/0"), "a");
    assert_int_equal(api("GET", MAPS "/a?pretty=1", NULL), 200);
    assert_int_equal(strncmp(rig.body.data, "{\n  \"", 5), 0);
    assert_string_equal(text_at("/metadata/name"), "a");
    rig_close();
}
