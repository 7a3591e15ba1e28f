/* Tests of namespaces.c: namespaces that are being deleted. */

#include "controllers/namespaces.h"

#include "inside_rig.h"

TEST(nothing_is_made_in_a_namespace_that_is_being_deleted)
{
    inside_open_idle();
    inside_create_namespace("n");
    inside_delete(&core_v1_namespace__kind, "", "n");
    inside_start("*", "PEM");
    inside_await(&core_v1_config_map_kind, "default", "kube-root-ca.crt", "");
    inside_await(&core_v1_service_account_kind, "default", "default", "");
    inside_settle();
    assert_string_equal(inside_get(&core_v1_service_account_kind, "n",
                                   "default"), "");
    assert_string_equal(inside_get(&core_v1_config_map_kind, "n",
                                   "kube-root-ca.crt"), "");
    inside_close();
}
