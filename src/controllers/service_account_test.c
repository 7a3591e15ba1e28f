/* Tests of service_account.c. */

#include "controllers/controllers.h"

#include "inside_rig.h"

TEST(every_namespace_has_the_account)
{
    inside_open("serviceaccount");
    inside_await(&core_v1_service_account_kind, "kube-system", "default", "");
    inside_create_namespace("n");
    inside_await(&core_v1_service_account_kind, "n", "default", "");
    inside_close();
}

TEST(the_account_is_made_again_when_it_is_deleted)
{
    const char *first, *again;

    inside_open("serviceaccount");
    first = inside_await(&core_v1_service_account_kind, "default", "default",
                         "");
    inside_delete(&core_v1_service_account_kind, "default", "default");
    again = inside_await(&core_v1_service_account_kind, "default", "default",
                         "");
    assert_string_not_equal(first, again);
    inside_close();
}

TEST(an_account_that_is_there_stays_as_it_is)
{
    inside_open_idle();
    inside_create(&core_v1_service_account_kind, "default",
                  "{'apiVersion':'v1','kind':'ServiceAccount','metadata':"
                  "{'name':'default','labels':{'a':'b'}}}");
    inside_start("*", "PEM");
    inside_await(&core_v1_service_account_kind, "kube-system", "default", "");
    inside_settle();
    assert_non_null(strstr(inside_get(&core_v1_service_account_kind, "default",
                                      "default"), "\"a\":\"b\""));
    inside_close();
}
