/* Tests of secret_token.c. */

#include "controllers/controllers.h"

#include "inside_rig.h"

#define SECRET &core_v1_secret_kind
#define ACCOUNT &core_v1_service_account_kind

static void
create_secret(const char *name, const char *account)
{
    inside_create(SECRET, "default", yl_arena_printf(
        rig.arena, "{'apiVersion':'v1','kind':'Secret','metadata':{'name':"
        "'%s','annotations':{'kubernetes.io/service-account.name':'%s'}},"
        "'type':'kubernetes.io/service-account-token'}", name, account));
}

TEST(a_secret_of_an_account_gets_a_token)
{
    const char *json;

    inside_open("*");
    inside_await(ACCOUNT, "default", "default", "");
    create_secret("t", "default");
    json = inside_await(SECRET, "default", "t", "\"token\":\"");
    assert_non_null(strstr(json, "\"ca.crt\":\"UEVN\""));
    assert_non_null(strstr(json, "\"namespace\":\"ZGVmYXVsdA==\""));
    assert_non_null(strstr(json, "kubernetes.io/service-account.uid"));
    inside_close();
}

TEST(a_secret_goes_with_its_account)
{
    inside_open("*");
    inside_create(ACCOUNT, "default", "{'apiVersion':'v1','kind':"
                  "'ServiceAccount','metadata':{'name':'x'}}");
    create_secret("t", "x");
    inside_await(SECRET, "default", "t", "\"token\":\"");
    inside_delete(ACCOUNT, "default", "x");
    inside_await(SECRET, "default", "t", NULL);
    inside_close();
}

TEST(a_secret_whose_account_is_not_there_is_deleted)
{
    inside_open("*");
    create_secret("t", "nobody");
    inside_await(SECRET, "default", "t", NULL);
    inside_close();
}

TEST(other_secrets_are_left_alone)
{
    inside_open("*");
    inside_create(SECRET, "default", "{'apiVersion':'v1','kind':'Secret',"
                  "'metadata':{'name':'o','annotations':"
                  "{'kubernetes.io/service-account.name':'nobody'}}}");
    create_secret("t", "nobody");
    inside_await(SECRET, "default", "t", NULL);
    inside_settle();
    assert_null(strstr(inside_get(SECRET, "default", "o"), "\"data\""));
    assert_true(*inside_get(SECRET, "default", "o"));
    inside_close();
}
