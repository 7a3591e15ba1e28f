/* Tests of the filter that lets users act as others. */

#include "auth_rig.h"

#define WHO "/apis/authentication.k8s.io/v1/selfsubjectreviews"

TEST(whoever_may_acts_as_somebody_else)
{
    auth_open();
    rig.headers = "impersonate-user: al\r\nimpersonate-group: g\r\n"
                  "impersonate-extra-a%2fb: x\r\nimpersonate-uid: u\r\n";
    assert_int_equal(as("root", "POST", WHO, "{}"), 201);
    assert_string_equal(text_at("/status/userInfo/username"), "al");
    assert_string_equal(text_at("/status/userInfo/uid"), "u");
    assert_string_equal(text_at("/status/userInfo/groups/0"), "g");
    assert_string_equal(text_at("/status/userInfo/groups/1"),
                        "system:authenticated");
    assert_string_equal(text_at("/status/userInfo/extra"),
                        "{\"a/b\":[\"x\"]}");
    assert_int_equal(as("root", "POST", WHO, "{}"), 201);
    assert_string_equal(text_at("/status/userInfo/username"), "root");
    auth_close();
}

TEST(others_do_not)
{
    auth_open();
    rig.headers = "impersonate-user: al\r\n";
    assert_int_equal(as("bob", "POST", WHO, "{}"), 403);
    assert_string_equal(text_at("/message"),
                        "selfsubjectreviews.authentication.k8s.io is "
                        "forbidden: User \"bob\" cannot "
                        "impersonate-on:user-info:create resource "
                        "\"selfsubjectreviews\" in API group "
                        "\"authentication.k8s.io\" at the cluster scope");
    rig.headers = "impersonate-uid: u\r\n";
    assert_int_equal(as("root", "POST", WHO, "{}"), 400);
    auth_close();
}
