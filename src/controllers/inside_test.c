/* Tests of inside.c: start, stop, who acts. */

#include "controllers/inside.h"

#include "inside_rig.h"

TEST(only_the_chosen_ones_run)
{
    inside_open("root-ca-cert-publisher");
    inside_await(&core_v1_config_map_kind, "default", "kube-root-ca.crt", "");
    inside_settle();
    assert_string_equal(inside_get(&core_v1_service_account_kind, "default",
                                   "default"), "");
    inside_close();
}

TEST(if_none_is_chosen_nothing_is_started)
{
    inside_open("-*");
    assert_null(rig.inside);
    assert_true(yl_inside_is_idle(rig.inside));
    inside_close();
}

TEST(they_can_be_stopped_at_any_time)
{
    int i;

    inside_open_idle();
    for (i = 0; i < 20; i++) {
        inside_start("*", i % 2 ? "A" : "B");
        if (i % 3 == 0) {
            inside_settle();
        }
        yl_inside_stop(rig.inside);
        rig.inside = NULL;
    }
    inside_close();
}

/* A Pod that comes with its namespace waits for the account, but no longer
 * than a machine that is busy may need to make one. */
TEST(a_pod_can_follow_its_namespace_at_once)
{
    struct yl_resource pods = yl_resource_of(&core_v1_pod_kind);
    int r;

    inside_open("*");
    inside_create_namespace("n");
    do {
        r = yl_client_create(
            rig.client, &pods, YL_STR("n"),
            inside_json("{'apiVersion':'v1','kind':'Pod','metadata':{'name':"
                        "'p'},'spec':{'containers':[{'name':'c','image':"
                        "'i'}]}}"), NULL, NULL, &rig.err);
    } while (r == YL_EFORBIDDEN);
    assert_int_equal(r, 0);
    assert_non_null(strstr(inside_get(&core_v1_pod_kind, "n", "p"),
                           "kube-api-access-"));
    inside_close();
}
