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

/* A Pod that comes with its namespace waits for the account. */
TEST(a_pod_can_follow_its_namespace_at_once)
{
    inside_open("*");
    inside_create_namespace("n");
    inside_create(&core_v1_pod_kind, "n", "{'apiVersion':'v1','kind':'Pod',"
                  "'metadata':{'name':'p'},'spec':{'containers':[{'name':'c',"
                  "'image':'i'}]}}");
    assert_non_null(strstr(inside_get(&core_v1_pod_kind, "n", "p"),
                           "kube-api-access-"));
    inside_close();
}
