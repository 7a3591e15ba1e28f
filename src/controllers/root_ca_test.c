/* Tests of root_ca.c. */

#include "controllers/controllers.h"

#include "inside_rig.h"

#define NAME "kube-root-ca.crt"
#define MAP &core_v1_config_map_kind

TEST(every_namespace_has_the_authority)
{
    inside_open("*");
    inside_await(MAP, "default", NAME, "\"ca.crt\":\"PEM\"");
    inside_create_namespace("n");
    inside_await(MAP, "n", NAME, "\"ca.crt\":\"PEM\"");
    inside_delete(MAP, "n", NAME);
    inside_await(MAP, "n", NAME, "\"ca.crt\":\"PEM\"");
    inside_close();
}

TEST(what_others_write_is_put_right_and_the_rest_is_kept)
{
    struct yl_resource maps = yl_resource_of(MAP);
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR(NAME));
    const char *json;

    inside_open("*");
    inside_await(MAP, "default", NAME, "");
    assert_int_equal(yl_client_patch(
        rig.client, &maps, &key, YL_PATCH_MERGE,
        inside_json("{'metadata':{'labels':{'a':'b'}},"
                    "'data':{'ca.crt':'x','more':'y'}}"), NULL, NULL, NULL),
                     0);
    json = inside_await(MAP, "default", NAME, "\"ca.crt\":\"PEM\"");
    assert_null(strstr(json, "\"more\":\"y\""));
    assert_non_null(strstr(json, "\"a\":\"b\""));
    inside_close();
}

TEST(a_new_authority_reaches_all_namespaces)
{
    inside_open("*");
    inside_await(MAP, "default", NAME, "\"ca.crt\":\"PEM\"");
    inside_await(MAP, "kube-public", NAME, "\"ca.crt\":\"PEM\"");
    yl_inside_stop(rig.inside);
    inside_start("*", "NEW");
    inside_await(MAP, "default", NAME, "\"ca.crt\":\"NEW\"");
    inside_await(MAP, "kube-public", NAME, "\"ca.crt\":\"NEW\"");
    inside_close();
}

TEST(without_an_authority_none_is_published)
{
    inside_open_idle();
    inside_start("*", "");
    inside_await(&core_v1_service_account_kind, "default", "default", "");
    inside_settle();
    assert_string_equal(inside_get(MAP, "default", NAME), "");
    inside_close();
}
